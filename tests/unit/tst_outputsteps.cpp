// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/outputreader.h"
#include "engine/metrics/steptrack.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/outputtests.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Where the values of an output stand: how far the training is, and the steps at which values were printed.
class TstOutputSteps : public OutputTests
{
    Q_OBJECT

private Q_SLOTS:
    void progressWithinEpochs_data();
    void progressWithinEpochs();
    void progressOfRun_data();
    void progressOfRun();
    void timeLeftOfRun();
    void timeLeftBesideEpochs_data();
    void timeLeftBesideEpochs();
    void placesOfValues_data();
    void placesOfValues();
    void placesBetweenSteps_data();
    void placesBetweenSteps();
};

// After each line, in percent; -1: nothing is known.
void TstOutputSteps::progressWithinEpochs_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<QList<int>>("wanted");
    QTest::newRow("steps that count on") << QByteArrayList{"epoch 1/2 step 1 loss: 0.51", "epoch 1/2 step 6 loss: 0.52",
        "epoch 1 val_loss: 0.41", "epoch 2/2 step 11 loss: 0.53", "epoch 2/2 step 16 loss: 0.54",
        "epoch 2 val_loss: 0.42"} << QList<int>{0, 0, 50, 50, 75, 100};
    QTest::newRow("steps of each epoch") << QByteArrayList{"epoch 1/2 step 5 loss: 0.51",
        "epoch 1/2 step 10 loss: 0.52", "epoch 2/2 step 5 loss: 0.53", "epoch 2/2 step 10 loss: 0.54"}
                                         << QList<int>{0, 0, 75, 100};
    QTest::newRow("counted from zero") << QByteArrayList{"epoch 0/2 step 0 loss: 0.51", "epoch 0/2 step 10 loss: 0.52",
        "epoch 1/2 step 20 loss: 0.53", "epoch 1/2 step 30 loss: 0.54", "epoch 1/2 val_loss: 0.42"}
                                       << QList<int>{0, 0, 50, 75, 100};
    QTest::newRow("a line an epoch") << QByteArrayList{"epoch 1/4 loss: 0.51", "epoch 2/4 loss: 0.52",
        "epoch 4/4 loss: 0.53"} << QList<int>{25, 50, 100};
    QTest::newRow("a line an epoch, with its step") << QByteArrayList{"epoch 1/4 step 100 loss: 0.51",
        "epoch 2/4 step 200 loss: 0.52", "epoch 4/4 step 400 loss: 0.53"}
                                                    << QList<int>{0, 50, 100}; // the first one may have more to come
    QTest::newRow("two lines a step") << QByteArrayList{"epoch 1/2 step 1 loss: 0.51", "epoch 1/2 acc: 0.11",
        "epoch 1/2 step 2 loss: 0.52", "epoch 1/2 acc: 0.12"}
                                      << QList<int>{0, 50, 0, 0};
}

void TstOutputSteps::progressWithinEpochs()
{
    QFETCH(QByteArrayList, lines);
    QFETCH(QList<int>, wanted);
    metrics::OutputReader reader;
    QList<int> got;
    for (const QByteArray &line : std::as_const(lines)) {
        reader.feed(view(line + '\n'));
        const std::optional<double> fraction = reader.progress().fraction;
        got.append(fraction ? int(std::lround(*fraction * 100)) : -1);
    }
    QCOMPARE(got, wanted);
}

