// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clusterjobs.h"
#include "app/cli/clustertoken.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/targetadd.h"
#include "app/cli/targetcheck.h"
#include "app/cli/targetnames.h"
#include "app/cli/words.h"
#include "engine/api/valuejson.h"
#include "engine/client/clustersettings.h"
#include "engine/client/openpaisettings.h"
#include "engine/client/slurmoptions.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/columns.h"

#include <QJsonArray>
#include <QStandardPaths>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostTargetTags = 64; // in one command

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
    const auto orDash = [](const QString &text) { return text.isEmpty() ? tr("-") : text; };
    QList<QStringList> rows{{tr("TARGET"), tr("ALLOCATIONS"), tr("OPTIONS"), tr("LOGIN"), tr("FOLDER"), tr("IMAGES"),
        tr("MODULES"), tr("WHY")}};
    rows.append({u"pool"_s, tr("-"), tr("this computer and the hosts of 'trainyardctl hosts'"), tr("-"), tr("-"),
        tr("-"), tr("-"), {}});
    for (const ClusterInfo &target : *targets) {
        rows.append({target.id, QString::number(target.allocations), orDash(target.options), orDash(target.login),
            orDash(target.folder), orDash(target.images), orDash(target.modules.join(u',')),
            clusterTroubleText(target)});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    const bool hasOne = std::any_of(targets->cbegin(), targets->cend(),
        [](const ClusterInfo &each) { return each.kind == slurmKind && each.login.isEmpty() && each.isNamed; });
    if (!hasOne && !QStandardPaths::findExecutable(u"sbatch"_s).isEmpty()) {
        offerCluster(session);
    }
    return exitOk;
}

int runTargetsToken(const TargetsValues &values)
{
    const QString &id = values.words.constFirst();
    if (!isOpenPai(id)) {
        return targetsLine().wrongUsage(
            tr("'%1' is not the name of an OpenPAI cluster, such as openpai:lab. Other clusters need no token.")
                .arg(id));
    }
    ClusterLogin login;
    if (const int status = readLogin(id, values, login); status != exitOk) {
        return status;
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    return handOverLogin(session, id, login);
}

// Asks the engine about the target of the first word, once the engine has the token that is kept for it.
template <typename F> int withTarget(const TargetsValues &values, F &&ask)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString id = targetIdOf(values.words.constFirst());
    if (isOpenPai(id)) {
        handOverKeptToken(session, id);
    }
    return ask(session, id);
}

int runTargetsCheck(const TargetsValues &values)
{
    return withTarget(
        values, [&values](Session &session, const QString &id) { return checkOne(session, id, values.json); });
}

int runTargetsJobs(const TargetsValues &values)
{
    if (values.json && values.words.size() > 1) {
        return targetsLine().wrongUsage(tr("--json is for the list of jobs; the document of one is YAML."));
    }
    return withTarget(values, [&values](Session &session, const QString &id) {
        return values.words.size() > 1 ? printClusterDocument(session, id, values.words.at(1))
                                       : printClusterJobs(session, id, values.json);
    });
}

int runTargetsTags(const TargetsValues &values)
{
    return withTarget(values, [&values](Session &session, const QString &id) {
        return changeClusterTags(
            session, {id, values.words.at(1), values.words.sliced(2), values.removedTags}, values.json);
    });
}

// It is followed until its jobs have ended, with the token that there is.
bool isFollowed(Session &session, const QString &id)
{
    const QList<ClusterInfo> left = session.call<api::ListTargets>({}).value_or(QList<ClusterInfo>());
    const bool isLeft
        = std::any_of(left.cbegin(), left.cend(), [&id](const ClusterInfo &each) { return each.id == id; });
    if (isLeft) {
        errorLine(tr("%1 takes no more jobs. Those that it has are followed until they end.").arg(id));
    }
    if (isLeft && isOpenPai(id)) {
        errorLine(tr("Its token is kept for them. 'trainyardctl targets remove %1' removes it from the keyring after "
                     "they have ended.")
                      .arg(id));
    }
    return isLeft;
}

