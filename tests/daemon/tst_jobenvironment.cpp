// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the tasks of real jobs found when they started, as `show --environment` prints it.
class TstJobEnvironment : public QObject
{
    Q_OBJECT

    static bool git(const ProgramsFixture &f, const QStringList &words)
    {
        QProcess process;
        process.setWorkingDirectory(f.path(u"work"_s));
        process.start(u"git"_s, QStringList{u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@t"_s} + words);
        return process.waitForFinished() && process.exitCode() == 0;
    }

private Q_SLOTS:
    void ofAJob()
    {
        ProgramsFixture f;
        f.write(u"work/train.py"_s, "lr = 1\n");
        QVERIFY(git(f, {u"init"_s, u"-q"_s, u"-b"_s, u"tuning"_s}) && git(f, {u"add"_s, u"train.py"_s})
            && git(f, {u"commit"_s, u"-q"_s, u"-m"_s, u"first"_s}));
        f.write(u"work/train.py"_s, "lr = 2\n");
        const QString file
            = f.write(u"work/seen.yaml"_s, EngineFixture::document("seen", EngineFixture::role("worker", 3, {"true"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        const auto tasks = [&f] {
            const auto said = f.ctl({u"show"_s, u"seen"_s, u"--environment"_s, u"--json"_s});
            return QJsonDocument::fromJson(said.out).object().value("tasks"_L1).toArray();
        };
        QTRY_COMPARE_WITH_TIMEOUT(tasks().size(), 3, 20000); // the tasks are over before they were looked at
        for (const QJsonValue &task : tasks()) {
            const QJsonObject found = task.toObject().value("environment"_L1).toObject();
            const QJsonObject code = found.value("git"_L1).toObject();
            QCOMPARE(code.value("branch"_L1).toString(), u"tuning"_s);
            QVERIFY(code.value("diff"_L1).toString().contains(u"+lr = 2"_s)); // also where it stands in another record
            QVERIFY(!found.value("host"_L1).toObject().value("kernel"_L1).toString().isEmpty());
        }
        const QByteArray text = f.ctl({u"show"_s, u"seen"_s, u"--environment"_s}).out;
        QVERIFY2(text.contains("worker/0, worker/1, worker/2\n"), text.constData()); // they found the same
        QVERIFY2(text.contains("not committed: train.py"), text.constData());
        QCOMPARE(f.ctl({u"rm"_s, u"seen"_s}).status, 0);
    }
};

TRAINYARD_TEST(TstJobEnvironment)

#include "tst_jobenvironment.moc"
