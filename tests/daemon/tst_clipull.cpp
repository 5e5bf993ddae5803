// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace trainyard;

// 'trainyardctl pull': files of tasks by hand, of running and ended jobs.
class TstCliPull : public QObject
{
    Q_OBJECT

    static QByteArray contents(const ProgramsFixture &f, const QString &name)
    {
        return EngineFixture::contents(f.path(name));
    }

private Q_SLOTS:
    // What follows in a script finds the results; those that cannot come are named.
    void resultsAreWaitedFor()
    {
        ProgramsFixture f;
        const auto yaml = [&f](const QString &to) {
            return EngineFixture::document("net",
                EngineFixture::role("main", 2, {"head -c 60000000 /dev/zero > a.bin"}),
                "extras: {trainyard: {results: {files: [a.bin], to: '" + f.path(to).toUtf8() + "'}}}\n");
        };
        ProgramsFixture::Output said = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--json"_s}, yaml(u"r"_s), 60000);
        QCOMPARE(said.status, 0);
        QVERIFY(said.json().isObject());
        for (const QString &name : {u"r/1-net/main-0/a.bin"_s, u"r/1-net/main-1/a.bin"_s}) {
            QCOMPARE(QFileInfo(f.path(name)).size(), 60'000'000);
        }
        f.write(u"full"_s, "a file, so that no folder can be below it");
        said = f.ctl({u"run"_s, u"-"_s, u"--follow"_s}, yaml(u"full/r"_s), 60000);
        QVERIFY2(said.status == 0, said.err.constData()); // the status of the job
        QVERIFY2(said.err.contains("#2 net: ") && said.err.contains("full/r"), said.err.constData());
        said = f.ctl({u"wait"_s, u"2"_s}, {}, 60000);
        QCOMPARE(said.status, 0);
        QVERIFY2(said.err.contains("#2 net: ") && said.err.contains("full/r"), said.err.constData());
    }

