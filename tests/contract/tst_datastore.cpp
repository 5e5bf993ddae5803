// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/copyusers.h"
#include "engine/agent/datastore.h"
#include "engine/agent/filestore.h"
#include "engine/contract/bytesum.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"
#include "engine/contract/sha256.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <optional>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::contract;

// Copies of data on a host, in a real folder.
class TstDataStore : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    const std::string m_a = std::string(1000, 'a'), m_b = std::string(2000, 'b'), m_c = std::string(3000, 'c');

    std::string state() const { return m_folder->path().toStdString(); }
    static std::string sumOf(const std::string &text)
    {
        Sha256 sum;
        sum.add(text);
        return sum.hex();
    }
    static CodeEntry entry(const std::string &path, const std::string &text)
    {
        return {path, sumOf(text), text.size(), false, false, {}};
    }
    // Puts the tree, and says its name.
    std::string tree(const std::vector<CodeEntry> &entries, std::int64_t usedSeconds = 0) const
    {
        const std::string text = codeTreeText(entries), name = sumOf(text), path = dataTreePath(state(), name);
        if (makeFolders(dataFolder(state()) + "/trees") != 0 || writeAtomically(path, text, false) != 0) {
            return {};
        }
        const timespec times[2] = {{usedSeconds, 0}, {usedSeconds, 0}};
        return usedSeconds == 0 || ::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0 ? name : std::string();
    }
    bool store(const std::string &text) const
    {
        StorePiece piece;
        piece.dir = dataContentsFolder(state());
        piece.path = dataContentName(sumOf(text));
        piece.size = text.size();
        piece.changedNs = dataChangedNs;
        piece.step = "begin";
        const bool isBegun = agent::storePiece(piece).systemError == 0;
        piece.step = "add";
        piece.bytes = text;
        const bool isAdded = agent::storePiece(piece).systemError == 0;
        piece.bytes.clear();
        piece.step = "place";
        ByteSum sum;
        sum.add(text);
        piece.sum = sum.value();
        return isBegun && isAdded && agent::storePiece(piece).systemError == 0;
    }
    DataReply ask(agent::DataHolds &holds, const std::string &name, std::int64_t limit = 1 << 20) const
    {
        Data request;
        request.tree = name;
        request.limitBytes = limit;
        const std::optional<DataReply> now = holds.take(state(), request);
        return now ? *now : agent::lookAtData(state(), request);
    }
    void drop(agent::DataHolds &holds, const std::string &name) const
    {
        Data request;
        request.tree = name;
        request.drop = true;
        const std::optional<DataReply> now = holds.take(state(), request);
        QVERIFY(now && now->state == "dropped");
    }
    // Of copies that the nodes of a cluster share; nobody is connected behind it.
    DataReply askFor(const std::string &job, const std::string &name, std::int64_t limit = 1 << 20) const
    {
        agent::DataHolds holds;
        Data request;
        request.tree = name;
        request.limitBytes = limit;
        request.cache = state();
        request.job = job;
        const std::optional<DataReply> now = holds.take("/nowhere", request);
        return now ? *now : agent::lookAtData("/nowhere", request);
    }
    bool isThere(const std::string &text) const
    {
        return QFileInfo::exists(
            QString::fromStdString(dataContentsFolder(state()) + '/' + dataContentName(sumOf(text))));
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // Only what is missing is asked for, and two trees share what they have in common.
    void makesFolders()
    {
        agent::DataHolds holds;
        const std::vector<CodeEntry> entries{
            entry("x/a", m_a), entry("x/again", m_a), entry("b", m_b), {"l", {}, 0, false, false, "x/a"}};
        QCOMPARE(ask(holds, sumOf(codeTreeText(entries))).state, std::string("unknown"));
        const std::string one = tree(entries);
        DataReply reply = ask(holds, one);
        QCOMPARE(reply.state, std::string("missing"));
        QVERIFY(reply.missing == (std::vector<int>{0, 2}) && reply.bytes == 3000);
        QVERIFY(store(m_a));
        QVERIFY(ask(holds, one).missing == std::vector<int>{2});
        QVERIFY(store(m_b));
        reply = ask(holds, one);
        QCOMPARE(reply.state, std::string("ready"));
        QVERIFY(readWhole(reply.place + "/x/again") == m_a && readWhole(reply.place + "/l") == m_a);
        struct stat file {
        }, folder{};
        QVERIFY(::stat((reply.place + "/b").c_str(), &file) == 0 && ::stat((reply.place + "/x").c_str(), &folder) == 0);
        QVERIFY((file.st_mode & 0222) == 0 && (folder.st_mode & 0222) == 0);
        const std::string two = tree({entry("other", m_a)});
        reply = ask(holds, two);
        QCOMPARE(reply.state, std::string("ready"));
        QVERIFY(readWhole(reply.place + "/other") == m_a);
    }

    // What somebody has changed is asked for again.
    void noticesChanges()
    {
        agent::DataHolds holds;
        const std::string one = tree({entry("a", m_a)});
        QVERIFY(store(m_a));
        const DataReply made = ask(holds, one);
        QCOMPARE(made.state, std::string("ready"));
        const std::string path = made.place + "/a";
        QVERIFY(::chmod(path.c_str(), 0600) == 0);
        QVERIFY(::truncate(path.c_str(), 999) == 0);
        QVERIFY(ask(holds, one).missing == std::vector<int>{0});
        QVERIFY(store(m_a));
        QVERIFY(readWhole(ask(holds, one).place + "/a") == m_a);
    }

    // The one that was not used for the longest time goes first, and none that anybody uses.
    void makesRoom()
    {
        agent::DataHolds holds, others;
        const std::string old = tree({entry("a", m_a), entry("b", m_b)}, 1000), young = tree({entry("a", m_a)}, 2000);
        QVERIFY(store(m_a) && store(m_b));
        const std::string next = tree({entry("c", m_c)});
        DataReply reply = ask(holds, next, 4000);
        QCOMPARE(reply.state, std::string("missing"));
        QVERIFY(isThere(m_a) && !isThere(m_b)); // which both had
        QVERIFY(readWhole(dataTreePath(state(), young)) && !readWhole(dataTreePath(state(), old)));
        QVERIFY(store(m_c));
        QCOMPARE(ask(holds, next, 4000).state, std::string("ready"));

        QCOMPARE(ask(others, young, 4000).state, std::string("ready"));
        const std::string last = tree({entry("b", m_b)});
        reply = ask(holds, last, 4000);
        QCOMPARE(reply.state, std::string("full"));
        QCOMPARE(reply.bytes, std::int64_t(2000));
        drop(holds, next);
        QCOMPARE(ask(holds, last, 4000).state, std::string("missing"));
        QVERIFY(isThere(m_a) && !isThere(m_c));
    }

    // What cannot fit takes none of the others away: neither by the limit, nor by the disk, nor beside what is in use.
    void removesNothingInVain()
    {
        agent::DataHolds holds, others;
        const std::string used = tree({entry("a", m_a)}), unused = tree({entry("a", m_a), entry("b", m_b)}, 1000);
        QVERIFY(store(m_a) && store(m_b));
        QCOMPARE(ask(others, used, 5000).state, std::string("ready"));
        const auto isAllThere = [&] {
            return isThere(m_a) && isThere(m_b) && readWhole(dataTreePath(state(), used))
                && readWhole(dataTreePath(state(), unused));
        };
        const std::string large = tree({{"c", std::string(64, 'c'), 4001, false, false, {}}});
        QCOMPARE(ask(holds, large, 4000).state, std::string("full"));
        QVERIFY(isAllThere());
        QCOMPARE(ask(holds, large, 5000).state, std::string("full")); // 1000 stay
        QVERIFY(isAllThere());
        const std::string huge = tree({{"d", std::string(64, 'd'), std::uint64_t(1) << 55, false, false, {}}});
        QCOMPARE(ask(holds, huge, std::int64_t(1) << 60).state, std::string("no-room"));
        QVERIFY(isAllThere());
        QCOMPARE(ask(holds, large, 5001).state, std::string("missing"));
        QVERIFY(isThere(m_a) && !isThere(m_b));
    }

    // Nothing goes that is in use, and nothing that is not ours.
    void removesWhatIsUnused()
    {
        const std::string mine = dataFolder(state()) + "/mine", one = tree({entry("d/a", m_a)});
        QVERIFY(store(m_a) && writeAtomically(mine, "x", false) == 0);
        {
            agent::DataHolds holds;
            QCOMPARE(ask(holds, one).state, std::string("ready"));
            agent::removeUnusedData(state(), {});
            QVERIFY(isThere(m_a));
        }
        agent::removeUnusedData(state(), {});
        QVERIFY(!isThere(m_a));
        QCOMPARE(QDir(QString::fromStdString(dataFolder(state()))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
            QStringList{u"mine"_s});
    }

    // All engines of an account share the copies: one that cleans up leaves those that others have used.
    void leavesWhatOthersHaveUsed()
    {
        const std::string one = tree({entry("a", m_a), entry("b", m_b)}),
                          two = tree({entry("a", m_a), entry("c", m_c)});
        QVERIFY(store(m_a) && store(m_b) && store(m_c));
        const auto use = [this](const std::string &name, const std::string &engine) {
            Data request;
            request.tree = name;
            request.limitBytes = 1 << 20;
            request.engine = engine;
            return agent::lookAtData(state(), request);
        };
        const std::string place = use(one, "other").place;
        QVERIFY(use(one, "own").state == "ready" && use(two, "own").state == "ready");
        const std::string root = dataFolder(state());
        QVERIFY(agent::bytesOfCopies(root, agent::copiesOfOthers(root, "own")) > 0);
        agent::removeUnusedData(state(), "own");
        QVERIFY(isThere(m_a) && isThere(m_b) && !isThere(m_c));
        QVERIFY(readWhole(place + "/b") == m_b && !readWhole(dataTreePath(state(), two)));
        // The engine that has cleaned up no longer counts as one that uses the copy.
        agent::removeUnusedData(state(), "other");
        QVERIFY(!isThere(m_a) && !isThere(m_b));
        QVERIFY(!QFileInfo::exists(QString::fromStdString(root)));
    }

    // A beginning that nobody can go on with goes with the rest, also that of a tree; one of another engine stays.
    void removesPartsOfNobody()
    {
        const std::string one = tree({entry("a", m_a)}), contents = dataContentsFolder(state());
        StorePiece piece;
        piece.dir = contents;
        piece.path = dataContentName(sumOf(m_b));
        piece.size = m_b.size();
        piece.changedNs = dataChangedNs;
        piece.step = "begin";
        QCOMPARE(agent::storePiece(piece).systemError, 0);
        QVERIFY(store(m_a));
        Data request;
        request.tree = one;
        request.limitBytes = 1 << 20;
        request.engine = "other";
        QCOMPARE(agent::lookAtData(state(), request).state, std::string("ready"));
        const auto parts = [](const std::string &folder) {
            return QDir(QString::fromStdString(folder))
                .entryList({QStringLiteral("*.part*")}, QDir::Files | QDir::Hidden)
                .size();
        };
        const std::string group = contents + '/' + sumOf(m_b).substr(0, 2);
        const std::string half = dataTreePath(state(), sumOf(m_b)) + ".part1";
        QCOMPARE(writeAtomically(half, "x", false), 0);
        agent::removeUnusedData(state(), "own");
        QCOMPARE(parts(group), 1);
        QVERIFY(readWhole(half)); // it may be on its way
        const std::array<timespec, 2> old{{{::time(nullptr) - 90000, 0}, {::time(nullptr) - 90000, 0}}};
        QCOMPARE(::utimensat(AT_FDCWD, half.c_str(), old.data(), 0), 0);
        agent::removeUnusedData(state(), "other");
        QVERIFY(!readWhole(half));
        QVERIFY(!QFileInfo::exists(QString::fromStdString(dataFolder(state()))));
    }

    // What a job needs stays until it has ended, however long that takes and whoever is connected.
    void staysForItsJobs()
    {
        const std::string one = sumOf(codeTreeText({entry("a", m_a)})), two = sumOf(codeTreeText({entry("b", m_b)}));
        QCOMPARE(askFor("first", one).state, std::string("unknown"));
        QCOMPARE(tree({entry("a", m_a)}), one);
        QVERIFY(store(m_a));
        const DataReply made = askFor("first", one);
        QCOMPARE(made.state, std::string("ready"));
        QVERIFY(readWhole(made.place + "/a") == m_a);
        QCOMPARE(askFor("second", one).state, std::string("ready"));

        QCOMPARE(tree({entry("b", m_b)}), two);
        QCOMPARE(askFor("third", two, 2500).state, std::string("full"));
        dropDataUses(dataFolder(state()), "first");
        QCOMPARE(askFor("third", two, 2500).state, std::string("full")); // the second one needs it, too
        QVERIFY(isThere(m_a));
        dropDataUses(dataFolder(state()), "second");
        QCOMPARE(askFor("third", two, 2500).state, std::string("missing"));
        QVERIFY(!isThere(m_a));
        QVERIFY(isDataUsed(dataFolder(state()), two) && !isDataUsed(dataFolder(state()), one));
    }

    // Somebody who is just about to remove a tree is waited for.
    void waitsForARemoval()
    {
        const std::string one = sumOf(codeTreeText({entry("a", m_a)}));
        QCOMPARE(askFor("job", one).state, std::string("unknown"));
        QCOMPARE(tree({entry("a", m_a)}), one);
        const int held = ::open(dataTreePath(state(), one).c_str(), O_RDONLY | O_CLOEXEC);
        QVERIFY(held >= 0 && ::flock(held, LOCK_EX | LOCK_NB) == 0);
        QCOMPARE(askFor("job", one).state, std::string("busy"));
        ::close(held);
        QCOMPARE(askFor("job", one).state, std::string("missing"));
    }

    // A folder that is there already, and is not ours, is left alone.
    void refusesWhatIsNotOurs()
    {
        const std::string mine = dataFolder(state()) + "/mine", one = sumOf(codeTreeText({entry("a", m_a)}));
        QVERIFY(makeFolders(dataFolder(state())) == 0 && writeAtomically(mine, "x", false) == 0);
        const DataReply reply = askFor("job", one);
        QCOMPARE(reply.state, std::string("failed"));
        QCOMPARE(reply.systemError, EPERM);
        QCOMPARE(noteDataUse(dataFolder(state()), one, "../job"), EINVAL);
        QCOMPARE(QDir(QString::fromStdString(dataFolder(state()))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
            QStringList{u"mine"_s});
    }

    // On a disk of this computer nobody knows that nodes see it.
    void isApartFromNodes()
    {
        Data request;
        request.cache = state();
        request.path = state() + "/file";
        QVERIFY(writeAtomically(request.path, m_a, false) == 0);
        QCOMPARE(agent::lookAtData(state(), request).state, std::string("apart"));
    }

    void looksAtPlaces()
    {
        const std::string path = state() + "/file";
        QVERIFY(writeAtomically(path, m_a, false) == 0);
        Data request;
        request.path = path;
        QCOMPARE(agent::lookAtData(state(), request).state, std::string("ready"));
        request.sum = sumOf(m_a);
        QCOMPARE(agent::lookAtData(state(), request).state, std::string("ready"));
        request.sum = sumOf(m_b);
        const DataReply other = agent::lookAtData(state(), request);
        QVERIFY(other.state == "other" && other.sum == sumOf(m_a));
        request.path += "s";
        QCOMPARE(agent::lookAtData(state(), request).state, std::string("absent"));
    }
};

TRAINYARD_TEST(TstDataStore)
#include "tst_datastore.moc"
