// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addSearches()
{
    QTest::newRow("a search whose rows leave cells empty")
        << QByteArray("    Nodes    |    Current Node    |     Objective Bounds      |     Work\n"
                      " Expl Unexpl |  Obj  Depth IntInf | Incumbent    BestBd   Gap | It/Node Time\n"
                      "\n"
                      "     0     0   11.50000    0   25   58.00000   11.50000  80.5%     -    0s\n"
                      "H    4     2                        25.00000   11.50000  54.5%     -    0s\n"
                      "*    9     5              14        24.50000   14.75000  40.5%  22.5    0s\n")
        << QStringList{u"Obj | iteration 0 = 11.5"_s, u"Incumbent | iteration 0 = 58"_s,
               u"BestBd | iteration 0 = 11.5"_s, u"Gap | iteration 0 = 80.5"_s, u"Incumbent | iteration 4 = 25"_s,
               u"BestBd | iteration 4 = 11.5"_s, u"Gap | iteration 4 = 54.5"_s, u"Incumbent | iteration 9 = 24.5"_s,
               u"BestBd | iteration 9 = 14.75"_s, u"Gap | iteration 9 = 40.5"_s, u"It/Node | iteration 9 = 22.5"_s}
        << u"- -"_s;
    QTest::newRow("a search with a best bound, and no bars")
        << QByteArray("   Node  Left     Objective  IInf  Best Integer    Best Bound    ItCnt     Gap\n"
                      "\n"
                      "*     0+    0                           36.5000        0.5000            98.50%\n"
                      "      5     3       25.5000    25       36.5000       25.5000       64   26.50%\n")
        << QStringList{u"Best Integer | iteration 0 = 36.5"_s, u"Best Bound | iteration 0 = 0.5"_s,
               u"Gap | iteration 0 = 98.5"_s, u"Objective | iteration 5 = 25.5"_s,
               u"Best Integer | iteration 5 = 36.5"_s, u"Best Bound | iteration 5 = 25.5"_s,
               u"Gap | iteration 5 = 26.5"_s}
        << u"- -"_s;
    QTest::newRow("bars between the columns, and no frame")
        << QByteArray("  time | node | left | dualbound | primalbound |  gap   | compl.\n"
                      "t 0.0s|    1 |    0 |      1.5e+00 |     2.5e+00 |  66.5% | unknown\n"
                      "  5.2s|    9 |    4 |      1.75e+00 |     2.5e+00 |  42.5% | unknown\n")
        << QStringList{u"dualbound | iteration 1 = 1.5"_s, u"primalbound | iteration 1 = 2.5"_s,
               u"gap | iteration 1 = 66.5"_s, u"dualbound | iteration 9 = 1.75"_s, u"primalbound | iteration 9 = 2.5"_s,
               u"gap | iteration 9 = 42.5"_s}
        << u"- -"_s;
    QTest::newRow("epochs with bars between the columns")
        << QByteArray("Epoch | Train Loss | Val Acc\n"
                      "----------------------------\n"
                      "    1 |        0.5 |    0.25\n"
                      "    2 |       0.25 |     0.5\n")
        << QStringList{u"Train Loss | epoch 1 = 0.5"_s, u"Val Acc | epoch 1 = 0.25"_s, u"Train Loss | epoch 2 = 0.25"_s,
               u"Val Acc | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("trials of a search") << QByteArray(
        "[I 2024-12-16 12:46:51,364] Trial 0 finished with value: 0.5 and parameters: {'lr': 0.002, 'dropout': 0.25}. "
        "Best is trial 0 with value: 0.5.\n"
        "[I 2024-12-16 12:46:52,364] Trial 1 finished with value: 0.25 and parameters: {'lr': 0.004, 'dropout': 0.75}. "
        "Best is trial 0 with value: 0.5.\n"
        "[I 2024-12-16 12:46:53,364] Trial 2 pruned.\n")
                                        << QStringList{u"value | step 0 = 0.5"_s, u"value | step 1 = 0.25"_s}
                                        << u"- -"_s;
    QTest::newRow("residuals of what is solved for")
        << QByteArray(
               "Time = 0.5\n"
               "\n"
               "smoothSolver:  Solving for Ux, Initial residual = 0.25, Final residual = 0.0025, No Iterations 3\n"
               "GAMG:  Solving for p, Initial residual = 0.75, Final residual = 0.0075, No Iterations 12\n"
               "Time = 1\n"
               "\n"
               "smoothSolver:  Solving for Ux, Initial residual = 0.125, Final residual = 0.0025, No Iterations 3\n")
        << QStringList{u"Ux Initial residual | step 0.5 = 0.25"_s, u"Ux Final residual | step 0.5 = 0.0025"_s,
               u"p Initial residual | step 0.5 = 0.75"_s, u"p Final residual | step 0.5 = 0.0075"_s,
               u"Ux Initial residual | step 1 = 0.125"_s, u"Ux Final residual | step 1 = 0.0025"_s}
        << u"- -"_s;
    QTest::newRow("a time that is no step")
        << QByteArray("step 3 loss 0.5\n"
                      "Time = 12.5\n"
                      "loss 0.25\n")
        << QStringList{u"loss | step 3 = 0.5"_s, u"loss | step 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("blocks of names above their values, the last of averages")
        << QByteArray("           Step           Time\n"
                      "           5000       10.00000\n"
                      "\n"
                      "   Energies (kJ/mol)\n"
                      "          Angle    Proper Dih. Pressure (bar)\n"
                      "    2.50000e+00    1.25000e+00   -1.50000e+00\n"
                      "\n"
                      "          Angle    Proper Dih. Pressure (bar)\n"
                      "    9.50000e+00    9.25000e+00   -9.50000e+00\n")
        << QStringList{u"Angle | step 5000 = 2.5"_s, u"Proper Dih. | step 5000 = 1.25"_s,
               u"Pressure (bar) | step 5000 = -1.5"_s}
        << u"- -"_s;
    QTest::newRow("counts of work alone") << QByteArray("Processed 100/1000 files\n"
                                                        "Processed 300/1000 files\n")
                                          << QStringList{} << u"0.3 -"_s;
    QTest::newRow("one count of work") << QByteArray("Processed 100/1000 files\n") << QStringList{} << u"- -"_s;
    QTest::newRow("counts of work in words") << QByteArray("Rendering frame 5 of 50\n"
                                                           "Rendering frame 10 of 50\n")
                                             << QStringList{} << u"0.2 -"_s;
    QTest::newRow("counts of what is loaded") << QByteArray("Loading 5/50 shards\n"
                                                            "Loading 10/50 shards\n")
                                              << QStringList{} << u"- -"_s;
    QTest::newRow("counts of work before values") << QByteArray("Processed 10/1000 files\n"
                                                                "Processed 300/1000 files\n"
                                                                "step 1 loss 0.5\n")
                                                  << QStringList{u"loss | step 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("rows of classes below the line of all")
        << QByteArray("accuracy:  97.5%; precision:  90.5%; recall:  91.5%; FB1:  90.75\n"
                      "              LOC: precision:  92.5%; recall:  93.5%; FB1:  92.75  1689\n"
                      "             MISC: precision:  79.5%; recall:  80.5%; FB1:  79.75  712\n")
        << QStringList{u"accuracy | none = 97.5"_s, u"precision | none = 90.5"_s, u"recall | none = 91.5"_s,
               u"FB1 | none = 90.75"_s}
        << u"- -"_s;
    QTest::newRow("a step behind a dash")
        << QByteArray("epoch - 1/10 valid: - 0.5 acc - 0.25 auc - 0.75\n")
        << QStringList{u"acc | epoch 1 = 0.25"_s, u"auc | epoch 1 = 0.75"_s} << u"0.1 -"_s;
    QTest::newRow("an epoch and its batch with a slash")
        << QByteArray("Epoch 4 TRAIN info lr 0.00032\n"
                      "DEBUG TRAIN Batch 4/100 loss 2.5 rank 0\n"
                      "DEBUG TRAIN Batch 4/200 loss 2.25 rank 0\n")
        << QStringList{u"loss | batch 100 in 4 = 2.5"_s, u"loss | batch 200 in 4 = 2.25"_s} << u"- -"_s;
    QTest::newRow("nodes that are machines") << QByteArray("NODE      STATE   CPUS  COST\n"
                                                           "12        idle    3.5   0.5\n")
                                             << QStringList{} << u"- -"_s;
    QTest::newRow("values behind arrows")
        << QByteArray("Epoch 1 finished!\n"
                      "   \xE2\x80\xA2 train_loss \xE2\x86\x92 0.5\n"
                      "   \xE2\x80\xA2 val_iou    \xE2\x86\x92 0.25\n")
        << QStringList{u"train_loss | epoch 1 = 0.5"_s, u"val_iou | epoch 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("losses of parts of the data one after the other")
        << QByteArray("Fold 1 Epoch 1 : train 0.52 valid 0.61 score 0.75\n")
        << QStringList{u"train | epoch 1 = 0.52"_s, u"valid | epoch 1 = 0.61"_s, u"score | epoch 1 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("the result of a trial behind its settings")
        << QByteArray("Trial 3/20: params={\"lr\": 0.01, \"depth\": 6} -> CV AUC: 0.75 (+/- 0.0125)\n")
        << QStringList{u"CV AUC | step 3 = 0.75"_s} << u"0.15 -"_s;
    QTest::newRow("a step at the end of a name")
        << QByteArray("Training Loss after 100 steps: 0.5\n"
                      "Validation Accuracy after 100 steps: 0.25\n"
                      "Training Loss after 200 steps: 0.25\n")
        << QStringList{u"Training Loss | step 100 = 0.5"_s, u"Validation Accuracy | step 100 = 0.25"_s,
               u"Training Loss | step 200 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("trials with names") << QByteArray("Trial  | value\n"
                                                     "a_1    | 0.5\n")
                                       << QStringList{} << u"- -"_s;
    QTest::newRow("a trial above its result") << QByteArray("Trial 3 Complete [00h 00m 05s]\n"
                                                            "val_accuracy: 0.75\n"
                                                            "\n"
                                                            "Best val_accuracy So Far: 0.95\n")
                                              << QStringList{u"val_accuracy | step 3 = 0.75"_s} << u"- -"_s;
}

} // namespace trainyard
