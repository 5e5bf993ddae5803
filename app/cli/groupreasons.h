// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>
#include <QList>
#include <QSet>

namespace trainyard::cli
{

// What several jobs that are waited for have to do with other machines: that a host cannot be reached, or that
// something is copied there. It is told once for all of them, and not when it passes within a second. That they wait
// for their turn is no news in a group.
class GroupReasons
{
public:
    struct Told {
        JobSummary job; // the first one
        qsizetype others = 0; // with the same reason
    };
    QList<Told> toTell(const QList<JobSummary> &jobs, qint64 nowMs);
    bool hasPending() const { return m_since.size() > m_told.size(); } // may have to be told later

private:
    QHash<QString, qint64> m_since; // by what is the same in all of them; ms
    QSet<QString> m_told;
};

} // namespace trainyard::cli
