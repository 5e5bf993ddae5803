// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/daemon/jobblocking.h"

#include <QMap>

namespace trainyard
{

// Turns the bytes of a document into what a job is made of, or says why that is not possible: the errors of
// Engine::submit() and Engine::retry() that come before anything is written.
class JobPreparation
{
public:
    JobPreparation(const Settings &settings, const Backends &backends, const JobBlocking &blocking)
        : m_settings(settings), m_backends(backends), m_blocking(blocking)
    {
    }
    Result<Prepared> prepare(const SubmitRequest &request, bool needSecrets) const;
    // Another text for a job that was submitted. Tasks that are kept must mean the same as before.
    Result<Prepared> prepareAgain(const RetryRequest &request, const ActiveJob &job) const;
    // The tasks that a retry names; none: all.
    static Result<core::event::RetryRequested> tasksOf(const RetryRequest &request, const core::JobState &job);
    // The description of a job from its stored document. `known`: the secrets that are still known, else `given` may
    // have them. Errors: job.unreadable, job.secrets-missing {names}.
    static Result<JobSpec> specOf(
        const StoredDocument &document, const std::optional<Value> &known, const QMap<QString, QString> &given);

private:
    core::RetryLimits guards() const;
    int maxParallel(const QString &target) const;

    const Settings &m_settings;
    const Backends &m_backends;
    const JobBlocking &m_blocking;
};

} // namespace trainyard
