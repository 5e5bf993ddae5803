// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/desktopnotices.h"
#include "engine/daemon/jobnotices.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QJsonArray>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// A desktop that shows notices, on a bus of its own.
class FakeDesktop : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Shown {
        QString title, text;
        QStringList actions;
    };
    QList<Shown> shown;

    FakeDesktop()
    {
        m_daemon.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
        if (m_daemon.waitForStarted() && m_daemon.waitForReadyRead(10000)) {
            address = QString::fromUtf8(m_daemon.readLine()).trimmed();
            QDBusConnection bus = QDBusConnection::connectToBus(address, u"fake-desktop"_s);
            isThere = bus.registerObject(u"/org/freedesktop/Notifications"_s, this,
                          QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals)
                && bus.registerService(u"org.freedesktop.Notifications"_s);
        }
    }
    ~FakeDesktop() override
    {
        QDBusConnection::disconnectFromBus(u"fake-desktop"_s);
        m_daemon.kill();
        m_daemon.waitForFinished();
    }
    QString address;
    bool isThere = false;
    void press(uint id, const QString &action) { Q_EMIT ActionInvoked(id, action); }

public Q_SLOTS:
    uint Notify(const QString &, uint, const QString &, const QString &summary, const QString &body,
        const QStringList &actions, const QVariantMap &, int)
    {
        shown.append({summary, body, actions});
        return uint(shown.size());
    }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString &action);
    void NotificationClosed(uint id, uint reason);

private:
    QProcess m_daemon;
};

class TstNotices : public QObject
{
    Q_OBJECT

    static JobSummary job(State state, int retries = 0, qint64 id = 41)
    {
        JobSummary job;
        job.id = id;
        job.uuid = u"uuid-%1"_s.arg(id);
        job.name = u"train"_s;
        job.user = u"ada"_s;
        job.state = state;
        job.retries = retries;
        job.hosts = {u"lab1"_s};
        job.submitted = 1'700'000'000'000;
        if (isFinal(state)) {
            job.completed = job.submitted + 3'600'000;
        }
        return job;
    }
    static QList<JobNotice> many(int succeeded, int failed)
    {
        QList<JobNotice> all;
        for (int i = 0; i < succeeded + failed; ++i) {
            const bool isFailed = i >= succeeded;
            all.append(
                {isFailed ? u"failed"_s : u"succeeded"_s, job(isFailed ? State::Failed : State::Succeeded, 0, i + 1)});
        }
        return all;
    }

private Q_SLOTS:
    void changes_data()
    {
        QTest::addColumn<QList<JobSummary>>("states");
        QTest::addColumn<QStringList>("kinds");
        const auto row = [](const char *name, const QList<JobSummary> &states, const QStringList &kinds) {
            QTest::newRow(name) << states << kinds;
        };
        const JobSummary waiting = job(State::Waiting), running = job(State::Running);
        row("succeeds", {waiting, running, running, job(State::Succeeded)}, {u"running"_s, u"succeeded"_s});
        row("fails before it runs", {waiting, job(State::Failed)}, {u"failed"_s});
        row("is retried, and runs only once",
            {waiting, running, job(State::Waiting, 1), job(State::Running, 1), job(State::Failed, 1)},
            {u"running"_s, u"retried"_s, u"failed"_s});
        row("is stopped", {waiting, running, job(State::Stopping), job(State::Stopped)}, {u"running"_s, u"stopped"_s});
        row("waits again for other tasks", {waiting, running, waiting, running}, {u"running"_s});
        JobSummary sick = running;
        sick.health = {{u"health.jump"_s, {}, 1, u"w"_s, 0}};
        JobSummary asking = waiting;
        asking.reason = u"code.asks"_s;
        asking.reasonArgs = {{u"folder"_s, u"/work"_s}};
        row("asks, until it is answered", {waiting, asking, asking, running, asking},
            {u"question"_s, u"running"_s, u"question"_s});
        row("is marked, once for each kind", {running, sick, running, sick}, {u"running"_s, u"health"_s});
    }
    void changes()
    {
        QFETCH(const QList<JobSummary>, states);
        QStringList kinds;
        NoticeState known;
        for (const JobSummary &state : states) {
            kinds += noticesBetween(known, state);
            known = noticeStateOf(state, known);
        }
        QTEST(kinds, "kinds");
    }

