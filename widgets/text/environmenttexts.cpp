// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/environmenttexts.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class EnvironmentWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Environment)
public:
    static QString gap(const QString &code)
    {
        return code == "git.slow"_L1  ? tr("git took too long, so the commit is not known.")
            : code == "git.failed"_L1 ? tr("git refused to read the repository of the work folder.")
            : code == "git.later"_L1  ? tr("What was changed in the repository after the task had begun is left out.")
            : code == "diff.slow"_L1  ? tr("git took too long to list the uncommitted changes.")
            : code == "untracked.slow"_L1   ? tr("git took too long to list the untracked files.")
            : code == "python.slow"_L1      ? tr("The list of packages is not complete: the disk took too long.")
            : code == "python.wrapper"_L1   ? tr("The program python is a script, so its packages are not known.")
            : code == "python.container"_L1 ? tr("Python and its packages are inside the image and were not read.")
            : code == "record.away"_L1
            ? tr("The rest is in the record of the task that started first, which is not on this computer.")
            : code;
    }
    static QString commit(const QString &branch, const QString &commit)
    {
        return commit.isEmpty() ? tr("no commit yet")
            : branch.isEmpty()  ? tr("commit %1").arg(commit)
                                : tr("%1, %2").arg(branch, commit);
    }
};

} // namespace

QString environmentGapText(const QString &code) { return EnvironmentWords::gap(code); }

QString commitText(const QString &branch, const QString &commit, bool isShort)
{
    constexpr int digits = 10;
    return EnvironmentWords::commit(branch, isShort ? commit.left(digits) : commit);
}

} // namespace trainyard
