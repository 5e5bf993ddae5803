// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>
#include <QList>
#include <QSet>

namespace trainyard::cli
{

// The reasons of awaited jobs that concern other machines: a host cannot be reached, or files are being copied there.
// Each is reported once for all jobs, and not if it ends within a second. That jobs of a group wait for their turn is
// not reported.
class GroupReasons
{
public:
    struct Told {
        JobSummary job; // the first one
        qsizetype others = 0; // with the same reason
    };
    QList<Told> toTell(const QList<JobSummary> &jobs, qint64 nowMs);
    bool hasPending() const { return m_since.size() > m_told.size(); } // may have to be reported later

private:
    QHash<QString, qint64> m_since; // by what is the same in all of them; ms
    QSet<QString> m_told;
};

} // namespace trainyard::cli
