// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fullform.h"
#include "tests/helpers/measuredrun.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

// What no text may do to the program: crash it, hang it, or take its time and memory. Measured in a process of its own.
class TstCliLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void trap_data();
    void trap();
    void manySeries();
    void cleanupTestCase();

private:
    QTemporaryDir m_folder;
    QString m_program;
    qint64 m_slowest = 0;
    qint64 m_largest = 0;
    int m_runs = 0;
};

namespace
{

// Sanitizers take three to ten times as long, and much memory of their own.
#if defined(TRAINYARD_ADDRESS_SANITIZED)
constexpr qint64 checkAllMs = 20'000;
constexpr qint64 checkMaxKiB = 2'000'000;
#else
constexpr qint64 checkAllMs = 2'000;
constexpr qint64 checkMaxKiB = 300 * 1024;
#endif

const char checkHead[] = "protocolVersion: 2\nname: t\ntype: job\n";
const char checkTail[]
    = "taskRoles:\n  w:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
      "    commands: [a]\nprerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n";

QByteArray repeated(const QByteArray &unit, qsizetype bytes) { return unit.repeated(bytes / unit.size()); }

} // namespace

void TstCliLimits::initTestCase()
{
    m_program = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    spareLeakChecks();
    if (!QFileInfo(m_program).isExecutable()) {
        QFAIL("trainyardctl has not been built.");
    }
    QVERIFY(m_folder.isValid());
    qputenv("XDG_CONFIG_HOME", m_folder.path().toLocal8Bit());
    qputenv("XDG_RUNTIME_DIR", m_folder.path().toLocal8Bit()); // no engine of the user's has a say
}

