// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QSocketNotifier>
#include <QStringList>

#include <termios.h>

#include <memory>

// A program on a terminal of its own, and what that terminal would show: it understands what our programs write to one.
class PseudoTerminal
{
public:
    PseudoTerminal(int rows, int columns);
    ~PseudoTerminal();

    bool start(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment);
    void type(const QByteArray &keys);
    void resize(int rows, int columns);
    QProcess &process() { return m_process; }

    QStringList lines() const { return m_shown; } // of the page in front, without the blanks at the end
    bool isOtherPage() const { return m_otherPage; }
    bool isCursorShown() const { return m_cursor; }
    bool isEcho() const; // what is typed shows up
    QByteArray written() const { return m_written; } // all of it

private:
    void take(const QByteArray &bytes);
    void apply(char final, const QByteArray &parameters);
    void put(char32_t c);
    QString &line();

    int m_rows;
    int m_columns;
    int m_master = -1;
    int m_slave = -1;
    QProcess m_process;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QByteArray m_written;
    QByteArray m_pending; // the beginning of a sequence or character
    QStringList m_shown;
    QStringList m_firstPage;
    int m_row = 0;
    int m_column = 0; // in characters
    bool m_otherPage = false;
    bool m_cursor = true;
};
