// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;

// What the headers of our programs promise to whoever tries to misuse a fault in them.
class TstHardening : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void headers_data();
    void headers();
};
TRAINYARD_TEST(TstHardening)

void TstHardening::headers_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<bool>("isStatic");
    QTest::newRow("agent") << u"trainyard-agent"_s << true;
    QTest::newRow("daemon") << u"trainyardd"_s << false;
    QTest::newRow("command line") << u"trainyardctl"_s << false;
    QTest::newRow("window") << u"trainyard"_s << false;
}

void TstHardening::headers()
{
#if defined(TRAINYARD_ADDRESS_SANITIZED) || defined(__SANITIZE_THREAD__)
    QSKIP("Sanitized programs are built without hardening: run it with the preset dev.");
#endif
    QFETCH(QString, program);
    QFETCH(bool, isStatic);
    const QString file = qEnvironmentVariable("TRAINYARD_BIN") + u'/' + program;
    const QString readelf = QStandardPaths::findExecutable(u"readelf"_s);
    if (readelf.isEmpty()) {
        QSKIP("There is no readelf: install the package binutils.");
    }
    QVERIFY2(isStatic || QFile::exists(file), qPrintable(file)); // './dev build' builds all of them
    QProcess process;
    process.start(readelf, {u"-W"_s, u"-h"_s, u"-l"_s, u"-d"_s, file});
    QVERIFY(process.waitForFinished(20000) && process.exitCode() == 0);
    const QByteArray said = process.readAllStandardOutput();
    const auto lineWith = [&said](const QByteArray &word) {
        const qsizetype at = said.indexOf(word);
        return at < 0 ? QByteArray() : said.mid(at, said.indexOf('\n', at) - at).simplified();
    };
    // Loaded at another address each time.
    QVERIFY2(lineWith("Type:").startsWith("Type: DYN"), said.constData());
    QVERIFY2(lineWith("(FLAGS_1)").contains("PIE"), said.constData());
    QCOMPARE(said.contains("INTERP"), !isStatic);
    // All addresses of other libraries are looked up at the start, and cannot be written afterwards.
    QVERIFY2(said.contains("GNU_RELRO"), said.constData());
    QVERIFY2(lineWith("(FLAGS_1)").contains("NOW"), said.constData());
    // Neither the stack nor anything else can be both written and run.
    QVERIFY2(lineWith("GNU_STACK").contains(" RW "), said.constData());
    for (const QByteArray &line : said.split('\n')) {
        QVERIFY2(!line.contains("LOAD") || !line.contains(" RWE "), line.constData());
    }
    QVERIFY2(!said.contains("(RPATH)") && !said.contains("TEXTREL"), said.constData());
}

#include "tst_hardening.moc"
