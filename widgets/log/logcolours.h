// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logtext.h"

#include <QColor>

class QWidget;

namespace trainyard::logcolours
{

struct Colours {
    QColor ink;
    QColor ground; // invalid: none of its own
};
// The colours that a program has given to a part of a line, as the theme of the widget has them; `plain` is the ink of
// what has none. The ink can be read on the ground.
Colours of(const LogText::Run &run, const QColor &plain, const QWidget *widget);
// Its ink where something else lies over its ground.
QColor inkOf(const LogText::Run &run, const QColor &plain, const QWidget *widget);

} // namespace trainyard::logcolours
