// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparepanel.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"

#include <QHBoxLayout>
#include <QLabel>

#include <utility>

namespace trainyard
{

ComparePanel::ComparePanel(const QString &metric)
    : m_metric(metric), m_note(new ElidedLabel), m_plot(new CurvePlot(metric))
{
    QLabel *title = plainLabel(metric);
    title->setFont(fonts::semibold());
    m_note->setObjectName(QStringLiteral("compareNote"));
    m_note->setColour(Colour::Muted);
    m_note->setElideMode(Qt::ElideRight);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    row->addWidget(title);
    row->addWidget(m_note, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_plot, 1);
    updateNote();
}

void ComparePanel::setLook(const CurveLook &look, bool isFigure)
{
    m_isOtherAxis = isFigure && look.along != CurveAlong::Time;
    CurveLook own = look;
    own.along = m_isOtherAxis ? CurveAlong::Time : look.along;
    if (own != m_look) {
        m_look = own;
        m_plot->setLook(own);
    }
    updateNote();
}

void ComparePanel::setLines(const QList<CurveLine> &lines)
{
    m_plot->setLines(lines);
    updateNote();
}

void ComparePanel::setReading(bool on)
{
    if (std::exchange(m_isReading, on) != on) {
        updateNote();
    }
}

void ComparePanel::updateNote()
{
    const bool isEmpty = m_plot->lines().isEmpty();
    m_note->setText(isEmpty && m_isReading                 ? tr("The output of the runs is being read.")
            : isEmpty && m_look.along == CurveAlong::Epoch ? tr("No drawn run has values of this by epochs.")
            : isEmpty                                      ? tr("No drawn run has this curve.")
            : m_isOtherAxis                                ? tr("by the time since each start")
                                                           : QString());
}

} // namespace trainyard
