// SPDX-License-Identifier: GPL-3.0-or-later
// The controls above the curves of compared runs: which metrics have a plot.
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/compareoutputs.h"
#include "widgets/plot/curvecontrols.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qsizetype plotsFirst = 2;

} // namespace

void CompareCurves::makeControls()
{
    m_add = new QToolButton;
    m_add->setIcon(icon(QStringLiteral("plus")));
    m_add->setAutoRaise(true);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setToolTip(plainTip(tr("Choose the metrics that have a plot")));
    m_add->setAccessibleName(tr("Metrics with a plot"));
    auto *menu = new QMenu(m_add);
    m_add->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &CompareCurves::fillMetricMenu);
    constexpr int weightOfMetrics = 3; // stays when all else has gone into the menu
    m_controls->add(m_add, weightOfMetrics);
    offerControls();
    connect(m_controls, &CurveControls::lookChanged, this, &CompareCurves::applyLook);
}

// By steps at least: what has none, such as the use of machines, is drawn by the time all the same.
void CompareCurves::offerControls()
{
    const bool isByEpochs = m_controls->along() == CurveAlong::Epoch;
    m_controls->setOffer(
        {.hasMetrics = true, .hasEpochs = m_outputs->hasEpochs() || isByEpochs, .hasTimes = m_outputs->hasTimes()});
}

QWidget *CompareCurves::controls() const { return m_controls; }

void CompareCurves::fillMetricMenu()
{
    constexpr qsizetype most = 60;
    QMenu *menu = m_add->menu();
    menu->clear();
    QStringList names = m_runs->metrics();
    for (const QString &name : m_outputs->names()) {
        if (!names.contains(name)) {
            names.append(name);
        }
    }
    for (const QString &name : names.first(std::min(most, names.size()))) {
        QAction *action = menu->addAction(plainCaption(name), this, [this, name] {
            QStringList metrics = m_metrics;
            if (!metrics.removeOne(name)) {
                metrics.append(name);
            }
            setMetrics(metrics);
        });
        action->setCheckable(true);
        action->setChecked(m_metrics.contains(name));
    }
    menu->setDisabled(menu->isEmpty());
}

void CompareCurves::setMetrics(const QStringList &metrics)
{
    m_areMetricsChosen = true;
    m_metrics = metrics;
    updatePanels();
}

// The ranking metric, then the next one that tells most and is a curve.
void CompareCurves::chooseMetrics()
{
    if (!m_areMetricsChosen) {
        QStringList wanted = m_runs->metrics();
        QList<JobSummary> jobs;
        for (const CompareRun &run : m_runs->runs()) {
            jobs.append(run.job);
        }
        std::stable_partition(
            wanted.begin(), wanted.end(), [&jobs](const QString &name) { return !hasOneValue(jobs, name); });
        wanted.removeOne(m_runs->metric());
        if (!m_runs->metric().isEmpty()) {
            wanted.prepend(m_runs->metric());
        }
        wanted = wanted.first(std::min(plotsFirst, wanted.size()));
        if (wanted != m_metrics) {
            m_metrics = wanted;
            updatePanels();
        }
    }
    explainEmpty();
}

} // namespace trainyard
