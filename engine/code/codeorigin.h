// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

#include <QStringList>

namespace trainyard
{

// The commit of a copied work folder, and what in it is not committed: a record as of contract/environmentrecord.h with
// nothing but its `git`. It names only files that go along, and has no secret of the job. Empty: git knows nothing of
// the folder. For any thread; waits for git, a few seconds at most.
QByteArray codeOriginOf(
    const CodeFiles &code, const QStringList &secrets, const std::atomic<bool> *isCancelled = nullptr);

} // namespace trainyard
