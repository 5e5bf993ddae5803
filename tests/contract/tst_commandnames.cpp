// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/container.h"
#include "engine/launch/container.h"
#include "engine/launch/launchplan.h"
#include "tests/contract/faultycommands.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How bash calls commands that it reads from a pipe: those before a step, and those in a container.
class TstCommandNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void commandsBeforeAStep_data()
    {
        QTest::addColumn<bool>("hasFolder");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("in the folder of a try") << true << false;
        QTest::newRow("whose place for it is taken") << true << true;
        QTest::newRow("by hand, without a folder") << false << false;
    }

    // A script that has something to do after the commands runs them in a bash of their own. Their lines count from the
    // first command.
    void commandsBeforeAStep()
    {
        QFETCH(const bool, hasFolder);
        QFETCH(const bool, isTaken);
        const QTemporaryDir home;
        const QString folder = hasFolder ? home.path() : QString();
        QVERIFY(!isTaken || QFile(home.filePath(u"commands"_s)).open(QIODevice::WriteOnly));
        ComposedRole composed;
        composed.userScript = QString::fromLatin1(faultyCommands);
        PluginScript after;
        after.name = u"after"_s;
        after.script = u"true\n"_s;
        composed.after = {after};
        QFile script(home.filePath(u"task.sh"_s));
        QVERIFY(script.open(QIODevice::WriteOnly));
        QVERIFY(script.write(launch::programOf(composed, composed).script) > 0);
        script.close();
        const QByteArray errors = errorsOf({script.fileName()}, {}, folder);
        const bool isNamed = hasFolder && !isTaken;
        const QByteArray said = faultsUnder(isNamed ? folder.toUtf8() + "/commands" : QByteArray("/dev/fd/97"));
        QVERIFY2(errors.startsWith(said), errors.constData());
    }

    void programOfAContainer_data()
    {
        QTest::addColumn<bool>("hasLink");
        QTest::newRow("with the link of its keeper") << true;
        QTest::newRow("without it") << false;
    }

    // The first process in it reads the program and runs it.
    void programOfAContainer()
    {
        QFETCH(const bool, hasLink);
        const QTemporaryDir home;
        launch::ContainerInput input;
        input.runtime = u"apptainer"_s;
        input.image = u"/images/a.sif"_s;
        input.taskFolder = home.path();
        const QString inside = home.filePath(u"inside"_s);
        QVERIFY(QDir().mkpath(inside));
        QVERIFY(!hasLink || QFile::link(u"/dev/fd/9"_s, inside + u"/task.sh"_s));
        const QStringList run = launch::planContainer(input, {}).run;
        const qsizetype shell = run.indexOf(u"bash"_s);
        QVERIFY(shell > 0);
        const std::string text = contract::containerInput({{"A", "1"}}, faultyCommands);
        const QByteArray errors = errorsOf(run.mid(shell + 1), QByteArray::fromStdString(text), inside);
        const QByteArray said = faultsUnder(hasLink ? inside.toUtf8() + "/task.sh" : QByteArray("/dev/fd/9"));
        QVERIFY2(errors.startsWith(said), errors.constData());
    }

private:
    static QByteArray errorsOf(const QStringList &arguments, const QByteArray &input, const QString &taskFolder)
    {
        QProcess bash;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LC_ALL"_s, u"C"_s);
        environment.insert(u"TRAINYARD_TASK_FOLDER"_s, taskFolder);
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s, arguments);
        bash.write(input);
        bash.closeWriteChannel();
        return bash.waitForFinished(30000) ? bash.readAllStandardError() : QByteArray("bash did not end");
    }
};
TRAINYARD_TEST(TstCommandNames)

#include "tst_commandnames.moc"
