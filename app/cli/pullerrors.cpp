// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pullerrors.h"

#include "app/cli/console.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/texts.h"

#include <QDir>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Whether the error is one of the engine, or of the disk on which the files are to be.
bool isOfThisComputer(const QString &code)
{
    static const QStringList disk{u"results.no-room"_s, u"results.folder-unwritable"_s, u"results.not-writable"_s};
    static const QStringList parts{u"engine."_s, u"rpc."_s, u"socket."_s, u"store."_s};
    return disk.contains(code)
        || std::any_of(parts.cbegin(), parts.cend(), [&code](const QString &part) { return code.startsWith(part); });
}

bool isPlain(const Error &why) { return isOfThisComputer(why.code) || why.args.contains("host"_L1); }

} // namespace

std::optional<QString> PullErrors::ofTask(const Error &why, const TaskInfo &task)
{
    const QString key = isPlain(why) ? errorText(why) : task.host + u'\n' + errorText(why);
    if (m_said.contains(key)) {
        return std::nullopt;
    }
    m_said.insert(key);
    return ofFile(why, task);
}

QString PullErrors::ofFile(const Error &why, const TaskInfo &task)
{
    return isPlain(why) || task.host.isEmpty() ? errorText(why)
                                               : tr("%1 on %2: %3").arg(taskLabel(task), task.host, errorText(why));
}

QString PullErrors::whereTheyAre(const Error &why, const TaskInfo &task, const QString &folder)
{
    const bool isAny = why.code == "host.unknown"_L1
        && !QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot).isEmpty();
    return isAny ? tr("What came of %1 before is in %2.").arg(taskLabel(task), folder) : QString();
}

} // namespace trainyard::cli
