// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Ended jobs go by age and size, and not before that was announced for a day.
class TstDueRemovals : public QObject
{
    Q_OBJECT

    static constexpr qint64 hour = 3'600'000;
    static constexpr qint64 lookMs = 200; // between two looks

    // An engine that looks soon and often, whose days are as long as those of everybody else.
    static RemovalTimes quickTimes()
    {
        RemovalTimes times;
        times.firstLookMs = 300;
        times.everyMs = lookMs;
        return times;
    }

    // As if so much time had passed, until the end of the test.
    void pass(qint64 ms)
    {
        stepClockForTests(ms);
        m_passed += ms;
    }

    static QString ended(EngineFixture &f, const QByteArray &name = "done", const QByteArray &command = "echo done")
    {
        const QString uuid = f.submit(EngineFixture::document(name, EngineFixture::role("worker", 1, {command})));
        return !uuid.isEmpty() && f.waitForEnd(uuid) ? uuid : QString();
    }
    static bool isThere(EngineFixture &f, const QString &uuid) { return f.engine().summary(uuid).has_value(); }
    static bool isAnnounced(EngineFixture &f, const QString &uuid) { return f.job(uuid).removal.has_value(); }
    static QString folderOf(EngineFixture &f, const QString &uuid) { return f.path(u"state/runs/"_s + uuid); }
    static RemovalOutlook outlook(EngineFixture &f)
    {
        std::optional<RemovalOutlook> found;
        f.engine().whenRemovalsKnown(&f.engine(), [&found](const RemovalOutlook &outlook) { found = outlook; });
        const bool came = QTest::qWaitFor([&found] { return found.has_value(); }, 10000);
        return came ? *found : RemovalOutlook();
    }

    // Whether it stays so while the engine looks several times. Nothing tells of a look that changes nothing, so this
    // takes its time; it ends as soon as it is so no more.
    template <typename Holds> static bool stays(const Holds &holds)
    {
        return !QTest::qWaitFor([&holds] { return !holds(); }, int(4 * lookMs));
    }

    // As if the jobs of a store that nobody has open had ended earlier. (Agents tell when tasks end, by the real
    // clock.)
    static bool ageJobs(const QString &store, qint64 ms)
    {
        bool done = false;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"older"_s);
            database.setDatabaseName(store);
            done = database.open()
                && QSqlQuery(database).exec(
                    u"UPDATE job SET submitted = submitted - %1, completed = completed - %1"_s.arg(ms));
        }
        QSqlDatabase::removeDatabase(u"older"_s);
        return done;
    }
    static bool reopenAged(EngineFixture &f, qint64 ms)
    {
        f.close();
        return ageJobs(f.path(u"state/store.db"_s), ms) && f.open();
    }

    qint64 m_passed = 0;

