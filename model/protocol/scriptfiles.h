// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <functional>

namespace trainyard
{

// Where the commands of a job start on this computer. An empty folder: in one that is made for the job and has nothing.
struct ScriptPlace {
    QString folder;
    std::function<bool(const QString &file)> has; // a relative file
    std::function<QStringList()> files = {}; // relative ones in and below the folder, of which one may be meant
};

// The script that an item of `commands` begins with: a relative file.
struct ScriptWord {
    QString file; // empty: it runs none
    qsizetype at = 0; // where the word begins in the item
    bool goesOn = false; // without one: whether the next item may begin with one, since nothing can have brought it
};
ScriptWord scriptWord(const QString &command);

// The scripts with which the commands of a job begin and that nothing in the job has brought, each once: they have to
// be where the commands start.
QStringList neededScripts(const JobSpec &job);

// Warns of scripts that the commands begin with ("python3 train.py") and that are not in the work folder. Only of those
// before which nothing can have brought them or gone elsewhere. It is not part of parseJob(), because files come and go
// while the text stays.
//
// role.script-missing   file, folder    with a fix when a file of the folder seems to be meant
// role.script-unsaved   file            the document has no folder yet
QList<Diagnostic> checkScriptFiles(const YamlDocument &document, const JobSpec &job, const ScriptPlace &place);

} // namespace trainyard
