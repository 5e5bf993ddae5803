// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/sweep/sweepplan.h"

#include <QSet>
#include <QStringList>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

constexpr int drawnDigits = 6; // of a random number: more say nothing
constexpr int mostRedraws = 1000; // of a point that is there already

// SplitMix64: small, and the same on every machine, which the generators of the libraries do not promise.
class Draws
{
public:
    explicit Draws(quint64 seed) : m_state(seed) { }
    double unit() { return double(next() >> 11) * 0x1p-53; } // 0 to less than 1
    qsizetype below(qsizetype count) { return std::min(qsizetype(unit() * double(count)), count - 1); }

private:
    quint64 next()
    {
        m_state += 0x9e3779b97f4a7c15U;
        quint64 z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    quint64 m_state;
};

// Whole numbers are drawn from the span up to the next one, so that the last one is as likely as the others.
Value drawnFrom(const SweepAxis::Bounds &bounds, double unit)
{
    const double end = bounds.isWhole ? bounds.to + 1 : bounds.to;
    const double number
        = bounds.isLog ? bounds.from * std::pow(end / bounds.from, unit) : bounds.from + (end - bounds.from) * unit;
    const Value value = bounds.isWhole
        ? Value(qint64(std::clamp(std::floor(number), bounds.from, bounds.to)))
        : Value(std::clamp(roundedToDigits(number, drawnDigits), bounds.from, bounds.to));
    return bounds.isText ? Value(value.toText()) : value;
}

// How many different points can be drawn; nothing if there are infinitely many.
std::optional<double> possiblePoints(const QList<SweepAxis> &axes)
{
    double possible = 1;
    for (const SweepAxis &axis : axes) {
        if (axis.bounds && !axis.bounds->isWhole) {
            return std::nullopt;
        }
        possible *= axis.bounds ? axis.bounds->to - axis.bounds->from + 1 : double(axis.values.size());
    }
    return possible;
}

QString pointText(const SweepPoint &point)
{
    QStringList texts;
    for (const Value &value : point) {
        texts.append(value.toText());
    }
    return texts.join(QChar(0));
}

tl::unexpected<Error> tooMany(double jobs)
{
    return fail(u"sweep.too-many"_s, {{u"jobs"_s, jobs}, {u"most"_s, mostSweepJobs}});
}

std::optional<Error> withoutCount(const QList<SweepAxis> &axes)
{
    const auto open
        = std::find_if(axes.cbegin(), axes.cend(), [](const SweepAxis &axis) { return axis.values.isEmpty(); });
    return open == axes.cend() ? std::nullopt : std::optional(Error{u"sweep.no-count"_s, {{u"name"_s, open->name}}});
}

Result<QList<SweepPoint>> gridOf(const QList<SweepAxis> &axes)
{
    double jobs = 1;
    for (const SweepAxis &axis : axes) {
        jobs *= double(axis.values.size());
    }
    if (jobs > double(mostSweepJobs)) {
        return tooMany(jobs);
    }
    QList<SweepPoint> points{{}};
    for (const SweepAxis &axis : axes) {
        QList<SweepPoint> longer;
        for (const SweepPoint &point : std::as_const(points)) {
            for (const Value &value : axis.values) {
                longer.append(SweepPoint(point) << value);
            }
        }
        points = longer;
    }
    return points;
}

Result<QList<SweepPoint>> zipOf(const QList<SweepAxis> &axes)
{
    const auto longest = std::max_element(axes.cbegin(), axes.cend(),
        [](const SweepAxis &a, const SweepAxis &b) { return a.values.size() < b.values.size(); });
    for (const SweepAxis &axis : axes) {
        if (axis.values.size() != 1 && axis.values.size() != longest->values.size()) {
            return fail(u"sweep.zip-lengths"_s,
                {{u"name"_s, axis.name}, {u"count"_s, axis.values.size()}, {u"other"_s, longest->name},
                    {u"otherCount"_s, longest->values.size()}});
        }
    }
    QList<SweepPoint> points;
    QSet<QString> known;
    for (qsizetype i = 0; i < longest->values.size(); ++i) {
        SweepPoint point;
        for (const SweepAxis &axis : axes) {
            point.append(axis.values.at(axis.values.size() == 1 ? 0 : i));
        }
        const QString text = pointText(point);
        if (known.contains(text)) {
            return fail(u"sweep.same-values"_s, {{u"values"_s, QString(text).replace(QChar(0), u", "_s)}});
        }
        known.insert(text);
        points.append(point);
    }
    return points;
}

Result<QList<SweepPoint>> drawnOf(const SweepPlan &plan)
{
    if (plan.count < 1) {
        return fail(u"sweep.random-count"_s, {{u"most"_s, mostSweepJobs}});
    }
    if (plan.count > mostSweepJobs) {
        return tooMany(plan.count);
    }
    if (const std::optional<double> possible = possiblePoints(plan.axes); possible && *possible < plan.count) {
        return fail(u"sweep.random-too-many"_s, {{u"wanted"_s, plan.count}, {u"possible"_s, *possible}});
    }
    Draws draws(plan.seed);
    QSet<QString> known;
    QList<SweepPoint> points;
    int redraws = 0;
    while (points.size() < plan.count && redraws < mostRedraws * plan.count) {
        SweepPoint point;
        for (const SweepAxis &axis : plan.axes) {
            point.append(
                axis.bounds ? drawnFrom(*axis.bounds, draws.unit()) : axis.values.at(draws.below(axis.values.size())));
        }
        const QString text = pointText(point);
        if (known.contains(text)) {
            ++redraws;
            continue;
        }
        known.insert(text);
        points.append(point);
    }
    return points.size() == plan.count
        ? Result<QList<SweepPoint>>(points)
        : fail(u"sweep.random-too-many"_s, {{u"wanted"_s, plan.count}, {u"possible"_s, points.size()}});
}

} // namespace

Result<QList<SweepPoint>> sweepPoints(const SweepPlan &plan)
{
    if (plan.axes.isEmpty()) {
        return fail(u"sweep.no-parameters"_s);
    }
    if (plan.kind == SweepKind::Random) {
        return drawnOf(plan);
    }
    if (const std::optional<Error> open = withoutCount(plan.axes)) {
        return tl::unexpected<Error>(*open);
    }
    return plan.kind == SweepKind::Grid ? gridOf(plan.axes) : zipOf(plan.axes);
}

} // namespace trainyard
