// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/wholefile.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/resource.h>

using namespace trainyard;

class TstWholeFile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isWritten();
    void staysWhenThereIsNoRoom_data();
    void staysWhenThereIsNoRoom();
};
TRAINYARD_TEST(TstWholeFile)

static QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
}

// While it lives no file of this process may grow beyond a number of bytes: the kernel refuses as it does on a full
// disk, with another word.
class NoRoom
{
public:
    explicit NoRoom(rlim_t bytes) : m_handler(::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit less{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
    }
    Q_DISABLE_COPY_MOVE(NoRoom)
    ~NoRoom()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        ::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    sighandler_t m_handler;
};

void TstWholeFile::isWritten()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    for (const QByteArray &bytes : {QByteArray("name: a\n"), QByteArray(100000, 'x'), QByteArray()}) {
        QSaveFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!writeWhole(file, bytes));
        QCOMPARE(contents(path), bytes);
    }
}

void TstWholeFile::staysWhenThereIsNoRoom_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("room");
    QTest::newRow("all of it waits in the buffer") << 761 << 0;
    QTest::newRow("a part of the buffer still fits") << 9000 << 4096;
    QTest::newRow("written past the buffer") << 100000 << 4096;
}

void TstWholeFile::staysWhenThereIsNoRoom()
{
    QFETCH(int, size);
    QFETCH(int, room);
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QSaveFile first(path);
    QVERIFY(first.open(QIODevice::WriteOnly));
    QVERIFY(!writeWhole(first, "name: before\n"));
    {
        const NoRoom none{rlim_t(room)};
        QSaveFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::optional<QString> why = writeWhole(file, QByteArray(size, 'x'));
        QVERIFY(why);
        QVERIFY2(!why->isEmpty(), "no reason is said");
    }
    QCOMPARE(contents(path), QByteArray("name: before\n"));
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList(QStringLiteral("job.yaml"))); // nothing beside it
}

#include "tst_wholefile.moc"
