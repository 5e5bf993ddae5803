// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/comparefolds.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace trainyard
{

QList<QList<qsizetype>> foldSeeds(const CompareTable &table, qsizetype runs)
{
    QList<const CompareFact *> telling;
    for (const CompareFact &fact : table.different) {
        const bool isPart = fact.kind == CompareFact::Kind::Parameter || fact.kind == CompareFact::Kind::Configuration;
        if (isPart && !fact.isSeed()) {
            telling.append(&fact);
        }
    }
    QHash<QStringList, qsizetype> places;
    QList<QList<qsizetype>> folds;
    for (qsizetype run = 0; run < runs; ++run) {
        QStringList key;
        for (const CompareFact *fact : std::as_const(telling)) {
            const QString &value = fact->values.at(run);
            key.append(value.isNull() ? QString() : QLatin1Char('=') + value);
        }
        auto place = places.constFind(key);
        if (place == places.constEnd()) {
            place = places.insert(key, folds.size());
            folds.append(QList<qsizetype>());
        }
        folds[*place].append(run);
    }
    return folds;
}

CompareSpread spreadOf(const QList<std::optional<double>> &values)
{
    CompareSpread spread;
    double sum = 0;
    for (const std::optional<double> &value : values) {
        if (value && std::isfinite(*value)) {
            spread.least = spread.n == 0 ? *value : std::min(spread.least, *value);
            spread.most = spread.n == 0 ? *value : std::max(spread.most, *value);
            sum += *value;
            ++spread.n;
        }
        spread.hasBroken = spread.hasBroken || (value && !std::isfinite(*value));
    }
    if (spread.n == 0) {
        return spread;
    }
    spread.mean = sum / spread.n;
    double squares = 0;
    for (const std::optional<double> &value : values) {
        if (value && std::isfinite(*value)) {
            squares += (*value - spread.mean) * (*value - spread.mean);
        }
    }
    constexpr double rounding = 1e-9; // of the mean
    const double deviation = spread.n > 1 ? std::sqrt(squares / (spread.n - 1)) : 0;
    spread.deviation = deviation < rounding * std::abs(spread.mean) ? 0 : deviation;
    return spread;
}

} // namespace trainyard
