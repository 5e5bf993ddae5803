// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QDialog>
#include <QList>
#include <QPointer>

#include <functional>

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace trainyard
{

class QuestionTurn;

// One question of ssh: a pass phrase, a password, whether a host's key is right.
class QuestionDialog : public QDialog
{
    Q_OBJECT
public:
    // `isHeld`: keys that are being typed are meant for another question, which is gone. They are ignored until the
    // user turns to this one.
    QuestionDialog(const Question &question, QWidget *parent, bool isHeld = false);
    bool hasInput() const;

Q_SIGNALS:
    void answered(const QString &text);

private:
    void hold(QLabel *prompt, QDialogButtonBox *buttons);
    QLineEdit *m_field = nullptr;
};

// Puts the engine's questions to the user, one after the other, so that none takes the keys that are meant for another;
// takes them back when they were answered elsewhere.
class Questions : public QObject
{
    Q_OBJECT
public:
    // `turn`: shared with others that ask; without one it does not take turns.
    Questions(EngineClient *client, QWidget *window, QuestionTurn *turn = nullptr);
    // A dialog takes the keyboard: of hosts for which this does not say that the user waits for them, the question is
    // put off until askNow().
    void setWaitedFor(const std::function<bool(const QString &host)> &isWaitedFor) { m_isWaitedFor = isWaitedFor; }
    void askNow(const QString &host); // what was put off

Q_SIGNALS:
    void putOff(const trainyard::Question &question);
    void putOffNoMore(const QString &host); // of this host nothing is put off any more

private:
    void ask(const Question &question);
    void askNext();
    void withdraw(); // the one that is open
    EngineClient *m_client;
    QWidget *m_window;
    QuestionTurn *m_turn;
    std::function<bool(const QString &host)> m_isWaitedFor; // null: of any
    QList<Question> m_waiting, m_putOff;
    void dropPutOff(const std::function<bool(const Question &)> &which);
    QString m_asked; // which one is open
    QPointer<QuestionDialog> m_dialog;
};

} // namespace trainyard
