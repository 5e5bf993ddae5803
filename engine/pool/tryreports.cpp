// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/tryreports.h"

#include "engine/backend/clock.h"
#include "engine/backend/keptreport.h"
#include "engine/pool/imageservice.h"
#include "model/template/pluginsteps.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

TryReports::TryReports(
    HostPool &hosts, LiveTries &tries, PoolJobs &jobs, const CodeService &code, GpuWatch &gpus, ExitJudge &judge)
    : m_hosts(hosts), m_live(tries), m_jobs(jobs), m_code(code), m_gpus(gpus), m_judge(judge)
{
    m_growthTimer.setSingleShot(true);
    m_growthTimer.setInterval(200);
    connect(&m_growthTimer, &QTimer::timeout, this, &TryReports::tellGrowth);
    connect(&m_logTimer, &QTimer::timeout, this, &TryReports::lookForLogs);
    connect(&m_judge, &ExitJudge::judged, this, &TryReports::judged);
    connect(&m_gpus, &GpuWatch::memoryChecked, this, &TryReports::endedWithoutLog);
}

void TryReports::post(ActiveJob &job, decltype(core::Event::what) what)
{
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(what)});
}

void TryReports::started(const QUuid &tryUuid, const contract::StartedRecord &record)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    PoolHost *at = m_hosts.find(entry.host);
    if (at && at->mirrors) {
        at->mirrors->add(tryUuid, entry.folder, entry.localFolder);
    }
    entry.pulling.clear();
    Q_EMIT began(tryUuid);
    if (entry.exitKnown) {
        return;
    }
    noteKept(entry, tryUuid); // before this engine was started
    core::event::TryStarted event{entry.task, tryUuid, {}, record.at};
    event.process = {QString::fromStdString(record.process.bootId), record.process.pid, record.process.startTime};
    post(*entry.job, event);
}

void TryReports::noteSample(PoolHost &of, const contract::Sample &sample)
{
    if (sample.tries.empty()) {
        return;
    }
    QHash<QString, QUuid> byFolder;
    for (const QUuid &uuid : std::as_const(of.tries)) {
        if (const auto it = m_live.find(uuid); it != m_live.end()) {
            byFolder.insert(it->second.folder, uuid);
        }
    }
    for (const contract::TrySample &each : sample.tries) {
        const QUuid uuid = byFolder.value(QString::fromStdString(each.dir));
        if (uuid.isNull()) {
            continue;
        }
        notePulling(uuid, QString::fromStdString(each.pulling));
        noteDiskFull(uuid, each.diskFull);
        if (of.isLocal()) { // of other hosts the mirrors tell: only what has arrived here can be read
            grew(uuid, qint64(each.outputBytes));
        }
    }
}

// The image, and in a second line how far it is.
void TryReports::notePulling(const QUuid &tryUuid, const QString &said)
{
    const auto it = m_live.find(tryUuid);
    const QString image = said.section(u'\n', 0, 0);
    const QString progress = said.section(u'\n', 1);
    if (it == m_live.end() || (it->second.pulling == image && it->second.pullProgress == progress)) {
        return;
    }
    LiveTry &entry = it->second;
    entry.pulling = image;
    entry.pullProgress = progress;
    Q_EMIT described(entry.job, entry.task);
}

// Nothing on the full disk can say it: the keeper tells the agent.
void TryReports::noteDiskFull(const QUuid &tryUuid, bool full)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.diskFull == full) {
        return;
    }
    it->second.diskFull = full;
    noteTrouble(it->second, tryUuid);
}

void TryReports::noteCopy(const QUuid &tryUuid, bool lacksRoom)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end() && std::exchange(it->second.copyLacksRoom, lacksRoom) != lacksRoom) {
        noteTrouble(it->second, tryUuid);
    }
}

