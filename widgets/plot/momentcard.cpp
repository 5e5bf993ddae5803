// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/momentcard.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/plot/besidepoint.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int momentWidth = 320;
constexpr qsizetype mostValues = 8;
constexpr qsizetype linesOfMoment = 3;
} // namespace

MomentCard::MomentCard(QWidget *parent, const QWidget *over)
    : Ground(Colour::Raised, parent), m_over(over), m_when(semiboldLabel({})), m_where(mutedLabel({})),
      m_values(new FlowLayout(metrics::space2)), m_lines(new QVBoxLayout), m_between(new Line(Qt::Horizontal))
{
    setObjectName(QStringLiteral("momentCard"));
    setCard(true);
    setFocusPolicy(Qt::ClickFocus);
    setAccessibleName(tr("Chosen moment"));
    auto *close = new QToolButton;
    close->setIcon(icon(QStringLiteral("close"), Colour::Muted));
    close->setIconSize({metrics::tinyIcon, metrics::tinyIcon});
    close->setAutoRaise(true);
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto *head = new QHBoxLayout;
    head->setSpacing(metrics::space2);
    head->addWidget(m_when);
    head->addStretch();
    head->addWidget(m_where);
    head->addWidget(close);
    m_lines->setSpacing(metrics::space1 / 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space3, metrics::space2, metrics::space2, metrics::space2);
    layout->setSpacing(metrics::space1 + 2);
    layout->addLayout(head);
    layout->addLayout(m_values);
    layout->addWidget(m_between);
    layout->addLayout(m_lines);
    new CardClosing(this);
    hide();
}

void MomentCard::showMoment(const Moment &moment, const QPoint &near, const QList<QPoint> &curves)
{
    m_when->setText(moment.when);
    m_where->setText(moment.where);
    removeWidgets(m_values);
    const auto values = moment.values.mid(0, mostValues);
    for (const auto &[name, number] : values) {
        auto *pair = new QWidget;
        auto *row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(metrics::space1);
        row->addWidget(mutedLabel(name));
        row->addWidget(semiboldLabel(number));
        m_values->addWidget(pair);
        pair->show(); // counts at once
    }
    setLines({});
    m_near = near;
    m_curves = curves;
    place();
    show();
    raise();
}

void MomentCard::setLines(const QStringList &lines)
{
    removeWidgets(m_lines);
    for (const QString &line : lines.mid(0, linesOfMoment)) {
        auto *label = new ElidedLabel(line.trimmed());
        label->setElideMode(Qt::ElideRight);
        label->setColour(Colour::Muted);
        label->setFont(fonts::fixed());
        m_lines->addWidget(label);
        label->show();
    }
    m_between->setVisible(!lines.isEmpty());
    place();
}

void MomentCard::setRemark(const QString &sentence)
{
    setLines({});
    auto *label = new ElidedLabel(sentence);
    label->setElideMode(Qt::ElideRight);
    label->setColour(Colour::Muted);
    m_lines->addWidget(label);
    label->show();
    m_between->show();
    place();
}

void MomentCard::place()
{
    layout()->activate();
    const int width = std::min(momentWidth, parentWidget()->width());
    const QSize size(width, layout()->heightForWidth(width));
    setGeometry(besidePoint(m_near, size, cardAreas(*this, m_over), m_curves, m_near.y()));
}

} // namespace trainyard
