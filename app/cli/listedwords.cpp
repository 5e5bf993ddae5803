// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listedwords.h"

#include "app/cli/session.h"
#include "engine/api/calls.h"
#include "engine/api/tasklabel.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int mostTasks = 200; // more are no list to choose from

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

QStringList wordsOfFilters(const QList<JobSummary> &jobs)
{
    QStringList words{
        u"state:waiting"_s, u"state:running"_s, u"state:succeeded"_s, u"state:failed"_s, u"state:stopped"_s};
    const QStringList all = wordsOfJobs(jobs, false);
    for (const QString &word : all) {
        if (word.contains(u':')) {
            words.append(word);
        }
    }
    return words;
}

QStringList wordsOfTargets(Session &session)
{
    QStringList words{u"any"_s, u"pool"_s};
    const QList<HostInfo> hosts = session.client().hosts();
    for (const HostInfo &host : hosts) {
        words.append(host.id);
    }
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
    return kind.startsWith(tasks) ? wordsOfTasks(session, kind.sliced(tasks.size()))
        : kind == "targets"_L1    ? wordsOfTargets(session)
        : kind == "filters"_L1    ? wordsOfFilters(session.client().jobs())
                                  : wordsOfJobs(session.client().jobs(), kind == "job"_L1);
}

} // namespace

QStringList listedWords(const QString &kind)
{
    // A shell expands what it is given as words: nothing that means something to it may be among them.
    static const QRegularExpression plain(u"^[A-Za-z0-9_.:/@+-]+\\z"_s);
    QStringList words = allWords(kind);
    words.removeIf([](const QString &word) { return !plain.match(word).hasMatch(); });
    words.removeDuplicates();
    return words;
}

} // namespace trainyard::cli
