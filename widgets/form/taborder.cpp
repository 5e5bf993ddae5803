// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/taborder.h"

#include <QLayout>
#include <QWidget>

namespace trainyard
{
namespace
{
void collect(QWidget *widget, QList<QWidget *> &found);

void collect(QLayout *layout, QList<QWidget *> &found)
{
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem *item = layout->itemAt(i);
        if (QWidget *widget = item->widget()) {
            collect(widget, found);
        } else if (QLayout *inner = item->layout()) {
            collect(inner, found);
        }
    }
}

void collect(QWidget *widget, QList<QWidget *> &found)
{
    if (!widget->isVisible() || !widget->isEnabled() || widget->isWindow()) {
        return;
    }
    // One that hands the focus on is reached where it hands it to.
    if ((widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy()) {
        found.append(widget);
    }
    if (QLayout *layout = widget->layout()) {
        collect(layout, found);
        return;
    }
    const QObjectList &children = widget->children();
    for (QObject *child : children) {
        if (auto *inner = qobject_cast<QWidget *>(child)) {
            collect(inner, found);
        }
    }
}
} // namespace

QList<QWidget *> tabOrder(QWidget *root)
{
    QList<QWidget *> found;
    collect(root, found);
    return found;
}

} // namespace trainyard
