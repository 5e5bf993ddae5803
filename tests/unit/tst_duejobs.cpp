// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/duejobs.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

// Which ended jobs are announced, kept after all, and removed.
class TstDueJobs : public QObject
{
    Q_OBJECT

    static constexpr qint64 hour = 3'600'000;
    static constexpr qint64 now = 1000 * dayMs;

    // "41: 30d 5G" is job 41, which ended 30 days ago and has 5 GiB. Behind it "star", and "days -2h" or "size -2h": it
    // was announced two hours ago.
    static std::vector<EndedJob> jobsOf(const QString &text)
    {
        std::vector<EndedJob> jobs;
        const QStringList lines = text.split(u';', Qt::SkipEmptyParts);
        for (const QString &line : lines) {
            QStringList words = line.simplified().split(u' ');
            EndedJob job;
            job.isStarred = words.removeAll(u"star"_s) > 0;
            job.id = words.at(0).chopped(1).toLongLong();
            job.uuid = u"uuid-%1"_s.arg(job.id);
            const qint64 unit = words.at(1).endsWith(u'h') ? hour : dayMs;
            job.ended = now - words.at(1).chopped(1).toLongLong() * unit;
            job.bytes = words.at(2).chopped(1).toLongLong() << 30;
            if (words.size() > 4) {
                const qint64 at = now + words.at(4).chopped(1).toLongLong() * hour;
                job.removal = PlannedRemoval{at, at + dayMs, settingOf(words.at(3)), job.bytes};
            }
            jobs.push_back(job);
        }
        return jobs;
    }
    static QString settingOf(const QString &word) { return word == "days"_L1 ? u"jobs.keepDays"_s : u"jobs.keepGiB"_s; }

    // "41 days", "41 days -2h" when it was announced before.
    static QString wordsOf(const std::vector<EndedJob> &jobs)
    {
        QStringList words;
        for (const EndedJob &job : jobs) {
            QString word = QString::number(job.id);
            if (job.removal) {
                word += job.removal->setting == "jobs.keepDays"_L1 ? u" days"_s : u" size"_s;
                const qint64 ago = (now - job.removal->announced) / hour;
                word += ago > 0 ? u" -%1h"_s.arg(ago) : QString();
            }
            words.append(word);
        }
        return words.join(u", "_s);
    }

private Q_SLOTS:
    void table_data()
    {
        QTest::addColumn<QString>("jobs");
        QTest::addColumn<int>("days");
        QTest::addColumn<int>("gib");
        QTest::addColumn<QString>("announce");
        QTest::addColumn<QString>("withdraw");
        QTest::addColumn<QString>("remove");
        const auto row = [](const char *name, const char *jobs, int days, int gib, const char *announce,
                             const char *withdraw, const char *remove) {
            QTest::newRow(name) << QString::fromLatin1(jobs) << days << gib << QString::fromLatin1(announce)
                                << QString::fromLatin1(withdraw) << QString::fromLatin1(remove);
        };
        row("no jobs", "", 30, 10, "", "", "");
        row("no limits", "1: 900d 500G; 2: 30d 1G", 0, 0, "", "", "");
        row("by age, at the very day", "1: 31d 1G; 2: 30d 1G; 3: 29d 1G", 30, 0, "1 days, 2 days", "", "");
        row("within the size", "1: 31d 5G; 2: 3d 5G", 0, 10, "", "", "");
        row("by size, the oldest first", "3: 3d 4G; 1: 9d 4G; 2: 5d 4G", 0, 10, "1 size", "", "");
        row("by size, as many as it takes", "1: 9d 1G; 2: 8d 1G; 3: 7d 9G; 4: 6d 9G", 0, 10, "1 size, 2 size, 3 size",
            "", "");
        row("ended at the same time", "2: 9d 8G; 1: 9d 8G", 0, 10, "1 size", "", "");
        row("one that is larger than the limit", "1: 9d 1G; 2: 2d 20G", 0, 10, "1 size, 2 size", "", "");
        row("what goes by age makes room", "1: 40d 8G; 2: 20d 8G", 30, 10, "1 days", "", "");
        row("by both", "1: 40d 1G; 2: 20d 8G; 3: 10d 8G", 30, 10, "1 days, 2 size", "", "");
        row("a star keeps", "1: 90d 50G star; 2: 90d 1G", 30, 0, "2 days", "", "");
        row("starred jobs do not count", "1: 90d 50G star; 2: 9d 8G", 0, 10, "", "", "");
        row("nothing within a day", "1: 23h 50G; 2: 20h 50G", 0, 10, "", "", "");
        row("but what is new counts", "1: 9d 1G; 2: 23h 50G", 0, 10, "1 size", "", "");
        row("a day, exactly", "1: 24h 50G", 0, 10, "1 size", "", "");
        row("ended in the future: the clock was set", "1: -9d 50G", 1, 10, "", "", "");
        row("announced, and waits", "1: 31d 1G days -2h; 2: 31d 1G days -23h", 30, 0, "", "", "");
        row("announced for a day", "1: 31d 1G days -24h; 2: 31d 1G days -99h", 30, 0, "", "",
            "1 days -24h, 2 days -99h");
        row("one of each", "1: 40d 1G days -25h; 2: 35d 1G; 3: 20d 1G days -30h", 30, 0, "2 days", "3", "1 days -25h");
        row("a star takes it back", "1: 40d 1G star days -30h; 2: 40d 1G days -30h", 30, 0, "", "1", "2 days -30h");
        row("the limit was set back", "1: 40d 1G days -30h; 2: 39d 1G size -1h", 0, 0, "", "1, 2", "");
        row("the limit is longer now", "1: 40d 1G days -30h", 60, 0, "", "1", "");
        row("others have gone", "1: 40d 5G size -30h", 0, 10, "", "1", "");
        row("due by the other limit now: since the same time", "1: 40d 5G size -3h", 30, 0, "1 days -3h", "", "");
        row("due by the other limit, and it is time", "1: 40d 5G size -30h", 30, 0, "", "", "1 size -30h");
        row("announced by a clock that was ahead", "1: 40d 5G days 30h", 30, 0, "1 days", "", "");
        row("the clock was set back", "1: -2d 5G days -30h", 30, 0, "", "1", "");
    }
    void table()
    {
        QFETCH(QString, jobs);
        QFETCH(int, days);
        QFETCH(int, gib);
        const KeepLimits limits{.ageMs = days * dayMs, .bytes = qint64(gib) << 30};
        const DueJobs due = whatIsDue(jobsOf(jobs), limits, now);
        QTEST(wordsOf(due.announce), "announce");
        QTEST(wordsOf(due.remove), "remove");
        QTEST(wordsOf(due.withdraw), "withdraw");
        for (const EndedJob &job : due.announce) {
            QCOMPARE(job.removal->due, job.removal->announced + dayMs);
        }
    }

