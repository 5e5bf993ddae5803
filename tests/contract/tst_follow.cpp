// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <string>
#include <variant>
#include <vector>

using namespace trainyard::contract;

// Logs over the wire.
class TstFollow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void follow_data();
    void follow();
    void followKeepsCreditAndOrder();
    void severalInTurn();
    void manyWithoutNotification();
    void fileThatComesLater();
    void readErrorIsNoEnd();
    void metricsComeBeforeTheirBook_data();
    void metricsComeBeforeTheirBook();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstFollow)

void TstFollow::follow_data()
{
    QTest::addColumn<bool>("isShared");
    QTest::newRow("on this computer") << false;
    QTest::newRow("in a folder that another computer writes") << true;
}

void TstFollow::follow()
{
    QFETCH(bool, isShared);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("followed", "echo one; read < fifo; echo two >&2; seq 1 100000");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    Follow request{launch.dir, 1, 0, 0, 0, false}; // goes on after the first byte
    request.isShared = isShared;
    const std::int64_t id = m_fixture.agent->send(request);
    std::map<std::string, std::string> got;
    bool released = false, ended = false;
    while (!ended) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        ended = chunk->end;
        if (!chunk->end) {
            std::string &text = got[chunk->file];
            QCOMPARE(chunk->offset, std::uint64_t(text.size()) + (chunk->file == file::output ? 1 : 0));
            QVERIFY(chunk->bytes.size() <= largestChunk);
            text += chunk->bytes;
        }
        if (!released && got[file::output] == "ne\n") {
            released = true;
            QVERIFY(writeToFifo(launch));
        }
        // The index never speaks of what was not sent.
        const std::string &index = got[file::index];
        QCOMPARE(index.size() % indexRecordSize, std::size_t(0));
        if (!index.empty()) {
            const IndexRecord last = decodeIndexRecord(index.data() + index.size() - indexRecordSize);
            QVERIFY(last.offset + last.length <= got[file::output].size() + 1);
        }
    }
    QVERIFY("o" + got[file::output] == outputOf(launch.dir).toStdString());
    QVERIFY(got[file::index] == fileText(launch.dir, file::index).toStdString());
    // A follow of something that has ended gives all of it and ends.
    const std::int64_t later = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string text;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(later);
        QVERIFY(chunk);
        over = chunk->end;
        text += chunk->file == file::output ? chunk->bytes : "";
    }
    QVERIFY(text == outputOf(launch.dir).toStdString());
    const auto unknown = m_fixture.agent->ask<Failure>(Follow{m_fixture.folder("nothing"), 0, 0, 0, 0, false});
    QVERIFY(unknown && unknown->code == "follow.unknown");
}

void TstFollow::followKeepsCreditAndOrder()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("credit", "head -c 5000000 /dev/zero");
    QVERIFY(m_fixture.runToEnd(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    const auto collect = [&](std::int64_t until) {
        std::int64_t got = 0;
        while (got < until) {
            const auto chunk = m_fixture.agent->answer<Chunk>(id);
            if (!chunk) {
                break;
            }
            got += std::int64_t(chunk->bytes.size());
        }
        return got;
    };
    const auto first = m_fixture.agent->answer<Chunk>(id);
    QVERIFY(first && first->file == file::output);
    QCOMPARE(first->bytes.size(), largestChunk); // nothing else waits, so that it may be long
    const std::int64_t others = followCredit - std::int64_t(largestChunk);
    QCOMPARE(collect(others), others);
    // No credit, no chunk: another request is answered, and nothing of the follow came before it.
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{}));
    QVERIFY(!m_fixture.agent->wait([id](const Envelope &e) { return e.id == id; }, 0));
    m_fixture.agent->send(Credit{id, 100});
    QCOMPARE(collect(100), std::int64_t(100));
    m_fixture.agent->send(Credit{id, 10000000});
    std::int64_t rest = 0;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        over = chunk->end;
        rest += chunk->file == file::output ? std::int64_t(chunk->bytes.size()) : 0;
    }
    QVERIFY(rest >= 5000000 - followCredit - 100);
}

