// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/storagelinks.h"
#include "engine/contract/identity.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Who still uses a storage that a task has shown as a link.
class TstStorageLinks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesWithItsLastUser_data()
    {
        QTest::addColumn<QByteArray>("other"); // what the page has of another user
        QTest::addColumn<bool>("isOld");
        QTest::addColumn<bool>("stays"); // the link, and that user
        QTest::newRow("one that runs") << QByteArray("TRY\nTARGET\n") << true << true;
        QTest::newRow("one that has ended") << QByteArray("/nowhere\nTARGET\n") << false << false;
        QTest::newRow("one that is just being written") << QByteArray() << false << true;
        QTest::newRow("one that is written in part") << QByteArray("TRY\nTAR") << false << true;
        QTest::newRow("one that was never written") << QByteArray() << true << false;
    }
    void goesWithItsLastUser()
    {
        QFETCH(QByteArray, other);
        QFETCH(bool, isOld);
        QFETCH(bool, stays);
        const QTemporaryDir folder;
        const QString book = folder.filePath(u"book"_s), place = folder.filePath(u"place"_s),
                      target = folder.filePath(u"target"_s), running = folder.filePath(u"running"_s);
        const auto write = [](const QString &path, const QByteArray &bytes) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        QVERIFY(QDir().mkpath(book + u"/users"_s) && QDir().mkpath(target) && QDir().mkpath(running));
        QVERIFY(QFile::link(target, place));
        QVERIFY(write(book + u"/place"_s, place.toUtf8() + '\n') && write(book + u"/target"_s, target.toUtf8() + '\n'));
        QVERIFY(write(book + u"/users/mine"_s, folder.path().toUtf8() + '\n' + target.toUtf8() + '\n'));
        const std::optional<contract::ProcessIdentity> self = contract::identityOf(::getpid());
        QVERIFY(self);
        const contract::KeeperRecord keeper{"here", *self, "other", 1};
        QVERIFY(write(running + u"/keeper"_s, QByteArray::fromStdString(keeper.format())));
        const QString user = book + u"/users/other"_s;
        QVERIFY(write(user, other.replace("TRY", running.toUtf8()).replace("TARGET", target.toUtf8())));
        if (isOld) {
            const timespec longAgo{1'000'000'000, 0};
            const timespec times[] = {longAgo, longAgo};
            QCOMPARE(::utimensat(AT_FDCWD, QFile::encodeName(user).constData(), times, 0), 0);
        }
        QVERIFY(write(folder.filePath(u"links"_s), book.toUtf8() + '\n'));
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
        QVERIFY(QDir::setCurrent(folder.path()));
        agent::releaseStorageLinks("mine");
        QVERIFY(!QFile::exists(book + u"/users/mine"_s));
        QCOMPARE(QFileInfo(place).isSymLink(), stays);
        QCOMPARE(QFile::exists(user), stays);
    }

    // Of a user that could not be written, as on a full disk, nothing stays, and neither does the folder of the users.
    void leftoversGo()
    {
        const QTemporaryDir folder;
        const QString users = folder.filePath(u"book/users"_s), left = users + u"/.left"_s, fresh = users + u"/.new"_s;
        const auto write = [](const QString &path, const QByteArray &bytes) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        QVERIFY(QDir().mkpath(users));
        QVERIFY(write(left, {}) && write(fresh, {}));
        const timespec longAgo{1'000'000'000, 0};
        const timespec times[] = {longAgo, longAgo};
        QCOMPARE(::utimensat(AT_FDCWD, QFile::encodeName(left).constData(), times, 0), 0);
        QVERIFY(write(folder.filePath(u"links"_s), folder.filePath(u"book"_s).toUtf8() + '\n'));
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
        QVERIFY(QDir::setCurrent(folder.path()));
        agent::releaseStorageLinks("mine");
        QVERIFY(!QFile::exists(left));
        QVERIFY(QFile::exists(fresh)); // somebody is at it
        QVERIFY(QFile::remove(fresh));
        agent::releaseStorageLinks("mine");
        QVERIFY(!QFile::exists(users));
    }
};

TRAINYARD_TEST(TstStorageLinks)
#include "tst_storagelinks.moc"
