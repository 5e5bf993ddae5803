// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// Reports of several lines, and bars and rows that say what they are about.
void OutputTests::addReports()
{
    QTest::newRow("a bar of a notebook that is done")
        << QByteArray(" [60/60 05:12, Epoch 0/1]\nStep\tTraining Loss\n1\t1.5\n2\t1.25\n")
        << QStringList{u"Training Loss | step 1 = 1.5"_s, u"Training Loss | step 2 = 1.25"_s} << u"1 -"_s;
    QTest::newRow("a bar of a notebook before its first step")
        << QByteArray(" [  5/1000 : < :, Epoch 0.01/2]\n") << QStringList() << u"0.005 -"_s;
    QTest::newRow("bars of a notebook that look like dates")
        << QByteArray(" [ 8/32 1:20:30 < 1:00:00, 0.1 it/s, Epoch 0.5/2]\n [ 12/24 1:30:00 < 1:30:00, 0.1 it/s]\n")
        << QStringList() << u"0.5 5400"_s;
    QTest::newRow("a bar of a notebook that is done and looks like a date")
        << QByteArray(" [12/12 2:40:30, Epoch 2/2]\n") << QStringList() << u"1 -"_s;
    QTest::newRow("a bar of an evaluation in a notebook")
        << QByteArray("step 10/40 loss 0.5\n [25/25 00:10]\n") << QStringList{u"loss | step 10 = 0.5"_s} << u"0.25 -"_s;
    QTest::newRow("an evaluation that counts its own data")
        << QByteArray("Iter(train) [  50/2000]  lr: 0.25  eta: 0:10:00  loss: 1.5  decode.acc_seg: 12.5\n"
                      "Iter(val) [ 50/500]    eta: 0:00:41  time: 0.5\n"
                      "Iter(val) [500/500]    aAcc: 62.5  mIoU: 31.25\n"
                      "Iter(train) [ 100/2000]  lr: 0.25  eta: 0:09:30  loss: 1.25  decode.acc_seg: 25.5\n")
        << QStringList{u"lr | iteration 50 = 0.25"_s, u"loss | iteration 50 = 1.5"_s,
               u"decode.acc_seg | iteration 50 = 12.5"_s, u"aAcc | iteration 50 = 62.5"_s,
               u"mIoU | iteration 50 = 31.25"_s, u"lr | iteration 100 = 0.25"_s, u"loss | iteration 100 = 1.25"_s,
               u"decode.acc_seg | iteration 100 = 25.5"_s}
        << u"0.05 570"_s;
    QTest::newRow("an evaluation alone, which counts its own data")
        << QByteArray("Iter(test) [ 50/500]    eta: 0:00:41  time: 0.5\nIter(test) [500/500]    mIoU: 31.25\n")
        << QStringList{u"mIoU | none = 31.25"_s} << u"- -"_s;
    QTest::newRow("a box with a header, whose columns are parted by blanks")
        << QByteArray("\342\225\255\342\224\200\342\224\200\342\225\256\n"
                      "\342\224\202 Trial name   status      iter   total time (s)     loss \342\224\202\n"
                      "\342\224\234\342\224\200\342\224\200\342\224\244\n"
                      "\342\224\202 train_a_0    RUNNING        2           31.25     0.75 \342\224\202\n"
                      "\342\224\202 train_a_1    PENDING                                    \342\224\202\n"
                      "\342\225\260\342\224\200\342\224\200\342\225\257\n")
        << QStringList{u"loss | iteration 2 = 0.75"_s} << u"- -"_s;
    QTest::newRow("a box of words whose columns are parted by blanks")
        << QByteArray("\342\224\202 name     kind     loss \342\224\202\n"
                      "\342\224\202 a        linear   0.75 \342\224\202\n")
        << QStringList() << u"- -"_s;
    QTest::newRow("rows that name their metric")
        << QByteArray("|  Tasks  |Version|Filter  |n-shot|Metric  |   |Value |   |Stderr|\n"
                      "|---------|------:|--------|-----:|--------|---|-----:|---|-----:|\n"
                      "|easy     |      1|none    |     0|acc     |\342\206\221  |0.625 |\302\261  |0.0125|\n"
                      "|         |       |none    |     0|acc_norm|\342\206\221  |0.5   |\302\261  |0.0125|\n"
                      "| - maths |      3|strict  |     5|match   |\342\206\221  |0.25  |\302\261  |0.0125|\n"
                      "|         |       |flexible|     5|match   |\342\206\221  |0.375 |\302\261  |0.0125|\n")
        << QStringList{u"easy/acc | none = 0.625"_s, u"easy/acc_norm | none = 0.5"_s,
               u"maths/strict/match | none = 0.25"_s, u"maths/flexible/match | none = 0.375"_s}
        << u"- -"_s;
    QTest::newRow("a column for each part of the data")
        << QByteArray("epoch 3\n"
                      "| Metric   | Train | Val   |\n"
                      "|----------|-------|-------|\n"
                      "| loss     | 0.5   | 0.75  |\n"
                      "| accuracy | 0.625 | 0.25  |\n"
                      "| memory   | 512.5 | 256.5 |\n")
        << QStringList{u"Train/loss | epoch 3 = 0.5"_s, u"Val/loss | epoch 3 = 0.75"_s,
               u"Train/accuracy | epoch 3 = 0.625"_s, u"Val/accuracy | epoch 3 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("columns of parts of the data behind a logger")
        << QByteArray("2020-05-01 10:00:00,000 - INFO - lib.training.trainer - Epoch 0/9\n"
                      "2020-05-01 10:01:00,000 - INFO - lib.training.log -                    Training |  Validation\n"
                      "2020-05-01 10:01:00,001 - INFO - lib.training.log - accuracy         |     0.625  |     0.5\n"
                      "2020-05-01 10:01:00,002 - INFO - lib.training.log - gpu_0_memory_MB  |  1512.75   |       N/A\n"
                      "2020-05-01 10:01:00,003 - INFO - lib.training.log - loss             |     0.75   |     0.875\n")
        << QStringList{u"Training/accuracy | epoch 0 = 0.625"_s, u"Validation/accuracy | epoch 0 = 0.5"_s,
               u"Training/loss | epoch 0 = 0.75"_s, u"Validation/loss | epoch 0 = 0.875"_s}
        << u"0 -"_s;
    QTest::newRow("rows that begin with their time, and count trees")
        << QByteArray("Model Summary: \n"
                      "    number_of_trees    min_depth    max_depth    mean_leaves\n"
                      "--  -----------------  -----------  -----------  -------------\n"
                      "    2                  5            5            20.3125\n"
                      "\n"
                      "Scoring History: \n"
                      "    timestamp            duration    number_of_trees    training_rmse    training_auc\n"
                      "--  -------------------  ----------  -----------------  ---------------  --------------\n"
                      "    2023-07-22 10:00:00  0.012 sec   0                  0.5              0.625\n"
                      "    2023-07-22 10:00:01  1.125 sec   2                  0.25             0.875\n"
                      "\n"
                      "variable    relative_importance    percentage\n"
                      "----------  ---------------------  ------------\n"
                      "AGE         54.125                 0.5\n")
        << QStringList{u"training_rmse | iteration 0 = 0.5"_s, u"training_auc | iteration 0 = 0.625"_s,
               u"training_rmse | iteration 2 = 0.25"_s, u"training_auc | iteration 2 = 0.875"_s}
        << u"- -"_s;
    QTest::newRow("times of a step beside the steps of a table")
        << QByteArray("Step (% Done)       Train Iter (time)    ETA (time)           Train Rays / Sec\n"
                      "----------------------------------------------------------------------------\n"
                      "10 (25.00%)         112.201 ms           56 m, 5 s            36.91 K\n"
                      "20 (50.00%)         41.112 ms            20 m, 30 s           101.12 K\n")
        << QStringList() << u"0.5 1230"_s;
    QTest::newRow("figures of an iteration at the right of their column, some without a word for a metric")
        << QByteArray("      Learning iteration 3/10      \n"
                      "\n"
                      "               Computation: 98304 steps/s (collection: 0.5s, learning 0.25s)\n"
                      "            Mean noise std: 1.25\n"
                      "       Value function loss: 0.5\n"
                      "      Mean rew_action_rate: -0.125\n"
                      "                  time_out: 0.75\n"
                      "Episode_Reward/track_velocity: 0.25\n"
                      "              Environments: 4096\n"
                      "----------------------------\n"
                      "           Total timesteps: 98304\n"
                      "            Time elapsed: 00:00:05\n"
                      "                       ETA: 00:12:30\n")
        << QStringList{u"Mean noise std | iteration 3 = 1.25"_s, u"Value function loss | iteration 3 = 0.5"_s,
               u"Mean rew_action_rate | iteration 3 = -0.125"_s, u"time_out | iteration 3 = 0.75"_s,
               u"Episode_Reward/track_velocity | iteration 3 = 0.25"_s}
        << u"0.3 750"_s;
    QTest::newRow("names at the right of their column without a metric, or without a step") << QByteArray(
        "epoch 1\n"
        "   hidden size: 0.5\n"
        "     noise std: 0.25\n"
        "         depth: 0.75\n"
        "epoch 2\n"
        "loss: 0.5\n"
        "noise std: 0.25\n") << QStringList{u"loss | epoch 2 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a mean over some batches, behind a level with its place in the source")
        << QByteArray("LOG (train[5.5.1~1-abc12]:PrintPhase():nnet-training.cc:288) Average objective function for "
                      "'output' for minibatches 0-9 is -0.5 over 48000 frames.\n"
                      "LOG (train[5.5.1~1-abc12]:PrintPhase():nnet-training.cc:288) Average objective function for "
                      "'output-xent' for minibatches 0-9 is -4.25 over 48000 frames.\n"
                      "WARNING (train[5.5.1~1-abc12]:Select():cu-device.cc:228) 'output' 0-9 is not for 0.5\n"
                      "LOG (train[5.5.1~1-abc12]:PrintTotal():nnet-training.cc:351) Overall average objective function "
                      "for 'output' is -0.375 over 96000 frames.\n"
                      "LOG (train[5.5.1~1-abc12]:PrintTotal():nnet-training.cc:351) Overall accuracy for 'output' is "
                      "0.25 per frame.\n")
        << QStringList{u"Average objective function for 'output' | batch 9 = -0.5"_s,
               u"Average objective function for 'output-xent' | batch 9 = -4.25"_s,
               u"Overall average objective function for 'output' | batch 9 = -0.375"_s,
               u"Overall accuracy for 'output' | batch 9 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a quoted file behind a metric")
        << QByteArray("epoch 1\nsaved the loss for 'best.pt' 0.5\nloss of 'a/b' is 0.25\n") << QStringList()
        << u"- -"_s;
    QTest::newRow("epochs and names in Chinese")
        << QByteArray("训练集样本数: 50000\n"
                      "第 1/4 轮, 训练损失: 0.75, 验证损失: 0.875, 准确率: 61.25%, 学习率: 0.001\n"
                      "第2/4轮，训练损失：0.5，用时：12.5，最佳准确率：0.75\n"
                      "测试准确率: 74.5%\n"
                      "轮次: 3 损失: 0.25\n"
                      "步数 100 损失=0.125\n")
        << QStringList{u"训练损失 | epoch 1 = 0.75"_s, u"验证损失 | epoch 1 = 0.875"_s, u"准确率 | epoch 1 = 61.25"_s,
               u"学习率 | epoch 1 = 0.001"_s, u"训练损失 | epoch 2 = 0.5"_s, u"测试准确率 | epoch 2 = 74.5"_s,
               u"损失 | epoch 3 = 0.25"_s, u"损失 | step 100 = 0.125"_s}
        << u"0.5 -"_s;
    QTest::newRow("epochs and names in Japanese, Korean and German")
        << QByteArray("エポック 1 損失: 0.75\n"
                      "에포크 2, 손실: 0.5\n"
                      "Epoche 3/4 - Trainingsverlust: 0.25 - Genauigkeit: 0.625\n"
                      "Testgenauigkeit: 0.875\n")
        << QStringList{u"損失 | epoch 1 = 0.75"_s, u"손실 | epoch 2 = 0.5"_s, u"Trainingsverlust | epoch 3 = 0.25"_s,
               u"Genauigkeit | epoch 3 = 0.625"_s, u"Testgenauigkeit | epoch 3 = 0.875"_s}
        << u"0.75 -"_s;
    QTest::newRow("counts of other things in Chinese")
        << QByteArray("第 3 章: 0.5\n进步 5: 0.5\n加载第 2 个文件 0.25\n") << QStringList() << u"- -"_s;
    QTest::newRow("steps executed in a line that is drawn again, inside of an iteration")
        << QByteArray(
               "Starting iteration 2\n"
               "Steps executed: 27 Episode length: 27 Return: 12.0\rSteps executed: 61 Episode length: 34 Return: "
               "15.0\r\n"
               "Average undiscounted return per training episode: 13.5\n"
               "Average training steps per second: 152.25\n")
        << QStringList{u"Episode length | step 27 = 27"_s, u"Return | step 27 = 12"_s,
               u"Episode length | step 61 = 34"_s, u"Return | step 61 = 15"_s,
               u"Average undiscounted return per training episode | iteration 2 = 13.5"_s}
        << u"- -"_s;
    QTest::newRow("steps completed") << QByteArray("steps completed: 100, loss: 0.5\nval loss: 0.25\n")
                                     << QStringList{u"loss | step 100 = 0.5"_s, u"val loss | step 100 = 0.25"_s}
                                     << u"- -"_s;
    QTest::newRow("a name and the values of two parts of the data, without signs")
        << QByteArray("EPOCH 1:\n"
                      "  batch 1000 loss: 1.5\n"
                      "LOSS train 1.25 valid 0.75\n"
                      "EPOCH 2:\n"
                      "LOSS train 1.125 valid 0.5\n"
                      "loss train test 0.5\nLOSS valid 0.5 of 12\n")
        << QStringList{u"loss | batch 1000 in 1 = 1.5"_s, u"LOSS | epoch 1 = 1.25"_s, u"valid/LOSS | epoch 1 = 0.75"_s,
               u"LOSS | epoch 2 = 1.125"_s, u"valid/LOSS | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("headings of results that name their step")
        << QByteArray("Results for epoch 3:\n  - loss: 0.5\n  - accuracy: 0.75\n"
                      "Results for epoch 4:\n  - loss: 0.25\n  - accuracy: 0.875\n"
                      "Evaluation after 5 epochs: mAP 0.5, AP50 0.625\n"
                      "Stopped after 6 epochs, val loss 0.125\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"accuracy | epoch 3 = 0.75"_s, u"loss | epoch 4 = 0.25"_s,
               u"accuracy | epoch 4 = 0.875"_s, u"mAP | epoch 5 = 0.5"_s, u"AP50 | epoch 5 = 0.625"_s,
               u"val loss | epoch 5 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("what the best one had, and what was saved")
        << QByteArray("Epoch 2/4 | Train Loss: 0.5 | Val Acc: 85.5%\n"
                      "  -> New best model saved (val_acc=85.5%)\n"
                      "=> best val_loss 0.25 (epoch 1)\n"
                      "Removed checkpoint step 90 (loss 0.75)\n"
                      "Resumed from last.pt (step 80, loss 0.875)\n"
                      "Running command: train --reward 0.5 --lr 0.1 --loss=0.25\n")
        << QStringList{u"Train Loss | epoch 2 = 0.5"_s, u"Val Acc | epoch 2 = 85.5"_s} << u"0.5 -"_s;
    QTest::newRow("what a score was made of")
        << QByteArray("bleu = 27.5 58.1/33.2/21.0/13.7 (BP = 1.000 ratio = 1.012 hyp_len = 65000 ref_len = 64200)\n"
                      "Generate test with beam=5: BLEU4 = 28.5, 58.1/33.2/21.0/13.7 (BP=1.000, ratio=1.012, "
                      "syslen=65000, reflen=64200)\n")
        << QStringList{u"bleu | none = 27.5"_s, u"BLEU4 | none = 28.5"_s} << u"- -"_s;
    QTest::newRow("a table of pandas") << QByteArray("   epoch  train_loss  val_loss\n"
                                                     "0      1      0.5000    0.7500\n"
                                                     "1      2      0.2500       NaN\n"
                                                     "..   ...         ...       ...\n"
                                                     "9     10      0.1250    0.0625\n")
                                       << QStringList{u"train_loss | epoch 1 = 0.5"_s, u"val_loss | epoch 1 = 0.75"_s,
                                              u"train_loss | epoch 2 = 0.25"_s, u"train_loss | epoch 10 = 0.125"_s,
                                              u"val_loss | epoch 10 = 0.0625"_s}
                                       << u"- -"_s;
    QTest::newRow("a rank right before the time")
        << QByteArray("[rank0]:2024-03-01 10:11:12,123 INFO step 10/40 | loss 0.5\n"
                      "[rank1]:2024-03-01 10:11:12,123 INFO step 10/40 | loss 0.5\n"
                      "[rank0]:2024-03-01 10:11:13,123 INFO step 20/40 | loss 0.25\n")
        << QStringList{u"loss | step 10 = 0.5"_s, u"loss | step 20 = 0.25"_s} << u"0.5 -"_s;
    QTest::newRow("the name of a thread")
        << QByteArray("2024-03-01 10:11:12,123 INFO     [trainer.loop] MainThread: step=10 loss=0.5\n"
                      "2024-03-01 10:11:13,123 INFO     [trainer.loop] MainThread: validation done: loss=0.625\n")
        << QStringList{u"loss | step 10 = 0.5"_s, u"validation done/loss | step 10 = 0.625"_s} << u"- -"_s;
    QTest::newRow("a part of an epoch whose name is short")
        << QByteArray("INFO 2024-03-01 10:11:12 train.py:192 step:200 smpl:2K ep:4 epch:0.25 loss:0.5 lr:1.0e-05\n")
        << QStringList{u"loss | step 200 in 0.25 = 0.5"_s, u"lr | step 200 in 0.25 = 1e-05"_s} << u"- -"_s;
    QTest::newRow("events that say of which part of the data they are")
        << QByteArray("{\"event\": \"train\", \"ts\": 1714900050.5, \"step\": 50, \"metrics\": {\"loss\": 0.5}}\n"
                      "{\"event\": \"eval\", \"ts\": 1714900051.5, \"step\": 50, \"metrics\": {\"loss\": 0.625}}\n"
                      "{\"split\": \"val\", \"step\": 100, \"loss\": 0.25}\n")
        << QStringList{u"loss | step 50 = 0.5"_s, u"eval/loss | step 50 = 0.625"_s, u"val/loss | step 100 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a heading of the validation above a dictionary")
        << QByteArray("Train Epoch 1\n{\n    \"Loss\": 0.5\n}\nValidation Epoch 1\n{\n    \"Loss\": 0.625\n}\n"
                      "Train Epoch 2\n{\n    \"Loss\": 0.25\n}\nValidation Epoch 2\nLoss: 0.375\n")
        << QStringList{u"Loss | epoch 1 = 0.5"_s, u"validation/Loss | epoch 1 = 0.625"_s, u"Loss | epoch 2 = 0.25"_s,
               u"validation/Loss | epoch 2 = 0.375"_s}
        << u"- -"_s;
    QTest::newRow("headings of parts without a step") << QByteArray(
        "Epoch 1/4\n=== Train ===\nloss: 0.5\n2024-03-01 10:11:12 INFO === Validation ===\nloss: 0.625\nF1: 0.75\n"
        "Epoch 2/4\nloss: 0.25\n"
        "Stage.EVAL\nEpoch:3\nloss: 0.375\n")
                                                      << QStringList{u"loss | epoch 1 = 0.5"_s,
                                                             u"validation/loss | epoch 1 = 0.625"_s,
                                                             u"F1 | epoch 1 = 0.75"_s, u"loss | epoch 2 = 0.25"_s,
                                                             u"eval/loss | epoch 3 = 0.375"_s}
                                                      << u"0.5 -"_s;
    QTest::newRow("a level of one letter in front of the part")
        << QByteArray("I Training of Epoch 0 - loss: 2.5\nI Validation of Epoch 0 - loss: 1.5\n")
        << QStringList{u"loss | epoch 0 = 2.5"_s, u"Validation/loss | epoch 0 = 1.5"_s} << u"- -"_s;
    QTest::newRow("dictionaries with the name of the part")
        << QByteArray("{\"name\": \"train\", \"epoch\": 1, \"average loss\": 0.5}\n"
                      "{\"name\": \"validation\", \"epoch\": 1, \"average loss\": 0.625}\n"
                      "{\"name\": \"eval_accuracy\", \"epoch\": 1, \"value\": 0.75}\n")
        << QStringList{u"average loss | epoch 1 = 0.5"_s, u"validation/average loss | epoch 1 = 0.625"_s,
               u"eval_accuracy | epoch 1 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("two parts with a value for each")
        << QByteArray("[Step 1000] Train / Test accuracy: 0.875 / 0.75.\n"
                      "[Step 2000] Train/Test loss: 0.5/0.25, lr: 0.125\n")
        << QStringList{u"Train accuracy | step 1000 = 0.875"_s, u"Test accuracy | step 1000 = 0.75"_s,
               u"Train loss | step 2000 = 0.5"_s, u"Test loss | step 2000 = 0.25"_s, u"lr | step 2000 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("metrics in a column, without signs")
        << QByteArray("Kappa statistic                          0.94  \n"
                      "Mean absolute error                      0.035 \n"
                      "Root mean squared error                  0.1586\n")
        << QStringList{u"Kappa statistic | none = 0.94"_s, u"Mean absolute error | none = 0.035"_s,
               u"Root mean squared error | none = 0.1586"_s}
        << u"- -"_s;
    QTest::newRow("the loss of a duration, and how long a step took")
        << QByteArray("Step [10/40], Loss: 0.5, Dur Loss: 0.25, dt: 0.68\n")
        << QStringList{u"Loss | step 10 = 0.5"_s, u"Dur Loss | step 10 = 0.25"_s} << u"0.25 -"_s;
    QTest::newRow("the step of a simulation")
        << QByteArray("iter: 10, residual: 0.5, dt: 0.125\n")
        << QStringList{u"residual | iteration 10 = 0.5"_s, u"dt | iteration 10 = 0.125"_s} << u"- -"_s;
    QTest::newRow("a table with semicolons")
        << QByteArray("\"Epoch\";\"Train loss\";\"Val F1\"\n\"1\";\"0.5\";\"0.75\"\n\"2\";\"0.25\";\"0.875\"\n\n"
                      "step;loss\n10;0.5\n;\n;0.75\n20;0.25\n")
        << QStringList{u"Train loss | epoch 1 = 0.5"_s, u"Val F1 | epoch 1 = 0.75"_s, u"Train loss | epoch 2 = 0.25"_s,
               u"Val F1 | epoch 2 = 0.875"_s, u"loss | step 10 = 0.5"_s, u"loss | step 20 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a saved model that is exclaimed")
        << QByteArray("Epoch 1: val_acc: 55.5%\nBest model saved! (val_acc: 56%)\nModel saved! val_acc: 57.25\n")
        << QStringList{u"val_acc | epoch 1 = 55.5"_s, u"val_acc | epoch 1 = 57.25"_s} << u"- -"_s;
    QTest::newRow("tables of pandas whose index counts")
        << QByteArray("   train-auc-mean  test-auc-mean\n"
                      "0          0.8125         0.7500\n"
                      "1          0.8750         0.7813\n"
                      "\n"
                      "       train_loss  val_f1\n"
                      "epoch                    \n"
                      "3            0.50    0.75\n"
                      "\n"
                      "   psnr  test_ssim\n"
                      "0  30.5     0.9375\n")
        << QStringList{u"train-auc-mean | iteration 0 = 0.8125"_s, u"test-auc-mean | iteration 0 = 0.75"_s,
               u"train-auc-mean | iteration 1 = 0.875"_s, u"test-auc-mean | iteration 1 = 0.7813"_s,
               u"train_loss | epoch 3 = 0.5"_s, u"val_f1 | epoch 3 = 0.75"_s, u"psnr | epoch 3 = 30.5"_s,
               u"test_ssim | epoch 3 = 0.9375"_s}
        << u"- -"_s;
    QTest::newRow("tables of pandas of models and of data") << QByteArray(
        "       model  score_val eval_metric  accuracy\n"
        "0   Ensemble     0.8750    accuracy    0.5000\n"
        "1   LightGBM     0.7500    accuracy    0.2500\n"
        "   psnr  ssim\n"
        "0  30.5  0.75\n"
        "1  31.5  0.50\n") << QStringList() << u"- -"_s;
    QTest::newRow("a table of pandas that tells again what was printed")
        << QByteArray("Epoch 1 loss: 0.5\nEpoch 2 loss: 0.25\n"
                      "   epoch    loss  val_acc\n"
                      "0      1  0.5000    0.750\n"
                      "1      2  0.2500    0.875\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s, u"val_acc | epoch 1 = 0.75"_s,
               u"val_acc | epoch 2 = 0.875"_s}
        << u"- -"_s;
    QTest::newRow("models in a row for each, and a column for each part of the data")
        << QByteArray("| model | train | test  |\n| small | 0.5   | 0.25  |\n| large | 0.75  | 0.625 |\n")
        << QStringList() << u"- -"_s;
}

} // namespace trainyard
