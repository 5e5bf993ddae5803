// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

#include <QStringList>

namespace trainyard
{

// The commit of a copied work folder, and its uncommitted changes: a record of contract/environmentrecord.h with only
// its `git`. It names only files that are copied, and contains no secret of the job. Empty: the folder is not in a git
// repository. For any thread; waits for git, a few seconds at most.
QByteArray codeOriginOf(
    const CodeFiles &code, const QStringList &secrets, const std::atomic<bool> *isCancelled = nullptr);

} // namespace trainyard
