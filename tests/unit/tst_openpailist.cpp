// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaidocument.h"
#include "engine/clusters/openpailist.h"
#include "tests/helpers/testregistry.h"

#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What an OpenPAI cluster has of its user's jobs, and how one of them becomes a new job.
class TstOpenPaiList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void skus()
    {
        const auto object = [](const QByteArray &text) { return QJsonDocument::fromJson(text).object(); };
        const QJsonArray found = openpai::skusIn(object(
            R"({"V100":{"gpu":1,"cpu":"6","memory":65536.0},"A":{"cpu":2,"memory":-1},"":{"gpu":1},"x":7,"y":{}})"));
        QCOMPARE(found.size(), 2);
        QCOMPARE(found.at(0).toObject(),
            (QJsonObject{{u"name"_s, u"A"_s}, {u"gpus"_s, 0}, {u"cpus"_s, 2}, {u"memoryMiB"_s, 0}}));
        QCOMPARE(found.at(1).toObject(),
            (QJsonObject{{u"name"_s, u"V100"_s}, {u"gpus"_s, 1}, {u"cpus"_s, 6}, {u"memoryMiB"_s, 65536}}));
        QVERIFY(openpai::skusIn({}).isEmpty());
    }

    void tags()
    {
        const auto tags
            = [](const QByteArray &text) { return openpai::tagsIn(QJsonDocument::fromJson(text).object()); };
        QCOMPARE(tags(R"({"tags":["b","a","b",""]})"), (QStringList{u"a"_s, u"b"_s}));
        QCOMPARE(tags(R"({"tags":[{"name":"c"},{"id":1},7,null]})"), QStringList{u"c"_s});
        QCOMPARE(tags(R"({"tags":"a"})"), QStringList());
        QCOMPARE(tags("{}"), QStringList());
        QVERIFY(openpai::isTag(u"a b ~/\u00e4"_s) && openpai::isTag(QString(255, u'x')));
        for (const QString &bad : {u""_s, u" "_s, u"a "_s, u"a\tb"_s, u"a\nb"_s, QString(256, u'x')}) {
            QVERIFY2(!openpai::isTag(bad), qPrintable(bad));
        }
    }

    void lists_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<ClusterJobs>("jobs");
        const ClusterJob a{u"a"_s, u"RUNNING"_s, u"vision"_s, 2000, 4, 2};
        const ClusterJob b{u"b"_s, u"FAILED"_s, {}, 1000, 0, 0};
        const QByteArray textOfA
            = R"({"name":"a","state":"RUNNING","virtualCluster":"vision","submissionTime":2000,"totalGpuNumber":4,)"
              R"("totalTaskNumber":2})";
        const QByteArray textOfB = R"({"name":"b","state":"FAILED","createdTime":1000})";
        QTest::newRow("with a number of all")
            << QByteArray(R"({"totalCount":7,"data":[)" + textOfA + ',' + textOfB + "]}") << ClusterJobs{{a, b}, 7};
        QTest::newRow("the newest first")
            << QByteArray(R"({"totalCount":2,"data":[)" + textOfB + ',' + textOfA + "]}") << ClusterJobs{{a, b}, 2};
        QTest::newRow("an array") << QByteArray('[' + textOfB + ']') << ClusterJobs{{b}, 1};
        QTest::newRow("none") << QByteArray(R"({"totalCount":0,"data":[]})") << ClusterJobs{};
        QTest::newRow("what is no job") << QByteArray(R"([7,{"state":"RUNNING"},null,)" + textOfB + ']')
                                        << ClusterJobs{{b}, 1};
        QTest::newRow("a number that is too small")
            << QByteArray(R"({"totalCount":-1,"data":[)" + textOfB + "]}") << ClusterJobs{{b}, 1};
    }
    void lists()
    {
        QFETCH(QByteArray, answer);
        QFETCH(ClusterJobs, jobs);
        const Result<ClusterJobs> found = openpai::jobsIn(answer, u"openpai:lab"_s);
        QVERIFY(found.has_value());
        QCOMPARE(*found, jobs);
    }

    void noLists_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a page") << QByteArray("<html>Welcome</html>");
        QTest::newRow("an object") << QByteArray(R"({"message":"hello"})");
        QTest::newRow("no array") << QByteArray(R"({"totalCount":1,"data":{"name":"a"}})");
    }
    void noLists()
    {
        QFETCH(QByteArray, answer);
        const Result<ClusterJobs> found = openpai::jobsIn(answer, u"openpai:lab"_s);
        QVERIFY(!found.has_value());
        QCOMPARE(found.error().code, u"openpai.no-list"_s);
        QCOMPARE(found.error().args.value("target"_L1).toString(), u"openpai:lab"_s);
    }

    void names_data()
    {
        QTest::addColumn<QString>("there");
        QTest::addColumn<QString>("here");
        QTest::newRow("one of ours") << u"train_1f0c9a2b7d31"_s << u"train"_s;
        QTest::newRow("an attempt") << u"train_1f0c9a2b7d31_a2"_s << u"train"_s;
        QTest::newRow("somebody else's") << u"train_8f9c2a1b"_s << u"train_8f9c2a1b"_s;
        QTest::newRow("no digits of ours") << u"train_1F0C9A2B7D31"_s << u"train_1F0C9A2B7D31"_s;
        QTest::newRow("nothing before it") << u"_1f0c9a2b7d31"_s << u"_1f0c9a2b7d31"_s;
        QTest::newRow("what nameThere() makes")
            << openpai::nameThere(u"a-b"_s, QUuid(u"{11111111-2222-3333-4444-555555555555}"_s), 3) << u"a-b"_s;
    }
    void names()
    {
        QFETCH(QString, there);
        QFETCH(QString, here);
        QCOMPARE(openpai::nameWithoutSuffix(there), here);
    }

    void documents_data()
    {
        QTest::addColumn<QByteArray>("kept");
        QTest::addColumn<QByteArray>("opened");
        QTest::newRow("only the name changes") << QByteArray("protocolVersion: 2 # x\nname:   train_1f0c9a2b7d31 # y\n")
                                               << QByteArray("protocolVersion: 2 # x\nname:   train # y\n");
        QTest::newRow("in quotes") << QByteArray("name: \"train_1f0c9a2b7d31\"\ntype: job\n")
                                   << QByteArray("name: \"train\"\ntype: job\n");
        for (const QByteArray same : {"name: train\n", "type: job\n", "name: [a]\n", "a: [\n", "", "name:\n"}) {
            QTest::addRow("stays: %s", same.simplified().constData()) << same << same;
        }
    }
    void documents()
    {
        QFETCH(QByteArray, kept);
        QFETCH(QByteArray, opened);
        QCOMPARE(openpai::documentToOpen(kept), opened);
    }
};

TRAINYARD_TEST(TstOpenPaiList)
#include "tst_openpailist.moc"
