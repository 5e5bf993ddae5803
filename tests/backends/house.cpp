// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/house.h"

#include "tests/helpers/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

QByteArray oneTask() { return EngineFixture::document("one", EngineFixture::role("main", 1, {"true"})); }

House::House(Target &target) : m_target(target)
{
    for (const QString &name : {u"config"_s, u"state/runs"_s, u"run"_s}) {
        QDir().mkpath(path(name));
    }
    QFile file(path(u"config/engine.json"_s));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(
            R"({"environment.mode": "clean", "retry.pauseSeconds": 0, "clusters.pollSeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})");
    }
}

bool House::write(const QString &name, const QByteArray &bytes)
{
    QFile file(path(name));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

QByteArray House::read(const QString &name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool House::open()
{
    Result<std::unique_ptr<Store>> store = Store::open(path(u"state/store.db"_s));
    if (!store) {
        qWarning() << store.error().code << store.error().args;
        return false;
    }
    m_rooms = std::make_unique<Rooms>();
    Rooms &r = *m_rooms;
    r.settings = Settings(path(u"config/engine.json"_s));
    r.store = std::move(*store);
    r.exitRules.emplace(path(u"config"_s));
    const Neighbours neighbours{path(u"state"_s), path(u"config"_s), path(u"run"_s), r.store->epoch(), r.settings,
        r.secrets, *r.exitRules, r.scheduler, r.jobs};
    r.backend = m_target.makeBackend(neighbours, cut);
    r.backends = std::make_unique<Backends>(RunFolders(path(u"state"_s)));
    r.backends->add(core::poolTarget, *r.backend);
    for (auto it = m_others.cbegin(); it != m_others.cend(); ++it) {
        r.others.push_back(it.value()->makeBackend(neighbours, cut));
        r.backends->add(it.key(), *r.others.back());
    }
    r.views = std::make_unique<JobViews>(*r.backends, r.readings);
    r.publisher = std::make_unique<Publisher>(r.jobs, *r.backends, *r.views);
    r.tick = std::make_unique<Tick>(r.jobs, *r.store, r.reserve, *r.backends, *r.exitRules, *r.publisher);
    r.queries = std::make_unique<JobQueries>(
        RunFolders(path(u"state"_s)), r.jobs, *r.store, *r.backends, *r.views, *r.publisher);
    r.blocking = std::make_unique<JobBlocking>(r.jobs, *r.store, *r.tick, *r.queries);
    r.preparation = std::make_unique<JobPreparation>(r.settings, *r.backends, *r.blocking);
    r.service = std::make_unique<JobService>(r.jobs, *r.store, r.reserve, r.secrets, *r.backends, *r.exitRules, *r.tick,
        *r.publisher, *r.preparation, *r.queries);
    for (StoredJob &stored : r.store->unfinished()) {
        r.service->restore(std::move(stored));
    }
    return QTest::qWaitFor([&r] { return r.backends->areReady(); });
}

void House::close()
{
    if (!m_rooms) {
        return;
    }
    m_rooms->service.reset();
    m_rooms->preparation.reset();
    m_rooms->blocking.reset();
    m_rooms->queries.reset();
    m_rooms->tick.reset();
    m_rooms->publisher.reset();
    m_rooms->views.reset();
    m_rooms->backends.reset();
    m_rooms->others.clear();
    m_rooms->backend.reset();
    m_rooms.reset();
    cut = {};
}

QString House::submit(const QByteArray &yaml, const QString &target)
{
    SubmitRequest request;
    request.yaml = yaml;
    request.target = target;
    const Result<SubmitReply> reply = m_rooms->service->submit(request);
    if (!reply) {
        qWarning() << reply.error().code << reply.error().args;
    }
    return reply ? reply->uuid : QString();
}

std::unique_ptr<JobResults> House::makeResults(std::size_t most)
{
    Rooms &r = *m_rooms;
    return std::make_unique<JobResults>(
        r.jobs, *r.store, *r.queries, *r.views, r.readings, r.settings, *r.publisher, *r.tick, most);
}

bool House::settle()
{
    const QString other = submit(oneTask());
    return !other.isEmpty() && waitForState(other, State::Running) && m_rooms->service->stop(other)
        && waitForState(other, State::Stopped) && QTest::qWaitFor([this] { return m_target.isQuiet(); });
}

State House::state(const QString &uuid) { return m_rooms->queries->summary(uuid).value_or(JobSummary()).state; }

bool House::waitFor(const QString &uuid, const std::function<bool(const JobSummary &)> &wanted)
{
    const auto now = [&] { return m_rooms->queries->summary(uuid).value_or(JobSummary()); };
    const bool came = QTest::qWaitFor([&] { return wanted(now()); }, 10000);
    if (!came) {
        qWarning() << "waited in vain:" << now().toJson();
    }
    return came;
}

bool House::waitForState(const QString &uuid, State state)
{
    return waitFor(uuid, [state](const JobSummary &summary) { return summary.state == state; });
}
