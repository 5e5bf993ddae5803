// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/flowlayout.h"

#include <QWidget>

namespace trainyard
{

FlowLayout::FlowLayout(int gap, QWidget *parent) : QLayout(parent), m_gap(gap) { setContentsMargins(0, 0, 0, 0); }

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem *item)
{
    m_items.append(item);
    invalidate();
}

int FlowLayout::count() const { return int(m_items.size()); }
QLayoutItem *FlowLayout::itemAt(int index) const { return m_items.value(index); }

QLayoutItem *FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= m_items.size()) {
        return nullptr;
    }
    QLayoutItem *item = m_items.takeAt(index);
    invalidate();
    return item;
}

int FlowLayout::heightForWidth(int width) const { return arrange({0, 0, width, 0}, false); }

void FlowLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem *item : m_items) {
        size = size.expandedTo(item->minimumSize());
    }
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

int FlowLayout::arrange(const QRect &rect, bool apply) const
{
    const QMargins m = contentsMargins();
    const QRect area = rect.marginsRemoved(m);
    int x = area.x();
    int y = area.y();
    int lineHeight = 0;
    QList<std::pair<QLayoutItem *, QRect>> line;
    // Items of one line are centred on each other.
    const auto place = [&] {
        for (const auto &[item, at] : std::as_const(line)) {
            item->setGeometry(at.translated(0, (lineHeight - at.height()) / 2));
        }
        line.clear();
    };
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty()) {
            continue;
        }
        QSize hint = item->sizeHint();
        const int wanted = hint.width();
        hint.setWidth(std::max(std::min(wanted, area.width()), item->minimumSize().width()));
        if (hint.width() < wanted && item->hasHeightForWidth()) {
            hint.setHeight(item->heightForWidth(hint.width())); // a sentence that takes two lines there
        }
        if (x > area.x() && x + hint.width() > area.right() + 1) {
            if (apply) {
                place();
            }
            x = area.x();
            y += lineHeight + m_gap;
            lineHeight = 0;
        }
        lineHeight = std::max(lineHeight, hint.height());
        line.append({item, QRect(QPoint(x, y), hint)});
        x += hint.width() + m_gap;
    }
    if (apply) {
        place();
    }
    return y + lineHeight - rect.y() + m.bottom();
}

void removeWidgets(QLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // it may be what was pressed
        }
        delete item;
    }
}

} // namespace trainyard
