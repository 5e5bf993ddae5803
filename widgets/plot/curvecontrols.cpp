// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvecontrols.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QWidgetAction>

namespace trainyard
{
namespace
{

constexpr int sliderSteps = 100;
constexpr int narrowSlider = 72;
constexpr int axisStep = 0, axisEpoch = 1, axisTime = 2; // places of the choices

QString smoothTip() { return CurveControls::tr("The smoothed line is drawn over the values themselves"); }

} // namespace

CurveControls::CurveControls(Form form, QWidget *parent)
    : ShrinkingRow(parent), m_along(new SegmentedControl({tr("Step"), tr("Epoch"), tr("Time")})),
      m_smooth(new QSlider(Qt::Horizontal)), m_log(new QCheckBox(form == Form::Wide ? tr("Log scale") : tr("Log"))),
      m_fold(new QCheckBox(tr("Mean of tasks")))
{
    const bool isWide = form == Form::Wide;
    layout()->setContentsMargins(0, 0, isWide ? metrics::space3 : 0, 0);
    m_along->setAccessibleName(tr("Axis of the curves"));
    m_smooth->setRange(0, sliderSteps);
    m_smooth->setFixedWidth(isWide ? metrics::labelColumn : narrowSlider);
    m_smooth->setAccessibleName(tr("Smoothing"));
    m_smooth->setToolTip(
        plainTip(isWide ? smoothTip() : tr("Smooth the curves; the values themselves stay behind them")));
    m_log->setAccessibleName(tr("Log scale"));
    m_log->setToolTip(tr("A logarithmic axis of values"));
    m_fold->setToolTip(plainTip(tr("One line for all chosen tasks, with a band from the lowest to the highest")));
    add(m_fold, 1);
    add(m_log, 1);
    if (isWide) {
        add(mutedLabel(tr("Smooth")), 0);
    }
    add(m_smooth, 0);
    add(m_along, 2);
    makeOverflow();
    setOffer({});
    connect(m_along, &SegmentedControl::currentChanged, this, [this] {
        m_isTimeAwaited = false;
        Q_EMIT lookChanged();
    });
    connect(m_smooth, &QSlider::valueChanged, this, &CurveControls::lookChanged);
    connect(m_log, &QCheckBox::toggled, this, &CurveControls::lookChanged);
    connect(m_fold, &QCheckBox::toggled, this, &CurveControls::foldChanged);
}

void CurveControls::makeOverflow()
{
    auto *button = new QToolButton;
    button->setObjectName(QStringLiteral("curveControlsMore"));
    button->setIcon(icon(QStringLiteral("more")));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tr("How the curves are drawn"));
    button->setAccessibleName(button->toolTip());
    auto *menu = new QMenu(button);
    menu->setToolTipsVisible(true); // they say why an entry is off
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillOverflow(menu); });
    setOverflow(button);
}

// Controls that do not fit into the row.
void CurveControls::fillOverflow(QMenu *menu)
{
    menu->clear();
    for (QCheckBox *box : {m_fold, m_log}) {
        if (isGone(box)) {
            const QString name = box == m_log ? m_log->accessibleName() : box->text();
            QAction *action = menu->addAction(name, box, &QCheckBox::setChecked);
            action->setCheckable(true);
            action->setChecked(box->isChecked());
            action->setEnabled(box->isEnabled());
        }
    }
    if (isGone(m_smooth)) {
        auto *row = new QWidget;
        auto *across = new QHBoxLayout(row);
        across->setContentsMargins(metrics::space3, metrics::space1, metrics::space3, metrics::space1);
        across->addWidget(mutedLabel(tr("Smooth")));
        auto *slider = new QSlider(Qt::Horizontal);
        slider->setRange(0, sliderSteps);
        slider->setValue(m_smooth->value());
        slider->setFixedWidth(metrics::labelColumn);
        slider->setAccessibleName(m_smooth->accessibleName());
        slider->setToolTip(plainTip(smoothTip()));
        connect(slider, &QSlider::valueChanged, m_smooth, &QSlider::setValue);
        across->addWidget(slider);
        auto *action = new QWidgetAction(menu);
        action->setDefaultWidget(row);
        menu->addAction(action);
    }
    if (isGone(m_along)) {
        m_along->addTo(menu);
    }
}

void CurveControls::setOffer(const Offer &offer)
{
    m_offer = offer;
    setWanted(m_along, offer.hasMetrics);
    setWanted(m_fold, offer.tasks > 1);
    m_fold->setEnabled(offer.chosenTasks > 1);
    m_along->setChoiceVisible(axisEpoch, offer.hasEpochs);
    m_along->setChoiceEnabled(axisTime, offer.hasTimes,
        tr("All values of these curves have the same time, such as those of a table without times."));
    const QSignalBlocker quiet(m_along); // the curves ask for the axis behind each offer
    if (!offer.hasTimes && m_along->currentIndex() == axisTime) {
        m_along->setCurrentIndex(axisStep);
        m_isTimeAwaited = true;
    } else if (offer.hasTimes && m_isTimeAwaited) {
        m_along->setCurrentIndex(axisTime);
        m_isTimeAwaited = false;
    }
}

CurveAlong CurveControls::along() const
{
    const int choice = m_along->currentIndex();
    return !m_offer.hasMetrics || choice == axisTime ? CurveAlong::Time
        : choice == axisStep || !m_offer.hasEpochs   ? CurveAlong::Step
                                                     : CurveAlong::Epoch;
}

double CurveControls::smoothing() const { return smoothingAt(double(m_smooth->value()) / sliderSteps); }

bool CurveControls::isLog() const { return m_log->isChecked(); }

bool CurveControls::isFolded() const { return m_fold->isChecked() && m_offer.chosenTasks > 1; }

} // namespace trainyard