// The same of the whole run, of which the output itself shows the epoch only.
void TstOutputSteps::progressOfRun_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<QList<int>>("wanted");
    const auto bar = [](const char *before, int at, int total) -> QByteArray {
        return QByteArray(before) + QByteArray::number(100 * at / total).rightJustified(4) + "%|###   | "
            + QByteArray::number(at) + '/' + QByteArray::number(total) + " [00:01<00:01,  9.90it/s]";
    };
    QTest::newRow("bars with their epoch") << QByteArrayList{bar("Epoch 1/5: ", 0, 20), bar("Epoch 1/5: ", 10, 20),
        bar("Epoch 1/5: ", 20, 20), bar("Epoch 3/5: ", 1, 20), bar("Epoch 5/5: ", 10, 20), bar("Epoch 5/5: ", 20, 20)}
                                           << QList<int>{0, 10, 20, 41, 90, 100};
    QTest::newRow("as long as there are epochs")
        << QByteArrayList{bar("Epoch 1/20: ", 1, 20), bar("Epoch 2/20: ", 8, 20), bar("Epoch 11/20: ", 0, 20)}
        << QList<int>{0, 7, 50};
    QTest::newRow("counted from zero") << QByteArrayList{bar("Epoch 0/5: ", 10, 20), bar("Epoch 4/5: ", 10, 20)}
                                       << QList<int>{10, 90};
    QTest::newRow("in brackets") << QByteArrayList{bar("[3/5] ", 10, 20), bar("[4/5] ", 0, 20)} << QList<int>{50, 60};
    QTest::newRow("a line above the bars") << QByteArrayList{"Epoch 1/5", " 5/10 [=====>....] - ETA: 1s - loss: 0.51",
        "10/10 [==========] - 2s 200ms/step - loss: 0.52", "Epoch 2/5", " 1/10 [>.........] - ETA: 1s - loss: 0.53"}
                                           << QList<int>{0, 10, 20, 20, 22};
    QTest::newRow("a bar of the epochs") << QByteArrayList{bar("Epochs: ", 1, 5), bar("", 5, 10), bar("Epochs: ", 1, 5),
        bar("", 10, 10), bar("Epochs: ", 2, 5), bar("", 1, 10)}
                                         << QList<int>{20, 30, 30, 40, 40, 42};
    QTest::newRow("evaluation after the epoch") << QByteArrayList{bar("Epoch 2/5: ", 20, 20), bar("Valid: ", 1, 10),
        bar("Valid: ", 10, 10), bar("Epoch 3/5: ", 1, 20)}
                                                << QList<int>{40, 40, 40, 41};
    QTest::newRow("evaluation within the epoch")
        << QByteArrayList{bar("Epoch 2/5: ", 10, 20), bar("", 1, 10), bar("", 10, 10), bar("Epoch 2/5: ", 15, 20)}
        << QList<int>{30, 30, 30, 35};
    QTest::newRow("the values of the epoch at its end")
        << QByteArrayList{bar("Epoch 1/5: ", 20, 20), "Epoch 1/5 loss: 0.51", bar("Epoch 2/5: ", 0, 20)}
        << QList<int>{20, 20, 20};
    QTest::newRow("lines") << QByteArrayList{"Epoch [1/5], Step [50/100], Loss: 0.51",
        "Epoch [2/5], Step [50/100], Loss: 0.52", "Epoch [2/5], Step [100/100], Loss: 0.53"}
                           << QList<int>{10, 30, 40};
    QTest::newRow("steps of the whole run") << QByteArrayList{"Epoch 1/2 Step 80/400 loss: 0.51",
        "Epoch 2/2 Step 240/400 loss: 0.52", "Epoch 2/2 Step 320/400 loss: 0.53"}
                                            << QList<int>{10, 60, 80};
    // Of these, no line says how many epochs there are.
    QTest::newRow("lines with their epoch")
        << QByteArrayList{"Train Epoch: 1 [0/57600 (0%)]\tLoss: 2.01", "Train Epoch: 1 [5760/57600 (10%)]\tLoss: 1.81",
               "Train Epoch: 1 [40320/57600 (70%)]\tLoss: 1.17", "Train Epoch: 2 [0/57600 (0%)]\tLoss: 1.01"}
        << QList<int>{-1, -1, -1, -1};
    QTest::newRow("an evaluation of each epoch") << QByteArrayList{"Epoch(train) [1][50/1000]  loss: 1.51",
        "Epoch(train) [1][1000/1000]  loss: 1.41", "Epoch(val) [1][500/500]  bbox_mAP: 0.31",
        "Epoch(train) [2][50/1000]  loss: 1.31"} << QList<int>{-1, -1, -1, -1};
    QTest::newRow("bars of epochs without an end") << QByteArrayList{bar("Epoch 0: ", 10, 20),
        bar("Validation: ", 1, 5), bar("Epoch 0: ", 20, 20), bar("Epoch 1: ", 5, 20)}
                                                   << QList<int>{-1, -1, -1, -1};
    QTest::newRow("bars below a line of their epoch") << QByteArrayList{"Epoch 1", bar("", 5, 20), bar("", 20, 20),
        "Epoch 2", bar("", 5, 20)} << QList<int>{-1, -1, -1, -1, -1};
    QTest::newRow("the last line of an epoch says how many") << QByteArrayList{bar("Epoch 1: ", 10, 20),
        bar("Epoch 1: ", 20, 20), "Epoch 1/4, loss: 0.51", bar("Epoch 2: ", 10, 20)}
                                                             << QList<int>{-1, -1, 25, 38};
    QTest::newRow("steps of all epochs") << QByteArrayList{"Epoch 1 Step 80/400 loss: 0.51",
        "Epoch 2 Step 240/400 loss: 0.52", "Epoch 2 Step 320/400 loss: 0.53"}
                                         << QList<int>{-1, 60, 80};
    QTest::newRow("a bar through all epochs") << QByteArrayList{bar("", 0, 300), bar("", 100, 300),
        "{'loss': 0.61, 'epoch': 1.0}", bar("", 5, 10), bar("", 10, 10), bar("", 100, 300), bar("", 150, 300)}
                                              << QList<int>{0, 33, 33, 33, 33, 33, 50};
    QTest::newRow("a bar beside parts of epochs") << QByteArrayList{bar("", 0, 300), bar("", 30, 300),
        "{'loss': 0.61, 'epoch': 0.3}", bar("", 30, 300), bar("", 60, 300)}
                                                  << QList<int>{0, 10, 10, 10, 20};
    QTest::newRow("no epochs") << QByteArrayList{bar("", 10, 20), bar("", 15, 20)} << QList<int>{50, 75};
    QTest::newRow("counts without values") << QByteArrayList{"Processed 100/1000 files", "Processed 200/1000 files",
        "Processed 300/1000 files"} << QList<int>{-1, 20, 30};
    QTest::newRow("another training") << QByteArrayList{bar("Epoch 5/5: ", 20, 20), bar("Epoch 1/5: ", 10, 20)}
                                      << QList<int>{100, 10};
}

