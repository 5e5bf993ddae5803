// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTest>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using Kind = RawExit::Kind;
using Phase = RawExit::Phase;

// The bundled table: which code an exit gets, and which reason.
class TstExitRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void table();
    void classes();
    void fallback();
    void codes_data();
    void codes();
    void harmless_data();
    void harmless();
    void reasons();
    void upstreamOrder();
    void longLog();
};

void TstExitRules::table()
{
    const ExitRules &rules = ExitRules::bundled();
    QCOMPARE(rules.entries().size(), 66);
    for (const ExitSpecEntry &entry : rules.entries()) {
        QVERIFY2(!entry.phrase.isEmpty() && !entry.reason.isEmpty(), qPrintable(QString::number(entry.code)));
        const QMap<QString, QString> reactions{{u"TRANSIENT_NORMAL"_s, u"ALWAYS_RETRY"_s},
            {u"TRANSIENT_CONFLICT"_s, u"ALWAYS_BACKOFF_RETRY"_s}, {u"PERMANENT"_s, u"NEVER_RETRY"_s},
            {u"UNKNOWN"_s, u"RETRY_TO_MAX"_s}, {u"SUCCEEDED"_s, u"NEVER_RETRY"_s}};
        QCOMPARE(entry.reaction, reactions.value(entry.behavior));
    }
    for (const ExitRule &rule : rules.rules()) {
        QVERIFY2(rules.find(rule.code), qPrintable(QString::number(rule.code)));
    }
    qInfo("%d entries, %d rules", int(rules.entries().size()), int(rules.rules().size()));
}

void TstExitRules::classes()
{
    const auto all = [](ExitClass wanted, const QList<int> &codes) {
        for (int code : codes) {
            if (exitClassOf(ExitRules::bundled(), code) != wanted) {
                qWarning("%d", code);
                return false;
            }
        }
        return true;
    };
    QVERIFY(all(ExitClass::Success, {0}));
    QVERIFY(all(ExitClass::Stopped, {-210, -220, -230}));
    QVERIFY(all(ExitClass::Transient,
        {-100, -101, -110, -111, -120, -1000, -1001, -1002, -1003, -1006, -1300, -1205, 130, 131, 137, 143, 223, 250,
            253, -2002, 200}));
    QVERIFY(all(ExitClass::TransientConflict, {251, 201}));
    QVERIFY(all(ExitClass::Permanent,
        {-200, -1004, -1005, -1100, -1200, -1202, -1203, 132, 135, 136, 141, 220, 221, 222, 224, 225, 226, 228, 229,
            230, 231, 232, 233, 234, 235, 249, 252, 254, -2001, 210}));
    QVERIFY(all(
        ExitClass::Unknown, {-300, -310, -1201, -1204, 128, 134, 139, 255, 256, -8000, -2010, -2020, 1, 42, -7777}));
}

void TstExitRules::fallback()
{
    const ExitRules &rules = ExitRules::bundled();
    QCOMPARE(rules.entryFor(137).phrase, u"ContainerSigKillReceived"_s);
    QCOMPARE(rules.entryFor(17).code, 17);
    QCOMPARE(rules.entryFor(17).phrase, rules.find(256)->phrase);
    QCOMPARE(rules.entryFor(-17).code, -17);
    QCOMPARE(rules.entryFor(-17).phrase, rules.find(-8000)->phrase);
    QCOMPARE(rules.entryFor(137).toJson().value("code"_L1).toInt(), 137);
}

