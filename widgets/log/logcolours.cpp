// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logcolours.h"

#include "widgets/common/style.h"

#include <utility>

namespace trainyard::logcolours
{
namespace
{
constexpr qreal legible = 4.5; // contrast of text
constexpr int exactColours = 0x1000000; // from here on a colour is its RGB value

QColor terminalColour(int code, const QWidget *widget)
{
    if (code >= exactColours) {
        // The requested colour, but legible on our background.
        QColor wanted = QColor::fromRgb(QRgb(code & 0xffffff));
        const QColor ground = colour(Colour::Surface, widget);
        const QColor text = colour(Colour::Text, widget);
        for (int i = 0; i < 4 && contrast(wanted, ground) < 3; ++i) {
            wanted = mixed(text, wanted, 0.3);
        }
        return wanted;
    }
    switch (code % 8) {
    case 0:
        return colour(code == 8 ? Colour::Muted : Colour::Text, widget);
    case 1:
        return colour(Colour::Failed, widget);
    case 2:
        return colour(Colour::Succeeded, widget);
    case 3:
        return colour(Colour::Waiting, widget);
    case 4:
        return colour(Colour::Accent, widget);
    case 5:
        return colour(Colour::Lost, widget);
    case 6:
        return colour(Colour::SyntaxKey, widget);
    default:
        return colour(Colour::Text, widget);
    }
}

// Black and white are the window's own colours: as a background they only set text apart.
QColor terminalGround(int code, const QWidget *widget)
{
    if (code >= exactColours) {
        return QColor::fromRgb(QRgb(code & 0xffffff));
    }
    return code % 8 == 0 || code % 8 == 7 ? colour(Colour::Track, widget) : terminalColour(code, widget);
}
} // namespace

QColor inkOf(const LogText::Run &run, const QColor &plain, const QWidget *widget)
{
    return run.colour < 0 ? plain : terminalColour(run.colour, widget);
}

Colours of(const LogText::Run &run, const QColor &plain, const QWidget *widget)
{
    QColor ink = inkOf(run, plain, widget);
    QColor ground = run.ground < 0 ? QColor() : terminalGround(run.ground, widget);
    if (run.reversed) {
        const QColor own = ground.isValid() ? ground : colour(Colour::Surface, widget);
        ground = std::exchange(ink, own);
    }
    if (ground.isValid() && contrast(ink, ground) < legible) {
        const QColor text = colour(Colour::Text, widget);
        const QColor surface = colour(Colour::Surface, widget);
        ink = contrast(text, ground) > contrast(surface, ground) ? text : surface;
    }
    return {ink, ground};
}

} // namespace trainyard::logcolours
