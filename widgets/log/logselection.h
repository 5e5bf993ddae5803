// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglines.h"

#include <QObject>

#include <functional>
#include <utility>

namespace trainyard
{

// The selection in a log.
class LogSelection : public QObject
{
    Q_OBJECT
public:
    LogSelection(LogLines *lines, QObject *parent) : QObject(parent), m_lines(lines) { }
    bool isEmpty() const { return m_anchor == m_caret; }
    std::pair<LogPosition, LogPosition> range() const; // in the order of the log
    using Before = std::function<QString(qint64 line)>; // what stands before each of several lines
    // At most about so many characters.
    QString text(qint64 most = LogLines::mostText, const Before &before = {}) const;
    QString textInOneLine() const; // empty where it goes over several lines, of which none is read
    void copy(const Before &before = {}); // no effect when it is empty; emits cutShort() when it was too much
    LogPosition caret() const { return m_caret; }
    std::optional<qint64> currentLine() const { return m_line; } // where the user, or a jump, is

    void clear();
    void begin(LogPosition at) { set(at, at); }
    void extend(LogPosition to) { set(m_anchor, to); }
    void selectWord(LogPosition at);
    void selectLine(qint64 line);
    void selectAll();

Q_SIGNALS:
    void changed();
    void cutShort();

private:
    void set(LogPosition anchor, LogPosition caret);
    LogLines *m_lines;
    LogPosition m_anchor, m_caret;
    std::optional<qint64> m_line;
};

} // namespace trainyard