int runTargetsRemove(const TargetsValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString id = targetIdOf(values.words.constFirst());
    const QStringList keys = clusterSettings(id);
    const Result<QJsonObject> all = session.call<api::GetSettings>({});
    if (!all) {
        return report(all.error());
    }
    const bool isNamed = !keys.isEmpty() && all->contains(keys.constFirst());
    for (const QString &key : isNamed ? keys : QStringList()) {
        if (const Result<bool> set = session.call<api::SetSetting>({key, QJsonValue(QJsonValue::Null)}); !set) {
            return report(set.error());
        }
    }
    const bool isLeft = isFollowed(session, id);
    const Result<bool> isForgotten = isLeft || !isOpenPai(id) ? Result<bool>(false) : forgetToken(session, id);
    if (!isForgotten) {
        errorLine(leftTokenText(id, isForgotten.error()));
        return exitNo;
    }
    if (!isNamed && !isLeft && !*isForgotten) {
        const QStringList known = QStringList{u"pool"_s} + clustersIn(*all);
        return report({u"target.unknown"_s, {{u"target"_s, id}, {u"known"_s, QJsonArray::fromStringList(known)}}});
    }
    return exitOk;
}

Operands oneTarget()
{
    return {u"NAME"_s, 1, 1, Word::Other, tr("Which cluster? 'trainyardctl targets list' shows them.")};
}

} // namespace