void TstOutputSteps::progressOfRun()
{
    QFETCH(QByteArrayList, lines);
    QFETCH(QList<int>, wanted);
    metrics::OutputReader reader;
    QList<int> got;
    for (const QByteArray &line : std::as_const(lines)) {
        reader.feed(view(line + '\n'));
        const std::optional<double> fraction = reader.runProgress().fraction;
        got.append(fraction ? int(std::lround(*fraction * 100)) : -1);
    }
    QCOMPARE(got, wanted);
}

void TstOutputSteps::timeLeftOfRun()
{
    metrics::OutputReader reader;
    reader.feed("Epoch 2/5:  50%|#####     | 10/20 [00:10<00:10,  1.00s/it]\n");
    QCOMPARE(shown(reader.progress().fraction) + u' ' + shown(reader.progress().secondsLeft), u"0.5 10"_s);
    QCOMPARE(shown(reader.runProgress().fraction) + u' ' + shown(reader.runProgress().secondsLeft), u"0.3 70"_s);
    reader.feed("Epoch 2/5: 100%|##########| 20/20 [00:20<00:00,  1.00s/it]\n");
    QVERIFY(!reader.runProgress().secondsLeft); // that of the epoch says nothing
}

// Beside the count of an epoch, where nothing says how many epochs there are: in seconds, -1 for none.
void TstOutputSteps::timeLeftBesideEpochs_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<QList<int>>("wanted");
    QTest::newRow("of the epoch") << QByteArrayList{"Epoch: [0]  [ 10/100]  eta: 0:09:00  loss: 0.51",
        "Epoch: [0]  [ 90/100]  eta: 0:01:00  loss: 0.52", "Epoch: [1]  [ 10/100]  eta: 0:09:00  loss: 0.53",
        "Epoch: [1]  [ 90/100]  eta: 0:01:00  loss: 0.54"}
                                  << QList<int>{-1, -1, -1, -1};
    QTest::newRow("of the run") << QByteArrayList{"Epoch(train) [1][10/100]  eta: 0:20:00  loss: 0.51",
        "Epoch(train) [1][90/100]  eta: 0:12:00  loss: 0.52", "Epoch(val) [1][20/20]  bbox_mAP: 0.31",
        "Epoch(train) [2][10/100]  eta: 0:10:00  loss: 0.53", "Epoch(val) [2][20/20]  bbox_mAP: 0.32"}
                                << QList<int>{-1, -1, -1, 600, 600};
}