    void filesOfAnEndedJob()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("net",
            EngineFixture::role("main", 2,
                {"mkdir -p out/deep", "echo 1 > a.csv", "echo 22 > out/deep/b.pt", "ln -s /etc/passwd out/link"}),
            "extras: {trainyard: {results: {files: [a.csv], to: '" + f.path(u"r"_s).toUtf8() + "'}}}\n");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, yaml).status, 0);

        // What would come, first; nothing is written.
        ProgramsFixture::Output said
            = f.ctl({u"pull"_s, u"1"_s, u"main/1"_s, u"out"_s, u"--to"_s, f.path(u"to"_s), u"--dry-run"_s});
        QVERIFY2(said.status == 0, said.err.constData());
        QVERIFY(said.out.contains("main/1: one file (3 B)"));
        QVERIFY(said.out.contains("out/deep/b.pt"));
        QVERIFY(said.out.contains("links, which are not followed: 1"));
        QVERIFY(!QFileInfo::exists(f.path(u"to"_s)));

        said = f.ctl({u"pull"_s, u"1"_s, u"main/1"_s, u"out"_s, u"*.csv"_s, u"--to"_s, f.path(u"to"_s)});
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(contents(f, u"to/out/deep/b.pt"_s), QByteArray("22\n"));
        QCOMPARE(contents(f, u"to/a.csv"_s), QByteArray("1\n"));
        QVERIFY(!QFileInfo::exists(f.path(u"to/out/link"_s)));
        const QByteArray book = QFile::encodeName(f.path(u"to/.trainyard-files.json"_s));
        QVERIFY2(said.err.contains(QByteArray(book + " notes what was brought")), said.err.constData());

        // Once more: all is here, what was changed stays, what was removed comes again.
        QFile mine(f.path(u"to/a.csv"_s));
        QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("mine\n") == 5);
        mine.close();
        QVERIFY(QFile::remove(f.path(u"to/out/deep/b.pt"_s)));
        said = f.ctl({u"pull"_s, u"1"_s, u"main/1"_s, u"**"_s, u"--to"_s, f.path(u"to"_s), u"--json"_s});
        QCOMPARE(said.status, 0);
        QVERIFY2(!said.err.contains(book), said.err.constData()); // it was there
        const QJsonObject task = said.json().object().value("tasks"_L1)[0].toObject();
        QCOMPARE(task.value("brought"_L1).toInt(), 1);
        QCOMPARE(task.value("alreadyHere"_L1).toInt(), 1);
        QCOMPARE(contents(f, u"to/out/deep/b.pt"_s), QByteArray("22\n"));
        QCOMPARE(contents(f, u"to/a.csv"_s), QByteArray("mine\n"));

        // All tasks, by the rule of the job, where its results go.
        for (const QString &name : {u"r/1-net/main-0"_s, u"r/1-net/main-1"_s}) { // brought by themselves
            QTRY_VERIFY(QFileInfo::exists(f.path(name + u"/.trainyard-files.json"_s)));
            QVERIFY(QFileInfo::exists(f.path(name + u"/a.csv"_s)));
        }
        QVERIFY(QDir(f.path(u"r"_s)).removeRecursively());
        said = f.ctl({u"pull"_s, u"1"_s});
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(contents(f, u"r/1-net/main-0/a.csv"_s), QByteArray("1\n"));
        QCOMPARE(contents(f, u"r/1-net/main-1/a.csv"_s), QByteArray("1\n"));
        QVERIFY(!QFileInfo::exists(f.path(u"r/1-net/main-0/out"_s)));

        said = f.ctl({u"show"_s, u"1"_s});
        QVERIFY(said.out.contains("Results"));
        QVERIFY(said.out.contains("main/0: one file (2 B) in "));
        const QJsonObject engine
            = f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json().object().value("engine"_L1).toObject();
        QCOMPARE(engine.value("resultFiles"_L1).toArray().size(), 2);

        QCOMPARE(f.ctl({u"pull"_s, u"1"_s, u"main/0"_s, u"none.*"_s, u"--to"_s, f.path(u"to"_s)}).status, 2);
        QCOMPARE(f.ctl({u"pull"_s, u"1"_s, u"../x"_s}).status, 2);
        QCOMPARE(f.ctl({u"pull"_s, u"7"_s}).status, 2);
        QCOMPARE(f.ctl({u"pull"_s}).status, 2);
    }

    // The work folder of a job on this computer has whatever the user keeps there.
    void filesThatAreHere()
    {
        ProgramsFixture f;
        const QString work = f.path(u"work"_s), results = work + u"/results"_s;
        f.write(u"work/key.pem"_s, "key\n");
        const QString file = f.write(
            u"work/job.yaml"_s, EngineFixture::document("net", EngineFixture::role("main", 1, {"echo 1 > a.csv"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        ProgramsFixture::Output said = f.ctl({u"pull"_s, u"1"_s});
        QVERIFY2(said.status == 0, said.err.constData());
        QCOMPARE(said.out.trimmed(),
            "main/0 worked in a folder that is here, so what it wrote there need not be brought: "
                + QFile::encodeName(work));
        QVERIFY2(said.err.contains("$TRAINYARD_TASK_FOLDER, are not brought"), said.err.constData());
        QVERIFY(!QFileInfo::exists(results));
        said = f.ctl({u"pull"_s, u"1"_s, u"--json"_s});
        QCOMPARE(said.status, 0);
        const QJsonObject task = said.json().object().value("tasks"_L1)[0].toObject();
        QCOMPARE(task.value("work"_L1).toString(), work);
        QCOMPARE(task.value("to"_L1).toString(), work);
        QCOMPARE(task.value("files"_L1).toArray().size(), 0);
        QVERIFY(task.value("alreadyHere"_L1).toInt() >= 2);
        QCOMPARE(task.value("ofLater"_L1), QJsonValue(0)); // the same fields as where something is brought
        QCOMPARE(task.value("asSent"_L1), QJsonValue(0));
        QVERIFY(!QFileInfo::exists(results));
        // Also what is named, unless it is wanted elsewhere.
        said = f.ctl({u"pull"_s, u"1"_s, u"*.csv"_s});
        QCOMPARE(said.status, 0);
        QVERIFY2(said.out.trimmed().endsWith(QFile::encodeName(work)), said.out.constData());
        QVERIFY(!QFileInfo::exists(results));
        QCOMPARE(f.ctl({u"pull"_s, u"1"_s, u"*.pt"_s}).status, 2);
        QCOMPARE(f.ctl({u"pull"_s, u"1"_s, u"--to"_s, f.path(u"to"_s)}).status, 0);
        QCOMPARE(contents(f, u"to/a.csv"_s), QByteArray("1\n"));
        QCOMPARE(contents(f, u"to/key.pem"_s), QByteArray("key\n"));
    }

    // A file that another host wrote before is not lost when this one brings the same name, which programs hear, too.
    void filesOfAnotherHostAreKept()
    {
        ProgramsFixture f;
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                 EngineFixture::document("net", EngineFixture::role("main", 1, {"echo 1 > a.csv", "echo 1 > b.csv"})))
                .status,
            0);
        const QStringList pull{u"pull"_s, u"1"_s, u"*.csv"_s, u"--to"_s, f.path(u"to"_s)};
        QCOMPARE(f.ctl(pull).status, 0);
        // As if a.csv had come from another host, and the user had written b.csv over.
        const QString former = f.write(u"to/a.csv"_s, "of lab2\n");
        f.write(u"to/b.csv"_s, "of the user\n");
        const QDateTime changed = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        QFile file(former);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.setFileTime(changed, QFileDevice::FileModificationTime));
        file.close();
        QJsonObject book
            = QJsonDocument::fromJson(EngineFixture::contents(f.path(u"to/.trainyard-files.json"_s))).object();
        QJsonArray known = book.value("a.csv"_L1).toArray();
        QVERIFY(known.size() >= 7);
        known[0] = 8; // what lab2 had of it
        known[4] = QFileInfo(former).size();
        known[5] = changed.toMSecsSinceEpoch() * 1'000'000;
        known[6] = u"lab2"_s;
        book.insert(u"a.csv"_s, known);
        known = book.value("b.csv"_L1).toArray();
        known[0] = 12;
        book.insert(u"b.csv"_s, known);
        f.write(u"to/.trainyard-files.json"_s, QJsonDocument(book).toJson(QJsonDocument::Compact));
        const ProgramsFixture::Output said = f.ctl(pull + QStringList{u"--json"_s});
        QVERIFY2(said.status == 0, said.err.constData());
        const QJsonObject task = said.json().object().value("tasks"_L1)[0].toObject();
        QCOMPARE(task.value("kept"_L1).toArray(),
            (QJsonArray{QJsonObject{{u"path"_s, u"a.csv"_s}, {u"name"_s, u"a~lab2.csv"_s}}}));
        QCOMPARE(contents(f, u"to/a~lab2.csv"_s), QByteArray("of lab2\n"));
        QCOMPARE(contents(f, u"to/a.csv"_s), QByteArray("1\n"));
        QMap<QString, bool> beside;
        for (const QJsonValue &each : task.value("files"_L1).toArray()) {
            beside.insert(each[u"path"].toString(), each[u"beside"].toBool());
        }
        QCOMPARE(beside, (QMap<QString, bool>{{u"a.csv"_s, false}, {u"b.csv"_s, true}}));
        QCOMPARE(contents(f, u"to/b.csv"_s), QByteArray("of the user\n"));
    }

    // Each job of a group, in a folder of its own; a pattern may match folders.
    void filesOfAGroup()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("net",
            EngineFixture::role("main", 1, {"mkdir -p runs/a", "echo <% $parameters.x %> > runs/a/m.csv"}),
            "parameters: {x: 1}\n");
        const QString file = f.write(u"work/job.yaml"_s, yaml);
        const ProgramsFixture::Output swept
            = f.ctl({u"sweep"_s, file, u"--param"_s, u"x=7,8"_s, u"--name"_s, u"pair"_s, u"--wait"_s}, {}, 60000);
        QVERIFY2(swept.status == 0, swept.err.constData());
        const ProgramsFixture::Output said
            = f.ctl({u"pull"_s, u"group:pair"_s, u"runs/*"_s, u"--to"_s, f.path(u"to"_s), u"--json"_s});
        QVERIFY2(said.status == 0, said.err.constData());
        const QJsonArray tasks = said.json().object().value("tasks"_L1).toArray();
        QCOMPARE(tasks.size(), 2);
        for (const QJsonValue &each : tasks) {
            const QString to = each[u"to"].toString();
            QVERIFY2(to.startsWith(f.path(u"to/%1-"_s.arg(each[u"job"].toInt()))), qPrintable(to));
            QVERIFY2(QFileInfo::exists(to + u"/runs/a/m.csv"_s), qPrintable(to));
        }
        QCOMPARE(f.ctl({u"pull"_s, u"group:none"_s}).status, 2);
    }

    // The job is removed while its files are brought: nothing half stays, and the sentence says why.
    void filesOfARemovedJob()
    {
        ProgramsFixture f;
        const QByteArray yaml
            = EngineFixture::document("net", EngineFixture::role("main", 1, {"head -c 400000000 /dev/zero > big.bin"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, yaml, 60000).status, 0);
        const auto pull = f.startCtl({u"pull"_s, u"1"_s, u"big.bin"_s, u"--to"_s, f.path(u"big"_s)});
        QVERIFY(pull->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(
            !QDir(f.path(u"big"_s)).entryList({u".trainyard-*.part"_s}, QDir::Files | QDir::Hidden).isEmpty(), 20000);
        QCOMPARE(::kill(pid_t(pull->processId()), SIGSTOP), 0); // a quick disk would have brought it meanwhile
        const auto removed = f.ctl({u"rm"_s, u"1"_s});
        QCOMPARE(::kill(pid_t(pull->processId()), SIGCONT), 0);
        QVERIFY2(removed.status == 0, removed.err.constData());
        QVERIFY(pull->waitForFinished(20000));
        const QByteArray said = pull->readAllStandardError();
        QVERIFY2(said.contains("The job was removed meanwhile, and its files with it."), said.constData());
        QCOMPARE(pull->exitCode(), 2);
        QCOMPARE(QDir(f.path(u"big"_s)).entryList(QDir::Files | QDir::Hidden), QStringList());
    }

    // A running task, and an interrupt: nothing half stays.
    void filesOfARunningJob()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("net",
            EngineFixture::role("main", 1,
                {"head -c 400000000 /dev/zero > big.bin", "echo 1 > a.csv", "until false; do sleep 0.1; done"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, yaml).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"pull"_s, u"1"_s, u"a.csv"_s, u"--to"_s, f.path(u"to"_s)}).status, 0, 30000);
        QCOMPARE(contents(f, u"to/a.csv"_s), QByteArray("1\n"));
        const auto pull = f.startCtl({u"pull"_s, u"1"_s, u"big.bin"_s, u"--to"_s, f.path(u"big"_s)});
        QVERIFY(pull->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(
            !QDir(f.path(u"big"_s)).entryList({u".trainyard-*.part"_s}, QDir::Files | QDir::Hidden).isEmpty(), 20000);
        QCOMPARE(::kill(pid_t(pull->processId()), SIGINT), 0);
        QVERIFY(pull->waitForFinished(20000));
        QCOMPARE(pull->exitCode(), 130);
        QCOMPARE(QDir(f.path(u"big"_s)).entryList(QDir::Files | QDir::Hidden), QStringList());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
    }
};

TRAINYARD_TEST(TstCliPull)
#include "tst_clipull.moc"
