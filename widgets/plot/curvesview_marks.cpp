// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of the plots of a run: lines, marks and heads, and the position under the pointer.
#include "engine/api/tasklabel.h"
#include "engine/api/values.h"
#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curvechooser.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvepanel.h"
#include "widgets/plot/curvesaving.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/momentcard.h"
#include "widgets/plot/zoomentries.h"
#include "widgets/text/healthtexts.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace trainyard
{

QList<CurveLine> CurvesView::linesOf(const QString &name, CurveAlong along) const
{
    QList<CurveLine> lines;
    const QList<int> tasks = m_chooser->tasks();
    for (const int task : tasks) {
        if (const series::Series *series = m_store->series(task, name, along)) {
            const bool hasSteps = along != CurveAlong::Time || !m_store->isFigure(name);
            const CurveStore::Edges edges
                = along == CurveAlong::Time ? m_store->edges(task, name) : CurveStore::Edges();
            lines.append({m_store->tasks().at(task).name, task, series, hasSteps, std::nullopt, edges.low, edges.high,
                QString(), m_store->isFigure(name) ? QList<TryBegin>() : m_store->tryBegins(task)});
        }
    }
    return lines;
}

void CurvesView::setHealth(const QList<HealthMark> &marks)
{
    if (marks == m_health) {
        return;
    }
    m_health = marks;
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setMarks(marksOf(panel->name()));
    }
}

QList<CurveMark> CurvesView::marksOf(const QString &name) const
{
    QList<CurveMark> marks;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (const HealthMark &mark : m_health) {
        if (mark.metric == name) {
            marks.append({stepOf(mark), mark.at, healthLine(mark, int(m_store->tasks().size()), now)});
        }
    }
    return marks;
}

// On the axis of steps, a mark with only an epoch is where the curve has that epoch.
std::optional<double> CurvesView::stepOf(const HealthMark &mark) const
{
    if (!countsEpochs(mark)) {
        return mark.step;
    }
    const QString label = taskLabel(mark.role, mark.index);
    const QList<CurveStore::Task> &tasks = m_store->tasks();
    const auto task = std::find_if(
        tasks.cbegin(), tasks.cend(), [&label](const CurveStore::Task &each) { return each.name == label; });
    return task == tasks.cend() ? std::nullopt
                                : m_store->stepOfEpoch(int(task - tasks.cbegin()), mark.metric, *mark.step, mark.at);
}

QList<CurvePlot *> CurvesView::plots() const
{
    QList<CurvePlot *> all;
    for (CurvePanel *panel : m_panels) {
        all.append(panel->plot());
    }
    return all;
}

// The text beside the names: the values at the cursor unless a card shows them, otherwise the last ones.
void CurvesView::updateHeads()
{
    for (CurvePanel *panel : std::as_const(m_panels)) {
        const bool hasNoPlace = panel->plot()->lineCount() == 0 && m_look.along == CurveAlong::Step
            && m_store->isFigure(panel->name()) && !m_store->isReading();
        if (hasNoPlace) {
            panel->say(tr("cannot be drawn by steps: choose the time"));
        } else if (panel == m_under && m_values->isVisible()) {
            panel->say(QString());
        } else {
            panel->sayValues(m_look.along, m_cursor);
        }
    }
}

// That, and the last values in the lists.
void CurvesView::updateTitles()
{
    updateHeads();
    const QString first = m_panels.isEmpty() ? QString() : m_panels.constFirst()->name();
    const auto lastOf = [this](int task, const QString &name) {
        const series::Series *series = m_store->series(task, name);
        return series ? series->last() : std::nullopt;
    };
    for (int task = 0; task < m_store->tasks().size(); ++task) {
        const auto last = lastOf(task, first);
        m_chooser->setTaskValue(task, last ? curveNumber(last->value) : QString());
    }
    const QStringList names = m_store->names();
    for (int i = 0; i < names.size(); ++i) {
        std::optional<series::Point> last;
        for (int task = 0; task < m_store->tasks().size() && !last; ++task) {
            last = lastOf(task, names.at(i));
        }
        m_chooser->setNameValue(i, last ? curveNumber(last->value) : QString(), m_store->sourceOf(names.at(i)));
    }
}

void CurvesView::applyLook()
{
    m_look.smoothing = m_controls->smoothing();
    m_look.isLog = m_controls->isLog();
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setLook(m_look);
    }
    refresh();
}

void CurvesView::setRange(const std::optional<CurvePlot::Range> &range)
{
    m_range = range;
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setRange(range);
    }
}

// The card of a moment that was chosen is read undisturbed.
void CurvesView::setCursor(CurvePanel *under, std::optional<double> place)
{
    for (CurvePanel *panel : std::as_const(m_panels)) {
        panel->plot()->setCursor(place);
    }
    m_isDismissed = m_isDismissed && place;
    const QList<CursorCard::Row> rows = place ? under->rowsAt(*place) : QList<CursorCard::Row>();
    m_under = place ? under : nullptr;
    m_cursor = place ? std::optional(CursorCard::nearestPlace(*place, rows)) : std::nullopt;
    if (rows.isEmpty() || m_isDismissed || m_card->isVisible()) {
        m_values->hide();
    } else {
        m_values->setRows(m_look.along, *place, under->name(), rows);
        m_values->showBeside(*under->plot(), under->plot()->cursorPixel());
    }
    updateHeads();
}

void CurvesView::setPinned(const QStringList &names)
{
    m_chooser->setPinned(names);
    updatePlots();
}

QList<CurveGroup> CurvesView::groups() const
{
    QList<CurveGroup> all;
    for (CurvePanel *panel : m_panels) {
        // A program that reads them needs the original steps, and every task.
        all.append({panel->name(),
            linesOf(panel->name(), m_look.along == CurveAlong::Epoch ? CurveAlong::Step : m_look.along)});
    }
    return all;
}

void CurvesView::showMenu(CurvePlot *plot, const QPoint &at)
{
    QMenu menu(this);
    addZoomEntries(&menu, plot, at);
    menu.addSeparator();
    menu.addAction(tr("Copy the values as a table"), this,
        [this] { QApplication::clipboard()->setText(curvesAsTable(groups(), m_look, m_range)); });
    menu.addAction(tr("Save the values as CSV…"), this, [this] { m_saving->saveValues([this] { return groups(); }); });
    menu.addAction(tr("Save this plot as a picture…"), this, [this, plot] { m_saving->savePicture(plot); });
    menu.exec(at);
}

} // namespace trainyard