    void wishes()
    {
        const ParseOutcome outcome
            = parseJob("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w:\n    commands: [x]\n"
                       "extras:\n  jobStatusChangeNotification: {failed: true, running: false, "
                       "retried: true}\n");
        QVERIFY(outcome.spec);
        QCOMPARE(wantedNotices(*outcome.spec), (QStringList{u"failed"_s, u"retried"_s}));
        QVERIFY(wantedNotices(JobSpec()).isEmpty());
    }

    // What ends together is told together, and no more than three a minute.
    void bursts()
    {
        NoticeBatch batch;
        batch.add(many(1, 0).first(), 1000);
        QCOMPARE(batch.dueAt(), 1000 + NoticeBatch::firstMs);
        batch.add(many(1, 0).first(), 2500);
        QCOMPARE(batch.dueAt(), 1000 + NoticeBatch::firstMs);
        QCOMPARE(batch.take(3000).size(), 2);
        QVERIFY(batch.isEmpty());
        batch.add(many(1, 0).first(), 4000);
        QCOMPARE(batch.dueAt(), 3000 + NoticeBatch::spaceMs);
        QCOMPARE(noticeWords(many(2, 1), 0).size(), 3);
        const QList<NoticeWords> sweep = noticeWords(many(94, 6), 0);
        QCOMPARE(sweep.size(), 1);
        QVERIFY(sweep.first().isUrgent && sweep.first().job.isEmpty());
        QVERIFY2(sweep.first().title.contains("6 failed"_L1) && sweep.first().title.contains("94 succeeded"_L1),
            qPrintable(sweep.first().title));
        QVERIFY(sweep.first().text.contains("train #95"_L1));
        QVERIFY(!noticeWords(many(4, 0), 0).first().isUrgent);
        JobNotice sick{u"health"_s, job(State::Running, 0, 9)};
        const QList<NoticeWords> marked = noticeWords(many(4, 0) + QList{sick}, 0);
        QVERIFY(marked.size() == 1 && marked.first().isUrgent); // as it is alone
    }

    // One look of the engine is one notice, however many jobs it is about, and is not lost among others.
    void removals()
    {
        const auto due = [](qint64 id, const QString &setting) {
            JobSummary summary = job(State::Succeeded, 0, id);
            summary.removal = PlannedRemoval{1000, 86'401'000, setting, qint64(3) << 29};
            return summary;
        };
        JobNotice one{u"removal"_s, due(1, u"jobs.keepDays"_s)};
        one.jobs = {one.job};
        const NoticeWords single = noticeWords({one}, 1000).constFirst();
        QCOMPARE(single.title, u"train #1 will be removed"_s);
        QVERIFY2(single.text.startsWith("1 ended job (1.5 GiB) is removed after "_L1)
                && single.text.endsWith("because of the setting jobs.keepDays. A star keeps a job."_L1),
            qPrintable(single.text));
        QVERIFY(single.job == "uuid-1"_L1 && !single.isUrgent && !single.canRunAgain);
        JobNotice both = one;
        both.jobs = {one.job, due(2, u"jobs.keepGiB"_s)};
        const QList<NoticeWords> words = noticeWords(many(94, 6) + QList{both}, 1000);
        QCOMPARE(words.size(), 2);
        QCOMPARE(words.constFirst().title, u"2 ended jobs will be removed"_s);
        QVERIFY2(words.constFirst().text.contains("2 ended jobs (3 GiB) are removed from "_L1)
                && words.constFirst().text.contains("the settings jobs.keepDays and jobs.keepGiB."_L1),
            qPrintable(words.constFirst().text));
        QVERIFY(words.constFirst().job.isEmpty());
        const QJsonObject json = noticeJson({both}, 1000)["notices"_L1][0].toObject();
        QCOMPARE(json["jobs"_L1].toArray(), (QJsonArray{1, 2}));
        QCOMPARE(json["bytes"_L1].toInteger(), qint64(3) << 30);
        QCOMPARE(json["due"_L1].toInteger(), 86'401'000);
        // When it is time, the engine may not have come to it yet.
        QVERIFY(noticeWords({one}, 90'000'000).constFirst().text.contains("is removed soon"_L1));
    }