// It has begun or ended, and was reported.
void TryReports::noteTrouble(LiveTry &entry, const QUuid &tryUuid)
{
    std::set<QUuid> &inTrouble = m_jobs.of(*entry.job).inTrouble;
    if (entry.trouble().code.isEmpty()) {
        inTrouble.erase(tryUuid);
    } else {
        inTrouble.insert(tryUuid);
    }
    Q_EMIT described(entry.job, entry.task);
}

void TryReports::noteKept(LiveTry &entry, const QUuid &tryUuid)
{
    if (entry.kept || entry.exitKnown || !entry.job->spec || holdMinutesOf(*entry.job->spec) == 0) {
        return;
    }
    entry.kept = keptReportIn(entry.localFolder);
    if (entry.kept) {
        noteTrouble(entry, tryUuid);
    }
}

void TryReports::refused(const QUuid &tryUuid, const QString &why)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end()) {
        it->second.refused = why;
        noteTrouble(it->second, tryUuid);
    }
}

void TryReports::noteStart(const QUuid &tryUuid, const Error &otherEnvironment, const Error &withoutCheckpoints)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end()) {
        it->second.otherEnvironment = otherEnvironment;
        it->second.withoutCheckpoints = withoutCheckpoints;
        if (!it->second.trouble().code.isEmpty()) {
            m_jobs.of(*it->second.job).inTrouble.insert(tryUuid);
        }
    }
}

void TryReports::answered(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end() && !it->second.refused.isEmpty()) {
        it->second.refused.clear();
        noteTrouble(it->second, tryUuid);
    }
}

void TryReports::logMoved(const QUuid &tryUuid)
{
    if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
        it->second.logMovedAt = steadyMs();
    }
}

void TryReports::grew(const QUuid &tryUuid, qint64 bytes)
{
    m_grown.insert(tryUuid, bytes);
    if (!m_growthTimer.isActive()) {
        m_growthTimer.start();
    }
}

void TryReports::tellGrowth()
{
    std::map<QString, QList<LogGrowth>> byJob;
    const QHash<QUuid, qint64> grown = std::exchange(m_grown, {});
    for (auto it = grown.cbegin(); it != grown.cend(); ++it) {
        const auto entry = m_live.find(it.key());
        if (entry != m_live.end()) {
            noteKept(entry->second, it.key()); // says so in its output, after its log
            const core::JobState &job = entry->second.job->state;
            byJob[entry->second.job->uuid()].append(
                {job.roleName(entry->second.task), entry->second.task.index, job.attempt(), it.value()});
        }
    }
    for (const auto &[uuid, logs] : byJob) {
        Q_EMIT logsGrew(uuid, logs);
    }
}

void TryReports::ended(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.exitKnown) {
        return;
    }
    LiveTry &entry = it->second;
    PoolHost *at = m_hosts.find(entry.host);
    const bool isGood = record.isGood();
    if (at && at->mirrors) {
        at->mirrors->add(tryUuid, entry.folder, entry.localFolder);
        // The meaning of its end may be in its log, which is still on its way.
        const bool resultIsFixed = std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state);
        if (!isGood && !resultIsFixed && !at->mirrors->isComplete(tryUuid)) {
            entry.exitKnown = true;
            entry.waitsForLog = record;
            entry.logMovedAt = steadyMs();
            if (!m_logTimer.isActive()) {
                m_logTimer.start(std::min({std::chrono::milliseconds(1000), m_patience.room, m_patience.log}));
            }
            return;
        }
    }
    endBy(tryUuid, record, isGood ? Log::SaysNothing : Log::Here);
}

void TryReports::endBy(const QUuid &tryUuid, const contract::ExitRecord &record, Log log)
{
    if (!m_gpus.waitForMemory(tryUuid, record)) {
        classify(tryUuid, record, log);
    }
}

