// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QDialog>
#include <QList>
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

// Puts the engine's questions to the user, one after the other, so that none takes the keys that are meant for another;
// takes them back when they were answered elsewhere.
class Questions : public QObject
{
    Q_OBJECT
public:
    Questions(EngineClient *client, QWidget *window);

private:
    void ask(const Question &question);
    void askNext();
    EngineClient *m_client;
    QWidget *m_window;
    QList<Question> m_waiting;
    QString m_asked; // which one is open
    QPointer<QuestionDialog> m_dialog;
};

} // namespace trainyard
