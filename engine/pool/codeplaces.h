// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

#include <QStringList>

namespace trainyard
{

// A folder that holds much more than a job is not code: a copy of it would be a surprise. `own`: the folders of
// the engine.
bool mayBeCopied(const QString &folder, const QStringList &own);

// In the folder of a document: what its tasks may want to find beside it.
bool hasOtherFiles(const QString &document);

// The folder and its newest files, by which a shared file system is noticed (sharedfolder.h).
QStringList probedPaths(const CodeFiles &files);

} // namespace trainyard
