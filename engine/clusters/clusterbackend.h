// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/backend/backend.h"
#include "engine/client/settings.h"

#include <functional>
#include <memory>

namespace trainyard
{

// The back end of a cluster: a target that the settings name, that schedules by itself, and that can be checked.
// settingsChanged() reads its target again.
class ClusterBackend : public Backend
{
    Q_OBJECT
public:
    using Backend::Backend;

    virtual bool isNamed() const = 0; // in the settings; otherwise it takes no more jobs
    // Whether the settings want another way to the cluster than it has: another back end replaces it as soon as it is
    // idle.
    virtual bool isOutdated() const { return false; }
    virtual bool isIdle() const = 0; // it follows no job
    virtual ClusterInfo clusterInfo() const = 0; // as far as it is known without asking the cluster
    // Asks the cluster itself: whether it can be reached, what it offers, whether it would take a small job. `then`
    // gets clusterInfo() with the steps, the first that failed being the last one.
    virtual void check(const std::function<void(const ClusterInfo &)> &then) = 0;
    // The token with which its user authenticates, kept in memory while the engine runs and never on a disk. False: the
    // cluster takes none.
    virtual bool takeToken(const QString &) { return false; }
    // Makes such a token by the password of its user, takes it and passes it. Codes: target.no-login {target}, and
    // those of its answers.
    virtual void logIn(const QString & /*password*/, const std::function<void(const Result<QString> &token)> &then)
    {
        then(fail(QStringLiteral("target.no-login"), {{QStringLiteral("target"), clusterInfo().id}}));
    }
    // The newest jobs that its user has there, and the document of one of them, where the cluster keeps documents.
    // Codes: target.no-documents {target}, and those of its answers.
    virtual void listJobs(const std::function<void(const Result<ClusterJobs> &)> &then) { then(noDocuments()); }
    virtual void findDocument(
        const QString & /*name*/, const std::function<void(const Result<ClusterDocument> &)> &then)
    {
        then(noDocuments());
    }
    // The tags of one of them, after the change; where the cluster keeps documents, it keeps tags.
    virtual void changeTags(const TagChange & /*change*/, const std::function<void(const Result<ClusterTags> &)> &then)
    {
        then(noDocuments());
    }

Q_SIGNALS:
    void becameIdle(); // what is kept for its jobs may go; also when it was idle already and another job is forgotten

protected:
    // To be called wherever it stops following something, and in forget(): only then does the engine no longer have the
    // job.
    void tellIfIdle()
    {
        if (isIdle()) {
            Q_EMIT becameIdle();
        }
    }

private:
    tl::unexpected<Error> noDocuments() const
    {
        return fail(QStringLiteral("target.no-documents"), {{QStringLiteral("target"), clusterInfo().id}});
    }
};

// A kind of clusters, and what all of them share.
class ClusterKind
{
public:
    virtual ~ClusterKind() = default;
    virtual QStringList targets(const Settings &of) const = 0; // that these settings name: "slurm:lab"
    // One of targets(), as these settings have it.
    virtual std::unique_ptr<ClusterBackend> make(const QString &target, const Settings &of) = 0;
};

} // namespace trainyard