void TstOutputSteps::timeLeftBesideEpochs()
{
    QFETCH(QByteArrayList, lines);
    QFETCH(QList<int>, wanted);
    metrics::OutputReader reader;
    QList<int> got;
    for (const QByteArray &line : std::as_const(lines)) {
        reader.feed(view(line + '\n'));
        const std::optional<double> left = reader.runProgress().secondsLeft;
        got.append(left ? int(std::lround(*left)) : -1);
    }
    QCOMPARE(got, wanted);
}

// Each line behind the second at which it was printed.
void TstOutputSteps::placesOfValues_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<double>>("wanted");
    QTest::newRow("once an epoch") << QByteArrayList{"1 epoch 1/3 step 1 loss: 0.51", "16 epoch 1/3 step 16 loss: 0.52",
        "20 epoch 1 val_loss: 0.4", "21 epoch 2/3 step 21 loss: 0.53", "36 epoch 2/3 step 36 loss: 0.54",
        "60 epoch 2 val_loss: nan", "61 epoch 3/3 step 41 loss: 0.55", "70 epoch 3 val_loss: 0.42"}
                                   << u"val_loss"_s << QList<double>{20, 40, 41};
    QTest::newRow("printed at once") // as by a program that keeps its lines back
        << QByteArrayList{"1 epoch 1/3 step 1 loss: 0.51", "1 epoch 1/3 step 2 loss: 0.52", "1 epoch 1 val_loss: 0.4",
               "1 epoch 2/3 step 3 loss: 0.53", "1 epoch 2/3 step 4 loss: 0.54", "1 epoch 2 val_loss: 0.41"}
        << u"val_loss"_s << QList<double>{2, 4};
    QTest::newRow("twice before the next step") << QByteArrayList{"1 epoch 1/3 step 10 loss: 0.51",
        "5 epoch 1 val_loss: 0.4", "6 epoch 2 val_loss: 0.41", "11 epoch 3/3 step 20 loss: 0.53"}
                                                << u"val_loss"_s << QList<double>{10, 15};
    // Every fifth step is told, and the last one is not.
    const QByteArrayList two{"0 epoch 1/4 step 0 loss: 0.51", "4 epoch 1 val_loss: 0.4",
        "5 epoch 2/4 step 5 loss: 0.52", "9 epoch 2 val_loss: 0.41", "10 epoch 3/4 step 10 loss: 0.53"};
    QTest::newRow("behind the last step") << two
            + QByteArrayList{"14 epoch 3 val_loss: 0.42", "15 epoch 4/4 step 15 loss: 0.54",
                "19 epoch 4 val_loss: 0.43"}
                                          << u"val_loss"_s << QList<double>{4, 9, 14, 19};
    QTest::newRow("behind it, after two epochs")
        << two + QByteArrayList{"14 epoch 3 val_loss: 0.42"} << u"val_loss"_s << QList<double>{4, 9, 14};
    QTest::newRow("behind it, where nothing says how long an epoch is") << two
            + QByteArrayList{"12 epoch 3 val_loss: 0.42", "15 epoch 4/4 step 15 loss: 0.54",
                "19 epoch 4 val_loss: 0.43"} << u"val_loss"_s << QList<double>{4, 9, 12, 15};
    QTest::newRow("further behind it than a step would be told")
        << two + QByteArrayList{"11 epoch 3/4 step 11 loss: 0.54", "14 epoch 3 val_loss: 0.42"} << u"val_loss"_s
        << QList<double>{4, 9, 11};
    QTest::newRow("batches") << QByteArrayList{"1 Epoch 1 batch 5 loss: 0.51", "2 Epoch 1 batch 10 loss: 0.52",
        "3 Epoch 1 val_loss: 0.4", "4 Epoch 2 batch 5 loss: 0.53", "5 Epoch 2 batch 10 loss: 0.54",
        "6 Epoch 2 val_loss: 0.41"}
                             << u"loss"_s << QList<double>{5, 10, 15, 20};
    // A bar does not show each batch, and the next one may begin at once.
    QTest::newRow("between two bars") << QByteArrayList{"1 Epoch 1 batch 20 loss: 0.51",
        "4 Epoch 1 batch 40 loss: 0.52", "5 Epoch 1 val_loss: 0.4", "5 Epoch 2 batch 2 loss: 0.53",
        "8 Epoch 2 batch 40 loss: 0.54", "9 Epoch 2 val_loss: 0.41", "10 Epoch 3 batch 10 loss: 0.55",
        "14 Epoch 3 batch 20 loss: 0.56"}
                                      << u"val_loss"_s << QList<double>{40, 80};
    QTest::newRow("only epochs") << QByteArrayList{"1 epoch 1 val_loss: 0.4", "2 epoch 2 val_loss: 0.41"}
                                 << u"val_loss"_s << QList<double>{1, 2};
}

