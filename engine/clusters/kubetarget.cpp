// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubetarget.h"

#include "engine/client/slurmoptions.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::vector<KubeTarget> kubeTargetsOf(const Settings &settings)
{
    std::vector<KubeTarget> targets;
    const QMap<QString, QString> lines = settings.texts(kubeOptionsKey({})), queues = settings.texts(kubeQueueKey({}));
    for (auto it = lines.cbegin(); it != lines.cend(); ++it) {
        if (!checkTargetName(it.key())) {
            continue;
        }
        const Result<QStringList> options = kubeOptions(it.value());
        KubeTarget target{it.key(), options.value_or(QStringList()), queues.value(it.key())};
        if (!options) {
            target.problem = options.error();
        } else if (const Result<void> good = target.queue.isEmpty() ? Result<void>() : checkQueueName(target.queue);
                   !good) {
            target.problem = good.error();
        }
        targets.push_back(target);
    }
    return targets;
}

} // namespace trainyard