private Q_SLOTS:
    void cleanup() { stepClockForTests(-std::exchange(m_passed, 0)); }

    void announcedThenRemoved()
    {
        EngineFixture f;
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        const QString old = ended(f, "old");
        QVERIFY(QFileInfo(folderOf(f, old)).isDir());
        QVERIFY(reopenAged(f, 3 * core::dayMs));
        const QString fresh = ended(f, "fresh");
        // Set only now: the notice may come before the fixture is open.
        QSignalSpy notices(&f.engine(), &Engine::noticed);
        QVERIFY(f.engine().setSetting(u"jobs.keepDays"_s, 2));
        QTRY_VERIFY(isAnnounced(f, old));
        const PlannedRemoval removal = *f.job(old).removal;
        QCOMPARE(removal.due, removal.announced + core::dayMs);
        QCOMPARE(removal.setting, u"jobs.keepDays"_s);
        QVERIFY(removal.bytes > 0);
        QVERIFY(!isAnnounced(f, fresh));
        const RemovalOutlook all = outlook(f);
        QCOMPARE(all, outlookOf({removal}));
        QCOMPARE(f.engine().jobs(u"is:due"_s)->size(), 1);
        // Not before its time, however often it looks.
        pass(core::dayMs - hour);
        QVERIFY(stays([&] { return isThere(f, old) && f.job(old).removal == removal; }));
        QSignalSpy removed(&f.engine(), &Engine::jobRemoved);
        pass(hour);
        QTRY_VERIFY(!isThere(f, old));
        QCOMPARE(removed.constFirst().constFirst().toString(), old);
        QTRY_VERIFY(!QFileInfo::exists(folderOf(f, old)));
        QVERIFY(isThere(f, fresh));
        QCOMPARE(outlook(f).jobs, 0);
        QCOMPARE(notices.size(), 1);
    }

    void onceForAllOfOneLook()
    {
        EngineFixture f;
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        QStringList jobs;
        for (const char *name : {"a", "b", "c"}) {
            jobs.append(ended(f, name));
        }
        pass(10 * core::dayMs);
        QSignalSpy notices(&f.engine(), &Engine::noticed);
        QVERIFY(f.engine().setSetting(u"jobs.keepDays"_s, 5));
        QCOMPARE(outlook(f).jobs, 3); // looked at before it is answered
        QCOMPARE(notices.size(), 1);
        const auto notice = notices.constFirst().constFirst().value<JobNotice>();
        QCOMPARE(notice.kind, u"removal"_s);
        QCOMPARE(notice.jobs.size(), 3);
        // Set back: nothing is due any more, and a day later all are there.
        QVERIFY(f.engine().setSetting(u"jobs.keepDays"_s, QJsonValue::Null));
        QCOMPARE(outlook(f).jobs, 0);
        pass(2 * core::dayMs);
        QVERIFY(stays([&] {
            return std::all_of(jobs.cbegin(), jobs.cend(),
                [&f](const QString &job) { return isThere(f, job) && !isAnnounced(f, job); });
        }));
        // Once more: the time before does not count.
        QVERIFY(f.engine().setSetting(u"jobs.keepDays"_s, 5));
        QCOMPARE(outlook(f).jobs, 3);
        QVERIFY(stays([&] { return isThere(f, jobs.constFirst()); }));
    }

    void restartBetween()
    {
        EngineFixture f({{u"jobs.keepDays"_s, 2}});
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        const QString job = ended(f);
        pass(3 * core::dayMs);
        QTRY_VERIFY(isAnnounced(f, job));
        const PlannedRemoval removal = *f.job(job).removal;
        f.close();
        pass(12 * hour);
        QVERIFY(f.open());
        QCOMPARE(*f.job(job).removal, removal);
        QVERIFY(stays([&] { return f.job(job).removal == removal; })); // neither lost nor begun again
        f.close();
        pass(13 * hour);
        // Right after the start nothing goes, whatever makes it look.
        RemovalTimes slow = quickTimes();
        slow.firstLookMs = 3000;
        f.setRemovals(slow);
        QVERIFY(f.open());
        QVERIFY(f.engine().setSetting(u"jobs.keepDays"_s, 1));
        QCOMPARE(outlook(f).jobs, 1);
        QVERIFY(isThere(f, job));
        QTRY_VERIFY_WITH_TIMEOUT(!isThere(f, job), 10000);
    }

    void aStarKeeps()
    {
        EngineFixture f({{u"jobs.keepDays"_s, 2}});
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        const QString starred = ended(f, "starred");
        const QString later = ended(f, "later");
        const QString noted = ended(f, "noted");
        api::LabelChange star;
        star.ids = {starred};
        star.starred = true;
        QVERIFY(f.engine().setLabels(star));
        api::LabelChange note;
        note.ids = {noted};
        note.note = u"good"_s;
        QVERIFY(f.engine().setLabels(note));
        pass(3 * core::dayMs);
        QTRY_VERIFY(isAnnounced(f, later) && isAnnounced(f, noted));
        QVERIFY(!isAnnounced(f, starred));
        // At once, and whoever lists jobs is told.
        QSignalSpy changed(&f.engine(), &Engine::jobChanged);
        star.ids = {later};
        QVERIFY(f.engine().setLabels(star));
        QVERIFY(!isAnnounced(f, later));
        QVERIFY(!changed.constLast().constFirst().value<JobSummary>().removal);
        pass(2 * core::dayMs);
        QTRY_VERIFY(!isThere(f, noted)); // a note is no star
        QVERIFY(stays([&] { return isThere(f, starred) && isThere(f, later); }));
        // Without its star it is announced anew.
        star.starred = false;
        QVERIFY(f.engine().setLabels(star));
        QTRY_VERIFY(isAnnounced(f, later));
        QCOMPARE(f.job(later).removal->due, f.job(later).removal->announced + core::dayMs);
        QVERIFY(f.job(later).removal->due > nowMs() + 23 * hour);
    }

    void runAgain()
    {
        EngineFixture f({{u"jobs.keepDays"_s, 2}});
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        const QString job = ended(f, "again");
        QVERIFY(reopenAged(f, 3 * core::dayMs));
        const QString held = f.submit(EngineFixture::document("runs", EngineFixture::role("worker", 1, {"sleep 60"})));
        QVERIFY(f.waitFor(held, [](const JobSummary &summary) { return summary.state == State::Running; }));
        QTRY_VERIFY(isAnnounced(f, job));
        RetryRequest retry;
        retry.uuid = job;
        QVERIFY(f.engine().retry(retry));
        QVERIFY(!isAnnounced(f, job));
        QVERIFY(f.waitForEnd(job));
        pass(core::dayMs + hour); // it ended just now
        QVERIFY(stays([&] { return isThere(f, job) && !isAnnounced(f, job); }));
        QVERIFY(!isAnnounced(f, held)); // what runs is no ended job, however old it is
        QVERIFY(f.engine().stop(held, true));
        QVERIFY(f.waitForEnd(held));
    }

    void bySize()
    {
        EngineFixture f;
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        // A file of 700 MiB without the disk's doing any work.
        const QByteArray big = "fallocate -l 700M \"$TRAINYARD_CHECKPOINT_DIR/big\"";
        const QString first = ended(f, "first", big);
        pass(hour);
        const QString second = ended(f, "second", big);
        QCOMPARE(f.job(second).state, State::Succeeded);
        QVERIFY(f.engine().setSetting(u"jobs.keepGiB"_s, 1));
        QCOMPARE(outlook(f).jobs, 0); // they are new
        pass(30 * hour);
        QTRY_VERIFY(isAnnounced(f, first));
        QCOMPARE(f.job(first).removal->setting, u"jobs.keepGiB"_s);
        QVERIFY(f.job(first).removal->bytes >= qint64(700) << 20);
        QVERIFY(!isAnnounced(f, second));
        pass(core::dayMs);
        QTRY_VERIFY(!isThere(f, first));
        QVERIFY(stays([&] { return isThere(f, second) && !isAnnounced(f, second); }));
    }

    void neverByDefault()
    {
        EngineFixture f;
        f.setRemovals(quickTimes());
        QVERIFY(f.open());
        const QString job = ended(f);
        pass(4000 * core::dayMs);
        QVERIFY(stays([&] { return isThere(f, job) && !isAnnounced(f, job); }));
    }

    void commandLine()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                      EngineFixture::document("one", EngineFixture::role("worker", 1, {"true"})))
                     .status,
            0);
        const auto set = f.ctl({u"settings"_s, u"jobs.keepDays"_s, u"30"_s});
        QCOMPARE(set.status, 0);
        QCOMPARE(set.err, QByteArray("trainyardctl: No ended job is due.\n"));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(ageJobs(f.stateFolder() + u"/store.db"_s, 40 * core::dayMs));
        const auto twenty = f.ctl({u"settings"_s, u"jobs.keepDays"_s, u"20"_s});
        QCOMPARE(twenty.status, 0);
        QVERIFY2(twenty.err.startsWith("trainyardctl: 1 ended job (")
                && twenty.err.contains("because of the setting jobs.keepDays"),
            twenty.err.constData());
        const QByteArray shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(shown.contains("(jobs.keepDays); mark it with a star to keep it"), shown.constData());
        const QJsonObject json
            = f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json().object()[u"engine"_s][u"removal"_s].toObject();
        QCOMPARE(json[u"setting"_s].toString(), u"jobs.keepDays"_s);
        QCOMPARE(json[u"due"_s].toInteger() - json[u"announced"_s].toInteger(), core::dayMs);
        QCOMPARE(f.ctl({u"ps"_s, u"is:due"_s, u"--format"_s, u"{id}"_s}).out, QByteArray("1\n"));
        QCOMPARE(f.ctl({u"star"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"is:due"_s, u"--format"_s, u"{id}"_s}).out, QByteArray());
        QVERIFY(!f.ctl({u"show"_s, u"1"_s}).out.contains("keepDays"));
    }
};

TRAINYARD_TEST(TstDueRemovals)
#include "tst_dueremovals.moc"
