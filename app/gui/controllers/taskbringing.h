// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/taskpull.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace trainyard
{

class BringDialog;
class EngineClient;

// One dialog that brings files of a task to this computer, and what it asks of the engine. Ends with the dialog.
class TaskBringing : public QObject
{
    Q_OBJECT
public:
    // `wanted.to` is the folder that is offered.
    TaskBringing(EngineClient &client, const TaskPull::Wanted &wanted, const QString &host, QWidget *parent);
    ~TaskBringing() override;

private:
    void look(const QString &folder);
    void retire();
    EngineClient &m_client;
    const TaskPull::Wanted m_wanted;
    QPointer<BringDialog> m_dialog;
    QPointer<TaskPull> m_pull;
};

} // namespace trainyard