    // A record that is damaged reads as one of the beginning of time. Nobody has been told: the day begins now.
    void damagedAnnouncementCountsForNothing()
    {
        std::vector<EndedJob> jobs = jobsOf(u"1: 40d 4G"_s);
        jobs.front().removal = PlannedRemoval{};
        const DueJobs due = whatIsDue(jobs, {.ageMs = 30 * dayMs}, now);
        QVERIFY(due.remove.empty());
        QCOMPARE(due.announce.size(), std::size_t(1));
        QCOMPARE(due.announce.front().removal->due, now + dayMs);
        jobs.front().removal->announced = now - hour; // its other half is gone
        QVERIFY(whatIsDue(jobs, {.ageMs = 30 * dayMs}, now).remove.empty());
    }

    // Whatever is announced is announced once, and a second look at the same moment changes nothing.
    void isStable()
    {
        std::vector<EndedJob> jobs = jobsOf(u"1: 40d 4G; 2: 35d 4G; 3: 20d 4G; 4: 9d 4G; 5: 2d 4G; 6: 2h 4G"_s);
        const KeepLimits limits{.ageMs = 30 * dayMs, .bytes = qint64(10) << 30};
        const DueJobs first = whatIsDue(jobs, limits, now);
        QCOMPARE(wordsOf(first.announce), u"1 days, 2 days, 3 size, 4 size"_s);
        for (const EndedJob &job : first.announce) {
            jobs[std::size_t(job.id - 1)].removal = job.removal;
        }
        const DueJobs again = whatIsDue(jobs, limits, now);
        QVERIFY(again.announce.empty() && again.withdraw.empty() && again.remove.empty());
        const DueJobs later = whatIsDue(jobs, limits, now + dayMs);
        QCOMPARE(later.remove.size(), std::size_t(4));
    }
};

TRAINYARD_TEST(TstDueJobs)
#include "tst_duejobs.moc"
