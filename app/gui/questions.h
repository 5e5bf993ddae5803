// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QDialog>
#include <QHash>
#include <QPointer>

class QLineEdit;

namespace trainyard
{

// One question of ssh: a pass phrase, a password, whether a host's key is right.
class QuestionDialog : public QDialog
{
    Q_OBJECT
public:
    QuestionDialog(const Question &question, QWidget *parent);

Q_SIGNALS:
    void answered(const QString &text);

private:
    QLineEdit *m_field = nullptr;
};

// Puts the engine's questions to the user, and takes them back when somebody else has answered.
class Questions : public QObject
{
    Q_OBJECT
public:
    Questions(EngineClient *client, QWidget *window);

private:
    void ask(const Question &question);
    EngineClient *m_client;
    QWidget *m_window;
    QHash<QString, QPointer<QuestionDialog>> m_open;
};

} // namespace trainyard
