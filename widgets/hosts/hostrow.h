// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/statepainter.h"

#include <QStyledItemDelegate>

namespace trainyard
{

StateShape hostShape(HostState state);

// A host in a list, as HostInfo in Qt::UserRole. Two lines: name and address, state; machine, GPUs and what runs there.
class HostRowDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace trainyard
