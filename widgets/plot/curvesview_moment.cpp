// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"
#include "widgets/common/clocktext.h"
#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curvechooser.h"
#include "widgets/plot/curvepanel.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/momentcard.h"
#include "widgets/plot/trainingclock.h"
#include "widgets/plot/trybegins.h"

#include <algorithm>
#include <cmath>
#include <utility>

// A moment or a stretch of time that is chosen in a plot, and what was then.
namespace trainyard
{
namespace
{

// Where the points of a time begin in a series, and where they end. A program that writes many lines at once, as one
// with a buffer does, gives all of them one time.
std::pair<std::size_t, std::size_t> burstAt(const series::Series &series, qint64 time)
{
    const series::RisingColumn &times = series.risingTimes();
    return {times.lowerBound(double(time)), times.upperBound(double(time))};
}

// The chosen point among those of its time. Along another axis than the series has, only its value is the same.
std::optional<std::size_t> indexIn(const series::Series &series, const series::Point &point)
{
    const auto isValue
        = [&](double value) { return value == point.value || (std::isnan(value) && std::isnan(point.value)); };
    const auto [first, end] = burstAt(series, point.time);
    std::optional<std::size_t> found;
    for (std::size_t i = first; i < end; ++i) {
        if (isValue(series.values()[i]) && (!found || series.xs()[i] == point.x)) {
            found = i;
            if (series.xs()[i] == point.x) {
                break;
            }
        }
    }
    return found;
}

// The last value that was known when the chosen point of another series was written. Of the values of the same time,
// the steps tell which ones were, or their order where each line of the output has both.
std::optional<double> valueKnown(
    const series::Series &series, const series::Series &chosen, const series::Point &point, bool haveSteps)
{
    const auto [first, end] = burstAt(series, point.time);
    std::size_t next = end;
    const std::optional<std::size_t> own = end > first ? indexIn(chosen, point) : std::nullopt;
    if (own && haveSteps) {
        next = std::clamp(series.xs().upperBound(chosen.xs()[*own]), first, end);
    } else if (const auto [begin, stop] = burstAt(chosen, point.time); own && stop - begin == end - first) {
        next = first + (*own - begin) + 1;
    }
    return next > 0 ? std::optional(series.at(next - 1).value) : std::nullopt;
}

} // namespace

void CurvesView::setMoment(std::optional<qint64> time)
{
    m_moment = time;
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setMoment(time);
    }
}

void CurvesView::dropTimes()
{
    m_times.reset();
    m_chosen.reset();
    setChosen();
}

void CurvesView::setChosen()
{
    for (CurvePlot *plot : plots()) {
        plot->setChosen(m_times, m_chosen);
    }
}

void CurvesView::setMomentLines(const QStringList &lines)
{
    if (m_card->isVisible()) {
        m_card->setLines(lines);
    }
}

// For a mean, the first of its tasks.
int CurvesView::taskOf(const CurveLine &line) const
{
    for (int task = 0; task < m_store->tasks().size(); ++task) {
        if (m_store->tasks().at(task).name == line.label) {
            return task;
        }
    }
    const QList<int> chosen = m_chooser->tasks();
    return chosen.isEmpty() ? 0 : chosen.constFirst();
}

stepclock::Series CurvesView::clockOf(const CurvePanel &panel) const
{
    const QList<CurveLine> &lines = panel.plot()->lines();
    return lines.isEmpty() ? stepclock::Series() : m_clock->of(taskOf(lines.constFirst()), panel.name(), m_look.along);
}

// The value of a metric at the chosen point of another one. Values of a file have the time at which they were read, so
// the steps count if both have them.
std::optional<double> CurvesView::valueBeside(
    int task, const QString &chosen, const series::Point &point, const QString &name) const
{
    const series::Series *series = m_store->series(task, name);
    if (!series || series->isEmpty()) {
        return std::nullopt;
    }
    const bool isOfFile = !m_store->sourceOf(chosen).isEmpty() || !m_store->sourceOf(name).isEmpty();
    const bool haveSteps = m_store->hasSteps(task, chosen) && m_store->hasSteps(task, name);
    if (isOfFile && haveSteps && m_look.along != CurveAlong::Epoch) { // the points have their steps
        const std::optional<series::Point> found = series->atOrBefore(point.x);
        return found ? std::optional(found->value) : std::nullopt;
    }
    const series::Series *own = m_store->series(task, chosen);
    return valueKnown(*series, own ? *own : *series, point, haveSteps);
}

