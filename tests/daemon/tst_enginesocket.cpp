// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/enginesocket.h"
#include "engine/daemon/folderlock.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The note of an engine in its state folder, and which notes are believed.
class TstEngineSocket : public QObject
{
    Q_OBJECT

    // A socket lies there until the folder goes.
    static bool makeSocket(const QString &path)
    {
        const QByteArray encoded = QFile::encodeName(path);
        sockaddr_un address{};
        if (encoded.size() >= qsizetype(sizeof address.sun_path)) {
            return false;
        }
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, encoded.constData(), std::size_t(encoded.size()));
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool isBound = fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
        if (fd >= 0) {
            ::close(fd);
        }
        return isBound;
    }

    static bool makeFolder(const QString &path, mode_t mode)
    {
        return ::mkdir(QFile::encodeName(path).constData(), 0700) == 0
            && ::chmod(QFile::encodeName(path).constData(), mode) == 0;
    }

    static bool put(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }

private Q_SLOTS:
    void notesThatAreBelieved_data()
    {
        QTest::addColumn<QByteArray>("change"); // a word for what is done to it
        QTest::addColumn<bool>("isBelieved");
        QTest::newRow("as written") << QByteArray() << true;
        QTest::newRow("no note") << QByteArray("no note") << false;
        QTest::newRow("a link to a note") << QByteArray("linked note") << false;
        QTest::newRow("a note that all may write") << QByteArray("open note") << false;
        QTest::newRow("another user's note") << QByteArray("foreign note") << false;
        QTest::newRow("half a note") << QByteArray("half note") << false;
        QTest::newRow("a long note") << QByteArray("long note") << false;
        QTest::newRow("two lines") << QByteArray("two lines") << false;
        QTest::newRow("a relative path") << QByteArray("relative") << false;
        QTest::newRow("a path with dots") << QByteArray("dots") << false;
        QTest::newRow("a state folder open to others") << QByteArray("open state") << false;
        QTest::newRow("no socket") << QByteArray("no socket") << false;
        QTest::newRow("a file in its place") << QByteArray("file") << false;
        QTest::newRow("a link to a socket") << QByteArray("linked socket") << false;
        QTest::newRow("another user's socket") << QByteArray("foreign socket") << false;
        QTest::newRow("a folder open to others") << QByteArray("open folder") << false;
        QTest::newRow("another user's folder") << QByteArray("foreign folder") << false;
    }

    void notesThatAreBelieved()
    {
        QFETCH(QByteArray, change);
        QFETCH(bool, isBelieved);
        if (change.startsWith("foreign") && ::getuid() != 0) {
            QSKIP("Only root can give files away: run it as root.");
        }
        QTemporaryDir folder(u"/tmp/tyXXXXXX"_s);
        const QString state = folder.filePath(u"state"_s), run = folder.filePath(u"run"_s);
        const QString note = state + u"/daemon.socket"_s, socket = run + u"/engine.sock"_s;
        QVERIFY(makeFolder(state, 0700) && makeFolder(run, 0700) && makeSocket(socket));
        QVERIFY(noteSocket(state, socket));
        QCOMPARE(notedSocket(state), socket);
        const QByteArray path = QFile::encodeName(socket);
        const auto give
            = [](const QString &what) { return ::lchown(QFile::encodeName(what).constData(), 65534, 65534) == 0; };
        if (change == "no note") {
            QVERIFY(QFile::remove(note));
        } else if (change == "linked note") {
            QVERIFY(QFile::rename(note, note + u'1') && QFile::link(note + u'1', note));
        } else if (change == "open note") {
            QCOMPARE(::chmod(QFile::encodeName(note).constData(), 0666), 0);
        } else if (change == "foreign note") {
            QVERIFY(give(note));
        } else if (change == "half note") {
            QVERIFY(put(note, path));
        } else if (change == "long note") {
            QVERIFY(put(note, path + '\n' + QByteArray(200, '\n')));
        } else if (change == "two lines") {
            QVERIFY(put(note, path + '\n' + '\n'));
        } else if (change == "relative") {
            QVERIFY(put(note, "run/engine.sock\n"));
        } else if (change == "dots") {
            QVERIFY(put(note, QFile::encodeName(run) + "/../run/engine.sock\n"));
        } else if (change == "open state") {
            QCOMPARE(::chmod(QFile::encodeName(state).constData(), 0755), 0);
        } else if (change == "no socket") {
            QVERIFY(QFile::remove(socket));
        } else if (change == "file") {
            QVERIFY(QFile::remove(socket) && put(socket, {}));
        } else if (change == "linked socket") {
            QVERIFY(QFile::rename(socket, socket + u'1') && QFile::link(socket + u'1', socket));
        } else if (change == "foreign socket") {
            QVERIFY(give(socket));
        } else if (change == "open folder") {
            QCOMPARE(::chmod(QFile::encodeName(run).constData(), 0755), 0);
        } else if (change == "foreign folder") {
            QVERIFY(give(run));
        }
        QCOMPARE(notedSocket(state), isBelieved ? socket : QString());
    }

    void foldersInUse()
    {
        QTemporaryDir folder;
        QVERIFY(!isStateFolderHeld(folder.path()));
        const int lock = ::open(
            QFile::encodeName(folder.filePath(u"daemon.lock"_s)).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        QVERIFY(lock >= 0);
        QVERIFY(!isStateFolderHeld(folder.path())); // one of a killed engine
        QCOMPARE(::flock(lock, LOCK_EX | LOCK_NB), 0);
        QVERIFY(isStateFolderHeld(folder.path()));
        ::close(lock);
        QVERIFY(!isStateFolderHeld(folder.path()));
    }

    // A look at a folder keeps no engine from it; another engine does, at once.
    void looksKeepNoEngineAway()
    {
        QTemporaryDir folder;
        const int look = ::open(
            QFile::encodeName(folder.filePath(u"daemon.lock"_s)).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        QVERIFY(look >= 0);
        QCOMPARE(::flock(look, LOCK_SH | LOCK_NB), 0);
        std::thread ends([look] {
            ::usleep(50'000); // while the engine tries
            ::close(look);
        });
        FolderLock engine, other;
        const Result<void> taken = engine.take(folder.path());
        ends.join();
        QVERIFY(taken);
        QElapsedTimer timer;
        timer.start();
        const Result<void> refused = other.take(folder.path());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"engine.already-running"_s);
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    }
};

TRAINYARD_TEST(TstEngineSocket)
#include "tst_enginesocket.moc"
