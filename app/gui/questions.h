// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QDialog>
#include <QList>
#include <QPointer>

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
    // `isHeld`: keys that are being typed are meant for another question, which is gone. Nothing takes them until the
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
    // `turn`: shared with others that ask; without one it takes turns with nobody.
    Questions(EngineClient *client, QWidget *window, QuestionTurn *turn = nullptr);

private:
    void ask(const Question &question);
    void askNext();
    void withdraw(); // the one that is open
    EngineClient *m_client;
    QWidget *m_window;
    QuestionTurn *m_turn;
    QList<Question> m_waiting;
    QString m_asked; // which one is open
    QPointer<QuestionDialog> m_dialog;
};

} // namespace trainyard
