// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/resultrules.h"

#include "engine/api/tasklabel.h"

#include <QDir>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype mostBeside = 5;
constexpr qint64 longestAwayOfResultsMs = 86'400'000;
constexpr int fewestAwayAnswers = 5; // a clock may have jumped

QJsonObject factsOf(const ResultTask &task, const QList<BringFile> &files, qint64 limit)
{
    qint64 bytes = 0;
    for (const BringFile &file : files) {
        bytes += file.bytes;
    }
    return {{u"files"_s, files.size()}, {u"bytes"_s, bytes}, {u"limit"_s, limit}, {u"path"_s, files.first().path},
        {u"job"_s, task.number}, {u"task"_s, taskLabel(task.role, task.index)}};
}

} // namespace

std::optional<ResultTask> resultTaskOf(
    const AgentFolders &folders, const LiveTry &entry, const QUuid &tryUuid, const PoolHost &at, const QString &work)
{
    const ActiveJob &job = *entry.job;
    if (!job.spec || job.spec->trainyard.results.files.isEmpty() || work.isEmpty()) {
        return std::nullopt;
    }
    // A folder of ours, or one that the host has for itself: what the user has here needs no copy.
    const StoredDocument &document = job.document;
    const bool isHere = at.isLocal()
        ? !AgentFolders::workOn(at, document).isEmpty()
        : document.copiesWork && !work.startsWith(QString::fromStdString(at.agent->hello().stateFolder) + u'/');
    if (isHere) {
        return std::nullopt;
    }
    return resultTaskAt(folders, job, {entry.task, tryUuid, entry.localFolder, at.id, work});
}

ResultTask resultTaskAt(const AgentFolders &folders, const ActiveJob &job, const ResultPlace &place)
{
    const ResultsRule &rule = job.spec->trainyard.results;
    ResultTask task;
    task.tryUuid = place.tryUuid;
    task.job = job.uuid();
    task.number = job.state.meta.id;
    task.role = job.state.roleName(place.task);
    task.index = place.task.index;
    // The state of the task may be that of its next try already; the folder is that of this one.
    task.order = bringOrder(
        place.localFolder.section(u'/', -3, -3).toLongLong(), place.localFolder.section(u'/', -1).toLongLong());
    task.host = place.host;
    task.folder = place.work;
    const QString folder = resultsFolder(rule.to, job.document.file, QDir::homePath(), folders.local().ofJob(task.job));
    task.to = QDir::cleanPath(folder + u'/' + resultsFolderOfJob(task.number, job.state.meta.name) + u'/'
        + resultsFolderOfTask(task.role, task.index));
    task.globs = rule.files;
    task.during = rule.during;
    task.maxFileMiB = rule.maxFileMB;
    task.maxMiB = rule.maxMB;
    return task;
}

bool isGoneForGood(qint64 awaySince, int answers, qint64 nowMs)
{
    return awaySince > 0 && nowMs - awaySince >= longestAwayOfResultsMs && answers >= fewestAwayAnswers;
}

Error folderGone(const ResultTask &task)
{
    return {u"results.folder-gone"_s,
        {{u"host"_s, task.host}, {u"folder"_s, task.folder}, {u"job"_s, task.number},
            {u"task"_s, taskLabel(task.role, task.index)}}};
}

QList<BringProblem> resultProblems(const ResultTask &task, const ResultLook &look)
{
    QList<BringProblem> problems;
    const auto add = [&problems](const QString &code, const QJsonObject &args) { problems.append({code, args}); };
    if (look.why.code == "host.gone"_L1) {
        add(u"results.host-away"_s, {{u"host"_s, task.host}});
    } else if (!look.why.code.isEmpty()) {
        add(look.why.code, look.why.args);
    }
    if (!look.plan.tooLarge.isEmpty()) {
        add(u"results.too-large"_s, factsOf(task, look.plan.tooLarge, task.maxFileMiB));
    }
    if (!look.plan.beyond.isEmpty()) {
        add(u"results.beyond"_s, factsOf(task, look.plan.beyond, task.maxMiB));
    }
    problems.append(look.ofFiles);
    qsizetype beside = 0;
    for (auto it = look.book.cbegin(); it != look.book.cend() && beside < mostBeside; ++it) {
        if (it->name != it.key()) {
            add(u"results.beside"_s, {{u"path"_s, it.key()}, {u"name"_s, it->name}});
            ++beside;
        }
    }
    qsizetype kept = 0;
    for (auto it = look.book.cbegin(); it != look.book.cend() && kept < mostBeside; ++it) {
        if (!it->kept.isEmpty()) {
            add(u"results.kept"_s, {{u"path"_s, it.key()}, {u"names"_s, it->kept.join(u", "_s)}});
            ++kept;
        }
    }
    if (look.found.links > 0) {
        add(u"results.links"_s, {{u"files"_s, look.found.links}});
    }
    if (look.found.others > 0) {
        add(u"results.special"_s, {{u"files"_s, look.found.others}});
    }
    if (const qint64 odd = look.found.oddNames + look.plan.unsafe; odd > 0) {
        add(u"results.odd-names"_s, {{u"files"_s, odd}});
    }
    if (!look.found.unreadable.isEmpty()) {
        add(u"results.unreadable"_s, {{u"path"_s, look.found.unreadable}, {u"reason"_s, look.found.unreadableWhy}});
    }
    if (!look.found.isWhole) {
        add(u"results.too-many"_s, {{u"most"_s, mostResultFiles}});
    }
    return problems;
}

} // namespace trainyard
