// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/clusters/slurmtarget.h"
#include "widgets/text/columns.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QStandardPaths>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct TargetsValues {
    QStringList words;
    QString folder;
    bool json = false;
};
const CommandLine<TargetsValues> &targetsLine();

// "lab" of "slurm:lab" or "lab".
QString clusterNameIn(const QString &word) { return word.startsWith("slurm:"_L1) ? word.mid(6) : word; }

QString targetNamed(const QString &word) { return u"slurm:"_s + clusterNameIn(word); }

QString stepWord(const ClusterStep &step)
{
    return step.id == "commands"_L1 ? tr("Commands")
        : step.id == "answers"_L1   ? tr("Answers")
        : step.id == "folder"_L1    ? tr("Shared folder")
                                    : tr("Submission");
}

// What a step has found, in its lines.
QStringList stepFacts(const ClusterStep &step)
{
    if (!step.code.isEmpty()) {
        return {reasonText(step.code, step.args)};
    }
    if (step.id == "commands"_L1) {
        return {step.args.value("version"_L1).toString()};
    }
    if (step.id == "folder"_L1) {
        return {step.args.value("folder"_L1).toString()};
    }
    if (step.id == "submission"_L1) {
        return {step.args.value("detail"_L1).toString()};
    }
    QStringList lines;
    const QJsonArray partitions = step.args.value("partitions"_L1).toArray();
    for (const QJsonValue &each : partitions) {
        const QJsonObject row = each.toObject();
        QStringList words{tr("nodes: %1").arg(row.value("nodes"_L1).toInt()),
            tr("cores of each: %1").arg(row.value("cpus"_L1).toString())};
        if (const QString gpus = row.value("gpus"_L1).toString(); !gpus.isEmpty()) {
            words.append(gpus);
        }
        words.append(tr("limit %1").arg(row.value("limit"_L1).toString()));
        if (!row.value("isUp"_L1).toBool()) {
            words.append(tr("takes no jobs"));
        }
        lines.append(tr("partition %1: %2").arg(row.value("name"_L1).toString(), words.join(u", "_s)));
    }
    return lines.isEmpty() ? QStringList{tr("it has no partitions that this user sees")} : lines;
}

int sayChecked(const ClusterInfo &checked)
{
    QList<QStringList> rows;
    bool isGood = true;
    for (const ClusterStep &step : checked.steps) {
        const QStringList lines = stepFacts(step);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            rows.append({i == 0 ? stepWord(step) : QString(),
                i > 0             ? QString()
                    : step.isGood ? tr("ok")
                                  : tr("no"),
                lines.at(i)});
        }
        isGood = isGood && step.isGood;
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
    return isGood ? exitOk : exitNo;
}

