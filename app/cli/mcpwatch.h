// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpsubscriptions.h"
#include "engine/client/engineclient.h"

#include <QHash>
#include <QList>
#include <QObject>

#include <functional>

namespace trainyard::cli::mcp
{

// Learns from the engine when the contents of an address change. For the engine it is a client that only reads. It
// connects to the engine, and starts it, with the first address that is looked up. Nothing blocks.
class ResourceWatch : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const LookedUp &found)>;

    explicit ResourceWatch(QObject *parent = nullptr);

    // Finds the jobs of these addresses and watches them from then on; they are kept when `done`, which comes from the
    // event loop, is over.
    void add(const QList<ResourceUri> &uris, const Done &done);
    // Watches no others any more.
    void keepOnly(const QList<ResourceUri> &uris);

Q_SIGNALS:
    void changed(const trainyard::cli::mcp::ResourceUri &uri);

private:
    struct Watched {
        ResourceUri uri;
        QString uuid; // empty: of all jobs
    };
    struct Lookup {
        QList<ResourceUri> left;
        QList<Watched> found;
        Done done;
    };
    void lookUpNext(Lookup lookup);
    void finish(const Lookup &lookup);
    bool isOutputWatched(const QString &uuid) const;
    void takeJob(const JobSummary &job);
    void takeRemoved(const QString &uuid);
    void takeAll();
    void takeGrowth(const QString &uuid, const QList<LogGrowth> &logs);

    EngineClient m_client;
    QList<Watched> m_watched;
    QHash<QString, JobSummary> m_jobs; // as they were last reported
    bool m_hasAll = false; // jobs that are not among them are new
};

} // namespace trainyard::cli::mcp
