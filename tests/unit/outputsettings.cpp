// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addSettings()
{
    // Nothing of the settings may appear, nor be the step of what follows.
    const QByteArray log = "loss: 0.5\nloss: 0.25\n";
    const QStringList points{u"loss | none = 0.5"_s, u"loss | none = 0.25"_s};
    const char *const options = "----------- Options -------------\n"
                                "             iou: 0.45   \t[default: 0.001]\n"
                                "            step: 20\n"
                                "----------- End -----------------\n";
    int row = 0;
    for (const char *settings :
        {"args {'lr': 0.1, 'sleep': 0.5, 'fail': nan, 'steps': 20}\n", "args {'sleep': 0.5, 'fail': nan, 'step': 20}\n",
            "args: {'loss': 0.5, 'steps': 20}\n", "vars(args) = {'lr': 0.1, 'iou': 0.45, 'step': 20}\n",
            "{'lr': 0.1, 'sleep': 0.5, 'fail': nan, 'steps': 20}\n", "{'sleep': 0.5, 'fail': nan, 'steps': 20}\n",
            "{'lr': 0.1, 'weight_decay': 0.01, 'iou': 0.45, 'steps': 20}\n",
            "Model config BertConfig {\n  \"iou\": 0.45,\n  \"step\": 20\n}\n",
            "2024-05-01 10:00:00 INFO hparams={'iou': 0.45, 'step': 20}\n",
            "config = {'iou': 0.45,\n 'sleep': 0.5,\n 'step': 20}\n", "flags: {'sleep': 0.5, 'how': {x}, 'step': 20}\n",
            "Namespace(lr=0.1, sleep=0.5, steps=20)\n", "Hyperparameters:\n{'iou': 0.45, 'step': 20}\n",
            "Arguments:\n  lr: 0.1\n  steps: 20\n  iou: 0.45\n  Learning rate: 0.1\n\n",
            "===== Config =====\n\niou = 0.45\nstep = 20\n==================\n", options,
            "config:\noptimizer:\n  loss: 0.25\n  step: 20\nscheduler:\n  loss: 0.75\n  step: 30\n\n"}) {
        QTest::addRow("settings %d: %s", ++row, QByteArray(settings).simplified().left(30).constData())
            << settings + log << points << u"- -"_s;
    }

    // Beside a step, or measured, the same names count.
    QTest::newRow("a baseline that is learned")
        << QByteArray("step 1 baseline_loss: 0.5\nstep 2 baseline_loss: 0.25\n")
        << QStringList{u"baseline_loss | step 1 = 0.5"_s, u"baseline_loss | step 2 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a correlation that was measured")
        << QByteArray("correlation: 0.8123\n") << QStringList{u"correlation | none = 0.8123"_s} << u"- -"_s;
    QTest::newRow("a sensitivity in a list of metrics")
        << QByteArray("Accuracy: 0.9\nSensitivity: 0.8\n")
        << QStringList{u"Accuracy | none = 0.9"_s, u"Sensitivity | none = 0.8"_s} << u"- -"_s;
    QTest::newRow("a score of a part") << QByteArray("Test score: 0.75\n") << QStringList{u"Test score | none = 0.75"_s}
                                       << u"- -"_s;
    QTest::newRow("scores that count on")
        << QByteArray("[   100/5000] score: 916\n[   200/5000] score: 950\n")
        << QStringList{u"score | step 100 = 916"_s, u"score | step 200 = 950"_s} << u"0.04 -"_s;
    QTest::newRow("how many epochs there are to be")
        << QByteArray("Epochs: 1\nloss: 0.5\n") << QStringList{u"loss | none = 0.5"_s} << u"- -"_s;
    const QByteArray endless(400, '9');
    QTest::newRow("counts that are no finite numbers")
        << QByteArray("step: " + endless + " loss: 0.5\n{'loss': 0.25, 'epoch': " + endless + "}\n")
        << QStringList{u"loss | none = 0.5"_s, u"loss | none = 0.25"_s} << u"- -"_s;
    QTest::newRow("a key that is a text")
        << QByteArray("{'loss': 0.5, '" + QByteArray(400, 'x') + "': 0.25, 'epoch': 1}\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("settings inside of a dictionary of metrics")
        << QByteArray("{\"config\": {\"lr\": 0.1, \"iou\": 0.45}, \"step\": 3, \"loss\": 0.25}\n")
        << QStringList{u"loss | step 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a dictionary of metrics for each epoch")
        << QByteArray("{'epoch': 1, 'loss': 0.5, 'lr': 0.1}\n"
                      "{'epoch': 2, 'loss': 0.25, 'lr': 0.1}\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"lr | epoch 1 = 0.1"_s, u"loss | epoch 2 = 0.25"_s,
               u"lr | epoch 2 = 0.1"_s}
        << u"- -"_s;
    QTest::newRow("a dictionary with a metric and steps")
        << QByteArray("{'steps': 10, 'loss': 0.5, 'lr': 0.1}\n")
        << QStringList{u"loss | step 10 = 0.5"_s, u"lr | step 10 = 0.1"_s} << u"- -"_s;
    QTest::newRow("a dictionary of names that say nothing, again and again")
        << QByteArray("{'steps': 10, 'sleep': 0.5}\n"
                      "{'steps': 20, 'sleep': 0.25}\n")
        << QStringList{u"sleep | step 10 = 0.5"_s, u"sleep | step 20 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a dictionary behind another word")
        << QByteArray("metrics: {'loss': 0.5, 'step': 3}\n") << QStringList{u"loss | step 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a list of settings ends where a name comes again") << QByteArray(
        "config:\n"
        "step: 1\n"
        "loss: 0.5\n"
        "step: 2\n"
        "loss: 0.25\n") << QStringList{u"loss | step 2 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a list of settings ends with a line of several values") << QByteArray(
        "Options:\n"
        "lr: 0.1\n"
        "step: 1, loss: 0.5\n") << QStringList{u"loss | step 1 = 0.5"_s} << u"- -"_s;
}

void OutputTests::addCounts()
{
    QTest::newRow("a number behind the part of the data")
        << QByteArray("step 7 loss=0.5\n"
                      "eval 7 accuracy=0.7\n"
                      "step 14 loss=0.25\n"
                      "eval 14 accuracy=0.75\n")
        << QStringList{u"loss | step 7 = 0.5"_s, u"accuracy | step 7 = 0.7"_s, u"loss | step 14 = 0.25"_s,
               u"accuracy | step 14 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("a number behind each part of the data")
        << QByteArray("train 3 loss=0.5 acc=0.25\n"
                      "val 3: loss 0.4 acc 0.2\n")
        << QStringList{u"loss | step 3 = 0.5"_s, u"acc | step 3 = 0.25"_s, u"val/loss | step 3 = 0.4"_s,
               u"val/acc | step 3 = 0.2"_s}
        << u"- -"_s;
    QTest::newRow("a number behind the part of the data, and whole or faint values")
        << QByteArray("eval 7 accuracy=1\n"
                      "eval 14 mean reward: 20\n"
                      "eval 21 score=0.5\n")
        << QStringList{u"accuracy | step 7 = 1"_s, u"mean reward | step 14 = 20"_s, u"score | step 21 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("several sets of data on a line")
        << QByteArray("test 1 acc=0.5 test 2 acc=0.25\n")
        << QStringList{u"test 1 acc | none = 0.5"_s, u"test 2 acc | none = 0.25"_s} << u"- -"_s;
    QTest::newRow("a number behind the part of the data, and a step")
        << QByteArray("val 2 loss=0.5 step 30\n") << QStringList{u"loss | step 30 = 0.5"_s} << u"- -"_s;
    QTest::newRow("two numbers that open the line")
        << QByteArray("3 120 loss 0.5\n"
                      "3 240 Loss=nan Time=0.040\n")
        << QStringList{u"loss | batch 120 in 3 = 0.5"_s, u"Loss | batch 240 in 3 = nan"_s} << u"- -"_s;
    QTest::newRow("three numbers that open the line")
        << QByteArray("1 2 3 loss 0.5\n") << QStringList{u"loss | epoch 1 = 0.5"_s} << u"- -"_s;
}

} // namespace trainyard
