// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/faketarget.h"

#include "engine/backend/clock.h"
#include "engine/backend/runfolders.h"

#include <QDir>
#include <QFile>
#include <QTimer>

using namespace trainyard;
using namespace Qt::StringLiterals;

FakeBackend::FakeBackend(const Neighbours &house, FakeTarget &target) : m_house(house), m_target(target)
{
    m_target.m_backend = this;
}

FakeBackend::~FakeBackend()
{
    m_target.m_backend = nullptr;
    m_target.m_waiting.clear();
}

void FakeBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    if (const auto *wanted = std::get_if<core::effect::RequestPlacement>(&effect)) {
        m_wanted[&job].insert(wanted->tasks.begin(), wanted->tasks.end());
    } else if (std::holds_alternative<core::effect::CancelPlacement>(effect)) {
        m_wanted.erase(&job);
    }
}

bool FakeBackend::wantsPlacing() const { return !m_wanted.empty() && !m_target.isFull; }

void FakeBackend::describe(const ActiveJob &, JobSummary &summary) const
{
    summary.reason = summary.reason.isEmpty() ? m_target.reason : summary.reason;
}

Error FakeBackend::waitReason(const ActiveJob &) const { return {m_target.waitReason, {}}; }

std::vector<JobEvent> FakeBackend::place()
{
    std::vector<JobEvent> events;
    if (m_target.isFull) {
        return events;
    }
    for (const auto &[job, tasks] : std::exchange(m_wanted, {})) {
        core::event::PlacementGranted granted;
        for (const core::TaskRef task : tasks) {
            granted.grants.push_back({task, core::tryUuid(job->state, task), {u"far"_s, u"far"_s, {}, {}, 0}});
        }
        events.push_back({job, core::Event{nowMs(), granted}});
    }
    return events;
}

void FakeBackend::perform(const std::vector<JobEffect> &effects)
{
    for (const auto &[job, effect] : effects) {
        const bool isOfTries = !std::holds_alternative<core::effect::DrawPorts>(effect)
            && !std::holds_alternative<core::effect::JobEnded>(effect)
            && !std::holds_alternative<core::effect::ReleaseTry>(effect);
        m_target.m_isAskedToStop |= std::holds_alternative<core::effect::StopTry>(effect);
        if (isOfTries && !m_target.m_isAnswering) {
            m_target.m_waiting.push_back({job, effect});
        } else {
            answer(*job, effect);
        }
    }
}

void FakeBackend::answer(ActiveJob &job, const core::Effect &effect)
{
    std::visit(Overloaded{
                   [&](const core::effect::DrawPorts &each) { drawPorts(job, each); },
                   [&](const core::effect::LaunchTry &each) { launch(job, each); },
                   [&](const core::effect::ObserveTry &each) { observe(job, each); },
                   [&](const core::effect::StopTry &each) {
                       FakeTarget::Try &entry = m_target.m_tries[each.tryUuid];
                       entry.job = job.state.uuid;
                       entry.task = each.task;
                       tellEnded(each.tryUuid, 143);
                   },
                   [](const auto &) {},
               },
        effect);
}

void FakeBackend::drawPorts(ActiveJob &job, const core::effect::DrawPorts &draw)
{
    core::event::PortsDrawn drawn;
    for (const core::TaskRef task : draw.tasks) {
        drawn.tasks.push_back({task, core::tryUuid(job.state, task), {}});
    }
    say(job.state.uuid, {nowMs(), drawn});
}

void FakeBackend::launch(ActiveJob &job, const core::effect::LaunchTry &launch)
{
    FakeTarget::Try &entry = m_target.m_tries[launch.tryUuid];
    if (entry.job.isNull()) {
        ++m_target.m_starts;
        const core::TaskRef task = launch.task;
        entry = {job.state.uuid, task, std::nullopt,
            log(job.uuid(), job.state.attempt(), job.state.roleName(task), task.index, job.state.task(task).tryIndex)
                .folder};
        QDir().mkpath(entry.folder);
    }
    say(job.state.uuid, {nowMs(), core::event::TryStarted{launch.task, launch.tryUuid, {u"boot"_s, 7, 1}, nowMs()}});
}

