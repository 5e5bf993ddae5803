// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/untrackedfiles.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// "runs/" of "--out runs/$TRAINYARD_JOB_ID/best.pt", for each such path in the texts.
QStringList outputFolders(const QList<CompareRun> &runs)
{
    static const QRegularExpression path(
        uR"(([^\s"'=:;<>|&(){}$]+/)[^\s"'=:;<>|&()/$]*\$\{?(?:TRAINYARD_(?:JOB_ID|JOB_NAME|TRY)|PAI_JOB_NAME|FC_FRAMEWORK_NAME)\b)"_s);
    QStringList folders;
    QByteArray last;
    for (const CompareRun &run : runs) {
        if (run.yaml == last) {
            continue;
        }
        last = run.yaml;
        for (auto it = path.globalMatch(QString::fromUtf8(run.yaml)); it.hasNext();) {
            QString folder = it.next().captured(1);
            while (folder.startsWith("./"_L1)) {
                folder.remove(0, 2);
            }
            if (!folder.isEmpty() && !folder.startsWith(u'/') && !folder.startsWith("../"_L1)) {
                folders.append(folder);
            }
        }
    }
    folders.removeDuplicates();
    return folders;
}

// Names begin in the top folder of the repository, paths of commands in the work folder, which may be below it. A
// folder of which nothing is tracked is one name.
bool isIn(const QString &folder, const QString &name)
{
    return QString(u'/' + name).contains(QString(u'/' + folder)) || (name.endsWith(u'/') && folder.startsWith(name));
}

} // namespace

QStringList differingUntracked(const CompareFact &untracked, const QList<CompareRun> &runs)
{
    const QStringList folders = outputFolders(runs);
    const auto isOutput = [&](const QString &name) {
        return std::ranges::any_of(folders, [&name](const QString &folder) { return isIn(folder, name); })
            || std::ranges::any_of(runs,
                [&name](const CompareRun &run) { return !run.job.uuid.isEmpty() && name.contains(run.job.uuid); });
    };
    QHash<QString, qsizetype> counts;
    qsizetype known = 0;
    for (qsizetype i = 0; i < runs.size() && i < untracked.values.size(); ++i) {
        if (!isKnownOf(untracked, runs.at(i))) {
            continue;
        }
        ++known;
        const QStringList names = untracked.values.at(i).split(u", "_s, Qt::SkipEmptyParts);
        for (const QString &name : QSet<QString>(names.cbegin(), names.cend())) {
            ++counts[name];
        }
    }
    QStringList different;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        if (it.value() < known && !isOutput(it.key())) {
            different.append(it.key());
        }
    }
    different.sort();
    return different;
}

} // namespace trainyard
