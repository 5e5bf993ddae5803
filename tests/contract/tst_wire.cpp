// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/messages.h"
#include "engine/contract/wire.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace trainyard::contract;

class TstWire : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anySplit();
    void noiseBeforeTheBanner();
    void noBanner();
    void limits();
    void messagesComeBack();
    void chunkInTwoParts();
    void launchPayload();
    void damagedFrames();
    void wrongTypes();
    void garbage();
};
TRAINYARD_TEST(TstWire)

static std::vector<Frame> feedInPieces(FrameReader &reader, const std::string &bytes, QRandomGenerator &random)
{
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t size = std::min<std::size_t>(bytes.size() - at, 1 + random.bounded(1 << random.bounded(16)));
        reader.feed(std::string_view(bytes).substr(at, size));
        at += size;
        while (std::optional<Frame> frame = reader.next()) {
            frames.push_back(std::move(*frame));
        }
    }
    return frames;
}

void TstWire::anySplit()
{
    QRandomGenerator random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Frame> sent;
        std::string bytes = "Last login: never\nmotd without end" + std::string("\n") + bannerLine("n0");
        for (int i = random.bounded(1, 8); i > 0; --i) {
            Frame frame{std::string(random.bounded(300), 'h'), {}};
            frame.payload.resize(random.bounded(round % 10 == 0 ? 200000 : 500));
            std::generate(frame.payload.begin(), frame.payload.end(), [&] { return char(random.generate()); });
            bytes += encodeFrame(frame.header, frame.payload).value();
            sent.push_back(std::move(frame));
        }
        FrameReader reader("n0");
        QVERIFY(feedInPieces(reader, bytes, random) == sent);
        QVERIFY(reader.state() == FrameReader::State::Frames);
    }
}

void TstWire::noiseBeforeTheBanner()
{
    FrameReader reader("right");
    reader.feed("hello\nTRAINYARD-AGENT 1 wrong\nxTRAINYARD-AGENT 1 right\nTRAINYARD-AGENT 1 right");
    QVERIFY(reader.state() == FrameReader::State::Banner);
    reader.feed("\n" + encodeFrame("{}").value());
    QVERIFY(reader.state() == FrameReader::State::Frames);
    QVERIFY(reader.next() == (Frame{"{}", {}}));
    QVERIFY(!reader.next());
    QVERIFY(reader.noise().find("hello\n") != std::string::npos);
}

void TstWire::noBanner()
{
    FrameReader reader("n");
    for (int i = 0; i < 3000 && reader.state() == FrameReader::State::Banner; ++i) {
        reader.feed(std::string(1000, 'x'));
    }
    QVERIFY(reader.state() == FrameReader::State::Broken);
    QCOMPARE(reader.error(), std::string("wire.noise"));
    QVERIFY(reader.noise().size() <= 3 * 4096);
    reader.feed(bannerLine("n"));
    QVERIFY(!reader.next());
}

void TstWire::limits()
{
    QVERIFY(encodeFrame(std::string(maxHeader, ' '), std::string(maxPayload, ' ')));
    QVERIFY(!encodeFrame(std::string(maxHeader + 1, ' ')));
    QVERIFY(!encodeFrame("", std::string(maxPayload + 1, ' ')));
    for (const char *head :
        {"\x01\x00\x01\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x01\x00\x10\x00", "\xff\xff\xff\xff\xff\xff\xff\xff"}) {
        FrameReader reader;
        reader.feed(std::string_view(head, 8));
        QVERIFY(!reader.next());
        QVERIFY(reader.state() == FrameReader::State::Broken);
        QCOMPARE(reader.error(), std::string("wire.length"));
    }
}

template <typename T> static std::optional<T> back(const T &message, bool fromAgent)
{
    const std::optional<std::string> bytes = encode({77, message, {}});
    FrameReader reader;
    reader.feed(bytes.value_or(""));
    const std::optional<Frame> frame = reader.next();
    const std::optional<Envelope> envelope = frame ? decode(*frame, fromAgent) : std::nullopt;
    const T *found = envelope && envelope->id == 77 ? std::get_if<T>(&envelope->message) : nullptr;
    return found ? std::optional<T>(*found) : std::nullopt;
}

