// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QScrollBar>

namespace trainyard
{

// A vertical scroll bar that shows where in the text problems and search hits are.
class MarkedScrollBar : public QScrollBar
{
    Q_OBJECT
public:
    struct Mark {
        double place = 0; // 0 to 1
        Colour colour = Colour::Failed;
        int height = 2;
    };
    explicit MarkedScrollBar(QWidget *parent = nullptr);
    void setMarks(int layer, const QList<Mark> &marks); // layers are drawn in order

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<QList<Mark>> m_layers;
};

} // namespace trainyard
