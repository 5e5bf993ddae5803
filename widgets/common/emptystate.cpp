// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/emptystate.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

EmptyState::EmptyState(Layout kind, QWidget *parent)
    : QWidget(parent), m_kind(kind), m_icon(new IconLabel(QStringLiteral("info"), 20, Colour::Muted, this)),
      m_text(mutedLabel({})), m_detail(smallMutedLabel({})), m_action(new QPushButton), m_remedy(new QPushButton)
{
    auto *layout = new QVBoxLayout(this);
    setButtonKind(m_action, ButtonKind::Link);
    m_action->setIconSize({14, 14});
    m_action->hide();
    setButtonKind(m_remedy, ButtonKind::Link);
    m_remedy->setIconSize({14, 14});
    m_remedy->hide();
    m_icon->hide();
    m_detail->hide();
    m_text->setWordWrap(true);
    m_detail->setWordWrap(true);
    if (kind != Layout::Side) {
        layout->setSpacing(metrics::space1);
        if (kind == Layout::Card) {
            layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
        }
        layout->addStretch(2);
        layout->addWidget(m_icon, 0, Qt::AlignHCenter);
        for (QLabel *label : {m_text, m_detail}) {
            label->setAlignment(Qt::AlignCenter);
            layout->addWidget(label);
        }
        layout->addWidget(m_remedy, 0, Qt::AlignHCenter);
        layout->addWidget(m_action, 0, Qt::AlignHCenter);
        layout->addStretch(3);
    } else {
        layout->setContentsMargins(metrics::space3, metrics::space1, metrics::space3, metrics::space3);
        layout->setSpacing(2);
        m_text->setFont(fonts::small());
        m_action->setFont(fonts::small());
        layout->addWidget(m_text);
        layout->addWidget(m_detail);
        m_remedy->setFont(fonts::small());
        layout->addWidget(m_remedy, 0, Qt::AlignLeft);
        layout->addWidget(m_action, 0, Qt::AlignLeft);
        layout->addStretch();
    }
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    connect(m_remedy, &QPushButton::clicked, this, &EmptyState::remedyTriggered);
}

void EmptyState::paintEvent(QPaintEvent *event)
{
    if (m_kind == Layout::Card) {
        QPainter painter(this);
        stylepaint::roundedBox(
            &painter, rect(), metrics::cardRadius, colour(Colour::Surface, this), colour(Colour::Border, this));
    }
    QWidget::paintEvent(event);
}

void EmptyState::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const QMargins margins = layout()->contentsMargins();
    keepWhole(m_text, width() - margins.left() - margins.right());
}

void EmptyState::setIcon(const QString &name, Colour role)
{
    m_icon->setIcon(name, role);
    m_icon->show();
}

void EmptyState::setText(const QString &sentence) { m_text->setText(sentence); }

void EmptyState::setDetail(const QString &detail)
{
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
}

void EmptyState::setAction(const QString &label, const QString &iconName)
{
    m_action->setText(plainCaption(label));
    m_action->setIcon(iconName.isEmpty() ? QIcon() : trainyard::icon(iconName, Colour::Accent));
    m_action->setVisible(!label.isEmpty());
}

void EmptyState::setRemedy(const QString &label, const QString &iconName)
{
    m_remedy->setText(plainCaption(label));
    m_remedy->setIcon(iconName.isEmpty() ? QIcon() : trainyard::icon(iconName, Colour::Accent));
    m_remedy->setVisible(!label.isEmpty());
}

} // namespace trainyard
