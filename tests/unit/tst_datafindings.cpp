// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/datafindings.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <optional>
#include <utility>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Data and folders of this computer that a job names and that are not there.
class TstDataFindings : public QObject
{
    Q_OBJECT

    static QByteArray jobWith(const QByteArray &extras)
    {
        return "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n"
               "taskRoles:\n  main:\n    dockerImage: img\n"
               "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\nextras:\n  trainyard:\n"
            + extras;
    }

private Q_SLOTS:
    void pathsAreLookedFor_data()
    {
        QTest::addColumn<QByteArray>("extras");
        QTest::addColumn<bool>("hasFile");
        QTest::addColumn<QStringList>("missing"); // the bytes that the findings stand at
        const auto row = [](const char *name, const char *extras, bool hasFile, const QStringList &missing) {
            QTest::newRow(name) << QByteArray(extras) << hasFile << missing;
        };
        row("beside the job", "    data: {d: {from: here}}\n", true, {});
        row("not beside the job", "    data: {d: {from: there}}\n", true, {u"there"_s});
        row("no file of the job", "    data: {d: {from: there}}\n", false, {});
        row("absolute", "    data: {d: {from: /nowhere/x}}\n", false, {u"/nowhere/x"_s});
        row("a home", "    data: {d: {from: ~/no/such/folder}}\n", false, {u"~/no/such/folder"_s});
        row("in the work folder", "    work: sub\n    data: {d: {from: deep}}\n", true, {});
        row("not in the work folder", "    work: sub\n    data: {d: {from: here}}\n", true, {u"here"_s});
        row("of hosts alone", "    data: {d: {paths: {lab: /nowhere/x}}}\n", true, {});
        row("one of two", "    data: {d: {from: here}, e: {from: there}}\n", true, {u"there"_s});
        row("both", "    data: {d: {from: one}, e: {from: two}}\n", true, {u"one"_s, u"two"_s});
        row("after a job that may make it", "    after: [other]\n    data: {d: {from: there}}\n", true, {});
        row("strict", "    strict: true\n    data: {d: {from: there}}\n", true, {});
    }
    void pathsAreLookedFor()
    {
        QFETCH(QByteArray, extras);
        QFETCH(bool, hasFile);
        QFETCH(QStringList, missing);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"here"_s) && QDir(folder.path()).mkpath(u"sub/deep"_s));
        const QByteArray text = jobWith(extras);
        ParseOutcome outcome = parseJob(text);
        QVERIFY(outcome.canRun());
        addDataFindings(outcome, hasFile ? folder.filePath(u"job.yaml"_s) : QString());
        QStringList found;
        for (const Diagnostic &each : std::as_const(outcome.diagnostics)) {
            if (each.code == "extras.data-missing"_L1) {
                QCOMPARE(each.severity, Severity::Warning);
                QVERIFY(each.args.value("path"_L1).toString().startsWith(u'/'));
                found.append(QString::fromUtf8(text.mid(each.at.begin, each.at.end - each.at.begin)));
            }
        }
        QCOMPARE(found, missing);
        QVERIFY(std::is_sorted(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; }));
    }

    void workFoldersAreLookedFor_data()
    {
        QTest::addColumn<QByteArray>("extras");
        QTest::addColumn<bool>("hasFile");
        QTest::addColumn<QString>("missing"); // the end of the path
        const auto row = [](const char *name, const char *extras, bool hasFile, const char *missing) {
            QTest::newRow(name) << QByteArray(extras) << hasFile << QString::fromLatin1(missing);
        };
        row("none", "    runIn: host\n", true, "");
        row("beside the job", "    work: here\n", true, "");
        row("not beside the job", "    work: ../nosuch\n", true, "/nosuch");
        row("no file of the job", "    work: nosuch\n", false, "");
        row("absolute", "    work: /nowhere/x\n", false, "/nowhere/x");
        row("a file", "    work: job.yaml\n", true, "/job.yaml");
        row("of each host's own", "    work: ~/no/such/folder\n", true, "");
        row("a host is named", "    work: /nowhere/x\n    hosts: {main: {names: [lab1]}}\n", true, "");
        row("a label is named", "    work: /nowhere/x\n    hosts: {'*': {labels: [a100]}}\n", true, "");
        row("this computer is named", "    work: /nowhere/x\n    hosts: {main: {names: [lab1, local]}}\n", true,
            "/nowhere/x");
        row("hosts of another kind", "    work: /nowhere/x\n    hosts: {main: {arrange: pack}}\n", true, "/nowhere/x");
        row("strict", "    strict: true\n    work: /nowhere/x\n", true, "");
    }
    void workFoldersAreLookedFor()
    {
        QFETCH(QByteArray, extras);
        QFETCH(bool, hasFile);
        QFETCH(QString, missing);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"here"_s));
        const QByteArray text = jobWith(extras);
        QFile file(folder.filePath(u"job.yaml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        ParseOutcome outcome = parseJob(text);
        QVERIFY(outcome.canRun());
        addWorkFinding(outcome, hasFile ? file.fileName() : QString());
        int found = 0;
        for (const Diagnostic &each : std::as_const(outcome.diagnostics)) {
            if (each.code == "extras.work-missing"_L1) {
                ++found;
                QCOMPARE(each.severity, Severity::Warning);
                QVERIFY(each.at.end > each.at.begin);
                QVERIFY2(each.args.value("path"_L1).toString().endsWith(missing),
                    qPrintable(each.args.value("path"_L1).toString()));
            }
        }
        QCOMPARE(found, missing.isEmpty() ? 0 : 1);
    }

    void scriptsAreLookedFor_data()
    {
        QTest::addColumn<QByteArray>("extras");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("said"); // the codes, and the files of the fixes
        const auto row = [](const char *name, const QByteArray &extras, const QString &file, const QStringList &said) {
            QTest::newRow(name) << extras << file << said;
        };
        const QString missing = u"role.script-missing"_s;
        row("beside the job", "    runIn: host\n", u"train.py"_s, {});
        row("not there", "    runIn: host\n", u"evaluate.py"_s, {missing});
        row("misspelled", "    runIn: host\n", u"trian.py"_s, {missing, u"train.py"_s});
        row("in the work folder", "    work: sub\n", u"model.py"_s, {});
        row("below the work folder", "    work: sub\n", u"deep.py"_s, {missing, u"deep/deep.py"_s});
        row("in what others installed", "    runIn: host\n", u"installed.py"_s, {missing});
        row("no work folder", "    work: nowhere\n", u"train.py"_s, {});
        row("after a job that may make it", "    after: [other]\n", u"evaluate.py"_s, {});
        row("on a host", "    hosts: {main: {names: [lab]}}\n", u"evaluate.py"_s, {});
    }
    void scriptsAreLookedFor()
    {
        QFETCH(QByteArray, extras);
        QFETCH(QString, file);
        QFETCH(QStringList, said);
        QTemporaryDir folder;
        for (const QString &each : {u"train.py"_s, u"sub/model.py"_s, u"sub/deep/deep.py"_s, u"venv/installed.py"_s}) {
            QVERIFY(QDir().mkpath(QFileInfo(folder.filePath(each)).path()));
            QFile written(folder.filePath(each));
            QVERIFY(written.open(QIODevice::WriteOnly));
        }
        const QByteArray commands = "commands: [python " + file.toUtf8() + "]";
        ParseOutcome outcome = parseJob(jobWith(extras).replace("commands: [a]", commands));
        QVERIFY(outcome.canRun());
        outcome.diagnostics.clear();
        const std::optional<QString> work = workFolderOf(*outcome.spec, folder.path());
        QVERIFY(work);
        addScriptFindings(outcome, *work);
        QStringList found;
        for (const Diagnostic &each : std::as_const(outcome.diagnostics)) {
            found.append(each.code);
            for (const Fix &fix : each.fixes) {
                found.append(fix.args.value(u"name"_s).toString());
            }
        }
        QCOMPARE(found, said);
    }
};
TRAINYARD_TEST(TstDataFindings)

#include "tst_datafindings.moc"
