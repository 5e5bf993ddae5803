// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tokens.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QWidget>

#include <array>
#include <cmath>

namespace trainyard
{
namespace
{
struct Pair {
    QRgb light;
    QRgb dark;
};
constexpr std::array<Pair, colourCount> table{{
    {0xF6F7F9, 0x1B1D21}, // Window
    {0xFFFFFF, 0x23262B}, // Surface
    {0xFFFFFF, 0x2A2E34}, // Raised
    {0xFFFFFF, 0x1B1D21}, // Field
    {0xDDE1E6, 0x3A3F47}, // Border
    {0x1C2128, 0xE6E9EE}, // Text
    {0x5B6470, 0x9AA4B2}, // Muted
    {0x2563EB, 0x6EA0FF}, // Accent
    {0xFFFFFF, 0x10141B}, // OnAccent
    {0xEEF1F4, 0x2A2E34}, // Hover
    {0xEAF1FE, 0x2A3750}, // Selection
    {0xBFC6CF, 0x4C535D}, // Edge
    {0x878F9B, 0x707985}, // FieldEdge
    {0x858E9A, 0x7D8794}, // Mark
    {0xE3E7EC, 0x373C44}, // Track
    {0x7D6000, 0xE0B94B}, // Waiting
    {0x2563EB, 0x6EA0FF}, // Running
    {0x626973, 0xA0A8B4}, // Stopping
    {0x187344, 0x4CC38A}, // Succeeded
    {0xC4372C, 0xFF7B72}, // Failed
    {0x626973, 0xA0A8B4}, // Stopped
    {0x7D3C98, 0xC39BD3}, // Lost
    {0xFDF0EE, 0x2E2528}, // FailedTint
    {0xFCF6E0, 0x302B1E}, // WaitingTint
    {0xEAF6EF, 0x1F2F28}, // SucceededTint
    {0xFFE08A, 0x6B5716}, // Hit
    {0xFF9F43, 0xB4690E}, // CurrentHit
    {0x10141B, 0x07090C}, // OnCurrentHit
    {0x0B5394, 0x8AB8FF}, // SyntaxKey
    {0x1A6B3C, 0x7BD3A1}, // SyntaxString
    {0x9A4A00, 0xF0B072}, // SyntaxNumber
    {0x8A2C8F, 0xDFA0E4}, // SyntaxReference
    {0x5B6470, 0x9AA4B2}, // SyntaxComment
    // Series1 to Series8: every two are as distinct as possible, also for users who do not see red or green.
    {0x2563EB, 0x6EA0FF},
    {0xB14500, 0xC66800},
    {0x18A36E, 0x64EEC3},
    {0xD2519B, 0xF2549C},
    {0x2A1D88, 0x9058EC},
    {0x005365, 0x41C6D8},
    {0x99902B, 0xCFC83A},
    {0x561423, 0xE4A78D},
}};

qreal luminance(const QColor &c)
{
    const auto linear = [](qreal v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

QFont scaled(qreal points, QFont::Weight weight)
{
    QFont font = fonts::ui();
    font.setPointSizeF(font.pointSizeF() + points);
    font.setWeight(weight);
    return font;
}
} // namespace

QColor colour(Colour role, Theme theme)
{
    const Pair &pair = table.at(size_t(role));
    return QColor::fromRgb(theme == Theme::Light ? pair.light : pair.dark);
}

QColor colour(Colour role, const QPalette &palette) { return colour(role, themeOf(palette)); }
QColor colour(Colour role, const QWidget *widget) { return colour(role, themeOf(widget)); }

QColor withAlpha(QColor colour, qreal alpha)
{
    colour.setAlphaF(float(alpha));
    return colour;
}

QColor mixed(const QColor &top, const QColor &ground, qreal alpha)
{
    const auto mix = [alpha](qreal a, qreal b) { return float(a * alpha + b * (1 - alpha)); };
    return QColor::fromRgbF(
        mix(top.redF(), ground.redF()), mix(top.greenF(), ground.greenF()), mix(top.blueF(), ground.blueF()));
}

QColor textSelection(const QColor &ground, Theme theme)
{
    return mixed(colour(Colour::Accent, theme), ground, theme == Theme::Light ? 0.73 : 0.61);
}

QColor selectedText(Theme theme) { return theme == Theme::Light ? colour(Colour::Text, theme) : QColor(Qt::white); }

QColor selectionTint(const QColor &ground, Theme theme)
{
    return mixed(colour(Colour::Accent, theme), ground, theme == Theme::Light ? 0.34 : 0.42);
}

Theme themeOf(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::WindowText).lightness() > 127 ? Theme::Dark : Theme::Light;
}

Theme themeOf(const QWidget *widget) { return themeOf(widget ? widget->palette() : QGuiApplication::palette()); }

QPalette themePalette(Theme theme)
{
    const auto c = [theme](Colour role) { return colour(role, theme); };
    QPalette p;
    p.setColor(QPalette::Window, c(Colour::Window));
    p.setColor(QPalette::WindowText, c(Colour::Text));
    p.setColor(QPalette::Base, c(Colour::Surface));
    p.setColor(QPalette::AlternateBase, c(Colour::Window));
    p.setColor(QPalette::Text, c(Colour::Text));
    p.setColor(QPalette::PlaceholderText, c(Colour::Muted));
    p.setColor(QPalette::Button, c(Colour::Raised));
    p.setColor(QPalette::ButtonText, c(Colour::Text));
    p.setColor(QPalette::BrightText, c(Colour::Failed));
    p.setColor(QPalette::Highlight, textSelection(c(Colour::Field), theme));
    p.setColor(QPalette::HighlightedText, selectedText(theme));
    p.setColor(QPalette::Link, c(Colour::Accent));
    p.setColor(QPalette::LinkVisited, c(Colour::Accent));
    p.setColor(QPalette::ToolTipBase, c(Colour::Raised));
    p.setColor(QPalette::ToolTipText, c(Colour::Text));
    p.setColor(QPalette::Light, c(Colour::Raised));
    p.setColor(QPalette::Midlight, c(Colour::Hover));
    p.setColor(QPalette::Mid, c(Colour::Border));
    p.setColor(QPalette::Dark, c(Colour::Edge));
    p.setColor(QPalette::Shadow, c(Colour::Mark));
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        p.setColor(QPalette::Disabled, role, c(Colour::Muted));
    }
    p.setColor(QPalette::Disabled, QPalette::WindowText, c(Colour::Muted));
    return p;
}

QList<qreal> seriesDash(int series)
{
    switch (series) {
    case 2:
        return {3, 1.5};
    case 3:
        return {1, 1.25};
    case 4:
        return {4.5, 1.5, 1, 1.5};
    case 5:
        return {6, 1.5};
    case 6:
        return {2, 1, 0.5, 1, 0.5, 1};
    case 7: // the palest: dots alone would be hard to see
        return {7, 1, 1, 1, 1, 1};
    case 8:
        return {3.5, 1, 3.5, 3};
    default:
        return {};
    }
}

Colour lookColour(int look) { return Colour(int(Colour::Series1) + look % seriesCount); }

QList<qreal> lookDash(int look) { return seriesDash((look + look / seriesCount) % seriesCount + 1); }

qreal contrast(const QColor &text, const QColor &ground)
{
    const qreal a = luminance(text);
    const qreal b = luminance(ground);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

namespace fonts
{
QFont ui()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPointSizeF(std::max(10.0, font.pointSizeF()));
    return font;
}
QFont small() { return scaled(-1, QFont::Normal); }
QFont tiny() { return scaled(-1.75, QFont::Normal); }
QFont semibold() { return scaled(0, QFont::DemiBold); }
QFont medium() { return scaled(0, QFont::Medium); }
QFont heading() { return scaled(ui().pointSizeF() * 0.25, QFont::DemiBold); }
QFont title() { return scaled(ui().pointSizeF() * 0.5, QFont::DemiBold); }
QFont fixed()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(ui().pointSizeF() - 1);
    font.setStyleHint(QFont::Monospace);
    return font;
}
} // namespace fonts

} // namespace trainyard
