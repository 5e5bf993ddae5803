// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/previewfacts.h"

#include "model/template/pluginsteps.h"
#include "widgets/text/completiontexts.h"
#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 bytesPerMiB = qint64(1) << 20;

struct PreviewFacts {
    Q_DECLARE_TR_FUNCTIONS(PreviewFacts)
};

QString variableOf(const PlannedTask &task, const QString &name)
{
    const auto it = std::find_if(task.environment.cbegin(), task.environment.cend(),
        [&](const auto &variable) { return variable.first == name; });
    return it == task.environment.cend() ? QString() : it->second;
}

QString asSentence(QString text)
{
    if (!text.isEmpty()) {
        text.replace(0, 1, text.at(0).toUpper());
    }
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

void addOnce(QList<PreviewFact> &facts, const PreviewFact &fact)
{
    if (!facts.contains(fact)) {
        facts.append(fact);
    }
}

PreviewFact retryFact(const JobSpec &job)
{
    const QString icon = QStringLiteral("restart");
    if (job.jobRetryCount < 0) {
        return {icon, Colour::Muted, PreviewFacts::tr("It is retried after every failure, without a limit.")};
    }
    if (job.jobRetryCount == 0) {
        return {icon, Colour::Muted, PreviewFacts::tr("No retries, except after failures that pass by themselves.")};
    }
    return {icon, Colour::Muted,
        job.jobRetryCount == 1
            ? PreviewFacts::tr("It is retried once after a failure that may pass.")
            : PreviewFacts::tr("It is retried up to %1 times after failures that may pass.").arg(job.jobRetryCount)};
}

void addFolder(QList<PreviewFact> &facts, const PlanReply &plan)
{
    const auto first = std::find_if(
        plan.tasks.cbegin(), plan.tasks.cend(), [](const PlannedTask &task) { return !workFolderOf(task).isEmpty(); });
    if (first == plan.tasks.cend()) {
        return;
    }
    const QString folder = workFolderOf(*first);
    if (worksInOwnFolder(*first)) {
        facts.append({QStringLiteral("folder"), Colour::Waiting,
            PreviewFacts::tr("Each task works in an empty folder of its own: no file of yours is there."), folder});
    } else {
        // A folder of each host itself, whatever this computer has there.
        if (folder.startsWith(QLatin1String("~/"))) {
            facts.append({QStringLiteral("folder"), Colour::Waiting,
                PreviewFacts::tr(
                    "Tasks work in %1, the host's own folder: it must exist there, and nothing is copied into it")
                    .arg(folder),
                folder});
            return;
        }
        const bool isElsewhere = !first->host.isEmpty() && first->host != QLatin1String("local");
        facts.append({QStringLiteral("folder"), Colour::Muted,
            (isElsewhere ? PreviewFacts::tr("Tasks work in %1, or in a copy of it on another host")
                         : PreviewFacts::tr("Tasks work in %1"))
                .arg(folder),
            folder});
    }
}

void addImages(QList<PreviewFact> &facts, const JobSpec &job, const PlanReply &plan)
{
    for (const PlannedTask &task : plan.tasks) {
        const TaskRole *role = job.role(task.role);
        if (!task.image.isEmpty()) {
            addOnce(facts,
                {QStringLiteral("box"), Colour::Muted,
                    PreviewFacts::tr("Image %1 runs in %2.").arg(task.image, task.runIn)});
        } else if (role && !role->dockerImage.isEmpty()) {
            addOnce(facts,
                {QStringLiteral("terminal"), Colour::Muted,
                    PreviewFacts::tr("Tasks run in the host's shell; image %1 is not used.").arg(role->dockerImage)});
        }
    }
}

QStringList idleOf(const JobSpec &job, const ComposedRole &composed, const QStringList &order)
{
    const auto isNamed = [](const auto &items, const QString &name) {
        return std::any_of(items.cbegin(), items.cend(), [&](const auto &item) { return item.name == name; });
    };
    QStringList idle;
    for (const QString &name : order) {
        if (isNamed(job.prerequisites, name) && !isNamed(composed.before, name) && !isNamed(composed.after, name)) {
            idle.append(name);
        }
    }
    return idle;
}

void addPrerequisites(QList<PreviewFact> &facts, const JobSpec &job)
{
    for (const TaskRole &role : job.taskRoles) {
        const Result<QStringList> order = expandPrerequisites(job, role);
        const Result<ComposedRole> composed = composeRole(job, role, {.strict = isStrict(job)});
        if (!order) {
            continue;
        }
        const QStringList idle = composed ? idleOf(job, *composed, *order) : QStringList();
        QStringList running = *order;
        running.removeIf([&](const QString &name) { return idle.contains(name); });
        if (!running.isEmpty()) {
            facts.append({QStringLiteral("script"), Colour::Muted,
                PreviewFacts::tr("%1: %2, then the commands.").arg(role.name, running.join(QStringLiteral(", ")))});
        }
        if (!idle.isEmpty()) {
            facts.append({QStringLiteral("info"), Colour::Muted,
                PreviewFacts::tr("%1: nothing to run for %2.").arg(role.name, idle.join(QStringLiteral(", ")))});
        }
    }
}

void addDisks(QList<PreviewFact> &facts, const PlanReply &plan, const QList<HostInfo> &hosts,
    const QHash<QString, QString> &labels)
{
    for (const HostInfo &host : hosts) {
        const bool isUsed = std::any_of(
            plan.tasks.cbegin(), plan.tasks.cend(), [&](const PlannedTask &task) { return task.host == host.id; });
        if (!isUsed || host.diskFreeMiB < 0) {
            continue;
        }
        const QString free = formatBytes(host.diskFreeMiB * bytesPerMiB);
        const QString name = labels.value(host.id, host.label);
        facts.append(host.diskLow ? PreviewFact{QStringLiteral("warning"), Colour::Waiting,
                         PreviewFacts::tr("Only %1 are free on the disk of %2.").arg(free, name)}
                                  : PreviewFact{QStringLiteral("check"), Colour::Succeeded,
                                      PreviewFacts::tr("%1 are free on the disk of %2.").arg(free, name)});
    }
}

} // namespace

