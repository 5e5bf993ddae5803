// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/swappable.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>

using namespace Qt::StringLiterals;
using namespace trainyard;
using contract::FolderPart;

// Whether others could put a folder of theirs in the place of one that a cluster shares.
class TstSwappable : public QObject
{
    Q_OBJECT

    static constexpr uid_t ada = 1000, prof = 2000, nobody = 65534;
    using Tree = std::map<std::string, FolderPart>;

    static FolderPart folder(uid_t owner, mode_t mode = 0755) { return {0, owner, S_IFDIR | mode, {}}; }
    static FolderPart link(uid_t owner, const std::string &target) { return {0, owner, S_IFLNK | 0777, target}; }

private Q_SLOTS:
    void folders_data();
    void folders();
    void onDisk();
};

void TstSwappable::folders_data()
{
    QTest::addColumn<Tree>("tree");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("found"); // "why part", or nothing
    const auto row = [](const char *name, Tree tree, const char *path, const char *found = "") {
        tree.emplace("/", folder(0));
        QTest::newRow(name) << tree << QByteArray(path) << QByteArray(found);
    };
    // The ordinary cases.
    row("home", {{"/home", folder(0)}, {"/home/ada", folder(ada, 0700)}}, "/home/ada/.local/state");
    row("scratch of all", {{"/scratch", folder(0, 01777)}, {"/scratch/ada", folder(ada)}}, "/scratch/ada/trainyard");
    row("nothing there yet", {{"/scratch", folder(0, 01777)}}, "/scratch/trainyard");
    row("sticky folder of a group",
        {{"/project", folder(0)}, {"/project/vision", folder(0, 03770)}, {"/project/vision/ada", folder(ada)}},
        "/project/vision/ada/trainyard");
    row("folder of a group", {{"/project", folder(0, 02770)}}, "/project/trainyard");
    row("own one that a group may write to", {{"/home", folder(0)}, {"/home/ada", folder(ada, 0775)}}, "/home/ada/x");
    row("link of the system",
        {{"/scratch", link(0, "lustre/scratch")}, {"/lustre", folder(0)}, {"/lustre/scratch", folder(0, 01777)},
            {"/lustre/scratch/ada", folder(ada)}},
        "/scratch/ada/trainyard");
    row("own link",
        {{"/tmp", folder(0, 01777)}, {"/tmp/mine", link(ada, "/srv/ada")}, {"/srv", folder(0)},
            {"/srv/ada", folder(ada)}},
        "/tmp/mine/x");
    row("as another root", {{"/", folder(nobody)}, {"/home", folder(nobody)}, {"/home/ada", folder(ada)}},
        "/home/ada/x");
    row("cannot be looked at", {{"/home", folder(0)}, {"/home/ada", {EACCES, 0, 0, {}}}}, "/home/ada/x");
    // Others could.
    row("owner of the folder above",
        {{"/project", folder(0)}, {"/project/prof", folder(prof, 02770)}, {"/project/prof/trainyard", folder(ada)}},
        "/project/prof/trainyard", "owner /project/prof");
    row("owner further above", {{"/data", folder(prof)}, {"/data/users", folder(0)}, {"/data/users/ada", folder(ada)}},
        "/data/users/ada/trainyard", "owner /data");
    row("sticky folder of another user", {{"/data", folder(prof, 01777)}, {"/data/trainyard", folder(ada)}},
        "/data/trainyard", "owner /data");
    row("another one was first", {{"/scratch", folder(0, 01777)}, {"/scratch/trainyard", folder(prof)}},
        "/scratch/trainyard", "owner /scratch/trainyard");
    row("open to all", {{"/scratch", folder(0, 0777)}, {"/scratch/trainyard", folder(ada)}}, "/scratch/trainyard",
        "mode /scratch");
    row("own one that is open to all", {{"/scratch", folder(0)}, {"/scratch/ada", folder(ada, 0777)}},
        "/scratch/ada/trainyard", "mode /scratch/ada");
    row("link of another user",
        {{"/tmp", folder(0, 01777)}, {"/tmp/x", link(prof, "/home/ada")}, {"/home", folder(0)},
            {"/home/ada", folder(ada)}},
        "/tmp/x/trainyard", "link /tmp/x");
    row("behind a link", {{"/scratch", link(0, "/mnt/../data")}, {"/mnt", folder(0)}, {"/data", folder(prof)}},
        "/scratch/trainyard", "owner /data");
    row("nobody is not root", {{"/data", folder(nobody)}}, "/data/trainyard", "owner /data");
    row("links without an end", {{"/a", link(0, "/a")}}, "/a/x");
}

void TstSwappable::folders()
{
    QFETCH(Tree, tree);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, found);
    const std::optional<contract::SwappableFolder> swappable
        = contract::swappableFolder(path.toStdString(), ada, [&tree](const std::string &part) {
              const auto it = tree.find(part);
              return it == tree.end() ? FolderPart{ENOENT, 0, 0, {}} : it->second;
          });
    QCOMPARE(swappable ? QByteArray::fromStdString(swappable->why + ' ' + swappable->part) : QByteArray(), found);
}

void TstSwappable::onDisk()
{
    QTemporaryDir own;
    const QString inner = own.filePath(u"scratch/ada"_s);
    QVERIFY(QDir().mkpath(inner));
    const std::string wanted = inner.toStdString() + "/trainyard";
    QVERIFY(!contract::swappableFolder(wanted, ::geteuid()));
    const QByteArray scratch = QFile::encodeName(own.filePath(u"scratch"_s));
    QCOMPARE(::chmod(scratch.constData(), 0777), 0);
    QCOMPARE(contract::swappableFolder(wanted, ::geteuid())->why, std::string("mode"));
    QCOMPARE(::chmod(scratch.constData(), 01777), 0);
    QVERIFY(!contract::swappableFolder(wanted, ::geteuid()));
    QVERIFY(QFile::link(u"scratch"_s, own.filePath(u"link"_s)));
    const FolderPart link = contract::partOnDisk(own.filePath(u"link"_s).toStdString());
    QVERIFY(S_ISLNK(link.mode) && link.target.ends_with("scratch"));
    QCOMPARE(contract::partOnDisk(own.filePath(u"missing"_s).toStdString()).error, ENOENT);
}

TRAINYARD_TEST(TstSwappable)
#include "tst_swappable.moc"
