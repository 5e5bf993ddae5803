// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/metricpatterns.h"

#include "engine/client/settings.h"
#include "model/base/boundedpattern.h"
#include "model/protocol/jobdocument.h"

#include <QJsonObject>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype longestLooked = 4096; // characters of a line

std::optional<double> numberOf(const QString &text)
{
    const QString word = text.trimmed().toLower();
    bool isNumber = false;
    const double value = word.toDouble(&isNumber); // knows nan and inf, too
    return isNumber ? std::optional(value) : std::nullopt;
}

} // namespace

MetricPatterns::MetricPatterns(const QMap<QString, QString> &expressions)
{
    for (auto each = expressions.cbegin(); each != expressions.cend() && m_patterns.size() < most; ++each) {
        if (each.key().isEmpty() || each.value().isEmpty()) {
            continue;
        }
        Pattern pattern{each.key(), each.value(), boundedPattern(each.value())};
        if (!pattern.expression.isValid()) {
            m_faults.append(Error{u"metrics.pattern-invalid"_s,
                {{u"name"_s, each.key()}, {u"message"_s, pattern.expression.errorString()}}});
            continue;
        }
        const QStringList groups = pattern.expression.namedCaptureGroups();
        const auto named = [&groups](const QString &name) { return int(groups.indexOf(name)); };
        const int value = named(u"value"_s), step = named(u"step"_s);
        const auto other = [&](int than) { // the first group that is not this one
            const int group = than == 1 ? 2 : 1;
            return group < groups.size() ? group : -1;
        };
        pattern.valueGroup = value > 0 ? value : other(step);
        pattern.stepGroup = step > 0 ? step : value > 0 ? -1 : pattern.valueGroup + 1 < groups.size() ? 2 : -1;
        if (pattern.valueGroup < 0) {
            m_faults.append(Error{u"metrics.pattern-groups"_s, {{u"name"_s, each.key()}}});
            continue;
        }
        m_patterns.append(pattern);
    }
}

MetricPatterns MetricPatterns::of(const Settings &settings) { return MetricPatterns(settings.texts(settingsPrefix)); }

MetricPatterns MetricPatterns::of(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *all = own ? own->find(u"metricPatterns"_s) : nullptr;
    QMap<QString, QString> expressions;
    if (all && all->asMap()) {
        for (const auto &[name, value] : *all->asMap()) {
            expressions.insert(name, value.isNull() ? QString() : value.toText());
        }
    }
    return MetricPatterns(expressions);
}

MetricPatterns MetricPatterns::ofJob(const QByteArray &yaml)
{
    if (!yaml.contains("metricPatterns")) { // long texts are not read for nothing
        return MetricPatterns();
    }
    const ParseOutcome job = parseJob(yaml);
    return job.spec ? of(*job.spec) : MetricPatterns();
}

MetricPatterns MetricPatterns::with(const MetricPatterns &others) const
{
    QMap<QString, QString> all = expressions();
    all.insert(others.expressions());
    return MetricPatterns(all);
}

QMap<QString, QString> MetricPatterns::expressions() const
{
    QMap<QString, QString> all;
    for (const Pattern &pattern : m_patterns) {
        all.insert(pattern.name, pattern.typed);
    }
    return all;
}

bool MetricPatterns::hasName(const std::string &name) const
{
    return std::any_of(m_patterns.cbegin(), m_patterns.cend(),
        [&name](const Pattern &pattern) { return pattern.name.toStdString() == name; });
}

std::vector<MetricPatterns::Found> MetricPatterns::findIn(const QString &line) const
{
    std::vector<Found> found;
    const QString looked = line.size() > longestLooked ? line.left(longestLooked) : line;
    for (const Pattern &pattern : m_patterns) {
        const QRegularExpressionMatch match = pattern.expression.match(looked);
        const std::optional<double> value
            = match.hasMatch() ? numberOf(match.captured(pattern.valueGroup)) : std::nullopt;
        if (value) {
            found.push_back({pattern.name.toStdString(), *value,
                pattern.stepGroup > 0 ? numberOf(match.captured(pattern.stepGroup)) : std::nullopt,
                match.capturedStart(pattern.valueGroup), match.capturedEnd(pattern.valueGroup)});
        }
    }
    return found;
}

PatternedOutput::PatternedOutput(const MetricPatterns &patterns)
    : m_patterns(patterns), m_splitter([this](std::string_view text, std::uint64_t line, bool) { take(text, line); })
{
}

void PatternedOutput::feed(std::string_view bytes)
{
    m_reader.feed(bytes);
    if (!m_patterns.isEmpty()) {
        m_splitter.feed(bytes);
    }
}

void PatternedOutput::finish()
{
    m_reader.finish();
    if (!m_patterns.isEmpty()) {
        m_splitter.finish();
    }
}

void PatternedOutput::take(std::string_view text, std::uint64_t line)
{
    for (MetricPatterns::Found &found : m_patterns.findIn(QString::fromUtf8(text.data(), qsizetype(text.size())))) {
        metrics::Point point{std::move(found.name), found.step ? metrics::Axis::Step : metrics::Axis::None, found.step,
            {}, found.value, line};
        // A bar that is drawn again says nothing new.
        const auto isSame = [&point](const metrics::Point &other) {
            return other.line == point.line && other.name == point.name && other.step == point.step
                && other.value == point.value;
        };
        if (std::none_of(m_points.crbegin(), m_points.crend(), isSame)) {
            m_points.push_back(std::move(point));
        }
    }
}

std::vector<metrics::Point> PatternedOutput::takePoints()
{
    std::vector<metrics::Point> points = m_reader.takePoints();
    if (m_patterns.isEmpty()) {
        return points;
    }
    std::erase_if(points, [this](const metrics::Point &point) { return m_patterns.hasName(point.name); });
    points.insert(points.end(), std::make_move_iterator(m_points.begin()), std::make_move_iterator(m_points.end()));
    m_points.clear();
    std::stable_sort(points.begin(), points.end(),
        [](const metrics::Point &one, const metrics::Point &other) { return one.line < other.line; });
    return points;
}

} // namespace trainyard
