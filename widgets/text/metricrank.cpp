// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/metricrank.h"

#include <QRegularExpression>

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
    constexpr int other = 4, setting = 5;
    static const QRegularExpression set(
        QStringLiteral("(?:\\A|[_.-])(?:lr|learning[_-]?rate|weight[_-]?decay|momentum|batch[_-]?size)(?:\\z|[_.-])"));
    return set.match(last).hasMatch() ? setting : other;
}

} // namespace trainyard
