// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/epochsteps.h"
#include "widgets/plot/curvestore.h"
#include "widgets/text/metricrank.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

// The meaning of the names of curves if a task both prints a metric and has it in a file.
using namespace Qt::StringLiterals;

namespace trainyard
{

void CurveStore::noteSource(const QString &name, const Curve &curve)
{
    if (isOfFile(curve)) {
        m_sources.insert(name, curve.source);
    } else {
        m_sources.remove(name);
    }
}

QList<Error> CurveStore::remarks() const
{
    QList<Error> all; // many tasks have the same
    for (const auto &[task, remarks] : m_remarks) {
        std::copy_if(remarks.begin(), remarks.end(), std::back_inserter(all),
            [&all](const Error &remark) { return !all.contains(remark); });
    }
    for (const Told &told : m_told) {
        for (const auto &[name, curve] : told.curves) {
            const Error remark{u"metricfile.less-than-output"_s, {{u"file"_s, curve->source}, {u"name"_s, name}}};
            if (saysFileLess(*curve) && !all.contains(remark)) {
                all.append(remark);
            }
        }
    }
    return all;
}

// Compares steps only: how many steps an epoch has is not known here, and lines that tell none are counted by
// themselves.
bool CurveStore::saysFileLess(const Curve &curve)
{
    return curve.ofFile && curve.fileAxis == series::Axis::Step && curve.tellsSteps && !curve.isByEpochs
        && saysLess(extentOf(*curve.ofFile), extentOf(curve.series));
}

bool CurveStore::isOfFile(const Curve &curve)
{
    return curve.ofFile && !curve.ofFile->isEmpty() && !saysFileLess(curve)
        && (curve.hasFileSteps() || curve.ofFile->size() > 1 || curve.series.size() < 2);
}

// By the column of a file that has the epoch of every step.
const series::Series &CurveStore::printedAtSteps(const Curves &curves, const Curve &curve)
{
    const auto column = curves.find(QStringLiteral("epoch"));
    const bool hasColumn = column != curves.cend() && column->second->ofFile && column->second->hasFileSteps();
    if (!curve.isByEpochs || !hasColumn) {
        return curve.series;
    }
    const std::pair known{curve.series.size(), column->second->ofFile->size()};
    if (curve.placedOf != known) {
        curve.placedOf = known;
        std::optional<series::Series> placed = atStepsOfEpochs(curve.series, *column->second->ofFile);
        curve.isPlaced = placed.has_value();
        if (placed) { // in its place: plots hold on to it
            curve.printedAtSteps = std::move(*placed);
        }
    }
    return curve.isPlaced ? curve.printedAtSteps : curve.series;
}

bool CurveStore::hasBoth(const Curves &curves, const Curve &curve)
{
    return isOfFile(curve) && !curve.ofFile->isEmpty() && !curve.series.isEmpty()
        && !hasSameSteps(printedAtSteps(curves, curve), *curve.ofFile)
        && !(curve.isByEpochs && hasSameValues(curve.series, *curve.ofFile));
}

bool CurveStore::isByEpochs(const Curve &curve)
{
    return isOfFile(curve) ? curve.fileAxis == series::Axis::Epoch : curve.isByEpochs && !curve.series.isEmpty();
}

// Along the epochs that are over, however the file counts them. Parts of epochs say so themselves.
const series::Series &CurveStore::countedEpochs(const Curve &curve)
{
    const series::Series &rows = *curve.ofFile;
    const auto isPart = [&rows](std::size_t i) { return i < rows.size() && rows.at(i).x != std::floor(rows.at(i).x); };
    if (rows.isEmpty() || rows.at(0).x >= 1 || isPart(0) || isPart(1)) {
        return rows;
    }
    series::Series &counted = curve.countedEpochs; // in its place: plots hold on to it
    const std::size_t known = counted.size();
    const auto isSame
        = [&](std::size_t i) { return counted.at(i).x == rows.at(i).x + 1 && counted.at(i).time == rows.at(i).time; };
    if (known > rows.size() || (known > 0 && !(isSame(0) && isSame(known - 1)))) {
        counted = series::Series();
    }
    for (std::size_t i = counted.size(); i < rows.size(); ++i) {
        const series::Point point = rows.at(i);
        counted.append({point.x + 1, point.time, point.value});
    }
    return counted;
}

qint64 CurveStore::timeOf(int task, const QString &name, const series::Point &point) const
{
    const Curves &curves = m_told[static_cast<std::size_t>(task)].curves;
    const auto found = curves.find(name);
    if (found == curves.cend() || !isOfFile(*found->second) || found->second->fileAxis != series::Axis::Step) {
        return point.time;
    }
    // The same metric, where it is printed as well, and else the one that tells most steps.
    const Curve &same = *found->second;
    for (const Curve *printed : {&same, m_told[static_cast<std::size_t>(task)].epochs.leader}) {
        const std::optional<series::Point> there
            = printed && printed->tellsSteps ? printed->series.atOrBefore(point.x) : std::nullopt;
        if (there && there->x == point.x) {
            return there->time;
        }
    }
    return point.time;
}

std::optional<double> CurveStore::stepOfEpoch(int task, const QString &name, double epoch, qint64 time) const
{
    const Curves &curves = m_told[static_cast<std::size_t>(task)].curves;
    const auto found = isFigure(name) ? curves.cend() : curves.find(name);
    if (found == curves.cend()) {
        return std::nullopt;
    }
    const Curve &curve = *found->second;
    const bool isFile = isOfFile(curve);
    if (isByEpochs(curve) && !stepsOf(task, true)) {
        return epoch; // there are no steps: the curve is drawn at its epochs
    }
    if (!curve.isByEpochs) { // the values inside of the epochs have steps, or are counted, which a file does not do
        const std::size_t after = curve.series.risingTimes().lowerBound(double(time) + 1);
        return after > 0 && (!isFile || curve.tellsSteps) ? std::optional(curve.series.at(after - 1).x) : std::nullopt;
    }
    const std::optional<series::Point> told = curve.series.atOrBefore(epoch);
    if (!told || told->x != epoch) {
        return std::nullopt;
    }
    const series::Series *placed = isFile ? &printedAtSteps(curves, curve) : this->series(task, name, CurveAlong::Step);
    if (placed == &curve.series) {
        return isFile ? std::nullopt : std::optional(epoch);
    }
    for (std::size_t i = 0; i < placed->size(); ++i) {
        const series::Point point = placed->at(i);
        const bool isSame = point.value == told->value || (std::isnan(point.value) && std::isnan(told->value));
        if (point.time == told->time && isSame) {
            return point.x;
        }
    }
    return std::nullopt;
}

QStringList CurveStore::namesInAnyCase(int task, const QString &name) const
{
    QStringList names;
    if (task < 0 || static_cast<std::size_t>(task) >= m_told.size()) {
        return names;
    }
    const auto isAlike = [&name](const QString &each) { return each.compare(name, Qt::CaseInsensitive) == 0; };
    const Curves &curves = m_told[static_cast<std::size_t>(task)].curves;
    for (const auto &[each, curve] : curves) {
        if (isAlike(each) && !shown(*curve).isEmpty()) {
            names.append(each);
        }
        // Only of what it begins with is the other name made.
        if (each.size() < name.size() && name.startsWith(each, Qt::CaseInsensitive)) {
            const QString printed = tr("%1 (output)").arg(each);
            if (isAlike(printed) && hasBoth(curves, *curve)) {
                names.append(printed);
            }
        }
    }
    return names;
}

bool CurveStore::hasPoints(const QString &name) const
{
    return std::any_of(m_told.cbegin(), m_told.cend(), [&name](const Told &told) {
        const auto found = told.curves.find(name);
        return found != told.curves.cend() && !shown(*found->second).isEmpty();
    });
}

bool CurveStore::hasOnePoint(const QString &name) const
{
    return !isFigure(name) && hasPoints(name)
        && std::none_of(m_told.cbegin(), m_told.cend(), [&name](const Told &told) {
               const auto found = told.curves.find(name);
               return found != told.curves.cend() && shown(*found->second).size() > 1;
           });
}

bool CurveStore::hasTimes() const
{
    bool isThereOne = false;
    for (const Told &told : m_told) {
        for (const auto &[name, curve] : told.curves) {
            for (const series::Series *points : {&curve->series, curve->ofFile.get()}) {
                const std::size_t size = points ? points->size() : 0;
                if (size > 1 && points->at(0).time != points->at(size - 1).time) {
                    return true;
                }
                isThereOne = isThereOne || size > 1;
            }
        }
    }
    return !isThereOne;
}

bool CurveStore::hasSteps(int task, const QString &name) const
{
    const Curves &curves = m_told[static_cast<std::size_t>(task)].curves;
    const auto found = isFigure(name) ? curves.cend() : curves.find(name);
    return found != curves.cend()
        && (isOfFile(*found->second) ? found->second->fileAxis == series::Axis::Step : found->second->tellsSteps);
}

bool CurveStore::standsAtSteps(int task, const QString &name) const
{
    return isFigure(name) || hasSteps(task, name)
        || series(task, name, CurveAlong::Step) != series(task, name, CurveAlong::Time);
}

QList<TryBegin> CurveStore::tryBegins(int task) const
{
    const Told &told = m_told[static_cast<std::size_t>(task)];
    std::map<std::size_t, qint64> begins = told.begins;
    begins.insert(told.filesBegin.begin(), told.filesBegin.end()); // of those that have printed nothing
    const Task &of = m_tasks.at(task);
    QList<TryBegin> all;
    for (const auto &[which, time] : begins) {
        const bool isEarlier = std::cmp_less(which, of.earlier.size());
        const OutputTry one = isEarlier ? of.earlier.at(qsizetype(which)) : OutputTry{of.folder, of.attempt, of.number};
        all.append({one.attempt, one.number, time});
    }
    return all;
}

bool CurveStore::hasMetrics() const
{
    return std::any_of(m_order.keyBegin(), m_order.keyEnd(),
        [this](const QString &name) { return !isFigure(name) && hasPoints(name); });
}

QStringList CurveStore::names() const
{
    constexpr int behind = 100;
    struct Ranked {
        int rank = 0, place = 0;
        QString name;
    };
    QList<Ranked> all; // what a name is worth is asked once: programs that log each layer have thousands
    const int last = int(m_order.size());
    const auto add = [&](const QString &name) {
        const auto figure = m_figures.constFind(name);
        all.append(
            {figure != m_figures.constEnd() ? behind + *figure : metricRank(name), m_order.value(name, last), name});
    };
    for (auto it = m_order.keyBegin(); it != m_order.keyEnd(); ++it) {
        if (isFigure(*it) || hasPoints(*it)) {
            add(*it);
        }
    }
    QSet<QString> known; // many tasks have the same
    for (const Told &told : m_told) {
        for (const auto &[name, curve] : told.curves) {
            const QString printed = hasBoth(told.curves, *curve) ? tr("%1 (output)").arg(name) : QString();
            if (!printed.isEmpty() && !known.contains(printed) && !m_order.contains(printed)) {
                known.insert(printed);
                add(printed);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(),
        [](const Ranked &a, const Ranked &b) { return a.rank != b.rank ? a.rank < b.rank : a.place < b.place; });
    QStringList names;
    names.reserve(all.size());
    std::transform(all.cbegin(), all.cend(), std::back_inserter(names), [](const Ranked &each) { return each.name; });
    return names;
}

} // namespace trainyard
