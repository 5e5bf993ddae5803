// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/clusterbackend.h"
#include "model/base/result.h"

#include <map>
#include <vector>

namespace trainyard
{

// The clusters that the settings name, of every kind, each with its back end. One that is removed from the settings
// stays as long as jobs of it are active, also across restarts of the engine: a file keeps its settings until then.
class Clusters : public QObject
{
    Q_OBJECT
public:
    using Added = std::function<void(const QString &target, Backend &backend)>;
    struct Keeping {
        QString file; // in which the settings of clusters are kept, of the form of engine.json
        std::function<bool(const QString &target)> hasJobs; // that have not ended
    };
    Clusters(std::vector<std::unique_ptr<ClusterKind>> kinds, const Settings &settings, const Keeping &keeping);
    ~Clusters() override;
    // Makes what is new; `added` is called for each, also later, when one replaces an outdated one. To be called
    // when the settings have changed.
    void sync(const Added &added);
    // To be called when the jobs of a former run of the engine are here: settings that none of them needs are dropped.
    void jobsRestored();
    QList<ClusterInfo> list() const;
    // As ClusterBackend::check(). Code: target.unknown {target, known: [target]}.
    void check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then);
    // As those of ClusterBackend. Code: target.unknown {target, known: [target]}.
    void listJobs(const QString &target, const std::function<void(const Result<ClusterJobs> &)> &then);
    void findDocument(
        const QString &target, const QString &name, const std::function<void(const Result<ClusterDocument> &)> &then);
    void changeTags(const TagChange &change, const std::function<void(const Result<ClusterTags> &)> &then);
    Result<bool> takeToken(
        const QString &target, const QString &token); // as ClusterBackend's; target.unknown {target, known: [target]}
    void logIn(const QString &target, const QString &password,
        const std::function<void(const Result<QString> &token)> &then); // as ClusterBackend's; target.unknown

private:
    tl::unexpected<Error> unknown(const QString &target) const;
    Result<ClusterBackend *> named(const QString &target) const; // in the settings
    // Asks the one that the settings name, by a call of its back end.
    void ask(const QString &target, const auto &then, const auto &call) const;
    void make(ClusterKind &kind, const QString &target, const Settings &of);
    void keepSettings(const QString &target);
    void dropUnused();

    std::vector<std::unique_ptr<ClusterKind>> m_kinds;
    const Settings &m_settings;
    Settings m_kept; // of the clusters that are in the settings, and of those that were, as long as they have jobs
    std::function<bool(const QString &target)> m_hasJobs;
    bool m_areJobsThere = false;
    std::map<QString, std::unique_ptr<ClusterBackend>> m_backends; // by target
    std::vector<std::unique_ptr<ClusterBackend>> m_replaced; // which a client may still know
    Added m_added;
};

} // namespace trainyard
