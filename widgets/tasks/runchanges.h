// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/jobchanges.h"
#include "widgets/tasks/runview.h"

namespace trainyard
{

// The changes that a run's failure suggests. The text of the job is read again only when it or the failure has changed.
class RunChanges
{
public:
    const QList<JobChange> &of(const RunView &view);

private:
    QByteArray m_yaml;
    QString m_reason;
    QJsonObject m_reasonArgs;
    QList<JobChange> m_changes;
};

} // namespace trainyard
