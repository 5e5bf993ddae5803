// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/client/slurmoptions.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/columns.h"

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
    QString folder, login;
    bool json = false;
};
const CommandLine<TargetsValues> &targetsLine();

// "lab" of "slurm:lab" or "lab".
QString clusterNameIn(const QString &word) { return word.startsWith("slurm:"_L1) ? word.mid(6) : word; }

bool isGoodCheck(const ClusterInfo &checked)
{
    return std::all_of(
        checked.steps.cbegin(), checked.steps.cend(), [](const ClusterStep &step) { return step.isGood; });
}

int sayChecked(const ClusterInfo &checked)
{
    const QStringList lines = alignedRows(clusterStepRows(checked));
    for (const QString &line : lines) {
        outLine(line);
    }
    return isGoodCheck(checked) ? exitOk : exitNo;
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
    QList<QStringList> rows{{tr("TARGET"), tr("ALLOCATIONS"), tr("OPTIONS"), tr("LOGIN"), tr("FOLDER"), tr("WHY")}};
    rows.append({u"pool"_s, tr("-"), tr("this computer and the hosts of 'trainyardctl hosts'"), tr("-"), tr("-"), {}});
    for (const ClusterInfo &target : *targets) {
        rows.append({target.id, QString::number(target.allocations),
            target.options.isEmpty() ? tr("-") : target.options, target.login.isEmpty() ? tr("-") : target.login,
            target.folder.isEmpty() ? tr("-") : target.folder, clusterTroubleText(target)});
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
        return isGoodCheck(*checked) ? exitOk : exitNo;
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
        options.append(slurmOptionWord(word));
    }
    if (const Result<QStringList> known = slurmOptions(options.join(u' ')); !known) {
        return report(known.error());
    }
    // On a login node it is a folder of the login node.
    const QString folder = values.folder.isEmpty() ? QString()
        : values.login.isEmpty()                   ? QDir::cleanPath(QFileInfo(values.folder).absoluteFilePath())
                                                   : QDir::cleanPath(values.folder);
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (!values.login.isEmpty()) {
        const Result<QList<HostInfo>> hosts = session.call<api::ListHosts>({});
        if (!hosts) {
            return report(hosts.error());
        }
        const bool isHost = std::any_of(hosts->cbegin(), hosts->cend(),
            [&values](const HostInfo &host) { return host.id == values.login && !host.target.isEmpty(); });
        if (!isHost) {
            return report({u"slurm.login-unknown"_s, {{u"host"_s, values.login}}});
        }
    }
    const QJsonValue login = values.login.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(values.login);
    if (const Result<bool> set = session.call<api::SetSetting>({slurmLoginKey(name), login}); !set) {
        return report(set.error());
    }
    const QJsonValue shared = folder.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(folder);
    if (const Result<bool> set = session.call<api::SetSetting>({slurmFolderKey(name), shared}); !set) {
        return report(set.error());
    }
    const QString line = options.isEmpty() ? QString(noSlurmOptions) : options.join(u' ');
    if (const Result<bool> set = session.call<api::SetSetting>({slurmOptionsKey(name), line}); !set) {
        return report(set.error());
    }
    const int status = checkOne(session, slurmTargetId(name), false);
    if (status == exitOk) {
        outLine(tr("'trainyardctl run --on %1 JOB' runs a job there.").arg(slurmTargetId(name)));
    } else {
        errorLine(
            tr("%1 is kept. 'trainyardctl targets check %1' looks again, 'trainyardctl targets remove %1' removes it.")
                .arg(slurmTargetId(name)));
    }
    return status;
}

int runTargetsCheck(const TargetsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    return checkOne(session, slurmTargetId(clusterNameIn(values.words.constFirst())), values.json);
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
    if (!all->contains(slurmOptionsKey(name))) {
        QJsonArray known{u"pool"_s};
        for (const QString &key : all->keys()) {
            if (key.startsWith("slurm."_L1)) {
                known.append(slurmTargetId(key.mid(6)));
            }
        }
        return report({u"target.unknown"_s, {{u"target"_s, slurmTargetId(name)}, {u"known"_s, known}}});
    }
    for (const QString &key : {slurmOptionsKey(name), slurmFolderKey(name), slurmLoginKey(name)}) {
        if (const Result<bool> set = session.call<api::SetSetting>({key, QJsonValue(QJsonValue::Null)}); !set) {
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
                       "commands (sbatch, squeue, scancel) are on this computer or on a host of 'trainyardctl hosts'. "
                       "'trainyardctl run --on slurm:lab' "
                       "hands a job to the cluster, which chooses the nodes; the job goes on there when this computer "
                       "is switched off."))
              .option(u"--folder DIR"_s, &TargetsValues::folder,
                  tr("the folder that all nodes share with this computer, for the runs (default: the state folder, "
                     "below the home folder)"))
              .of({u"add"_s})
              .option(u"--login HOST"_s, &TargetsValues::login,
                  tr("the host that has the commands of the cluster and the files of its nodes (default: this "
                     "computer); the folder is one of this host then"))
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
