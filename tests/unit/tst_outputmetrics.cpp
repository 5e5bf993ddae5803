// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/outputtests.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The metrics in outputs, as many programs print them: what is taken, and what is left out.
class TstOutputMetrics : public OutputTests
{
    Q_OBJECT

private Q_SLOTS:
    void taken_data();
    void taken();
    void leftOut_data();
    void leftOut();
    void linesAreCounted();
    void recordedOutputs();
};

void TstOutputMetrics::taken_data()
{
    addOutputColumns();
    addLines();
    addSettings();
    addCounts();
    addTables();
    addSearches();
    addSimulations();
    addTrainers();
    addPrograms();
    addReports();
    addLists();
    addLoops();
    addExperiments();
    addLooseTables();
    addCommas();
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
    QTest::newRow("values of one class") << QByteArray("Epoch 1/5\n"
                                                       "class [14] IoU: 0.5\n"
                                                       "class [15] IoU: 0.25\n");
    QTest::newRow("counts of steps") << QByteArray("epoch 1 Acc_iter 50\n"
                                                   "epoch 2 Acc_iter 100\n");
    QTest::newRow("an epoch below a table of two columns") << QByteArray("Epoch 1\n"
                                                                         "        loss    acc\n"
                                                                         "train   0.5     0.25\n"
                                                                         "Epoch 2\n");
    QTest::newRow("settings on a line") << QByteArray(
        "use_gpu: True, train_batch_size: 1024, epochs: 20, print_interval: 500, dropout: 0.5\n");
    QTest::newRow("settings in a box") << QByteArray("+-----------+-------+\n"
                                                     "| parameter | value |\n"
                                                     "+-----------+-------+\n"
                                                     "| gamma     | 0.99  |\n"
                                                     "| ent_coef  | 0.01  |\n"
                                                     "+-----------+-------+\n");
    QTest::newRow("a loss in a box of settings") << QByteArray("+---------+-------+\n"
                                                               "| setting | value |\n"
                                                               "+---------+-------+\n"
                                                               "| loss    | 0.25  |\n"
                                                               "+---------+-------+\n");
    QTest::newRow("settings below each other") << QByteArray("train:\n  lr: 0.001\n  loss: 0.5\n  iou: 0.5\n");
    QTest::newRow("a setting with its path") << QByteArray("eval.map.iou=0.5\neval.map.score=0.05\n");
    QTest::newRow("settings that replace others") << QByteArray("overrides: loss=0.5 acc=0.9\n");
    QTest::newRow("what results are compared with")
        << QByteArray("Baseline accuracy: 0.76\nrandom guess accuracy: 0.1\nrequired mAP: 0.5\n"
                      "Table 2 of the paper reports accuracy: 0.931\n");
    QTest::newRow("the sensitivity of a device") << QByteArray("sensor sensitivity: 0.512 mV\n");
    QTest::newRow("the errors of a link") << QByteArray("link BER: 1e-12\nHTTP error rate: 0.02\nseek error rate: 3\n");
    QTest::newRow("a statistic of data") << QByteArray("rows: 812\ncorrelation: 0.5\n");
    QTest::newRow("headers of a mail") << QByteArray("X-Spam-Score: -1.9\nDKIM score: 0.5\n");
    QTest::newRow("items of a list") << QByteArray("#9 score: 5\n#4 score: 3\n");
    QTest::newRow("a kernel") << QByteArray("mmd_kernel: 0.5\n");
    QTest::newRow("settings on a line, with a size that looks like a count")
        << QByteArray("engine: task=detect, mode=train, model=n.pt, epochs=100, batch=16, lr0=0.01, iou=0.7, amp=True\n"
                      "task=detect mode=val split=val batch=16 conf=0.001 iou=0.6\n");
    QTest::newRow("settings as Python") << QByteArray(
        "Namespace(lr=0.1, epochs=10, loss_weight=0.5)\n"
        "lr_config = dict(policy='step', warmup_ratio=0.001, step=[8, 11])\n"
        "{'lr': 0.001, 'epochs': 10, 'reward_scale': 1.0}\n");
    QTest::newRow("settings as a dictionary that looks like a step")
        << QByteArray("{'batch': 32, 'epoch': 3, 'lr': 0.1}\n"
                      "{'batch': 32, 'epoch': 3, 'lr': 0.1}\n"
                      "{'params': {'batch': 32, 'epoch': 3, 'lr': 0.1}}\n");
    QTest::newRow("an object of settings") << QByteArray("TrainArgs(lr=0.1, steps=20, iou=0.45)\n"
                                                         "Settings(loss=0.5, n=3)\n");
    QTest::newRow("a sentence between the part of the data and a value") << QByteArray("test 3 passed score: 5\n"
                                                                                       "eval 7 took 0.5 s\n");
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
    QTest::newRow("compiler that repeats the source") << QByteArray("loss.cpp:12:5: warning: loss = 0.5 is not used\n"
                                                                    "loss.cpp:12:5: note: accuracy = 0.25 here\n"
                                                                    "loss.cpp:12: error: score = 0.125\n");
    QTest::newRow("complaints of Python")
        << QByteArray("/w/fit.py:12: FutureWarning: Passing accuracy=0.5 is deprecated\n"
                      "UserWarning: loss=0.5 has no gradient\n"
                      "ValueError: loss is 3.5\n"
                      "torch.cuda.OutOfMemoryError: loss=0.25\n");
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
    QTest::newRow("addresses with parameters") << QByteArray(
        "127.0.0.1 - - [01/Jan/2024:00:00:00 +0000] \"GET /loss?epoch=3&acc=0.5 HTTP/1.1\" 200 1234 0.012\n"
        "https://example.com/?loss=0.5&acc=0.9123&epoch=3\n");
    QTest::newRow("what tests of Go expected") << QByteArray("    loss_test.go:12: loss = 0.25, want 0.5\n"
                                                             "    loss_test.go:13: accuracy = 0.9123, want 0.95\n");
    QTest::newRow("a network") << QByteArray("5 packets transmitted, 4 received, 20.5% packet loss, time 4001ms\n"
                                             "packet loss: 20.5%\n");
    QTest::newRow("a fatal error") << QByteArray("fatal error: 12.5\n");
    QTest::newRow("what a model draws from") << QByteArray("temperature=0.7, top_p=0.9, top_k=50, min_p=0.05\n");
    QTest::newRow("an export that the shell traces") << QByteArray("+ export LOSS=0.5\n");
    QTest::newRow("files that are transferred") << QByteArray("Progress: 45/100, Speed: 12.5 MB/s\n");
    QTest::newRow("files with errors") << QByteArray("[=====>.....] 45/100 error: 3\n");
    QTest::newRow("source in a traceback") << QByteArray("Traceback (most recent call last):\n"
                                                         "  File \"fit.py\", line 12, in <module>\n"
                                                         "    loss = criterion(a)  # loss: 0.5\n");
    QTest::newRow("names above numbers that are no metrics, and lists of others") << QByteArray("Price\n19.99\n"
                                                                                                "Version\n1.2\n"
                                                                                                "x, y, z 1.0 2.0 3.0\n"
                                                                                                "epochs: 1\n"
                                                                                                "batch: 16\n");
    QTest::newRow("bars that count files") << QByteArray("\r[=======>        ] 45/100 files\n"
                                                         "Extracting |########        | (50/100) 12.3 MB/s\n");
    QTest::newRow("games that were lost") << QByteArray("Ep 100/5000  wins=31 losses=11 draws=2\n");
    QTest::newRow("a name of a file") << QByteArray("Saved checkpoint to ckpt/epoch=3-val_loss=0.12.ckpt\n");
    QTest::newRow("settings of a detector") << QByteArray("conf=0.25, iou=0.45, imgsz=640\n");
    QTest::newRow("what was logged, once more") << QByteArray("wandb: Run summary:\n"
                                                              "wandb:  loss 0.123\n"
                                                              "wandb:   acc 0.912\n");
    QTest::newRow("messages of commits") << QByteArray("commit 3f2a1bc (HEAD -> main)\n"
                                                       "Author: A Writer <a@b.example>\n"
                                                       "Date:   Mon May 5 10:00:00 2025 +0000\n\n"
                                                       "    Lower the loss with accuracy 0.9234 on dev\n\n"
                                                       "commit 0a1b2c3d4e5f\n"
                                                       "Author: A Writer <a@b.example>\n\n"
                                                       "    val loss: 0.25, val accuracy: 0.9\n");
    QTest::newRow("times of functions in a table") << QByteArray(
        "Name (time in us)         Min                 Max                Mean              StdDev\n"
        "test_loss             12.5000 (1.0)       31.2500 (1.0)       13.7500 (1.0)      1.1250 (1.0)\n"
        "test_accuracy         14.5000 (1.16)      51.2500 (1.64)      15.7500 (1.15)     2.1250 (1.89)\n");
    QTest::newRow("elements without a step")
        << QByteArray("<testsuite name=\"pytest\" errors=\"0\" failures=\"1\" tests=\"12\" time=\"3.212\">\n"
                      "<option loss=\"0.5\" accuracy=\"0.9\" dropout=\"0.1\"/>\n"
                      "<model precision=\"0.5123\" recall_threshold=\"0.7\"/>\n");
    QTest::newRow("what a test compared")
        << QByteArray("AssertionError: 0.5 != 0.4 within 7 places (0.1 difference) : loss: 0.5 accuracy: 0.91234\n");
    QTest::newRow("settings drawn as a tree") << QByteArray("CONFIG\n"
                                                            "\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 model\n"
                                                            "\xE2\x94\x82   \xE2\x94\x94\xE2\x94\x80 loss: 0.5\n"
                                                            "\xE2\x94\x82      accuracy: 0.9\n"
                                                            "\xE2\x94\x94\xE2\x94\x80\xE2\x94\x80 seed\n"
                                                            "    \xE2\x94\x94\xE2\x94\x80 42\n");
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

// Recorded outputs of many programs with what a person would plot. The floors are below what is reached, so that a
// change of judgement shows and chance does not.
void TstOutputMetrics::recordedOutputs()
{
    const QString labels = shareddata::folder() + u"/metrics/labels.jsonl"_s;
    if (shareddata::folder().isEmpty() || !QFileInfo::exists(labels)) {
        QSKIP("There is no reference data of recorded outputs: set TRAINYARD_SHARED to its folder.");
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
