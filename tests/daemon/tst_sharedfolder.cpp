// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The folder that a cluster shares with this computer, in which others can do what they like. No Slurm is needed: it is
// seen before the cluster is asked for anything.
class TstSharedFolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void othersCanReplaceIt_data();
    void othersCanReplaceIt();
};

void TstSharedFolder::othersCanReplaceIt_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<bool>("isRefused");
    QTest::newRow("open to all") << 0777 << false << true;
    QTest::newRow("open to all, and trusted") << 0777 << true << false;
    QTest::newRow("open to all, and sticky") << 01777 << false << false;
    QTest::newRow("of a group") << 02770 << false << false;
    QTest::newRow("private") << 0700 << false << false;
}

void TstSharedFolder::othersCanReplaceIt()
{
    QFETCH(int, mode);
    QFETCH(bool, isTrusted);
    QFETCH(bool, isRefused);
    EngineFixture fixture;
    const QString folder = fixture.path(u"shared"_s);
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(::chmod(QFile::encodeName(folder).constData(), mode_t(mode)), 0);
    fixture.setSettings(
        {{u"slurm.lab"_s, u"default"_s}, {u"slurmFolder.lab"_s, folder}, {u"clusters.trustFolders"_s, isTrusted}});
    QVERIFY(fixture.open());
    SubmitRequest request;
    request.yaml = EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}));
    request.file = fixture.path(u"work/job.yaml"_s);
    request.target = u"slurm:lab"_s;
    const Result<PlanReply> plan = fixture.engine().plan(request);
    QCOMPARE(!plan, isRefused);
    if (isRefused) {
        QCOMPARE(plan.error().code, u"slurm.folder-swappable"_s);
        QCOMPARE(plan.error().args.value("folder"_L1).toString(), QString(folder + u"/trainyard"_s));
        QCOMPARE(plan.error().args.value("part"_L1).toString(), folder);
    }
}

TRAINYARD_TEST(TstSharedFolder)
#include "tst_sharedfolder.moc"
