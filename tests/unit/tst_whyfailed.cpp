// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyfailed.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The judgement of an output: how certain it is, its arguments and line, and that no output and no table harms it.
class TstWhyFailed : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void notCertain_data();
    void notCertain();
    void arguments_data();
    void arguments();
    void lineNumbers();
    void longOutputs();
    void oddBytes_data();
    void oddBytes();
    void badTables_data();
    void badTables();
};

// What may be so and may not: it is never called certain.
void TstWhyFailed::notCertain_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("certainty");
    QTest::newRow("killed") << 137 << QByteArray("step\nKilled\n") << u"likely"_s;
    QTest::newRow("killed without a word") << 137 << QByteArray("step\n") << u"likely"_s;
    QTest::newRow("terminated") << 143 << QByteArray("step\n") << u"likely"_s;
    QTest::newRow("peers") << 1
                           << traceback({"/w/a.py:3:<module>"}, "RuntimeError: Connection reset by peer", "[rank1]: ")
                           << u"likely"_s;
    QTest::newRow("only a warning") << 1 << QByteArray("WARNING: Could not resolve host: a.example\n") << u"likely"_s;
    QTest::newRow("one that it did without")
        << 1 << QByteArray("Checkpoint /w/ck.pt does not exist. Training from scratch.\nstep 1\n") << u"unknown"_s;
    QTest::newRow("one that it tried again after")
        << 1 << QByteArray("Connection refused, retrying\nstep 1\n") << u"unknown"_s;
    QTest::newRow("noise of TensorFlow") << 137
                                         << QByteArray("2026-01-01 00:00:00.0: E tensorflow/a.cc:271] failed call to "
                                                       "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable "
                                                       "device is detected\nstep 1\n")
                                         << u"likely"_s;
    QTest::newRow("an error in a log") << 1 << QByteArray("ERROR: it is broken\n") << u"likely"_s;
    QTest::newRow("one that was logged") << 1
                                         << "ERROR:root:reading failed\n" + traceback({"/w/a.py:3:f"}, "KeyError: 'x'")
            + "next file\n" << u"likely"_s;
    QTest::newRow("a command that the script went on after")
        << 1 << QByteArray("job.sh: line 2: foo: command not found\nsome more\n") << u"likely"_s;
    QTest::newRow("words in quotes") << 1 << QByteArray("page 0: \"Permission denied, said the guard.\"\nscore: 0.5\n")
                                     << u"likely"_s;
    QTest::newRow("words of the data")
        << 1 << QByteArray("sample 1: \"The network is unreachable and the bus was late.\"\nscore: 0.5\n")
        << u"unknown"_s;
    QTest::newRow("nothing") << 1 << QByteArray("step\n") << u"unknown"_s;
    QTest::newRow("no output") << 1 << QByteArray() << u"unknown"_s;
    QTest::newRow("a table without a traceback") << 1 << torchrunTable() << u"unknown"_s;
    QTest::newRow("success") << 0 << QByteArray("ERROR: Connection refused\n") << u"unknown"_s;
}

void TstWhyFailed::notCertain()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(status, output);
    QVERIFY(!facts.cause.isEmpty());
    QTEST(facts.certainty, "certainty");
}