void TstExitRules::codes_data()
{
    QTest::addColumn<RawExit>("exit");
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<int>("code");
    const auto row = [](const char *name, const RawExit &exit, const QByteArray &log, int code) {
        QTest::newRow(name) << exit << log << code;
    };
    const auto exited = [](int value, Phase phase = Phase::User) {
        RawExit exit;
        exit.value = value;
        exit.phase = phase;
        return exit;
    };
    const auto kind = [](Kind what, int value = 0, Phase phase = Phase::User, const QString &reason = {}) {
        RawExit exit;
        exit.kind = what;
        exit.value = value;
        exit.phase = phase;
        exit.reason = reason;
        return exit;
    };
    row("M1", exited(0), "Aborted (core dumped)\n", 0);
    row("M2", exited(1), "", 255);
    row("M3", exited(127), "task.sh: line 3: foo: command not found\n", 220);
    row("M4", exited(127), "", 255);
    row("M5", exited(137), "", 137);
    row("M5 as signal", kind(Kind::Signaled, 9), "", 137);
    row("M6", kind(Kind::Oom, 137), "", -1200);
    row("M7", kind(Kind::Oom, 137, Phase::Preparation), "", -1300);
    row("M8", exited(139), "task.sh: line 2: 77 Segmentation fault      (core dumped) ./x\n", 139);
    row("M9", exited(1), "a\ntask.sh: line 2: 77 Segmentation fault      (core dumped) ./x\n", 234);
    row("M10", exited(1), "Traceback (most recent call last):\nImportError: No module named x\n", 232);
    row("M11", exited(1), "ImportError: y\nNameError: name 'x' is not defined\n", 231);
    RawExit ecc = exited(1);
    ecc.eccErrors = true;
    row("M12", ecc, "ImportError: y\n", 128);
    ecc.value = 139;
    row("M13", ecc, "", 128);
    ecc.eccRose = true;
    row("errors came during the run", ecc, "", 223);
    row("M14", exited(210), "", 255);
    row("M15", exited(210, Phase::Barrier), "", 252);
    row("M16", exited(201, Phase::Barrier), "", 251);
    row("barrier for now", exited(200, Phase::Barrier), "", 250);
    row("M17", exited(10, Phase::PortCheck), "", 253);
    row("M18", exited(10), "", 255);
    row("M19", exited(5, Phase::Preparation), "", 1);
    row("M20", exited(1), "E0 CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable\n", 223);
    row("M21", exited(1), "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n", 224);
    row("M22", exited(3, Phase::After), "done\n", 255);
    row("M23", exited(133), "", 255);
    for (int value : {130, 131, 132, 134, 135, 136, 139, 141, 143}) {
        QTest::newRow(qPrintable(u"signal %1"_s.arg(value - 128)))
            << kind(Kind::Signaled, value - 128) << QByteArray() << value;
    }
    row("user cannot fake a class", exited(200), "", 255);
    row("prerequisite", exited(7, Phase::Before), "ImportError: y\n", -2020);
    const auto strictly = [&](int value, Phase phase) {
        RawExit e = exited(value, phase);
        e.strict = true;
        return e;
    };
    row("strict prerequisite", strictly(7, Phase::Before), "", 255);
    row("strict prerequisite, as the user's", strictly(1, Phase::Before), "ImportError: y\n", 232);
    row("strict, command missing", strictly(127, Phase::Before), "bash: foo: command not found\n", 220);
    row("strict, afterwards", strictly(3, Phase::After), "", 255);
    row("prerequisite killed", exited(137, Phase::Before), "", 137);
    row(
        "GPU gone",
        [&] {
            RawExit e = exited(1);
            e.gpuLost = true;
            return e;
        }(),
        "", -1205);
    const auto driverSays = [&](int status, const char *xid) {
        RawExit e = exited(status);
        e.gpuErrors = QByteArray("\nNVRM: Xid (PCI:0000:3b:00): ") + xid + ", pid=7\n";
        return e;
    };
    row("fallen off the bus", driverSays(1, "79"), "ImportError: y\n", -1205);
    row("what came then does not count", driverSays(0, "79"), "", 0);
    row("memory errors, says the driver", driverSays(139, "48"), "", 223);
    row("contained", driverSays(1, "94"), "", 223);
    row("an error of the program", driverSays(1, "31"), "ImportError: y\n", 232);
    row("a number that begins like another", driverSays(1, "795"), "", 255);
    row(
        "no image",
        [&] {
            RawExit e = exited(1, Phase::Image);
            e.imageMissing = true;
            return e;
        }(),
        "", 254);
    row("no shell", kind(Kind::StartFailed, ENOENT), "", -1203);
    row("no permission", kind(Kind::StartFailed, EACCES), "", -1202);
    row("other start failure", kind(Kind::StartFailed, EIO), "", -1204);
    row("no working folder", kind(Kind::StartFailed, ENOENT, Phase::User, u"launch.cwd-missing /data/x"_s), "", -2010);
    row("disk full", kind(Kind::StartFailed, ENOSPC, Phase::User, u"launch.disk-full /tmp"_s), "", -2010);
    row("port busy", kind(Kind::StartFailed, EADDRINUSE, Phase::User, u"launch.port-busy 15000"_s), "", 253);
    row("GPU taken", kind(Kind::StartFailed, 0, Phase::User, u"launch.gpu-busy 0"_s), "", -1002);
    row("no more processes", kind(Kind::StartFailed, EAGAIN, Phase::User, u"launch.processes"_s), "", -1002);
    row("no memory to begin", kind(Kind::StartFailed, ENOMEM, Phase::User, u"launch.memory"_s), "", -1002);
    row("no container service", kind(Kind::StartFailed, 1, Phase::User, u"launch.container-service Cannot connect"_s),
        "", -120);
    row("no keeper", kind(Kind::StartFailed, 0, Phase::User, u"launch.keeper-died"_s), "", -120);
    row("lost", kind(Kind::Lost), "", -101);
    row("PyTorch out of memory", exited(1),
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.69 GiB total)\n", 226);
    row("older PyTorch", exited(1), "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n", 226);
    row("memory held by another process", exited(1), "RuntimeError: CUDA error: out of memory\n", 226);
    row("of a rank", exited(1),
        "[rank0]: Traceback (most recent call last):\n[rank0]:   File \"/w/t.py\", line 5, in <module>\n"
        "[rank0]:     x()\n[rank0]: torch.AcceleratorError: CUDA error: out of memory\n"
        "[rank0]: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
        "below might be incorrect.\n[rank0]: Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n",
        226);
    row("AMD", exited(1), "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has\n", 226);
    row("JAX", exited(1),
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8 bytes.\n",
        226);
    row("GPU lost, in the output", exited(15),
        "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system\n", -1205);
    row("off the bus, in the output", exited(1), "RuntimeError: GPU has fallen off the bus\nstep\n", -1205);
    row("driver API", exited(1), "failed to allocate 2G: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n", 226);
    row("TensorFlow", exited(1), "tensorflow.ResourceExhaustedError: OOM when allocating tensor with shape[9]\n", 221);
    row("argparse", exited(2), "usage: x\nx.py: error: unrecognized arguments: --foo\n", 228);
    row("argparse value", exited(2), "x.py: error: argument --n: invalid int value: 'x'\n", 228);
    row("checkpoint", exited(1), "RuntimeError: PytorchStreamReader failed reading zip archive: not a ZIP\n", 229);
    row("index", exited(1), "IndexError: list index out of range\n", 233);
    row("ranks in front", exited(1), "[1,0]<stderr>:ModuleNotFoundError: No module named 'x'\n", 232);
    row("rank in front", exited(1), "[rank3]: SyntaxError: invalid syntax\n", 231);
    row("core dump", exited(1), "task.sh: line 1:  9 Aborted                 (core dumped) ./x\n", 235);
    row("file order, not log order", exited(1), "IndexError: a\nCUDA_ERROR_OUT_OF_MEMORY\n", 226);
}

