// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmtarget.h"

namespace trainyard
{
using namespace Qt::StringLiterals;

std::vector<SlurmTarget> slurmTargetsOf(const Settings &settings)
{
    std::vector<SlurmTarget> targets;
    const QMap<QString, QString> lines = settings.texts(u"slurm."_s), folders = settings.texts(u"slurmFolder."_s);
    for (auto it = lines.cbegin(); it != lines.cend(); ++it) {
        const Result<QStringList> options = slurmOptions(it.value());
        if (checkTargetName(it.key())) {
            targets.push_back({it.key(), options.value_or(QStringList()), folders.value(it.key()),
                options ? Error() : options.error()});
        }
    }
    return targets;
}

} // namespace trainyard
