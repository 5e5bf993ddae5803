// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/comparemetrics.h"

#include "engine/api/compare/comparefacts.h"
#include "engine/api/namesinanycase.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard
{
CompareValue compareValue(const JobSummary &job, const QString &metric, Better better)
{
    const QJsonObject one = memberInAnyCase(job.results, metric).toObject();
    const auto number = [&one](const QString &key) {
        const QJsonValue value = one.value(key);
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    const bool isLower = better == Better::Lower;
    const bool isBroken = one.value("broken"_L1).toBool();
    return {isBroken ? std::nan("") : number(u"last"_s), number(u"step"_s), number(isLower ? u"least"_s : u"most"_s),
        number(isLower ? u"leastAt"_s : u"mostAt"_s), isBroken};
}

bool hasValue(const JobSummary &job, const QString &metric)
{
    const CompareValue value = compareValue(job, metric, Better::Lower);
    return value.last || value.best;
}

bool hasOneValue(const QList<JobSummary> &jobs, const QString &metric)
{
    const auto hasMore = [&metric](const JobSummary &job) {
        const QJsonObject one = memberInAnyCase(job.results, metric).toObject();
        const auto differ = [&one](QLatin1StringView a, QLatin1StringView b) { return one.value(a) != one.value(b); };
        return differ("least"_L1, "most"_L1) || differ("leastAt"_L1, "mostAt"_L1) || differ("leastAt"_L1, "step"_L1);
    };
    return std::none_of(jobs.cbegin(), jobs.cend(), hasMore);
}

QList<MetricCount> metricCounts(const QList<JobSummary> &jobs)
{
    QStringList names;
    QHash<QString, int> counts;
    QHash<QString, QStringList> spellings; // by what they have in common
    QSet<QString> apart; // of these, what some job has in two spellings
    for (const JobSummary &job : jobs) {
        QSet<QString> ofJob;
        for (auto it = job.results.begin(); it != job.results.end(); ++it) {
            if (!hasValue(job, it.key())) {
                continue;
            }
            const QString common = it.key().toCaseFolded();
            if (ofJob.contains(common)) {
                apart.insert(common);
            }
            ofJob.insert(common);
            if (++counts[it.key()] == 1) {
                names.append(it.key());
                spellings[common].append(it.key());
            }
        }
    }
    QList<MetricCount> all;
    for (const QString &name : std::as_const(names)) {
        const QString common = name.toCaseFolded();
        const QStringList &alike = *spellings.constFind(common);
        if (alike.size() == 1 || apart.contains(common)) {
            all.append({name, counts.value(name)});
        } else if (name == alike.constFirst()) {
            MetricCount one{name, 0};
            for (const QString &spelling : alike) {
                one.jobs += counts.value(spelling);
                one.name = counts.value(spelling) > counts.value(one.name) ? spelling : one.name;
            }
            all.append(one);
        }
    }
    return all;
}

QStringList compareMetrics(const QList<JobSummary> &jobs)
{
    QStringList names;
    QHash<QString, int> counts;
    const QList<MetricCount> all = metricCounts(jobs);
    for (const MetricCount &one : all) {
        names.append(one.name);
        counts.insert(one.name, one.jobs);
    }
    QHash<QString, int> ranks;
    for (const QString &name : std::as_const(names)) {
        ranks.insert(name, tellingRank(name));
    }
    const int most = names.isEmpty() ? 0 : *std::max_element(counts.cbegin(), counts.cend());
    const auto key = [&](const QString &name) {
        const int count = counts.value(name);
        return std::tuple(2 * count > most ? 0 : 1, ranks.value(name), -count);
    };
    std::stable_sort(
        names.begin(), names.end(), [&key](const QString &a, const QString &b) { return key(a) < key(b); });
    return names;
}

bool repeatsParameter(const QList<JobSummary> &jobs, const QString &metric)
{
    bool hasAny = false;
    for (const JobSummary &job : jobs) {
        const CompareValue value = compareValue(job, metric, Better::Lower);
        if (!hasValue(job, metric)) {
            continue;
        }
        bool isNumber = false;
        const double set = compareText(job.parameters.value(metric)).toDouble(&isNumber);
        // The log may have written fewer digits than a computer has.
        constexpr double rounding = 1e-6;
        if (!isNumber || !value.last || !(std::abs(*value.last - set) <= rounding * std::abs(set))) {
            return false;
        }
        hasAny = true;
    }
    return hasAny;
}

bool ranksBehind(const JobSummary &job) { return job.state == State::Failed || job.state == State::Stopped; }

bool ranksBehind(const QList<JobSummary> &jobs, const QString &metric)
{
    bool isAnyBehind = false;
    for (const JobSummary &job : jobs) {
        if (hasValue(job, metric) && !ranksBehind(job)) {
            return false;
        }
        isAnyBehind = isAnyBehind || ranksBehind(job);
    }
    return isAnyBehind;
}

QList<qsizetype> compareRanking(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    QList<qsizetype> order(values.size());
    for (qsizetype i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    const auto classOf = [&](qsizetype place) {
        const std::optional<double> &value = values.at(place);
        return !value || std::isnan(*value) ? 2 : behind.value(place) ? 1 : 0;
    };
    std::stable_sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) {
        const int first = classOf(a), second = classOf(b);
        if (first != second || first == 2) {
            return first < second;
        }
        return better == Better::Lower ? *values.at(a) < *values.at(b) : *values.at(a) > *values.at(b);
    });
    return order;
}

QList<qsizetype> compareBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    QList<qsizetype> best = compareRanking(values, better, behind);
    if (best.isEmpty()) {
        return best;
    }
    const std::optional<double> first = values.at(best.constFirst());
    const bool isBehind = behind.value(best.constFirst());
    best.removeIf([&](qsizetype place) { // also where all are NaN
        return !first || values.at(place) != first || behind.value(place) != isBehind;
    });
    return best;
}

QList<qsizetype> markedBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    const QList<qsizetype> best = compareBest(values, better, behind);
    const auto known = std::count_if(values.cbegin(), values.cend(),
        [](const std::optional<double> &value) { return value && !std::isnan(*value); });
    return best.size() > 1 && best.size() == known ? QList<qsizetype>() : best;
}

bool areAllSame(const QList<std::optional<double>> &values)
{
    return std::all_of(values.cbegin(), values.cend(), [&values](const std::optional<double> &value) {
        return value && *value == values.constFirst(); // NaN is not even the same as itself
    });
}

qsizetype betterBehind(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    const QList<qsizetype> best = compareBest(values, better, behind);
    const QList<qsizetype> byValue = compareRanking(values, better);
    if (best.isEmpty() || !behind.value(byValue.constFirst())) {
        return -1;
    }
    return values.at(byValue.constFirst()) == values.at(best.constFirst()) ? -1 : byValue.constFirst();
}

} // namespace trainyard
