// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/offer.h"

#include "widgets/common/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastOfWords = 220; // beside buttons: with less they would be a ribbon
} // namespace

Offer::Offer(const QString &title, const QString &detail)
    : m_line(new QBoxLayout(QBoxLayout::LeftToRight, this)), m_buttons(new QHBoxLayout), m_title(plainLabel(title)),
      m_detail(smallMutedLabel(detail))
{
    m_title->setObjectName(QStringLiteral("title"));
    m_detail->setObjectName(QStringLiteral("detail"));
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(metrics::space4);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_title);
    words->addWidget(m_detail);
    m_line->addLayout(words, 1);
    m_buttons->setSpacing(metrics::space2);
    m_buttons->addStretch();
    m_line->addLayout(m_buttons);
}

QPushButton *Offer::addButton(const QString &text, ButtonKind kind)
{
    auto *button = new QPushButton(text);
    setButtonKind(button, kind);
    m_buttons->insertWidget(m_buttons->count() - 1, button, 0, Qt::AlignVCenter);
    return button;
}

void Offer::setTitle(const QString &text) { m_title->setText(text); }

void Offer::setDetail(const QString &text) { m_detail->setText(text); }

int Offer::wholeWidth() const
{
    const auto widthOf = [](const QLabel *label) { return label->fontMetrics().horizontalAdvance(label->text()) + 2; };
    return std::max(widthOf(m_title), widthOf(m_detail)) + metrics::space4 + m_buttons->minimumSize().width();
}

void Offer::fit(bool wraps, int room)
{
    const int buttons = m_buttons->minimumSize().width() + metrics::space4;
    const bool isBelow = wraps && room - buttons < std::min(leastOfWords, wholeWidth() - buttons);
    m_title->setWordWrap(wraps);
    m_detail->setWordWrap(wraps);
    m_line->setDirection(isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_line->setSpacing(isBelow ? metrics::space1 : metrics::space4);
}

} // namespace trainyard