    // Most failures share the code of the protocol; what the program returned stands beside it, as in `ps --json`.
    void statusOfTheProgram()
    {
        JobNotice notice{u"failed"_s, job(State::Failed)};
        notice.job.exitCode = 255;
        notice.job.rawExit = 3;
        QJsonObject json = noticeJson({notice}, 0)["notices"_L1][0].toObject();
        QCOMPARE(json["exitCode"_L1].toInt(), 255);
        QCOMPARE(json["exitStatus"_L1].toInt(), 3);
        QCOMPARE(json["kind"_L1].toString(), u"failed"_s);
        QCOMPARE(json["state"_L1].toString(), u"FAILED"_s);
        const QString text = noticeWords({notice}, 0).constFirst().text;
        QVERIFY2(text.startsWith("Exit status 3: "_L1), qPrintable(text));
        notice.job.rawExit.reset();
        QVERIFY2(noticeWords({notice}, 0).constFirst().text.contains("(255): "_L1),
            qPrintable(noticeWords({notice}, 0).constFirst().text));
        json = noticeJson({notice}, 0)["notices"_L1][0].toObject();
        QVERIFY(!json.contains("exitStatus"_L1));
    }

    // It is about a host, and so about no job.
    void quarantines()
    {
        JobNotice host{u"quarantine"_s, {}};
        host.host = u"lab1"_s;
        host.quarantine = {{}, -1, u"launch.keeper-died"_s, 1000, {{7, u"w/0"_s, 1000}}};
        JobNotice gpu = host;
        gpu.quarantine.gpu = u"GPU-1"_s;
        gpu.quarantine.index = 2;
        const QList<NoticeWords> words = noticeWords(many(94, 6) + QList{host, gpu}, 1000);
        QCOMPARE(words.size(), 3);
        QCOMPARE(words.at(0).title, u"lab1 is in quarantine"_s);
        QCOMPARE(words.at(1).title, u"GPU 2 of lab1 is in quarantine"_s);
        QVERIFY2(words.at(0).text.contains("The helper could not start them"_L1)
                && words.at(0).text.endsWith("'trainyardctl hosts release lab1' lets new tasks start there again."_L1),
            qPrintable(words.at(0).text));
        QVERIFY(words.at(0).isUrgent && words.at(0).job.isEmpty() && !words.at(0).canRunAgain);
        const QJsonArray json = noticeJson({host, gpu}, 1000)["notices"_L1].toArray();
        QCOMPARE(json[0]["host"_L1].toString(), u"lab1"_s);
        QVERIFY(!json[0].toObject().contains("gpu"_L1) && !json[0].toObject().contains("id"_L1));
        QCOMPARE(json[1]["gpu"_L1].toInt(), 2);
    }

    // A broken switch takes a rack out of use: its hosts are one notice, too.
    void manyThatWait()
    {
        QList<JobNotice> hosts, questions;
        for (int i = 1; i <= 6; ++i) {
            JobNotice host{u"quarantine"_s, {}};
            host.host = u"lab%1"_s.arg(i);
            host.quarantine = {{}, -1, u"launch.keeper-died"_s, 1000, {{7, u"w/0"_s, 1000}}};
            hosts.append(host);
            questions.append({u"question"_s, job(State::Waiting, 0, i)});
        }
        hosts.last().quarantine.gpu = u"GPU-1"_s;
        hosts.last().quarantine.index = 2;
        QCOMPARE(noticeWords(hosts.first(3) + questions.first(3), 0).size(), 6);
        const QList<NoticeWords> words = noticeWords(many(1, 0) + hosts + questions, 0);
        QCOMPARE(words.size(), 3);
        QCOMPARE(words.at(0).title, u"6 jobs wait for your answer"_s);
        QVERIFY2(words.at(0).text.startsWith("train #1, train #2, train #3, train #4 and 2 more. "_L1),
            qPrintable(words.at(0).text));
        QCOMPARE(words.at(1).title, u"6 hosts and GPUs are in quarantine"_s);
        QVERIFY2(words.at(1).text.startsWith("lab1, lab2, lab3, lab4 and 2 more. "_L1), qPrintable(words.at(1).text));
        QVERIFY(words.at(0).isUrgent && words.at(1).isUrgent && words.at(1).job.isEmpty());
        QVERIFY(noticeWords(hosts.mid(2), 0).first().text.startsWith("lab3, lab4, lab5, GPU 2 of lab6. "_L1));
        QCOMPARE(noticeJson(hosts + questions, 0)["notices"_L1].toArray().size(), 12); // for programs, each by itself
    }

