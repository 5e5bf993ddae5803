// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractScrollArea;

namespace trainyard
{

// An editor or a list within a page that scrolls: the wheel is the page's until the user works in the editor.
void scrollOnlyWithFocus(QAbstractScrollArea *editor);

} // namespace trainyard
