// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDialog>

class QDialogButtonBox;

namespace trainyard
{

// Shows how the text of a run was changed, and asks what to do with it. finished() has the answer.
class DiffDialog : public QDialog
{
    Q_OBJECT
public:
    struct Words {
        QString window; // its title
        QString heading, help;
    };
    DiffDialog(const Words &words, const QByteArray &before, const QByteArray &after, QWidget *parent = nullptr);
    // Beside Cancel. What Enter does is the one that is offered. `name`: of the button, for tests.
    void addAnswer(const QString &text, int answer, bool isOffered, const char *name);

private:
    QDialogButtonBox *m_buttons;
};

} // namespace trainyard
