// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/outputresults.h"

#include "engine/client/filemetrics.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

QLatin1StringView axisOf(const metrics::Point &point)
{
    switch (point.step ? point.axis : metrics::Axis::Epoch) {
    case metrics::Axis::Epoch:
        return "epoch"_L1;
    case metrics::Axis::Episode:
        return "episode"_L1;
    case metrics::Axis::Update:
        return "update"_L1;
    case metrics::Axis::Round:
        return "round"_L1;
    case metrics::Axis::None:
    case metrics::Axis::Step:
    case metrics::Axis::Iteration:
    case metrics::Axis::Batch:
    case metrics::Axis::Tick:
    case metrics::Axis::Time:
    case metrics::Axis::Row:
        break;
    }
    return "step"_L1;
}

} // namespace

void OutputResults::noteAt(const WorseRule &rule)
{
    m_rule = rule;
    m_ruleMetric = rule.metric.toStdString();
}

void OutputResults::noteValue(double value, std::optional<double> step)
{
    if (m_isPastStep || !step) {
        return;
    }
    m_isPastStep = *step >= m_rule->step;
    if (!std::isfinite(value)) {
        return;
    }
    std::optional<double> &best = m_atStep.best;
    if (!best || (m_rule->isLessBetter ? value < *best : value > *best)) {
        best = value;
    }
    if (m_isPastStep) {
        m_atStep.value = value;
    }
}

std::optional<std::size_t> OutputResults::placeOf(const std::string &name)
{
    if (const auto known = m_places.find(name); known != m_places.end()) {
        return known->second;
    }
    if (m_values.size() >= mostNames && !(m_rule && name == m_ruleMetric)) {
        return std::nullopt;
    }
    m_values.emplace_back().name = name;
    m_hasValue.push_back(false);
    return m_places.emplace(name, m_values.size() - 1).first->second;
}

void OutputResults::setAxis(Value &value, QLatin1StringView axis)
{
    if (value.axis != axis) {
        value.axis = axis;
        value.leastAt.reset();
        value.mostAt.reset();
    }
}

void OutputResults::add(const metrics::Point &point)
{
    const std::optional<std::size_t> place = placeOf(point.name);
    if (!place) {
        return;
    }
    Value &value = m_values[*place];
    const std::optional<double> step = point.step ? point.step : point.epoch;
    if (m_rule && point.name == m_ruleMetric) {
        noteValue(point.value, step);
    }
    ++value.count;
    value.isBroken = !std::isfinite(point.value);
    if (value.isBroken) {
        return;
    }
    const bool isFirst = !m_hasValue[*place];
    m_hasValue[*place] = true;
    value.last = point.value;
    value.step = step;
    if (step) {
        setAxis(value, axisOf(point));
    }
    if (isFirst || point.value < value.least) {
        value.least = point.value;
        value.leastAt = step;
    }
    if (isFirst || point.value > value.most) {
        value.most = point.value;
        value.mostAt = step;
    }
}

void OutputResults::appendAt(const OutputResults &later)
{
    if (!m_rule || m_isPastStep) {
        return;
    }
    if (const std::optional<double> &best = later.m_atStep.best;
        best && (!m_atStep.best || (m_rule->isLessBetter ? *best < *m_atStep.best : *best > *m_atStep.best))) {
        m_atStep.best = best;
    }
    m_atStep.value = later.m_atStep.value;
    m_isPastStep = later.m_isPastStep;
}

void OutputResults::append(const OutputResults &later)
{
    appendAt(later);
    for (std::size_t i = 0; i < later.m_values.size(); ++i) {
        const Value &added = later.m_values[i];
        const std::optional<std::size_t> place = placeOf(added.name);
        if (!place || added.count == 0) {
            continue;
        }
        Value &value = m_values[*place];
        value.count += added.count;
        value.isBroken = added.isBroken;
        if (!later.m_hasValue[i]) {
            continue;
        }
        const bool isFirst = !m_hasValue[*place];
        m_hasValue[*place] = true;
        value.last = added.last;
        value.step = added.step;
        if (!added.axis.isEmpty()) {
            setAxis(value, added.axis);
        }
        if (isFirst || added.least < value.least) {
            value.least = added.least;
            value.leastAt = added.leastAt;
        }
        if (isFirst || added.most > value.most) {
            value.most = added.most;
            value.mostAt = added.mostAt;
        }
    }
}

