// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard
{

// The folder in which the tasks of a job run, as seen on a machine where the user has this home folder. If the
// document's own file is seen there too (`isHere`), its folder is used when none is named. Empty: each try has its own.
QString workFolderOf(const StoredDocument &document, const QString &home, bool isHere);
// A folder that a job or its submission names, relative to the job's file, like all paths in it. Empty: none was
// named, or there is no file.
QString namedWorkFolder(const QString &named, const QString &file);
// The folder that was named beside the text of the job when it was submitted. Empty: its text or its file says it.
QString workBesideText(const StoredDocument &document);

} // namespace trainyard