void TstCliLimits::trap_data()
{
    const qsizetype mega = inForm(1'000'000);
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char *name, const QByteArray &bytes) { QTest::newRow(name) << bytes; };
    row("[1,1, far too large", "a: [" + repeated("1,", 8 * mega));
    row("[, far too large", repeated("[", 8 * mega));
    row("[\"a\", far too large", "a: [" + repeated("\"a\",", 8 * mega));
    row("[", repeated("[", mega));
    row("[1,1", "a: [" + repeated("1,", mega));
    row("flow indicators", "a: [" + repeated("1,", inForm(2 * 99'000)) + "1]\n");
    row("{", repeated("{a: ", mega));
    row("dashes", repeated("- ", mega));
    row("question marks", repeated("? ", mega));
    row("list items", "a:\n" + repeated("- b\n", mega));
    row("utf-16", QByteArray("\xff\xfe", 2) + QByteArray("n\0a\0m\0e\0:\0 \0x\0", 14));
    row("utf-32", QByteArray("\xff\xfe\0\0n\0\0\0", 8));
    row("unclosed quote", checkHead + QByteArray("a: \"x\n") + checkTail);
    row("long unclosed quote", "a: \"" + repeated("x\n ", mega));
    row("unknown tag", checkHead + QByteArray("a: !foo x\n") + checkTail);
    row("two documents", checkHead + QByteArray(checkTail) + "---\na: b\n");
    row("many documents", repeated("---\na\n", inForm(600'000)));
    row("control characters", repeated("a: \x01\n", mega / 10));
    row("!!int x", checkHead + QByteArray("a: !!int x\n") + checkTail);
    row("tab-indented map", QByteArray("a:\n\tb: 1\n"));
    row("long key", QByteArray(2000, 'k') + ": 1\n");
    row("a comma", QByteArray(","));
    row("a comma and more", QByteArray(", a: b\n---\n,\n"));
    row("nesting of 500", repeated("[", 500) + repeated("]", 500));
    row("block nesting of 500", []() -> QByteArray {
        QByteArray text;
        for (int i = 0; i < 500; ++i) {
            text += QByteArray(i, ' ') + "a:\n";
        }
        return text;
    }());
    row("&a [*a]", QByteArray("a: &a [*a]\n") + checkHead + checkTail);
    row("merge bomb", []() -> QByteArray {
        QByteArray text = checkHead;
        text += "x0: &x0 {a: 1, b: 2}\n";
        for (int i = 1; i < 200; ++i) {
            const QByteArray before = "*x" + QByteArray::number(i - 1);
            text += "x" + QByteArray::number(i) + ": &x" + QByteArray::number(i) + " {<<: [" + before + ", " + before
                + "]}\n";
        }
        return text + checkTail;
    }());
    row("long flow sequence", "[" + repeated("abcdefgh, ", 10 * mega) + "a]\n");
    row("equal keys", "a: 1\n" + repeated("k: v\n", inForm(250'000)));
    row("not utf-8", repeated("a: \xff\xfe\n", mega / 2));
    row("nul", QByteArray("a: \0\n", 5).repeated(inForm(100'000)));
    row("50 MB", QByteArray(50'000'000, 'x'));
    row("one word", QByteArray(mega, 'x'));
    row("comments", repeated("# x\n", mega));
    row("colons", repeated(": ", mega));
    row("anchors", repeated("&a ", mega));
    row("anchors of a list", "a:\n" + repeated("- &a b\n", inForm(900'000)));
    row("block scalar", "a: |\n" + repeated("  b\n", mega));
    row("folded scalar", "a: >\n" + repeated("  b\n\n", mega));
    row("v1 JSON, deep", "{\"jobName\": \"x\", \"taskRoles\": " + repeated("[", inForm(100'000)));
    row("v1 JSON, large",
        "{\"jobName\": \"x\", \"image\": \"y\", \"taskRoles\": ["
            + repeated("{\"name\": \"r\", \"command\": \"c\"},", inForm(900'000)) + "]}");
}

void TstCliLimits::trap()
{
    QFETCH(QByteArray, bytes);
    const QString path = m_folder.filePath(u"trap.yaml"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    file.close();
    const QStringList arguments{u"check"_s, path};
    const qint64 checkMaxMs = inForm(checkAllMs, 2);
    const MeasuredRun usage = measuredRun(m_program, arguments, m_folder.filePath(u"out"_s));
    const QString what = QStringLiteral("%1: status %2, %3 ms of processor, %4 ms, %5 KiB; %6")
                             .arg(arguments.first())
                             .arg(usage.status)
                             .arg(usage.processorMs)
                             .arg(usage.wallMs)
                             .arg(usage.kibibytes)
                             .arg(QString::fromUtf8(usage.out.left(300)));
    QVERIFY2(usage.status == 0 || usage.status == 1, qPrintable(what));
    QVERIFY2(usage.processorMs < checkMaxMs, qPrintable(what));
    QVERIFY2(usage.kibibytes < checkMaxKiB, qPrintable(what));
    QVERIFY2(!usage.out.isEmpty(), qPrintable(what));
    if (usage.processorMs > checkMaxMs / 4) {
        qInfo("%s", qPrintable(what.left(100)));
    }
    m_slowest = std::max(m_slowest, usage.processorMs);
    m_largest = std::max(m_largest, usage.kibibytes);
    ++m_runs;
}

// Some programs log each layer of a model: the time for the table must not grow with the square of their number.
void TstCliLimits::manySeries()
{
    constexpr int series = 12'000;
    const QString path = m_folder.filePath(u"many.jsonl"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int step = 1; step <= 2; ++step) {
        for (int i = 0; i < series; ++i) {
            file.write(
                "{\"step\": " + QByteArray::number(step) + ", \"layer" + QByteArray::number(i) + "/loss\": 0.5}\n");
        }
    }
    file.close();
    const MeasuredRun usage = measuredRun(m_program, {u"metrics"_s, u"--file"_s, path}, m_folder.filePath(u"table"_s));
    QCOMPARE(usage.status, 0);
    QCOMPARE(usage.out.count('\n'), series + 1);
    QVERIFY2(usage.processorMs < inForm(checkAllMs, 2), qPrintable(QString::number(usage.processorMs)));
}

void TstCliLimits::cleanupTestCase()
{
    qInfo("%d runs; the slowest took %lld ms, the largest %lld MiB", m_runs, static_cast<long long>(m_slowest),
        static_cast<long long>(m_largest / 1024));
}

TRAINYARD_TEST(TstCliLimits)
#include "tst_clilimits.moc"
