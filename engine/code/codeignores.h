// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codegit.h"

#include <QByteArrayList>

#include <memory>

class QTemporaryDir;

namespace trainyard
{

// The files of a folder without a repository that stay here: git reads the ignore files, with an empty repository that
// Trainyard makes. For one thread; waits for git.
class CodeIgnores
{
public:
    CodeIgnores(const QString &top, const CodeGit &git);
    ~CodeIgnores();

    // `ls-files -o` with more arguments, and without a repository. The errors of CodeGit.
    Result<QByteArray> ask(const QString &folder, const QStringList &arguments);
    // "--exclude-from=" with what programs make for themselves and for the place where they are.
    Result<QString> excludeMade();
    // The files that .trainyardignore in the folder names, and folders with "/" at their end.
    Result<QByteArrayList> namedByOwnFile();
    // The files that programs have made for themselves in a folder without a repository, in the same form.
    Result<QByteArrayList> madeByPrograms();

private:
    Result<void> prepareEmpty();
    Result<QByteArrayList> ignored(const QString &exclude);

    const QString m_top;
    const CodeGit &m_git;
    std::unique_ptr<QTemporaryDir> m_empty; // a repository of nothing
};

} // namespace trainyard
