// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractButton;

namespace trainyard
{

// Return presses the button while it has the focus, as Space does. In a dialog it is the key of the default button.
// May be called again for the same button.
void pressByReturn(QAbstractButton *button);

// The second press of a double click counts for nothing: the first one may have brought another page below the pointer,
// or made a button of the opposite.
void pressOnceByDoubleClick(QAbstractButton *button);

} // namespace trainyard
