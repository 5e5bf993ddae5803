// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

class QWidget;

namespace trainyard
{

// The design system's values: every colour and every measure of the program is defined here and nowhere else.
// The theme of a place is the theme of its palette, so one window can show both (the style test page does).
enum class Theme { Light, Dark };

enum class Colour {
    Window,
    Surface,
    Raised,
    Field,
    Border,
    Text,
    Muted,
    Accent,
    OnAccent,
    Hover,
    Selection,
    Edge,
    FieldEdge, // of fields and choices: visible as a separate shape
    Mark,
    Track,
    Waiting,
    Running,
    Stopping,
    Succeeded,
    Failed,
    Stopped,
    Lost,
    FailedTint,
    WaitingTint,
    SucceededTint,
    Hit,
    CurrentHit,
    OnCurrentHit,
    SyntaxKey,
    SyntaxString,
    SyntaxNumber,
    SyntaxReference,
    SyntaxComment,
    Series1,
    Series2,
    Series3,
    Series4,
    Series5,
    Series6,
    Series7,
    Series8,
};
inline constexpr int colourCount = int(Colour::Series8) + 1;

QColor colour(Colour role, Theme theme);
QColor colour(Colour role, const QPalette &palette);
QColor colour(Colour role, const QWidget *widget);
QColor withAlpha(QColor colour, qreal alpha);
// `top` laid over `ground` at `alpha`: an opaque colour.
QColor mixed(const QColor &top, const QColor &ground, qreal alpha);

// The ground of selected text in fields and editors, with the contrast that WCAG requires of shapes (3:1), and the
// colour of the text on it.
QColor textSelection(const QColor &ground, Theme theme);
QColor selectedText(Theme theme);
// Where text keeps its colours on it, as in logs: a tint on which they can be read.
QColor selectionTint(const QColor &ground, Theme theme);

Theme themeOf(const QPalette &palette);
Theme themeOf(const QWidget *widget);
// The application palette of a theme; the style installs it.
QPalette themePalette(Theme theme);

// Dashes of the plot series 1 to 8, in pen widths; empty is solid.
QList<qreal> seriesDash(int series);
// Lines have looks: 0 to 7 are the plot series 1 to 8; later ones have their colours again with other dashes, so that
// no two of these looks are alike.
inline constexpr int seriesCount = 8, lookCount = seriesCount * seriesCount;
Colour lookColour(int look);
QList<qreal> lookDash(int look);

// Text over ground, as WCAG 2 has it: 1 to 21.
qreal contrast(const QColor &text, const QColor &ground);

// Logical pixels.
namespace metrics
{
inline constexpr int space1 = 4, space2 = 8, space3 = 12, space4 = 16, space5 = 24;
inline constexpr int toolBar = 44, statusLine = 26, documentTab = 34, innerTab = 32;
inline constexpr int sideWidth = 248, sideMinimum = 200;
inline constexpr int pageHead = 48, pageBar = 36, paneHead = 36, sideHead = 34, infoBar = 32;
inline constexpr int row = 28, groupRow = 26, hostRow = 52, logLine = 18;
inline constexpr int field = 28, smallButton = 22, segment = 24, checkBox = 16, chip = 24;
inline constexpr int labelColumn = 92, labelGap = 12, formRowGap = 8, formMaximum = 640;
inline constexpr int radius = 5, smallRadius = 4, cardRadius = 8, tabRadius = 6, popupRadius = 6;
inline constexpr int toolIcon = 18, rowIcon = 16, smallIcon = 14, tinyIcon = 12, stateShape = 14, countShape = 12;
inline constexpr int gpuCellWidth = 9, gpuCellHeight = 14, gpuCellGap = 2;
inline constexpr int sparkWidth = 64, sparkHeight = 16, progressBar = 6, meterBar = 4, meterWidth = 36;
inline constexpr int selectionBar = 3, focusRing = 2, tabLine = 2, scrollBar = 12;
inline constexpr int motionMs = 120;
} // namespace metrics

// The system's fonts at our sizes. `fixed` is one point under the UI font, or logs become too wide.
namespace fonts
{
QFont ui();
QFont small();
QFont tiny(); // plot axes, key caps
QFont semibold(); // names
QFont medium(); // active tabs, buttons
QFont heading(); // 16 px at 100 %
QFont title(); // 20 px
QFont fixed();
} // namespace fonts

} // namespace trainyard
