// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/scheduler.h"

namespace trainyard::core::asked
{

using namespace Qt::StringLiterals;

// What the tests of the scheduler ask it for: hosts h1, h2 and jobs by number, in a line each.

inline HostCapacity host(const QString &id, int gpus, qint64 memoryMiB, int cpus = 8)
{
    HostCapacity capacity;
    capacity.id = id;
    capacity.address = u"10.0.0."_s + id.right(1);
    capacity.usable = true;
    capacity.cpus = cpus;
    capacity.memoryMiB = memoryMiB + 1024;
    capacity.reserveMiB = 1024;
    for (int i = 0; i < gpus; ++i) {
        capacity.gpus.push_back({i, u"GPU-%1-%2"_s.arg(id).arg(i), u"Test"_s, 24000, false, false});
    }
    return capacity;
}

inline QUuid jobUuid(int number) { return QUuid::createUuidV5(QUuid(), u"job%1"_s.arg(number)); }

struct Ask {
    int number = 0;
    std::vector<Needs> needs; // of each role, gpu, cpu, memory
    std::vector<int> counts;
    bool gang = true;
    int priority = 0;
    int maxParallel = 0;
    QString onlyHost = {};
    QString runIn = {};
};

inline PlacementRequest request(const Ask &ask)
{
    PlacementRequest result;
    result.job = jobUuid(ask.number);
    result.jobId = ask.number;
    result.submitted = ask.number;
    result.gang = ask.gang;
    result.priority = ask.priority;
    result.maxParallel = ask.maxParallel;
    result.where = {ask.onlyHost, ask.runIn, true};
    result.needs = ask.needs;
    for (std::size_t role = 0; role < ask.counts.size(); ++role) {
        result.roleNames.append(QString(QChar(u'a' + char16_t(role))));
        for (int i = 0; i < ask.counts[role]; ++i) {
            result.tasks.push_back(
                {{std::int32_t(role), i}, tryUuid(result.job, 0, result.roleNames.last(), i, 0), {}});
        }
    }
    return result;
}

inline Needs needs(int gpu, qint64 memoryMiB = 0, int cpu = 1)
{
    Needs result;
    result.gpu = gpu;
    result.cpu = cpu;
    result.memoryMiB = memoryMiB;
    return result;
}

// With GPU memory: what may share a GPU with others.
inline Needs part(qint64 gpuMemoryMiB, int gpu = 1, qint64 memoryMiB = 0)
{
    Needs result = needs(gpu, memoryMiB);
    result.gpuMemoryMiB = gpuMemoryMiB;
    return result;
}

// With ports that the job fixes: one label, from this number on.
inline Needs fixing(int first, int count = 1, int gpu = 0)
{
    Needs result = needs(gpu);
    result.ports = {{u"ssh"_s, 1}, {u"web"_s, count}};
    result.firstPorts = {{u"web"_s, first}};
    return result;
}

inline Needs typed(const QString &type, int gpu = 1)
{
    Needs result = needs(gpu);
    result.gpuType = type;
    return result;
}

inline HostCapacity namedHost(const QString &id, const QStringList &names)
{
    HostCapacity capacity = host(id, int(names.size()), 8000);
    for (qsizetype i = 0; i < names.size(); ++i) {
        capacity.gpus[std::size_t(i)].name = names.at(i);
    }
    return capacity;
}

inline HostCapacity sharingHost(const QString &id, const QList<qint64> &gpuMemoryMiB, qint64 memoryMiB = 100000)
{
    HostCapacity capacity = host(id, int(gpuMemoryMiB.size()), memoryMiB);
    capacity.sharing = true;
    for (qsizetype i = 0; i < gpuMemoryMiB.size(); ++i) {
        capacity.gpus[std::size_t(i)].memoryMiB = gpuMemoryMiB[i];
    }
    return capacity;
}

// "1:h1[0 1] h2[0]": job 1 got a task on h1 with GPUs 0 and 1, and one on h2.
inline QStringList texts(const std::vector<JobGrants> &all)
{
    QStringList lines;
    for (const JobGrants &grants : all) {
        QStringList places;
        for (const event::Grant &grant : grants.grants) {
            QStringList gpus;
            for (int gpu : grant.place.gpus) {
                gpus.append(QString::number(gpu));
            }
            places.append(gpus.isEmpty() ? grant.place.host : grant.place.host + u'[' + gpus.join(u' ') + u']');
        }
        int number = 0;
        while (jobUuid(number) != grants.job) {
            ++number;
        }
        lines.append(QString::number(number) + u':' + places.join(u' '));
    }
    return lines;
}

// Whether a task of one CPU may wait for this host.
inline bool isKnown(const Scheduler &scheduler, const QString &host)
{
    Ask ask{0, {needs(0)}, {1}};
    ask.onlyHost = host;
    return !scheduler.impossible(request(ask));
}

inline void releaseAll(Scheduler &scheduler, const Ask &ask)
{
    const PlacementRequest asked = request(ask);
    for (const PlacementRequest::Wanted &wanted : asked.tasks) {
        scheduler.release(wanted.tryUuid);
    }
}

} // namespace trainyard::core::asked
