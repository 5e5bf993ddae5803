// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listedwords.h"

#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "engine/api/calls.h"
#include "engine/api/jobcauses.h"
#include "engine/api/tasklabel.h"
#include "engine/client/settings.h"
#include "model/protocol/fieldreference.h"
#include "model/protocol/jobdocument.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostTasks = 200; // more than these are too many to choose from

// A shell expands what it is given as words: nothing that means something to it may be among them.
bool isPlainWord(const QString &word)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_.:/@+-]+\\z"_s);
    return plain.match(word).hasMatch();
}

QStringList plainWords(QStringList words)
{
    words.removeIf([](const QString &word) { return !isPlainWord(word); });
    words.removeDuplicates();
    return words;
}

QStringList wordsOfJobs(const QList<JobSummary> &jobs, bool isOne)
{
    QStringList words;
    for (const JobSummary &job : jobs) {
        words << QString::number(job.id) << job.name;
        if (!isOne && !job.group.isEmpty()) {
            words << u"group:"_s + job.group;
        }
        for (const QString &tag : isOne ? QStringList() : job.labels.tags) {
            words << u"tag:"_s + tag;
        }
    }
    return words;
}

// Groups and tags as the commands take them for jobs: "group:NAME", "tag:NAME".
QStringList labelsOfJobs(const QList<JobSummary> &jobs)
{
    QStringList words = wordsOfJobs(jobs, false);
    words.removeIf([](const QString &word) { return !word.contains(u':'); });
    return words;
}

QStringList wordsOfFilters(const QList<JobSummary> &jobs)
{
    QStringList words{u"state:waiting"_s, u"state:running"_s, u"state:paused"_s, u"state:succeeded"_s,
        u"state:failed"_s, u"state:stopped"_s};
    for (const JobSummary &job : jobs) {
        if (const QString cause = failureCauses(job).value(0); !cause.isEmpty()) {
            words.append(u"cause:"_s + cause);
        }
    }
    return words + labelsOfJobs(jobs);
}

// Those of one kind, without its word.
QStringList namesOfLabels(const QList<JobSummary> &jobs, const QString &label)
{
    QStringList names;
    const QStringList all = labelsOfJobs(jobs);
    for (const QString &word : all) {
        if (word.startsWith(label)) {
            names.append(word.sliced(label.size()));
        }
    }
    return names;
}

QStringList wordsOfHosts(Session &session)
{
    QStringList words;
    const QList<HostInfo> hosts = session.client().hosts();
    for (const HostInfo &host : hosts) {
        words.append(host.id);
    }
    return words;
}

QStringList wordsOfSshHosts(Session &session)
{
    QStringList words = wordsOfHosts(session);
    words.removeAll(u"local"_s);
    return words;
}

// "active-jobs" are those that have not ended, "ended-jobs" the others.
QList<JobSummary> jobsOfKind(const EngineClient &client, const QString &kind)
{
    QList<JobSummary> jobs = client.jobs();
    if (kind.startsWith("active-"_L1) || kind.startsWith("ended-"_L1)) {
        jobs.removeIf([&kind](const JobSummary &job) { return isFinal(job.state) == kind.startsWith("active-"_L1); });
    }
    return jobs;
}

QStringList wordsOfTargets(Session &session)
{
    QStringList words = QStringList{u"any"_s, u"pool"_s} + wordsOfHosts(session);
    const Result<QList<ClusterInfo>> clusters = session.call<api::ListTargets>({});
    for (const ClusterInfo &cluster : clusters ? *clusters : QList<ClusterInfo>()) {
        words.append(cluster.id);
    }
    return words;
}

QStringList wordsOfTasks(Session &session, const QString &job)
{
    const Result<JobSummary> found = session.findJob(job);
    const Result<TaskOutline> outline
        = found ? session.outline(found->uuid, -1, mostTasks) : Result<TaskOutline>(TaskOutline());
    QStringList words;
    for (const RoleCounts &role : outline ? outline->roles : QList<RoleCounts>()) {
        words.append(role.role);
    }
    for (const TaskInfo &task : outline ? outline->tasks : QList<TaskInfo>()) {
        words.append(taskLabel(task));
    }
    return words;
}

