// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/jobnotice.h"

#include <QJsonObject>

namespace trainyard
{

// The desktop's message for one notice, or for many at once.
struct NoticeWords {
    QString title, text;
    QString job; // UUID, of one notice: what its buttons are about; empty for many
    bool canRunAgain = false; // it is over, and may be tried again
    bool isUrgent = false; // something is wrong
};

// Notices come in bursts: a hundred jobs of a sweep end together. Those of a few seconds are shown together, and those
// that follow soon wait longer. Pure: times in ms are the caller's, of any clock that goes on evenly.
class NoticeBatch
{
public:
    void add(const JobNotice &notice, qint64 now);
    bool isEmpty() const { return m_notices.isEmpty(); }
    qint64 dueAt() const { return m_dueAt; } // when take() is to be called; not empty
    QList<JobNotice> take(qint64 now);

    static constexpr qint64 firstMs = 2000; // from the first one on
    static constexpr qint64 spaceMs = 20'000; // after the previous message

private:
    QList<JobNotice> m_notices;
    qint64 m_dueAt = 0;
    qint64 m_toldAt = -spaceMs;
};

// Up to three are shown separately, more in one message.
QList<NoticeWords> noticeWords(const QList<JobNotice> &notices, qint64 now);
// {"version": 1, "notices": [{kind, id, uuid, name, ...}]}: for a command or another computer (docs/notifications.md).
QJsonObject noticeJson(const QList<JobNotice> &notices, qint64 now);

} // namespace trainyard
