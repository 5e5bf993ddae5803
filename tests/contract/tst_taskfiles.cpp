// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/codestore.h"
#include "engine/agent/taskfiles.h"
#include "engine/contract/codetree.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What an agent tells of the files of a task, and what it reads of them.
class TstTaskFiles : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string dir() const { return m_folder->path().toStdString(); }
    void write(const QString &name, const QByteArray &bytes) const
    {
        const QString path = m_folder->filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    static QByteArrayList paths(const contract::FileList &found)
    {
        QByteArrayList list;
        for (const contract::FileEntry &file : found.files) {
            list.append(QByteArray::fromStdString(file.path));
        }
        return list;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // Of a copied work folder: what the task has made or changed, also with the same size.
    void leavesOutWhatWasSent()
    {
        write(u"work/train.py"_s, "print");
        write(u"work/state"_s, "1");
        write(u"work/lib/a"_s, "aa");
        const std::string name(64, 'a');
        const std::string tree = contract::codeTreeText({{"lib/a", name, 2, false, false, {}},
            {"state", name, 1, false, false, {}}, {"train.py", name, 5, false, false, {}}});
        write(u"work.sent"_s, QByteArray::fromStdString(tree));
        const auto made = [this] { return agent::listFiles({dir() + "/work", {"**"}, {}, 0, false, true}); };
        QCOMPARE(paths(made()), QByteArrayList());
        QCOMPARE(made().sent, std::int64_t(3));
        write(u"work/out/model.pt"_s, "1");
        write(u"work/lib/a"_s, "longer");
        QFile state(m_folder->filePath(u"work/state"_s));
        QVERIFY(state.open(QIODevice::ReadWrite));
        QVERIFY(state.setFileTime(QDateTime::currentDateTime().addSecs(10), QFileDevice::FileModificationTime));
        QCOMPARE(paths(made()), (QByteArrayList{"lib/a", "out/model.pt", "state"}));
        QCOMPARE(made().sent, std::int64_t(1));
        QCOMPARE(agent::listFiles({dir() + "/work", {"**"}, {}}).files.size(), std::size_t(4));
        // Where nothing says what was sent, all of it counts.
        write(u"work.sent"_s, "half");
        QCOMPARE(made().files.size(), std::size_t(4));
    }

    // What was sent is told by whoever made the folder: a later word of it would take what the task changed for sent.
    void whoIsLateSaysNothingOfWhatWasSent()
    {
        const std::string state = dir() + "/state", tree(64, 'a'), name(64, 'b');
        const QString content = QString::fromStdString(contract::codeContentPath(state, name));
        QVERIFY(QDir().mkpath(QFileInfo(content).path()));
        QVERIFY(::mkfifo(QFile::encodeName(content).constData(), 0600) == 0);
        write(u"state/code/trees/"_s + QString::fromStdString(tree),
            QByteArray::fromStdString(contract::codeTreeText({{"one", name, 0, false, false, {}}})));
        contract::Code request;
        request.tree = tree;
        request.dir = state + "/remote/work";
        contract::CodeReply reply;
        std::thread late([&] { reply = agent::makeCodeFolder(state, request); });
        // It copies the file, so that it has seen no folder, until its writer is gone.
        int fd = -1;
        const bool isCopying = QTest::qWaitFor([&] {
            fd = ::open(QFile::encodeName(content).constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            return fd >= 0;
        });
        write(u"state/remote/work/one"_s, "the task's");
        write(u"state/remote/work.sent"_s, "theirs");
        ::close(fd);
        late.join();
        QVERIFY(isCopying);
        QCOMPARE(reply.state, std::string("ready"));
        QFile sent(m_folder->filePath(u"state/remote/work.sent"_s));
        QVERIFY(sent.open(QIODevice::ReadOnly));
        QCOMPARE(sent.readAll(), QByteArray("theirs"));
        QCOMPARE(QDir(m_folder->filePath(u"state/remote"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
            QStringList{u"work"_s});
    }

    // Whoever was killed before the folder was there has left a word of it, which the next one replaces.
    void whatAKilledOneSaysIsReplaced()
    {
        const std::string state = dir() + "/state", name(64, 'b'), tree(64, 'a');
        const QByteArray text = QByteArray::fromStdString(contract::codeTreeText({{"one", name, 2, false, false, {}}}));
        write(QString::fromStdString(contract::codeContentPath("state", name)), "aa");
        write(u"state/code/trees/"_s + QString::fromStdString(tree), text);
        write(u"state/remote/work.sent"_s, "of a killed one");
        contract::Code request;
        request.tree = tree;
        request.dir = state + "/remote/work";
        QCOMPARE(agent::makeCodeFolder(state, request).state, std::string("ready"));
        QFile sent(m_folder->filePath(u"state/remote/work.sent"_s));
        QVERIFY(sent.open(QIODevice::ReadOnly));
        QCOMPARE(sent.readAll(), text);
        QCOMPARE(agent::listFiles({request.dir, {"**"}, {}, 0, false, true}).sent, std::int64_t(1));
    }

    void lists()
    {
        write(u"b.csv"_s, "12345");
        write(u"a/c.csv"_s, "1");
        write(u"a/d.txt"_s, "1");
        write(u".git/x.csv"_s, "1");
        write(QFile::decodeName("odd\nname.csv"), "1");
        QVERIFY(QFile::link(u"/etc/passwd"_s, m_folder->filePath(u"out.csv"_s)));
        QVERIFY(QFile::link(u"/etc"_s, m_folder->filePath(u"etc"_s)));
        QVERIFY(::mkfifo((dir() + "/pipe.csv").c_str(), 0600) == 0);
        const contract::FileList found = agent::listFiles({dir(), {"**/*.csv"}, {}});
        QCOMPARE(paths(found), (QByteArrayList{"a/c.csv", "b.csv"}));
        QCOMPARE(found.files.back().bytes, std::uint64_t(5));
        QVERIFY(!found.files.back().isExecutable);
        QVERIFY(::chmod((dir() + "/b.csv").c_str(), 0744) == 0);
        QVERIFY(agent::listFiles({dir(), {"b.csv"}, {}}).files.at(0).isExecutable);
        QVERIFY(::chmod((dir() + "/b.csv").c_str(), 0654) == 0); // its owner cannot run it
        QVERIFY(!agent::listFiles({dir(), {"b.csv"}, {}}).files.at(0).isExecutable);
        QCOMPARE(found.links, 1);
        QCOMPARE(found.others, 1);
        QCOMPARE(found.oddNames, 1);
        QVERIFY(found.isWhole && !found.isCut);
        QCOMPARE(paths(agent::listFiles({dir(), {"**"}, "a/c.csv"})), (QByteArrayList{"a/d.txt", "b.csv"}));
        QCOMPARE(agent::listFiles({dir() + "/nothing", {"**"}, {}}).systemError, ENOENT);
        QCOMPARE(agent::listFiles({dir() + "/b.csv", {"**"}, {}}).systemError, ENOTDIR);
    }

    // Of a folder that cannot be read nobody knows what is in it: the list must not look like a whole one.
    // What an engine has on the host is not mounted: its files are not gone.
    void filesThatAreNotSeenAreNotGone()
    {
        const QString engine = m_folder->filePath(u"state/remote/epoch"_s);
        const std::string task = engine.toStdString() + "/runs/a";
        QCOMPARE(agent::listFiles({task, {"**"}, {}}).systemError, ESTALE);
        QCOMPARE(agent::readPiece({task, "a", 0, 1}).systemError, ESTALE);
        QVERIFY(QDir().mkpath(engine));
        QCOMPARE(agent::listFiles({task, {"**"}, {}}).systemError, ENOENT);
        QCOMPARE(agent::readPiece({task, "a", 0, 1}).systemError, ENOENT);
    }

    void saysWhatItCannotList()
    {
        write(u"a/b/c/x.csv"_s, "1");
        write(u"a/y.csv"_s, "1");
        write(u"d/lost+found/z.csv"_s, "1");
        QVERIFY(agent::listFiles({dir(), {"**"}, {}}).unreadable.empty());
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const int one = ::dup(0), other = ::dup(0); // room for the folder and "a": all others below are taken
        QVERIFY(one > 0 && other > one);
        ::close(one);
        ::close(other);
        const rlimit less{static_cast<rlim_t>(other) + 1, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &less), 0);
        const contract::FileList found = agent::listFiles({dir(), {"a/**"}, {}});
        const contract::FileList ofDisk = agent::listFiles({dir(), {"d/**"}, {}});
        const contract::FileList above = agent::listFiles({dir(), {"a/*.csv"}, {}});
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QCOMPARE(paths(found), QByteArrayList{"a/y.csv"});
        QCOMPARE(found.unreadable, std::string("a/b"));
        QCOMPARE(found.unreadableError, EMFILE);
        QVERIFY(ofDisk.files.empty() && ofDisk.unreadable.empty()); // only root may read it, on every disk
        QVERIFY(above.unreadable.empty()); // nothing there was asked for
    }

    // One answer has no room for all: the next one goes on behind the last.
    void listsPageByPage()
    {
        const QString name(200, u'n');
        constexpr int many = 6000;
        for (int i = 0; i < many; ++i) {
            QFile file(m_folder->filePath(name + QString::number(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        int seen = 0, pages = 0;
        std::string after;
        while (true) {
            const contract::FileList page = agent::listFiles({dir(), {"*"}, after});
            QVERIFY(contract::encode({1, page}));
            seen += int(page.files.size());
            ++pages;
            if (!page.isCut) {
                break;
            }
            QVERIFY(page.files.front().path > after);
            after = page.files.back().path;
        }
        QCOMPARE(seen, many);
        QVERIFY(pages > 1);
    }

    void reads()
    {
        write(u"a/b.bin"_s, "0123456789");
        contract::Piece piece = agent::readPiece({dir(), "a/b.bin", 3, 4});
        QCOMPARE(piece.systemError, 0);
        QCOMPARE(piece.bytes, std::string("3456"));
        QCOMPARE(piece.size, std::uint64_t(10));
        const contract::FileList found = agent::listFiles({dir(), {"**"}, {}});
        QCOMPARE(piece.changedNs, found.files.front().changedNs);
        QCOMPARE(agent::readPiece({dir(), "a/b.bin", 8, 100}).bytes, std::string("89"));
        QCOMPARE(agent::readPiece({dir(), "a/b.bin", 100, 100}).bytes, std::string());
        QCOMPARE(agent::readPiece({dir(), "a/b.bin", 0, -5}).bytes, std::string());
        QCOMPARE(agent::readPiece({dir(), "a/none", 0, 1}).systemError, ENOENT);
    }

    // Nothing leads out of the folder, and nothing keeps a reader.
    void readsNothingElse()
    {
        write(u"a/b"_s, "1");
        QVERIFY(QFile::link(u"/etc/passwd"_s, m_folder->filePath(u"a/link"_s)));
        QVERIFY(QFile::link(u"/etc"_s, m_folder->filePath(u"etc"_s)));
        QVERIFY(::mkfifo((dir() + "/pipe").c_str(), 0600) == 0);
        QCOMPARE(agent::readPiece({dir(), "a/link", 0, 10}).systemError, ELOOP);
        const int ofFolder = agent::readPiece({dir(), "etc/passwd", 0, 10}).systemError;
        QVERIFY(ofFolder == ENOTDIR || ofFolder == ELOOP);
        QCOMPARE(agent::readPiece({dir(), "../etc/passwd", 0, 10}).systemError, EPERM);
        QCOMPARE(agent::readPiece({dir(), "/etc/passwd", 0, 10}).systemError, EPERM);
        QCOMPARE(agent::readPiece({dir(), "pipe", 0, 10}).systemError, EINVAL);
        QCOMPARE(agent::readPiece({dir(), "a", 0, 10}).systemError, EINVAL);
    }

    // As they go over the wire.
    void travels()
    {
        contract::FileList list;
        list.files = {{"a b", 5, 6}, {"c", 7, 8}};
        list.links = 2;
        contract::FrameReader reader;
        reader.feed(*contract::encode({7, list}));
        const auto told = contract::decode(*reader.next(), true);
        QVERIFY(told);
        QVERIFY(std::get<contract::FileList>(told->message).files == list.files);
        QCOMPARE(std::get<contract::FileList>(told->message).links, 2);
        contract::Piece piece;
        piece.size = 1ULL << 40;
        piece.bytes = std::string("\0\xff", 2);
        reader.feed(*contract::encode({8, piece}));
        const auto read = contract::decode(*reader.next(), true);
        QVERIFY(read);
        QCOMPARE(std::get<contract::Piece>(read->message).bytes, piece.bytes);
        QCOMPARE(std::get<contract::Piece>(read->message).size, piece.size);
        contract::ReadPiece wanted{"/d", "p", 5, 6};
        reader.feed(*contract::encode({9, wanted}));
        const auto asked = contract::decode(*reader.next(), false);
        QVERIFY(asked);
        QCOMPARE(std::get<contract::ReadPiece>(asked->message).path, std::string("p"));
    }
};

TRAINYARD_TEST(TstTaskFiles)
#include "tst_taskfiles.moc"
