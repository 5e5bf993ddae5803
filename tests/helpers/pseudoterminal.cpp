// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/pseudoterminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

PseudoTerminal::PseudoTerminal(int rows, int columns) : m_rows(rows), m_columns(columns)
{
    m_master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (m_master < 0 || ::grantpt(m_master) != 0 || ::unlockpt(m_master) != 0) {
        return;
    }
    char name[64] = {};
    // Held open, so that its settings can be asked for after the program has ended.
    m_slave = ::ptsname_r(m_master, name, sizeof name) == 0 ? ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    resize(rows, columns);
    m_notifier = std::make_unique<QSocketNotifier>(m_master, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, &m_process, [this] {
        char buffer[4096];
        ssize_t size = 0;
        while ((size = ::read(m_master, buffer, sizeof buffer)) > 0) {
            take(QByteArray(buffer, size));
        }
    });
}

PseudoTerminal::~PseudoTerminal()
{
    m_notifier.reset();
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
    for (const int fd : {m_slave, m_master}) {
        if (fd >= 0) {
            ::close(fd);
        }
    }
}

bool PseudoTerminal::start(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment)
{
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier([fd = m_slave] {
        ::setsid();
        ::ioctl(fd, TIOCSCTTY, 0);
        for (const int to : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            ::dup2(fd, to);
        }
    });
    m_process.start(program, arguments);
    return m_slave >= 0 && m_process.waitForStarted();
}

void PseudoTerminal::type(const QByteArray &keys)
{
    [[maybe_unused]] const ssize_t written = ::write(m_master, keys.constData(), size_t(keys.size()));
}

void PseudoTerminal::resize(int rows, int columns)
{
    m_rows = rows;
    m_columns = columns;
    winsize size{};
    size.ws_row = static_cast<unsigned short>(rows);
    size.ws_col = static_cast<unsigned short>(columns);
    ::ioctl(m_master, TIOCSWINSZ, &size); // the kernel tells the program
}

bool PseudoTerminal::isEcho() const
{
    termios settings{};
    return ::tcgetattr(m_slave, &settings) == 0 && (settings.c_lflag & ECHO) != 0 && (settings.c_lflag & ICANON) != 0;
}

QString &PseudoTerminal::line()
{
    while (m_shown.size() <= m_row) {
        m_shown.append(QString());
    }
    return m_shown[m_row];
}

void PseudoTerminal::put(char32_t c)
{
    QString &text = line();
    const QString one = QString::fromUcs4(&c, 1);
    if (m_column > text.size()) {
        text = text.leftJustified(m_column);
    }
    text.replace(m_column, one.size(), one);
    m_column += int(one.size());
}

void PseudoTerminal::apply(char final, const QByteArray &parameters)
{
    const int number = parameters.toInt();
    if (final == 'H') {
        m_row = m_column = 0;
    } else if (final == 'A') {
        m_row = std::max(0, m_row - std::max(1, number));
    } else if (final == 'K') {
        line().truncate(m_column);
    } else if (final == 'J') {
        if (number == 2) {
            m_shown.clear();
        } else {
            line().truncate(m_column);
            m_shown = m_shown.first(m_row + 1);
        }
    } else if (parameters == "?1049") {
        if (final == 'h' && !m_otherPage) {
            m_firstPage = std::exchange(m_shown, {});
        } else if (final == 'l' && m_otherPage) {
            m_shown = std::exchange(m_firstPage, {});
        }
        m_otherPage = final == 'h';
    } else if (parameters == "?25") {
        m_cursor = final == 'h';
    }
}

void PseudoTerminal::take(const QByteArray &bytes)
{
    m_written += bytes;
    const QByteArray all = std::exchange(m_pending, {}) + bytes;
    for (qsizetype at = 0; at < all.size();) {
        const char c = all.at(at);
        if (c == '\x1b') {
            qsizetype end = at + 2;
            while (end < all.size() && (all.at(end) < '@' || all.at(end) > '~')) {
                ++end;
            }
            if (end >= all.size()) {
                m_pending = all.mid(at);
                return;
            }
            apply(all.at(end), all.mid(at + 2, end - at - 2));
            at = end + 1;
        } else if (c == '\r' || c == '\n') {
            m_column = 0;
            if (c == '\n') {
                ++m_row;
                line();
                if (m_row >= m_rows) { // it scrolls
                    m_shown.removeFirst();
                    --m_row;
                }
            }
            ++at;
        } else {
            const auto lead = static_cast<unsigned char>(c);
            const qsizetype size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
            if (at + size > all.size()) {
                m_pending = all.mid(at);
                return;
            }
            put(QString::fromUtf8(all.mid(at, size)).toUcs4().at(0));
            at += size;
        }
    }
}
