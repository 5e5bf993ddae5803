// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>

namespace trainyard
{

class LogView;

// Where the user is in a log, kept while other lines of it are shown: of a stream, of a time, with a word. What was
// written at the same moment, or next, comes into sight again, and the search goes on from there.
class LogReturn : public QObject
{
    Q_OBJECT
public:
    explicit LogReturn(LogView *view);

    // Call this before the view shows other lines. Without a line, the top line is kept, unless the end is followed.
    void keep(const std::optional<qint64> &line);
    void forget();
    void settle() { m_isPending = m_isPending && !m_shownTop; } // the user goes on from where it has led so far

private:
    void bringBack();
    struct Same {
        qint64 line = 0;
        bool isSure = true; // or more lines of that moment may come
    };
    Same sameLine(qint64 first) const;

    LogView *m_view;
    std::optional<qint64> m_time; // the moment
    QString m_text; // of the line where the user was: several may have been written at one moment
    bool m_isMarked = false; // its line is marked as well
    bool m_isPending = false; // it is still to come into sight
    bool m_isOwn = false; // what marks a line is not the user
    std::optional<qint64> m_shownTop; // where that has led, until the user scrolls
};

} // namespace trainyard
