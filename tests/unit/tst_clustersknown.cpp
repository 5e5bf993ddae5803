// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/settings.h"
#include "engine/clusters/clusters.h"
#include "engine/clusters/openpaikind.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is said of a cluster that the settings do not name.
class TstClustersKnown : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void othersAreNamed_data();
    void othersAreNamed();
};

void TstClustersKnown::othersAreNamed_data()
{
    using Ask = std::function<Error(Clusters &)>;
    QTest::addColumn<Ask>("ask");
    const QString target = u"slurm:x"_s;
    const auto row = [](const char *name, const Ask &ask) { QTest::newRow(name) << ask; };
    row("check", [target](Clusters &clusters) {
        Error error;
        clusters.check(target, [&error](const Result<ClusterInfo> &answer) { error = answer.error(); });
        return error;
    });
    row("jobs", [target](Clusters &clusters) {
        Error error;
        clusters.listJobs(target, [&error](const Result<ClusterJobs> &answer) { error = answer.error(); });
        return error;
    });
    row("document", [target](Clusters &clusters) {
        Error error;
        clusters.findDocument(
            target, u"job"_s, [&error](const Result<ClusterDocument> &answer) { error = answer.error(); });
        return error;
    });
    row("tags", [target](Clusters &clusters) {
        Error error;
        clusters.changeTags({target, u"job"_s, {u"tag"_s}, {}},
            [&error](const Result<ClusterTags> &answer) { error = answer.error(); });
        return error;
    });
    row("login", [target](Clusters &clusters) {
        Error error;
        clusters.logIn(target, u"password"_s, [&error](const Result<QString> &answer) { error = answer.error(); });
        return error;
    });
    row("token", [target](Clusters &clusters) { return clusters.takeToken(target, u"token"_s).error(); });
}

// The sentence names those that there are: without them it would have a word that stands for them.
void TstClustersKnown::othersAreNamed()
{
    QFETCH(std::function<Error(Clusters &)>, ask);
    QTemporaryDir folder;
    QFile file(folder.filePath(u"engine.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"openpai.lab": "https://pai.example.org", "openpaiUser.lab": "ada"})");
    file.close();
    Settings settings(file.fileName());
    QVERIFY(settings.reload());
    std::vector<std::unique_ptr<ClusterKind>> kinds;
    kinds.push_back(std::make_unique<OpenPaiKind>(folder.path(), settings));
    Clusters clusters(std::move(kinds), settings,
        {folder.filePath(u"cluster-settings.json"_s), [](const QString &) { return false; }});
    clusters.sync([](const QString &, Backend &) {});
    const Error error = ask(clusters);
    QCOMPARE(error.code, u"target.unknown"_s);
    QCOMPARE(
        error.args, (QJsonObject{{u"target"_s, u"slurm:x"_s}, {u"known"_s, QJsonArray{u"pool"_s, u"openpai:lab"_s}}}));
}

TRAINYARD_TEST(TstClustersKnown)
#include "tst_clustersknown.moc"
