// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addTables()
{
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
                                      << u"- 1.92"_s;
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
    QTest::newRow("detection with masks")
        << QByteArray("      Epoch   box_loss   cls_loss  Instances       Size\n"
                      "      1/3      1.25      1.5         81        640: 100%|##########| 8/8 [00:02<00:00,  "
                      "3.10it/s]\n"
                      "                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95)     "
                      "Mask(P          R      mAP50  mAP50-95): 100%|##########| 4/4 [00:00<00:00,  5.10it/s]\n"
                      "                   all        128        929      0.5      0.625      0.75      0.375      "
                      "0.25      0.125      0.875      0.0625\n")
        << QStringList{u"box_loss | epoch 1 = 1.25"_s, u"cls_loss | epoch 1 = 1.5"_s, u"P | epoch 1 = 0.5"_s,
               u"R | epoch 1 = 0.625"_s, u"mAP50 | epoch 1 = 0.75"_s, u"mAP50-95 | epoch 1 = 0.375"_s,
               u"Mask/P | epoch 1 = 0.25"_s, u"Mask/R | epoch 1 = 0.125"_s, u"Mask/mAP50 | epoch 1 = 0.875"_s,
               u"Mask/mAP50-95 | epoch 1 = 0.0625"_s}
        << u"0.3333 -"_s;
    QTest::newRow("box with a step that has an exponent")
        << QByteArray("----------------------\n"
                      "| loss    | 0.75     |\n"
                      "| samples | 128      |\n"
                      "| step    | 0        |\n"
                      "----------------------\n"
                      "----------------------\n"
                      "| loss    | 0.5      |\n"
                      "| samples | 1.28e+05 |\n"
                      "| step    | 1e+03    |\n"
                      "----------------------\n")
        << QStringList{u"loss | step 0 = 0.75"_s, u"loss | step 1000 = 0.5"_s} << u"- -"_s;
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
    QTest::newRow("a header in two lines")
        << QByteArray("|=============================================================================|\n"
                      "|  Epoch  |  Iteration  |  Time Elapsed  |  Mini-batch  |  Mini-batch  |  Base Learning  |\n"
                      "|         |             |   (hh:mm:ss)   |   Accuracy   |     Loss     |      Rate       |\n"
                      "|=============================================================================|\n"
                      "|       1 |           1 |       00:00:01 |       12.50% |       2.2500 |          0.0100 |\n"
                      "|       1 |          50 |       00:00:10 |       50.00% |       1.2500 |          0.0100 |\n"
                      "|=============================================================================|\n")
        << QStringList{u"Mini-batch Accuracy | iteration 1 in 1 = 12.5"_s,
               u"Mini-batch Loss | iteration 1 in 1 = 2.25"_s, u"Base Learning Rate | iteration 1 in 1 = 0.01"_s,
               u"Mini-batch Accuracy | iteration 50 in 1 = 50"_s, u"Mini-batch Loss | iteration 50 in 1 = 1.25"_s,
               u"Base Learning Rate | iteration 50 in 1 = 0.01"_s}
        << u"- -"_s;
    QTest::newRow("a row of which nothing is known is no second line of the header")
        << QByteArray("| Epoch | Loss | Val Loss |\n"
                      "|       | n/a  | n/a      |\n"
                      "| 1     | 0.5  | n/a      |\n"
                      "| 2     | 0.25 | 0.75     |\n")
        << QStringList{u"Loss | epoch 1 = 0.5"_s, u"Loss | epoch 2 = 0.25"_s, u"Val Loss | epoch 2 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("what is not available is no label of a row")
        << QByteArray("epoch 1\n"
                      "set        loss     acc\n"
                      "train      0.5      n/a\n"
                      "val        0.75     0.125\n")
        << QStringList{u"train/loss | epoch 1 = 0.5"_s, u"val/loss | epoch 1 = 0.75"_s, u"val/acc | epoch 1 = 0.125"_s}
        << u"- -"_s;
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
        << QStringList{u"Train loss | iteration 20 = 41.5"_s, u"Grad Norm | iteration 20 = 4.25"_s,
               u"Validation loss | iteration 1000 = 0.5"_s}
        << u"- -"_s;
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
    QTest::newRow("a row for each part of the data")
        << QByteArray("epoch 1\n"
                      "set        loss     acc\n"
                      "train      0.5      0.25\n"
                      "val        0.75     0.125\n")
        << QStringList{u"train/loss | epoch 1 = 0.5"_s, u"train/acc | epoch 1 = 0.25"_s, u"val/loss | epoch 1 = 0.75"_s,
               u"val/acc | epoch 1 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("shares behind the steps of a table")
        << QByteArray("Step   Loss   Acc\n"
                      "100 (25.00%)   0.5   0.25\n"
                      "200 (50.00%)   0.25  0.5\n")
        << QStringList{u"Loss | step 100 = 0.5"_s, u"Acc | step 100 = 0.25"_s, u"Loss | step 200 = 0.25"_s,
               u"Acc | step 200 = 0.5"_s}
        << u"0.5 -"_s;
    QTest::newRow("headings of several columns each")
        << QByteArray("    |    Offspring    |     Elite        |\n"
                      "--- ----------------- ------------------\n"
                      "Gen   Length  Fitness   Length   Fitness\n"
                      "  0    38.5      4.5        5     0.25\n"
                      "  1     9.5      1.5        5     0.125\n")
        << QStringList{u"Offspring/Length | round 0 = 38.5"_s, u"Offspring/Fitness | round 0 = 4.5"_s,
               u"Elite/Fitness | round 0 = 0.25"_s, u"Offspring/Length | round 1 = 9.5"_s,
               u"Offspring/Fitness | round 1 = 1.5"_s, u"Elite/Fitness | round 1 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("a generator's column, which counts nothing")
        << QByteArray("Epoch   Disc loss   Gen     Val loss\n"
                      "1       0.5         0.75    0.25\n")
        << QStringList{u"Disc loss | epoch 1 = 0.5"_s, u"Gen | epoch 1 = 0.75"_s, u"Val loss | epoch 1 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a column of the time left")
        << QByteArray("Iter         Loss   TimeLeft\n"
                      "100 (2.00%)   0.5   1h\n"
                      "200 (4.00%)   0.25  1h\n")
        << QStringList{u"Loss | iteration 100 = 0.5"_s, u"Loss | iteration 200 = 0.25"_s} << u"0.04 3600"_s;
}

} // namespace trainyard
