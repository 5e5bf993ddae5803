// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;

namespace trainyard
{

class InfoBar;

// Says in `bar` that `sentence` (plain text) is so of the file at `path`, with a button that shows it in its folder.
void saySaved(InfoBar *bar, const QString &sentence, const QString &path);
// The same with "<path> is saved."
void saySaved(InfoBar *bar, const QString &path);
// With the file manager of the desktop. What is in the way is said in `bar`.
void showInFolder(InfoBar *bar, const QString &path);

} // namespace trainyard
