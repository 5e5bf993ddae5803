// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace trainyard
{

// Keeps a dialog no wider and no higher than what its screen has free, whatever names are in it: buttons that are off
// the screen cannot be pressed. What is larger all the same is squeezed. The style calls it for every dialog.
void keepOnScreen(QWidget *dialog);

} // namespace trainyard
