// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"
#include "engine/contract/messages.h"

#include <QStringList>

namespace trainyard
{

// A folder that holds much more than a job is no code: what is copied of it would be a surprise. `own`: the folders of
// the engine.
bool mayBeCopied(const QString &folder, const QStringList &own);

// Whether a host has the same folder by a shared file system: nobody else has files with these numbers and times. The
// newest ones count, because computers that are copies of each other have the same old ones.
QStringList probedPaths(const CodeFiles &files);
contract::Look lookAt(const QStringList &paths);
bool isSameThere(const QStringList &paths, const contract::Message &seen); // the answer to lookAt()

} // namespace trainyard