// The task's last values at that time: the shown metrics, followed by its use of the host.
void CurvesView::chooseMoment(const CurvePanel &panel, const CurveLine &line, const series::Point &drawn)
{
    const CurvePlot &plot = *panel.plot();
    const int task = taskOf(line);
    series::Point point = drawn;
    if (m_look.along != CurveAlong::Epoch) { // its step is known
        point.time = m_store->timeOf(task, panel.name(), drawn);
    }
    MomentCard::Moment moment;
    moment.when = clockText(point.time - m_store->firstTime());
    moment.where = m_look.along == CurveAlong::Epoch
        ? tr("after %1 epochs, %2").arg(QString::number(point.x, 'f', 2), line.label)
        : line.hasSteps && m_store->hasMetrics() ? tr("step %1, %2").arg(QString::number(point.x, 'g', 12), line.label)
                                                 : line.label;
    const std::optional<TryBegin> of = tryOf(task, panel.name(), point.time);
    if (of) {
        moment.where = tr("%1, %2").arg(moment.where, tryName(m_store->tryBegins(task), *of));
    }
    const QStringList shown = m_chooser->names(), all = m_store->names();
    for (const QString &name : all) {
        if (!m_store->isFigure(name) && !shown.contains(name)) {
            continue;
        }
        const std::optional<double> value = valueBeside(task, panel.name(), point, name);
        const bool isIdle = value && m_store->isFigure(name) && (*value == 0 || !std::isfinite(*value));
        if (value && !isIdle) {
            moment.values.append({name, curveNumber(*value)});
        }
    }
    const QPoint origin = plot.mapTo(this, QPoint());
    QList<QPoint> others; // of all plots, as the card may stand over the next one
    for (const CurvePanel *panel : std::as_const(m_panels)) {
        const QPoint corner = panel->plot()->mapTo(this, QPoint());
        for (const QPoint &each : panel->plot()->drawnPoints()) {
            others.append(each + corner);
        }
    }
    m_values->hide();
    updateHeads();
    m_card->showMoment(moment, origin + plot.pixelOf(placeOf(line, drawn, m_look), drawn.value), others);
    setMoment(point.time);
    const std::optional<int> number = shownNumber(task, of); // whose log can be shown
    if (!number) {
        const int attempt = of ? of->attempt : m_store->tasks().at(task).attempt;
        m_card->setRemark(tr("Choose attempt %1 above to see its log.").arg(attempt + 1));
    }
    Q_EMIT momentChosen(m_store->tasks().at(task).name, point.time, point.value, number);
}

void CurvesView::chooseTimes(const CurvePanel &panel, qint64 from, qint64 to)
{
    m_card->hide(); // what is looked at now is the time
    m_values->hide();
    m_isDismissed = true; // the next Esc gives the time up
    m_times = {from, to};
    m_chosen = panel.plot()->chosenRange();
    setChosen();
    const QList<CurveLine> &lines = panel.plot()->lines();
    if (!lines.isEmpty()) {
        const int task = taskOf(lines.constFirst());
        Q_EMIT timesChosen(from, to, m_store->tasks().at(task).name, shownNumber(task, tryOf(task, panel.name(), to)));
    }
}

std::optional<TryBegin> CurvesView::tryOf(int task, const QString &name, qint64 time) const
{
    const QList<TryBegin> tries = m_store->tryBegins(task);
    return tries.size() < 2 || m_store->isFigure(name) ? std::nullopt : tryAt(tries, time);
}

std::optional<int> CurvesView::shownNumber(int task, const std::optional<TryBegin> &of) const
{
    const CurveStore::Task &whose = m_store->tasks().at(task);
    const TryBegin asked = of.value_or(TryBegin{whose.attempt, whose.number, 0});
    return asked.attempt == whose.shownAttempt ? std::optional(asked.number) : std::nullopt;
}

} // namespace trainyard
