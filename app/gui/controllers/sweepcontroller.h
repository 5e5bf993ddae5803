// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>

#include <memory>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class PageRegistry;
class Secrets;
class SweepDialog;
class TargetBox;
class Workbench;

// Sweeps of the document in front: asks for the values, and hands the jobs over as one group.
class SweepController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "runAsSweep".
    SweepController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
        Secrets *secrets, TargetBox *target);

Q_SIGNALS:
    void groupSubmitted(const QString &group); // and there is no page that shows it

private:
    void open();
    struct Begun;
    void submit(SweepDialog *dialog, const SubmitRequest &request, const std::shared_ptr<Begun> &begun);
    void show(const QString &group);

    Workbench *m_workbench;
    PageRegistry *m_pages;
    EngineClient *m_client;
    Secrets *m_secrets;
    TargetBox *m_target;
};

} // namespace trainyard
