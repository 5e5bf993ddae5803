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

// Jobs that are large, or wrong all over: each command is done with them in time and within its memory.
class TstCliJobLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void trap_data();
    void trap();
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
constexpr qint64 allMs = 20'000;
constexpr qint64 maxKiB = 2'000'000;
#else
constexpr qint64 allMs = 2'000;
constexpr qint64 maxKiB = 300 * 1024;
#endif

const char head[] = "protocolVersion: 2\nname: t\ntype: job\n";
const char tail[] = "taskRoles:\n  w:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
                    "    commands: [a]\nprerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n";

QByteArray largeJob()
{
    QByteArray job = head;
    job += "prerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\ntaskRoles:\n";
    for (int i = 0; i < inForm(1000); ++i) {
        job += "  role" + QByteArray::number(i)
            + ":\n    instances: 2\n    dockerImage: img\n    resourcePerInstance:\n"
            + "      cpu: 1\n      memoryMB: 512\n      gpu: 0\n    completion: {minSucceededInstances: -1}\n"
            + "    commands:\n      - echo $PAI_TASK_INDEX <% $parameters.a %>\n";
    }
    return job;
}

QByteArray badLimitsJob()
{
    QByteArray job = head;
    job += "taskRoles:\n";
    for (int i = 0; i < inForm(1500); ++i) {
        job += "  role_" + QByteArray::number(i) + ":\n    instances: '2'\n    dockerImage: imgg\n"
            + "    completion: null\n    prerequisites: [a, b]\n    resourcePerInstance: {cpu: '1'}\n    commands:\n"
            + "      - 5\n";
    }
    return job;
}

QByteArray aliasBomb()
{
    QByteArray text = head;
    text += "parameters:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        text += "  a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " ["
            + QByteArray(before + ", ").repeated(8) + before + "]\n";
    }
    return text + tail;
}

QByteArray manyKeys()
{
    QByteArray text = head;
    text += "parameters:\n";
    for (int i = 0; i < inForm(50'000); ++i) {
        text += "  k" + QByteArray::number(i) + ": v\n";
    }
    return text + tail;
}

QByteArray requireChain()
{
    const qsizetype links = inForm(5000);
    QByteArray text = head;
    text += "prerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n";
    for (qsizetype i = 0; i < links; ++i) {
        text += "  - {name: p" + QByteArray::number(i) + ", type: script, require: [p" + QByteArray::number(i + 1)
            + "]}\n";
    }
    text += "  - {name: p" + QByteArray::number(links)
        + ", type: script}\ntaskRoles:\n  w:\n    dockerImage: img\n    prerequisites: [p0]\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n";
    return text;
}

QByteArray templates(const QByteArray &tag, qsizetype count)
{
    QByteArray text = head;
    text += "parameters: {a: " + QByteArray(100'000, 'x') + "}\n";
    return text + QByteArray(tail).replace("[a]", QByteArray("['" + tag.repeated(inForm(count)) + "']"));
}

} // namespace

void TstCliJobLimits::initTestCase()
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

void TstCliJobLimits::trap_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("allCommands");
    const auto row = [](const char *name, const QByteArray &bytes) { QTest::newRow(name) << bytes << false; };
    // Texts that are read to the end: all commands have work with them.
    const auto deep = [](const char *name, const QByteArray &bytes) { QTest::newRow(name) << bytes << true; };
    deep("large job", largeJob());
    deep("wrong in thousands of places", badLimitsJob());
    deep("alias bomb", aliasBomb());
    deep("many keys", manyKeys());
    deep("chain of requirements", requireChain());
    deep("many templates", templates("<% $parameters.b %>", 20'000));
    deep("large parameter, many times", templates("<% $parameters.a %>", 20'000));
    row("unclosed tags", templates("<%", 400'000));
    row("sections", templates("<%#a%>", 100'000));
    row("variables", templates("$PAI_X_", 100'000));
    deep("100,000 instances",
        head + QByteArray(tail).replace("    dockerImage", "    instances: 100000\n    dockerImage"));
    deep("many prerequisites of many roles", []() -> QByteArray {
        QByteArray text = head;
        text += "prerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n";
        QByteArrayList names;
        for (int i = 0; i < inForm(2000, 2); ++i) {
            text += "  - {name: s" + QByteArray::number(i) + ", type: script, uri: a}\n";
            names.append("s" + QByteArray::number(i));
        }
        text += "taskRoles:\n";
        for (int i = 0; i < inForm(50, 2); ++i) {
            text += "  r" + QByteArray::number(i) + ":\n    dockerImage: img\n    prerequisites: [" + names.join(", ")
                + "]\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n";
        }
        return text;
    }());
}

void TstCliJobLimits::trap()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, allCommands);
    const QString path = m_folder.filePath(u"trap.yaml"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    file.close();
    QList<QStringList> commands{{u"check"_s, path}};
    if (allCommands) {
        commands += {{u"check"_s, u"--json"_s, path}, {u"render"_s, u"--json"_s, path}};
    }
    const qint64 maxMs = inForm(allMs, 2); // a part of what it takes is the same for each job
    for (const QStringList &arguments : std::as_const(commands)) {
        const MeasuredRun usage = measuredRun(m_program, arguments, m_folder.filePath(u"out"_s));
        const QString what = QStringLiteral("%1: status %2, %3 ms of processor, %4 ms, %5 KiB; %6")
                                 .arg(arguments.first())
                                 .arg(usage.status)
                                 .arg(usage.processorMs)
                                 .arg(usage.wallMs)
                                 .arg(usage.kibibytes)
                                 .arg(QString::fromUtf8(usage.out.left(300)));
        QVERIFY2(usage.status == 0 || usage.status == 1, qPrintable(what));
        QVERIFY2(usage.processorMs < maxMs, qPrintable(what));
        QVERIFY2(usage.kibibytes < maxKiB, qPrintable(what));
        QVERIFY2(!usage.out.isEmpty(), qPrintable(what));
        if (usage.processorMs > maxMs / 4) {
            qInfo("%s", qPrintable(what.left(100)));
        }
        m_slowest = std::max(m_slowest, usage.processorMs);
        m_largest = std::max(m_largest, usage.kibibytes);
        ++m_runs;
    }
}

void TstCliJobLimits::cleanupTestCase()
{
    qInfo("%d runs; the slowest took %lld ms, the largest %lld MiB", m_runs, static_cast<long long>(m_slowest),
        static_cast<long long>(m_largest / 1024));
}

TRAINYARD_TEST(TstCliJobLimits)
#include "tst_clijoblimits.moc"
