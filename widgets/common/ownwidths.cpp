// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/ownwidths.h"

#include <QEvent>
#include <QHeaderView>

#include <utility>

namespace trainyard
{

OwnWidths::OwnWidths(QHeaderView *header, std::function<QString(int)> keyOf)
    : QObject(header), m_keyOf(std::move(keyOf))
{
    header->viewport()->installEventFilter(this);
    // Sections are resized by the program too, with no button down.
    connect(header, &QHeaderView::sectionResized, this, [this, header](int section, int, int size) {
        const bool isStretched = header->stretchLastSection() && section == header->count() - 1;
        if (m_isPressed && !isStretched) {
            m_widths.insert(m_keyOf(section), size);
        }
    });
}

bool OwnWidths::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
        m_isPressed = true;
    } else if (event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::Hide) {
        m_isPressed = false;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
