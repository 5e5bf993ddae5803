// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/singleinstance.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>

using namespace trainyard;

namespace
{
constexpr int secondStartMs = 60'000;
}

// A second start while the first window answers, is busy, ends, or hangs.
class TstSingleInstance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void secondStartHandsOver();
    void waitsForABusyWindow();
    void becomesTheFirstWhenThatEnds();
    void startsWhereTheFirstHangs();
    void deadSocketIsNoWindow();

private:
    WindowFixture m_fixture;
};

void TstSingleInstance::secondStartHandsOver()
{
    SingleInstance first;
    QVERIFY(first.listen());
    QSignalSpy opened(&first, &SingleInstance::openRequested);
    // The other side blocks while it waits for the answer, as the second program does.
    std::atomic_bool handed = false;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        SingleInstance second;
        handed = second.handOver({QStringLiteral("/x/a.yaml")}) && !second.listen();
    }));
    thread->start();
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, secondStartMs);
    QTRY_VERIFY_WITH_TIMEOUT(thread->isFinished(), secondStartMs);
    QVERIFY(handed);
    QCOMPARE(opened.at(0).at(0).toStringList(), QStringList(QStringLiteral("/x/a.yaml")));
}

// Its event loop stands still for longer than the second start stays silent; the files arrive all the same, once.
void TstSingleInstance::waitsForABusyWindow()
{
    SingleInstance first;
    QVERIFY(first.listen());
    QSignalSpy opened(&first, &SingleInstance::openRequested);
    std::atomic_bool handed = false;
    QSemaphore waits;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        SingleInstance second;
        QObject::connect(&second, &SingleInstance::waiting, &second, [&waits] { waits.release(); });
        handed = second.handOver({QStringLiteral("/x/b.yaml")}, {0, secondStartMs});
    }));
    thread->start();
    const bool isWaiting = waits.tryAcquire(1, secondStartMs); // blocks this event loop
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, secondStartMs);
    QTRY_VERIFY_WITH_TIMEOUT(thread->isFinished(), secondStartMs);
    QVERIFY(isWaiting);
    QVERIFY(handed);
    QCOMPARE(opened.at(0).at(0).toStringList(), QStringList(QStringLiteral("/x/b.yaml")));
    QCOMPARE(waits.available(), 0); // said once
}

void TstSingleInstance::becomesTheFirstWhenThatEnds()
{
    auto first = std::make_unique<SingleInstance>();
    QVERIFY(first->listen());
    std::atomic_bool handed = true, listens = false;
    QSemaphore waits;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        SingleInstance second;
        QObject::connect(&second, &SingleInstance::waiting, &second, [&waits] { waits.release(); });
        handed = second.handOver({QStringLiteral("/x/c.yaml")}, {0, secondStartMs});
        listens = second.listen();
    }));
    thread->start();
    const bool isWaiting = waits.tryAcquire(1, secondStartMs);
    first.reset();
    QTRY_VERIFY_WITH_TIMEOUT(thread->isFinished(), secondStartMs);
    QVERIFY(isWaiting);
    QVERIFY(!handed);
    QVERIFY(listens);
}

void TstSingleInstance::startsWhereTheFirstHangs()
{
    SingleInstance first;
    QVERIFY(first.listen());
    SingleInstance second;
    QSignalSpy gaveUp(&second, &SingleInstance::gaveUp);
    QVERIFY(!second.handOver({}, {secondStartMs, 1})); // in this thread, so that the first never answers
    QCOMPARE(gaveUp.count(), 1);
    QVERIFY(!second.listen());
}

// What a killed program leaves: its files, and no lock.
void TstSingleInstance::deadSocketIsNoWindow()
{
    {
        SingleInstance former;
        QVERIFY(former.listen());
    }
    const QDir folder(paths::runtimeFolder());
    const QStringList locks = folder.entryList({QStringLiteral("gui-*.lock")}, QDir::Files);
    QCOMPARE(locks.size(), 1);
    QFile socket(folder.filePath(locks.constFirst().chopped(5)));
    QVERIFY(socket.open(QIODevice::WriteOnly));
    socket.close();
    SingleInstance next;
    QSignalSpy waiting(&next, &SingleInstance::waiting);
    QVERIFY(!next.handOver({QStringLiteral("/x/d.yaml")}, {0, secondStartMs}));
    QCOMPARE(waiting.count(), 0);
    QVERIFY(next.listen());
}

TRAINYARD_GUI_TEST(TstSingleInstance)
#include "tst_singleinstance.moc"
