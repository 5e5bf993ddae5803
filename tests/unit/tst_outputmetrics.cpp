// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/outputreader.h"
#include "engine/metrics/steptrack.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <cmath>
#include <string_view>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The metrics in outputs, as many programs print them: what is taken, what is left out, and that neither the cuts of
// the stream nor what stands in it do any harm.
class TstOutputMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void taken_data();
    void taken();
    void leftOut_data();
    void leftOut();
    void linesAreCounted();
    void cutsDoNotMatter_data();
    void cutsDoNotMatter();
    void anyBytesAreFine();
    void longLinesAreBounded_data();
    void longLinesAreBounded();
    void manySeriesAreBounded();
    void progressWithinEpochs_data();
    void progressWithinEpochs();
    void placesOfValues_data();
    void placesOfValues();
    void placesBetweenSteps_data();
    void placesBetweenSteps();
    void recordedOutputs();

private:
    struct Read {
        std::vector<metrics::Point> points;
        metrics::Progress progress;
    };
    static Read read(std::string_view bytes);
    static Read readInPieces(std::string_view bytes, QRandomGenerator &random);
};

namespace
{

QString shown(double value) { return std::isnan(value) ? u"nan"_s : QString::number(value, 'g', 10); }

// "loss | batch 100 in 2 = 0.5": the epoch follows the step where it is not the step itself.
QString shown(const metrics::Point &point)
{
    const std::string_view axis = metrics::axisName(point.axis);
    QString text = QString::fromStdString(point.name) + u" | "_s
        + QString::fromLatin1(axis.data(), static_cast<qsizetype>(axis.size()));
    if (point.step) {
        text += u' ' + shown(*point.step);
    }
    if (point.epoch && point.axis != metrics::Axis::Epoch) {
        text += u" in "_s + shown(*point.epoch);
    }
    return text + u" = "_s + shown(point.value);
}

QString shown(const std::optional<double> &value) { return value ? QString::number(*value, 'g', 4) : u"-"_s; }

QStringList shown(const std::vector<metrics::Point> &points)
{
    QStringList lines;
    for (const metrics::Point &point : points) {
        lines.append(shown(point));
    }
    return lines;
}

std::string_view view(const QByteArray &bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

} // namespace

TstOutputMetrics::Read TstOutputMetrics::read(std::string_view bytes)
{
    metrics::OutputReader reader;
    reader.feed(bytes);
    reader.finish();
    return {reader.takePoints(), reader.progress()};
}

TstOutputMetrics::Read TstOutputMetrics::readInPieces(std::string_view bytes, QRandomGenerator &random)
{
    metrics::OutputReader reader;
    Read result;
    while (!bytes.empty()) {
        const std::size_t size = std::min<std::size_t>(bytes.size(), random.bounded(1, 40));
        reader.feed(bytes.substr(0, size));
        bytes.remove_prefix(size);
        for (metrics::Point &point : reader.takePoints()) {
            result.points.push_back(std::move(point));
        }
    }
    reader.finish();
    for (metrics::Point &point : reader.takePoints()) {
        result.points.push_back(std::move(point));
    }
    result.progress = reader.progress();
    return result;
}

void TstOutputMetrics::taken_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QStringList>("points");
    QTest::addColumn<QString>("progress"); // the fraction and the seconds left
    QTest::newRow("name and value") << QByteArray("epoch 1\n"
                                                  "loss: 0.31\n"
                                                  "acc=0.92\n")
                                    << QStringList{u"loss | epoch 1 = 0.31"_s, u"acc | epoch 1 = 0.92"_s} << u"- -"_s;
    QTest::newRow("a bar that shows its values from its first state on")
        << QByteArray("Epoch 0:  50%|#####     | 10/20 [00:01<00:01,  8.31it/s, train_loss=2.310]\r"
                      "Epoch 0: 100%|##########| 20/20 [00:02<00:00,  8.40it/s, train_loss=1.900, val_loss=1.750]\n")
        << QStringList{u"train_loss | batch 10 in 0 = 2.31"_s, u"train_loss | batch 20 in 0 = 1.9"_s,
               u"val_loss | epoch 0 = 1.75"_s}
        << u"1 0"_s;
    QTest::newRow("a bar whose value stays")
        << QByteArray("Epoch 1:  25%|##5  | 10/40 [00:01<00:03,  8.31it/s, loss=0.5]\r"
                      "Epoch 1:  50%|###  | 20/40 [00:02<00:02,  8.31it/s, loss=0.5]\r"
                      "Epoch 1:  75%|#### | 30/40 [00:03<00:01,  8.40it/s, loss=0.5]\r"
                      "Epoch 1: 100%|#####| 40/40 [00:04<00:00,  8.40it/s, loss=0.5]\n"
                      "Epoch 2:  25%|##5  | 10/40 [00:01<00:03,  8.31it/s, loss=0.4]\r"
                      "Epoch 2:  50%|###  | 20/40 [00:02<00:02,  8.31it/s, loss=0.4]\r"
                      "Epoch 2:  75%|#### | 30/40 [00:03<00:01,  8.40it/s, loss=0.4]")
        << QStringList{u"loss | batch 10 in 1 = 0.5"_s, u"loss | batch 40 in 1 = 0.5"_s,
               u"loss | batch 10 in 2 = 0.4"_s, u"loss | batch 30 in 2 = 0.4"_s}
        << u"0.75 1"_s;
    QTest::newRow("the part of the data in front of the step")
        << QByteArray("train epoch: 0, loss: 2.3010, accuracy: 11.25\n"
                      "eval epoch: 0, loss: 1.9010, accuracy: 30.10\n")
        << QStringList{u"loss | epoch 0 = 2.301"_s, u"accuracy | epoch 0 = 11.25"_s, u"eval/loss | epoch 0 = 1.901"_s,
               u"eval/accuracy | epoch 0 = 30.1"_s}
        << u"- -"_s;
    QTest::newRow("memory in a unit of its name")
        << QByteArray("step 10 loss=0.25, gb_free=10.1\n") << QStringList{u"loss | step 10 = 0.25"_s} << u"- -"_s;
    QTest::newRow("step on the line") << QByteArray("step 10/200 | loss 2.31 | lr 1e-4 | 39s\n"
                                                    "step 20/200 | loss 1.91 | lr 2e-4 | 75s\n")
                                      << QStringList{u"loss | step 10 = 2.31"_s, u"lr | step 10 = 0.0001"_s,
                                             u"loss | step 20 = 1.91"_s, u"lr | step 20 = 0.0002"_s}
                                      << u"0.1 -"_s;
    QTest::newRow("only a step word and a value")
        << QByteArray("Iter: 5 Loss: 0.25 PSNR: 21.5\n")
        << QStringList{u"Loss | iteration 5 = 0.25"_s, u"PSNR | iteration 5 = 21.5"_s} << u"- -"_s;
    QTest::newRow("colon without a blank") << QByteArray("step:3/100 train_loss:6.25 train_time:88ms step_avg:29.3ms\n")
                                           << QStringList{u"train_loss | step 3 = 6.25"_s} << u"0.03 -"_s;
    QTest::newRow("step behind the values")
        << QByteArray("loss = 2.302, step = 0\n"
                      "loss = 0.502, step = 100 (0.812 sec)\n")
        << QStringList{u"loss | step 0 = 2.302"_s, u"loss | step 100 = 0.502"_s} << u"- -"_s;
    QTest::newRow("step in the name") << QByteArray("Cost after iteration 100: 0.5845\n"
                                                    "Minibatch loss at step 500: 1.215\n")
                                      << QStringList{u"Cost | iteration 100 = 0.5845"_s,
                                             u"Minibatch loss | step 500 = 1.215"_s}
                                      << u"- -"_s;
    QTest::newRow("values in prose") << QByteArray("Epoch 2, val loss is 0.047, val mse is 0.024.\n")
                                     << QStringList{u"val loss | epoch 2 = 0.047"_s, u"val mse | epoch 2 = 0.024"_s}
                                     << u"- -"_s;
    QTest::newRow("two words, one blank")
        << QByteArray("0 Batch accuracy: 0.5 Val accuracy: 0.51\n"
                      "1 Batch accuracy: 0.75 Val accuracy: 0.71\n")
        << QStringList{u"Batch accuracy | epoch 0 = 0.5"_s, u"Val accuracy | epoch 0 = 0.51"_s,
               u"Batch accuracy | epoch 1 = 0.75"_s, u"Val accuracy | epoch 1 = 0.71"_s}
        << u"- -"_s;
    QTest::newRow("bracketed counts") << QByteArray("[3/10] loss: 0.5\n"
                                                    "Epoch [1/5], Step [100/600], Loss: 0.12\n"
                                                    "[1,  2000] loss: 2.2\n"
                                                    "[0/25][50/791] Loss_D: 1.7 D(G(z)): 0.5 / 0.1\n")
                                      << QStringList{u"loss | step 3 = 0.5"_s, u"Loss | step 100 in 1 = 0.12"_s,
                                             u"loss | batch 2000 in 1 = 2.2"_s, u"Loss_D | batch 50 in 0 = 1.7"_s,
                                             u"D(G(z)) | batch 50 in 0 = 0.5"_s}
                                      << u"0.06321 -"_s;
    QTest::newRow("average in parentheses")
        << QByteArray("Epoch: [0][10/309]\tTime 0.32 (0.92)\tLoss 6.79 (15.6)\tAcc@1 12.5 (11.2)\n"
                      " *   Acc@1 12.34 Acc@5 31.12\n")
        << QStringList{u"Loss | batch 10 in 0 = 6.79"_s, u"Acc@1 | batch 10 in 0 = 12.5"_s,
               u"Acc@1 | epoch 0 = 12.34"_s, u"Acc@5 | epoch 0 = 31.12"_s}
        << u"0.03236 -"_s;
    QTest::newRow("counts of samples") << QByteArray("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.1\n"
                                                     "\n"
                                                     "Test set: Average loss: 0.05, Accuracy: 9831/10000 (98%)\n")
                                       << QStringList{u"Loss | batch 640 in 1 = 2.1"_s,
                                              u"Average loss | epoch 1 = 0.05"_s, u"Accuracy | epoch 1 = 0.9831"_s}
                                       << u"0.01067 -"_s;
    QTest::newRow("count behind the value")
        << QByteArray("Epoch 2\n"
                      "----------\n"
                      "loss: 2.1  [   64/60000]\n"
                      "Test Error: \n"
                      " Accuracy: 44.7%, Avg loss: 2.15\n")
        << QStringList{u"loss | batch 64 in 2 = 2.1"_s, u"Accuracy | epoch 2 = 44.7"_s, u"Avg loss | epoch 2 = 2.15"_s}
        << u"0.001067 -"_s;
    QTest::newRow("header line, then values")
        << QByteArray("Epoch: 4, global_step=7680\n"
                      "SPS: 1120, pg_loss=-0.0038, v_loss=0.04\n")
        << QStringList{u"SPS | step 7680 in 4 = 1120"_s, u"pg_loss | step 7680 in 4 = -0.0038"_s,
               u"v_loss | step 7680 in 4 = 0.04"_s}
        << u"- -"_s;
    QTest::newRow("step and value in turn")
        << QByteArray("current step: 1th step\n"
                      "batch loss:4.25\n"
                      "current step: 2th step\n"
                      "batch loss:3.5\n")
        << QStringList{u"batch loss | step 1 = 4.25"_s, u"batch loss | step 2 = 3.5"_s} << u"- -"_s;
    QTest::newRow("value two lines below") << QByteArray("Epoch 3/60\n"
                                                         "Training...\n"
                                                         "Average training loss: 0.65\n")
                                           << QStringList{u"Average training loss | epoch 3 = 0.65"_s} << u"0.05 -"_s;
    QTest::newRow("a step between values is nobody's")
        << QByteArray("Avg reward: 0.5\n"
                      "Avg reward: 0.75\n"
                      "Step 50000\n"
                      "Avg reward: 1.25\n")
        << QStringList{u"Avg reward | none = 0.5"_s, u"Avg reward | none = 0.75"_s, u"Avg reward | none = 1.25"_s}
        << u"- -"_s;
    QTest::newRow("Python dictionaries") << QByteArray(
        "{'loss': 2.5, 'grad_norm': 1.25, 'learning_rate': 4.9e-05, 'epoch': 0.1}\n"
        "{'loss': '2.25', 'learning_rate': '4.8e-05', 'epoch': '0.2'}\n"
        "{'eval_loss': 0.5, 'eval_runtime': 3.2, 'epoch': 1.0}\n"
        "{'train_runtime': 12.5, 'train_loss': 0.75, 'epoch': 1.0}\n")
                                         << QStringList{u"loss | epoch 0.1 = 2.5"_s, u"grad_norm | epoch 0.1 = 1.25"_s,
                                                u"learning_rate | epoch 0.1 = 4.9e-05"_s, u"loss | epoch 0.2 = 2.25"_s,
                                                u"learning_rate | epoch 0.2 = 4.8e-05"_s,
                                                u"eval_loss | epoch 1 = 0.5"_s, u"train_loss | epoch 1 = 0.75"_s}
                                         << u"- -"_s;
    QTest::newRow("settings once, then a log") << QByteArray("{'batch': 32, 'epoch': 3, 'lr': 0.1}\n"
                                                             "{'loss': 0.5, 'epoch': 1}\n")
                                               << QStringList{u"loss | epoch 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("learning rates as a log")
        << QByteArray("{'lr': 0.5, 'epoch': 1}\n"
                      "{'lr': 0.25, 'epoch': 2}\n"
                      "{'lr': 0.125, 'epoch': 3}\n")
        << QStringList{u"lr | epoch 1 = 0.5"_s, u"lr | epoch 2 = 0.25"_s, u"lr | epoch 3 = 0.125"_s} << u"- -"_s;
    QTest::newRow("said again as a list")
        << QByteArray("{'eval_loss': 0.36123, 'epoch': 3.0}\n"
                      "***** eval metrics *****\n"
                      "  epoch          =        3.0\n"
                      "  eval_loss      =     0.3612\n"
                      "  eval_samples   =        408\n"
                      "  perplexity     =     1.435\n")
        << QStringList{u"eval_loss | epoch 3 = 0.36123"_s, u"perplexity | epoch 3 = 1.435"_s} << u"- -"_s;
    QTest::newRow("JSON lines") << QByteArray(
        "{\"step\": 10, \"train\": {\"loss\": 2.5, \"acc\": 0.1}, \"lr\": 0.001, \"time\": 12.1}\n"
        "{\"step\": 20, \"train\": {\"loss\": NaN}, \"lr\": 0.001, \"msg\": \"loss: 7\"}\n"
        "{\"iteration\": 19, \"total_loss\": Infinity, \"eta_seconds\": 120.0}\n")
                                << QStringList{u"train/loss | step 10 = 2.5"_s, u"train/acc | step 10 = 0.1"_s,
                                       u"lr | step 10 = 0.001"_s, u"train/loss | step 20 = nan"_s,
                                       u"lr | step 20 = 0.001"_s, u"total_loss | iteration 19 = inf"_s}
                                << u"- -"_s;
    QTest::newRow("tensors in a dictionary")
        << QByteArray("step 5: {'loss': tensor(0.25, device='cuda:0'), 'kl': np.float64(0.5), 'lrs': [0.1, 0.2]}\n")
        << QStringList{u"loss | step 5 = 0.25"_s, u"kl | step 5 = 0.5"_s} << u"- -"_s;
    QTest::newRow("dictionary over lines")
        << QByteArray("Step 100 per-step time 0.5s\n"
                      "{'Loss/total_loss': 0.5,\n"
                      " 'learning_rate': 0.01}\n")
        << QStringList{u"Loss/total_loss | step 100 = 0.5"_s, u"learning_rate | step 100 = 0.01"_s} << u"- -"_s;
    QTest::newRow("bar with values") << QByteArray(
        "\rEpoch 1:   0%|          | 0/4 [00:00<?, ?it/s]\rEpoch 1:   0%|          | 0/4 [00:01<?, ?it/s, "
        "loss=0.5]\rEpoch 1:  25%|##5       | 1/4 [00:01<00:03, 1.0s/it, loss=0.5]\rEpoch 1:  25%|##5       | 1/4 "
        "[00:02<00:03, 1.0s/it, loss=0.4]\rEpoch 1:  50%|#####     | 2/4 [00:02<00:02, 1.0s/it, loss=0.4]")
                                     << QStringList{u"loss | batch 0 in 1 = 0.5"_s, u"loss | batch 1 in 1 = 0.4"_s}
                                     << u"0.5 2"_s;
    QTest::newRow("bar with an evaluation")
        << QByteArray("Epoch 0: 100%|####| 9/9 [00:01<00:00, 9.0it/s, v_num=3, loss=0.5]\rEpoch 0: 100%|####| 9/9 "
                      "[00:02<00:00, 4.5it/s, v_num=3, loss=0.5, val_loss=0.25]\n"
                      "Epoch 1:  33%|#3  | 3/9 [00:01<00:02, 3.0it/s, v_num=3, loss=0.4, val_loss=0.25]\n")
        << QStringList{u"loss | epoch 0 = 0.5"_s, u"val_loss | epoch 0 = 0.25"_s, u"loss | batch 3 in 1 = 0.4"_s}
        << u"0.33 2"_s;
    QTest::newRow("step behind a verb") << QByteArray(
        "validate step 300 val_loss: 1.5\ncheckpoint at step 400 val_loss: 1.25\n")
                                        << QStringList{u"val_loss | step 300 = 1.5"_s, u"val_loss | step 400 = 1.25"_s}
                                        << u"- -"_s;
    QTest::newRow("bar of steps") << QByteArray(
        "Steps:   1%|          | 10/1000 [00:10<16:30,  1.00s/it, lr=1e-5, step_loss=0.25]\n")
                                  << QStringList{u"lr | step 10 = 1e-05"_s, u"step_loss | step 10 = 0.25"_s}
                                  << u"0.01 990"_s;
    QTest::newRow("bar, then values over it")
        << QByteArray("Training: 100%|####| 8/8 [00:06<00:00, 1.3it/s]\r                                      \rEpoch "
                      "1/30, Train Loss: 0.5, Val Loss: 0.25\n")
        << QStringList{u"Train Loss | epoch 1 = 0.5"_s, u"Val Loss | epoch 1 = 0.25"_s} << u"0.03333 -"_s;
    QTest::newRow("Keras") << QByteArray(
        "Epoch 1/3\n"
        "1/2 [====>.....] - ETA: 1s - loss: 0.75 - acc: 0.5\b\b\b\b\b\b\b\b\b\b\b\b\b\b\r2/2 [==========] - 2s "
        "9ms/step - loss: 0.5 - acc: 0.75 - val_loss: 0.25\n"
        "Epoch 2/3\n"
        " - 5s - loss: 0.4 - acc: 0.8\n"
        "10/10 [======] - 0s 1ms/step - loss: 0.3 - acc: 0.9\n")
                           << QStringList{u"loss | batch 1 in 1 = 0.75"_s, u"acc | batch 1 in 1 = 0.5"_s,
                                  u"loss | epoch 1 = 0.5"_s, u"acc | epoch 1 = 0.75"_s, u"val_loss | epoch 1 = 0.25"_s,
                                  u"loss | epoch 2 = 0.4"_s, u"acc | epoch 2 = 0.8"_s, u"loss | epoch 2 = 0.3"_s,
                                  u"acc | epoch 2 = 0.9"_s}
                           << u"0.6667 -"_s;
    QTest::newRow("Keras 3") << QByteArray(
        "Epoch 1/5\n"
        "\033[1m1/9\033[0m \033[37m\342\224\201\342\224\201\342\224\201\342\224\201\033[0m \033[1m5:01\033[0m "
        "321ms/step - accuracy: 0.25 - loss: 2.5\b\b\b\b\b\b\b\b\b\b\b\b\r\033[1m9/9\033[0m "
        "\033[32m\342\224\201\342\224\201\342\224\201\342\224\201\033[0m\033[37m\033[0m \033[1m4s\033[0m 4ms/step - "
        "accuracy: 0.5 - loss: 1.5 - val_loss: 0.75\n")
                             << QStringList{u"accuracy | batch 1 in 1 = 0.25"_s, u"loss | batch 1 in 1 = 2.5"_s,
                                    u"accuracy | epoch 1 = 0.5"_s, u"loss | epoch 1 = 1.5"_s,
                                    u"val_loss | epoch 1 = 0.75"_s}
                             << u"0.2 -"_s;
    QTest::newRow("remains of an older bar")
        << QByteArray(
               "Epoch 3/9\n"
               "9/9 [======] - 2s - loss: 0.66 - acc: 0.59 - val_loss: 0.6611.594 - ETA: 7s - loss: 0.7 - acc: 0.5\n")
        << QStringList{u"loss | epoch 3 = 0.66"_s, u"acc | epoch 3 = 0.59"_s} << u"0.3333 -"_s;
    QTest::newRow("the value before is not one")
        << QByteArray("Epoch 2/9\n"
                      "9/9 [======] - 2s - loss: 0.5\n"
                      "Epoch 2: accuracy improved from 0.11 to 0.27, saving model to best.h5\n"
                      "Epoch 00002: val_loss did not improve from 0.25\n")
        << QStringList{u"loss | epoch 2 = 0.5"_s} << u"0.2222 -"_s;
    QTest::newRow("a message glued to a value")
        << QByteArray("Epoch 1/2\n"
                      "8/9 [====>.] - ETA: 0s - loss: 0.5 - acc: 0.25INFO:tensorflow:Assets written\n"
                      "9/9 [=====] - 2s - loss: 0.4 - acc: 0.5\n")
        << QStringList{u"loss | batch 8 in 1 = 0.5"_s, u"acc | batch 8 in 1 = 0.25"_s, u"loss | epoch 1 = 0.4"_s,
               u"acc | epoch 1 = 0.5"_s}
        << u"0.5 -"_s;
    QTest::newRow("Megatron") << QByteArray(
        " iteration       10/     500 | consumed samples:   80 | elapsed time per iteration (ms): 824.1 | learning "
        "rate: 1.5E-05 | global batch size:     8 | lm loss: 9.25E+00 | loss scale: 1.0 | grad norm: 5.5 | number of "
        "nan iterations:   0 |\n"
        " validation loss at iteration 10 | lm loss value: 8.5E+00 | lm loss PPL: 4.9E+03 |\n")
                              << QStringList{u"learning rate | iteration 10 = 1.5e-05"_s,
                                     u"lm loss | iteration 10 = 9.25"_s, u"grad norm | iteration 10 = 5.5"_s,
                                     u"lm loss value | iteration 10 = 8.5"_s, u"lm loss PPL | iteration 10 = 4900"_s}
                              << u"0.02 -"_s;
    QTest::newRow("fairseq") << QByteArray(
        "2021-05-06 10:01:01 | INFO | train_inner | epoch 002:    200 / 1000 loss=11.5, ppl=1783, wps=30100, bsz=150, "
        "num_updates=1200, lr=2.5e-05, train_wall=12, wall=32\n"
        "2021-05-06 10:05:01 | INFO | valid | epoch 002 | valid on 'valid' subset | loss 9.5 | ppl 362 | bsz 120 | "
        "num_updates 2000\n")
                             << QStringList{u"loss | update 1200 in 2 = 11.5"_s, u"ppl | update 1200 in 2 = 1783"_s,
                                    u"wps | update 1200 in 2 = 30100"_s, u"lr | update 1200 in 2 = 2.5e-05"_s,
                                    u"valid/loss | update 2000 in 2 = 9.5"_s, u"valid/ppl | update 2000 in 2 = 362"_s}
                             << u"0.2 -"_s;
    QTest::newRow("boosting") << QByteArray(
        "[10]\tvalid_0-logloss:0.5\ttrain-rmse:0.25\n"
        "[20]\ttraining's l2: 0.125\tvalid_1's l2: 0.25\n"
        "100:\tlearn: 0.5\ttest: 0.75\tbest: 0.7 (90)\ttotal: 2.2s\tremaining: 19.6s\n")
                              << QStringList{u"valid_0-logloss | iteration 10 = 0.5"_s,
                                     u"train-rmse | iteration 10 = 0.25"_s, u"training's l2 | iteration 20 = 0.125"_s,
                                     u"valid_1's l2 | iteration 20 = 0.25"_s, u"learn | iteration 100 = 0.5"_s,
                                     u"test | iteration 100 = 0.75"_s}
                              << u"- 19.6"_s;
    QTest::newRow("rows below a header") << QByteArray("epoch  train_loss  valid_loss  error_rate\n"
                                                       "1      1.5         1.25        0.5         (00:13)\n"
                                                       "2      1.25        0.75        0.25        (00:12)\n")
                                         << QStringList{u"train_loss | epoch 1 = 1.5"_s,
                                                u"valid_loss | epoch 1 = 1.25"_s, u"error_rate | epoch 1 = 0.5"_s,
                                                u"train_loss | epoch 2 = 1.25"_s, u"valid_loss | epoch 2 = 0.75"_s,
                                                u"error_rate | epoch 2 = 0.25"_s}
                                         << u"- -"_s;
    QTest::newRow("tabs and several words")
        << QByteArray("Step\tTraining Loss\tValidation Loss\n"
                      "10\t2.5\tNo log\n"
                      "20\t1.5\t1.75\n")
        << QStringList{u"Training Loss | step 10 = 2.5"_s, u"Training Loss | step 20 = 1.5"_s,
               u"Validation Loss | step 20 = 1.75"_s}
        << u"- -"_s;
    QTest::newRow("commas") << QByteArray("epoch,train_loss,val_loss\n"
                                          "0,0.5,0.75\n"
                                          "1,0.25,0.5\n")
                            << QStringList{u"train_loss | epoch 0 = 0.5"_s, u"val_loss | epoch 0 = 0.75"_s,
                                   u"train_loss | epoch 1 = 0.25"_s, u"val_loss | epoch 1 = 0.5"_s}
                            << u"- -"_s;
    QTest::newRow("times in a table") << QByteArray("      Iter       Train Loss   Remaining Time \n"
                                                    "         1           1.25            2.12s\n"
                                                    "         2           1.125           1.92s\n")
                                      << QStringList{u"Train Loss | iteration 1 = 1.25"_s,
                                             u"Train Loss | iteration 2 = 1.125"_s}
                                      << u"- -"_s;
    QTest::newRow("detection") << QByteArray(
        "      Epoch    GPU_mem   box_loss  Instances       Size\n"
        "        1/9      3.6G       1.5        120        640:  50%|##  | 5/10 [00:02<00:02,  2.1it/s]\r        1/9   "
        "   3.6G       1.25        60        640: 100%|####| 10/10 [00:04<00:00,  2.2it/s]\n"
        "                 Class     Images  Instances          P          R      mAP50   mAP50-95: 100%|####| 4/4 "
        "[00:01<00:00,  3.1it/s]\n"
        "                   all        128        929        0.7        0.6       0.65       0.42\n"
        "                   dog         64          9        0.5        0.4       0.45       0.22\n")
                               << QStringList{u"box_loss | epoch 1 = 1.25"_s, u"P | epoch 1 = 0.7"_s,
                                      u"R | epoch 1 = 0.6"_s, u"mAP50 | epoch 1 = 0.65"_s,
                                      u"mAP50-95 | epoch 1 = 0.42"_s}
                               << u"0.1111 -"_s;
    QTest::newRow("box of names and values")
        << QByteArray("-------------------------------\n"
                      "| rollout/         |          |\n"
                      "|    ep_rew_mean   | 22.5     |\n"
                      "| time/            |          |\n"
                      "|    fps           | 2100     |\n"
                      "|    time_elapsed  | 3        |\n"
                      "|    total_timesteps | 2048   |\n"
                      "| train/           |          |\n"
                      "|    loss          | 5.5      |\n"
                      "|    n_updates     | 10       |\n"
                      "-------------------------------\n")
        << QStringList{u"ep_rew_mean | step 2048 = 22.5"_s, u"fps | step 2048 = 2100"_s, u"loss | step 2048 = 5.5"_s}
        << u"- -"_s;
    QTest::newRow("box with a header") << QByteArray("+-------+---------+--------+------+----------+\n"
                                                     "| Trial | status  |   iter |   ts |   reward |\n"
                                                     "|-------+---------+--------+------+----------|\n"
                                                     "| a_0   | RUNNING |      2 | 8000 |    43.25 |\n"
                                                     "+-------+---------+--------+------+----------+\n")
                                       << QStringList{u"reward | iteration 2 = 43.25"_s} << u"- -"_s;
    QTest::newRow("one row, and rows by class")
        << QByteArray("|  AP  | AP50 |\n"
                      "|:----:|:----:|\n"
                      "| 40.5 | 64.5 |\n"
                      "\n"
                      "| category | AP   | category | AP   |\n"
                      "|:---------|:-----|:---------|:-----|\n"
                      "| sheep    | 36.5 | chair    | 15.5 |\n")
        << QStringList{u"AP | none = 40.5"_s, u"AP50 | none = 64.5"_s} << u"- -"_s;
    QTest::newRow("ticks") << QByteArray(
        "tick 2     kimg 8.0      time 6m 20s       sec/tick 117.1   cpumem 5.30   gpumem 9.31   augment 0.25\n")
                           << QStringList{u"augment | tick 2 = 0.25"_s} << u"- -"_s;
    QTest::newRow("value before its name")
        << QByteArray(" 1: 1250.5, 1250.25 avg loss, 0.001 rate, 6.21 seconds, 64 images, 10.5 hours left\n")
        << QStringList{u"avg loss | iteration 1 = 1250.25"_s, u"rate | iteration 1 = 0.001"_s} << u"- 3.78e+04"_s;
    QTest::newRow("indented result") << QByteArray(
        "Result for PPO_0:\n"
        "  done: false\n"
        "  episode_reward_mean: 22.5\n"
        "  info:\n"
        "    learner:\n"
        "      kl: 0.25\n"
        "  timesteps_total: 4000\n"
        "  training_iteration: 1\n"
        "\n") << QStringList{u"episode_reward_mean | step 4000 = 22.5"_s, u"kl | step 4000 = 0.25"_s}
                                     << u"- -"_s;
    QTest::newRow("rank and logger in front")
        << QByteArray("[1,0]<stdout>:[rank0]:2024-05-01 10:00:00,123 - root - INFO - step:  1  loss: 12.5\n"
                      "(Trainer pid=1234) step: 2 loss: 11.5\n"
                      "I0706 16:50:25.684013 140110937163584 metrics.py:214] step: 3, loss: 10.5\n"
                      "\033[34m[2022-09-27 12:32:51,247 INFO] Step 4/40; loss: 9.5; 21889/22994 tok/s\033[0m\n"
                      "04/18 01:46:54 - engine - INFO - Epoch(train)  [1][ 50/7330]  lr: 0.002  eta: 1 day, 2:03:04  "
                      "memory: 3512  loss: 1.5\n")
        << QStringList{u"loss | step 1 = 12.5"_s, u"loss | step 2 = 11.5"_s, u"loss | step 3 = 10.5"_s,
               u"loss | step 4 = 9.5"_s, u"lr | batch 50 in 1 = 0.002"_s, u"loss | batch 50 in 1 = 1.5"_s}
        << u"0.006821 9.378e+04"_s;
    QTest::newRow("rank of srun") << QByteArray("0: Loading data\n"
                                                "1: Loading data\n"
                                                "0: epoch 1 loss: 0.5\n"
                                                "1: epoch 1 loss: 0.75\n")
                                  << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 1 = 0.75"_s} << u"- -"_s;
    QTest::newRow("whose line it is, without a sign behind")
        << QByteArray("rank 0 epoch 1/5 loss 0.5\n"
                      "seed 1 epoch 2 loss 0.25\n"
                      "GPU0 epoch 3 loss 0.75\n"
                      "fold-2, epoch 4: loss 1.5\n"
                      "model resnet50 epoch=5 loss=2.5\n"
                      "host lab1.example.org epoch [6/9] loss 3.5\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s, u"loss | epoch 3 = 0.75"_s,
               u"loss | epoch 4 = 1.5"_s, u"loss | epoch 5 = 2.5"_s, u"loss | epoch 6 = 3.5"_s}
        << u"0.6667 -"_s;
    QTest::newRow("a list of one value a group")
        << QByteArray("[2023-04-18 01:46:59,142] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=6, "
                      "lr=[0.25, 0.25], mom=[(0.9, 0.95), (0.9, 0.95)]\n")
        << QStringList{u"lr | step 10 = 0.25"_s} << u"- -"_s;
    QTest::newRow("train and val of one name")
        << QByteArray("Epoch 0/24\n"
                      "train Loss: 0.5 Acc: 0.75\n"
                      "val Loss: 0.25 Acc: 0.875\n")
        << QStringList{u"train Loss | epoch 0 = 0.5"_s, u"Acc | epoch 0 = 0.75"_s, u"val Loss | epoch 0 = 0.25"_s,
               u"val/Acc | epoch 0 = 0.875"_s}
        << u"0 -"_s;
    QTest::newRow("two trainings") << QByteArray("0:\tlearn: 0.5\n"
                                                 "1:\tlearn: 0.25\n"
                                                 "0:\tlearn: 0.75\n")
                                   << QStringList{u"learn | iteration 0 = 0.5"_s, u"learn | iteration 1 = 0.25"_s,
                                          u"learn | iteration 0 = 0.75"_s}
                                   << u"- -"_s;
    QTest::newRow("same text by two ranks") << QByteArray("epoch 1 loss: 0.5\n"
                                                          "epoch 1 loss: 0.5\n")
                                            << QStringList{u"loss | epoch 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("summary of COCO")
        << QByteArray(" Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.25\n")
        << QStringList{u"Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] | none = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("not finite") << QByteArray("step 1 loss: nan\n"
                                              "step 2 loss nan\n"
                                              "step 3 loss=-inf\n")
                                << QStringList{u"loss | step 1 = nan"_s, u"loss | step 2 = nan"_s,
                                       u"loss | step 3 = -inf"_s}
                                << u"- -"_s;
    QTest::newRow("windows lines") << QByteArray("step 1 loss: 0.5\r\n"
                                                 "step 2 loss: 0.25\r\n")
                                   << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.25"_s} << u"- -"_s;
    QTest::newRow("no line feed at the end")
        << QByteArray("step 1 loss: 0.5") << QStringList{u"loss | step 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("lines inside JSON") << QByteArray(
        "{\"log\":\"Epoch 1 loss: 0.5\\n\",\"stream\":\"stdout\",\"time\":\"2021-01-01T10:00:00Z\"}\n"
        "{\"level\": \"info\", \"msg\": \"step 10 acc: 0.25\"}\n")
                                       << QStringList{u"loss | epoch 1 = 0.5"_s, u"acc | step 10 = 0.25"_s} << u"- -"_s;
    QTest::newRow("launchers and collectors in front")
        << QByteArray("2023-01-01T00:00:00.0000000Z step 1 loss: 0.5\n"
                      "Jan 01 10:00:00 host python[123]: step 2 loss: 0.4\n"
                      "[pod/train-0/main] step 3 loss: 0.3\n"
                      "trainer-1  | step 4 loss: 0.25\n"
                      "worker-0: step 5 loss: 0.2\n"
                      "2024-05-01 10:00:00.123 | INFO     | __main__:train:123 - step 6 loss: 0.125\n"
                      "time=\"2024-05-01T10:00:00Z\" level=info msg=\"one more\" loss=0.1 step=7\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.4"_s, u"loss | step 3 = 0.3"_s,
               u"loss | step 4 = 0.25"_s, u"loss | step 5 = 0.2"_s, u"loss | step 6 = 0.125"_s,
               u"loss | step 7 = 0.1"_s}
        << u"- -"_s;
    QTest::newRow("pictures and wide signs")
        << QByteArray("\342\234\205 Epoch 3/10 | \360\237\223\211 loss: 0.5\n"
                      "epoch\357\274\2324\357\274\214loss\357\274\2320.25\n"
                      "**Epoch 5** loss: 0.5\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"loss | epoch 4 = 0.25"_s, u"loss | epoch 5 = 0.5"_s} << u"0.3 -"_s;
    QTest::newRow("a bar and a line in one")
        << QByteArray("  0%|          | 0/10 [00:00<?, ?it/s]Epoch 0 loss 0.5\n"
                      " 10%|#         | 1/10 [00:01<00:09,  1.0s/it]{'loss': 0.4, 'epoch': 1.0}\n")
        << QStringList{u"loss | epoch 0 = 0.5"_s, u"loss | epoch 1 = 0.4"_s} << u"0.1 9"_s;
    QTest::newRow("a bar in a bar") << QByteArray(" 25%|##5  | 10/40 [00:10<00:30,  1.0s/it]\r  0%|     | 0/5 "
                                                  "[00:00<?, ?it/s]\r100%|#####| 5/5 [00:01<00:00,  5.0it/s]\n")
                                    << QStringList{} << u"0.25 30"_s;
    QTest::newRow("two columns between rules")
        << QByteArray("---------------------  ------\n"
                      "trainer/QF1 Loss        0.125\n"
                      "Returns Mean           12.5\n"
                      "num train calls      1000\n"
                      "Epoch                  10\n"
                      "---------------------  ------\n")
        << QStringList{u"trainer/QF1 Loss | epoch 10 = 0.125"_s, u"Returns Mean | epoch 10 = 12.5"_s} << u"- -"_s;
    QTest::newRow("a header of batches") << QByteArray("---- [Epoch 0/100, Batch 10/100] ----\n"
                                                       "Total loss 12.25\n")
                                         << QStringList{u"Total loss | batch 10 in 0 = 12.25"_s} << u"0.1 -"_s;
    QTest::newRow("glued counts") << QByteArray("1epoch:train:101-200batch: loss_ctc=212.5, acc=0.25\n"
                                                "epoch3: loss 0.5\n"
                                                "[10 | 45.12] loss=3.5 avg=3.25\n")
                                  << QStringList{u"loss_ctc | batch 200 in 1 = 212.5"_s,
                                         u"acc | batch 200 in 1 = 0.25"_s, u"loss | epoch 3 = 0.5"_s,
                                         u"loss | step 10 = 3.5"_s, u"avg | step 10 = 3.25"_s}
                                  << u"- -"_s;
    QTest::newRow("only the last state of a line")
        << QByteArray("Epoch 1\n"
                      "\r Loss: 0.5 | Acc: 50.5%\r Loss: 0.4 | Acc: 60.5%\n")
        << QStringList{u"Loss | epoch 1 = 0.4"_s, u"Acc | epoch 1 = 60.5"_s} << u"- -"_s;
    QTest::newRow("bars of parts of the data")
        << QByteArray("epoch 1: 100%|###| 9/9 [00:03<00:00, 3.1it/s, loss=0.75]\n"
                      "valid: 100%|###| 3/3 [00:01<00:00, 3.1it/s, loss=0.5]\n")
        << QStringList{u"loss | epoch 1 = 0.75"_s, u"valid/loss | epoch 1 = 0.5"_s} << u"1 0"_s;
    QTest::newRow("remains far behind") << QByteArray(
        "Epoch 3/9                                                      cy: 0.54\n"
        "9/9 [=====] - 2s - loss: 0.5 - acc: 0.75                                 cy: 0.53\n")
                                        << QStringList{u"loss | epoch 3 = 0.5"_s, u"acc | epoch 3 = 0.75"_s}
                                        << u"0.3333 -"_s;
    QTest::newRow("episodes") << QByteArray("Ep 142 | Step 8745 | Reward 245.5 | Loss 0.5\n"
                                            "Ep: 3 loss: 0.5\n")
                              << QStringList{u"Reward | episode 142 = 245.5"_s, u"Loss | episode 142 = 0.5"_s,
                                     u"loss | epoch 3 = 0.5"_s}
                              << u"- -"_s;
    QTest::newRow("bars of rich") << QByteArray(
        "Epoch 0/9 "
        "\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201"
        "\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201 28/28 0:00:10 "
        "\342\200\242 0:00:00 2.81it/s v_num: 0.000 train_loss: 0.5\n"
        "Epoch 1/9 "
        "\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\225\270"
        "\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201 14/28 0:00:05 "
        "\342\200\242 0:00:05 2.81it/s v_num: 0.000 train_loss: 0.25\n")
                                  << QStringList{u"train_loss | epoch 0 = 0.5"_s,
                                         u"train_loss | batch 14 in 1 = 0.25"_s}
                                  << u"0.5 5"_s;
    QTest::newRow("values as Python prints them")
        << QByteArray("('Epoch:', 1, 'Loss:', 0.5)\n"
                      "epoch 3 loss tensor(0.25, device='cuda:0')\n"
                      "Epoch 4 loss -> 0.125\n")
        << QStringList{u"Loss | epoch 1 = 0.5"_s, u"loss | epoch 3 = 0.25"_s, u"loss | epoch 4 = 0.125"_s} << u"- -"_s;
    QTest::newRow("bars of epochs and iterations")
        << QByteArray("Epoch:  33%|###   | 1/3 [01:00<02:00, 60.0s/it]\n"
                      "Iteration: 100%|######| 100/100 [01:00<00:00, 1.0it/s]\n")
        << QStringList{} << u"0.3333 -"_s;
    QTest::newRow("counts behind the name of a program")
        << QByteArray("hinge: [Iter 20/30000] [D loss: 0.5/0.25/0.125] [G loss:: 1.25] [Time: 123.5]\n"
                      "step 500:   train 4.5, val 5.5\n")
        << QStringList{u"D loss | iteration 20 = 0.5"_s, u"G loss | iteration 20 = 1.25"_s, u"train | step 500 = 4.5"_s,
               u"val | step 500 = 5.5"_s}
        << u"0.0006667 -"_s;
    QTest::newRow("an evaluation of an epoch")
        << QByteArray("Epoch(train) [2][ 10/500]  lr: 1.0e-03  loss: 1.5\n"
                      "bbox_copypaste: 0.2 0.4 0.3\n"
                      "Epoch(val) [2][20/20]  bbox_mAP: 0.25  time: 0.1\n")
        << QStringList{u"lr | batch 10 in 2 = 0.001"_s, u"loss | batch 10 in 2 = 1.5"_s, u"bbox_mAP | epoch 2 = 0.25"_s}
        << u"1 -"_s;
    QTest::newRow("structured loggers") << QByteArray(
        "DLLL {\"type\": \"LOG\", \"step\": [0, 20], \"elapsedtime\": \"22.1\", \"data\": {\"train.loss\": 5.5}}\n"
        "DLLL {\"type\": \"LOG\", \"step\": [0], \"data\": {\"val.top1\": 41.5}}\n"
        ":::MLLOG {\"key\": \"base_learning_rate\", \"value\": 10.5, \"metadata\": {\"lineno\": 12}}\n"
        ":::MLLOG {\"key\": \"eval_accuracy\", \"value\": 0.7, \"metadata\": {\"lineno\": 9, \"epoch_num\": 8}}\n")
                                        << QStringList{u"train.loss | iteration 20 in 0 = 5.5"_s,
                                               u"val.top1 | epoch 0 = 41.5"_s, u"eval_accuracy | epoch 8 = 0.7"_s}
                                        << u"- -"_s;
    QTest::newRow("values in brackets of a name")
        << QByteArray("Epoch 1, batch 50, loss[loss=1.5, ctc_loss=0.5, over 900.00 frames. ], "
                      "tot_loss[loss=2.5, ctc_loss=1.5, over 9000.00 frames. ], batch size: 48, lr: 2.5e-02\n")
        << QStringList{u"loss | batch 50 in 1 = 1.5"_s, u"ctc_loss | batch 50 in 1 = 0.5"_s,
               u"tot_loss | batch 50 in 1 = 2.5"_s, u"tot_loss/ctc_loss | batch 50 in 1 = 1.5"_s,
               u"lr | batch 50 in 1 = 0.025"_s}
        << u"- -"_s;
    QTest::newRow("a list below a count")
        << QByteArray("   Learning iteration 4/1500   \n"
                      "\n"
                      "      Value function loss: 0.25\n"
                      "              Mean reward: 1.5\n"
                      "                      ETA: 90.0s\n"
                      "   Learning iteration 6/1500   \n"
                      "              Mean reward: 2.5\n"
                      "                      ETA: 80.0s\n")
        << QStringList{u"Value function loss | iteration 4 = 0.25"_s, u"Mean reward | iteration 4 = 1.5"_s,
               u"Mean reward | iteration 6 = 2.5"_s}
        << u"0.004 80"_s;
    QTest::newRow("a spread, and a unit of no known kind")
        << QByteArray("[10]\tcv_agg's auc: 0.75 + 0.0125\n"
                      "[20]\tspeed: 112.1TFLOPS | mfu: 21.5% | loss: 0.5 |\n")
        << QStringList{u"cv_agg's auc | iteration 10 = 0.75"_s, u"loss | iteration 20 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a step between the name and its value")
        << QByteArray("Train loss 20 41.5 Grad Norm 4.25 3.12s/it\n"
                      "Validation loss 1000: 0.5  \n")
        << QStringList{u"Train loss | iteration 20 = 41.5"_s, u"Validation loss | iteration 1000 = 0.5"_s} << u"- -"_s;
    QTest::newRow("an epoch in parentheses")
        << QByteArray("train (2/10) acc01: 0.75 | loss: 0.5 | lr: 0.001\n"
                      "valid (2/10) acc01: 0.5 | loss: 1.5\n")
        << QStringList{u"acc01 | epoch 2 = 0.75"_s, u"loss | epoch 2 = 0.5"_s, u"lr | epoch 2 = 0.001"_s,
               u"valid/acc01 | epoch 2 = 0.5"_s, u"valid/loss | epoch 2 = 1.5"_s}
        << u"0.2 -"_s;
    QTest::newRow("progress in words") << QByteArray(
        "Progress:  12.5% words/sec/thread: 4131 lr:  0.044 avg.loss:  2.5 ETA: 0h 2m 1s\n")
                                       << QStringList{u"lr | none = 0.044"_s, u"avg.loss | none = 2.5"_s}
                                       << u"0.125 121"_s;
    QTest::newRow("bits and shortened names")
        << QByteArray("Iter 0010 | Time 0.5(0.6) | Bit/dim 3.25(3.5) | Steps 212(220)\n"
                      "Steps : 15, Mel-Spec. Error : 1.5, s/b : 0.6\n")
        << QStringList{u"Bit/dim | iteration 10 = 3.25"_s, u"Mel-Spec. Error | step 15 = 1.5"_s} << u"- -"_s;
    QTest::newRow("totals that are batches")
        << QByteArray("TRAIN Batch 4/100 loss 12.5 loss_att 10.5 lr 0.0003 rank 0\n"
                      "TRAIN Batch 4/200 loss 11.5 loss_att 9.5 lr 0.0002 rank 0\n"
                      "Epoch 4 CV info cv_loss 7.5\n")
        << QStringList{u"loss | batch 4 = 12.5"_s, u"loss_att | batch 4 = 10.5"_s, u"lr | batch 4 = 0.0003"_s,
               u"loss | batch 200 in 4 = 11.5"_s, u"loss_att | batch 200 in 4 = 9.5"_s,
               u"lr | batch 200 in 4 = 0.0002"_s, u"cv_loss | epoch 4 = 7.5"_s}
        << u"- -"_s;
    QTest::newRow("counts with their part of the data")
        << QByteArray("[train: 12, 20 / 125] FPS: 19.3 (29.0)  ,  Loss/total: 0.5  ,  MaxRew: -1.5\n"
                      "[val: 12, 20 / 25] FPS: 19.3 (29.0)  ,  Loss/total: 0.75 (improved by 1.5%)\n")
        << QStringList{u"FPS | batch 20 in 12 = 19.3"_s, u"Loss/total | batch 20 in 12 = 0.5"_s,
               u"MaxRew | batch 20 in 12 = -1.5"_s, u"val/Loss/total | batch 20 in 12 = 0.75"_s}
        << u"0.8 -"_s;
    QTest::newRow("time left in one word") << QByteArray("Epoch [2/10] loss 0.5 | ETA 1h23m45s\n")
                                           << QStringList{u"loss | epoch 2 = 0.5"_s} << u"0.2 5025"_s;
    QTest::newRow("share of the steps") << QByteArray("Step 450 (45.0%) loss 0.5\n")
                                        << QStringList{u"loss | step 450 = 0.5"_s} << u"0.45 -"_s;
    QTest::newRow("bar of a notebook") << QByteArray(" [ 500/1000 01:10 < 01:12, 6.91 it/s, Epoch 1/4]\n"
                                                     "Step\tTraining Loss\n"
                                                     "500\t0.5\n")
                                       << QStringList{u"Training Loss | step 500 = 0.5"_s} << u"0.5 72"_s;
    QTest::newRow("bar with a share") << QByteArray(
        "Training \xE2\x94\x81\xE2\x94\x81\xE2\x95\xBA\xE2\x94\x81  25% 0:00:30\n")
                                      << QStringList{} << u"0.25 30"_s;
    QTest::newRow("batches below the line of an epoch")
        << QByteArray("[Epoch 1]\tLearning rate: 1.00e-4\n"
                      "[1600/16000]\t[L1: 12.5]\t34.1+1.2s\n"
                      "[3200/16000]\t[L1: 11.5]\t33.1+0.1s\n"
                      "[DIV2K x2]\tPSNR: 31.5 (Best: 31.75 @epoch 1)\n")
        << QStringList{u"Learning rate | epoch 1 = 0.0001"_s, u"L1 | batch 1600 in 1 = 12.5"_s,
               u"L1 | batch 3200 in 1 = 11.5"_s, u"PSNR | epoch 1 = 31.5"_s}
        << u"0.2 -"_s;
    QTest::newRow("values in a row without signs")
        << QByteArray("global step 200 learning rate 0.5000 step-time 1.12 perplexity 121.5\n")
        << QStringList{u"learning rate | step 200 = 0.5"_s, u"perplexity | step 200 = 121.5"_s} << u"- -"_s;
    QTest::newRow("ranks that are measured")
        << QByteArray("Results - Epoch: 1\nmAP: 12.5%\nCMC curve, Rank-1  :31.5%\n")
        << QStringList{u"mAP | epoch 1 = 12.5"_s, u"Rank-1 | epoch 1 = 31.5"_s} << u"- -"_s;
    QTest::newRow("steps of how many, in a dictionary")
        << QByteArray("{'loss': 1.5, 'epoch': 0.5, 'global_step/max_steps': '5/50', 'remaining_time': '16m 30s'}\n"
                      "{\"current_steps\": 10, \"total_steps\": 50, \"loss\": 1.25, \"epoch\": 1.0, "
                      "\"remaining_time\": \"0:05:12\"}\n")
        << QStringList{u"loss | step 5 in 0.5 = 1.5"_s, u"loss | step 10 in 1 = 1.25"_s} << u"0.2 312"_s;
    const QByteArray evaluation = "eval:   1%|          | 1/100 [00:00<00:01, 90.0it/s]\r"
                                  "eval: 100%|##########| 100/100 [00:01<00:00, 99.0it/s]\n";
    QTest::newRow("steps with a bar of an evaluation after each")
        << QByteArray("step 1/100 loss 2.5\n" + evaluation + "step 2/100 loss 2.25\n" + evaluation)
        << QStringList{u"loss | step 1 = 2.5"_s, u"loss | step 2 = 2.25"_s} << u"0.02 -"_s;
    QTest::newRow("the last but one of them")
        << QByteArray("step 98/100 loss 2.5\n" + evaluation + "step 99/100 loss 2.25\n" + evaluation)
        << QStringList{u"loss | step 98 = 2.5"_s, u"loss | step 99 = 2.25"_s} << u"0.99 -"_s;
    QTest::newRow("lines of a bar that has ended")
        << QByteArray("step 40/100 loss 2.5\n"
                      "step 80/100 loss 2.25\n"
                      "100%|##########| 100/100 [00:50<00:00, 2.0it/s]\n")
        << QStringList{u"loss | step 40 = 2.5"_s, u"loss | step 80 = 2.25"_s} << u"1 0"_s;
    QTest::newRow("what batches cost") << QByteArray("Epoch: [0] [ 20/300] loss: 2.5 batch_cost: 1.0 data_cost: 0.1\n")
                                       << QStringList{u"loss | batch 20 in 0 = 2.5"_s} << u"0.06667 -"_s;
}

void TstOutputMetrics::taken()
{
    QFETCH(QByteArray, output);
    QFETCH(QStringList, points);
    QFETCH(QString, progress);
    const Read result = read(view(output));
    QCOMPARE(shown(result.points), points);
    QCOMPARE(shown(result.progress.fraction) + u' ' + shown(result.progress.secondsLeft), progress);
}

void TstOutputMetrics::leftOut_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("settings") << QByteArray("lr: 0.001\n"
                                            "batch_size: 32\n"
                                            "epochs: 100\n"
                                            "dropout: 0.5\n"
                                            "loss_weight: 1.0\n"
                                            "accuracy: 0.9\n");
    QTest::newRow("settings on a line") << QByteArray(
        "use_gpu: True, train_batch_size: 1024, epochs: 20, print_interval: 500, dropout: 0.5\n");
    QTest::newRow("settings in a box") << QByteArray("+-----------+-------+\n"
                                                     "| parameter | value |\n"
                                                     "+-----------+-------+\n"
                                                     "| gamma     | 0.99  |\n"
                                                     "| ent_coef  | 0.01  |\n"
                                                     "+-----------+-------+\n");
    QTest::newRow("settings as Python") << QByteArray(
        "Namespace(lr=0.1, epochs=10, loss_weight=0.5)\n"
        "lr_config = dict(policy='step', warmup_ratio=0.001, step=[8, 11])\n"
        "{'lr': 0.001, 'epochs': 10, 'reward_scale': 1.0}\n");
    QTest::newRow("settings as a dictionary that looks like a step")
        << QByteArray("{'batch': 32, 'epoch': 3, 'lr': 0.1}\n"
                      "{'batch': 32, 'epoch': 3, 'lr': 0.1}\n"
                      "{'params': {'batch': 32, 'epoch': 3, 'lr': 0.1}}\n");
    QTest::newRow("model") << QByteArray("  \"attention_dropout\": 0.1,\n"
                                         "  \"router_aux_loss_coef\": 0.001,\n"
                                         "Total params: 1,234,567\n"
                                         "0 | model | UNet | 50.8 M\n"
                                         "203.356   Total estimated model params size (MB)\n");
    QTest::newRow("downloads") << QByteArray(
        "Downloading: 100%|####| 440M/440M [00:05<00:00, 80.1MB/s]\n"
        "     "
        "\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201\342\224\201"
        "\342\224\201 670.2/670.2 MB 2.1 MB/s eta 0:00:00\n"
        "abc123def456: Downloading [====>   ]  12.3MB/45.6MB\n"
        " 7094272/11490434 [=====>....] - ETA: 0s\n");
    QTest::newRow("packages") << QByteArray("Collecting torch==2.1.0\n"
                                            "Requirement already satisfied: numpy>=1.21 (1.24.3)\n"
                                            "Setting up libfoo (1.2.3-1) ...\n");
    QTest::newRow("compiler") << QByteArray("[3/10] Building CXX object loss.cpp.o\n"
                                            "loss.cpp:12:5: warning: unused variable 'loss'\n"
                                            "   12 |     float loss = 0.5;\n"
                                            "make: *** [loss.o] Error 1\n");
    QTest::newRow("images") << QByteArray("Step 2/12 : RUN pip install torch==2.0\n"
                                          "25a11129edd6: Pulling fs layer\n"
                                          "#5 0.512 Get:1 http://deb.debian.org\n");
    QTest::newRow("addresses") << QByteArray("1: lo: <LOOPBACK,UP> mtu 65536 qdisc noqueue qlen 1000\n"
                                             "    inet 127.0.0.1/8 scope host lo\n"
                                             "        RX errors 0  dropped 0\n"
                                             "64 bytes from 8.8.8.8: icmp_seq=1 ttl=118 time=10.2 ms\n");
    QTest::newRow("graphics cards") << QByteArray(
        "| NVIDIA-SMI 575.57   Driver Version: 575.57   CUDA Version: 12.9 |\n"
        "|   0  Tesla V100           On  |   00000000:3B:00.0 Off |        0 |\n"
        "| N/A   26C    P0   26W /  250W |     0MiB / 16384MiB |   0%   Default |\n");
    QTest::newRow("server") << QByteArray(
        "INFO 05-18 22:46:42 [loggers.py:116] Engine 000: Avg prompt throughput: 123.4 tokens/s, Running: 3 reqs, GPU "
        "KV cache usage: 1.2%, Prefix cache hit rate: 34.5%\n"
        "INFO:     127.0.0.1:54321 - \"POST /v1/chat HTTP/1.1\" 200 OK\n");
    QTest::newRow("errors") << QByteArray(
        "torch.cuda.OutOfMemoryError: Tried to allocate 20.00 MiB (GPU 0; 15.78 GiB total capacity)\n"
        "  File \"train.py\", line 120, in step\n"
        "AssertionError: loss 0.5 != 0.4\n");
    QTest::newRow("video") << QByteArray(
        "\rframe=  100 fps= 25 q=28.0 size=     256kB time=00:00:04.00 bitrate= 524.3kbits/s speed=1.01x");
    QTest::newRow("best so far") << QByteArray("Best val Acc: 0.94\n"
                                               "bestTest = 0.87\n"
                                               "New best score: 0.5\n");
    QTest::newRow("times and memory") << QByteArray("Epoch 1 took 12.5 s\n"
                                                    "epoch 2 time: 30.5, max mem: 7552\n"
                                                    "total time=0.5s\n");
    QTest::newRow("one class") << QByteArray("class_id = 0, name = dog, ap = 80.12%\n"
                                             "Accuracy for class: plane is 56.4 %\n");
    QTest::newRow("a name of a file") << QByteArray("Saved checkpoint to ckpt/epoch=3-val_loss=0.12.ckpt\n");
    QTest::newRow("settings of a detector") << QByteArray("conf=0.25, iou=0.45, imgsz=640\n");
    QTest::newRow("what was logged, once more") << QByteArray("wandb: Run summary:\n"
                                                              "wandb:  loss 0.123\n"
                                                              "wandb:   acc 0.912\n");
    QTest::newRow("hexadecimal digits") << QByteArray("16F1\t16F8\t7.0\n"
                                                      "\tb2:ba:f2:0.5\n");
    QTest::newRow("one value a class") << QByteArray("epoch:  1\n"
                                                     "Average global foreground Dice: [0.25, 0.5]\n");
    QTest::newRow("settings as JSON") << QByteArray(
        "{\n  \"model\": \"gpt\",\n  \"dropout\": 0.1,\n  \"learning_rate\": 0.0006,\n"
        "  \"loss_weights\": {\"ce\": 1.0, \"kl\": 0.1}\n}\n");
    QTest::newRow("modules of a model") << QByteArray("  | Name     | Type             | Params | Mode\n"
                                                      "0 | encoder  | Sequential       | 50.2 K | train\n"
                                                      "1 | loss_fn  | CrossEntropyLoss | 0      | train\n");
    QTest::newRow("functions of a profile") << QByteArray("Name    Self CPU %      Self CPU\n"
                                                          "aten::cross_entropy_loss         0.11%      11.1us\n");
    QTest::newRow("layers of darknet") << QByteArray(
        "v3 (iou loss, Normalizer: (iou: 0.07, obj: 1.00) Region 30 Avg (IOU: 0.71), count: 12, "
        "class_loss = 1.12, total_loss = 1.33\n");
    QTest::newRow("regions of darknet") << QByteArray(
        "Region 82 Avg IOU: 0.3, Class: 0.5, Obj: 0.5, No Obj: 0.5, .5R: 0.1, .75R: 0.0,  count: 4\n");
    QTest::newRow("a number of a name") << QByteArray("AP @ IoU=0.50: 0.789\n");
}

void TstOutputMetrics::leftOut()
{
    QFETCH(QByteArray, output);
    QCOMPARE(shown(read(view(output)).points), QStringList());
}

void TstOutputMetrics::linesAreCounted()
{
    const Read result = read("\n\rstep 1 loss: 0.5\rstep 2 loss: 0.4\n\r\nstep 3 loss: 0.3\n");
    QCOMPARE(result.points.size(), 3U);
    QCOMPARE(result.points[0].line, 2U);
    QCOMPARE(result.points[1].line, 2U);
    QCOMPARE(result.points[2].line, 4U);
}

void TstOutputMetrics::cutsDoNotMatter_data() { taken_data(); }

void TstOutputMetrics::cutsDoNotMatter()
{
    QFETCH(QByteArray, output);
    const Read whole = read(view(output));
    QRandomGenerator random(7);
    for (int i = 0; i < 20; ++i) {
        const Read pieces = readInPieces(view(output), random);
        QCOMPARE(shown(pieces.points), shown(whole.points));
        QCOMPARE(pieces.progress, whole.progress);
    }
}

// Pieces of real lines, cut and mixed with any bytes: nothing crashes, the cuts do not matter.
void TstOutputMetrics::anyBytesAreFine()
{
    const QList<QByteArray> parts{"loss: 0.5", "epoch 1/3 ", "[10/20] ", "{'loss': 0.5, ", "}", "\n", "\r",
        "\b\b\b\b\b\b", "\x1b[1m", "\x1b[", "\x1b]0;", " 50%|### | 5/10 [00:01<00:01, 1it/s, loss=0.3]", "| a | 1 |\n",
        "+---+---+\n", "epoch  loss  acc\n", "1  0.5  0.25\n", "nan", "1e999", "-", "(", "[", "0.5711.594", "\xff\xfe",
        "\xe2\x94", "\xe2\x94\x82", "Result for x:\n", "  loss: 0.5\n", " - ETA: 5s - ", "1/2 [=>.]",
        "2021-01-01 10:00:00,123 INFO ", "step=", "1:", "%|", "it ["};
    QRandomGenerator random(QRandomGenerator::global()->generate());
    const quint32 seed = random.generate();
    random.seed(seed);
    for (int i = 0; i < 3000; ++i) {
        QByteArray text;
        const int count = random.bounded(1, 30);
        for (int j = 0; j < count; ++j) {
            QByteArray part = random.bounded(8) == 0 ? QByteArray(random.bounded(1, 6), char(random.bounded(256)))
                                                     : parts.at(random.bounded(parts.size()));
            if (random.bounded(4) == 0) {
                part.truncate(random.bounded(int(part.size()) + 1));
            }
            text += part;
        }
        const Read whole = read(view(text));
        const Read pieces = readInPieces(view(text), random);
        if (shown(whole.points) != shown(pieces.points)
            || shown(whole.progress.fraction) != shown(pieces.progress.fraction)) {
            QFAIL(qPrintable(u"seed %1: %2"_s.arg(seed).arg(QString::fromLatin1(text.toPercentEncoding()))));
        }
    }
}

void TstOutputMetrics::longLinesAreBounded_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("text") << QByteArray("word ");
    QTest::newRow("values") << QByteArray("loss: 0.5, ");
    QTest::newRow("open dictionaries") << QByteArray("{'loss': ");
    QTest::newRow("brackets") << QByteArray("[1/2");
    QTest::newRow("parentheses") << QByteArray("a (1");
    QTest::newRow("bars") << QByteArray("1%|");
    QTest::newRow("columns") << QByteArray("| 1 ");
    QTest::newRow("words of metrics") << QByteArray("loss ");
    QTest::newRow("no text") << QByteArray("\xff\xfe\x80");
}

// Ten million bytes without a line feed cost no more than other text, and the line behind them is read.
void TstOutputMetrics::longLinesAreBounded()
{
    QFETCH(QByteArray, part);
    const Read result = read(view(part.repeated(10'000'000 / part.size()) + "\nstep 7 accuracy: 0.5\n"));
    QVERIFY(!result.points.empty());
    QCOMPARE(shown(result.points.back()), u"accuracy | step 7 = 0.5"_s);
    QVERIFY(result.points.size() < 500);
}

void TstOutputMetrics::manySeriesAreBounded()
{
    QByteArray text;
    for (int i = 0; i < 30'000; ++i) {
        text += "step 1 x" + QByteArray::number(i) + "_loss: 0.5\n";
    }
    text += "step 2 x1_loss: 0.25\n";
    const Read result = read(view(text));
    QCOMPARE(result.points.size(), 20'001U);
    QCOMPARE(shown(result.points.back()), u"x1_loss | step 2 = 0.25"_s);
}

// Recorded outputs of many programs with what a person would plot. The floors are below what is reached, so that a
// change of judgement shows and chance does not.
// After each line, in percent; -1: nothing is known.
void TstOutputMetrics::progressWithinEpochs_data()
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

void TstOutputMetrics::progressWithinEpochs()
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

// Each line behind the second at which it was printed.
void TstOutputMetrics::placesOfValues_data()
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
    QTest::newRow("batches") << QByteArrayList{"1 Epoch 1 batch 5 loss: 0.51", "2 Epoch 1 batch 10 loss: 0.52",
        "3 Epoch 1 val_loss: 0.4", "4 Epoch 2 batch 5 loss: 0.53", "5 Epoch 2 batch 10 loss: 0.54",
        "6 Epoch 2 val_loss: 0.41"}
                             << u"loss"_s << QList<double>{5, 10, 15, 20};
    QTest::newRow("only epochs") << QByteArrayList{"1 epoch 1 val_loss: 0.4", "2 epoch 2 val_loss: 0.41"}
                                 << u"val_loss"_s << QList<double>{1, 2};
}

void TstOutputMetrics::placesOfValues()
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

void TstOutputMetrics::placesBetweenSteps_data()
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

void TstOutputMetrics::placesBetweenSteps()
{
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(qint64, at);
    QTEST(metrics::epochPlace(from, 0, to, 100, at), "wanted");
}

void TstOutputMetrics::recordedOutputs()
{
    const QString labels = shareddata::folder() + u"/metrics/labels.jsonl"_s;
    if (shareddata::folder().isEmpty() || !QFileInfo::exists(labels)) {
        QSKIP("There is no reference data of recorded outputs: TRAINYARD_SHARED names its folder.");
    }
    int points = 0, found = 0, series = 0, complete = 0, judged = 0, right = 0;
    QStringList wrong;
    for (const QByteArray &line : shareddata::read(labels).split('\n')) {
        const QJsonObject label = QJsonDocument::fromJson(line).object();
        if (label.isEmpty()) {
            continue;
        }
        const QString name = label.value(u"file"_s).toString();
        const QByteArray output = shareddata::read(shareddata::folder() + u"/metrics/"_s + name);
        QVERIFY2(!output.isEmpty(), qPrintable(name));
        const Read result = read(view(output));
        for (const QJsonValue &entry : label.value(u"expect"_s).toArray()) {
            const QJsonObject wanted = entry.toObject();
            const double tolerance = wanted.value(u"step_tolerance"_s).toDouble() + 1e-9;
            const QJsonArray wantedPoints = wanted.value(u"points"_s).toArray();
            int here = 0;
            for (const QJsonValue &pair : wantedPoints) {
                const QJsonValue step = pair.toArray().at(0);
                const double value = pair.toArray().at(1).toDouble();
                for (const metrics::Point &point : result.points) {
                    if (QString::fromStdString(point.name)
                                .compare(wanted.value(u"name"_s).toString(), Qt::CaseInsensitive)
                            == 0
                        && std::abs(point.value - value) <= 1e-9 * std::max(1.0, std::abs(value))
                        && (step.isNull() || (point.step && std::abs(*point.step - step.toDouble()) <= tolerance))) {
                        ++here;
                        break;
                    }
                }
            }
            points += int(wantedPoints.size());
            found += here;
            ++series;
            complete += here == wantedPoints.size() ? 1 : 0;
        }
        for (const QJsonValue &entry : label.value(u"not"_s).toArray()) {
            bool isNumber = false;
            const double number = QString(entry.toString()).remove(u',').remove(u'%').toDouble(&isNumber);
            for (const metrics::Point &point : result.points) {
                if (entry.toString() == u"*"_s || (isNumber && point.value == number)
                    || QString::fromStdString(point.name).compare(entry.toString(), Qt::CaseInsensitive) == 0) {
                    wrong.append(name + u": "_s + shown(point));
                }
            }
        }
        const QJsonObject progress = label.value(u"progress"_s).toObject();
        if (!progress.value(u"any"_s).toBool()) {
            const QJsonValue fraction = progress.value(u"fraction"_s);
            ++judged;
            right += fraction.isNull() != result.progress.fraction.has_value()
                    && (fraction.isNull() || std::abs(fraction.toDouble() - *result.progress.fraction) < 0.006)
                ? 1
                : 0;
        }
    }
    qInfo("%d of %d points, %d of %d series, progress of %d of %d, %d wrong", found, points, complete, series, right,
        judged, int(wrong.size()));
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(found >= points * 0.97);
    QVERIFY(complete >= series * 0.93);
    QVERIFY(right >= judged * 0.95);
}

TRAINYARD_TEST(TstOutputMetrics)
#include "tst_outputmetrics.moc"
