// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/plainfile.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/uuid.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the programs read of files that a task may have made: their kind, their times, their names.
class TstPlainFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensPlainFilesOnly()
    {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        const auto pathOf
            = [&dir](const char *name) { return QFile::encodeName(dir.filePath(QString::fromLatin1(name))); };
        QFile file(dir.filePath(u"plain"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write("three"), 5);
        file.close();
        QVERIFY(QFile::link(u"plain"_s, dir.filePath(u"link"_s)));
        QVERIFY(QDir(dir.path()).mkdir(u"folder"_s));
        QCOMPARE(::mkfifo(pathOf("pipe").constData(), 0600), 0);

        struct stat info {
        };
        const int fd = contract::openPlainFile(pathOf("plain").constData(), info);
        QVERIFY(fd >= 0);
        ::close(fd);
        QCOMPARE(info.st_size, off_t(5));
        const std::pair<const char *, int> refused[]
            = {{"link", ELOOP}, {"folder", EINVAL}, {"pipe", EINVAL}, {"absent", ENOENT}};
        for (const auto &[name, error] : refused) {
            errno = 0;
            QCOMPARE(contract::openPlainFile(pathOf(name).constData(), info), -1);
            QCOMPARE(errno, error);
        }
    }

    void givesAFileItsTime_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<qint64>("ms");
        QTest::newRow("today") << qint64(1'700'000'000'123'456'789) << qint64(1'700'000'000'123);
        QTest::newRow("the beginning") << qint64(0) << qint64(0);
        QTest::newRow("just before 1970") << qint64(-1) << qint64(-1);
        QTest::newRow("a whole second before 1970") << qint64(-1'000'000'000) << qint64(-1000);
    }
    void givesAFileItsTime()
    {
        QFETCH(const qint64, ns);
        QFETCH(const qint64, ms);
        QTemporaryDir dir;
        QFile file(dir.filePath(u"stamped"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(::futimens(file.handle(), contract::timesOfChange(ns).data()), 0);
        struct stat info {
        };
        QCOMPARE(::fstat(file.handle(), &info), 0);
        QCOMPARE(contract::changedNsOf(info), std::int64_t(ns));
        QCOMPARE(contract::changedMsOf(info), std::int64_t(ms));
    }

    void knowsAUuid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isOne");
        const auto row
            = [](const char *name, const char *text, bool isOne) { QTest::newRow(name) << QByteArray(text) << isOne; };
        row("one", "0198f3a2-7c41-7d20-9b1e-0123456789ab", true);
        row("upper case", "0198F3A2-7C41-7D20-9B1E-0123456789AB", false);
        row("in braces", "{0198f3a2-7c41-7d20-9b1e-0123456789ab}", false);
        row("too short", "0198f3a2-7c41-7d20-9b1e-0123456789a", false);
        row("too long", "0198f3a2-7c41-7d20-9b1e-0123456789abc", false);
        row("a digit for a dash", "0198f3a207c41-7d20-9b1e-0123456789ab", false);
        row("another letter", "0198f3a2-7c41-7d20-9b1e-0123456789ag", false);
        row("nothing", "", false);
    }
    void knowsAUuid()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, isOne);
        QCOMPARE(contract::isUuid(text.toStdString()), isOne);
    }
};

TRAINYARD_TEST(TstPlainFile)
#include "tst_plainfile.moc"
