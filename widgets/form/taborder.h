// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace trainyard
{

// The widgets that the Tab key reaches inside `root`, in the order of its layouts. Qt's own chain has widgets in the
// order in which they were made, so that chips and rows that come later would be reached last of all.
QList<QWidget *> tabOrder(QWidget *root);

} // namespace trainyard
