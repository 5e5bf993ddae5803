// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/removetree.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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

    // However many of them are in each other.
    void manyLevels_data()
    {
        QTest::addColumn<int>("levels");
        QTest::addColumn<int>("mode");
        QTest::newRow("none may be read") << 20 << 0;
        QTest::newRow("more than there are descriptors, and longer than a path") << 3000 << 0555;
    }

    void manyLevels()
    {
        QFETCH(int, levels);
        QFETCH(int, mode);
        QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7777)));
        const std::string tree = at("levels");
        QVERIFY(asPlainUser([&] {
            if (::mkdir(tree.c_str(), 0755) != 0 || ::chdir(tree.c_str()) != 0) {
                return false;
            }
            for (int i = 0; i < levels; ++i) {
                if (::mkdir("inner", 0755) != 0 || ::chdir("inner") != 0) {
                    return false;
                }
            }
            for (int i = 0; i < levels; ++i) {
                if (::chdir("..") != 0 || ::chmod("inner", static_cast<mode_t>(mode)) != 0) {
                    return false;
                }
            }
            return true;
        }));
        QVERIFY(asPlainUser([&] {
            removeTree(tree);
            return true;
        }));
        QVERIFY(!QFile::exists(QString::fromStdString(tree)));
    }

    // What cannot be deleted keeps nothing else, and its modes stay.
    void foldersOfOthersStayAsTheyAre()
    {
        if (::geteuid() != 0) {
            QSKIP("Only root can give a folder to somebody else: run it as root.");
        }
        QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7777)));
        const std::string tree = at("shared");
        QCOMPARE(makeFolders(tree + "/a/theirs"), 0);
        QCOMPARE(writeAtomically(tree + "/a/theirs/file", "x", false), 0);
        QCOMPARE(makeFolders(tree + "/a/ours/more"), 0);
        QCOMPARE(::chmod((tree + "/a/theirs").c_str(), 0550), 0);
        for (const char *name : {"", "/a", "/a/ours", "/a/ours/more"}) {
            QCOMPARE(::chown((tree + name).c_str(), 65534, 65534), 0);
        }
        QVERIFY(asPlainUser([&] {
            removeTree(tree);
            return true;
        }));
        struct stat info {
        };
        QVERIFY(::stat((tree + "/a/theirs").c_str(), &info) == 0 && (info.st_mode & 0777) == 0550);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("shared/a/theirs/file"))));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("shared/a/ours"))));
        removeTree(tree);
        QVERIFY(!QFile::exists(QString::fromStdString(tree)));
    }

    // Also not where it shows a folder of the same file system.
    void whatIsMountedStays()
    {
        QCOMPARE(makeFolders(at("elsewhere")), 0);
        QCOMPARE(writeAtomically(at("elsewhere/file"), "x", false), 0);
        QCOMPARE(makeFolders(at("mounts/inner/place")), 0);
        QCOMPARE(writeAtomically(at("mounts/inner/other"), "x", false), 0);
        const std::string from = at("elsewhere"), place = at("mounts/inner/place");
        const pid_t child = ::fork();
        if (child == 0) {
            const int apart = CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER);
            if (::unshare(apart) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
                || ::mount(from.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) != 0) {
                ::_exit(errno);
            }
            removeTree(at("mounts"));
            ::_exit(0);
        }
        int status = -1;
        QVERIFY(child > 0 && ::waitpid(child, &status, 0) == child);
        QVERIFY(WIFEXITED(status));
        // A kernel that allows no namespaces of users says that there is no room for one.
        if (const int why = WEXITSTATUS(status); why == EPERM || why == EACCES || why == ENOSYS || why == ENOSPC) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        QVERIFY2(WEXITSTATUS(status) == 0, std::strerror(WEXITSTATUS(status)));
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("elsewhere/file"))));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("mounts/inner/other"))));
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
