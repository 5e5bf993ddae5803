// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/popupframe.h"

#include <QPointer>
#include <QRect>

namespace trainyard
{

// A small panel below a chip or button; Escape or a click elsewhere closes it. It goes with its chip or button, which
// moves when a field above it, that has lost the keys, becomes lower. Deletes itself.
class Popup : public PopupFrame
{
    Q_OBJECT
public:
    explicit Popup(QWidget *parent);
    void openBelow(QWidget *anchor);
    void openAt(QWidget *anchor, const QRect &area); // below a part of it

protected:
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    QPointer<QWidget> m_anchor;
    QRect m_part;
};

} // namespace trainyard
