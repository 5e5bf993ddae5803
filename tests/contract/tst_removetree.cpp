// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/removetree.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

using namespace trainyard::contract;

// Folders that are deleted with all that is in them.
class TstRemoveTree : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string at(const char *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }
    // In a process of a plain user, for whom modes count.
    static bool asPlainUser(const std::function<bool()> &work)
    {
        constexpr uid_t nobody = 65534;
        const pid_t child = ::fork();
        if (child == 0) {
            const bool isPlain = ::geteuid() != 0 || (::setgid(nobody) == 0 && ::setuid(nobody) == 0);
            ::_exit(isPlain && work() ? 0 : 1);
        }
        int status = -1;
        return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
    }

private Q_SLOTS:
    void foldersThatMayNotBeWrittenTo_data()
    {
        QTest::addColumn<int>("outer");
        QTest::addColumn<int>("inner");
        QTest::newRow("usual ones") << 0755 << 0755;
        QTest::newRow("read-only") << 0555 << 0555;
        QTest::newRow("not to be read") << 0 << 0333;
    }

    // As a program leaves them that protects what it has fetched.
    void foldersThatMayNotBeWrittenTo()
    {
        QFETCH(int, outer);
        QFETCH(int, inner);
        QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7777)));
        const std::string tree = at("tree");
        QVERIFY(asPlainUser([&] {
            const std::string below = tree + "/outer/inner";
            return makeFolders(below) == 0 && writeAtomically(below + "/file", "x", false) == 0
                && ::chmod(below.c_str(), static_cast<mode_t>(inner)) == 0
                && ::chmod((tree + "/outer").c_str(), static_cast<mode_t>(outer)) == 0;
        }));
        QVERIFY(QFile::exists(QString::fromStdString(tree)));
        QVERIFY(asPlainUser([&] {
            removeTree(tree);
            return true;
        }));
        QVERIFY(!QFile::exists(QString::fromStdString(tree)));
    }

    // Neither what they lead to goes, nor may it be written to afterwards.
    void linksAreNotFollowed()
    {
        QCOMPARE(makeFolders(at("kept")), 0);
        QCOMPARE(writeAtomically(at("kept/file"), "x", false), 0);
        QCOMPARE(::chmod(at("kept").c_str(), 0555), 0);
        QCOMPARE(makeFolders(at("tree/inner")), 0);
        QCOMPARE(::symlink(at("kept").c_str(), at("tree/inner/link").c_str()), 0);
        removeTree(at("tree"));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("tree"))));
        struct stat info {
        };
        QVERIFY(::stat(at("kept").c_str(), &info) == 0 && (info.st_mode & 0777) == 0555);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("kept/file"))));
        QCOMPARE(::chmod(at("kept").c_str(), 0755), 0);
    }
};
TRAINYARD_TEST(TstRemoveTree)

#include "tst_removetree.moc"
