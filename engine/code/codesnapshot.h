// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"
#include "engine/contract/codetree.h"

#include <QHash>

#include <mutex>

namespace trainyard
{

// Watches reading that may take long.
struct ReadWatch {
    const std::atomic<bool> *isCancelled = nullptr; // then the file counts as one that cannot be read
    std::atomic<qint64> *bytesRead = nullptr;
};

// The names of contents by what the file system says of their files, so that only files that changed are read again.
// For any thread.
class CodeNames
{
public:
    // Reads the file if necessary. Empty: it cannot be read, or has changed.
    QByteArray of(const QByteArray &path, const CodeFile &file, const ReadWatch &watch = {});
    // Load and save the names, so that what was read once need not be read again by another engine. A file that is not
    // as save() makes it is left alone; save() does nothing while there is nothing new.
    void load(const QString &file);
    void save(const QString &file);

private:
    struct Known {
        CodeFile file;
        QByteArray name;
    };
    std::mutex m_lock;
    QHash<QByteArray, Known> m_known; // by path
    bool m_isNew = false; // there is something that was not saved
};

// A work folder as it was at a moment.
struct CodeSnapshot {
    CodeFiles code;
    std::vector<contract::CodeEntry> entries; // the same files, in the same order
    QByteArray text; // the tree
    QByteArray tree; // its name
    QByteArray origin; // codeOriginOf(), where it is wanted
};

// The errors of codeFilesOf(), and code.unreadable. For any thread; reads what has changed since `names` saw it.
Result<CodeSnapshot> snapshotOf(
    const QString &folder, const CodeLimits &limits, CodeNames &names, const std::atomic<bool> *isCancelled = nullptr);

} // namespace trainyard
