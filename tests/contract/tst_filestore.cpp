// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filestore.h"
#include "engine/agent/taskfiles.h"
#include "engine/contract/bytesum.h"
#include "engine/contract/sha256.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Files that come to a host by pieces, into a real folder.
class TstFileStore : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString &name) const { return m_folder->filePath(u"store/"_s + name); }
    contract::StorePiece step(const char *what, const std::string &bytes = {}, std::uint64_t offset = 0) const
    {
        contract::StorePiece request;
        request.step = what;
        request.dir = m_folder->filePath(u"store"_s).toStdString();
        request.path = "out/model.pt";
        request.size = 11;
        request.changedNs = 1'700'000'000'123'456'000;
        request.offset = offset;
        request.bytes = bytes;
        return request;
    }
    static std::uint64_t sumOf(const std::string &bytes)
    {
        contract::ByteSum sum;
        sum.add(bytes);
        return sum.value();
    }
    int place(const std::string &bytes) const
    {
        contract::StorePiece request = step("place");
        request.sum = sumOf(bytes);
        return agent::storePiece(request).systemError;
    }
    // Of a content, which is known by its SHA-256.
    contract::StorePiece ofContent(const char *what, const std::string &bytes = {}, std::uint64_t offset = 0) const
    {
        contract::StorePiece request = step(what, bytes, offset);
        contract::Sha256 sum;
        sum.add("hello world");
        request.content = sum.hex();
        request.writer = "here";
        request.changedNs = 0;
        return request;
    }
    QByteArray text() const
    {
        QFile file(path(u"out/model.pt"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    }
    QStringList names() const
    {
        return QDir(path(u"out"_s)).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void sums()
    {
        // The same for whatever pieces; another one for other bytes, an empty file, and zeros that are missing.
        const std::string text = "a text of some length, so that words are cut";
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
            contract::ByteSum sum;
            sum.add(std::string_view(text).substr(0, cut));
            sum.add(std::string_view(text).substr(cut));
            QCOMPARE(sum.value(), sumOf(text));
            QCOMPARE(sum.length(), std::uint64_t(text.size()));
        }
        QVERIFY(sumOf(text) != sumOf(text.substr(1)));
        QVERIFY(sumOf({}) != 0);
        QVERIFY(sumOf(std::string(8, '\0')) != sumOf(std::string(16, '\0')));
        QVERIFY(sumOf(std::string(8, '\0')) != sumOf(std::string(9, '\0')));
    }

    // Nothing has the name before all is there; a part is gone on with, and the time is that of the file.
    void comesByPieces()
    {
        contract::Stored said = agent::storePiece(step("begin"));
        QCOMPARE(said.systemError, 0);
        QCOMPARE(said.bytes, std::uint64_t(0));
        QCOMPARE(agent::storePiece(step("add", "hello ")).systemError, 0);
        QCOMPARE(text(), QByteArray("missing"));
        said = agent::storePiece(step("begin")); // after a cut
        QCOMPARE(said.bytes, std::uint64_t(6));
        QCOMPARE(agent::storePiece(step("add", "rld", 8)).systemError, EINVAL); // what is between was lost
        QCOMPARE(agent::storePiece(step("add", "o world", 4)).systemError, 0); // some came twice
        QCOMPARE(place("hello world"), 0);
        QCOMPARE(text(), QByteArray("hello world"));
        QCOMPARE(names(), QStringList{u"model.pt"_s});
        struct stat info {
        };
        QCOMPARE(::stat(path(u"out/model.pt"_s).toUtf8().constData(), &info), 0);
        QCOMPARE(info.st_mtim.tv_sec, time_t(1'700'000'000));
        QCOMPARE(info.st_mtim.tv_nsec, 123'456'000L);

        contract::ReadPiece wanted;
        wanted.dir = m_folder->filePath(u"store"_s).toStdString();
        wanted.path = "out/model.pt";
        const contract::Piece sum = agent::sumOfFile(wanted);
        QCOMPARE(sum.systemError, 0);
        QCOMPARE(sum.sum, sumOf("hello world"));
        QCOMPARE(sum.size, std::uint64_t(11));
        wanted.path = "out";
        QCOMPARE(agent::sumOfFile(wanted).systemError, EINVAL);
    }

    // As on disks of computers whose clock was not set: a second and a half before the beginning of time.
    void timesBeforeTheEpoch()
    {
        contract::StorePiece begin = step("begin"), add = step("add", "hello world"), last = step("place");
        last.sum = sumOf("hello world");
        for (contract::StorePiece *each : {&begin, &add, &last}) {
            each->changedNs = -1'500'000'000;
            QCOMPARE(agent::storePiece(*each).systemError, 0);
        }
        struct stat info {
        };
        QCOMPARE(::stat(path(u"out/model.pt"_s).toUtf8().constData(), &info), 0);
        QCOMPARE(info.st_mtim.tv_sec, time_t(-2));
        QCOMPARE(info.st_mtim.tv_nsec, 500'000'000L);
    }

    void refusesWhatIsDamaged()
    {
        QCOMPARE(agent::storePiece(step("begin")).systemError, 0);
        QCOMPARE(agent::storePiece(step("add", "hello WORLD")).systemError, 0);
        QCOMPARE(place("hello world"), EBADMSG);
        QVERIFY(names().isEmpty()); // to be begun anew
        QCOMPARE(agent::storePiece(step("begin")).bytes, std::uint64_t(0));
        QCOMPARE(agent::storePiece(step("add", "hello")).systemError, 0);
        QCOMPARE(place("hello"), EBADMSG); // not all of it
        QCOMPARE(agent::storePiece(step("begin")).systemError, 0);
        QCOMPARE(agent::storePiece(step("add", "hello world!")).systemError, EINVAL); // more than there is
        QCOMPARE(agent::storePiece(step("drop")).systemError, 0);
        QVERIFY(names().isEmpty());
    }

    // A content comes by pieces, too: what the whole must be is its name, and nothing else gets that place. The file is
    // its user's alone, as keys among code are, and as old as its arrival, by which it is kept.
    void continuesContents()
    {
        QCOMPARE(agent::storePiece(ofContent("begin")).systemError, 0);
        QCOMPARE(agent::storePiece(ofContent("add", "hello ")).systemError, 0);
        contract::StorePiece other = ofContent("begin");
        other.writer = "there";
        QCOMPARE(agent::storePiece(other).bytes, std::uint64_t(0)); // the part is of one writer
        other.step = "drop";
        QCOMPARE(agent::storePiece(other).systemError, 0);
        QCOMPARE(names().size(), 1);
        const std::string part = names().first().toStdString();
        QVERIFY(agent::isPartOfWriter(part, "here") && !agent::isPartOfWriter(part, "there"));
        QVERIFY(!agent::isPartOfWriter(part.substr(1), "here"));
        QCOMPARE(agent::storePiece(ofContent("begin")).bytes, std::uint64_t(6)); // after a cut
        QCOMPARE(agent::storePiece(ofContent("place")).systemError, EBADMSG); // not all of it
        QVERIFY(names().isEmpty());
        QCOMPARE(agent::storePiece(ofContent("begin")).systemError, 0);
        QCOMPARE(agent::storePiece(ofContent("add", "jello ")).systemError, 0); // of another version
        QCOMPARE(agent::storePiece(ofContent("begin")).bytes, std::uint64_t(6));
        QCOMPARE(agent::storePiece(ofContent("add", "world", 6)).systemError, 0);
        contract::StorePiece wrong = ofContent("place");
        wrong.sum = sumOf("jello world"); // which does not count for a content
        QCOMPARE(agent::storePiece(wrong).systemError, EBADMSG);
        QVERIFY(names().isEmpty());
        QCOMPARE(agent::storePiece(ofContent("begin")).bytes, std::uint64_t(0));
        QCOMPARE(agent::storePiece(ofContent("add", "hello world")).systemError, 0);
        QCOMPARE(agent::storePiece(ofContent("place")).systemError, 0);
        QCOMPARE(text(), QByteArray("hello world"));
        QCOMPARE(names(), QStringList{u"model.pt"_s});
        struct stat info {
        };
        QCOMPARE(::stat(path(u"out/model.pt"_s).toUtf8().constData(), &info), 0);
        QVERIFY(info.st_mtim.tv_sec > ::time(nullptr) - 3600);
        QCOMPARE(int(info.st_mode & 0777), 0600);
        contract::StorePiece odd = ofContent("begin");
        odd.content = "../../x";
        QCOMPARE(agent::storePiece(odd).systemError, EPERM);
    }

    // What lies in the place of a part and is none of ours costs nothing: it goes, and what it leads to stays.
    void clearsThePlaceOfAPart_data()
    {
        QTest::addColumn<bool>("isOfContent");
        QTest::addColumn<QString>("what");
        for (const bool isOfContent : {true, false}) {
            for (const QString &what : {u"link"_s, u"second name"_s, u"pipe"_s, u"folder"_s, u"sparse"_s}) {
                QTest::addRow("%s, %s", isOfContent ? "content" : "file", qPrintable(what)) << isOfContent << what;
            }
        }
    }
    void clearsThePlaceOfAPart()
    {
        QFETCH(bool, isOfContent);
        QFETCH(QString, what);
        const auto of = [&](const char *name, const std::string &bytes = {}, std::uint64_t offset = 0) {
            contract::StorePiece request = isOfContent ? ofContent(name, bytes, offset) : step(name, bytes, offset);
            request.sum = sumOf("hello world");
            return agent::storePiece(request);
        };
        QCOMPARE(of("begin").systemError, 0);
        QCOMPARE(names().size(), 1);
        const QByteArray part = path(u"out/"_s + names().first()).toUtf8();
        QCOMPARE(::unlink(part.constData()), 0);
        const QByteArray mine = m_folder->filePath(u"mine"_s).toUtf8();
        QFile file(QString::fromUtf8(mine));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        if (what == "link"_L1) {
            QCOMPARE(::symlink(mine.constData(), part.constData()), 0);
        } else if (what == "second name"_L1) {
            QCOMPARE(::link(mine.constData(), part.constData()), 0);
        } else if (what == "pipe"_L1) {
            QCOMPARE(::mkfifo(part.constData(), 0600), 0);
        } else if (what == "folder"_L1) {
            QVERIFY(QDir().mkpath(QString::fromUtf8(part) + u"/a/b"_s));
            QVERIFY(QFile::link(QString::fromUtf8(mine), QString::fromUtf8(part) + u"/a/c"_s));
        } else {
            QFile sparse(QString::fromUtf8(part));
            QVERIFY(sparse.open(QIODevice::WriteOnly) && sparse.resize(qint64(1) << 40));
        }
        if (what != "sparse"_L1) {
            QCOMPARE(of("add", "hello world").systemError, EINVAL);
        }
        const contract::Stored begun = of("begin");
        QCOMPARE(begun.systemError, 0);
        QCOMPARE(begun.bytes, std::uint64_t(0));
        QCOMPARE(of("add", "hello world").systemError, 0);
        QCOMPARE(of("place").systemError, 0);
        QCOMPARE(text(), QByteArray("hello world"));
        QCOMPARE(names(), QStringList{u"model.pt"_s});
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("mine"));
    }

    // A task on this host has written it meanwhile.
    void keepsWhatIsNewer()
    {
        QVERIFY(QDir().mkpath(path(u"out"_s)));
        QFile file(path(u"out/model.pt"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        QCOMPARE(agent::storePiece(step("begin")).systemError, 0);
        QCOMPARE(agent::storePiece(step("add", "hello world")).systemError, 0);
        QCOMPARE(place("hello world"), 0);
        QCOMPARE(text(), QByteArray("mine"));
        QCOMPARE(names(), QStringList{u"model.pt"_s});
    }

    void staysBelowItsFolder()
    {
        contract::StorePiece request = step("begin");
        request.path = "../model.pt";
        QCOMPARE(agent::storePiece(request).systemError, EPERM);
        QVERIFY(QDir().mkpath(m_folder->filePath(u"elsewhere"_s)) && QDir().mkpath(path({})));
        QVERIFY(QFile::link(m_folder->filePath(u"elsewhere"_s), path(u"out"_s)));
        const int error = agent::storePiece(step("begin")).systemError;
        QVERIFY2(error == ELOOP || error == ENOTDIR, qPrintable(QString::number(error)));
        QVERIFY(
            QDir(m_folder->filePath(u"elsewhere"_s)).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void makesLinks()
    {
        contract::StorePiece request = step("link");
        request.path = "latest";
        request.target = "out/one";
        QCOMPARE(agent::storePiece(request).systemError, 0);
        request.target = "out/two"; // it has moved on
        QCOMPARE(agent::storePiece(request).systemError, 0);
        char target[100];
        const ssize_t length = ::readlink(path(u"latest"_s).toUtf8().constData(), target, sizeof target);
        QCOMPARE(QByteArray(target, std::max<ssize_t>(length, 0)), QByteArray("out/two"));
        QVERIFY(QDir().mkpath(path(u"out"_s)));
        QFile file(path(u"out/model.pt"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        request.path = "out/model.pt"; // what is no link stays
        QCOMPARE(agent::storePiece(request).systemError, 0);
        QCOMPARE(text(), QByteArray("mine"));
    }

    // All is told for that, hidden files too; of links those that stay inside, however they are written.
    void tellsOfEverything()
    {
        QVERIFY(QDir().mkpath(path(u"a/.b"_s)));
        for (const QString &name : {u"a/.metadata"_s, u"a/.b/c"_s, u".trainyard"_s, u"a/.trainyard-1.part"_s}) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1") == 1);
        }
        QVERIFY(QFile::link(path(u"a"_s), path(u"latest"_s)));
        QVERIFY(QFile::link(path(u"a/.metadata"_s), path(u"a/.b/deep"_s)));
        QVERIFY(QFile::link(u"/etc/passwd"_s, path(u"away"_s)));
        QVERIFY(QFile::link(u"../elsewhere"_s, path(u"up"_s)));
        contract::ListFiles wanted;
        wanted.dir = m_folder->filePath(u"store"_s).toStdString();
        wanted.everything = true;
        const contract::FileList found = agent::listFiles(wanted);
        QStringList files, links;
        for (const contract::FileEntry &file : found.files) {
            files.append(QString::fromStdString(file.path));
        }
        for (std::size_t i = 0; i < found.linkPaths.size(); ++i) {
            links.append(QString::fromStdString(found.linkPaths[i] + " -> " + found.linkTargets[i]));
        }
        links.sort();
        QCOMPARE(files, (QStringList{u"a/.b/c"_s, u"a/.metadata"_s}));
        QCOMPARE(links, (QStringList{u"a/.b/deep -> ../../a/.metadata"_s, u"latest -> a"_s}));
    }

    void overTheWire()
    {
        contract::StorePiece request = step("add", std::string("\0\xff\n", 3), 7);
        request.sum = ~std::uint64_t(0);
        request.content = std::string(64, 'a');
        request.writer = "here";
        const std::optional<std::string> wire = contract::encode({5, request});
        QVERIFY(wire);
        contract::FrameReader reader;
        reader.feed(*wire);
        const std::optional<contract::Frame> frame = reader.next();
        const std::optional<contract::Envelope> got = frame ? contract::decode(*frame, false) : std::nullopt;
        const auto *piece = got ? std::get_if<contract::StorePiece>(&got->message) : nullptr;
        QVERIFY(piece);
        QCOMPARE(piece->step, std::string("add"));
        QCOMPARE(piece->bytes, request.bytes);
        QCOMPARE(piece->sum, request.sum);
        QCOMPARE(piece->content, request.content);
        QCOMPARE(piece->writer, request.writer);
        QCOMPARE(piece->offset, std::uint64_t(7));
        QCOMPARE(piece->changedNs, request.changedNs);
    }
};

TRAINYARD_TEST(TstFileStore)
#include "tst_filestore.moc"
