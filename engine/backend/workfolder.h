// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard
{

// The folder in which the tasks of a job run, as a place sees it whose user has this home folder. Where the document's
// own file is seen too (`isHere`), its folder stands in for one that is not named. Empty: each try has one of its own.
QString workFolderOf(const StoredDocument &document, const QString &home, bool isHere);
// A folder that a job or its submission names, relative to the job's file, as everything written in it. Empty: none was
// named, or there is no file.
QString namedWorkFolder(const QString &named, const QString &file);
// The folder that was named beside the text of the job when it was submitted. Empty: its text or its file says it.
QString workBesideText(const StoredDocument &document);

} // namespace trainyard
