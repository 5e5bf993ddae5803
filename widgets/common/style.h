// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QProxyStyle>

class QAbstractButton;
class QTabBar;

namespace trainyard
{

enum class ThemeMode { System, Light, Dark };

enum class ButtonKind {
    Normal, // raised, with an edge
    Primary, // the one thing to do
    Quiet, // no edge until pointed at
    Link, // text in the accent
};

// How a tab bar looks. The default is Inner.
enum class TabKind {
    Document, // over the central area, accent line at the top
    Inner, // inside a page, accent line below
    Folded, // like Inner while the pages are folded away: no tab is marked
    Card, // grown together with the card under it
};

// The look of ui.md over Fusion. It gives the application palette too: whenever the system's palette changes (or the
// mode is set) the light or the dark tokens follow, live. Large because QStyle is one object: each control and each
// metric is drawn or defined here.
class TrainyardStyle : public QProxyStyle
{
    Q_OBJECT
public:
    TrainyardStyle();
    // Installs the style, fonts and palette on the application; the style of the application afterwards.
    static TrainyardStyle *install(ThemeMode mode = ThemeMode::System);
    static TrainyardStyle *installed();

    ThemeMode themeMode() const { return m_mode; }
    void setThemeMode(ThemeMode mode);

    void polish(QPalette &palette) override;
    void polish(QWidget *widget) override;
    void unpolish(QWidget *widget) override;
    using QProxyStyle::polish;
    using QProxyStyle::unpolish;
    QPalette standardPalette() const override;
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(
        ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
        const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
        const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const override;
    QSize sizeFromContents(
        ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const override;

private:
    ThemeMode m_mode = ThemeMode::System;
};

void setButtonKind(QAbstractButton *button, ButtonKind kind);
ButtonKind buttonKind(const QWidget *button);
bool hasButtonKind(const QWidget *button); // it was set
void setSmall(QWidget *control, bool small = true); // 22 px instead of 28
bool isSmall(const QWidget *control);
void setTabKind(QTabBar *bar, TabKind kind);
TabKind tabKind(const QWidget *bar);
// How the head of a column is cut: a word at its end, a name in its middle.
Qt::TextElideMode elisionOf(const QString &text);
// Edge in the failed colour: for line edits, combo and spin boxes.
void setFieldError(QWidget *field, bool error);
bool hasFieldError(const QWidget *field);

} // namespace trainyard
