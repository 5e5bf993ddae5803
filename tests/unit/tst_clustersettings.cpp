// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/clusters.h"
#include "engine/client/clusteroffers.h"
#include "engine/client/clustersettings.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/settings.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Which settings make a cluster, and the options of kubectl one by one.
class TstClusterSettings : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // For forms: what the user may use, of all clusters together.
    void whatClustersOffer()
    {
        const auto named = [](const QString &name, bool isOwn = true) {
            return QJsonObject{{u"name"_s, name}, {u"isOwn"_s, isOwn}};
        };
        ClusterOffers offers;
        offers.add({});
        QCOMPARE(offers, ClusterOffers());
        offers.add({{u"virtual-clusters"_s, true, {},
                        {{u"clusters"_s, QJsonArray{named(u"vision"_s), named(u"others"_s, false)}}}},
            {u"skus"_s, true, {}, {{u"cluster"_s, u"vision"_s}, {u"skus"_s, QJsonArray{named(u"V100"_s), 7}}}},
            {u"storages"_s, true, {}, {{u"names"_s, QJsonArray{u"nfs"_s, u""_s}}}}});
        offers.add({{u"virtual-clusters"_s, true, {}, {{u"clusters"_s, QJsonArray{named(u"default"_s)}}}},
            {u"skus"_s, true, {}, {{u"skus"_s, QJsonArray{named(u"K80"_s), named(u"V100"_s)}}}},
            {u"queue"_s, true, {}, {{u"names"_s, QJsonArray{u"none of ours"_s}}}}});
        QCOMPARE(offers, (ClusterOffers{{u"default"_s, u"vision"_s}, {u"K80"_s, u"V100"_s}, {u"nfs"_s}}));
    }

    // A setting that the table does not have would stay behind when its cluster is removed.
    void everySettingOfAClusterIsThere()
    {
        QStringList keys;
        for (const ClusterKeys &kind : clusterKeys()) {
            const QString id = kind.kind + u":lab"_s;
            QVERIFY2(clusterPlaceOf(id), qPrintable(id));
            QCOMPARE(clusterSettings(id).size(), qsizetype(kind.keys.size()));
            QVERIFY(clusterSettings(id + u"/node1"_s).isEmpty());
            QCOMPARE(clustersIn({{clusterSettings(id).constFirst(), u"default"_s}}), QStringList{id});
            keys += clusterSettings(id);
        }
        for (const QString &key : std::as_const(keys)) {
            QVERIFY2(!Settings::about(key).isEmpty(), qPrintable(key));
        }
        const QJsonArray table = Settings::table();
        for (const QJsonValue &entry : table) {
            const QString family = entry[u"key"].toString();
            for (const ClusterKeys &kind : clusterKeys()) {
                if (family.startsWith(kind.kind) && family.endsWith(".*"_L1)) {
                    QVERIFY2(keys.contains(family.chopped(1) + u"lab"_s), qPrintable(family));
                }
            }
        }
        QVERIFY(clusterSettings(u"gpu1"_s).isEmpty());
        // What only follows from others makes no cluster.
        QVERIFY(clustersIn({{u"slurmFolder.lab"_s, u"/scratch"_s}, {u"slurm."_s, u"default"_s}}).isEmpty());
    }

    void optionsOneByOne_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("context");
        QTest::addColumn<QString>("space");
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("again"); // what the parts make
        const QString none;
        QTest::newRow("nothing") << none << none << none << none << none;
        QTest::newRow("what kubectl uses") << u"default"_s << none << none << none << none;
        QTest::newRow("both") << u"-n ml --context lab"_s << u"lab"_s << u"ml"_s << none
                              << u"--context=lab --namespace=ml"_s;
        QTest::newRow("the last one counts")
            << u"--context=a --context=b"_s << u"b"_s << none << none << u"--context=b"_s;
        QTest::newRow("a blank") << u"\"--context=my lab\" --as=ada"_s << u"my lab"_s << none << u"--as=ada"_s
                                 << u"\"--context=my lab\" --as=ada"_s;
        QTest::newRow("an equals sign") << u"--context=a=b"_s << u"a=b"_s << none << none << u"--context=a=b"_s;
        QTest::newRow("what cannot be used") << u"--context=lab --output=json"_s << none << none
                                             << u"--context=lab --output=json"_s << u"--context=lab --output=json"_s;
    }
    void optionsOneByOne()
    {
        QFETCH(QString, line);
        QFETCH(QString, context);
        QFETCH(QString, space);
        QFETCH(QString, more);
        QFETCH(QString, again);
        const KubeOptionParts parts = kubeOptionParts(line);
        QCOMPARE(parts, (KubeOptionParts{context, space, more}));
        QCOMPARE(kubeOptionLine(parts), again);
        QCOMPARE(kubeOptionParts(again), parts);
    }
};

TRAINYARD_TEST(TstClusterSettings)
#include "tst_clustersettings.moc"
