// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/shrinkingrow.h"

#include "widgets/common/style.h"

#include <QEvent>
#include <QHBoxLayout>

#include <algorithm>

namespace trainyard
{

ShrinkingRow::ShrinkingRow(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space2);
    layout->setSizeConstraint(QLayout::SetNoConstraint); // what is hidden must be able to come back
    layout->addStretch(1);
}

void ShrinkingRow::add(QWidget *widget, int weight)
{
    layout()->addWidget(widget);
    m_items.append({widget, weight, true});
}

void ShrinkingRow::setWanted(QWidget *widget, bool on)
{
    const auto item
        = std::find_if(m_items.begin(), m_items.end(), [widget](const Item &each) { return each.widget == widget; });
    if (item != m_items.end() && item->isWanted != on) {
        item->isWanted = on;
        updateGeometry();
        fit();
    }
}

int ShrinkingRow::widthFrom(int weight) const
{
    int width = 0, count = 0;
    for (const Item &item : m_items) {
        if (item.isWanted && item.weight >= weight) {
            width += std::clamp(
                item.widget->sizeHint().width(), item.widget->minimumWidth(), item.widget->maximumWidth());
            ++count;
        }
    }
    const QMargins around = layout()->contentsMargins();
    return width + std::max(0, count - 1) * layout()->spacing() + around.left() + around.right();
}

QSize ShrinkingRow::sizeHint() const
{
    int height = 0;
    for (const Item &item : m_items) {
        height = std::max(height, item.widget->sizeHint().height());
    }
    return {widthFrom(0), height};
}

QSize ShrinkingRow::minimumSizeHint() const
{
    int heaviest = 0;
    for (const Item &item : m_items) {
        heaviest = std::max(heaviest, item.isWanted ? item.weight : 0);
    }
    const int width = widthFrom(heaviest);
    return {width == widthFrom(0) ? width : width + overflowWidth(), sizeHint().height()};
}

int ShrinkingRow::overflowWidth() const
{
    return m_overflow ? m_overflow->sizeHint().width() + layout()->spacing() : 0;
}

int ShrinkingRow::least() const
{
    QList<int> weights;
    for (const Item &item : m_items) {
        if (item.isWanted) {
            weights.append(item.weight);
        }
    }
    std::sort(weights.begin(), weights.end());
    int least = 0;
    for (const int weight : std::as_const(weights)) {
        least = weight;
        if (widthFrom(least) + (least == weights.constFirst() ? 0 : overflowWidth()) <= width()) {
            break;
        }
    }
    return least;
}

void ShrinkingRow::fit()
{
    const int least = this->least();
    bool hasGone = false;
    for (const Item &item : std::as_const(m_items)) {
        item.widget->setVisible(item.isWanted && item.weight >= least);
        hasGone |= item.isWanted && item.weight < least;
    }
    if (m_overflow) {
        m_overflow->setVisible(hasGone);
    }
}

void ShrinkingRow::setOverflow(QWidget *button)
{
    m_overflow = button;
    layout()->addWidget(button);
    fit();
}

bool ShrinkingRow::isGone(const QWidget *widget) const
{
    return std::any_of(m_items.cbegin(), m_items.cend(),
        [&](const Item &item) { return item.widget == widget && item.isWanted && item.weight < least(); });
}

void ShrinkingRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

bool ShrinkingRow::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest) { // one of them needs another width
        updateGeometry();
        fit();
    }
    return QWidget::event(event);
}

} // namespace trainyard