void TstWire::chunkInTwoParts()
{
    Chunk chunk;
    chunk.file = "output.log";
    chunk.offset = 1ull << 40;
    const std::string bytes(largestChunk, 'x');
    const std::optional<std::string> head = encodeChunkHead(5, chunk, bytes.size());
    QVERIFY(head && !encodeChunkHead(5, chunk, maxPayload + 1));
    chunk.bytes = bytes;
    QVERIFY(*head + bytes == encode({5, chunk, {}}));
}

void TstWire::messagesComeBack()
{
    HelloRequest hello;
    hello.build = "b";
    hello.loginEnvironment = false;
    QVERIFY(back(hello, false) && !back(hello, false)->loginEnvironment);
    QVERIFY(back(InventoryRequest{}, false));
    const auto stop = back(Stop{"/d", 10, 5, true}, false);
    QVERIFY(stop && stop->dir == "/d" && stop->signal == 10 && stop->graceMs == 5 && stop->onlyMain);
    QVERIFY(!stop->leavesMetrics && back(Stop{"/d", 10, 5, true, true}, false)->leavesMetrics);
    QVERIFY(!stop->hasBegun && back(Stop{"/d", 10, 5, true, false, true}, false)->hasBegun);
    const auto pause = back(Pause{"/d", false}, false);
    QVERIFY(pause && pause->dir == "/d" && !pause->on);
    QVERIFY(back(Observe{"/d"}, false)->dir == "/d");
    const auto observe = back(Observe{"/d", {"s3cr3t\n-é", "other"}}, false);
    QVERIFY(observe && observe->maskValues == (std::vector<std::string>{"s3cr3t\n-é", "other"}));
    QVERIFY(!observe->leavesMetrics);
    const auto leaving = back(Observe{"/d", {}, true}, false);
    QVERIFY(leaving && leaving->leavesMetrics);
    const auto follow = back(Follow{"/d", 1ull << 40, 24, 3, 4, true}, false);
    QVERIFY(follow && follow->output == 1ull << 40 && follow->index == 24 && follow->tail == 4 && follow->cancel);
    QVERIFY(back(Credit{3, 1 << 20}, false)->bytes == 1 << 20);
    QVERIFY(back(Credit{3, 1 << 20}, true)->follow == 3); // both sides say these
    for (const bool fromAgent : {false, true}) {
        Flow flow;
        flow.bytes = std::string("\0\xff", 2);
        flow.end = true;
        const auto flowed = back(flow, fromAgent);
        QVERIFY(flowed && flowed->bytes == flow.bytes && flowed->end && !flowed->broken);
    }
    QVERIFY(!back(Flow{}, true)->end);
    const auto dial = back(Dial{8080, 5, "10.0.0.7"}, false);
    QVERIFY(dial && dial->port == 8080 && dial->credit == 5 && dial->address == "10.0.0.7");
    QVERIFY(back(Dialed{7}, true)->credit == 7);
    const auto ports = back(Ports{{1, 2}, 3, 4, 5, {6}}, false);
    QVERIFY(ports && ports->check.size() == 2 && ports->draw == 3 && ports->exclude == std::vector<int>{6});
    const auto await = back(Await{"word", 1, 2, 3}, false);
    QVERIFY(await && await->word == "word" && await->first == 1 && await->last == 2 && await->ms == 3);
    QVERIFY(back(Awaiting{4}, true)->port == 4);
    const auto reach = back(Reach{{"10.0.0.1", "fd00::1"}, {1, 2}, {"a", "b"}, 3}, false);
    QVERIFY(reach && reach->addresses.at(1) == "fd00::1" && reach->ports.at(1) == 2 && reach->words.at(1) == "b");
    QVERIFY(reach->ms == 3 && back(Reached{{"silent"}}, true)->states == std::vector<std::string>{"silent"});
    QVERIFY(back(SampleRequest{0}, false)->intervalMs == 0);
    QVERIFY(back(Remove{"/d"}, false)->dir == "/d");
    const auto own = back(OwnFolder{"/d", true}, false);
    QVERIFY(own && own->dir == "/d" && own->isMade);
    QVERIFY(back(Bye{}, false));

    HelloReply reply;
    reply.host = "h";
    reply.diskFreeBytes = 1ll << 50;
    QVERIFY(back(reply, true)->groups.empty());
    reply.groups = {4, 4001234};
    reply.environment = {{"A", "1=2"}, {"B", "multi\nline"}};
    const auto replied = back(reply, true);
    QVERIFY(replied && replied->environment == reply.environment && replied->diskFreeBytes == 1ll << 50);
    QVERIFY(replied->groups == reply.groups);
    Inventory inventory;
    inventory.cpus = 64;
    Gpu gpu;
    gpu.index = 3;
    gpu.uuid = "GPU-1";
    gpu.powerWatt = 250.5;
    gpu.foreign = true;
    inventory.gpus = {gpu};
    inventory.addresses = {{"eth0", "10.0.0.1", 24}};
    QVERIFY(back(inventory, true)->gpus == inventory.gpus);
    QVERIFY(back(inventory, true)->addresses == inventory.addresses);
    ExitRecord exit;
    exit.kind = ExitKind::Exited;
    exit.value = 4;
    StartedRecord started;
    started.process = {"boot", 5, 6};
    const auto launched = back(Launched{"/d", "u", "ended", started, exit}, true);
    QVERIFY(launched && launched->exit == exit && launched->started == started);
    QVERIFY(!back(Launched{"/d", "u", "launched", started, {}}, true)->exit);
    const auto observed = back(Observed{"/d", "u", "running", started, StopRecord{}, {}, 9}, true);
    QVERIFY(observed && observed->stop && observed->outputBytes == 9);
    QVERIFY(back(Exited{"/d", "u", exit, {}}, true)->exit == exit);
    const auto chunk = back(Chunk{"output.log", 5, true, std::string("\0\xff", 2)}, true);
    QVERIFY(chunk && chunk->bytes == std::string("\0\xff", 2) && chunk->end && chunk->offset == 5);
    QVERIFY(back(PortsReply{{1}, {2, 3}}, true)->drawn.size() == 2);
    Sample sample;
    sample.cpuPercent = 12.5;
    sample.tries = {{"/d", 10, true}};
    QVERIFY(back(sample, true)->tries == sample.tries);
    QVERIFY(back(Done{}, true));
    const auto failure = back(Failure{"a.b", "c", 28}, true);
    QVERIFY(failure && failure->code == "a.b" && failure->systemError == 28);
    // A name that is not UTF-8 does no harm.
    QVERIFY(back(Failure{"a.b", "\xff\xfe", 0}, true));
}