    // While the end of a job cannot be written down, it is told again and again, and noticed once.
    void endsOnce()
    {
        ActiveJobs jobs;
        const QUuid uuid = QUuid::createUuid();
        const auto add = [&](const core::JobPhase &phase) {
            auto active = std::make_unique<ActiveJob>();
            active->state.uuid = uuid;
            active->state.phase = phase;
            active->spec = parseJob("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w:\n    commands: [x]\n"
                                    "extras:\n  jobStatusChangeNotification: {failed: true, retried: true}\n")
                               .spec;
            jobs.add(std::move(active));
        };
        const auto told = [&](State state, int retries) {
            JobSummary summary = job(state, retries);
            summary.uuid = uuid.toString(QUuid::WithoutBraces);
            return summary;
        };
        const Settings settings;
        const JobReadings readings;
        JobNotices notices(jobs, settings, readings);
        QStringList kinds;
        connect(&notices, &JobNotices::noticed, this, [&](const JobNotice &notice) { kinds.append(notice.kind); });
        add(core::Finished{5});
        notices.take(told(State::Failed, 0));
        notices.take(told(State::Failed, 0));
        QCOMPARE(kinds, QStringList{u"failed"_s});
        // It is over, and somebody lets it run again, which is no retry of the engine.
        jobs.takeFinished();
        add(core::Active{});
        notices.take(told(State::Waiting, 1));
        QCOMPARE(kinds.size(), 1);
        notices.take(told(State::Failed, 1));
        QCOMPARE(kinds, (QStringList{u"failed"_s, u"failed"_s}));
    }

    void retriesSayWhy()
    {
        ActiveJobs jobs;
        auto active = std::make_unique<ActiveJob>();
        active->state.uuid = QUuid::createUuid();
        JobSummary summary = job(State::Running);
        summary.uuid = active->uuid();
        core::AttemptRecord first, second;
        first.result = core::AttemptResult{.code = -1200, .reason = u"exit.oom"_s, .reasonArgs = {}};
        second.index = 1;
        active->state.attempts = {first, second};
        jobs.add(std::move(active));
        QTemporaryDir folder;
        Settings settings(folder.filePath(u"engine.json"_s));
        QVERIFY(settings.set(u"notify.on"_s, QJsonArray{u"retried"_s}));
        const JobReadings readings;
        JobNotices notices(jobs, settings, readings);
        QList<JobNotice> noticed;
        connect(&notices, &JobNotices::noticed, this, [&](const JobNotice &notice) { noticed.append(notice); });
        notices.begin({summary});
        summary.retries = 1;
        notices.take(summary);
        QCOMPARE(noticed.size(), 1);
        QCOMPARE(noticed.first().ended.code, u"exit.oom"_s);
        const QString text = noticeWords(noticed, 0).constFirst().text;
        QVERIFY2(text.startsWith("The attempt before: "_L1) && text.size() > 30, qPrintable(text));
        noticed.first().ended = {};
        QCOMPARE(noticeWords(noticed, 0).constFirst().text, u"On lab1."_s);
    }

    // The next engine reads all outputs again, and finds what the one before has told.
    void marksOfTheLastEngine()
    {
        QTemporaryDir folder;
        Settings settings(folder.filePath(u"engine.json"_s));
        QVERIFY(settings.set(u"notify.on"_s, QJsonArray{u"health"_s}));
        const ActiveJobs none;
        JobReadings readings;
        JobNotices notices(none, settings, readings);
        QStringList marks;
        connect(&notices, &JobNotices::noticed, this, [&](const JobNotice &notice) { marks.append(notice.mark.code); });
        JobSummary old = job(State::Running);
        notices.begin({old});
        notices.take(old);
        JobReadings::Task &task = readings.jobs[old.uuid].tasks[{0, 0}];
        old.health = {{u"health.jump"_s, {}, 1, u"w"_s, 0}};
        notices.take(old);
        QVERIFY(!readings.isCaughtUp(old.uuid));
        task.reading.isCaughtUp = true;
        old.health.append({u"health.plateau"_s, {}, 2, u"w"_s, 0});
        notices.take(old);
        QCOMPARE(marks, QStringList());
        old.health.append({u"health.silent"_s, {}, 3, u"w"_s, 0});
        notices.take(old);
        QCOMPARE(marks, QStringList{u"health.silent"_s});
        // One that came later has nothing to catch up with.
        JobSummary fresh = job(State::Running, 0, 7);
        fresh.health = {{u"health.jump"_s, {}, 1, u"w"_s, 0}};
        notices.take(fresh);
        QCOMPARE(marks, (QStringList{u"health.silent"_s, u"health.jump"_s}));
    }

