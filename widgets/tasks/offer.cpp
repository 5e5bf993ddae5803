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

int widthOfLine(const QLabel *label) { return label->fontMetrics().horizontalAdvance(label->text()) + 2; }

int heightIn(const QLabel *label, int width)
{
    const QRect room(0, 0, std::max(1, width), QWIDGETSIZE_MAX);
    return label->fontMetrics().boundingRect(room, Qt::TextWordWrap, label->text()).height();
}
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
    explain();
    return button;
}

void Offer::setTitle(const QString &text)
{
    m_title->setText(text);
    explain();
}

void Offer::setDetail(const QString &text)
{
    m_detail->setText(text);
    explain();
}

void Offer::explain()
{
    const QString words = m_isShort ? m_title->text() + u'\n' + m_detail->text() : QString();
    const QList<QPushButton *> buttons = findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        button->setToolTip(plainTip(words));
    }
    updateGeometry(); // what it is in may measure it before its own layout has told it
}

int Offer::wholeWidth() const
{
    return std::max(widthOfLine(m_title), widthOfLine(m_detail)) + metrics::space4 + m_buttons->minimumSize().width();
}

int Offer::leastWidth() const { return m_buttons->minimumSize().width(); }

Offer::Places Offer::placesAs(Form form, int room) const
{
    const QSize buttons = m_buttons->minimumSize();
    if (form == Form::Line) {
        const int words = heightIn(m_title, QWIDGETSIZE_MAX) + heightIn(m_detail, QWIDGETSIZE_MAX);
        return {false, true, {wholeWidth(), std::max(words, buttons.height())}};
    }
    if (form == Form::Wrapped) {
        const int beside = room - buttons.width() - metrics::space4;
        const bool isBelow = beside < std::min(leastOfWords, wholeWidth() - buttons.width() - metrics::space4);
        const int words = isBelow ? room : beside;
        const int height = heightIn(m_title, words) + heightIn(m_detail, words);
        return {isBelow, true,
            {room, isBelow ? height + metrics::space1 + buttons.height() : std::max(height, buttons.height())}};
    }
    if (!m_isTitled) {
        return {false, false, buttons};
    }
    const int width = widthOfLine(m_title) + metrics::space2 + buttons.width();
    const int title = heightIn(m_title, width <= room ? QWIDGETSIZE_MAX : room);
    return width <= room ? Places{false, true, {width, std::max(title, buttons.height())}}
                         : Places{true, true, {room, title + metrics::space1 + buttons.height()}};
}

QSize Offer::sizeAs(Form form, int room) const { return placesAs(form, room).size; }

void Offer::setForm(Form form, int room)
{
    const Places places = placesAs(form, room);
    const bool wraps = form == Form::Wrapped || places.isBelow;
    m_isShort = form == Form::Short;
    m_title->setWordWrap(wraps);
    m_detail->setWordWrap(wraps);
    m_title->setVisible(places.hasTitle);
    m_detail->setVisible(!m_isShort);
    m_line->setDirection(places.isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_line->setSpacing(places.isBelow ? metrics::space1
            : !m_isShort              ? metrics::space4
            : places.hasTitle         ? metrics::space2
                                      : 0);
    explain();
}

} // namespace trainyard
