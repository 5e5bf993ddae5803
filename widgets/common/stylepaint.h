// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/style.h"

#include <QRegion>

class QPainter;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionToolButton;
class QStyleOptionViewItem;

// The drawing of the style, one function per thing. Used by TrainyardStyle and by delegates; takes no part in layout.
// Large because there are many things to draw, and none of the functions has more to it.
namespace trainyard::stylepaint
{

struct Frame {
    bool enabled = true;
    bool hover = false;
    bool pressed = false;
    bool focus = false;
    bool error = false;
    bool pill = false; // round ends
    bool readOnly = false; // of a field
};
bool showsFocus(const QWidget *widget); // has it, and was given it by keyboard
bool isInsideField(const QWidget *widget); // the editor of a combo or spin box
Frame frameOf(const QStyleOption *option, const QWidget *widget);

void roundedBox(QPainter *painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &edge);
void focusRing(QPainter *painter, const QRectF &rect, qreal radius, const QColor &accent);
// Floating widgets: menus, tool tips, drop-down lists, help cards. As a window, such a widget is clipped by the mask.
void popupPanel(QPainter *painter, const QRect &rect, const QPalette &palette);
bool isComboPopup(const QWidget *widget); // the window of a combo box's list, for which Qt has no type
QRegion popupMask(const QRect &rect);
void field(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame);
void button(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, ButtonKind kind,
    bool checked, bool small);
void checkBox(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, Qt::CheckState state);
void radioButton(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, bool on);
void chevronPair(QPainter *painter, const QRectF &rect, const QColor &colour); // of spin boxes
void tabShape(QPainter *painter, const QStyleOptionTab *option, TabKind kind);
// The arrow of a tab bar, over what the bar lies on.
void tabScroller(QPainter *painter, const QStyleOptionToolButton *option, const Frame &frame, Colour ground);
void rowGround(QPainter *painter, const QRect &rect, const QPalette &palette, bool selected, bool hover, bool bar);
// The same for lists that lie on the window itself: the panes at the side.
void sideRowGround(QPainter *painter, const QRect &rect, const QPalette &palette, bool selected, bool hover);
// Where the words of a head over numbers are, which end where the numbers do, or the arrow of the order before them.
QRect numberHead(const QStyleOptionHeader *option, bool isArrow);
void headerSection(QPainter *painter, const QStyleOptionHeader *option);
void menuItem(QPainter *painter, const QStyleOptionMenuItem *option, const QStyle *style);
void scrollBar(QPainter *painter, const QStyleOptionSlider *option, const QRect &slider);
void slider(QPainter *painter, const QStyleOptionSlider *option, const QRect &groove, const QRect &handle);
void toolButton(QPainter *painter, const QStyleOptionToolButton *option, const QWidget *widget, const QStyle *style);
void buttonLabel(QPainter *painter, const QStyleOptionButton *option, const QWidget *widget);

} // namespace trainyard::stylepaint
