// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/client/settings.h"
#include "engine/clusters/slurmqueue.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What becomes known of jobs by what squeue and sacct say: here programs that say what a test wants.
class TstSlurmQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void goneElementsAreInTheAccounts();
    void aWaitingArrayWasCancelled();
    void accountsMayMissAnEnd();
    void accountsMayBeSilent();
    void elementsComeBack();
    void elementsAreFollowedByThemselves();
    void oneOfAnArrayIsGone();
    void othersOfTheArrayAreNoNews();
    void eachIsAskedOfTheAccounts();
    void cancelledElementsHaveOneRow();
    void whatHasBegunIsNotCancelledWithTheOthers();
    void aNumberMayBeAnotherJobs();
    void accountsHaveBothJobsOfANumber();
    void accountsMayHaveNoLines();
    void aSiteMayChangeNameAndComment();
    void clockJumps_data();
    void clockJumps();
    void componentsAreOneJob();
    void picksWhatIsOurs_data();
    void picksWhatIsOurs();
    void isFoundOrNot_data();
    void isFoundOrNot();
    void accountsAreLate();
    void manyCommandsAreAnswered();
    void endlessAnswersAreNotHeard();

private:
    void write(const QString &name, const QByteArray &bytes, bool isProgram = false) const;
    static QByteArray row(const QByteArrayList &fields) { return fields.join('\x1f') + '\n'; }

    const slurm::JobMark m_mark{{u"ty-a"_s}, {u"trainyard:a"_s}}; // of the jobs of these tests
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    QByteArray m_path;
};

void TstSlurmQueue::write(const QString &name, const QByteArray &bytes, bool isProgram) const
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    if (isProgram) {
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
}

void TstSlurmQueue::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    const QByteArray folder = QFile::encodeName(m_folder->path());
    for (const QString &name : {u"squeue"_s, u"sacct"_s}) {
        const QByteArray base = folder + '/' + name.toUtf8();
        write(name,
            "#!/bin/sh\n[ -e " + base + ".fails ] && { cat " + base + ".fails >&2; exit 1; }\nexec cat " + base
                + ".says\n",
            true);
        write(name + u".says"_s, {});
    }
    write(u"engine.json"_s, "{\"clusters.pollSeconds\": 1}");
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"engine.json"_s));
    QVERIFY(m_settings->reload());
    m_path = qgetenv("PATH");
    qputenv("PATH", folder + ':' + m_path);
}

void TstSlurmQueue::cleanup() { qputenv("PATH", m_path); }