// A log that lags behind does not keep back the others of its host, although one piece may take all the room.
void TstFollow::severalInTurn()
{
    QVERIFY(m_fixture.agent->start());
    const Launch first = m_fixture.launchOf("first", "head -c 3000000 /dev/zero");
    const Launch second = m_fixture.launchOf("second", "head -c 3000000 /dev/zero");
    QVERIFY(m_fixture.runToEnd(first) && m_fixture.runToEnd(second));
    const std::int64_t one = m_fixture.agent->send(Follow{first.dir, 0, 0, 0, 0, false});
    const std::int64_t two = m_fixture.agent->send(Follow{second.dir, 0, 0, 0, 0, false});
    std::size_t before = 0; // bytes of the first one ahead of the second one
    for (bool isSecond = false; !isSecond;) {
        const auto answer
            = m_fixture.agent->wait([&](const Envelope &each) { return each.id == one || each.id == two; }, 10000);
        QVERIFY(answer);
        const auto *chunk = std::get_if<Chunk>(&answer->message);
        QVERIFY(chunk);
        isSecond = answer->id == two;
        before += isSecond ? 0 : chunk->bytes.size();
    }
    QVERIFY(before < std::size_t(followCredit) / 2);
}

// A file that was looked for and not found is looked for again as soon as it comes.
void TstFollow::fileThatComesLater()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("later", "echo one; read < fifo; echo two");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::map<std::string, std::string> got;
    bool ended = false;
    const auto take = [&](const char *name, const std::string &text) {
        while (!ended && got[name] != text) {
            const auto chunk = m_fixture.agent->answer<Chunk>(id);
            ended = !chunk || chunk->end;
            if (!ended) {
                got[chunk->file] += chunk->bytes;
            }
        }
        return got[name] == text;
    };
    QVERIFY(take(file::output, "one\n"));
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{})); // all of its files were looked for meanwhile
    QVERIFY(!got.contains(file::runtime));
    QCOMPARE(writeAtomically(launch.dir + '/' + file::runtime, "late\n", false), 0);
    QVERIFY(take(file::runtime, "late\n"));
    QVERIFY(!ended);
    QVERIFY(writeToFifo(launch));
    QVERIFY(take(file::output, "one\ntwo\n"));
}

// What cannot be read does not make a log that looks whole.
void TstFollow::readErrorIsNoEnd()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("unreadable", "echo one");
    QVERIFY(m_fixture.runToEnd(launch));
    const std::string log = launch.dir + '/' + file::output;
    QCOMPARE(::rename(log.c_str(), (log + ".kept").c_str()), 0);
    QCOMPARE(::mkdir(log.c_str(), 0700), 0); // it opens, and every read of it fails
    const auto failure = m_fixture.agent->ask<Failure>(Follow{launch.dir, 0, 0, 0, 0, false});
    QVERIFY(failure && failure->code == "follow.read");
    QCOMPARE(failure->systemError, EISDIR);
    QCOMPARE(::rmdir(log.c_str()), 0);
    QCOMPARE(::rename((log + ".kept").c_str(), log.c_str()), 0);
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string text;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        over = chunk->end;
        text += chunk->file == file::output ? chunk->bytes : "";
    }
    QCOMPARE(text, std::string("one\n"));
}

