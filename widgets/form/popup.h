// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/popupframe.h"

namespace trainyard
{

// A small panel below a chip or button; Escape or a click elsewhere closes it. Deletes itself.
class Popup : public PopupFrame
{
    Q_OBJECT
public:
    explicit Popup(QWidget *parent);
    void openBelow(QWidget *anchor);
    void openAt(QWidget *anchor, const QRect &area); // below a part of it

protected:
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace trainyard
