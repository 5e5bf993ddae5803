// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/scriptlink.h"
#include "engine/contract/taskfolder.h"
#include "tests/contract/faultycommands.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace trainyard::contract;
using trainyard::agent::makeScriptLink;
using trainyard::agent::scriptLinkIn;

// How bash calls a script that is in no file.
class TstScriptNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    // With a secret in it, the script is in memory. Its lines are those of the file that shows it without the secret.
    void scriptInMemory()
    {
        m_fixture.agent->environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
        QVERIFY(m_fixture.agent->start());
        Launch launch = m_fixture.launchOf("sealed", faultyCommands);
        launch.sealed = true;
        launch.maskedScript = "masked\n";
        launch.env = {{"LC_ALL", "C"}};
        QVERIFY(m_fixture.runToEnd(launch));
        const QByteArray output = outputOf(launch.dir);
        const QByteArray said = faultsUnder(QByteArray::fromStdString(launch.dir) + "/sealed/task.sh");
        QVERIFY2(output.startsWith(said), output.constData());
        QVERIFY2(!output.contains("/dev/fd/"), output.constData());
        QCOMPARE(fileText(launch.dir, file::script), QByteArray("masked\n"));
        // Who reads all files of a try that has ended must not wait for a descriptor of their own.
        const QString dir = QString::fromStdString(launch.dir);
        QVERIFY(QFileInfo(dir + QStringLiteral("/sealed")).isDir());
        QVERIFY(QDir(dir + QStringLiteral("/sealed"))
                    .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                    .isEmpty());
    }

    // Where the link cannot be made, the script runs all the same.
    void folderWithoutTheLink()
    {
        const std::string missing = m_fixture.home->filePath(QStringLiteral("missing")).toStdString();
        QCOMPARE(scriptLinkIn(missing), std::string("/dev/fd/9"));
        const QString taken = m_fixture.home->filePath(QStringLiteral("taken"));
        QVERIFY(QDir().mkpath(taken));
        QVERIFY(QFile(taken + QStringLiteral("/task.sh")).open(QIODevice::WriteOnly));
        makeScriptLink(taken.toStdString());
        QCOMPARE(scriptLinkIn(taken.toStdString()), std::string("/dev/fd/9"));
        makeScriptLink(missing);
        makeScriptLink(missing); // it is there already
        QCOMPARE(scriptLinkIn(missing), missing + "/task.sh");
    }

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstScriptNames)

#include "tst_scriptnames.moc"
