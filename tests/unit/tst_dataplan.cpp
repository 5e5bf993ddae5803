// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/datatree.h"
#include "engine/contract/sha256.h"
#include "engine/launch/dataplan.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Where the tasks of a role find the data of their job, and what belongs to data.
class TstDataPlan : public QObject
{
    Q_OBJECT

    static JobSpec job(const QByteArray &data)
    {
        const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: j\ntype: job\nprerequisites: []\ntaskRoles:\n"
                                              "  worker: {commands: [a], resourcePerInstance: {cpu: 1, memoryMB: 1, "
                                              "gpu: 0}}\nextras:\n  trainyard:\n    data: "
            + data + "\n");
        return outcome.spec.value_or(JobSpec());
    }
    static QString told(const QList<launch::DataWant> &wants)
    {
        QStringList all;
        for (const launch::DataWant &want : wants) {
            all.append(want.name + u' '
                + (want.problem.code.isEmpty() ? (want.isCopied ? u"copy "_s : u"at "_s) + want.path
                                               : want.problem.code));
        }
        return all.join(u"; "_s);
    }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

private Q_SLOTS:
    void places_data()
    {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("here");
        QTest::addColumn<QString>("there");
        const auto row = [](const char *name, const QByteArray &data, const QString &here, const QString &there) {
            QTest::newRow(name) << data << here << there;
        };
        row("a folder of this computer", "{set: {from: /d}}", u"set at /d"_s, u"set copy /d"_s);
        row("relative", "{set: {from: d/e}}", u"set at /proj/d/e"_s, u"set copy /proj/d/e"_s);
        row("in the home folder", "{set: {from: ~/d}}", u"set at /home/me/d"_s, u"set copy /home/me/d"_s);
        row("by the host's name", "{set: {from: /d, paths: {lab1: /srv}}}", u"set at /d"_s, u"set at /srv"_s);
        row("by a label", "{set: {from: /d, paths: {nfs: /mnt}}}", u"set at /d"_s, u"set at /mnt"_s);
        row("the name before labels", "{set: {paths: {nfs: /mnt, lab1: /srv, local: /l}}}", u"set at /l"_s,
            u"set at /srv"_s);
        row("the first label", "{set: {from: /d, paths: {big: /one, nfs: /two}}}", u"set at /d"_s, u"set at /one"_s);
        row("in the home folder there", "{set: {from: /d, paths: {lab1: ~/s}}}", u"set at /d"_s,
            u"set at /home/you/s"_s);
        row("nowhere", "{set: {paths: {lab2: /srv}}}", u"set data.nowhere"_s, u"set data.nowhere"_s);
        row("of another role", "{set: {from: /d, roles: [other]}, b: {from: /b, roles: [worker]}}", u"b at /b"_s,
            u"b copy /b"_s);
    }
    void places()
    {
        QFETCH(const QByteArray, data);
        QFETCH(const QString, here);
        QFETCH(const QString, there);
        const JobSpec spec = job(data);
        const launch::DataHost local{u"local"_s, {}, true, u"/home/me"_s};
        const launch::DataHost lab{u"lab1"_s, {u"nfs"_s, u"big"_s}, false, u"/home/you"_s};
        QCOMPARE(told(launch::dataFor(spec, u"worker"_s, local, u"/proj"_s, u"/home/me"_s)), here);
        QCOMPARE(told(launch::dataFor(spec, u"worker"_s, lab, u"/proj"_s, u"/home/me"_s)), there);
    }

    // As the engine names it: by its target, its name, and its login node.
    void onACluster_data()
    {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("there");
        QTest::newRow("a copy") << QByteArray("{set: {from: /d}}") << u"set copy /d"_s;
        QTest::newRow("the target") << QByteArray("{set: {from: /d, paths: {lab: /l, slurm:lab: /s}}}")
                                    << u"set at /s"_s;
        QTest::newRow("its name") << QByteArray("{set: {paths: {lab: ~/l}}}") << u"set at /home/you/l"_s;
        QTest::newRow("its login node") << QByteArray("{set: {paths: {far: /f}}}") << u"set at /f"_s;
        QTest::newRow("another one") << QByteArray("{set: {paths: {slurm:big: /b}}}") << u"set data.nowhere"_s;
    }
    void onACluster()
    {
        QFETCH(const QByteArray, data);
        QFETCH(const QString, there);
        const launch::DataHost lab{u"slurm:lab"_s, {u"lab"_s, u"far"_s}, false, u"/home/you"_s};
        QCOMPARE(told(launch::dataFor(job(data), u"worker"_s, lab, u"/proj"_s, u"/home/me"_s)), there);
    }

    void withoutAFolder()
    {
        const launch::DataHost local{u"local"_s, {}, true, u"/home/me"_s};
        const JobSpec spec = job("{set: {from: d}}");
        QCOMPARE(told(launch::dataFor(spec, u"worker"_s, local, {}, u"/home/me"_s)), u"set data.relative"_s);
        QCOMPARE(dataVariable(u"imagenet-1k"_s), u"TRAINYARD_DATA_IMAGENET_1K"_s);
    }

    void sums()
    {
        contract::Sha256 sum;
        QCOMPARE(sum.hex(), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        const std::string million(1'000'000, 'a');
        for (std::size_t at = 0; at < million.size(); at += 999) {
            sum.add(std::string_view(million).substr(at, 999));
        }
        QCOMPARE(sum.hex(), std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    // All files, hidden ones too; links that stay inside; no other ones.
    void lists()
    {
        const QTemporaryDir folder;
        const QString top = QFileInfo(folder.path()).canonicalFilePath();
        write(top + u"/b/.x"_s, "12");
        write(top + u"/a"_s, "345");
        QVERIFY(QDir().mkpath(top + u"/empty"_s));
        QVERIFY(QFile::link(top + u"/a"_s, top + u"/b/l"_s));
        const contract::DataFiles found = contract::dataFilesAt(top.toStdString());
        QCOMPARE(found.problem, std::string());
        QCOMPARE(found.bytes, std::uint64_t(5));
        QCOMPARE(found.files.size(), std::size_t(3));
        QVERIFY(found.files[0].path == "a" && found.files[1].path == "b/.x" && found.files[2].path == "b/l");
        QCOMPARE(found.files[2].target, std::string("../a"));
        const contract::DataFiles file = contract::dataFilesAt(QString(top + u"/a"_s).toStdString());
        QVERIFY(file.isFile && file.folder == top.toStdString() && file.files.front().path == "a");
        QCOMPARE(contract::dataSum(file, contract::dataEntries(file, {"x"})), std::string("x"));
        QVERIFY(QFile::link(u"../../outside"_s, top + u"/b/out"_s));
        QCOMPARE(contract::dataFilesAt(top.toStdString()).problem, std::string("link"));
        QCOMPARE(contract::dataFilesAt(QString(top + u"/none"_s).toStdString()).problem, std::string("missing"));
        QCOMPARE(contract::dataFilesAt(top.toStdString(), [] { return true; }).problem, std::string("cancelled"));
    }
};

TRAINYARD_TEST(TstDataPlan)
#include "tst_dataplan.moc"
