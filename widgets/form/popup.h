// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/popupframe.h"

#include <QPointer>
#include <QRect>

#include <functional>

namespace trainyard
{

// A small panel below a chip or button; Escape or a click elsewhere closes it. What was typed is written then, as a
// field does it when it is left; only Escape drops it. It goes with its chip or button, which moves when a field above
// it, that has lost the keys, becomes lower. Deletes itself.
class Popup : public PopupFrame
{
    Q_OBJECT
public:
    explicit Popup(QWidget *parent);
    void openBelow(QWidget *anchor);
    void openAt(QWidget *anchor, const QRect &area); // below a part of it
    // Whether something was typed, and how it is written. `write` closes the panel, or says what is wrong and returns
    // false: the panel stays then.
    void setTyping(std::function<bool()> hasTyped, std::function<bool()> write);
    void finish(); // writes what was typed
    void dismiss(); // closes, and drops it

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    bool hasTyped() const { return m_hasTyped && m_hasTyped(); }
    std::function<bool()> m_hasTyped, m_write;
    bool m_isAnswered = false; // what was typed is being written, or dropped
    QPointer<QWidget> m_anchor;
    QRect m_part;
};

} // namespace trainyard
