// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard
{

// The folder in which the tasks of a job run, as a place sees it whose user has this home folder. Where the document's
// own file is seen too (`isHere`), its folder stands in for one that is not named. Empty: each try has one of its own.
QString workFolderOf(const StoredDocument &document, const QString &home, bool isHere);

} // namespace trainyard