void OutputResults::forget(const std::string &name)
{
    if (const auto place = m_places.find(name); place != m_places.end()) {
        m_values[place->second] = {};
        m_values[place->second].name = name;
        m_hasValue[place->second] = false;
    }
    if (m_rule && name == m_ruleMetric) {
        m_atStep = {};
        m_isPastStep = false;
    }
}

QJsonObject OutputResults::toJson() const
{
    QJsonObject all;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const Value &value = m_values[i];
        QJsonObject one;
        if (m_hasValue[i]) {
            one.insert(u"last"_s, value.last);
            one.insert(u"least"_s, value.least);
            one.insert(u"most"_s, value.most);
            const std::pair<QString, const std::optional<double> &> steps[]
                = {{u"step"_s, value.step}, {u"leastAt"_s, value.leastAt}, {u"mostAt"_s, value.mostAt}};
            for (const auto &[key, step] : steps) {
                if (step && std::isfinite(*step)) {
                    one.insert(key, *step);
                    one.insert(u"axis"_s, value.axis);
                }
            }
        }
        if (value.isBroken) {
            one.insert(u"broken"_s, true);
        }
        if (m_isPastStep && value.name == m_ruleMetric) {
            QJsonObject at{{u"step"_s, m_rule->step}};
            if (m_atStep.value) {
                at.insert(u"value"_s, *m_atStep.value);
            }
            if (m_atStep.best) {
                at.insert(u"best"_s, *m_atStep.best);
            }
            one.insert(u"at"_s, at);
        }
        if (!one.isEmpty()) { // else all that was added is void
            all.insert(QString::fromStdString(value.name), one);
        }
    }
    return all;
}

const OutputResults::Value *OutputResults::find(const std::string &name) const
{
    const auto place = m_places.find(name);
    return place != m_places.end() ? &m_values[place->second] : nullptr;
}

std::size_t OutputResults::countOf(const std::string &name) const
{
    const Value *value = find(name);
    return value ? value->count : 0;
}

bool saysFileLess(const OutputResults &ofFiles, const OutputResults &printed, const std::string &name)
{
    const OutputResults::Value *file = ofFiles.find(name), *output = printed.find(name);
    return file && output && file->step && output->step && file->axis == output->axis && file->axis == "step"_L1
        && saysLess({file->count, *file->step}, {output->count, *output->step});
}

QJsonObject resultsOfTask(const OutputResults &ofFiles, const OutputResults &printed)
{
    QJsonObject inFiles = ofFiles.toJson();
    for (const OutputResults::Value &value : ofFiles.values()) {
        const bool isSummary = value.count == 1 && !value.step && printed.countOf(value.name) > 1;
        if (isSummary || saysFileLess(ofFiles, printed, value.name)) {
            inFiles.remove(QString::fromStdString(value.name));
        }
    }
    return mergedResults({inFiles, printed.toJson()});
}

QJsonObject mergedResults(const QList<QJsonObject> &ofTasks)
{
    QJsonObject all;
    for (const QJsonObject &task : ofTasks) {
        for (auto it = task.begin(); it != task.end(); ++it) {
            if (!all.contains(it.key())) {
                all.insert(it.key(), it.value());
            }
        }
    }
    return all;
}

std::optional<ValueAtStep> valueAtStep(const QJsonObject &results, const WorseRule &rule)
{
    const QJsonObject at = results.value(rule.metric).toObject().value("at"_L1).toObject();
    if (at.isEmpty() || !at.value("reached"_L1).toBool(true) || at.value("step"_L1).toDouble() != rule.step) {
        return std::nullopt;
    }
    const auto number = [&at](QLatin1StringView key) {
        return at.contains(key) ? std::optional(at.value(key).toDouble()) : std::nullopt;
    };
    return ValueAtStep{number("value"_L1), number("best"_L1)};
}

} // namespace trainyard
