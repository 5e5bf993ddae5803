// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logtext.h"

#include <QObject>

#include <utility>

namespace trainyard
{

// What is selected of a log.
class LogSelection : public QObject
{
    Q_OBJECT
public:
    LogSelection(LogLines *lines, QObject *parent) : QObject(parent), m_lines(lines) { }
    bool isEmpty() const { return m_anchor == m_caret; }
    std::pair<LogPosition, LogPosition> range() const; // in the order of the log
    QString text() const; // at most 64 MiB
    void copy() const; // nothing when it is empty

    void clear() { set({}, {}); }
    void begin(LogPosition at) { set(at, at); }
    void extend(LogPosition to) { set(m_anchor, to); }
    void selectWord(LogPosition at);
    void selectLine(qint64 line);
    void selectAll();

Q_SIGNALS:
    void changed();

private:
    void set(LogPosition anchor, LogPosition caret);
    LogLines *m_lines;
    LogPosition m_anchor, m_caret;
};

} // namespace trainyard
