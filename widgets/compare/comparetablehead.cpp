// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparetablehead.h"

#include "widgets/common/comboitems.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/compare/compareruns.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{

CompareTableHead::CompareTableHead(CompareRuns *runs)
    : Ground(Colour::Surface), m_runs(runs), m_count(new ElidedLabel), m_metric(new QComboBox),
      m_better(new QToolButton), m_fold(new QCheckBox(tr("Fold seeds")))
{
    setBorders(Qt::BottomEdge);
    setFixedHeight(metrics::paneHead);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    row->setSpacing(metrics::space2);
    row->addWidget(semiboldLabel(tr("Runs")));
    m_count->setObjectName(QStringLiteral("compareCount"));
    m_count->setFont(fonts::small());
    m_count->setColour(Colour::Muted);
    m_count->setElideMode(Qt::ElideRight); // the choices beside it are whole
    row->addWidget(m_count);
    row->addStretch();
    row->addWidget(m_fold);
    setSmall(m_metric);
    m_metric->setAccessibleName(tr("Ranked by"));
    m_metric->setToolTip(plainTip(tr("The metric by which the runs are ranked")));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(8);
    row->addWidget(m_metric);
    m_better->setAutoRaise(true);
    row->addWidget(m_better);
    m_fold->setToolTip(
        plainTip(tr("Combine runs that differ only in a seed into one row, with mean and standard deviation")));
    m_fold->setObjectName(QStringLiteral("compareFold"));
    connect(m_fold, &QCheckBox::toggled, m_runs, &CompareRuns::setFolded);
    connect(m_metric, &QComboBox::activated, this, [this] { m_runs->setMetric(m_metric->currentData().toString()); });
    connect(m_better, &QToolButton::clicked, this,
        [this] { m_runs->setBetter(m_runs->better() == Better::Lower ? Better::Higher : Better::Lower); });
}

void CompareTableHead::setCount(const QString &text) { m_count->setText(text); }

void CompareTableHead::refresh()
{
    setComboItems(m_metric, m_runs->metrics());
    m_metric->setCurrentIndex(m_metric->findData(m_runs->metric()));
    const bool isLower = m_runs->better() == Better::Lower;
    const QString words = isLower ? tr("Less is better") : tr("More is better");
    m_better->setIcon(icon(isLower ? QStringLiteral("arrow-down") : QStringLiteral("arrow-up")));
    m_better->setToolTip(plainTip(words));
    m_better->setAccessibleName(words);
    m_metric->setVisible(!m_runs->metrics().isEmpty());
    m_better->setVisible(!m_runs->metrics().isEmpty());
    const bool hasSeeds = std::any_of(m_runs->table().different.cbegin(), m_runs->table().different.cend(),
        [](const CompareFact &fact) { return fact.isSeed(); });
    m_fold->setVisible(hasSeeds || m_runs->isFolded());
    m_fold->setChecked(m_runs->isFolded());
}

} // namespace trainyard
