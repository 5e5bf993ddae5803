// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/targetnames.h"

#include "engine/api/clusters.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/slurmoptions.h"

namespace trainyard::cli
{

QString clusterNameIn(const QString &word) { return word.section(u':', -1); }

bool isOpenPai(const QString &word) { return word.startsWith(openPaiKind + u':'); }

std::optional<QString> kubeNameIn(const QString &word)
{
    const QString kind = kubeTargetId({});
    return word.startsWith(kind) ? std::optional(word.mid(kind.size())) : std::nullopt;
}

QString targetIdOf(const QString &word) { return word.contains(u':') ? word : slurmTargetId(word); }

} // namespace trainyard::cli
