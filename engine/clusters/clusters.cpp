// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/clusters.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

Clusters::Clusters(std::vector<std::unique_ptr<ClusterKind>> kinds) : m_kinds(std::move(kinds)) { }

Clusters::~Clusters() = default;

void Clusters::sync(const std::function<void(const QString &, Backend &)> &added)
{
    for (const auto &[target, backend] : m_backends) {
        backend->settingsChanged();
    }
    for (const std::unique_ptr<ClusterKind> &kind : m_kinds) {
        const QStringList targets = kind->targets();
        for (const QString &target : targets) {
            if (m_backends.find(target) == m_backends.end()) {
                added(target, *m_backends.emplace(target, kind->make(target)).first->second);
            }
        }
    }
}

QList<ClusterInfo> Clusters::list() const
{
    QList<ClusterInfo> found;
    for (const auto &[target, backend] : m_backends) {
        if (backend->isNamed() || !backend->isIdle()) {
            found.append(backend->clusterInfo());
        }
    }
    return found;
}

void Clusters::check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then)
{
    const auto it = m_backends.find(target);
    if (it == m_backends.end() || !it->second->isNamed()) {
        then(fail(u"target.unknown"_s, {{u"target"_s, target}}));
        return;
    }
    it->second->check(then);
}

Result<bool> Clusters::takeToken(const QString &target, const QString &token)
{
    const auto it = m_backends.find(target);
    return it == m_backends.end() ? Result<bool>(fail(u"target.unknown"_s, {{u"target"_s, target}}))
                                  : Result<bool>(it->second->takeToken(token));
}

} // namespace trainyard