int runTargetsList(const TargetsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<QList<ClusterInfo>> targets = session.call<api::ListTargets>({});
    if (!targets) {
        return report(targets.error());
    }
    if (values.json) {
        QJsonArray array;
        for (const ClusterInfo &target : *targets) {
            array.append(valuejson::toValue(target));
        }
        outJson(QJsonDocument(array));
        return exitOk;
    }
    QList<QStringList> rows{{tr("TARGET"), tr("ALLOCATIONS"), tr("OPTIONS"), tr("FOLDER"), tr("WHY")}};
    rows.append({u"pool"_s, tr("-"), tr("this computer and the hosts of 'trainyardctl hosts'"), tr("-"), {}});
    for (const ClusterInfo &target : *targets) {
        rows.append({target.id, QString::number(target.allocations),
            target.options.isEmpty() ? tr("-") : target.options, target.folder.isEmpty() ? tr("-") : target.folder,
            target.error.isEmpty() ? (target.isNamed ? QString() : tr("removed; followed until its jobs end"))
                                   : reasonText(target.error, target.errorArgs)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    if (targets->isEmpty() && !QStandardPaths::findExecutable(u"sbatch"_s).isEmpty()) {
        errorLine(tr("sbatch is on this computer: 'trainyardctl targets add slurm:NAME' makes its cluster a target."));
    }
    return exitOk;
}

int checkOne(Session &session, const QString &target, bool isJson)
{
    const Result<ClusterInfo> checked = session.call<api::CheckTarget>({target}, tr("Asking %1 ...").arg(target));
    if (!checked) {
        return report(checked.error());
    }
    if (isJson) {
        outJson(QJsonDocument(valuejson::toValue(*checked).toObject()));
        return std::all_of(checked->steps.cbegin(), checked->steps.cend(), [](const auto &step) { return step.isGood; })
            ? exitOk
            : exitNo;
    }
    return sayChecked(*checked);
}

int runTargetsAdd(const TargetsValues &values)
{
    const QString name = clusterNameIn(values.words.constFirst());
    if (values.words.constFirst().contains(u':') && !values.words.constFirst().startsWith("slurm:"_L1)) {
        return targetsLine().wrongUsage(
            tr("'%1' is not the name of a Slurm cluster, such as slurm:lab.").arg(values.words.constFirst()));
    }
    if (const Result<void> good = checkTargetName(name); !good) {
        return report(good.error());
    }
    QStringList options;
    for (const QString &word : values.words.mid(1)) {
        options.append(word.contains(u' ') ? u'"' + word + u'"' : word);
    }
    if (const Result<QStringList> known = slurmOptions(options.join(u' ')); !known) {
        return report(known.error());
    }
    const QString folder
        = values.folder.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(values.folder).absoluteFilePath());
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QJsonValue shared = folder.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(folder);
    if (const Result<bool> set = session.call<api::SetSetting>({u"slurmFolder."_s + name, shared}); !set) {
        return report(set.error());
    }
    const QString line = options.isEmpty() ? u"default"_s : options.join(u' ');
    if (const Result<bool> set = session.call<api::SetSetting>({u"slurm."_s + name, line}); !set) {
        return report(set.error());
    }
    const int status = checkOne(session, targetNamed(name), false);
    if (status == exitOk) {
        outLine(tr("'trainyardctl run --on %1 JOB' runs a job there.").arg(targetNamed(name)));
    } else {
        errorLine(
            tr("%1 is kept. 'trainyardctl targets check %1' looks again, 'trainyardctl targets remove %1' removes it.")
                .arg(targetNamed(name)));
    }
    return status;
}

int runTargetsCheck(const TargetsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    return checkOne(session, targetNamed(values.words.constFirst()), values.json);
}

int runTargetsRemove(const TargetsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString name = clusterNameIn(values.words.constFirst());
    const Result<QJsonObject> all = session.call<api::GetSettings>({});
    if (!all) {
        return report(all.error());
    }
    if (!all->contains(u"slurm."_s + name)) {
        QJsonArray known{u"pool"_s};
        for (const QString &key : all->keys()) {
            if (key.startsWith("slurm."_L1)) {
                known.append(targetNamed(key.mid(6)));
            }
        }
        return report({u"target.unknown"_s, {{u"target"_s, targetNamed(name)}, {u"known"_s, known}}});
    }
    for (const QString &family : {u"slurm."_s, u"slurmFolder."_s}) {
        if (const Result<bool> set = session.call<api::SetSetting>({family + name, QJsonValue(QJsonValue::Null)});
            !set) {
            return report(set.error());
        }
    }
    return exitOk;
}

const CommandLine<TargetsValues> &targetsLine()
{
    static const CommandLine<TargetsValues> line
        = CommandLine<TargetsValues>(u"targets"_s, tr("List, add, check and remove clusters"))
              .form(u"list"_s, runTargetsList,
                  {{}, 0, 0, Word::Other, tr("targets list shows all targets and takes no name.")})
              .form(u"add"_s, runTargetsAdd,
                  {u"NAME [-- SBATCH-OPTION...]"_s, 1, anyNumber, Word::Other,
                      tr("Which cluster? Give it a name, such as slurm:lab.")})
              .form(u"check"_s, runTargetsCheck,
                  {u"NAME"_s, 1, 1, Word::Other, tr("Which cluster? 'trainyardctl targets list' shows them.")})
              .form(u"remove"_s, runTargetsRemove,
                  {u"NAME"_s, 1, 1, Word::Other, tr("Which cluster? 'trainyardctl targets list' shows them.")})
              .usually(u"list"_s)
              .text(tr("A target is what runs a job: the pool of this computer and the hosts, or a Slurm cluster whose "
                       "commands (sbatch, squeue, scancel) are on this computer. 'trainyardctl run --on slurm:lab' "
                       "hands a job to the cluster, which chooses the nodes; the job goes on there when this computer "
                       "is switched off."))
              .option(u"--folder DIR"_s, &TargetsValues::folder,
                  tr("the folder that all nodes share with this computer, for the runs (default: the state folder, "
                     "below the home folder)"))
              .of({u"add"_s})
              .option(u"--json"_s, &TargetsValues::json, tr("print JSON"))
              .of({u"list"_s, u"check"_s})
              .more(tr("The options behind -- are those that sbatch takes: partition, account, quality of service, "
                       "time, constraint, and so on. They are kept in the setting slurm.NAME. What each job says "
                       "itself, such as processors, memory and GPUs, is not among them."))
              .examples({u"trainyardctl targets add slurm:lab -- --partition=gpu --account=vision --time=8:00:00"_s,
                  u"trainyardctl targets check slurm:lab"_s,
                  u"trainyardctl run --on slurm:lab --wait train.pai.yaml"_s})
              .exits({{exitOk, tr("ok")}, {exitNo, tr("the check has found something wrong")},
                  {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("there is no such target, or its options cannot be used")}});
    return line;
}

} // namespace

Command targetsCommand() { return targetsLine().command(); }

} // namespace trainyard::cli