void TstExitRules::codes()
{
    QFETCH(RawExit, exit);
    QFETCH(QByteArray, log);
    QFETCH(int, code);
    const Classified result = classifyExit(ExitRules::bundled(), exit, log);
    QCOMPARE(result.code, code);
    QVERIFY(code == 0 || !result.reason.isEmpty() || !result.rule.isEmpty());
    for (const QByteArray &line : result.matched.isEmpty() ? QList<QByteArray>() : QList<QByteArray>{result.matched}) {
        QVERIFY(log.contains(line));
    }
}

// Lines that a failed job may well have without being failed by them.
void TstExitRules::harmless_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line : {"core dumped", "WARNING: caught ImportError: falling back to the slow path",
             "no core dumped, all is well", "invalid argument: using the default instead", "e2r[no 2] errno 2",
             "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
             "To avoid CUDA out of memory errors, reduce it", "Segmentation fault rate: 0", "parsing NameError: docs",
             "error: argument", "# IndexError: see below", "ResourceExhaustedError: too many requests",
             "unrecognized arguments: none"}) {
        QTest::newRow(line) << QByteArray(line);
    }
}

void TstExitRules::harmless()
{
    QFETCH(QByteArray, line);
    RawExit exit;
    exit.value = 1;
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray("begin\n" + line + "\nend\n")).code, 255);
}

