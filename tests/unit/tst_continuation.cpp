// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/continuation.h"
#include "engine/metrics/outputreader.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What of an earlier output still counts when a later one goes on.
class TstContinuation : public QObject
{
    Q_OBJECT

    static std::vector<metrics::Point> pointsOf(const QByteArrayList &lines)
    {
        metrics::OutputReader reader;
        for (const QByteArray &line : lines) {
            reader.feed(line.toStdString() + '\n');
        }
        reader.finish();
        return reader.takePoints();
    }

private Q_SLOTS:
    void earlierPoints_data()
    {
        QTest::addColumn<QByteArrayList>("before");
        QTest::addColumn<QByteArrayList>("after");
        QTest::addColumn<QStringList>("kept"); // "name value"
        QTest::newRow("goes on at a step that it had reached")
            << QByteArrayList{"step 1 loss: 0.91", "step 2 loss: 0.92", "step 3 loss: 0.93"}
            << QByteArrayList{"step 3 loss: 0.83", "step 4 loss: 0.84"} << QStringList{u"loss 0.91"_s, u"loss 0.92"_s};
        QTest::newRow("starts over") << QByteArrayList{"step 1 loss: 0.91", "step 2 loss: 0.92"}
                                     << QByteArrayList{"step 1 loss: 0.81"} << QStringList{};
        QTest::newRow("what is printed rarely has not come again")
            << QByteArrayList{"step 1 loss: 0.91", "step 1 acc: 0.11", "step 2 loss: 0.92", "step 3 loss: 0.93",
                   "step 3 acc: 0.13"}
            << QByteArrayList{"step 3 loss: 0.83", "step 4 loss: 0.84"}
            << QStringList{u"loss 0.91"_s, u"acc 0.11"_s, u"loss 0.92"_s};
        QTest::newRow("batches of epochs")
            << QByteArrayList{"epoch 1/9 batch 1/2 loss: 0.91", "epoch 1/9 batch 2/2 loss: 0.92",
                   "epoch 2/9 batch 1/2 loss: 0.93", "epoch 2/9 batch 2/2 loss: 0.94"}
            << QByteArrayList{"epoch 2/9 batch 1/2 loss: 0.83", "epoch 2/9 batch 2/2 loss: 0.84"}
            << QStringList{u"loss 0.91"_s, u"loss 0.92"_s};
        QTest::newRow("it has come to no end of an epoch")
            << QByteArrayList{"step 1 loss: 0.91", "epoch 1 val_loss: 0.51", "step 2 loss: 0.92",
                   "epoch 2 val_loss: 0.52", "step 3 loss: 0.93", "epoch 3 val_loss: 0.53"}
            << QByteArrayList{"step 3 loss: 0.83"}
            << QStringList{u"loss 0.91"_s, u"val_loss 0.51"_s, u"loss 0.92"_s, u"val_loss 0.52"_s};
        QTest::newRow("it begins with the end of an epoch")
            << QByteArrayList{"epoch 1 val_loss: 0.51", "step 2 loss: 0.92", "epoch 2 val_loss: 0.52",
                   "step 3 loss: 0.93"}
            << QByteArrayList{"epoch 2 val_loss: 0.42"} << QStringList{u"val_loss 0.51"_s, u"loss 0.92"_s};
        QTest::newRow("epochs") << QByteArrayList{"epoch 1 loss: 0.91", "epoch 2 loss: 0.92"}
                                << QByteArrayList{"epoch 2 loss: 0.82"} << QStringList{u"loss 0.91"_s};
        QTest::newRow("without steps nothing goes on")
            << QByteArrayList{"loss: 0.91", "loss: 0.92"} << QByteArrayList{"loss: 0.81"} << QStringList{};
        QTest::newRow("nothing came after it")
            << QByteArrayList{"step 1 loss: 0.91", "step 2 loss: 0.92"} << QByteArrayList{"started"}
            << QStringList{u"loss 0.91"_s, u"loss 0.92"_s};
        QTest::newRow("neither has steps, and nothing came after it") << QByteArrayList{
            "loss: 0.91", "loss: 0.92"} << QByteArrayList{"started"} << QStringList{u"loss 0.91"_s, u"loss 0.92"_s};
        QTest::newRow("it ended before its first step")
            << QByteArrayList{"step 1 loss: 0.91", "epoch 1 val_loss: 0.51", "step 2 loss: 0.92"}
            << QByteArrayList{"accuracy: 0.5"} << QStringList{u"loss 0.91"_s, u"val_loss 0.51"_s, u"loss 0.92"_s};
    }

    void earlierPoints()
    {
        QFETCH(QByteArrayList, before);
        QFETCH(QByteArrayList, after);
        QFETCH(QStringList, kept);
        metrics::Continuation later;
        for (const metrics::Point &point : pointsOf(after)) {
            later.note(point);
        }
        QStringList found;
        const std::vector<metrics::Point> earlier = pointsOf(before);
        QVERIFY(!earlier.empty());
        metrics::EarlierOutput output(later);
        for (const metrics::Point &point : earlier) {
            if (!output.isVoid(point)) {
                found.append(u"%1 %2"_s.arg(QString::fromStdString(point.name), QString::number(point.value)));
            }
        }
        QCOMPARE(found, kept);
    }
};
TRAINYARD_TEST(TstContinuation)
#include "tst_continuation.moc"
