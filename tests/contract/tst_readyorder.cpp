// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/readyorder.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <memory>

using namespace trainyard::agent;

class TstReadyOrder : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void asTheyWereWritten_data();
    void asTheyWereWritten();
    void readInTheMeantime();
    void onlyThoseThatAreReady();
    void theEndOfAPipe();

private:
    int m_read[2] = {-1, -1}, m_write[2] = {-1, -1};
    std::unique_ptr<ReadyOrder> m_order;

    static QList<int> listOf(const ReadyOrder::Ready &ready)
    {
        QList<int> all;
        for (std::size_t i = 0; i < ready.count; ++i) {
            all.append(int(ready.indexes[i]));
        }
        return all;
    }
    bool write(int index) { return ::write(m_write[index], "x", 1) == 1; }
    void readAll(int index)
    {
        char buffer[64];
        while (::read(m_read[index], buffer, sizeof buffer) > 0) { }
    }
    bool isReady() const
    {
        pollfd polled{m_order->descriptor(), POLLIN, 0};
        return ::poll(&polled, 1, 0) == 1;
    }
};

void TstReadyOrder::init()
{
    m_order = std::make_unique<ReadyOrder>();
    QVERIFY(m_order->descriptor() >= 0);
    for (int i = 0; i < 2; ++i) {
        int ends[2];
        QCOMPARE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
        m_read[i] = ends[0];
        m_write[i] = ends[1];
        QVERIFY(m_order->add(std::size_t(i), m_read[i]));
    }
}

void TstReadyOrder::cleanup()
{
    for (int i = 0; i < 2; ++i) {
        ::close(m_read[i]);
        if (m_write[i] >= 0) {
            ::close(m_write[i]);
        }
    }
    m_order.reset();
}

void TstReadyOrder::asTheyWereWritten_data()
{
    QTest::addColumn<QList<int>>("writes");
    QTest::addColumn<QList<int>>("order");
    QTest::newRow("out, err") << QList<int>{0, 1} << QList<int>{0, 1};
    QTest::newRow("err, out") << QList<int>{1, 0} << QList<int>{1, 0};
    QTest::newRow("the first write counts") << QList<int>{1, 0, 1, 0} << QList<int>{1, 0};
}

void TstReadyOrder::asTheyWereWritten()
{
    QFETCH(QList<int>, writes);
    for (const int index : std::as_const(writes)) {
        QVERIFY(write(index));
    }
    QVERIFY(isReady());
    QTEST(listOf(m_order->take()), "order");
}

// Each turn of the keeper's loop: what one turn has read says nothing of the order in the next one.
void TstReadyOrder::readInTheMeantime()
{
    for (int turn = 0; turn < 6; ++turn) {
        const int first = turn % 2;
        QVERIFY(!isReady());
        QVERIFY(write(first) && write(1 - first));
        QVERIFY(isReady());
        QCOMPARE(listOf(m_order->take()), (QList<int>{first, 1 - first}));
        readAll(0);
        readAll(1);
    }
}

void TstReadyOrder::onlyThoseThatAreReady()
{
    QVERIFY(write(1));
    QCOMPARE(listOf(m_order->take()), QList<int>{1});
    QCOMPARE(listOf(m_order->take()), QList<int>{1}); // it was not read
    m_order->remove(m_read[1]);
    QVERIFY(!isReady());
    QVERIFY(m_order->take().count == 0);
}

void TstReadyOrder::theEndOfAPipe()
{
    ::close(m_write[0]);
    m_write[0] = -1;
    QVERIFY(isReady());
    QCOMPARE(listOf(m_order->take()), QList<int>{0});
}

TRAINYARD_TEST(TstReadyOrder)

#include "tst_readyorder.moc"
