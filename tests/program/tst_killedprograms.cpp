// SPDX-License-Identifier: GPL-3.0-or-later
// Window, daemon and agent are killed with -9 while tasks write: the tasks run on, and the window that is started again
// shows their state, their exit codes and every byte they wrote, once.
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

#include <signal.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace
{

constexpr int tasks = 3;
constexpr int lines = 250;

// Every task writes its lines in turn to both streams, and ends when the gate is opened.
QByteArray document(const QByteArray &name, const QByteArray &lastCommand)
{
    return "protocolVersion: 2\nname: " + name
        + "\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\ntaskRoles:\n  main:\n    "
          "instances: "
        + QByteArray::number(tasks)
        + "\n    dockerImage: img\n    completion: {minFailedInstances: -1}\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands:\n"
          "      - for i in $(seq "
        + QByteArray::number(lines)
        + "); do echo out $i; echo err $i >&2; sleep 0.01; done\n"
          "      - "
        + lastCommand + "\n      - exit $PAI_TASK_INDEX\n";
}

QStringList numbered(const QString &word)
{
    QStringList all;
    for (int i = 1; i <= lines; ++i) {
        all.append(word + QString::number(i));
    }
    return all;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstKilledPrograms : public QObject
{
    Q_OBJECT

    static QString runFolder(const ProgramsFixture &f)
    {
        const QDir runs(f.stateFolder() + u"/runs"_s);
        const QStringList jobs = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return jobs.size() == 1 ? runs.filePath(jobs.constFirst()) + u"/0"_s : QString();
    }

    static QString taskFolder(const ProgramsFixture &f, int index) { return runFolder(f) + u"/main-%1/0"_s.arg(index); }

    static qint64 written(const ProgramsFixture &f, int index)
    {
        return QFileInfo(taskFolder(f, index) + u"/output.log"_s).size();
    }

    // All tasks have written something more than before.
    static bool waitForOutput(const ProgramsFixture &f)
    {
        QList<qint64> before;
        for (int index = 0; index < tasks; ++index) {
            before.append(written(f, index));
        }
        return QTest::qWaitFor(
            [&] {
                for (int index = 0; index < tasks; ++index) {
                    if (written(f, index) <= before.at(index) && !QFile::exists(taskFolder(f, index) + u"/exit"_s)) {
                        return false;
                    }
                }
                return true;
            },
            15000);
    }

    static void killDaemon(const ProgramsFixture &f) { ::kill(static_cast<pid_t>(f.daemonPid()), SIGKILL); }

    static int killAgents(const ProgramsFixture &f)
    {
        const QList<qint64> agents = f.agentPids();
        for (const qint64 pid : agents) {
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        }
        return static_cast<int>(agents.size());
    }

    // What the window shows of the job that is over, and what lies on the disk.
    static void verifyEnd(const ProgramsFixture &f, DrivenGui &gui, const QString &name)
    {
        QVERIFY(gui.clickRow(u"jobsView"_s, name));
        const auto stateOf = [&gui](int index) { return gui.row(u"tasksView"_s, u"main/%1"_s.arg(index)).value(1); };
        for (int index = 0; index < tasks; ++index) {
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(index), index == 0 ? u"Succeeded"_s : u"Failed"_s, 20000);
            QCOMPARE(gui.row(u"tasksView"_s, u"main/%1"_s.arg(index)).value(5),
                index == 0 ? u"0"_s : u"Exit status %1"_s.arg(index));
            const QByteArray record = contents(taskFolder(f, index) + u"/exit"_s);
            QVERIFY2(record.contains(QByteArray("\nvalue " + QByteArray::number(index) + '\n')), record.constData());
            QVERIFY(gui.clickRow(u"tasksView"_s, u"main/%1"_s.arg(index)));
            QTRY_COMPARE_WITH_TIMEOUT(gui.log().count(u'\n') + 1, 2 * lines, 15000);
            const QStringList shown = gui.log().split(u'\n');
            QCOMPARE(shown.filter(u"out "_s), numbered(u"out "_s));
            QCOMPARE(shown.filter(u"err "_s), numbered(u"err "_s));
            QCOMPARE(QString::fromUtf8(contents(taskFolder(f, index) + u"/output.log"_s)).split(u'\n'),
                shown + QStringList(QString()));
            // One try of each, never begun again.
            QCOMPARE(QDir(runFolder(f) + u"/main-%1"_s.arg(index)).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                QStringList(u"0"_s));
        }
        const auto job = f.ctl({u"ps"_s, u"--json"_s}).json().array();
        QCOMPARE(job.size(), 1);
        QCOMPARE(job.at(0).toObject().value("state"_L1).toString(), u"SUCCEEDED"_s);
        QCOMPARE(job.at(0).toObject().value("retries"_L1).toInt(), 0);
    }

private Q_SLOTS:
    void oneAfterTheOther()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/numbers.pai.yaml"_s, document("numbers", "\"true\""));
        auto gui = std::make_unique<DrivenGui>(f, QStringList(file));
        QVERIFY(gui->click(u"runButton"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!runFolder(f).isEmpty(), 15000);
        QVERIFY(waitForOutput(f));
        gui->kill();
        QVERIFY(waitForOutput(f));
        killDaemon(f);
        QVERIFY(waitForOutput(f));
        gui = std::make_unique<DrivenGui>(f, QStringList()); // which starts a daemon again
        QVERIFY(gui->clickRow(u"jobsView"_s, u"numbers"_s));
        QVERIFY(waitForOutput(f));
        QVERIFY(QTest::qWaitFor([&f] { return killAgents(f) == 1; }, 10000));
        QVERIFY(waitForOutput(f));
        verifyEnd(f, *gui, u"numbers"_s); // the same window has seen all of it
    }

    void allAtOnce()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/numbers.pai.yaml"_s, document("numbers", "\"true\""));
        QStringList files{file};
        for (int round = 0; round < 3; ++round) {
            DrivenGui gui(f, std::exchange(files, {}));
            if (round == 0) {
                QVERIFY(gui.click(u"runButton"_s));
                // The first time at the very beginning: the job is written down, its tasks are about to start.
                QTRY_VERIFY_WITH_TIMEOUT(!runFolder(f).isEmpty(), 15000);
            } else {
                QVERIFY(gui.clickRow(u"jobsView"_s, u"numbers"_s));
                QVERIFY(waitForOutput(f));
            }
            const qint64 window = gui.pid();
            const qint64 daemon = f.daemonPid();
            const QList<qint64> agents = f.agentPids();
            for (const qint64 pid : QList<qint64>{window, daemon} + agents) {
                ::kill(static_cast<pid_t>(pid), SIGKILL);
            }
            QVERIFY(f.waitForNoDaemon());
        }
        DrivenGui gui(f, {});
        verifyEnd(f, gui, u"numbers"_s);
    }

    // They write their last and end while nobody is there at all.
    void tasksEndAlone()
    {
        ProgramsFixture f;
        const QString gate = f.path(u"gate"_s);
        const QString file = f.write(
            u"work/numbers.pai.yaml"_s, document("numbers", "until [ -e " + gate.toUtf8() + " ]; do sleep 0.02; done"));
        {
            DrivenGui gui(f, {file});
            QVERIFY(gui.click(u"runButton"_s));
            QTRY_VERIFY_WITH_TIMEOUT(!runFolder(f).isEmpty(), 15000);
            QVERIFY(waitForOutput(f));
            const QList<qint64> agents = f.agentPids();
            killDaemon(f);
            for (const qint64 pid : agents) {
                ::kill(static_cast<pid_t>(pid), SIGKILL);
            }
            gui.kill();
        }
        f.write(u"gate"_s, {});
        for (int index = 0; index < tasks; ++index) {
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(taskFolder(f, index) + u"/exit"_s), 15000);
        }
        QCOMPARE(f.daemonPid(), 0);
        DrivenGui gui(f, {});
        verifyEnd(f, gui, u"numbers"_s);
    }
};

TRAINYARD_TEST(TstKilledPrograms)
#include "tst_killedprograms.moc"
