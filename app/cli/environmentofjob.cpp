// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/environmentofjob.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/watch.h"
#include "engine/api/tasklabel.h"
#include "engine/client/capturedenvironment.h"
#include "widgets/text/columns.h"
#include "widgets/text/environmenttexts.h"
#include "widgets/text/formats.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int namesShown = 4;

struct AlikeTasks {
    CapturedEnvironment environment; // without what is a task's own
    QStringList labels;
};

// Variables that differ in every task say nothing about the run.
CapturedEnvironment withoutOwn(CapturedEnvironment environment)
{
    environment.at = {};
    environment.variables.clear();
    return environment;
}

QJsonArray pairsOf(const QList<CapturedEnvironment::Named> &list)
{
    QJsonArray pairs;
    for (const CapturedEnvironment::Named &one : list) {
        pairs.append(QJsonArray{one.name, one.text});
    }
    return pairs;
}

QJsonObject environmentObject(const CapturedEnvironment &environment)
{
    QJsonObject object{{u"at"_s, environment.at.toMSecsSinceEpoch()}, {u"workFolder"_s, environment.workFolder},
        {u"gpus"_s, QJsonArray::fromStringList(environment.gpus)}, {u"variables"_s, pairsOf(environment.variables)},
        {u"gaps"_s, QJsonArray::fromStringList(environment.gaps)},
        {u"host"_s,
            QJsonObject{{u"name"_s, environment.host}, {u"kernel"_s, environment.kernel}, {u"os"_s, environment.os},
                {u"cpuModel"_s, environment.cpuModel}, {u"cpus"_s, environment.cpus},
                {u"memoryMiB"_s, environment.memoryMiB}, {u"gpuDriver"_s, environment.gpuDriver}}}};
    if (!environment.runtime.isEmpty()) {
        object.insert(
            u"container"_s, QJsonObject{{u"runtime"_s, environment.runtime}, {u"image"_s, environment.image}});
    }
    if (const auto &git = environment.git) {
        object.insert(u"git"_s,
            QJsonObject{{u"top"_s, git->top}, {u"commit"_s, git->commit}, {u"branch"_s, git->branch},
                {u"dirty"_s, git->isDirty}, {u"diff"_s, git->diff}, {u"diffCut"_s, git->isDiffCut},
                {u"untracked"_s, QJsonArray::fromStringList(git->untracked)},
                {u"untrackedCount"_s, git->untrackedCount}});
    }
    if (const auto &python = environment.python) {
        object.insert(u"python"_s,
            QJsonObject{{u"executable"_s, python->executable}, {u"resolved"_s, python->resolved},
                {u"version"_s, python->version}, {u"packages"_s, pairsOf(python->packages)}});
    }
    return object;
}

// The first of them, of `count` that there are.
QString shortList(const QStringList &names, qint64 count)
{
    const QString first = names.mid(0, namesShown).join(u", "_s);
    return count <= namesShown ? first : tr("%1 and %2 more").arg(first, QString::number(count - namesShown));
}

// The names in a diff of git, "+++ b/train.py".
QString changedFiles(const QString &diff)
{
    QStringList names;
    const QList<QStringView> lines = QStringView(diff).split(u'\n');
    for (const QStringView line : lines) {
        if (line.startsWith("diff --git a/"_L1)) {
            names.append(line.mid(line.lastIndexOf(" b/"_L1) + 3).toString());
        }
    }
    return shortList(names, names.size());
}

void printAlike(const AlikeTasks &alike)
{
    const CapturedEnvironment &found = alike.environment;
    outLine(paint(Colour::Bold, shortList(alike.labels, alike.labels.size())));
    QList<QStringList> rows;
    const auto row = [&rows](const QString &name, const QString &value) {
        if (!value.isEmpty()) {
            rows.append({QString(u"  "_s + name), value});
        }
    };
    row(tr("Host"), found.host);
    if (!found.host.isEmpty()) {
        row(tr("System"), QStringList{found.os, found.kernel}.join(u", "_s));
        row(tr("Processors"), QString(QString::number(found.cpus) + u" × "_s + found.cpuModel));
        row(tr("Memory"), formatMiB(found.memoryMiB));
    }
    row(tr("GPUs"), found.gpus.join(u", "_s));
    row(tr("GPU driver"), found.gpuDriver);
    row(tr("Image"), found.runtime.isEmpty() ? QString() : QString(found.image + u", "_s + found.runtime));
    row(tr("Work folder"), found.workFolder);
    if (const auto &git = found.git) {
        row(tr("Commit"), commitText(git->branch, git->commit, false));
        row(tr("Changes"),
            !git->isDirty        ? tr("none that are not committed")
                : git->isDiffCut ? tr("not committed, more than %1").arg(formatBytes(git->diff.size()))
                                 : tr("not committed: %1").arg(changedFiles(git->diff)));
        if (git->untrackedCount > 0) {
            row(tr("Untracked"), shortList(git->untracked, git->untrackedCount));
        }
    }
    if (const auto &python = found.python) {
        row(tr("Python"),
            QStringList{python->version.isEmpty() ? tr("version unknown") : python->version, python->executable}.join(
                u", "_s));
        row(tr("Packages"), tr("%1; --json lists them").arg(python->packages.size()));
    }
    for (const QString &gap : found.gaps) {
        row(tr("Missing"), environmentGapText(gap));
    }
    for (const QString &line : alignedRows(rows)) {
        outLine(line);
    }
}

} // namespace

int printEnvironmentOfTasks(const JobSummary &job, const QList<TaskInfo> &tasks, bool asJson)
{
    QList<AlikeTasks> groups;
    QJsonArray list;
    for (const TaskInfo &task : tasks) {
        if (task.logFolder.isEmpty()) {
            continue;
        }
        const std::optional<CapturedEnvironment> found = CapturedEnvironment::read(task.logFolder);
        if (!found) {
            continue;
        }
        if (asJson) {
            list.append(QJsonObject{{u"task"_s, taskLabel(task)}, {u"environment"_s, environmentObject(*found)}});
            continue;
        }
        const CapturedEnvironment common = withoutOwn(*found);
        const auto same = std::find_if(
            groups.begin(), groups.end(), [&common](const AlikeTasks &group) { return group.environment == common; });
        if (same == groups.end()) {
            groups.append({common, {taskLabel(task)}});
        } else {
            same->labels.append(taskLabel(task));
        }
    }
    if (asJson) {
        outJson(QJsonDocument(QJsonObject{{u"job"_s, job.id}, {u"tasks"_s, list}}));
        return exitOk;
    }
    if (groups.isEmpty()) {
        outLine(tr("Nothing is recorded about the environment of %1: no task has started, or it ran with an earlier "
                   "version.")
                    .arg(jobTitle(job)));
    }
    for (const AlikeTasks &group : groups) {
        printAlike(group);
    }
    return exitOk;
}

} // namespace trainyard::cli
