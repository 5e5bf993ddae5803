// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// A gap in the record of a task's environment and its reason, as a sentence, by its code ("git.slow",
// docs/task-folder.md).
QString environmentGapText(const QString &code);
// "main, 1234abcd", "commit 1234abcd" of a detached head, or that there is no commit; `short` has the first 10 digits.
QString commitText(const QString &branch, const QString &commit, bool isShort);

} // namespace trainyard
