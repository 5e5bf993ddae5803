// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <QStringList>

#include <termios.h>

#include <memory>

namespace trainyard::cli
{

// Uses the whole terminal for a picture that is painted again and again, like `less` and `top`: on the alternate
// screen, without a cursor and without echo. However the program ends in an orderly way, the terminal is restored;
// Ctrl+Z restores it for as long as the program is stopped.
class FullScreen : public QObject
{
    Q_OBJECT
public:
    explicit FullScreen(QObject *parent = nullptr);
    ~FullScreen() override;

    static int columns();
    static int rows();
    void draw(const QStringList &lines); // cut to what there is room for

Q_SIGNALS:
    void redrawNeeded(); // the size has changed, or the program goes on
    void quitRequested(); // q

private:
    void enter();
    void leave();
    void onSignal();
    void onKey();

    termios m_before{};
    bool m_hasKeys = false;
    std::unique_ptr<QSocketNotifier> m_signals;
    std::unique_ptr<QSocketNotifier> m_keys;
};

} // namespace trainyard::cli
