// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"
#include "engine/store/store.h"

#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <memory>

// Jobs for the tests of the store.
namespace storejobs
{

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

inline JobState makeJob(const QString &name, int workers = 2, qint64 submitted = 1000)
{
    JobPolicy policy;
    policy.roles.push_back({u"ps"_s, 1, 1, -1, 0, {0, 1, 64, {{u"http"_s, 1}}, {{u"http"_s, 8080}}}});
    policy.roles.push_back({u"worker"_s, workers, 1, 2, 0, {1, 4, 1024, {{u"ssh"_s, 2}}}});
    policy.jobRetry = 3;
    JobMeta meta;
    meta.name = name;
    meta.runName = name;
    meta.user = u"ann"_s;
    meta.file = u"/home/ann/%1.yaml"_s.arg(name);
    return next(
        newJob(QUuid::createUuid(), meta, policy, submitted), {submitted, event::Submitted{}}, ExitRules::bundled())
        .job;
}

inline Allocation somewhere(TaskRef ref)
{
    return {u"local"_s, u"127.0.0.1"_s, {ref.index, ref.index + 1}, {{u"ssh"_s, {15000 + ref.index, 15001}}}};
}

// A job whose tasks are in every state that is stored.
inline JobState mixedJob()
{
    JobState job = makeJob(u"mixed"_s, 5);
    job.stopRequested = true;
    job.task({1, 0}).state = Waiting{.notBefore = 77, .since = 55};
    job.task({1, 1}).state = Launching{somewhere({1, 1})};
    job.task({1, 2}).state = Running{somewhere({1, 2}), {u"boot"_s, 4711, 1234567890123ULL}, 55};
    std::get<Running>(job.task({1, 2}).state).place.gpuShareMiB = 6000;
    job.task({1, 2}).usage.left = {{u"processes"_s, QJsonArray{u"4711 python"_s}}};
    job.task({1, 3}).state
        = Stopping{somewhere({1, 3}), ProcessId{u"boot"_s, 5, 6}, 44, {-220, {}, u"because"_s, {{u"x"_s, 1}}}};
    job.task({1, 4}).state = Ended{somewhere({1, 4}), 11, 22, {255, 3, u"exit.user"_s, {{u"status"_s, 3}}}};
    job.task({1, 4}).tryIndex = 2;
    job.task({1, 4}).chargedRetries = 1;
    job.task({1, 4}).consecutiveFreeRetries = 1;
    job.task({1, 4}).lastHost = u"local"_s;
    job.task({1, 4}).previous = TryResult{137, 137, {}, {}};
    job.task({0, 0}).state = Ended{{}, 0, 33, {0, 0, {}, {}}};
    recount(job);
    return job;
}

inline JobFilter filterOf(const QString &text) { return JobFilter::parse(text, 0).value(); }

inline std::unique_ptr<Store> opened(const QString &path)
{
    auto store = Store::open(path);
    if (!store) {
        qWarning("%s %s", qPrintable(store.error().code), qPrintable(store.error().args.value("detail"_L1).toString()));
        return nullptr;
    }
    return std::move(*store);
}

inline bool sameTasks(const JobState &a, const JobState &b)
{
    return a.tasks.size() == b.tasks.size()
        && std::equal(a.tasks.begin(), a.tasks.end(), b.tasks.begin(), [](const Task &x, const Task &y) {
               return x.state == y.state && x.tryIndex == y.tryIndex && x.chargedRetries == y.chargedRetries
                   && x.consecutiveFreeRetries == y.consecutiveFreeRetries && x.created == y.created
                   && x.firstLaunched == y.firstLaunched && x.previous == y.previous && x.lastHost == y.lastHost;
           });
}

} // namespace storejobs