// They had left the queue before anybody looked, while others of the array are in it.
void TstSlurmQueue::goneElementsAreInTheAccounts()
{
    write(u"squeue.says"_s, row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    write(u"sacct.says"_s,
        row({"12_3", "FAILED", "", "100", "ty-a", ""}) + row({"12_0", "RUNNING", "", "100", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_0"_s).state, u"RUNNING"_s);
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_3"_s).state, u"FAILED"_s, 15'000);
    QCOMPARE(queue.known(u"12_0"_s).state, u"RUNNING"_s);
}

void TstSlurmQueue::aWaitingArrayWasCancelled()
{
    write(u"sacct.says"_s, row({"12_[0-4%2]", "CANCELLED by 0", "", "Unknown", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_2"_s).state, u"CANCELLED"_s, 15'000);
    QCOMPARE(queue.known(u"12_7"_s).state, QString());
}

// What they call running and the queue does not have stays unknown, and for how long is not forgotten.
void TstSlurmQueue::accountsMayMissAnEnd()
{
    write(u"sacct.says"_s, row({"12", "RUNNING", "", "100", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    QSignalSpy answers(&queue, &SlurmQueue::answered);
    queue.follow(u"12"_s, m_mark);
    QTRY_VERIFY(queue.known(u"12"_s).since > 0);
    const qint64 since = queue.known(u"12"_s).since;
    const qsizetype before = answers.size();
    QTRY_VERIFY_WITH_TIMEOUT(answers.size() >= before + 4, 15'000);
    QCOMPARE(queue.known(u"12"_s).state, QString());
    QCOMPARE(queue.known(u"12"_s).since, since);
}

// That they do not answer is told, unless the site keeps none.
void TstSlurmQueue::accountsMayBeSilent()
{
    write(u"sacct.fails"_s, "sacct: error: Problem talking to the database: Connection refused\n");
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE_WITH_TIMEOUT(queue.accountsProblem().code, u"slurm.silent"_s, 15'000);
    QCOMPARE(queue.accountsProblem().args.value(u"program"_s).toString(), u"sacct"_s);
    QVERIFY(queue.wereAccountsSilent(60'000));
    QVERIFY(queue.problem().code.isEmpty()); // the queue answers
    write(u"sacct.fails"_s, "Slurm accounting storage is disabled\n");
    QTRY_VERIFY_WITH_TIMEOUT(queue.accountsProblem().code.isEmpty(), 15'000);
    write(u"sacct.says"_s, row({"12", "TIMEOUT", "", "100", "ty-a", ""}));
    QVERIFY(QFile::remove(m_folder->filePath(u"sacct.fails"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, u"TIMEOUT"_s, 15'000);
}

// One answer had only some of them.
void TstSlurmQueue::elementsComeBack()
{
    const QByteArray whole = row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""})
        + row({"12_1", "RUNNING", "", "N/A", "None", "ty-a", ""});
    write(u"squeue.says"_s, whole);
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_1"_s).state, u"RUNNING"_s);
    write(u"squeue.says"_s, row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_1"_s).state, QString(), 15'000);
    QVERIFY(queue.known(u"12_1"_s).since > 0);
    write(u"squeue.says"_s, whole);
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_1"_s).state, u"RUNNING"_s, 15'000);
}

// Elements that are jobs of their own here.
void TstSlurmQueue::elementsAreFollowedByThemselves()
{
    write(u"squeue.says"_s,
        row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""})
            + row({"12_1", "PENDING", "", "N/A", "JobArrayTaskLimit", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12_0"_s, m_mark);
    queue.follow(u"12_1"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_0"_s).state, u"RUNNING"_s);
    QCOMPARE(queue.known(u"12_1"_s).reason, u"JobArrayTaskLimit"_s);
    queue.unfollow(u"12_0"_s);
    queue.unfollow(u"12_0"_s); // twice is once
    QCOMPARE(queue.known(u"12_0"_s).state, QString());
    QCOMPARE(queue.known(u"12_1"_s).state, u"PENDING"_s);
    write(u"squeue.says"_s, row({"12_1", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_1"_s).state, u"RUNNING"_s, 15'000); // it goes on to be asked for
    queue.unfollow(u"12_1"_s);
    QCOMPARE(queue.known(u"12_1"_s).state, QString());
}

// As one that was cancelled while it waited: the queue has the others, of which nothing is followed here.
void TstSlurmQueue::oneOfAnArrayIsGone()
{
    const QByteArray other = row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""});
    write(u"squeue.says"_s, other + row({"12_1", "PENDING", "", "N/A", "JobArrayTaskLimit", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12_1"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_1"_s).state, u"PENDING"_s);
    QVERIFY(!queue.hasOthersOf(u"12_1"_s)); // it is there itself
    write(u"squeue.says"_s, other);
    QTRY_VERIFY_WITH_TIMEOUT(queue.hasOthersOf(u"12_1"_s), 15'000);
    QVERIFY(!queue.hasOthersOf(u"13_1"_s) && !queue.hasOthersOf(u"12"_s));
    write(u"squeue.says"_s, row({"12_0", "RUNNING", "another", "N/A", "None", "other", "/other"})); // of another array
    QTRY_VERIFY_WITH_TIMEOUT(!queue.hasOthersOf(u"12_1"_s), 15'000);
}

// Elements that nobody follows any more, or that were never ours: the accounts are not asked about them.
void TstSlurmQueue::othersOfTheArrayAreNoNews()
{
    write(u"squeue.says"_s,
        row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""})
            + row({"12_1", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    write(u"sacct.fails"_s, "sacct: error: Problem talking to the database: Connection refused\n");
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    QSignalSpy answers(&queue, &SlurmQueue::answered);
    queue.follow(u"12_0"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_0"_s).state, u"RUNNING"_s);
    write(u"squeue.says"_s, row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    const qsizetype before = answers.size();
    QTRY_VERIFY_WITH_TIMEOUT(answers.size() >= before + 4, 15'000);
    QCOMPARE(queue.accountsProblem().code, QString());
    QVERIFY(!queue.wereAccountsSilent(60'000));
}

// One question is about some of them only.
void TstSlurmQueue::eachIsAskedOfTheAccounts()
{
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    constexpr int count = 60;
    for (int i = 1; i <= count; ++i) {
        queue.follow(QString::number(i), m_mark);
    }
    const auto heard = [&queue] {
        int with = 0;
        for (int i = 1; i <= count; ++i) {
            with += queue.known(QString::number(i)).accountsAt > 0 ? 1 : 0;
        }
        return with;
    };
    QTRY_VERIFY_WITH_TIMEOUT(heard() > 0, 15'000);
    QVERIFY2(heard() < count, "they were not all asked about yet");
    QTRY_COMPARE_WITH_TIMEOUT(heard(), count, 15'000);
}

// Those that had not begun when the array was cancelled; the others have rows of their own.
void TstSlurmQueue::cancelledElementsHaveOneRow()
{
    write(u"squeue.says"_s,
        row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""})
            + row({"12_1", "PENDING", "", "N/A", "JobArrayTaskLimit", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_1"_s).state, u"PENDING"_s);
    QCOMPARE(queue.known(u"12_2"_s).state, QString()); // which nobody has seen
    write(u"squeue.says"_s,
        row({"12", "CANCELLED", "", "N/A", "None", "ty-a", ""})
            + row({"12_0", "COMPLETED", "", "N/A", "None", "ty-a", ""}));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_1"_s).state, u"CANCELLED"_s, 15'000);
    QCOMPARE(queue.known(u"12_0"_s).state, u"COMPLETED"_s);
}

// One that had begun, and of which the cluster has forgotten how it ended: that the others were cancelled says nothing
// of it.
void TstSlurmQueue::whatHasBegunIsNotCancelledWithTheOthers()
{
    write(u"squeue.says"_s,
        row({"12_0", "RUNNING", "", "N/A", "None", "ty-a", ""})
            + row({"12_1", "PENDING", "", "N/A", "JobArrayTaskLimit", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12_0"_s).state, u"RUNNING"_s);
    write(u"squeue.says"_s, row({"12", "CANCELLED", "", "N/A", "None", "ty-a", ""}));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_1"_s).state, u"CANCELLED"_s, 15'000);
    QCOMPARE(queue.known(u"12_0"_s).state, QString());
    QVERIFY(queue.known(u"12_0"_s).since > 0);
    write(u"sacct.says"_s, row({"12_0", "NODE_FAIL", "", "100", "ty-a", ""}));
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12_0"_s).state, u"NODE_FAIL"_s, 15'000);
}

// The cluster has lost its state, and counts again from the beginning.
void TstSlurmQueue::aNumberMayBeAnotherJobs()
{
    write(u"squeue.says"_s, row({"12", "RUNNING", "trainyard:a", "N/A", "None", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12"_s).state, u"RUNNING"_s);
    for (const QByteArray &other : {row({"12", "COMPLETED", "(null)", "N/A", "None", "train", ""}),
             row({"12", "RUNNING", "trainyard:b", "N/A", "None", "ty-a", ""})}) { // the same job, run again
        write(u"squeue.says"_s, other);
        QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, QString(), 15'000);
        QVERIFY(queue.known(u"12"_s).since > 0);
        write(u"squeue.says"_s, row({"12", "RUNNING", "", "N/A", "None", "ty-a", ""}));
        QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, u"RUNNING"_s, 15'000);
    }
}

void TstSlurmQueue::accountsHaveBothJobsOfANumber()
{
    write(u"sacct.says"_s,
        row({"12", "TIMEOUT", "", "100", "ty-a", "sbatch --comment=trainyard:a /x/job.sh"})
            + row({"12", "COMPLETED", "", "900", "train", "sbatch train.sh"}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, u"TIMEOUT"_s, 15'000);
}

// As those of Slurm before 21.08.
void TstSlurmQueue::accountsMayHaveNoLines()
{
    write(u"sacct"_s,
        "#!/bin/sh\ncase \"$*\" in *SubmitLine*)\n    echo 'sacct: fatal: Invalid field requested: \"SubmitLine\"' "
        ">&2\n"
        "    exit 1 ;;\nesac\nexec cat "
            + QFile::encodeName(m_folder->filePath(u"sacct.says"_s)) + '\n',
        true);
    write(u"sacct.says"_s, row({"12", "TIMEOUT", "", "100", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, u"TIMEOUT"_s, 15'000);
    QVERIFY(queue.accountsProblem().code.isEmpty());
    SlurmQueue other(commands, *m_settings);
    write(u"sacct.says"_s, row({"43", "trainyard:b", "trainyard:b"}));
    std::optional<QString> found;
    other.find(u"ty-a"_s, u"trainyard:b"_s, nowMs(), [&found](const std::optional<QString> &id) { found = id; });
    QTRY_COMPARE(found, std::optional(u"43"_s));
}

// It is absent for as long as it is, and not for as long as the clock of this computer was put on or back.
void TstSlurmQueue::clockJumps_data()
{
    QTest::addColumn<qint64>("step");
    QTest::newRow("back a day") << qint64(-86'400'000);
    QTest::newRow("on a day") << qint64(86'400'000);
}

void TstSlurmQueue::clockJumps()
{
    QFETCH(qint64, step);
    write(u"squeue.says"_s, row({"12", "RUNNING", "", "N/A", "None", "ty-a", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    QSignalSpy answers(&queue, &SlurmQueue::answered);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12"_s).state, u"RUNNING"_s);
    write(u"squeue.says"_s, {});
    QTRY_COMPARE_WITH_TIMEOUT(queue.known(u"12"_s).state, QString(), 15'000);
    const auto back = qScopeGuard([step] { stepClockForTests(-step); });
    stepClockForTests(step);
    const qsizetype before = answers.size();
    QTRY_VERIFY_WITH_TIMEOUT(answers.size() >= before + 3, 15'000);
    const qint64 absent = queue.answeredAt() - queue.known(u"12"_s).since;
    QVERIFY2(absent > 0 && absent < 60'000, qPrintable(QString::number(absent)));
}

// A site keeps no comments and gives jobs names of its own: what runs is known by the path of its script.
void TstSlurmQueue::aSiteMayChangeNameAndComment()
{
    const QByteArray script = "/home/me/runs/1/allocations/a/job.sh";
    write(u"squeue.says"_s, row({"12", "RUNNING", "(null)", "N/A", "None", "site-0012", script}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12"_s).state, u"RUNNING"_s);
    std::optional<QStringList> picked;
    queue.pick({u"12"_s}, m_mark, [&picked](const std::optional<QStringList> &ids) { picked = ids; });
    QTRY_COMPARE(picked, std::optional(QStringList{u"12"_s}));
}

// Only the first one of them may have the comment.
void TstSlurmQueue::componentsAreOneJob()
{
    write(u"squeue.says"_s,
        row({"12+0", "RUNNING", "trainyard:a", "N/A", "None", "ty-a", ""})
            + row({"12+1", "PENDING", "", "N/A", "None", "wrap", ""}));
    SlurmCommands commands;
    SlurmQueue queue(commands, *m_settings);
    queue.follow(u"12"_s, m_mark);
    QTRY_COMPARE(queue.known(u"12+1"_s).state, u"PENDING"_s);
    QCOMPARE(queue.known(u"12"_s).state, u"RUNNING"_s);
}

void TstSlurmQueue::picksWhatIsOurs_data()
{
    QTest::addColumn<QByteArray>("queue"); // "-...": what it says when it fails
    QTest::addColumn<QStringList>("picked"); // "?": not known
    const QByteArray ours = row({"12_0", "RUNNING", "trainyard:a", "N/A", "None", "ty-a", ""});
    const QByteArray other = row({"12_0", "RUNNING", "", "N/A", "None", "train", ""});
    QTest::newRow("all") << ours << QStringList{u"12_0"_s, u"12_3"_s};
    QTest::newRow("another job's") << other << QStringList{};
    QTest::newRow("not there") << QByteArray() << QStringList{};
    QTest::newRow("not there, and it was the only one")
        << QByteArray("-slurm_load_jobs error: Invalid job id specified\n") << QStringList{};
    QTest::newRow("no answer") << QByteArray("-squeue: error: Unable to contact slurm controller\n")
                               << QStringList{u"?"_s};
}

void TstSlurmQueue::picksWhatIsOurs()
{
    QFETCH(QByteArray, queue);
    QFETCH(QStringList, picked);
    write(queue.startsWith('-') ? u"squeue.fails"_s : u"squeue.says"_s, queue.startsWith('-') ? queue.mid(1) : queue);
    SlurmCommands commands;
    SlurmQueue asked(commands, *m_settings);
    std::optional<QStringList> found;
    asked.pick({u"12_0"_s, u"12_3"_s}, m_mark,
        [&found](const std::optional<QStringList> &ids) { found = ids.value_or(QStringList{u"?"_s}); });
    QTRY_VERIFY(found.has_value());
    QCOMPARE(*found, picked);
}

void TstSlurmQueue::isFoundOrNot_data()
{
    QTest::addColumn<QByteArray>("queue"); // "-": it does not answer
    QTest::addColumn<QByteArray>("accounts"); // "-...": what it says when it fails
    QTest::addColumn<bool>("isOld");
    QTest::addColumn<QString>("id"); // "?": not known
    const QByteArray inQueue = row({"41", "RUNNING", "trainyard:a", "N/A", "None", "ty-a", ""})
        + row({"42_0", "RUNNING", "trainyard:b", "N/A", "None", "ty-a", ""});
    const QByteArray inAccounts = row({"43+0", "", "sbatch --comment=trainyard:b /x/job.sh"});
    QTest::newRow("in the queue") << inQueue << QByteArray() << true << u"42"_s;
    QTest::newRow("with a comment of the site")
        << row({"44", "RUNNING", "project 7", "N/A", "None", "ty-a", "/x/allocations/b/job.sh"})
        << QByteArray("-Slurm accounting storage is disabled") << true << u"44"_s;
    QTest::newRow("just sent, accounts away") << QByteArray() << QByteArray("-away") << false << u"?"_s;
    QTest::newRow("just sent, and nowhere") << QByteArray() << QByteArray() << false << QString();
    QTest::newRow("just sent, and gone") << QByteArray() << inAccounts << false << u"43"_s;
    QTest::newRow("in the accounts") << QByteArray() << inAccounts << true << u"43"_s;
    QTest::newRow("nowhere") << QByteArray() << QByteArray() << true << QString();
    QTest::newRow("no accounts") << QByteArray() << QByteArray("-Slurm accounting storage is disabled") << true
                                 << QString();
    QTest::newRow("accounts away") << QByteArray() << QByteArray("-sacct: error: Problem talking to the database")
                                   << true << u"?"_s;
    QTest::newRow("queue away") << QByteArray("-") << inAccounts << true << u"?"_s;
}

void TstSlurmQueue::isFoundOrNot()
{
    QFETCH(QByteArray, queue);
    QFETCH(QByteArray, accounts);
    QFETCH(bool, isOld);
    QFETCH(QString, id);
    for (const auto &[name, says] : {std::pair(u"squeue"_s, queue), std::pair(u"sacct"_s, accounts)}) {
        write(name + (says.startsWith('-') ? u".fails"_s : u".says"_s), says.startsWith('-') ? says.mid(1) : says);
    }
    SlurmCommands commands;
    SlurmQueue asked(commands, *m_settings);
    std::optional<QString> found;
    asked.find(u"ty-a"_s, u"trainyard:b"_s, nowMs() - (isOld ? 3'600'000 : 0),
        [&found](const std::optional<QString> &answer) { found = answer.value_or(u"?"_s); });
    QVERIFY(!found); // an answer comes later
    QTRY_VERIFY(found.has_value());
    QCOMPARE(*found, id);
}

// Right after they were away they lack what happened meanwhile: only what they have is sure.
void TstSlurmQueue::accountsAreLate()
{
    SlurmCommands commands;
    SlurmQueue asked(commands, *m_settings);
    const auto find = [&asked] {
        std::optional<QString> found;
        asked.find(u"ty-a"_s, u"trainyard:b"_s, nowMs(),
            [&found](const std::optional<QString> &answer) { found = answer.value_or(u"?"_s); });
        return QTest::qWaitFor([&found] { return found.has_value(); }, 15'000) ? *found : u"silent"_s;
    };
    QCOMPARE(find(), QString());
    write(u"sacct.fails"_s, "sacct: error: Problem talking to the database: Connection refused\n");
    QCOMPARE(find(), u"?"_s);
    QVERIFY(QFile::remove(m_folder->filePath(u"sacct.fails"_s)));
    QCOMPARE(find(), u"?"_s);
    write(u"sacct.says"_s, row({"43", "", "sbatch --comment=trainyard:b /x/job.sh"}));
    QCOMPARE(find(), u"43"_s);
}

void TstSlurmQueue::manyCommandsAreAnswered()
{
    SlurmCommands commands;
    int answers = 0;
    bool isMissing = false;
    for (int i = 0; i < 30; ++i) {
        commands.run(i % 2 == 0 ? u"squeue"_s : u"sacct"_s, {},
            [&answers](const SlurmCommands::Answer &answer) { answers += answer.isGood() ? 1 : 0; });
    }
    commands.run(u"trainyard-no-such-program"_s, {}, [&isMissing](const SlurmCommands::Answer &answer) {
        isMissing = answer.kind == SlurmCommands::Answer::Kind::Missing;
    });
    QCOMPARE(answers, 0);
    QVERIFY(!isMissing);
    QTRY_COMPARE_WITH_TIMEOUT(answers, 30, 15'000);
    QTRY_VERIFY(isMissing);
}

// What never ends must not fill the memory, nor is a part of it an answer.
void TstSlurmQueue::endlessAnswersAreNotHeard()
{
    write(u"squeue"_s, "#!/bin/sh\nexec yes 12\n", true);
    SlurmCommands commands;
    std::optional<SlurmCommands::Answer> answer;
    commands.run(u"squeue"_s, {}, [&answer](const SlurmCommands::Answer &given) { answer = given; });
    QTRY_VERIFY_WITH_TIMEOUT(answer, 50'000); // before its time is over
    QVERIFY(answer->kind == SlurmCommands::Answer::Kind::Done && !answer->isGood());
    QVERIFY(answer->out.isEmpty());
    QCOMPARE(answer->errors, QByteArray("its answer is too long"));
}

TRAINYARD_TEST(TstSlurmQueue)
#include "tst_slurmqueue.moc"
