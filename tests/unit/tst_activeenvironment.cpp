// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/activeenvironment.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using cli::ActiveEnvironment;

// When it is likely that a job was meant to use the environment of Python that is active in the terminal.
class TstActiveEnvironment : public QObject
{
    Q_OBJECT

    static QByteArray jobWith(const QByteArray &command, const QByteArray &extras = {})
    {
        return "protocolVersion: 2\nname: train\ntype: job\ntaskRoles:\n  w:\n    instances: 1\n"
               "    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n    commands:\n      - "
            + command + "\n" + extras;
    }

private Q_SLOTS:
    void whichIsActive_data()
    {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("activation");
        QTest::newRow("none") << QStringList{u"HOME=/home/ada"_s} << QString() << QString();
        QTest::newRow("venv") << QStringList{u"VIRTUAL_ENV=/home/ada/v 1"_s} << u"/home/ada/v 1"_s
                              << u"source '/home/ada/v 1/bin/activate'"_s;
        QTest::newRow("conda") << QStringList{u"CONDA_PREFIX=/c/envs/torch"_s, u"CONDA_DEFAULT_ENV=torch"_s}
                               << u"/c/envs/torch"_s << u"conda activate torch"_s;
        QTest::newRow("the base of conda")
            << QStringList{u"CONDA_PREFIX=/c"_s, u"CONDA_DEFAULT_ENV=base"_s} << QString() << QString();
    }
    void whichIsActive()
    {
        QFETCH(const QStringList, variables);
        QProcessEnvironment environment;
        for (const QString &each : variables) {
            environment.insert(each.section(u'=', 0, 0), each.section(u'=', 1));
        }
        const ActiveEnvironment active = cli::activeEnvironment(environment);
        QTEST(active.folder, "folder");
        QTEST(active.activation, "activation");
    }

    void isLeftUnused_data()
    {
        QTest::addColumn<QByteArray>("job");
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("startUp");
        QTest::addColumn<bool>("unused");
        const QByteArray none = "{}";
        QTest::newRow("python") << jobWith("python train.py") << none << QString() << true;
        QTest::newRow("torchrun") << jobWith("torchrun --nproc-per-node 2 train.py") << none << QString() << true;
        QTest::newRow("no Python") << jobWith("./train --python-like") << none << QString() << false;
        QTest::newRow("a Python of its own") << jobWith("/opt/python3 train.py") << none << QString() << false;
        QTest::newRow("activates it") << jobWith("source v/bin/activate && python a.py") << none << QString() << false;
        QTest::newRow("names its folder") << jobWith("v/bin/python a.py; python b.py") << none << QString() << false;
        QTest::newRow("uv") << jobWith("uv run python train.py") << none << QString() << false;
        QTest::newRow("the job says one")
            << jobWith("python train.py", "extras: {trainyard: {environment: login}}\n") << none << QString() << false;
        QTest::newRow("the job sets the path")
            << jobWith("python train.py", "extras: {trainyard: {variables: {PATH: /v/bin}}}\n") << none << QString()
            << false;
        QTest::newRow("the settings say one")
            << jobWith("python train.py") << QByteArray(R"({"environment.mode": "conda activate torch"})") << QString()
            << false;
        QTest::newRow("the setting of the host")
            << jobWith("python train.py") << QByteArray(R"({"hostEnvironment.local": "source /v/bin/activate"})")
            << QString() << false;
        QTest::newRow("the login shell activates it")
            << jobWith("python train.py") << none << u". ~/v/bin/activate\n"_s << false;
    }
    void isLeftUnused()
    {
        QFETCH(const QByteArray, job);
        QFETCH(const QByteArray, settings);
        QFETCH(const QString, startUp);
        const ParseOutcome outcome = parseJob(job);
        QVERIFY(outcome.spec);
        QTemporaryDir folder;
        QFile file(folder.filePath(u"engine.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(settings) == settings.size());
        file.close();
        const Settings read(file.fileName());
        const ActiveEnvironment active{u"/home/ada/v"_s, u"source /home/ada/v/bin/activate"_s};
        QTEST(cli::leavesUnused(active, *outcome.spec, read, startUp), "unused");
        QVERIFY(!cli::leavesUnused({}, *outcome.spec, read, startUp));
    }
};
TRAINYARD_TEST(TstActiveEnvironment)

#include "tst_activeenvironment.moc"
