// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmmark.h"
#include "engine/clusters/slurmrefusal.h"
#include "engine/clusters/slurmscript.h"
#include "engine/clusters/slurmtext.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the commands of Slurm are told, and what they say.
class TstSlurmText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A comment has several lines, a line is cut, and a job is told of twice.
    void rowsOfOddAnswers()
    {
        const auto row = [](const QByteArrayList &fields) -> QByteArray { return fields.join('\x1f') + '\n'; };
        const auto idsIn = [](const QByteArray &said) {
            QStringList ids;
            for (const slurm::QueueRow &each : slurm::queueRows(said)) {
                ids.append(each.id + u' ' + each.state);
            }
            return ids;
        };
        const QByteArray good = row({"12", "RUNNING", "trainyard:a", "100", "None", "ty-a", "/x/job.sh"});
        const QByteArray lines
            = row({"13", "PENDING", "trainyard:b\nof project 7\n\n", "N/A", "None", "ty-b", "/x/job.sh"});
        const QStringList both{u"13 PENDING"_s, u"12 RUNNING"_s};
        QCOMPARE(idsIn(lines + good), both);
        QCOMPARE(slurm::queueRows(lines).constFirst().comment, u"trainyard:b\nof project 7"_s);
        QCOMPARE(idsIn("squeue: noise\n" + good), QStringList{u"12 RUNNING"_s});
        QCOMPARE(idsIn("13\x1f"
                       "PENDING\x1ftrai\n"
                     + good),
            QStringList{u"12 RUNNING"_s});
        QCOMPARE(idsIn(good.left(good.size() / 2)), QStringList());
        QCOMPARE(idsIn(good + good).size(), 2);
    }

    // Of the jobs of all users, those that wait for their turn.
    void placesInTheLine()
    {
        const auto row = [](const QByteArrayList &fields) -> QByteArray { return fields.join('\x1f') + '\n'; };
        const QByteArray said = "squeue: noise\n" + row({"21", "gpu", "500", "Priority"})
            + row({"20", "gpu", "500", "(Resources)"}) + row({"30_[3-9%2]", "gpu", "900", "Priority"})
            + row({"31", "gpu", "999", "Dependency"}) + row({"32", "gpu", "0", "JobHeldUser"})
            + row({"40+0", "cpu", "7", "Resources"}) + row({"40+1", "cpu", "7", "Resources"})
            + row({"41", "cpu,gpu", "700", "Priority"}) + row({"42", "gpu", "x", "Priority"});
        const QHash<QString, slurm::LinePlace> places = slurm::linePlaces(said);
        QCOMPARE(places.size(), 6);
        QCOMPARE(places.value(u"30"_s), (slurm::LinePlace{u"gpu"_s, 1, 5}));
        QCOMPARE(places.value(u"41"_s), (slurm::LinePlace{u"cpu"_s, 1, 2}));
        QCOMPARE(places.value(u"20"_s), (slurm::LinePlace{u"gpu"_s, 3, 5})); // behind 41, which waits there too
        QCOMPARE(places.value(u"21"_s), (slurm::LinePlace{u"gpu"_s, 4, 5}));
        QCOMPARE(places.value(u"42"_s), (slurm::LinePlace{u"gpu"_s, 5, 5}));
        QCOMPARE(places.value(u"40"_s), (slurm::LinePlace{u"cpu"_s, 2, 2}));
        QVERIFY(slurm::linePlaces({}).isEmpty());
    }

    void beforeSubmission_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<bool>("isBefore");
        QTest::newRow("no configuration")
            << QByteArray("sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n"
                          "sbatch: error: fetch_config: DNS SRV lookup failed\n"
                          "sbatch: error: _establish_config_source: failed to fetch config\n"
                          "sbatch: fatal: Could not establish a configuration source\n")
            << true;
        QTest::newRow("no configuration, after tries")
            << QByteArray("sbatch: error: s_p_parse_file: unable to status file /etc/slurm/slurm.conf: No such file or "
                          "directory, retrying in 1sec up to 60sec\n"
                          "sbatch: fatal: Unable to process configuration file\n")
            << true;
        QTest::newRow("nobody takes the call") << QByteArray(
            "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
            "failure)\n") << true;
        QTest::newRow("an answer is lost")
            << QByteArray("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n")
            << false;
        QTest::newRow("an answer is lost, and then nobody takes the call")
            << QByteArray("sbatch: error: Socket timed out on send/recv operation\nsbatch: error: Batch job submission "
                          "failed: Unable to contact slurm controller (connect failure)\n")
            << false;
        QTest::newRow("cut in the middle") << QByteArray(
            "sbatch: error: Batch job submission failed: Unable to contact slurm controller (receive "
            "failure)\n") << false;
        QTest::newRow("of a command of the site") << QByteArray("sbatch: error: no\n") << false;
        QTest::newRow("nothing") << QByteArray() << false;
    }
    void beforeSubmission()
    {
        QFETCH(QByteArray, said);
        QFETCH(bool, isBefore);
        QCOMPARE(slurm::isBeforeSubmission(said), isBefore);
    }

    void idOfSubmission_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("id");
        QTest::newRow("plain") << QByteArray("123\n") << u"123"_s;
        QTest::newRow("of a cluster") << QByteArray("123;lab\n") << u"123"_s;
        QTest::newRow("behind a greeting") << QByteArray("Welcome to LAB\n42 nodes are free\n4711\n") << u"4711"_s;
        QTest::newRow("without a line feed") << QByteArray("7") << u"7"_s;
        QTest::newRow("nothing") << QByteArray("sbatch: error: no\n") << QString();
        QTest::newRow("empty") << QByteArray() << QString();
    }
    void idOfSubmission()
    {
        QFETCH(QByteArray, said);
        QTEST(slurm::submittedId(said), "id");
    }

    void queue()
    {
        const QByteArray said = "12_3\x1fRUNNING\x1ftrainyard:a\x1f"
                                "1700000000\x1fNone\x1fty-a\x1f/r/allocations/a/"
                                "job.sh\nnoise\n13+0\x1fPENDING\x1f(null)\x1fN/A\x1f(Resources)"
                                "\x1fother work\x1f(null)\n";
        const QList<slurm::QueueRow> rows = slurm::queueRows(said);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0),
            (slurm::QueueRow{u"12_3"_s, u"RUNNING"_s, u"trainyard:a"_s, u"None"_s, 1700000000, u"ty-a"_s,
                u"/r/allocations/a/job.sh"_s}));
        QCOMPARE(rows.at(1),
            (slurm::QueueRow{u"13+0"_s, u"PENDING"_s, u"(null)"_s, u"(Resources)"_s, 0, u"other work"_s, u"(null)"_s}));
        QVERIFY(slurm::queueRows({}).isEmpty());
        QCOMPARE(slurm::queueArguments({u"12"_s, u"13"_s}), slurm::queueArguments() << u"--jobs=12,13"_s);
        QVERIFY(slurm::isUnknownToQueue("slurm_load_jobs error: Invalid job id specified\n"));
        QVERIFY(!slurm::isUnknownToQueue("squeue: error: Unable to contact slurm controller (connect failure)\n"));
    }

    // A number may be another job's by now.
    void marks_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("comment");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("ours") << u"ty-a"_s << u"trainyard:1"_s << QString() << true;
        QTest::newRow("ours, in an array") << u"ty-sweep"_s << u"trainyard:2"_s << QString() << true;
        QTest::newRow("ours, renamed") << u"mine"_s << u"trainyard:1"_s << QString() << true;
        QTest::newRow("ours, in the words of a site") << u"ty-a"_s << u"lab trainyard:1 ok"_s << QString() << true;
        QTest::newRow("ours, by its line") << u"mine"_s << QString() << u"sbatch --comment=trainyard:1 /x"_s << true;
        QTest::newRow("without a comment") << u"ty-a"_s << u"(null)"_s << QString() << true;
        QTest::newRow("with another comment") << u"ty-a"_s << u"project 12"_s << QString() << true;
        QTest::newRow("the same job, run again") << u"ty-a"_s << u"trainyard:3"_s << QString() << false;
        QTest::newRow("the same, by its line")
            << u"ty-a"_s << QString() << u"sbatch --comment=trainyard:3 /x"_s << false;
        QTest::newRow("ours, by its script, renamed")
            << u"mine"_s << u"(null)"_s << u"/r/runs/j/allocations/1/job.sh"_s << true;
        QTest::newRow("ours, by the script of its array, renamed")
            << u"mine"_s << u"project 12"_s << u"/r/runs/k/allocations/7/array-2.sh"_s << true;
        QTest::newRow("the same, by its script")
            << u"ty-a"_s << u"(null)"_s << u"/r/runs/j/allocations/3/job.sh"_s << false;
        QTest::newRow("a script of a site") << u"ty-a"_s << u"(null)"_s << u"/spool/wrapped.sh /r/job.sh"_s << true;
        QTest::newRow("another comment, though the script is not known")
            << u"ty-a"_s << u"trainyard:3"_s << u"(null)"_s << false;
        QTest::newRow("another one") << u"train"_s << QString() << QString() << false;
        QTest::newRow("nothing is known") << QString() << QString() << QString() << false;
    }
    void marks()
    {
        QFETCH(QString, name);
        QFETCH(QString, comment);
        QFETCH(QString, line);
        const slurm::JobMark mark{{u"ty-a"_s, u"ty-sweep"_s}, {u"trainyard:1"_s, u"trainyard:2"_s}};
        QTEST(slurm::isMarked(mark, name, comment, line), "isOurs");
    }

    // A job that was queued again keeps its first run in the accounts, as preempted.
    void accounts()
    {
        const QByteArray said = "7\x1fPREEMPTED\x1f\x1f"
                                "100\x1fty-a\x1fsbatch a\n7\x1f"
                                "CANCELLED by 1000\x1f\x1f"
                                "300\x1fty-a\x1fsbatch a\n7\x1f"
                                "FAILED\x1f\x1f"
                                "200\x1fty-a\x1fsbatch a\n8\x1f"
                                "COMPLETED\x1ftrainyard:b\x1fUnknown\x1f\x1f\n";
        QCOMPARE(slurm::accountRows(said).size(), 4);
        const QList<slurm::AccountRow> rows = slurm::newestRuns(slurm::accountRows(said));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0), (slurm::AccountRow{u"7"_s, u"CANCELLED"_s, {}, 300, u"ty-a"_s, u"sbatch a"_s}));
        QCOMPARE(rows.at(1).comment, u"trainyard:b"_s);
        // Queued again, and not begun: what is said of its first run is old.
        const QList<slurm::AccountRow> again = slurm::newestRuns(slurm::accountRows("7\x1fPREEMPTED\x1f\x1f"
                                                                                    "100\x1fty-a\x1f\n7\x1f"
                                                                                    "PENDING\x1f\x1f"
                                                                                    "Unknown\x1fty-a\x1f\n"));
        QCOMPARE(again.size(), 1);
        QCOMPARE(again.at(0).state, u"PENDING"_s);
    }

    void elements_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QStringList>("elements");
        QTest::newRow("a job") << u"12"_s << QStringList{u"12"_s};
        QTest::newRow("an element") << u"12_3"_s << QStringList{u"12_3"_s};
        QTest::newRow("a component") << u"12+1"_s << QStringList{u"12+1"_s};
        QTest::newRow("together") << u"12_[0-2,7%3]"_s << QStringList{u"12_0"_s, u"12_1"_s, u"12_2"_s, u"12_7"_s};
        QTest::newRow("one of many") << u"12_[5]"_s << QStringList{u"12_5"_s};
        QTest::newRow("the last that there can be") << u"12_[2147483647]"_s << QStringList{u"12_2147483647"_s};
        QTest::newRow("turned") << u"12_[5-3]"_s << QStringList{};
        QTest::newRow("cut") << u"12_[0-2,..."_s << QStringList{u"12_[0-2,..."_s};
    }
    void elements()
    {
        QFETCH(QString, id);
        QTEST(slurm::elementsOf(id), "elements");
    }

    // Of a submission whose answer was lost.
    void isFoundInTheAccounts_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("id");
        QTest::newRow("by its line") << QByteArray("41\x1f\x1fsbatch --comment=trainyard:a /x/job.sh\n"
                                                   "42\x1f\x1fsbatch --comment=trainyard:b /x/job.sh\n")
                                     << u"42"_s;
        QTest::newRow("by its comment") << QByteArray("43_[0-9]\x1ftrainyard:b\x1f\n") << u"43"_s;
        QTest::newRow("of components") << QByteArray("44+0\x1ftrainyard:b\x1f\n44+1\x1ftrainyard:b\x1f\n") << u"44"_s;
        QTest::newRow("not there") << QByteArray("41\x1f\x1fsbatch --comment=trainyard:a\n") << QString();
        QTest::newRow("nothing") << QByteArray() << QString();
    }
    void isFoundInTheAccounts()
    {
        QFETCH(QByteArray, said);
        QTEST(slurm::idInAccounts(said, u"trainyard:b"_s), "id");
        QVERIFY(slurm::hasNoAccounts("Slurm accounting storage is disabled\n"));
        QVERIFY(!slurm::hasNoAccounts("sacct: error: Problem talking to the database: Connection refused\n"));
        const QStringList asked = slurm::searchArguments(u"ty-a"_s, QDateTime({2026, 3, 4}, {5, 6, 7}));
        QVERIFY(asked.contains("--name=ty-a"_L1));
        QVERIFY(asked.contains("--starttime=2026-03-04T05:06:07"_L1));
        QVERIFY(asked.contains("--endtime=2100-01-01T00:00:00"_L1)); // also of those that may begin later
    }

    void phases()
    {
        for (const QString &state : {u"PENDING"_s, u"CONFIGURING"_s, u"REQUEUED"_s, u"RESV_DEL_HOLD"_s}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Pending);
        }
        for (const QString &state : {u"RUNNING"_s, u"COMPLETING"_s, u"SUSPENDED"_s, u"SOMETHING_NEW"_s}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Running);
        }
        for (const QString &state :
            {u"COMPLETED"_s, u"PREEMPTED"_s, u"NODE_FAIL"_s, u"TIMEOUT"_s, u"OUT_OF_MEMORY"_s, QString()}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Over);
        }
        QVERIFY(slurm::hasLeft(u"CANCELLED"_s, true));
        QVERIFY(slurm::hasLeft({}, true));
        QVERIFY(!slurm::hasLeft({}, false)); // the controller has not shown it yet
        QVERIFY(!slurm::hasLeft(u"PENDING"_s, true));
        QVERIFY(!slurm::hasLeft(u"COMPLETING"_s, true));
    }

    // Two lines would leave open which of them counts.
    void oneTimeLimit()
    {
        slurm::ScriptInput input;
        input.options = {u"--partition=main"_s, u"--time=7"_s};
        input.layout = {{{1, 0, 0, 1}, {2, 0, 0, 1}}, {0, 1}};
        QCOMPARE(slurm::directives(input).count("#SBATCH --time=7\n"), 2); // in each component
        input.limitMs = 600'000;
        const QByteArray own = slurm::directives(input);
        QCOMPARE(own.count("--time="), 2);
        QVERIFY2(own.contains("#SBATCH --time=17\n") && own.contains("--partition=main"), own.constData());
        QCOMPARE(slurm::timeOption({u"--time=7"_s, u"--time-min=1"_s, u"--time=8:00"_s}), u"8:00"_s);
        QCOMPARE(slurm::timeOption({u"--partition=main"_s}), QString());
    }

    void theNoticeIsExplained()
    {
        slurm::ScriptInput input;
        input.options = {u"--time=1"_s};
        QCOMPARE(slurm::noticeSecondsOf(input), 30);
        const core::TryResult late = *slurm::resultByCluster(u"TIMEOUT"_s, u"slurm:lab"_s);
        const core::TryResult asked = slurm::resultByNotice(late, u"1"_s, 30);
        QCOMPARE(asked.code, late.code);
        QCOMPARE(asked.reason, u"slurm.time-notice"_s);
        QCOMPARE(asked.reasonArgs.value("before"_L1).toInteger(), 30);
        QCOMPARE(asked.reasonArgs.value("time"_L1).toString(), u"1"_s);
        QCOMPARE(slurm::resultByNotice(late, {}, 90).reason, u"slurm.time-limit"_s);
        const core::TryResult ofJob = *slurm::resultByCluster(u"TIMEOUT"_s, u"slurm:lab"_s, 600);
        QCOMPARE(slurm::resultByNotice(ofJob, u"1"_s, 30).reason, ofJob.reason);
    }

    void reasons_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("code");
        QTest::newRow("resources") << u"(Resources)"_s << u"wait.slurm-resources"_s;
        QTest::newRow("priority") << u"Priority"_s << u"wait.slurm-priority"_s;
        QTest::newRow("nodes") << u"ReqNodeNotAvail, UnavailableNodes:n3"_s << u"wait.slurm-nodes"_s;
        QTest::newRow("limit of the array") << u"JobArrayTaskLimit"_s << u"wait.slurm-array"_s;
        QTest::newRow("quality") << u"QOSMaxGRESPerUser"_s << u"wait.slurm-qos"_s;
        QTest::newRow("account") << u"AssocGrpCpuLimit"_s << u"wait.slurm-account"_s;
        QTest::newRow("held") << u"JobHeldUser"_s << u"wait.slurm-held"_s;
        QTest::newRow("launch") << u"launch failed requeued held"_s << u"wait.slurm-held-admin"_s;
        QTest::newRow("dependency") << u"Dependency"_s << u"wait.slurm-dependency"_s;
        QTest::newRow("dependency that failed") << u"DependencyNeverSatisfied"_s << u"wait.slurm-dependency-never"_s;
        // What the end of other jobs does not change.
        QTest::newRow("one job of the account") << u"AssocMaxCpuPerJobLimit"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("time of one job") << u"QOSMaxWallDurationPerJobLimit"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("one node") << u"QOSMaxGRESPerNode"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("less than the least") << u"QOSMinGRES"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("time of the account") << u"AssociationTimeLimit"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("minutes of one job") << u"AssocMaxCPUMinutesPerJobLimit"_s << u"wait.slurm-too-large"_s;
        QTest::newRow("minutes of the account") << u"AssocGrpCPUMinutesLimit"_s << u"wait.slurm-budget"_s;
        QTest::newRow("hours of the quality") << u"QOSGrpWallLimit"_s << u"wait.slurm-budget"_s;
        QTest::newRow("minutes of running jobs") << u"AssocGrpCPURunMinutesLimit"_s << u"wait.slurm-account"_s;
        QTest::newRow("jobs of the user") << u"QOSMaxJobsPerUserLimit"_s << u"wait.slurm-qos"_s;
        QTest::newRow("a quality that is not allowed") << u"QOSNotAllowed"_s << u"wait.slurm-invalid"_s;
        QTest::newRow("a reservation") << u"Reservation"_s << u"wait.slurm-reservation"_s;
        QTest::newRow("a reservation that is gone") << u"ReservationDeleted"_s << u"wait.slurm-reservation-gone"_s;
        QTest::newRow("requeued too often") << u"JobHoldMaxRequeue"_s << u"wait.slurm-held-admin"_s;
        QTest::newRow("too long") << u"PartitionTimeLimit"_s << u"wait.slurm-time-limit"_s;
        QTest::newRow("more than there is") << u"PartitionConfig"_s << u"wait.slurm-partition-config"_s;
        QTest::newRow("none yet") << u"None"_s << u"wait.slurm-new"_s;
        QTest::newRow("of a later version") << u"SomethingNew"_s << u"wait.slurm"_s;
    }
    void reasons()
    {
        QFETCH(QString, reason);
        const Error why = slurm::waitReason({u"1"_s, u"PENDING"_s, {}, reason, 1700000000}, u"slurm:lab"_s);
        QTEST(why.code, "code");
        QCOMPARE(why.args.value("target"_L1).toString(), u"slurm:lab"_s);
        QCOMPARE(why.args.value("start"_L1).toDouble(), 1.7e12);
        QVERIFY(!why.args.value("reason"_L1).toString().contains(u'('));
    }

    // As Slurm says it of a job that it holds because of that; its reason alone could be that of one which waits for
    // it.
    void aReservationThatWasDeleted()
    {
        const QString reason = u"Reservation r2 was deleted"_s;
        QCOMPARE(slurm::waitReason({u"3"_s, u"RESV_DEL_HOLD"_s, {}, reason}, u"slurm:lab"_s).code,
            u"wait.slurm-reservation-gone"_s);
    }

    void options_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("code");
        QTest::newRow("none") << u"default"_s << QStringList() << QString();
        QTest::newRow("long") << u"--partition=gpu --time 8:00:00 --exclusive"_s
                              << QStringList{u"--partition=gpu"_s, u"--time=8:00:00"_s, u"--exclusive"_s} << QString();
        QTest::newRow("short") << u"-p gpu -Avision -t 60"_s
                               << QStringList{u"--partition=gpu"_s, u"--account=vision"_s, u"--time=60"_s} << QString();
        QTest::newRow("quoted") << u"--constraint=\"a100 & ib\""_s << QStringList{u"--constraint=a100 & ib"_s}
                                << QString();
        QTest::newRow("of the job") << u"--nodes=3"_s << QStringList() << u"slurm.option-owned"_s;
        QTest::newRow("of the job, short") << u"-n 3"_s << QStringList() << u"slurm.option-owned"_s;
        QTest::newRow("another cluster") << u"--clusters=other"_s << QStringList() << u"slurm.option-clusters"_s;
        QTest::newRow("another cluster, short") << u"-M other"_s << QStringList() << u"slurm.option-clusters"_s;
        QTest::newRow("a word") << u"gpu"_s << QStringList() << u"slurm.option-strange"_s;
        QTest::newRow("a line") << u"--partition=\"a\n#SBATCH --uid=0\""_s << QStringList()
                                << u"slurm.option-strange"_s;
    }
    void options()
    {
        QFETCH(QString, line);
        const Result<QStringList> options = slurmOptions(line);
        QTEST(options.value_or(QStringList()), "options");
        QTEST(options ? QString() : options.error().code, "code");
    }

    // A word that was quoted comes back.
    void optionWords_data()
    {
        QTest::addColumn<QString>("word");
        QTest::newRow("plain") << u"--time=8:00:00"_s;
        QTest::newRow("spaces") << u"--constraint=a100 & ib"_s;
        QTest::newRow("quotes") << u"--comment-like=say \"a b\""_s;
        QTest::newRow("quotes alone") << u"--x=\"a\""_s;
        QTest::newRow("apostrophe") << u"--x=it's so"_s;
    }
    void optionWords()
    {
        QFETCH(QString, word);
        QCOMPARE(slurmOptions(u"--exclusive "_s + slurmOptionWord(word)).value_or(QStringList()),
            (QStringList{u"--exclusive"_s, word}));
    }

    // Roles that take the same share a component, and those with GPUs come first.
    void layout()
    {
        core::JobPolicy policy;
        policy.roles = {{u"ps"_s, 1, 1, -1, 0, {.gpu = 0, .cpu = 1, .memoryMiB = 100, .ports = {}}},
            {u"worker"_s, 2, 1, -1, 0, {.gpu = 2, .cpu = 4, .memoryMiB = 1001, .ports = {}}},
            {u"eval"_s, 1, 1, -1, 0, {.gpu = 2, .cpu = 4, .memoryMiB = 1001, .ports = {}}}};
        const slurm::Layout layout = slurm::layoutOf(policy, {{0, 0}, {1, 0}, {1, 1}, {2, 0}});
        QCOMPARE(layout.ofTask, (std::vector<int>{1, 0, 0, 0}));
        QCOMPARE(layout.components.size(), std::size_t(2));
        QCOMPARE(layout.components[0].tasks, 3);
        QCOMPARE(slurm::stepOptions(layout.components[0]),
            (std::vector<std::string>{"--cpus-per-task=4", "--mem-per-cpu=251M", "--gpus=2"}));
        const QByteArray script = slurm::jobScript({u"/runs/a b"_s, u"/runs/agent"_s,
            {u"--partition=gpu"_s, u"--constraint=a & b"_s}, layout, false, {}, 90'000, 30'000});
        QVERIFY2(script.contains("#SBATCH --partition=gpu\n#SBATCH '--constraint=a & b'\n#SBATCH --ntasks=3\n"),
            script.constData());
        QVERIFY(script.contains("#SBATCH hetjob\n"));
        QVERIFY(script.contains("#SBATCH --gpus-per-task=2\n"));
        QVERIFY(script.contains("#SBATCH --time=8\n"));
        QVERIFY(script.endsWith("exec /runs/agent --lead '/runs/a b'\n"));
    }

    // What has to be on one node or on different ones is asked for, and is a component of its own beside other roles.
    void arrangements()
    {
        core::JobPolicy policy;
        const auto needs = [](Arrangement arrange) {
            core::Needs needs{.cpu = 2, .memoryMiB = 100, .ports = {}};
            needs.hosts.arrange = arrange;
            return needs;
        };
        policy.roles = {{u"worker"_s, 3, 1, -1, 0, needs(Arrangement::DifferentHosts)},
            {u"eval"_s, 2, 1, -1, 0, needs(Arrangement::Spread)}, {u"ps"_s, 2, 1, -1, 0, needs(Arrangement::SameHost)}};
        const auto scriptOf = [&policy](const std::vector<core::TaskRef> &tasks, bool isArray) {
            slurm::ScriptInput input;
            input.layout = slurm::layoutOf(policy, tasks);
            input.isArray = isArray;
            return slurm::directives(input);
        };
        QCOMPARE(scriptOf({{0, 0}, {0, 1}, {0, 2}}, false),
            QByteArray("#SBATCH --ntasks=3\n#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=1\n"
                       "#SBATCH --cpus-per-task=2\n#SBATCH --mem-per-cpu=50M\n"));
        const std::vector<core::TaskRef> all{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
        QCOMPARE(slurm::layoutOf(policy, all).ofTask, (std::vector<int>{0, 0, 1, 1, 2, 2}));
        const QByteArray script = scriptOf(all, false);
        QCOMPARE(script.count("hetjob"), 2);
        QCOMPARE(script.count("--nodes=1\n"), 1);
        QCOMPARE(script.count("--nodes=2\n#SBATCH --ntasks-per-node=1\n"), 1);
        QVERIFY(!scriptOf({{0, 2}, {1, 0}}, false).contains("--nodes")); // one that is tried again alone
        policy.gang = false;
        QVERIFY(!scriptOf({{0, 0}, {0, 1}}, true).contains("--nodes"));
    }

    void argumentsOfSubmission()
    {
        slurm::ScriptInput input;
        input.folder = u"/runs/50% 'off'"_s;
        input.isArray = true;
        input.layout.ofTask = {0, 0, 0};
        input.graceMs = 100'000'000;
        const QStringList arguments = slurm::submitArguments(input, u"ty-a"_s, u"trainyard:b"_s);
        QVERIFY(arguments.contains("--output=/runs/50%% 'off'/lead-%a.log"_L1));
        QVERIFY(arguments.contains("--array=0-2"_L1));
        QVERIFY(arguments.contains("--signal=B:USR1@65535"_L1)); // more is refused
        QVERIFY(arguments.contains("--no-requeue"_L1));
    }

    void ends_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("wasStarted");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("reason");
        QTest::newRow("time") << u"TIMEOUT"_s << true << -1004 << u"slurm.time-limit"_s;
        QTest::newRow("preempted") << u"PREEMPTED"_s << true << -1003 << u"slurm.preempted"_s;
        QTest::newRow("node") << u"NODE_FAIL"_s << true << -1001 << u"slurm.node-lost"_s;
        QTest::newRow("node before") << u"NODE_FAIL"_s << false << -1001 << u"slurm.node-lost-early"_s;
        QTest::newRow("memory") << u"OUT_OF_MEMORY"_s << true << -1200 << u"slurm.out-of-memory"_s;
        QTest::newRow("unknown") << QString() << true << -101 << u"slurm.gone"_s;
        QTest::newRow("failed before") << u"FAILED"_s << false << -300 << u"slurm.not-started"_s;
        QTest::newRow("failed meanwhile") << u"FAILED"_s << true << -101 << u"slurm.no-record"_s;
    }
    void ends()
    {
        QFETCH(QString, state);
        QFETCH(bool, wasStarted);
        const core::TryResult result
            = slurm::resultWithoutRecord({state, u"slurm:lab"_s, {}, u"words"_s, wasStarted, false});
        QTEST(result.code, "code");
        QTEST(result.reason, "reason");
    }

    // What has to change then is the limit of the job, and no option of the target.
    void aLimitOfTheJobIsNamed()
    {
        const Error why = slurm::waitReason({u"1"_s, u"PENDING"_s, {}, u"PartitionTimeLimit"_s, 0}, u"slurm:lab"_s);
        QCOMPARE(slurm::waitReasonOfLimit(why, 0, 30'000), why);
        const Error ofJob = slurm::waitReasonOfLimit(why, 600'000, 30'000);
        QCOMPARE(ofJob.code, u"wait.slurm-job-time-limit"_s);
        QCOMPARE(ofJob.args.value("minutes"_L1).toInt(), 17);
        QCOMPARE(ofJob.args.value("target"_L1).toString(), u"slurm:lab"_s);
        const Error other = slurm::waitReason({u"1"_s, u"PENDING"_s, {}, u"Priority"_s, 0}, u"slurm:lab"_s);
        QCOMPARE(slurm::waitReasonOfLimit(other, 600'000, 30'000), other);
    }

    // Slurm calls such a job FAILED: only its step was told why.
    void memoryIsKnownByTheWordsOfTheStep()
    {
        slurm::EndFacts facts{u"FAILED"_s, u"slurm:lab"_s, {}, u"words"_s, true, false};
        facts.words = contract::srunWords("slurmstepd-n1: error: StepId=97.0 exceeded memory limit (474939392 > "
                                          "104857600), being killed\n");
        const core::TryResult result = slurm::resultWithoutRecord(facts);
        QCOMPARE(result.code, -1200);
        QCOMPARE(result.reason, u"exit.oom"_s);
        QCOMPARE(result.reasonArgs, (QJsonObject{{u"usedMiB"_s, 452}, {u"limitMiB"_s, 100}, {u"by"_s, u"limit"_s}}));
        facts.words = contract::srunWords("slurmstepd-n1: error: Exceeded job memory limit");
        QCOMPARE(slurm::resultWithoutRecord(facts).code, -1200);
        QVERIFY(slurm::resultWithoutRecord(facts).reasonArgs.isEmpty());
        QVERIFY(!slurm::resultByMemory({}));
    }

    // The limit of the job is no option of the target.
    void theLimitIsTheJobs()
    {
        const core::TryResult result = *slurm::resultByCluster(u"TIMEOUT"_s, u"slurm:lab"_s, 60);
        QCOMPARE(result.code, -1004);
        QCOMPARE(result.reason, u"slurm.job-time-limit"_s);
        QCOMPARE(result.reasonArgs.value("seconds"_L1).toInt(), 60);
        QCOMPARE(slurm::resultByCluster(u"TIMEOUT"_s, u"slurm:lab"_s, 0)->reason, u"slurm.time-limit"_s);
        const core::TryResult paused = *slurm::resultByCluster(u"TIMEOUT"_s, u"slurm:lab"_s, 60, 90'000);
        QCOMPARE(paused.code, -1004);
        QCOMPARE(paused.reason, u"slurm.paused-time-limit"_s); // which the preparation of the nodes did not use up
        QCOMPARE(paused.reasonArgs.value("paused"_L1).toInt(), 90);
        QCOMPARE(slurm::resultByLimit(60).reason, u"limit.time"_s);
        QCOMPARE(slurm::resultByLimit(60).code, -1004);
    }

    void whatIsStoppedBeforeItBegan()
    {
        contract::ExitRecord record;
        record.kind = contract::ExitKind::StartFailed;
        for (const char *reason : {"cluster.step-stopped", "launch.stopped /runs/0"}) {
            record.reason = reason;
            QVERIFY(slurm::isStoppedBefore(record));
        }
        record.reason = "cluster.step-refused";
        QVERIFY(!slurm::isStoppedBefore(record));
        record = {};
        record.reason = "launch.stopped";
        QVERIFY(!slurm::isStoppedBefore(record));
    }

    // What people are shown of a submission is what is submitted.
    void submissionForPeople()
    {
        slurm::ScriptInput input;
        input.folder = u"…"_s;
        input.program = u"…/trainyard-agent"_s;
        input.options = {u"--partition=gpu"_s};
        input.layout.components = {{4, 8000, 1, 3}};
        input.layout.ofTask = {0, 0, 0};
        input.isArray = true;
        input.limitMs = 60'000;
        const QByteArray text = slurm::submissionText(input, u"ty-mine"_s, u"…"_s);
        QVERIFY2(text.startsWith(slurm::jobScript(input)), text.constData());
        for (const char *part : {"#SBATCH --partition=gpu\n", "#SBATCH --ntasks=1\n", "#SBATCH --mem-per-cpu=2000M\n",
                 "#SBATCH --gpus-per-task=1\n", "#SBATCH --time=", "\n# sbatch --parsable '--job-name=ty-mine' ",
                 " '--array=0-2' "}) {
            QVERIFY2(text.contains(part), part);
        }
    }

    // The lead's own words count when the cluster has forgotten the job.
    void endsInTheWordsOfTheLead()
    {
        const core::TryResult result
            = slurm::resultWithoutRecord({QString(), u"slurm:lab"_s, {}, u"words"_s, false, true});
        QCOMPARE(result.code, -300);
        QCOMPARE(result.reasonArgs.value("detail"_L1).toString(), u"words"_s);
        QCOMPARE(result.reasonArgs.value("state"_L1).toString(), u"UNKNOWN"_s);
    }

    void oneOfAnArrayIsCancelled()
    {
        QCOMPARE(slurm::resultOfRequeued(u"slurm:lab"_s).code, -1003);
        QCOMPARE(slurm::resultOfCancelled(u"CANCELLED"_s, u"slurm:lab"_s).code, -210);
        for (const QString &state : {u"RUNNING"_s, u"PENDING"_s, u"SUSPENDED"_s}) {
            QVERIFY(slurm::goesOn(state));
        }
        for (const QString &state : {u"COMPLETING"_s, u"CANCELLED"_s, u"COMPLETED"_s, QString()}) {
            QVERIFY(!slurm::goesOn(state));
        }
    }
};

TRAINYARD_TEST(TstSlurmText)
#include "tst_slurmtext.moc"
