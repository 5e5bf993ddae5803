// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubekind.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

QStringList KubeKind::targets(const Settings &of) const
{
    QStringList ids;
    for (const KubeTarget &target : kubeTargetsOf(of)) {
        ids.append(target.id());
    }
    return ids;
}

std::unique_ptr<ClusterBackend> KubeKind::make(const QString &target, const Settings &of)
{
    for (const KubeTarget &each : kubeTargetsOf(of)) {
        if (each.id() == target) {
            return std::make_unique<KubeBackend>(each, m_stateFolder, m_settings, m_commands, m_exitRules);
        }
    }
    return nullptr;
}

void KubeKind::askContexts(const std::function<void(const Result<QStringList> &)> &then)
{
    m_commands.run({u"config"_s, u"get-contexts"_s, u"-o"_s, u"name"_s}, {}, [then](const kube::Answer &answer) {
        if (answer.isGood()) {
            then(QString::fromUtf8(answer.out).split(u'\n', Qt::SkipEmptyParts));
        } else if (answer.kind == kube::Answer::Kind::Missing) {
            then(fail(kube::codeOf(kube::Meaning::Missing)));
        } else {
            then(fail(u"kubernetes.contexts"_s, {{u"detail"_s, kube::detailOf(answer.errors)}}));
        }
    });
}

} // namespace trainyard
