// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitjudge.h"
#include "engine/pool/codeservice.h"
#include "engine/pool/gpuwatch.h"

#include <QTimer>

#include <chrono>

namespace trainyard
{

// Turns what agents report about tries into events and into messages for people. An end counts once, whichever report
// comes first.
class TryReports : public QObject
{
    Q_OBJECT
public:
    TryReports(
        HostPool &hosts, LiveTries &tries, PoolJobs &jobs, const CodeService &code, GpuWatch &gpus, ExitJudge &judge);

    void started(const QUuid &tryUuid, const contract::StartedRecord &record);
    void ended(const QUuid &tryUuid, const contract::ExitRecord &record);
    // An end without a useful log: the try did not start, or is lost.
    void endedWithoutLog(const QUuid &tryUuid, const contract::ExitRecord &record);
    bool endNow(const QUuid &tryUuid); // one whose end is known, and that waits for its log: that may never come
    // How long a failure waits for its log while nothing of it comes: others of its attempt wait with it.
    struct Patience {
        std::chrono::milliseconds room = std::chrono::minutes(1); // this computer has no room for it
        std::chrono::milliseconds log = std::chrono::minutes(10); // for any other reason
    };
    void setPatience(const Patience &patience) { m_patience = patience; }
    void fail(const QUuid &tryUuid, const Error &why, int code, bool wasStarted); // unless its end is known
    void logIsComplete(const QUuid &tryUuid);
    void logMoved(const QUuid &tryUuid); // its log, or what comes with it: until all is here, it is on its way
    void grew(const QUuid &tryUuid, qint64 bytes);
    void noteCopy(const QUuid &tryUuid, bool lacksRoom); // of its output, to this computer
    void noteSample(PoolHost &host, const contract::Sample &sample);
    void refused(const QUuid &tryUuid, const QString &why); // its agent could not do what it was asked for
    void answered(const QUuid &tryUuid); // it can again
    // The trouble that the try has when it is launched, or nothing.
    void noteStart(const QUuid &tryUuid, const Error &otherEnvironment, const Error &withoutCheckpoints);

Q_SIGNALS:
    void began(const QUuid &tryUuid); // its folder is there; emitted again after a restart
    void happened(trainyard::ActiveJob *job, const trainyard::core::Event &event);
    void described(trainyard::ActiveJob *job, std::optional<trainyard::core::TaskRef> task);
    void logsGrew(const QString &job, const QList<trainyard::LogGrowth> &logs);

private:
    enum class Log { Here, SaysNothing, Elsewhere };
    void classify(const QUuid &tryUuid, const contract::ExitRecord &record, Log log);
    void endBy(const QUuid &tryUuid, const contract::ExitRecord &record, Log log);
    void lookForLogs();
    void judged(const core::event::TryEnded &event);
    void notePulling(const QUuid &tryUuid, const QString &said);
    void noteDiskFull(const QUuid &tryUuid, bool full);
    void noteTrouble(LiveTry &entry, const QUuid &tryUuid);
    void tellGrowth();
    void noteKept(LiveTry &entry, const QUuid &tryUuid);
    void post(ActiveJob &job, decltype(core::Event::what) what);

    HostPool &m_hosts;
    LiveTries &m_live;
    PoolJobs &m_jobs;
    const CodeService &m_code;
    GpuWatch &m_gpus;
    ExitJudge &m_judge;
    QTimer m_growthTimer; // growth is reported a few times a second
    QTimer m_logTimer; // while there are tries that wait for their logs
    Patience m_patience;
    QHash<QUuid, qint64> m_grown; // tries, and how long their output is
};

} // namespace trainyard