void TstWhyFailed::arguments_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    const auto error = [](const QByteArray &said) { return traceback({"/w/a.py:3:<module>"}, said); };
    const QByteArray cuda
        = error("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 1 has a total "
                "capacity of 39.39 GiB of which 1.2 GiB is free.");
    QTest::newRow("size") << cuda << u"size"_s << u"2.50 GiB"_s;
    QTest::newRow("total") << cuda << u"total"_s << u"39.39 GiB"_s;
    QTest::newRow("total, older") << error(
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total "
        "capacity; 6.1 GiB already allocated)")
                                  << u"total"_s << u"7.79 GiB"_s;
    const QByteArray sizes
        = error("RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a "
                "param with shape torch.Size([10, 64]) from checkpoint, the shape in current model is "
                "torch.Size([7, 64]).");
    QTest::newRow("shape of the checkpoint") << sizes << u"shape"_s << u"[10, 64]"_s;
    QTest::newRow("shape of the model") << sizes << u"shape2"_s << u"[7, 64]"_s;
    QTest::newRow("parameter") << sizes << u"name"_s << u"fc.weight"_s;
    QTest::newRow("broadcast") << error("ValueError: operands could not be broadcast together with shapes (3,4) (5,) ")
                               << u"shape2"_s << u"(5,)"_s;
    QTest::newRow("port") << error(
        "RuntimeError: The server socket has failed to listen. bind to [::]:29511 (errno: 98 - Address "
        "already in use).")
                          << u"port"_s << u"29511"_s;
    QTest::newRow("host of a chain") << traceback({"/usr/lib/python3.12/socket.py:976:getaddrinfo"},
                                            "socket.gaierror: [Errno -2] Name or service not known")
            + during
            + error("requests.exceptions.ConnectionError: HTTPSConnectionPool(host='hub.example', port=443): Max "
                    "retries exceeded")
                                     << u"host"_s << u"hub.example"_s;
    QTest::newRow("module") << error("ModuleNotFoundError: No module named 'a.b'") << u"module"_s << u"a.b"_s;
    QTest::newRow("command of mpirun") << QByteArray(
        "mpirun was unable to find the specified executable file, and therefore\n\nNode:       n1\nExecutable: ./x\n")
                                       << u"command"_s << u"./x"_s;
}

void TstWhyFailed::arguments()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, name);
    QTEST(whyOf(1, output).args.value(name).toString(), "value");
}

void TstWhyFailed::lineNumbers()
{
    const QByteArray error = traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'");
    QCOMPARE(whyOf(1, "\n\n\na\n" + error).line, 8);
    QCOMPARE(whyOf(1, "a\rb\rc\n\r\n" + error).line, 6);
    QCOMPARE(whyOf(1, QByteArray(error).replace("\n", "\r\n")).line, 4);
    QCOMPARE(whyOf(1, QByteArray(error).replace("KeyError", "\x1b[31mKeyError\x1b[0m")).text, u"KeyError: 'x'"_s);
    // Of a file whose beginning is not read.
    const FailureFacts facts = core::whyFailed(
        FailureCauses::bundled(), {.status = 1, .output = error, .firstLine = 1001, .outOfMemory = false});
    QCOMPARE(facts.line, 1004);
}

void TstWhyFailed::longOutputs()
{
    const QByteArray steps = QByteArray("step 12 loss 0.25 lr 0.001\n").repeated(500000); // more than is searched
    const QByteArray error = traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'");
    QElapsedTimer timer;
    timer.start();
    FailureFacts facts = whyOf(1, steps + error);
    QCOMPARE(facts.cause, u"user-code-error"_s);
    QCOMPARE(facts.line, 500004);
    facts = whyOf(1, error + steps);
    QCOMPARE(facts.cause, u"unknown"_s);
    // One line, tracebacks only, and what every search finds.
    whyOf(1, QByteArray(inForm(3 << 20), 'x'));
    whyOf(1, QByteArray(error).repeated(inForm(30000)));
    whyOf(1, QByteArray("[rank1]: CUDA out of memory. Connection refused: Killed\n").repeated(inForm(40000)));
    whyOf(1, QByteArray("\n\r").repeated(inForm(700000)));
    // Frames without a head or an exception, flat and indented.
    whyOf(1, QByteArray("File \"/w/a.py\", line 3, in f\n").repeated(inForm(30000)));
    whyOf(1, QByteArray("  File \"/w/a.py\", line 3, in f\n").repeated(inForm(30000)));
    whyOf(1, QByteArray("File \"/w/a.py\", line 3, in f\ng(x)\n").repeated(inForm(15000)));
    // Columns of numbers that a word follows, as the kernel lists processes.
    const QByteArray columns = "/w/a: Permission denied:" + QByteArray("   1").repeated(40) + " python\n";
    whyOf(1, columns.repeated(inForm(20000)));
    qInfo("%lld ms", timer.elapsed());
    QVERIFY2(timer.elapsed() < 90000, "An end is judged in a short time.");
}