// The book ends by saying that nothing more comes: whoever has that has all metrics.
void TstFollow::metricsComeBeforeTheirBook_data()
{
    QTest::addColumn<std::size_t>("size");
    QTest::newRow("none") << std::size_t(0);
    QTest::newRow("some") << std::size_t(100);
    QTest::newRow("of several messages") << maxChunk * 3 + 1;
}
void TstFollow::metricsComeBeforeTheirBook()
{
    QFETCH(const std::size_t, size);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("metrics", "echo one");
    QVERIFY(m_fixture.runToEnd(launch));
    const auto bookOf = [&launch] { return fileText(launch.dir, file::metricBook).toStdString(); };
    QTRY_VERIFY_WITH_TIMEOUT(MetricBook::parse(bookOf()).isOver, 30000);
    const std::string all(size, 'x');
    if (size > 0) {
        QFile metrics(QString::fromStdString(launch.dir + '/' + file::metrics));
        QVERIFY(metrics.open(QIODevice::WriteOnly));
        QCOMPARE(metrics.write(all.data(), qint64(all.size())), qint64(all.size()));
    }
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::map<std::string, std::string> got;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        over = chunk->end;
        got[chunk->file] += chunk->bytes;
        QVERIFY(got[file::metricBook].empty() || got[file::metrics].size() == size);
    }
    QVERIFY(got[file::metrics] == all);
    QVERIFY(got[file::metricBook] == bookOf());
}

// Where the kernel tells of no changes, one look after another does for all.
void TstFollow::manyWithoutNotification()
{
    constexpr int noNamespace = 99, noLimit = 98;
    m_fixture.agent->inChild = [] {
        const auto write = [](const char *path, const std::string &text) {
            const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
            const bool good = fd >= 0 && ::write(fd, text.data(), text.size()) == ssize_t(text.size());
            ::close(fd);
            return good;
        };
        const std::string user = std::to_string(::getuid());
        // The others keep theirs: the limit is that of a namespace of its own.
        if (::unshare(CLONE_NEWUSER) != 0 || !write("/proc/self/uid_map", user + ' ' + user + " 1")) {
            ::_exit(noNamespace);
        }
        if (!write("/proc/sys/user/max_inotify_instances", "0")) {
            ::_exit(noLimit);
        }
    };
    // By a process that does nothing else: an agent that does not start is a failure.
    const pid_t probe = ::fork();
    if (probe == 0) {
        m_fixture.agent->inChild();
        ::_exit(0);
    }
    int status = -1;
    QCOMPARE(::waitpid(probe, &status, 0), probe);
    QVERIFY(WIFEXITED(status));
    if (WEXITSTATUS(status) == noNamespace) {
        QSKIP("No namespace of users can be made here: allow it by sysctl kernel.unprivileged_userns_clone=1, or run "
              "it as root.");
    }
    if (WEXITSTATUS(status) == noLimit) {
        QSKIP("The limits of a namespace of users cannot be set here: run it where /proc/sys may be written.");
    }
    QCOMPARE(WEXITSTATUS(status), 0);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("many", "echo up; read < fifo; echo down");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.runUntil(launch, "up\n"));
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 100; ++i) { // one after the other, as they come in life
        ids.push_back(m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false}));
        const auto chunk = m_fixture.agent->answer<Chunk>(ids.back());
        QVERIFY(chunk && chunk->bytes == "up\n");
    }
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto wakes = [this] {
        const QByteArray status = fileText("/proc/" + std::to_string(m_fixture.agent->pid()), "status");
        return status.mid(status.indexOf("\nvoluntary_ctxt_switches:") + 25).simplified().split(' ').first().toInt();
    };
    const int before = wakes();
    QVERIFY(m_fixture.waitForSamples(20));
    const int woke = wakes() - before;
    QVERIFY(writeToFifo(launch));
    for (const std::int64_t id : ids) {
        std::string text;
        for (bool over = false; !over;) {
            const auto chunk = m_fixture.agent->answer<Chunk>(id);
            QVERIFY(chunk);
            over = chunk->end;
            text += chunk->file == file::output ? chunk->bytes : "";
        }
        QCOMPARE(text, std::string("down\n"));
    }
    QVERIFY2(woke < 80, QByteArray::number(woke).constData()); // for the samples, and four times a second
}

#include "tst_follow.moc"
