// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <QObject>
#include <QString>

namespace trainyard
{

class LogView;

// The bookmarks in logs. A bookmark is known by the time and the words of its line, so that it is found again in
// whatever is shown of the log: one stream, a stretch of time, or together with others.
class LogBookmarks : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype mostOfALog = 200;

    struct Mark {
        qint64 time = -1; // ms UTC; -1: its log has no times
        QString text; // its beginning
        qint64 line = -1; // in what is shown now; -1: it is not there
        bool isMissing = false; // was looked for where it would be
    };
    LogBookmarks(LogView *view, QObject *parent);
    void setLog(const QString &key); // what the view shows; empty: nothing
    const QList<Mark> &marks() const { return m_marks; } // of this log, in its order
    void toggle(); // at the current line; without one at the top
    void toggleAt(qint64 line);
    bool isMarked(qint64 line) const;
    bool next(); // from the current line on, and around; false: there is none
    bool previous();

    QByteArray save() const; // those of all logs
    void restore(const QByteArray &saved);

Q_SIGNALS:
    void changed();

private:
    void find();
    void tell();
    QList<qint64> lines() const; // of those that are shown, rising
    LogView *m_view;
    QString m_key;
    QList<Mark> m_marks;
    QMap<QString, QList<Mark>> m_others; // by their logs
};

} // namespace trainyard