// A log that does not come holds up the others of its attempt for as long: it is judged by what is known without it.
void TryReports::lookForLogs()
{
    std::vector<QUuid> late;
    bool isAnyWaiting = false;
    const qint64 now = steadyMs();
    for (const auto &[tryUuid, entry] : m_live) {
        const auto patience = entry.copyLacksRoom ? m_patience.room : m_patience.log;
        if (entry.waitsForLog && now - entry.logMovedAt >= patience.count()) {
            late.push_back(tryUuid);
        } else if (entry.waitsForLog) {
            isAnyWaiting = true;
        }
    }
    if (!isAnyWaiting) {
        m_logTimer.stop();
    }
    for (const QUuid &tryUuid : late) {
        if (const auto it = m_live.find(tryUuid); it != m_live.end() && it->second.waitsForLog) {
            endBy(tryUuid, *std::exchange(it->second.waitsForLog, std::nullopt), Log::Elsewhere);
        }
    }
}

bool TryReports::endNow(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || !it->second.waitsForLog) {
        return false;
    }
    endBy(tryUuid, *std::exchange(it->second.waitsForLog, std::nullopt), Log::SaysNothing);
    return true;
}

void TryReports::endedWithoutLog(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    classify(tryUuid, record, Log::SaysNothing);
}

void TryReports::logIsComplete(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end() && it->second.waitsForLog) {
        const contract::ExitRecord record = *std::exchange(it->second.waitsForLog, std::nullopt);
        classify(tryUuid, record, Log::Here);
    }
}

void TryReports::classify(const QUuid &tryUuid, const contract::ExitRecord &record, Log log)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    entry.exitKnown = true;
    core::event::TryEnded event = endByRecord(entry.task, tryUuid, record);
    m_gpus.addUsage(tryUuid, event.usage);
    core::UsedMemory memory{.usedMiB = qint64((record.maxRssKiB + 1023) / 1024)};
    const PoolHost *host = m_hosts.find(entry.host);
    if (host) {
        memory.hostMiB = host->capacity.memoryMiB;
    }
    const TaskRole *role = entry.job->spec ? entry.job->spec->role(entry.job->state.roleName(entry.task)) : nullptr;
    const qint64 limitMiB = role ? qMax<qint64>(role->resources.memoryMiB, leastLimitMiB) : 0;
    if (role && role->resources.memoryMiB > 0) {
        memory.limitMiB = limitMiB;
    }
    if (record.kind == contract::ExitKind::Oom && record.maxRssKiB > 0 && role) {
        entry.memory = {{u"limitMiB"_s, limitMiB}, {u"usedMiB"_s, memory.usedMiB},
            {u"by"_s, record.reason == "oom.host" ? u"host"_s : u"limit"_s}};
    }
    ExitJudge::About about = ExitJudge::aboutEnd(
        *entry.job, entry.task, record, entry.host, log == Log::Here ? entry.localFolder : QString());
    if (!record.isGood()) {
        about.isLogElsewhere = log == Log::Elsewhere;
        about.memory = memory;
        about.worksInCopy = log == Log::Here && host && m_code.worksInCopy(*entry.job, *host, entry.localFolder);
    }
    m_judge.judge(event, record, about);
}

void TryReports::judged(const core::event::TryEnded &event)
{
    const auto it = m_live.find(event.tryUuid);
    if (it == m_live.end()) {
        return;
    }
    core::event::TryEnded whole = event;
    if (event.result.reason == "exit.oom"_L1) {
        for (auto fact = it->second.memory.constBegin(); fact != it->second.memory.constEnd(); ++fact) {
            whole.result.reasonArgs.insert(fact.key(), fact.value());
        }
    }
    post(*it->second.job, whole);
}

void TryReports::fail(const QUuid &tryUuid, const Error &why, int code, bool wasStarted)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.exitKnown) {
        return;
    }
    LiveTry &entry = it->second;
    entry.exitKnown = true;
    core::event::TryEnded event{entry.task, tryUuid, {}, 0, 0, wasStarted};
    event.result.code = code;
    event.result.reason = why.code;
    event.result.reasonArgs = why.args;
    post(*entry.job, std::move(event));
}

} // namespace trainyard
