// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/statepainter.h"

#include <QStyledItemDelegate>

#include <optional>

namespace trainyard
{

StateShape hostShape(HostState state);
StateShape hostShape(const HostInfo &host); // also that no new tasks start on one that is online

// The contents of a row of two lines for a host or a cluster.
struct TwoLines {
    QString iconName, name, beside; // above
    std::optional<StateShape> shape; // before the state; nothing: it is nothing to look at
    QString state; // above, at the right
    QString below, right; // the second line
    int kept = 0; // pixels of it, before `right`, for what the caller paints
};
int paintTwoLines(QPainter *painter, const QStyleOptionViewItem &option, const TwoLines &lines); // where `kept` begins

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