void TstExitRules::reasons()
{
    RawExit exit;
    exit.value = 7;
    exit.phase = Phase::Before;
    exit.step = u"data"_s;
    Classified result = classifyExit(ExitRules::bundled(), exit, "");
    QCOMPARE(result.reason, u"exit.step"_s);
    QCOMPARE(result.reasonArgs, (QJsonObject{{u"step"_s, u"data"_s}, {u"status"_s, 7}}));
    exit = RawExit{};
    exit.kind = Kind::StartFailed;
    exit.value = ENOENT;
    exit.reason = u"launch.cwd-missing /data/my files"_s;
    result = classifyExit(ExitRules::bundled(), exit, "");
    QCOMPARE(result.reason, u"launch.cwd-missing"_s);
    QCOMPARE(result.reasonArgs, (QJsonObject{{u"detail"_s, u"/data/my files"_s}, {u"errno"_s, ENOENT}}));
    QVERIFY(!rawExitOf(exit));
    exit = RawExit{};
    exit.value = 1;
    result = classifyExit(ExitRules::bundled(), exit, "a\n  ImportError: x\n");
    QCOMPARE(result.code, 255); // indented: quoted by somebody
    result = classifyExit(ExitRules::bundled(), exit, "a\nImportError: x\r\nb\n");
    QCOMPARE(result.matched, QByteArray("ImportError: x"));
    QCOMPARE(result.rule, u"ContainerImportError"_s);
}

// As a server does it: the first rule that matches anywhere.
void TstExitRules::upstreamOrder()
{
    RawExit exit;
    exit.value = 1;
    const QByteArray output = "NameError: x\nImportError: y\n";
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, output).code, 232);
    exit.upstreamOrder = true;
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, output).code, 231);
}

// The end of a huge log, and one without line ends.
void TstExitRules::longLog()
{
    QByteArray log;
    while (log.size() < 40 * 1024 * 1024) {
        log += "step 17 loss 0.25 caught ImportError: in passing, as often before\n";
    }
    RawExit exit;
    exit.value = 1;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, log).code, 255);
    const qint64 many = timer.restart();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray("IndexError: far away\n" + log)).code, 255);
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray(log + "IndexError: x\n")).code, 233);
    timer.restart();
    const QByteArray plain = QByteArray(99, 'x').append('\n').repeated(10 * 1024 * 1024 / 100);
    timer.restart();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, plain).code, 255);
    const qint64 nothing = timer.restart();
    const QByteArray flat = QByteArray("ImportError: ").repeated(800000);
    classifyExit(ExitRules::bundled(), exit, flat);
    qInfo("10 MiB without a hint %lld ms, with one on every line %lld ms, on one line %lld ms", nothing, many,
        timer.elapsed());
    QVERIFY(many < 10000 && timer.elapsed() < 10000);
}

TRAINYARD_TEST(TstExitRules)
#include "tst_exitrules.moc"
