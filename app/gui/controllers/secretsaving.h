// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace trainyard
{

class DesignerPage;
class Secrets;

// Asks before the values of secrets get into a file that does not have them yet: they can go into the keyring or be
// left out instead, and then stay in the window's memory. A file that has them already is its owner's choice and is
// saved without a question.
class SecretSaving : public QObject
{
    Q_OBJECT
public:
    SecretSaving(Secrets *secrets, QWidget *window);
    // Calls `save` at once if there is nothing to ask, otherwise after the answer. It is not called if the answer is
    // "Cancel" or the document is gone.
    void ask(DesignerPage *designer, const QString &path, const std::function<void()> &save);

private:
    void remember(const QByteArray &text); // in memory only, as what Run was given
    QWidget *m_window;
    Secrets *m_secrets;
};

} // namespace trainyard
