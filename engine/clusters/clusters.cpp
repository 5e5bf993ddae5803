// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/clusters.h"

#include "engine/client/clustersettings.h"
#include "engine/core/jobstate.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

Clusters::Clusters(std::vector<std::unique_ptr<ClusterKind>> kinds, const Settings &settings, const Keeping &keeping)
    : m_kinds(std::move(kinds)), m_settings(settings), m_kept(keeping.file), m_hasJobs(keeping.hasJobs)
{
    (void)m_kept.reload(); // what cannot be read keeps nothing
}

Clusters::~Clusters()
{
    // Before what their kinds share.
    m_backends.clear();
    m_replaced.clear();
}

void Clusters::sync(const Added &added)
{
    m_added = added;
    for (const auto &[target, backend] : m_backends) {
        backend->settingsChanged();
    }
    for (const std::unique_ptr<ClusterKind> &kind : m_kinds) {
        const QStringList targets = kind->targets(m_settings);
        for (const QString &target : targets) {
            keepSettings(target);
            const auto it = m_backends.find(target);
            if (it != m_backends.end() && it->second->isOutdated() && it->second->isIdle()) {
                m_replaced.push_back(std::move(it->second));
                m_backends.erase(it);
                make(*kind, target, m_settings);
            } else if (it == m_backends.end()) {
                make(*kind, target, m_settings);
            }
        }
        const QStringList kept = kind->targets(m_kept);
        for (const QString &target : kept) {
            if (!m_backends.contains(target)) { // jobs of a former run of the engine may want it
                make(*kind, target, m_kept);
                m_backends.at(target)->settingsChanged(); // it takes no others
            }
        }
    }
    dropUnused();
}

void Clusters::jobsRestored()
{
    m_areJobsThere = true;
    dropUnused();
}

void Clusters::keepSettings(const QString &target)
{
    const QStringList keys = clusterSettings(target);
    for (const QString &key : keys) {
        if (const QString text = m_settings.text(key); m_kept.text(key) != text) {
            (void)m_kept.set(key, text.isEmpty() ? QJsonValue() : QJsonValue(text)); // a full disk keeps nothing
        }
    }
}

// Drops the clusters that are no longer in the settings.
void Clusters::dropUnused()
{
    for (const std::unique_ptr<ClusterKind> &kind : m_kinds) {
        const QStringList named = kind->targets(m_settings), kept = kind->targets(m_kept);
        for (const QString &target : kept) {
            const auto it = m_backends.find(target);
            const bool isUsed
                = !m_areJobsThere || m_hasJobs(target) || (it != m_backends.end() && !it->second->isIdle());
            const QStringList keys = isUsed || named.contains(target) ? QStringList() : clusterSettings(target);
            for (const QString &key : keys) {
                (void)m_kept.set(key, QJsonValue());
            }
        }
    }
}

void Clusters::make(ClusterKind &kind, const QString &target, const Settings &of)
{
    ClusterBackend &made = *m_backends.emplace(target, kind.make(target, of)).first->second;
    connect(
        &made, &ClusterBackend::becameIdle, this,
        [this, &made] {
            if (made.isOutdated()) {
                sync(Added(m_added));
            } else if (!made.isNamed()) {
                dropUnused();
            }
        },
        Qt::QueuedConnection);
    m_added(target, made);
}

QList<ClusterInfo> Clusters::list() const
{
    QList<ClusterInfo> found;
    for (const auto &[target, backend] : m_backends) {
        if (backend->isNamed() || !backend->isIdle() || m_hasJobs(target)) {
            found.append(backend->clusterInfo());
        }
    }
    return found;
}

tl::unexpected<Error> Clusters::unknown(const QString &target) const
{
    QJsonArray known{QString(core::poolTarget)};
    for (const auto &[each, backend] : m_backends) {
        if (backend->isNamed()) {
            known.append(each);
        }
    }
    return fail(u"target.unknown"_s, {{u"target"_s, target}, {u"known"_s, known}});
}

Result<ClusterBackend *> Clusters::named(const QString &target) const
{
    const auto it = m_backends.find(target);
    if (it == m_backends.end() || !it->second->isNamed()) {
        return unknown(target);
    }
    return it->second.get();
}

void Clusters::ask(const QString &target, const auto &then, const auto &call) const
{
    if (const Result<ClusterBackend *> backend = named(target); backend) {
        call(**backend);
    } else {
        then(tl::unexpected(backend.error()));
    }
}

void Clusters::check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then)
{
    ask(target, then, [&then](ClusterBackend &backend) { backend.check(then); });
}

void Clusters::listJobs(const QString &target, const std::function<void(const Result<ClusterJobs> &)> &then)
{
    ask(target, then, [&then](ClusterBackend &backend) { backend.listJobs(then); });
}

void Clusters::findDocument(
    const QString &target, const QString &name, const std::function<void(const Result<ClusterDocument> &)> &then)
{
    ask(target, then, [&](ClusterBackend &backend) { backend.findDocument(name, then); });
}

void Clusters::changeTags(const TagChange &change, const std::function<void(const Result<ClusterTags> &)> &then)
{
    ask(change.id, then, [&](ClusterBackend &backend) { backend.changeTags(change, then); });
}

void Clusters::logIn(
    const QString &target, const QString &password, const std::function<void(const Result<QString> &token)> &then)
{
    const auto it = m_backends.find(target); // also one that was removed and still has jobs
    if (it == m_backends.end()) {
        then(unknown(target));
    } else {
        it->second->logIn(password, then);
    }
}

Result<bool> Clusters::takeToken(const QString &target, const QString &token)
{
    const auto it = m_backends.find(target);
    return it == m_backends.end() ? Result<bool>(unknown(target)) : Result<bool>(it->second->takeToken(token));
}

} // namespace trainyard
