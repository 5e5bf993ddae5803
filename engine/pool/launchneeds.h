// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/checkpointservice.h"
#include "engine/pool/codeservice.h"
#include "engine/pool/dataservice.h"

namespace trainyard
{

// Brings what has to be on a host before a try is launched there: the code of its job, the checkpoints of its former
// try, and its data, in this order.
class LaunchNeeds : public QObject
{
    Q_OBJECT
public:
    LaunchNeeds(CodeService &code, CheckpointService &checkpoints, DataService &data);

    struct Missing {
        std::optional<Error> problem = {}; // it is not available; nothing: it is on its way, and ready() names the try
    };
    std::optional<Missing> missing(const ActiveJob &job, core::TaskRef task, PoolHost &at, const QUuid &tryUuid);
    void hostChanged(PoolHost &host);

Q_SIGNALS:
    void ready(const QUuid &job, const QSet<QUuid> &tries); // or something is not available: missing() says why
    void described(const QSet<QUuid> &tries);

private:
    CodeService &m_code;
    CheckpointService &m_checkpoints;
    DataService &m_data;
};

} // namespace trainyard