QStringList stepsWithoutCommands(const JobSpec *job, const ComposedRole *composed, const PlannedTask &task)
{
    return job && composed && !composed->prerequisiteOrder.isEmpty() ? idleOf(*job, *composed, task.prerequisites)
                                                                     : QStringList();
}

QString workFolderOf(const PlannedTask &task) { return variableOf(task, QStringLiteral("PAI_WORK_DIR")); }

bool worksInOwnFolder(const PlannedTask &task)
{
    QString own = variableOf(task, QStringLiteral("TRAINYARD_TASK_FOLDER"));
    if (!task.runIn.isEmpty() && task.runIn != QLatin1StringView("host")) {
        // A container gets a folder beside the work folder.
        own.truncate(own.lastIndexOf(QLatin1Char('/')));
    }
    return !own.isEmpty() && workFolderOf(task).startsWith(own + QLatin1Char('/'));
}

QList<PreviewFact> endFacts(const JobSpec &job)
{
    QList<PreviewFact> failures;
    QList<PreviewFact> successes;
    const bool anyEnds = std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
        return role.effectiveMinSucceeded() > 0 && role.effectiveMinSucceeded() <= role.instances;
    });
    for (const TaskRole &role : job.taskRoles) {
        CompletionRule rule{role.name, role.instances, role.effectiveMinFailed(), role.effectiveMinSucceeded(), {}, {}};
        for (const TaskRole &other : job.taskRoles) {
            if (other.name != role.name) {
                rule.others.append(other.name);
            }
        }
        addOnce(failures,
            {rule.failed < 0 ? QStringLiteral("info") : QStringLiteral("close"),
                rule.failed < 0 ? Colour::Muted : Colour::Failed, asSentence(failureRuleText(rule))});
        if (rule.succeeded < 0 && anyEnds) {
            continue; // the line of the role that ends the job says that this one is stopped then
        }
        const QString text = successRuleText(rule);
        addOnce(successes,
            {QStringLiteral("check"), Colour::Succeeded,
                rule.succeeded > 0 ? PreviewFacts::tr("%1: %2.").arg(role.name, text) : asSentence(text)});
    }
    QList<PreviewFact> facts = failures + successes;
    if (const int most = job.completedLimit(); most > 0) {
        facts.append({QStringLiteral("info"), Colour::Muted,
            most == 1 ? PreviewFacts::tr("It also ends when any task has ended.")
                      : PreviewFacts::tr("It also ends when %1 tasks have ended.").arg(most)});
    }
    if (job.trainyard.timeLimitSeconds) {
        facts.append({QStringLiteral("clock"), Colour::Muted,
            PreviewFacts::tr("It is stopped after %1.").arg(formatDuration(*job.trainyard.timeLimitSeconds * 1000))});
    }
    facts.append(retryFact(job));
    return facts;
}

QList<PreviewFact> startFacts(const JobSpec &job, const PlanReply &plan, const QList<HostInfo> &hosts,
    const QHash<QString, QString> &labels, const QStringList &asked)
{
    QList<PreviewFact> facts;
    addFolder(facts, plan);
    addImages(facts, job, plan);
    addPrerequisites(facts, job);
    for (const JobAfter &after : job.trainyard.after) {
        facts.append({QStringLiteral("clock"), Colour::Waiting,
            after.whenEnded ? PreviewFacts::tr("Job %1 has to end first.").arg(after.job)
                            : PreviewFacts::tr("Job %1 has to succeed first.").arg(after.job)});
    }
    for (const QString &name : asked) {
        facts.append({QStringLiteral("warning"), Colour::Waiting,
            PreviewFacts::tr("The secret %1 is asked for at Run.").arg(name)});
    }
    addDisks(facts, plan, hosts, labels);
    return facts;
}

} // namespace trainyard