void FakeBackend::observe(ActiveJob &job, const core::effect::ObserveTry &observe)
{
    const auto it = m_target.m_tries.find(observe.tryUuid);
    if (it == m_target.m_tries.end()) {
        core::event::TryEnded lost{observe.task, observe.tryUuid, {}, 0, 0, true};
        lost.result.code = -101;
        say(job.state.uuid, {nowMs(), lost});
    } else if (it->second.code) {
        tellEnded(observe.tryUuid, *it->second.code);
    }
}

void FakeBackend::tellEnded(const QUuid &tryUuid, int code)
{
    FakeTarget::Try &entry = m_target.m_tries[tryUuid];
    entry.code = code;
    core::event::TryEnded ended{entry.task, tryUuid, {}, 0, nowMs(), true};
    ended.result.code = code;
    say(entry.job, {nowMs(), ended});
}

void FakeBackend::say(const QUuid &job, const core::Event &event)
{
    if (m_target.m_manners & FakeTarget::Wrong) { // of a try that nobody knows, and of one that failed
        core::event::TryEnded other{{0, 0}, QUuid::createUuid(), {}, 0, nowMs(), true};
        other.result.code = 1;
        post(job, {nowMs(), other});
        post(job, {nowMs(), core::event::TryStarted{{0, 0}, QUuid::createUuid(), {u"boot"_s, 8, 1}, nowMs()}});
    }
    post(job, event);
    if (m_target.m_manners & FakeTarget::Twice) {
        post(job, event);
        postLater(20, [this, job, event] { post(job, event); });
    }
}

void FakeBackend::post(const QUuid &uuid, const core::Event &event)
{
    const auto tell = [this, uuid, event] {
        if (ActiveJob *job = m_house.jobs.find(uuid)) {
            Q_EMIT happened(job, event);
        }
    };
    if (m_target.m_manners & FakeTarget::Late) {
        postLater(30, tell);
    } else {
        tell();
    }
}

void FakeBackend::postLater(int ms, const std::function<void()> &tell)
{
    ++m_unheard;
    QTimer::singleShot(ms, this, [this, tell] {
        --m_unheard;
        tell();
    });
}

void FakeBackend::forget(ActiveJob &job)
{
    m_wanted.erase(&job);
    std::erase_if(m_target.m_waiting, [&](const JobEffect &each) { return each.job == &job; });
}

LogSource FakeBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {RunFolders(m_house.stateFolder).ofTry(job, attempt, role, index, taskTry)};
}

std::unique_ptr<Backend> FakeTarget::makeBackend(const Neighbours &house, Cut &cut)
{
    return std::make_unique<WithCut<FakeBackend>>(cut, house, *this);
}

int FakeTarget::running() const
{
    return int(std::count_if(m_tries.begin(), m_tries.end(), [](const auto &entry) { return !entry.second.code; }));
}

void FakeTarget::endAll(int status)
{
    std::vector<QUuid> running;
    for (const auto &[uuid, entry] : m_tries) {
        if (!entry.code) {
            running.push_back(uuid);
        }
    }
    for (const QUuid &uuid : running) {
        if (m_backend) {
            m_backend->tellEnded(uuid, status);
        } else {
            m_tries[uuid].code = status;
        }
    }
}

void FakeTarget::setAnswering(bool on)
{
    m_isAnswering = on;
    for (const auto &[job, effect] : std::exchange(m_waiting, {})) {
        m_backend->answer(*job, effect);
    }
}

void FakeTarget::print(const QByteArray &text)
{
    for (const auto &[uuid, entry] : m_tries) {
        QFile log(entry.folder + u"/output.log"_s);
        if (!entry.code && log.open(QIODevice::Append)) {
            log.write(text);
        }
    }
}