    // Nothing goes on without an answer, which is one for all jobs of a folder.
    void questions()
    {
        const ActiveJobs none;
        const Settings settings;
        const JobReadings readings;
        JobNotices notices(none, settings, readings);
        QList<JobNotice> noticed;
        connect(&notices, &JobNotices::noticed, this, [&](const JobNotice &notice) { noticed.append(notice); });
        const auto asking = [](qint64 id, const QString &folder) {
            JobSummary summary = job(State::Waiting, 0, id);
            summary.reason = u"code.asks"_s;
            summary.reasonArgs = {{u"folder"_s, folder}, {u"host"_s, u"lab1"_s}, {u"bytes"_s, 3 << 20}};
            return summary;
        };
        for (qint64 id = 1; id <= 3; ++id) {
            notices.take(asking(id, u"/work"_s));
        }
        notices.take(asking(4, u"/other"_s));
        QCOMPARE(noticed.size(), 2);
        const QList<NoticeWords> words = noticeWords(many(94, 6) + noticed, 1000);
        QCOMPARE(words.size(), 3);
        QCOMPARE(words.at(0).title, u"train #1 waits for your answer"_s);
        QVERIFY2(words.at(0).text.contains("/work has 3 MiB"_L1)
                && words.at(0).text.endsWith("'trainyardctl sync --allow 1' copies it."_L1),
            qPrintable(words.at(0).text));
        QVERIFY(words.at(0).isUrgent && words.at(0).job == "uuid-1"_L1 && !words.at(0).canRunAgain);
        for (qint64 id = 1; id <= 3; ++id) {
            notices.take(job(State::Waiting, 0, id)); // answered
        }
        notices.take(asking(2, u"/work"_s));
        QCOMPARE(noticed.size(), 3);
    }

    void onTheDesktop()
    {
        FakeDesktop desktop;
        QVERIFY2(desktop.isThere, "a bus of our own");
        DesktopNotices notices;
        QSignalSpy logs(&notices, &DesktopNotices::logRequested);
        QSignalSpy again(&notices, &DesktopNotices::runAgainRequested);
        JobNotice failed{u"failed"_s, job(State::Failed)};
        failed.job.name = u"a<b>"_s;
        notices.show(noticeWords({failed, {u"succeeded"_s, job(State::Succeeded, 0, 42)}}, 0), desktop.address);
        QSignalSpy shown(&notices, &DesktopNotices::shown);
        notices.sayWhenShown();
        QTRY_COMPARE(shown.size(), 1);
        QCOMPARE(desktop.shown.size(), 2);
        QVERIFY(desktop.shown.first().title.contains("a<b> #41"_L1)); // a title is no markup
        QVERIFY(desktop.shown.first().actions.contains(u"again"_s));
        QVERIFY(!desktop.shown.last().actions.contains(u"again"_s));
        QCOMPARE(desktop.shown.last().text, u"It took 1 h 00 min."_s);
        // The answers may come after the next call.
        QTRY_VERIFY(logs.isEmpty() ? (desktop.press(1, u"log"_s), false) : true);
        QCOMPARE(logs.first().first().toString(), u"uuid-41"_s);
        desktop.press(1, u"again"_s);
        QTRY_COMPARE(again.size(), 1);
        const qsizetype pressed = logs.size(); // no more is on its way: signals keep their order
        desktop.press(77, u"log"_s); // of another program
        desktop.press(1, u"again"_s);
        QTRY_COMPARE(again.size(), 2);
        QCOMPARE(logs.size(), pressed);
    }

    void withoutADesktop()
    {
        DesktopNotices notices;
        QSignalSpy failed(&notices, &DesktopNotices::failed);
        notices.show(noticeWords(many(1, 0), 0), {});
        QCOMPARE(failed.size(), 0); // nobody is there to be told
        notices.show(noticeWords(many(1, 0), 0), u"unix:path=/nowhere/bus"_s);
        QCOMPARE(failed.size(), 1);
        QSignalSpy shown(&notices, &DesktopNotices::shown);
        notices.sayWhenShown();
        QCOMPARE(shown.size(), 1); // nothing is waited for
    }
};

TRAINYARD_TEST(TstNotices)
#include "tst_notices.moc"