// Standard input is not read for that, and neither is what may never end.
ParseOutcome jobIn(const QString &file)
{
    const Result<QByteArray> bytes = QFileInfo(file).isFile() ? readInput(file) : Result<QByteArray>(QByteArray());
    return bytes ? parseJob(*bytes) : ParseOutcome();
}

QStringList wordsOfSecrets(const QString &file)
{
    const ParseOutcome outcome = jobIn(file);
    const Value::Map *secrets = outcome.spec ? outcome.spec->secrets.asMap() : nullptr;
    QStringList names = outcome.spec ? outcome.spec->askedSecrets : QStringList();
    for (const auto &[name, value] : secrets ? *secrets : Value::Map()) {
        names.append(name);
    }
    return plainWords(names);
}

// "NAME=" of the file.
QStringList wordsOfParameters(const QString &file)
{
    const ParseOutcome outcome = jobIn(file);
    const Value::Map *parameters = outcome.spec ? outcome.spec->parameters.asMap() : nullptr;
    QStringList names;
    for (const auto &[name, value] : parameters ? *parameters : Value::Map()) {
        names.append(name);
    }
    names = plainWords(names);
    for (QString &name : names) {
        name += u'=';
    }
    return names;
}

QStringList allWords(const QString &kind)
{
    if (kind == "templates"_L1) {
        return templateWords();
    }
    Session session;
    if (!session.connectToRunning()) {
        return {};
    }
    const QString tasks = u"tasks:"_s;
    return kind.startsWith(tasks)    ? wordsOfTasks(session, kind.sliced(tasks.size()))
        : kind == "targets"_L1       ? wordsOfTargets(session)
        : kind == "hosts"_L1         ? wordsOfHosts(session)
        : kind == "ssh-hosts"_L1     ? wordsOfSshHosts(session)
        : kind == "filters"_L1       ? wordsOfFilters(session.client().jobs())
        : kind == "groups"_L1        ? namesOfLabels(session.client().jobs(), u"group:"_s)
        : kind == "tags"_L1          ? namesOfLabels(session.client().jobs(), u"tag:"_s)
        : kind.endsWith("labels"_L1) ? labelsOfJobs(jobsOfKind(session.client(), kind))
                                     : wordsOfJobs(jobsOfKind(session.client(), kind), kind == "job"_L1);
}

} // namespace

QStringList listedWords(const QString &kind)
{
    const QString parameters = u"parameters:"_s, secrets = u"secrets:"_s;
    return kind.startsWith(parameters) ? wordsOfParameters(kind.sliced(parameters.size()))
        : kind.startsWith(secrets)     ? wordsOfSecrets(kind.sliced(secrets.size()))
                                       : plainWords(allWords(kind));
}

QStringList settingWords()
{
    QStringList keys;
    const QJsonArray table = Settings::table();
    for (const QJsonValue &entry : table) {
        keys.append(entry["key"_L1].toString());
    }
    keys.sort();
    return plainWords(keys);
}

QStringList explainedWords()
{
    QStringList words = settingWords();
    const FieldReference &reference = FieldReference::bundled();
    for (const ReferenceField &field : reference.fields()) {
        words.append(field.pattern.value(field.pattern.size() - 1));
    }
    for (const ReferenceVariable &variable : reference.variables()) {
        words.append(variable.name);
    }
    words.sort();
    return plainWords(words);
}

QStringList explainedJobs(const QString &kind, QChar between)
{
    Session session;
    QStringList lines;
    const QList<JobSummary> jobs
        = session.connectToRunning() ? jobsOfKind(session.client(), kind) : QList<JobSummary>();
    for (const JobSummary &job : jobs) {
        const QString state = shownState(job);
        lines.append(QString::number(job.id) + between + (isPlainWord(job.name) ? job.name + u' ' + state : state));
    }
    return lines;
}

} // namespace trainyard::cli