void TstWhyFailed::oddBytes_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("newline") << QByteArray("\n");
    QTest::newRow("returns") << QByteArray("\r\r\r");
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    QTest::newRow("no text") << QByteArray("\xff\xfe\x80 CUDA out of memory \xc3\n");
    QTest::newRow("only a mark") << QByteArray("Traceback (most recent call last):");
    QTest::newRow("marks") << QByteArray("Traceback (most recent call last):\n").repeated(50);
    QTest::newRow("a frame") << QByteArray("  File \"a.py\", line 3, in f\n");
    QTest::newRow("a frame and no more") << QByteArray("  File \"a.py\", line 99999999999999999999, in f\nE: x\n");
    QTest::newRow("a link to nothing") << traceback({"a.py:1:f"}, "KeyError: 1") + during;
    QTest::newRow("half a prefix") << QByteArray("[rank1]:\n[rank2]\n[1,0]<stderr>:\n(a pid=1) \n3:\n");
    QTest::newRow("colours") << QByteArray("\x1b[31m\x1b[\x1b");
}

void TstWhyFailed::oddBytes()
{
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(1, output);
    QVERIFY(!facts.cause.isEmpty());
    QVERIFY(facts.line <= output.count('\n') + 1);
    // Every part of it, too.
    for (qsizetype size = 0; size < std::min<qsizetype>(output.size(), 400); size += 7) {
        QVERIFY(!whyOf(std::nullopt, output.first(size)).certainty.isEmpty());
    }
}

void TstWhyFailed::badTables_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("code");
    QTest::newRow("no json") << QByteArray("{") << u"exitrules.json"_s;
    QTest::newRow("no name") << QByteArray(R"({"causes":[{"lines":[{"hint":"x"}]}]})") << u"exitrules.invalid"_s;
    QTest::newRow("no lines") << QByteArray(R"({"causes":[{"name":"x"}]})") << u"exitrules.invalid"_s;
    QTest::newRow("no hint") << QByteArray(R"({"causes":[{"name":"x","lines":[{"pattern":"x"}]}]})")
                             << u"exitrules.invalid"_s;
    QTest::newRow("a role that is none") << QByteArray(R"({"causes":[{"name":"x","role":"y","lines":[{"hint":"x"}]}]})")
                                         << u"exitrules.invalid"_s;
    QTest::newRow("a place that is none")
        << QByteArray(R"({"causes":[{"name":"x","lines":[{"hint":"x","in":"y"}]}]})") << u"exitrules.invalid"_s;
    QTest::newRow("a pattern that is none")
        << QByteArray(R"({"causes":[{"name":"x","lines":[{"hint":"x","pattern":"("}]}]})") << u"exitrules.pattern"_s;
    QTest::newRow("a pattern of reports that is none")
        << QByteArray(R"({"causes":[{"name":"x","lines":[{"hint":"x"}]}],"reportPatterns":["("]})")
        << u"exitrules.pattern"_s;
    QTest::newRow("a type of no cause") << QByteArray(
        R"({"causes":[{"name":"x","lines":[{"hint":"x"}]}],"types":{"E":"y"}})")
                                        << u"exitrules.invalid"_s;
}

void TstWhyFailed::badTables()
{
    QFETCH(QByteArray, json);
    const Result<FailureCauses> causes = FailureCauses::parse(json);
    QVERIFY(!causes);
    QTEST(causes.error().code, "code");
}

TRAINYARD_TEST(TstWhyFailed)
#include "tst_whyfailed.moc"
