// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace trainyard
{

// Lies over the pages while something is dragged over the window that opens when it is released.
class DropMark : public QWidget
{
    Q_OBJECT
public:
    explicit DropMark(QWidget *over);
    void appear();

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace trainyard
