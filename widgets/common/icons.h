// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QIcon>
#include <QPixmap>

class QPainter;

namespace trainyard
{

// Icons of resources/icons, drawn from their SVG at the size and the device pixel ratio asked for. An icon takes its
// colour from the theme of the place it is painted in: disabled is fainter, "on" is the accent.
QIcon icon(const QString &name, Colour role = Colour::Text);
// One icon drawn straight away; `rect` is filled.
void paintIcon(QPainter *painter, const QString &name, const QRectF &rect, const QColor &colour);
QPixmap iconPixmap(const QString &name, int size, qreal devicePixelRatio, const QColor &colour);

// The theme of the innermost scope, else of the application.
Theme currentIconTheme();

// While one lives, icons are painted for the theme of that palette. The style sets it around each drawing call.
class IconThemeScope
{
public:
    explicit IconThemeScope(const QPalette &palette);
    ~IconThemeScope();
    IconThemeScope(const IconThemeScope &) = delete;
    IconThemeScope &operator=(const IconThemeScope &) = delete;

private:
    int m_before;
};

} // namespace trainyard
