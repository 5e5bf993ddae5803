// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "widgets/common/tokens.h"

namespace trainyard
{

// How an error, a warning and a note look, wherever they are shown: a note is a muted "(i)" and never a triangle.
QString iconOf(Severity severity);
Colour colourOf(Severity severity);
Colour groundOf(Severity severity); // of a bar about it

} // namespace trainyard
