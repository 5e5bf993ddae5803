// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/resultorder.h"

#include "engine/metrics/names.h"
#include "engine/metrics/stepnames.h"

#include <QSet>

#include <algorithm>

namespace trainyard::cli
{

static int rankOf(const QString &name)
{
    using metrics::NameKind;
    const std::string text = name.toStdString();
    switch (metrics::kindOf(text)) {
    case NameKind::Metric:
        return 0;
    case NameKind::Faint:
        return 1;
    case NameKind::Unknown:
        return metrics::stepName(text) ? 4 : 2;
    case NameKind::Setting:
        return 3;
    case NameKind::Speed:
    case NameKind::TimeLeft:
    case NameKind::Other:
        break;
    }
    return 4;
}

QList<ResultLine> inOrderOfInterest(QList<ResultLine> lines)
{
    std::stable_sort(lines.begin(), lines.end(),
        [](const ResultLine &one, const ResultLine &other) { return rankOf(one.name) < rankOf(other.name); });
    QSet<QString> seen;
    lines.removeIf([&seen](const ResultLine &line) {
        QString spelling = line.name + QLatin1Char(' ') + line.text;
        spelling.replace(QLatin1Char('/'), QLatin1Char('_'));
        const bool isAgain = seen.contains(spelling);
        seen.insert(spelling);
        return isAgain;
    });
    return lines;
}

} // namespace trainyard::cli