void TstWire::launchPayload()
{
    Launch launch;
    launch.dir = "/runs/x";
    launch.plan.tryUuid = "u";
    launch.plan.limits.memoryBytes = 5;
    launch.cleanEnvironment = true;
    launch.sealed = true;
    launch.checkPorts = {15000};
    launch.gpuLocks = {"GPU-1"};
    launch.gpuShareMiB = 6000;
    launch.gpuMemoryMiB = {81920000000};
    launch.script = "echo \"[[[[[[[[\"\n";
    launch.maskedScript = "echo ******\n";
    launch.env = {{"EMPTY", ""}, {"X", "a=b\nc"}};
    launch.maskValues = {"secret-1", std::string("with\0nul", 8)};
    const auto got = back(launch, false);
    QVERIFY(got.has_value());
    QVERIFY(got->plan == launch.plan);
    QVERIFY(got->env == launch.env);
    QVERIFY(got->maskValues == launch.maskValues);
    QCOMPARE(got->script, launch.script);
    QCOMPARE(got->maskedScript, launch.maskedScript);
    QVERIFY(got->gpuShareMiB == 6000 && got->gpuMemoryMiB == launch.gpuMemoryMiB);
    QVERIFY(got->sealed && got->cleanEnvironment && got->checkPorts == launch.checkPorts);
    QVERIFY(got->sharedEnv.empty() && got->sharedScript.empty());
    launch.sharedEnv = "j/0";
    launch.sharedScript = "j/0/0";
    QCOMPARE(back(launch, false)->sharedEnv, launch.sharedEnv);
    QCOMPARE(back(launch, false)->sharedScript, launch.sharedScript);
    const auto share = back(Share{"j/0", true, "true\n", launch.env}, false);
    QVERIFY(share && share->key == "j/0" && share->drop && share->script == "true\n" && share->env == launch.env);
    // No secret is in the header, which may be logged.
    const std::string bytes = encode({1, launch, {}}).value();
    FrameReader reader;
    reader.feed(bytes);
    QVERIFY(reader.next()->header.find("secret") == std::string::npos);
    launch.script.assign(maxPayload, 'x');
    QVERIFY(!encode({1, launch, {}}));
}

