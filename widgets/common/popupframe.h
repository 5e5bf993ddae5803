// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace trainyard
{

// The look of panels that float above the window: background and border, with round corners.
class PopupFrame : public QFrame
{
    Q_OBJECT
public:
    using QFrame::QFrame;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
};

} // namespace trainyard
