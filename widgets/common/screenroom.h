// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace trainyard
{

// Keeps a dialog within the free area of its screen, whatever names are in it: buttons that are off the screen cannot
// be pressed. A dialog that is larger nevertheless is squeezed. The style calls it for every dialog.
void keepOnScreen(QWidget *dialog);

} // namespace trainyard
