// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

namespace trainyard
{

// Something in a work folder that is not copied to another host, and by which rule.
struct LeftOut {
    // Git: what git keeps for itself. GitIgnore: .gitignore, and what else git is told to ignore. OwnIgnore:
    // .trainyardignore. Programs: what programs make for themselves. Empty: a folder without files. Special: neither
    // a file nor a link. Document: a job or a file with values of secrets, which
    // reach no disk of a host.
    enum class By { Git, GitIgnore, OwnIgnore, Programs, Empty, Special, Document };
    QByteArray path; // of a whole folder with "/" at its end
    By by = By::GitIgnore;
    qint64 bytes = 0;
    qsizetype files = 0;
    bool isCut = false; // there is more in it than was counted
};

// "gitignore", for programs that read it.
QString leftOutWord(LeftOut::By by);

// The contents of the folder other than `code`, the largest first: whole folders if nothing in them is copied.
// `without` as of CodeLimits. For any thread; waits for git and for the disk.
QList<LeftOut> leftOutOf(
    const CodeFiles &code, const QString &without = {}, const std::atomic<bool> *isCancelled = nullptr);

} // namespace trainyard
