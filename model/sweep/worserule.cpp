// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/sweep/worserule.h"

#include "model/base/value.h"
#include "model/sweep/better.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{

QString WorseRule::toText() const { return (isLessBetter ? u'-' : u'+') + metric + u'@' + Value(step).toText(); }

Result<WorseRule> worseRule(const QString &text)
{
    const QString whole = text.trimmed();
    const bool hasSign = whole.startsWith(u'-') || whole.startsWith(u'+');
    const qsizetype at = whole.lastIndexOf(u'@');
    bool isRead = false;
    WorseRule rule;
    rule.step = at < 0 ? 0 : whole.sliced(at + 1).trimmed().toDouble(&isRead);
    rule.metric = at < 0 ? QString() : whole.first(at).sliced(std::min<qsizetype>(at, hasSign ? 1 : 0)).trimmed();
    if (rule.metric.isEmpty() || !isRead || !std::isfinite(rule.step)) {
        return fail(u"stop-worse.bad-rule"_s, {{u"text"_s, text}});
    }
    rule.isLessBetter = hasSign ? whole.startsWith(u'-') : betterByName(rule.metric) == Better::Lower;
    return rule;
}

std::optional<WorseVerdict> worseThanMedian(
    const WorseRule &rule, const ValueAtStep &own, const QList<ValueAtStep> &others)
{
    std::vector<double> values;
    for (const ValueAtStep &other : others) {
        if (other.value) {
            values.push_back(*other.value);
        }
    }
    if (qsizetype(values.size()) < fewestOthers) {
        return std::nullopt;
    }
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    const bool isWorse = !own.best || (rule.isLessBetter ? *own.best > median : *own.best < median);
    return isWorse ? std::optional(WorseVerdict{own.best, median, qsizetype(values.size())}) : std::nullopt;
}

} // namespace trainyard
