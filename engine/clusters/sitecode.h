// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"

#include <functional>
#include <optional>

namespace trainyard
{

// The copies of work folders on a login node, which the pool makes as on any host.
struct SiteCode {
    // Whether the job takes a copy of this folder of this computer along.
    std::function<bool(const Prepared &prepared, const QString &folder)> isWanted;
    // The try cannot be launched yet; SlurmBackend::launchHeld() is called when that may have changed.
    std::function<bool(const ActiveJob &job, const QUuid &tryUuid)> isAwaited;
    std::function<std::optional<Error>(const ActiveJob &job)> problem;
    std::function<Error(const ActiveJob &job)> reason; // what it waits for, or nothing
    std::function<QString(const ActiveJob &job)> folder; // there; empty: nothing is copied for it
    std::function<QString(const QString &job, const StoredDocument &document)> place; // where it is or will be
    // Whether the tasks of the job work in a copy there; `logFolder`: of a try.
    std::function<bool(const ActiveJob &job, const QString &logFolder)> isWorkCopied;
    std::function<void(const ActiveJob &job)> attemptOpened;
    std::function<void(const QUuid &job)> forget;
    std::function<void(const QString &job)> remove; // with the job
};

} // namespace trainyard
