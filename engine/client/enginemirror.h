// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/events.h"

#include <QHash>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace trainyard
{

// A client's copy of the engine's jobs and hosts. No I/O.
class EngineMirror
{
public:
    explicit EngineMirror(qsizetype newestHeld) : m_newestHeld(newestHeld) { } // so many of the jobs that have ended

    // False: it is a part, and the next one follows. A whole one replaces everything.
    bool take(const api::Snapshot &all);
    void dropPart() { m_arriving.clear(); } // of a snapshot that does not go on
    void put(const JobSummary &job);
    void put(const HostInfo &host);
    void dropJob(const QString &uuid);
    void dropHost(const QString &id);

    QList<JobSummary> jobs() const; // newest first
    std::optional<JobSummary> job(const QString &uuid) const;
    const QList<HostInfo> &hosts() const { return m_hosts; }

private:
    qsizetype m_newestHeld;
    QHash<QString, JobSummary> m_jobs;
    QMap<qint64, QString> m_order; // number -> uuid
    QList<HostInfo> m_hosts;
    QList<JobSummary> m_arriving; // of a snapshot that comes in parts
};

} // namespace trainyard
