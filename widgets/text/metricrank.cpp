// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/metricrank.h"

namespace trainyard
{

int metricRank(const QString &name)
{
    const QString last = name.section(QLatin1Char('/'), -1).toLower();
    if (last == QLatin1String("loss")) {
        return name.contains(QLatin1Char('/')) ? 1 : 0;
    }
    if (last.contains(QLatin1String("loss"))) {
        return 2;
    }
    for (const char *wanted : {"acc", "reward", "return", "map", "f1", "bleu", "ppl", "perplexity"}) {
        if (last.contains(QLatin1String(wanted))) {
            return 3;
        }
    }
    return 4;
}

} // namespace trainyard
