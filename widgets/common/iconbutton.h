// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

class QToolButton;

namespace trainyard
{

// A flat button that only shows an icon; its tip and what assistive technology reads are its name.
QToolButton *iconButton(const QString &iconName, const QString &name, Colour role = Colour::Text);

} // namespace trainyard