void TstWire::damagedFrames()
{
    Launch launch;
    launch.dir = "/d";
    launch.script = "true";
    launch.maskValues = {"secret-1"};
    FrameReader reader;
    reader.feed(encode({1, launch, {}}).value());
    const Frame good = reader.next().value();
    for (std::size_t size = 0; size < good.payload.size(); ++size) {
        std::string problem;
        QVERIFY(!decode({good.header, good.payload.substr(0, size)}, false, &problem));
        QCOMPARE(problem, std::string("wire.payload launch"));
    }
    for (std::size_t size = 0; size < good.header.size(); ++size) {
        QVERIFY(!decode({good.header.substr(0, size), good.payload}, false));
    }
    QVERIFY(!decode({"{\"id\":1,\"type\":\"dance\"}", {}}, false));
    QVERIFY(!decode({std::string(60000, '['), {}}, false));
    QVERIFY(!decode({"{\"id\":1,\"type\":\"exited\",\"exit\":\"kind exited\"}", {}}, true));
}

void TstWire::wrongTypes()
{
    const auto stop = decode(
        {"{\"id\":\"x\",\"type\":\"stop\",\"dir\":5,\"signal\":1e99,\"graceMs\":[],\"onlyMain\":1}", {}}, false);
    QVERIFY(stop && stop->id == 0);
    QVERIFY(std::get<Stop>(stop->message).dir.empty());
    QCOMPARE(std::get<Stop>(stop->message).signal, 15);
    const auto big = decode({"{\"type\":\"stop\",\"signal\":99999999999999}", {}}, false);
    QCOMPARE(std::get<Stop>(big->message).signal, 15);
}

void TstWire::garbage()
{
    QRandomGenerator random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random.bounded(400), '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return char(random.generate()); });
        if (round % 2 == 0 && bytes.size() >= 8) {
            // Lengths that fit, so that what is inside is looked at.
            bytes[0] = char(random.bounded(100));
            bytes[1] = bytes[2] = bytes[3] = bytes[5] = bytes[6] = bytes[7] = 0;
        }
        FrameReader reader;
        reader.feed(bytes);
        while (const std::optional<Frame> frame = reader.next()) {
            decode(*frame, false);
            decode(*frame, true);
        }
    }
    // And messages with one byte changed.
    FrameReader reader;
    Sample sample;
    sample.gpus.resize(2);
    sample.tries = {{"/d", 1, false}};
    reader.feed(encode({1, sample, {}}).value());
    const Frame good = reader.next().value();
    for (int round = 0; round < 5000; ++round) {
        Frame bad = good;
        bad.header[random.bounded(quint32(bad.header.size()))] = char(random.generate());
        decode(bad, true);
    }
}

#include "tst_wire.moc"
