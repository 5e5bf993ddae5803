// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fullscreen.h"

#include "app/cli/console.h"
#include "widgets/text/columns.h"
#include "widgets/text/terminaltext.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace trainyard::cli
{
namespace
{

int signalPipe[2] = {-1, -1};

void onWindowSignal(int number)
{
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &byte, 1);
}

} // namespace

int FullScreen::columns() { return terminalWidth(); }
int FullScreen::rows() { return terminalHeight(); }

FullScreen::FullScreen(QObject *parent) : QObject(parent)
{
    if (signalPipe[0] >= 0 || ::pipe2(signalPipe, O_CLOEXEC | O_NONBLOCK) == 0) {
        m_signals = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
        connect(m_signals.get(), &QSocketNotifier::activated, this, &FullScreen::onSignal);
        struct sigaction action {
        };
        action.sa_handler = onWindowSignal;
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGWINCH, &action, nullptr);
        ::sigaction(SIGTSTP, &action, nullptr);
    }
    if (::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &m_before) == 0) {
        m_hasKeys = true;
        m_keys = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
        connect(m_keys.get(), &QSocketNotifier::activated, this, &FullScreen::onKey);
    }
    enter();
}

FullScreen::~FullScreen()
{
    leave();
    ::signal(SIGWINCH, SIG_DFL);
    ::signal(SIGTSTP, SIG_DFL);
}

void FullScreen::enter()
{
    if (m_hasKeys) {
        termios raw = m_before; // Ctrl+C and Ctrl+Z stay what they are
        raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    }
    out("\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H");
}

void FullScreen::leave()
{
    out("\x1b[?25h\x1b[?1049l");
    if (m_hasKeys) {
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
    }
}

void FullScreen::onSignal()
{
    char byte = 0;
    bool stop = false;
    while (::read(signalPipe[0], &byte, 1) > 0) {
        stop = stop || byte == SIGTSTP;
    }
    if (stop) {
        leave();
        ::raise(SIGSTOP); // until `fg`
        enter();
    }
    Q_EMIT redrawNeeded();
}

void FullScreen::onKey()
{
    char keys[64];
    const ssize_t size = ::read(STDIN_FILENO, keys, sizeof keys);
    if (size <= 0) { // the terminal is gone: HUP says so too
        m_keys->setEnabled(false);
        return;
    }
    const QByteArrayView typed(keys, size);
    if (typed.contains('q') || typed.contains('Q')) {
        Q_EMIT quitRequested();
    } else if (typed.contains('\f')) { // Ctrl+L
        out("\x1b[2J");
        Q_EMIT redrawNeeded();
    }
}

void FullScreen::draw(const QStringList &lines)
{
    const int width = columns();
    QByteArray picture = "\x1b[H";
    const qsizetype shown = std::min<qsizetype>(lines.size(), rows());
    for (qsizetype i = 0; i < shown; ++i) {
        // There is no line end behind the last line, since it would scroll.
        picture += (i > 0 ? "\r\n" : "") + cutToColumns(terminalText(lines.at(i)), width).toUtf8() + "\x1b[K";
    }
    out(picture + "\x1b[J");
}

} // namespace trainyard::cli
