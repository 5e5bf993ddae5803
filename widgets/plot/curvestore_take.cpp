// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/steptrack.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/figurenames.h"

#include <QTimer>

#include <algorithm>
#include <utility>

// Converts the values that were read to curves.
namespace trainyard
{

void CurveStore::take(const MetricsFeed::Batch &batch)
{
    if (batch.begins) {
        m_toldAgain[batch.task] = Told();
    }
    const auto again = m_toldAgain.find(batch.task);
    const bool isAgain = again != m_toldAgain.end(); // it is not visible yet
    Told &told = isAgain ? again->second : m_told[static_cast<std::size_t>(batch.task)];
    bool isOther = takePoints(told, batch); // what a name stands for
    for (const GrownFigure &figure : batch.figures) {
        isOther = takeFigure(told.curves, figure) || isOther;
    }
    if (isOther && !isAgain) {
        Q_EMIT reset();
    }
    for (const FileMetrics::Grown &grown : batch.files) {
        if (takeFile(told, grown) && !isAgain) {
            Q_EMIT reset();
        }
    }
    if (!batch.filesBegin.empty() && batch.filesBegin != told.filesBegin) {
        told.filesBegin = batch.filesBegin;
        if (!isAgain) {
            Q_EMIT reset();
        }
    }
    if (batch.remarks) {
        m_remarks[batch.task] = *batch.remarks;
    }
    if (isAgain && batch.isWhole) {
        // Plots keep the old data until they are notified.
        const Told before
            = std::exchange(m_told[static_cast<std::size_t>(batch.task)], std::move(m_toldAgain[batch.task]));
        m_toldAgain.erase(batch.task);
        Q_EMIT reset();
    }
    if (!m_timer->isActive()) {
        m_timer->start();
    }
}

bool CurveStore::takePoints(Told &told, const MetricsFeed::Batch &batch)
{
    bool isOther = false;
    for (const LogMetrics::TimedPoint &timed : batch.points) {
        const QString name = QString::fromStdString(timed.point.name);
        Curve &known = curve(told.curves, name);
        known.isByEpochs = known.isByEpochs && timed.point.axis == metrics::Axis::Epoch;
        const bool wasOfFile = isOfFile(known);
        const double x = known.x.next(timed.point);
        known.series.append({x, timed.time, timed.point.value});
        noteStep(told.epochs, known, timed.point, x);
        if (wasOfFile != isOfFile(known)) {
            known.forgetPlaces();
            noteSource(name, known);
            isOther = true;
        }
        told.epochs.ofOutput.add(timed.point, timed.time);
        const bool isOfNewTry = told.begins.try_emplace(batch.ofTry, timed.time).second;
        isOther = isOther || (isOfNewTry && told.begins.size() > 1); // lines say where tries begin
        m_firstTime = m_firstTime == 0 ? timed.time : std::min(m_firstTime, timed.time);
    }
    return isOther;
}

// As the steps of the task will be those of its longest metric.
void CurveStore::noteStep(Epochs &epochs, Curve &curve, const metrics::Point &point, double x)
{
    if (point.axis == metrics::Axis::Epoch && epochs.leader) {
        curve.stepsBefore[x] = epochs.step;
        epochs.sinceStep.push_back({&curve, x});
    }
    if (!metrics::tellsStep(point)) {
        return;
    }
    curve.tellsSteps = true;
    const std::size_t longest = epochs.leader ? epochs.leader->series.size() : 0;
    if (!epochs.leader || curve.series.size() > longest + longest / 2) {
        epochs.leader = &curve;
    }
    if (epochs.leader == &curve) {
        const double begin = metrics::epochBegin(point, x).value_or(epochs.begin);
        for (const auto &[told, at] : epochs.sinceStep) {
            if (begin > epochs.begin) {
                told->epochsBefore[at] = begin;
            } else {
                told->epochsBefore.erase(at); // it was tried again
            }
        }
        epochs.sinceStep.clear();
        epochs.begin = begin;
        epochs.step = x;
    }
}

CurveStore::Curve &CurveStore::curve(Curves &curves, const QString &name)
{
    std::unique_ptr<Curve> &known = curves[name];
    if (!known) {
        known = std::make_unique<Curve>();
        m_order.insert(name, m_order.value(name, int(m_order.size())));
    }
    return *known;
}

// Whether it has edges for the first time.
bool CurveStore::takeFigure(Curves &curves, const GrownFigure &figure)
{
    const QString title = figureTitle(figure.name);
    Curve &known = curve(curves, title);
    m_figures.insert(title, figureRank(figure.name));
    const bool hadEdges = known.low != nullptr;
    const auto begin = [](series::Series &series) { series = series::Series(series::StepBack::Mixed); };
    if (figure.isNew) { // in its place: plots hold on to it
        begin(known.series);
        known.forgetPlaces();
    }
    for (auto *edge : {&known.low, &known.high}) {
        if (!*edge && !figure.buckets.empty()) {
            *edge = std::make_unique<series::Series>();
        }
        if (*edge && figure.isNew) {
            begin(**edge);
        }
    }
    const auto at = [](const series::Bucket &bucket, double value) {
        return series::Point{double(bucket.time), bucket.time, value};
    };
    for (const series::Bucket &bucket : figure.buckets) {
        known.series.append(at(bucket, bucket.mean));
        known.low->append(at(bucket, bucket.min));
        known.high->append(at(bucket, bucket.max));
    }
    for (const series::Point &point : figure.points) {
        known.series.append(point);
    }
    if (!known.series.isEmpty() && (!figure.buckets.empty() || !figure.points.empty())) {
        const qint64 first = known.series.at(0).time;
        m_firstTime = m_firstTime == 0 ? first : std::min(m_firstTime, first);
    }
    return !hadEdges && known.low;
}

// Whether the name stands for another curve now.
bool CurveStore::takeFile(Told &told, const FileMetrics::Grown &grown)
{
    Curve &known = curve(told.curves, grown.name);
    const bool wasOfFile = isOfFile(known), wasShown = !shown(known).isEmpty();
    known.fileAxis = grown.axis;
    known.source = grown.source;
    if (!known.ofFile) {
        known.ofFile = std::make_unique<series::Series>();
    } else if (grown.isNew) { // in its place: plots hold on to it
        *known.ofFile = series::Series();
        known.forgetPlaces();
    }
    EpochTrack *epochs = grown.name.section(u'/', -1).compare(QLatin1String("epoch"), Qt::CaseInsensitive) == 0
        ? &told.epochs.ofFiles
        : nullptr;
    if (epochs && grown.isNew) {
        epochs->clear();
    }
    Epochs &ofTask = told.epochs;
    if (grown.axis == series::Axis::Epoch && !ofTask.rows) {
        ofTask.rows = &known;
    }
    if (ofTask.rows == &known && grown.isNew) {
        ofTask.ofRows.clear();
    }
    for (const series::Point &point : grown.points) {
        known.ofFile->append(point);
        if (ofTask.rows == &known && grown.axis == series::Axis::Epoch) {
            ofTask.ofRows.add(point.x, std::nullopt, point.time);
        }
        if (epochs) { // Lightning and others write the number of the epoch beside every step
            epochs->add(point.value, point.x, point.time);
        }
        m_firstTime = m_firstTime == 0 ? point.time : std::min<qint64>(m_firstTime, point.time);
    }
    if (isOfFile(known) || wasOfFile) {
        noteSource(grown.name, known);
    }
    if (isOfFile(known) == wasOfFile) {
        return false;
    }
    known.forgetPlaces();
    return wasShown || !known.series.isEmpty();
}

} // namespace trainyard