const CommandLine<TargetsValues> &targetsLine()
{
    static const CommandLine<TargetsValues> line
        = CommandLine<TargetsValues>(u"targets"_s, tr("List, add, check and remove clusters"))
              .form(u"list"_s, runTargetsList,
                  {{}, 0, 0, Word::Other, tr("targets list shows all targets and takes no name.")})
              .form(u"add"_s, runTargetsAdd,
                  {u"NAME [ADDRESS | -- OPTION...]"_s, 1, anyNumber, Word::Other,
                      tr("Which cluster? Give it a name, such as slurm:lab.")})
              .form(u"check"_s, runTargetsCheck, oneTarget())
              .form(u"jobs"_s, runTargetsJobs,
                  {u"NAME [JOB]"_s, 1, 2, Word::Other, tr("Of which cluster? 'trainyardctl targets list' shows them.")})
              .form(u"tags"_s, runTargetsTags,
                  {u"NAME JOB [TAG...]"_s, 2, 2 + mostTargetTags, Word::Other,
                      tr("Of which job? 'trainyardctl targets jobs NAME' shows them.")})
              .form(u"token"_s, runTargetsToken, oneTarget())
              .form(u"remove"_s, runTargetsRemove, oneTarget())
              .usually(u"list"_s)
              .text(tr(
                  "A target is what runs a job: the pool of this computer and the hosts, a Slurm cluster whose "
                  "commands (sbatch, squeue, scancel) are on this computer or on a host of 'trainyardctl hosts', "
                  "an OpenPAI cluster, or a Kubernetes cluster with JobSet that kubectl reaches from here. "
                  "'trainyardctl run --on slurm:lab' "
                  "hands a job to the cluster, which chooses the nodes; the job continues there when this computer "
                  "is switched off. An OpenPAI cluster is reached by its address and the token or the password of its "
                  "user."))
              .option(u"--folder DIR"_s, &TargetsValues::folder,
                  tr("the folder that all nodes share with this computer, for the runs (default: the state folder, "
                     "below the home folder)"))
              .of({u"add"_s})
              .option(u"--user USER"_s, &TargetsValues::user, tr("your name at an OpenPAI cluster"))
              .of({u"add"_s})
              .option(u"--cluster NAME"_s, &TargetsValues::cluster,
                  tr("the virtual cluster of an OpenPAI cluster for jobs that name none (default: default)"))
              .of({u"add"_s})
              .option(u"--plain-http"_s, &TargetsValues::isPlain,
                  tr("allow an address without TLS, where the token and secrets can be read on the network"))
              .of({u"add"_s})
              .option(u"--token-stdin"_s, &TargetsValues::isTokenOnInput,
                  tr("read the token from standard input instead of asking for it"))
              .of({u"add"_s, u"token"_s})
              .option(u"--password"_s, &TargetsValues::isPassword,
                  tr("log in at an OpenPAI cluster with your password, which is asked for, instead of giving a token"))
              .of({u"add"_s, u"token"_s})
              .option(u"--password-stdin"_s, &TargetsValues::isPasswordOnInput,
                  tr("the same, and read the password from standard input"))
              .of({u"add"_s, u"token"_s})
              .option(u"--login HOST"_s, &TargetsValues::login,
                  tr("the host that has the commands of the cluster and the files of its nodes (default: this "
                     "computer); the folder is then one of that host"))
              .of({u"add"_s})
              .option(u"--images HOW"_s, &TargetsValues::images,
                  tr("how tasks enter the images of their roles on a Slurm cluster: apptainer, pyxis, or none "
                     "(default: none)"))
              .of({u"add"_s})
              .values({QString(apptainerImages), QString(pyxisImages), QString(noSlurmImages)})
              .option(u"--modules MODULES"_s, &TargetsValues::modules,
                  tr("the modules that tasks load on a Slurm cluster before anything else, in this order: "
                     "cuda/12,python/3.11, or none (default: none)"))
              .of({u"add"_s})
              .option(u"--queue QUEUE"_s, &TargetsValues::queue,
                  tr("of Kubernetes: the local queue of Kueue that jobs go to (default: none)"))
              .of({u"add"_s})
              .option(u"-r, --remove TAG"_s, &TargetsValues::removedTags,
                  tr("remove this tag from the job there; may be repeated"))
              .of({u"tags"_s})
              .option(jsonOption(), &TargetsValues::json)
              .of({u"list"_s, u"add"_s, u"check"_s, u"jobs"_s, u"tags"_s})
              .more(tr(
                  "The options after -- are those that sbatch takes: partition, account, quality of service, time, "
                  "constraint, and so on. They are kept in the setting slurm.NAME. Options that each job sets itself, "
                  "such as processors, memory and GPUs, are not among them. 'trainyardctl settings "
                  "hostEnvironment.NAME COMMAND' runs a command, such as 'conda activate torch', before the tasks of a "
                  "Slurm cluster and after its modules. Of Kubernetes they are those of kubectl "
                  "that name the cluster (--context, --namespace, --kubeconfig, --as, --request-timeout), kept in "
                  "kubernetes.NAME. The token of an OpenPAI cluster is asked for without being shown; the keyring "
                  "keeps it, and the engine has it in memory only. With --password, the cluster makes a token for you, "
                  "which expires, usually after seven days; the password is not kept. 'targets jobs' lists your jobs "
                  "on an OpenPAI cluster, including those that were not submitted from here; with the name of one it "
                  "prints the "
                  "document of that job. 'targets tags' adds tags to such a job, or removes them, and prints those "
                  "that it has. The tags belong to the cluster, and its other users can see them. 'targets add' for an "
                  "existing cluster changes what is given, and what is not given stays. So does the token, unless the "
                  "address or the user changes; --plain-http belongs to the address and is given with it. '--images "
                  "none', '--modules none' and '-- default' remove images, modules and options; 'trainyardctl settings "
                  "--unset slurmFolder.NAME' "
                  "does so with a folder, and likewise with the other settings of a cluster."))
              .examples({u"trainyardctl targets add slurm:lab -- --partition=gpu --account=vision --time=8:00:00"_s,
                  u"trainyardctl targets add slurm:lab --modules cuda/12,python/3.11"_s,
                  u"trainyardctl targets add openpai:lab https://pai.example.org --user ada"_s,
                  u"trainyardctl targets token openpai:lab --password"_s, u"trainyardctl targets check slurm:lab"_s,
                  u"trainyardctl targets jobs openpai:lab train_42 > train.pai.yaml"_s,
                  u"trainyardctl targets tags openpai:lab train_42 paper --remove draft"_s,
                  u"trainyardctl targets add kubernetes:lab --queue=research -- --context=lab --namespace=ml"_s,
                  u"trainyardctl run --on slurm:lab --wait train.pai.yaml"_s})
              .exits({{exitOk, tr("ok")},
                  {exitNo,
                      tr("the check has found something wrong, or the keyring keeps the token of a removed "
                         "cluster")},
                  {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("there is no such target, or its options cannot be used")}});
    return line;
}

Command targetsCommand() { return targetsLine().command(); }

} // namespace trainyard::cli
