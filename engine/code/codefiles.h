// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <atomic>

namespace trainyard
{

// A file of a work folder that is copied to another host (docs/hosts.md, "Code").
struct CodeFile {
    QByteArray path; // below the folder
    QByteArray target; // of a link; it goes along as a link
    qint64 bytes = 0;
    qint64 changedNs = 0; // of its contents, UTC
    qint64 statusNs = 0; // of anything, which no program can set back
    quint64 inode = 0;
    bool isLink = false, isExecutable = false;
    bool isPrivate = false; // no other user may read it

    // Reads the status of what is at `path` now; false: nothing, or neither a file nor a link.
    bool readStatus(const QByteArray &path);
    bool isSameAs(const CodeFile &other) const;
};

struct CodeFiles {
    QString folder;
    QList<CodeFile> files; // in the order of their paths
    qint64 bytes = 0;
    bool isOfGit = false; // git lists them: the tracked files, and those that are neither tracked nor ignored
};

struct CodeLimits {
    qint64 bytes = 0; // 0: any
    qsizetype files = 0;
    QString without = {}; // a file that stays here; empty: none
    QStringList secrets = {}; // values; a file with nothing but one of them stays here, too
};

// The files that git would commit, including submodules; without a repository, all files but those that .gitignore
// files name and those that programs make for themselves (caches, virtual environments). Files that .trainyardignore in
// the folder names stay here in both cases, and so do jobs with secrets and files that are the value of a secret. No
// program of a repository is run. For any thread; waits for git, for 30 s at most, and for the disk. Errors:
// code.folder-missing, code.git-missing, code.git-failed, code.slow, code.cancelled, code.too-big.
Result<CodeFiles> codeFilesOf(
    const QString &folder, const CodeLimits &limits, const std::atomic<bool> *isCancelled = nullptr);

// The greatest ones, the greatest first.
QList<CodeFile> biggestOf(const CodeFiles &files, qsizetype count);

} // namespace trainyard
