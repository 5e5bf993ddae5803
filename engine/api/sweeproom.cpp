// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/sweeproom.h"

#include "engine/api/clusters.h"
#include "engine/api/hostmemory.h"
#include "model/sweep/sweepaxis.h"

#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr QLatin1StringView thisComputer("local");

// Variables that have another value in each job.
constexpr QLatin1StringView ofOneJob[] = {QLatin1StringView("TRAINYARD_JOB_ID"),
    QLatin1StringView("TRAINYARD_JOB_NAME"), QLatin1StringView("TRAINYARD_CHECKPOINT_DIR"),
    QLatin1StringView("TRAINYARD_TASK_FOLDER"), QLatin1StringView("TRAINYARD_TRY"), QLatin1StringView("PAI_JOB_NAME"),
    QLatin1StringView("FRAMEWORK_NAME"), QLatin1StringView("PAI_CONTAINER_ID"), QLatin1StringView("APP_ID")};

bool namesOneJob(const QString &command)
{
    return std::any_of(std::begin(ofOneJob), std::end(ofOneJob),
        [&command](QLatin1StringView name) { return command.contains(name); });
}

// Whether a command names a path to write to that is the same in all jobs.
bool writesFixedPath(const QString &command)
{
    static const QString path = uR"re("?((?:<%|[^\s"'&|;<>()])+))re"_s;
    static const QRegularExpression forms[] = {QRegularExpression(uR"re((?<![-=%<>])>{1,2}\s*)re"_s + path),
        QRegularExpression(uR"re((?:^|[\s;&|(])(?:tee|touch)\s+(?:-\w+\s+)*)re"_s + path),
        QRegularExpression(
            uR"re(\s(?:-o|--(?:[a-zA-Z0-9]+[-_]+)*(?:out|output|outdir|logdir|(?:out|output|save|log|logs|logging|ckpt|checkpoint|checkpoints|results?)[-_](?:dir|path|file|folder|to)))(?:=|\s+))re"_s
            + path)};
    static const QRegularExpression number(u"^[-+.\\d]+$"_s);
    return std::any_of(std::begin(forms), std::end(forms), [&command](const QRegularExpression &form) {
        for (auto it = form.globalMatch(command); it.hasNext();) {
            const QString written = it.next().captured(1);
            // Its value depends on the shell or the parameters.
            const bool isOfJob = written.contains(u'$') || written.contains(u'`') || written.contains("<%"_L1);
            const bool isNone = written.startsWith("/dev/"_L1) || written.startsWith(u'-');
            if (!isOfJob && !isNone && !number.match(written).hasMatch()) {
                return true;
            }
        }
        return false;
    });
}

bool takesJobs(const HostInfo &host) { return host.state == HostState::Online && !host.drained; }

JobDemand amountsOf(const HostInfo &host, qint64 reserveMiB)
{
    const auto gpus
        = std::count_if(host.gpus.cbegin(), host.gpus.cend(), [](const GpuInfo &gpu) { return gpu.kept.isEmpty(); });
    return {gpus, host.cpus, usableMemoryMiB(host.memoryMiB, reserveMiB)};
}

bool fits(const JobDemand &wanted, const JobDemand &have)
{
    return wanted.gpus <= have.gpus && (have.memoryMiB == 0 || wanted.memoryMiB <= have.memoryMiB);
}

JobDemand ofOneTask(const TaskRole &role) { return {role.resources.gpu, role.resources.cpu, role.resources.memoryMiB}; }

bool mayRunOn(const HostRule &rule, const HostInfo &host)
{
    return (rule.names.isEmpty() || rule.names.contains(host.id))
        && std::all_of(rule.labels.cbegin(), rule.labels.cend(),
            [&host](const QString &label) { return host.labels.contains(label); });
}

// Whether all of its tasks could run there, however long they waited. CPU cores do not limit a single job.
bool couldRunOn(const JobSpec &job, const HostInfo &host, qint64 reserveMiB)
{
    const JobDemand its = amountsOf(host, reserveMiB);
    for (const TaskRole &role : job.taskRoles) {
        const HostRule rule = job.trainyard.hostRule(role.name);
        const bool isSpread = rule.arrange == Arrangement::DifferentHosts && role.instances > 1;
        if (!mayRunOn(rule, host) || isSpread || !fits(ofOneTask(role), its)) {
            return false;
        }
    }
    return !job.gangAllocation || fits(demandOf(job), its);
}

// The remaining capacity of the hosts while one job after the other is placed.
class Places
{
public:
    Places(const JobSpec &job, bool coresCount) : m_job(job), m_coresCount(coresCount)
    {
        for (const TaskRole &role : job.taskRoles) {
            m_roles.append({&role, job.trainyard.hostRule(role.name)});
        }
        // Large tasks first: small ones find their place in what those leave.
        std::stable_sort(m_roles.begin(), m_roles.end(), [](const Role &a, const Role &b) {
            const Resources &x = a.role->resources, &y = b.role->resources;
            return std::tie(x.gpu, x.memoryMiB, x.cpu) > std::tie(y.gpu, y.memoryMiB, y.cpu);
        });
    }
    void add(const HostInfo &host, const JobDemand &amounts) { m_hosts.append({&host, amounts}); }

    // Of the most jobs that a sweep may have, the number that fits at the same time.
    qint64 count()
    {
        qint64 jobs = 0;
        for (Host &host : m_hosts) {
            jobs += takeWhole(host);
        }
        while (jobs < mostSweepJobs && placeOne()) {
            ++jobs;
        }
        return std::min(jobs, mostSweepJobs);
    }

private:
    struct Role {
        const TaskRole *role;
        HostRule rule;
    };
    struct Host {
        const HostInfo *host;
        JobDemand left;
    };

    // How often it fits there.
    qint64 times(const JobDemand &wanted, const JobDemand &left, const HostInfo &host) const
    {
        const auto in = [](qint64 one, qint64 all) { return one > 0 ? all / one : mostSweepJobs; };
        qint64 most = std::min(mostSweepJobs, in(wanted.gpus, left.gpus));
        most = host.memoryMiB > 0 ? std::min(most, in(wanted.memoryMiB, left.memoryMiB)) : most;
        return m_coresCount ? std::min(most, in(std::max<qint64>(1, wanted.cpus), left.cpus)) : most;
    }
    static void take(Host &host, const JobDemand &all)
    {
        host.left = {host.left.gpus - all.gpus, host.left.cpus - all.cpus, host.left.memoryMiB - all.memoryMiB};
    }
    // Those that are there with all of their tasks.
    qint64 takeWhole(Host &host) const
    {
        const bool mayBe = std::all_of(m_roles.cbegin(), m_roles.cend(), [&host](const Role &each) {
            const bool isSpread = each.rule.arrange == Arrangement::DifferentHosts && each.role->instances > 1;
            return mayRunOn(each.rule, *host.host) && !isSpread;
        });
        const JobDemand wanted = demandOf(m_job);
        const qint64 jobs = mayBe ? times(wanted, host.left, *host.host) : 0;
        take(host, wanted.times(jobs));
        return jobs;
    }
    // One whose tasks are on several hosts.
    bool placeOne()
    {
        QList<Host> hosts = m_hosts;
        for (const Role &each : std::as_const(m_roles)) {
            const JobDemand one = ofOneTask(*each.role);
            const bool isTogether = each.rule.arrange == Arrangement::SameHost;
            qint64 left = each.role->instances;
            for (Host &host : hosts) {
                qint64 here = mayRunOn(each.rule, *host.host) ? std::min(left, times(one, host.left, *host.host)) : 0;
                here = each.rule.arrange == Arrangement::DifferentHosts ? std::min<qint64>(1, here) : here;
                here = isTogether && here < left ? 0 : here;
                take(host, one.times(here));
                left -= here;
            }
            if (left > 0) {
                return false;
            }
        }
        m_hosts = hosts;
        return true;
    }

    const JobSpec &m_job;
    bool m_coresCount;
    QList<Role> m_roles;
    QList<Host> m_hosts;
};

} // namespace

bool worksHere(const JobSpec &job, const QString &work, const QString &file)
{
    const QString &named = work.isEmpty() ? job.trainyard.work : work;
    const bool isOfEachHost = named.startsWith("~/"_L1);
    // One that is not absolute begins in the folder of the file.
    return !isOfEachHost && (named.startsWith(u'/') || !file.isEmpty());
}

SweepRoom sweepRoom(const JobSpec &job, const QList<HostInfo> &hosts, const SweepTarget &target)
{
    if (clusterPlaceOf(target.chosen)) {
        return {};
    }
    const auto byId = [&hosts](const QString &id) {
        return std::find_if(hosts.cbegin(), hosts.cend(), [&id](const HostInfo &host) { return host.id == id; });
    };
    QString only = byId(target.chosen) == hosts.cend() ? QString() : target.chosen;
    const auto here = byId(thisComputer);
    const bool isChosen = !target.chosen.isEmpty() && target.chosen != "pool"_L1;
    const bool staysHere = !isChosen && target.worksHere && here != hosts.cend()
        && (here->state != HostState::Online || couldRunOn(job, *here, target.memoryReserveMiB));
    only = staysHere ? QString(thisComputer) : only;
    const JobDemand wanted = demandOf(job);
    SweepRoom room;
    Places shared(job, false), apart(job, true); // cores are shared, but those that share them take longer
    bool areCoresKnown = false;
    for (const HostInfo &host : hosts) {
        if (!takesJobs(host)) {
            continue;
        }
        const JobDemand its = amountsOf(host, target.memoryReserveMiB);
        if (only.isEmpty() || host.id == only) {
            shared.add(host, its);
            apart.add(host, its);
            areCoresKnown = areCoresKnown || its.cpus > 0;
        } else if (staysHere && couldRunOn(job, host, target.memoryReserveMiB)) {
            room.unused.append(host.id);
        }
    }
    if (!areCoresKnown) {
        return room;
    }
    const qint64 placed = shared.count();
    const qint64 jobs = wanted.gpus > 0 ? placed : apart.count();
    room.jobs = int(std::max<qint64>(1, jobs));
    room.placed = placed >= mostSweepJobs ? 0 : int(std::max<qint64>(1, placed));
    return room;
}

qint64 jobsAtOnce(qint64 jobs, int limit, int placed)
{
    const qint64 limited = limit > 0 ? std::min<qint64>(limit, jobs) : jobs;
    return placed > 0 ? std::min<qint64>(placed, limited) : limited;
}

bool sweepSharesFolder(const JobSpec &job, const SweepTarget &target)
{
    const bool isHere = target.chosen.isEmpty() || target.chosen == "any"_L1 || target.chosen == "pool"_L1
        || target.chosen == thisComputer || target.sharesFolders;
    return isHere && target.worksHere
        && std::none_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
               return std::any_of(role.commands.cbegin(), role.commands.cend(), namesOneJob);
           });
}

bool writesSamePath(const JobSpec &job)
{
    return std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
        return std::any_of(role.commands.cbegin(), role.commands.cend(), writesFixedPath);
    });
}

} // namespace trainyard
