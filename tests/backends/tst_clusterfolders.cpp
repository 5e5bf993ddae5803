// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/folderlook.h"
#include "tests/backends/clustertarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <cerrno>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The folders that the nodes of a cluster share with this computer.
class TstClusterFolders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Its file system is gone for a while. A job that waits in the queue has nothing there to lose.
    void awayForAWhile()
    {
        QTemporaryDir shared;
        const QString folder = shared.filePath(u"folder"_s), elsewhere = shared.filePath(u"elsewhere"_s);
        QVERIFY(QDir().mkpath(folder));
        ClusterTarget target;
        target.setFolder(folder);
        House house(target);
        QVERIFY(house.open());
        const QString runs = house.submit(oneTask());
        QVERIFY(house.waitForState(runs, State::Running));
        target.setStarting(false);
        const QString waits = house.submit(oneTask());
        const auto isInQueue = [](const JobSummary &job) {
            return job.reason.startsWith("wait.slurm-"_L1) && job.reason != "wait.slurm-submitting"_L1;
        };
        QVERIFY(house.waitFor(waits, isInQueue));
        QVERIFY(QFile::rename(folder, elsewhere));
        QVERIFY(house.waitFor(runs, [](const JobSummary &job) { return job.reason == "slurm.folder-away"_L1; }));
        QCOMPARE(house.queries().summary(runs)->reasonArgs[u"folder"].toString(), QString(folder + u"/trainyard"_s));
        QCOMPARE(house.state(runs), State::Running);
        QVERIFY(house.waitFor(waits, isInQueue)); // its state there may have been unknown at first
        QVERIFY(QFile::rename(elsewhere, folder));
        QVERIFY(house.waitFor(runs, [](const JobSummary &job) { return job.reason.isEmpty(); }));
        target.setStarting(true);
        QVERIFY(house.waitForState(waits, State::Running));
        QVERIFY(QFile::rename(folder, elsewhere));
        QVERIFY(house.waitFor(waits, [](const JobSummary &job) { return job.reason == "slurm.folder-away"_L1; }));
        QVERIFY(QFile::rename(elsewhere, folder));
        target.endAll(0);
        QVERIFY(house.waitForState(runs, State::Succeeded));
        QVERIFY(house.waitForState(waits, State::Succeeded));
        QCOMPARE(target.starts(), 2);
    }

    void whatALookTells()
    {
        QTemporaryDir shared;
        const QString root = shared.path(), file = shared.filePath(u"file"_s), odd = shared.filePath(u"odd"_s),
                      none = shared.filePath(u"none"_s), away = shared.filePath(u"away"_s);
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(u"/proc/self/mem"_s, odd)); // whose first byte cannot be read
        FolderLook look;
        std::optional<FolderLook::Errors> errors;
        look.begin({{root, file}, {root, odd}, {root, none}, {away, QString(away + u"/file"_s)}},
            [&errors](const FolderLook::Errors &told) { errors = told; });
        QVERIFY(look.isBusy());
        QTRY_VERIFY(errors);
        QVERIFY(!look.isBusy());
        QCOMPARE(*errors, (FolderLook::Errors{{file, 0}, {odd, EIO}, {none, 0}, {QString(away + u"/file"_s), ENOENT}}));
    }

    // The caller goes on, and its end waits for nothing that never comes.
    void aFileServerThatDoesNotAnswer()
    {
        QTemporaryDir shared;
        StuckFolder stuck(shared.filePath(u"stuck"_s));
        SKIP_UNLESS_THERE(stuck);
        auto look = std::make_unique<FolderLook>();
        bool isTold = false;
        look->begin({{shared.path(), shared.filePath(u"stuck/plan"_s)}},
            [&isTold](const FolderLook::Errors &) { isTold = true; });
        QTRY_COMPARE(stuck.waiting(), 1);
        QVERIFY(look->isBusy());
        look.reset();
        stuck.release();
        FolderLook next; // another one is not held up
        std::optional<FolderLook::Errors> errors;
        next.begin({{shared.path(), shared.filePath(u"none"_s)}},
            [&errors](const FolderLook::Errors &told) { errors = told; });
        QTRY_VERIFY(errors);
        QVERIFY(!isTold);
    }
};

TRAINYARD_TEST(TstClusterFolders)
#include "tst_clusterfolders.moc"