void TstOutputSteps::placesOfValues()
{
    QFETCH(QByteArrayList, lines);
    QFETCH(QString, name);
    QFETCH(QList<double>, wanted);
    metrics::OutputReader reader;
    metrics::StepTrack track;
    const auto addPoints = [&](qint64 time) {
        for (const metrics::Point &point : reader.takePoints()) {
            track.add(point, time);
        }
    };
    qint64 time = 0;
    for (const QByteArray &line : std::as_const(lines)) {
        const qsizetype blank = line.indexOf(' ');
        time = line.first(blank).toLongLong() * 1000;
        reader.feed(view(line.sliced(blank + 1) + '\n'));
        addPoints(time);
    }
    reader.finish();
    addPoints(time);
    const std::vector<metrics::StepTrack::Placed> waiting = track.waiting();
    std::vector<metrics::StepTrack::Placed> all = track.take();
    track.finish();
    const std::vector<metrics::StepTrack::Placed> rest = track.take();
    QCOMPARE(rest.size(), waiting.size()); // they are told where they stand before it is certain
    for (std::size_t i = 0; i < rest.size(); ++i) {
        QVERIFY(rest[i].point.step == waiting[i].point.step);
        all.push_back(rest[i]);
    }
    QList<double> got;
    for (const metrics::StepTrack::Placed &placed : all) {
        if (QString::fromStdString(placed.point.name) == name) {
            got.append(placed.point.step.value_or(-1));
        }
    }
    QCOMPARE(got, wanted);
}

void TstOutputSteps::placesBetweenSteps_data()
{
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to"); // at 0 and at 100 seconds
    QTest::addColumn<qint64>("at");
    QTest::addColumn<double>("wanted");
    QTest::newRow("soon after it") << 16.0 << 21.0 << qint64(1) << 16.0;
    QTest::newRow("between") << 16.0 << 21.0 << qint64(79) << 20.0;
    QTest::newRow("the next one has not begun") << 36.0 << 41.0 << qint64(99) << 40.0;
    QTest::newRow("every step is told") << 40.0 << 41.0 << qint64(90) << 40.0;
    QTest::newRow("parts of steps") << 0.5 << 1.0 << qint64(50) << 0.75;
    QTest::newRow("begun again") << 40.0 << 1.0 << qint64(50) << 40.0;
    QTest::newRow("a clock that was set back") << 16.0 << 21.0 << qint64(-5) << 16.0;
}

void TstOutputSteps::placesBetweenSteps()
{
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(qint64, at);
    QTEST(metrics::epochPlace(from, 0, to, 100, at), "wanted");
}

TRAINYARD_TEST(TstOutputSteps)
#include "tst_outputsteps.moc"
