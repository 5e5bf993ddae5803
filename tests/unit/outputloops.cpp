// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// Lines as people print them in loops that they write themselves.
void OutputTests::addLoops()
{
    QTest::newRow("a step below the best of all, which is none of the line")
        << QByteArray("[Epoch 1/5] valid mIoU 0.25\n"
                      "Best valid mIoU 0.25 Epoch 1\n"
                      "[Epoch 2/5] valid mIoU 0.5\n"
                      "Best valid mIoU 0.5 Epoch 2\n")
        << QStringList{u"valid mIoU | epoch 1 = 0.25"_s, u"valid mIoU | epoch 2 = 0.5"_s} << u"0.4 -"_s;
    QTest::newRow("a file, a function and a line of the source in front of a heading")
        << QByteArray("2024-01-30 20:19:13,083 server.py run [line:60] INFO ------Round 8------\n"
                      "2024-01-30 20:20:15,743 logs.py show_all [line:134] INFO test_loss       0.5\n"
                      "2024-01-30 20:20:15,745 logs.py end [line:74] INFO Time Cost:            62.5s\n"
                      "2024-01-30 20:21:13,083 server.py run [line:60] INFO ------Round 9------\n"
                      "2024-01-30 20:22:15,743 logs.py show_all [line:134] INFO test_loss       0.25\n")
        << QStringList{u"test_loss | round 8 = 0.5"_s, u"test_loss | round 9 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a reward behind its value, in a sentence")
        << QByteArray("Episode 1 finished after 13 timesteps and got 0.0 reward\n"
                      "Episode 2 finished after 16 timesteps and got 1.5 reward.\n"
                      "Episode 3 finished after 16 timesteps and got 2.5 rewards less than the last one\n")
        << QStringList{u"reward | episode 1 = 0"_s, u"reward | episode 2 = 1.5"_s} << u"- -"_s;
    QTest::newRow("of how many a value is the mean")
        << QByteArray("Eval epoch: 14\n"
                      "Mean test loss of 8 batches: 0.5\n"
                      "Eval epoch: 15\n"
                      "Mean test loss of 8 batches: 0.25\n"
                      "Test errors of 8 files: 12\n")
        << QStringList{u"Mean test loss | epoch 14 = 0.5"_s, u"Mean test loss | epoch 15 = 0.25"_s} << u"- -"_s;
    QTest::newRow("how large the data is that a value is of")
        << QByteArray("Epoch 3\n"
                      "278.5 perplexity estimate based on a held-out corpus of 100 documents with 4000 words\n"
                      "global_step=1024, episodic_return=[21.]\n"
                      "global_step=2048, episodic_return=[34.5]\n")
        << QStringList{u"episodic_return | step 1024 = 21"_s, u"episodic_return | step 2048 = 34.5"_s} << u"- -"_s;
    QTest::newRow("bare numbers between steps that have their name")
        << QByteArray("step 0: train loss 4.5, val loss 4.25\n"
                      "0 | loss 4.5 | lr 0.001\n"
                      "10 | loss 3.5 | lr 0.002\n"
                      "step 20: train loss 3.25, val loss 3.5\n")
        << QStringList{u"train loss | step 0 = 4.5"_s, u"val loss | step 0 = 4.25"_s, u"loss | step 0 = 4.5"_s,
               u"lr | step 0 = 0.001"_s, u"loss | step 10 = 3.5"_s, u"lr | step 10 = 0.002"_s,
               u"train loss | step 20 = 3.25"_s, u"val loss | step 20 = 3.5"_s}
        << u"- -"_s;
    QTest::newRow("values in brackets behind short names")
        << QByteArray("Epoch: [10/200] [500/1000] Avg Loss: D[0.25] G[0.5]\n"
                      "Epoch: [10/200] [600/1000] Avg Loss: D[0.00] G[0.75]\n"
                      "Epoch: [10/200] [700/1000] Last loss: history[0.5]\n")
        << QStringList{u"Avg Loss/D | batch 500 in 10 = 0.25"_s, u"Avg Loss/G | batch 500 in 10 = 0.5"_s,
               u"Avg Loss/D | batch 600 in 10 = 0"_s, u"Avg Loss/G | batch 600 in 10 = 0.75"_s}
        << u"0.7 -"_s;
    QTest::newRow("a time with its half of the day")
        << QByteArray("03/07 02:15:10 PM epoch 3 loss 0.5\n"
                      "03/07 02:16:10 PM epoch 4 loss 0.25\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"loss | epoch 4 = 0.25"_s} << u"- -"_s;
    QTest::newRow("counts in headings") << QByteArray(
        "epochs:  0\n"
        "train loss: 0.5\n"
        "epochs:  1\n"
        "train loss: 0.25\n") << QStringList{u"train loss | epoch 0 = 0.5"_s, u"train loss | epoch 1 = 0.25"_s}
                                        << u"- -"_s;
    QTest::newRow("a heading that counts behind words")
        << QByteArray("training printing epoch: 1\n"
                      "score@5: 0.5, recall@5: 0.25\n"
                      "training printing epoch: 2\n"
                      "score@5: 0.625, recall@5: 0.375\n")
        << QStringList{u"score@5 | epoch 1 = 0.5"_s, u"recall@5 | epoch 1 = 0.25"_s, u"score@5 | epoch 2 = 0.625"_s,
               u"recall@5 | epoch 2 = 0.375"_s}
        << u"- -"_s;
    QTest::newRow("names and then their numbers")
        << QByteArray("Epoch 1\n"
                      "train_loss, val_loss 0.5 0.75\n"
                      "Epoch 2\n"
                      "train_loss, val_loss 0.25 0.5\n")
        << QStringList{u"train_loss | epoch 1 = 0.5"_s, u"val_loss | epoch 1 = 0.75"_s,
               u"train_loss | epoch 2 = 0.25"_s, u"val_loss | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("names and then their numbers in brackets")
        << QByteArray("step, loss, accuracy: [3, 0.5, 0.25]\n")
        << QStringList{u"loss | step 3 = 0.5"_s, u"accuracy | step 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a name above its value")
        << QByteArray("accuracy on validation data\n"
                      "0.875\n"
                      "Test loss:\n"
                      "0.25\n")
        << QStringList{u"accuracy on validation data | none = 0.875"_s, u"Test loss | none = 0.25"_s} << u"- -"_s;
    QTest::newRow("two counts in brackets, parted by a blank")
        << QByteArray("[1/4] [30/120] loss: 0.5\n"
                      "[1/4] [60/120] loss: 0.25\n")
        << QStringList{u"loss | batch 30 in 1 = 0.5"_s, u"loss | batch 60 in 1 = 0.25"_s} << u"0.5 -"_s;
    QTest::newRow("a count in brackets before a named one")
        << QByteArray("[1/4] Batch 10/20\tLoss_D: 0.5\n"
                      "[1/4] Batch 20/20\tLoss_D: 0.25\n")
        << QStringList{u"Loss_D | batch 10 in 1 = 0.5"_s, u"Loss_D | batch 20 in 1 = 0.25"_s} << u"0.25 -"_s;
    QTest::newRow("a count in brackets before a bar")
        << QByteArray("[1/4] Loss: 0.5, Acc: 0.25:  50%|##  | 10/20 [00:01<00:01, 12.1it/s]\n")
        << QStringList{u"Loss | batch 10 in 1 = 0.5"_s, u"Acc | batch 10 in 1 = 0.25"_s} << u"0.5 1"_s;
    QTest::newRow("a bar that begins the next epoch with what the one before has said")
        << QByteArray("Epoch 0:   0%|          | 0/2 [00:00<?, ?it/s]\r"
                      "Epoch 0:  50%|##5  | 1/2 [00:01<00:01, 1.0it/s, loss=0.5]\r"
                      "Epoch 0: 100%|#####| 2/2 [00:02<00:00, 1.0it/s, loss=0.25]\r"
                      "Epoch 1:   0%|          | 0/2 [00:00<?, ?it/s, loss=0.25]\r"
                      "Epoch 1:  50%|##5  | 1/2 [00:01<00:01, 1.0it/s, loss=0.125]\r")
        << QStringList{u"loss | batch 1 in 0 = 0.5"_s, u"loss | batch 2 in 0 = 0.25"_s,
               u"loss | batch 1 in 1 = 0.125"_s}
        << u"0.5 1"_s;
    QTest::newRow("arrows before a name")
        << QByteArray("Epoch 1\n"
                      "  Now -> Train loss: 0.5 | Val loss: 0.75\n")
        << QStringList{u"Train loss | epoch 1 = 0.5"_s, u"Val loss | epoch 1 = 0.75"_s} << u"- -"_s;
    QTest::newRow("marks around a part before a name")
        << QByteArray("iter: 300 # Check # PSNR: 23.5\n") << QStringList{u"PSNR | iteration 300 = 23.5"_s} << u"- -"_s;
    QTest::newRow("a unit behind a metric, two blanks away")
        << QByteArray("MAE  (mm): 0.25\n"
                      "RMSE (mm): 0.5\n")
        << QStringList{u"MAE  (mm) | none = 0.25"_s, u"RMSE (mm) | none = 0.5"_s} << u"- -"_s;
    QTest::newRow("a list with blanks is no value") << QByteArray("Epoch 1 loss: 0.5\n"
                                                                  "scores: [0.5 0.25 0.75]\n")
                                                    << QStringList{u"loss | epoch 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("dashes behind a count")
        << QByteArray("epoch3--------------d_loss:0.5 g_loss:0.25--------------\n")
        << QStringList{u"d_loss | epoch 3 = 0.5"_s, u"g_loss | epoch 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("metrics below each other")
        << QByteArray("  accuracy            : 0.8125\n"
                      "  precision           : 0.75\n"
                      "  recall              : 0.625\n")
        << QStringList{u"accuracy | none = 0.8125"_s, u"precision | none = 0.75"_s, u"recall | none = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("a measure among settings") << QByteArray("max_len: 1024\n"
                                                            "vocab: 50257\n"
                                                            "heads: 12\n"
                                                            "val loss 5.325431\n")
                                              << QStringList{u"val loss | none = 5.325431"_s} << u"- -"_s;
    QTest::newRow("steps in parentheses behind a name")
        << QByteArray("Train loss (epoch 1): 0.5\n"
                      "Val loss (epoch 1): 0.75\n")
        << QStringList{u"Train loss | epoch 1 = 0.5"_s, u"Val loss | epoch 1 = 0.75"_s} << u"- -"_s;
    QTest::newRow("dashes of other widths") << QByteArray("Epoch 1 \342\200\224 loss: 0.5, val_loss: 0.75\n"
                                                          "Epoch 2 \342\200\224 loss: 0.25, val_loss: 0.5\n")
                                            << QStringList{u"loss | epoch 1 = 0.5"_s, u"val_loss | epoch 1 = 0.75"_s,
                                                   u"loss | epoch 2 = 0.25"_s, u"val_loss | epoch 2 = 0.5"_s}
                                            << u"- -"_s;
    QTest::newRow("an exclamation before a name")
        << QByteArray("Epoch 3/24\n"
                      "Epoch done! train loss: 0.5\n"
                      "Epoch done! val loss: 0.75\n")
        << QStringList{u"train loss | epoch 3 = 0.5"_s, u"val loss | epoch 3 = 0.75"_s} << u"0.125 -"_s;
    QTest::newRow("a count of progress within the epoch")
        << QByteArray("Epoch: 1, Progress: 640/6000, Loss: 0.5\n"
                      "Epoch: 1, Progress: 1280/6000, Loss: 0.25\n")
        << QStringList{u"Loss | batch 640 in 1 = 0.5"_s, u"Loss | batch 1280 in 1 = 0.25"_s} << u"0.2133 -"_s;
    QTest::newRow("a bar drawn in brackets") << QByteArray(
        "\r[====>          ] 10/50 \t Loss : 0.5 , Acc : 0.25\r[=========>     ] 20/50 \t Loss : 0.25 , Acc : 0.5\n")
                                             << QStringList{u"Loss | iteration 10 = 0.5"_s,
                                                    u"Acc | iteration 10 = 0.25"_s, u"Loss | iteration 20 = 0.25"_s,
                                                    u"Acc | iteration 20 = 0.5"_s}
                                             << u"0.4 -"_s;
    QTest::newRow("a bar with its count at the end")
        << QByteArray("Epoch: 0\n [===>...........]  Step: 30ms | Loss: 0.5 | Acc: 25.000% (32/128) 1/40 \r "
                      "[======>........]  Step: 30ms | Loss: 0.25 | Acc: 50.000% (128/256) 2/40 \n")
        << QStringList{u"Loss | batch 1 in 0 = 0.5"_s, u"Acc | batch 1 in 0 = 25"_s, u"Loss | batch 2 in 0 = 0.25"_s,
               u"Acc | batch 2 in 0 = 50"_s}
        << u"0.05 -"_s;
    QTest::newRow("a bar between signs") << QByteArray(
        "\rProcessing |####            | (10/40) Data: 0.012s | ETA: 0:00:30 | Loss: 0.5 | top1:  25.5\rProcessing "
        "|########        | (20/40) Data: 0.012s | ETA: 0:00:20 | Loss: 0.25 | top1:  50.5\n")
                                         << QStringList{u"Loss | iteration 10 = 0.5"_s, u"top1 | iteration 10 = 25.5"_s,
                                                u"Loss | iteration 20 = 0.25"_s, u"top1 | iteration 20 = 50.5"_s}
                                         << u"0.5 20"_s;
    QTest::newRow("lines that go on below their step")
        << QByteArray("[epoch  1][iter  100/5000] loss: 1.5, lr: 1.00e-03\n"
                      "\t\t\tfg/bg=(18/238), time cost: 52.123456\n"
                      "\t\t\trpn_cls: 0.5125, rpn_box: 0.2512, rcnn_cls: 0.1251, rcnn_box 0.0625\n")
        << QStringList{u"loss | batch 100 in 1 = 1.5"_s, u"lr | batch 100 in 1 = 0.001"_s,
               u"rpn_cls | batch 100 in 1 = 0.5125"_s, u"rpn_box | batch 100 in 1 = 0.2512"_s,
               u"rcnn_cls | batch 100 in 1 = 0.1251"_s, u"rcnn_box | batch 100 in 1 = 0.0625"_s}
        << u"0.02 -"_s;
    QTest::newRow("a name of one letter behind a value")
        << QByteArray("step 3 loss 0.5 W 0.25 b 0.75\n")
        << QStringList{u"loss | step 3 = 0.5"_s, u"W | step 3 = 0.25"_s, u"b | step 3 = 0.75"_s} << u"- -"_s;
    QTest::newRow("two words that count, before their names")
        << QByteArray("1 epoch, 100 iter loss : 0.5\n"
                      "1 epoch, 200 iter loss : 0.25\n")
        << QStringList{u"loss | iteration 100 = 0.5"_s, u"loss | iteration 200 = 0.25"_s} << u"- -"_s;
    QTest::newRow("the last name of a sentence")
        << QByteArray("3 epoch, 0.5 loss, 25.5% accuracy, 12.5% accuracy adversarial.\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"accuracy | epoch 3 = 25.5"_s,
               u"accuracy adversarial | epoch 3 = 12.5"_s}
        << u"- -"_s;
    QTest::newRow("a number with a sign in front") << QByteArray("#1 loss: 0.5 acc: 0.25\n"
                                                                 "#2 loss: 0.25 acc: 0.5\n")
                                                   << QStringList{u"loss | step 1 = 0.5"_s, u"acc | step 1 = 0.25"_s,
                                                          u"loss | step 2 = 0.25"_s, u"acc | step 2 = 0.5"_s}
                                                   << u"- -"_s;
    QTest::newRow("a count in the words of a program")
        << QByteArray("Epoch:1, GlobalSteps:20, BatchLoss:0.5, gb_loss:0.25\n"
                      "Epoch:1, GlobalSteps:40, BatchLoss:0.25, gb_loss:0.125\n")
        << QStringList{u"BatchLoss | step 20 in 1 = 0.5"_s, u"gb_loss | step 20 in 1 = 0.25"_s,
               u"BatchLoss | step 40 in 1 = 0.25"_s, u"gb_loss | step 40 in 1 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("an update in a log of a program")
        << QByteArray("10:00:12 | 0:00:12 | upd    500 | loss 4.5 | ppl 90.25\n"
                      "10:00:24 | 0:00:24 | upd   1000 | loss 4.25 | ppl 70.5\n")
        << QStringList{u"loss | update 500 = 4.5"_s, u"ppl | update 500 = 90.25"_s, u"loss | update 1000 = 4.25"_s,
               u"ppl | update 1000 = 70.5"_s}
        << u"- -"_s;
    QTest::newRow("values of tensors") << QByteArray("Epoch: 3\n"
                                                     "Encoder loss: tf.Tensor(0.5, shape=(), dtype=float32)\n")
                                       << QStringList{u"Encoder loss | epoch 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("an epoch and a batch before an iteration behind")
        << QByteArray("[1, 12000] loss: 0.5 iteration     1\n"
                      "[1, 24000] loss: 0.25 iteration     2\n")
        << QStringList{u"loss | batch 12000 in 1 = 0.5"_s, u"loss | batch 24000 in 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a total of losses") << QByteArray("Epoch 1\n"
                                                     "Training loss: l1_loss=0.5, l2_loss=0.25, total=0.75\n")
                                       << QStringList{u"l1_loss | epoch 1 = 0.5"_s, u"l2_loss | epoch 1 = 0.25"_s,
                                              u"total | epoch 1 = 0.75"_s}
                                       << u"- -"_s;
    QTest::newRow("metrics in a sentence, beside a time")
        << QByteArray("time: 1.234, loss: 0.312, F1: 0.871, P: 0.881, R: 0.861\n")
        << QStringList{u"loss | none = 0.312"_s, u"F1 | none = 0.871"_s, u"P | none = 0.881"_s, u"R | none = 0.861"_s}
        << u"- -"_s;
    QTest::newRow("a share behind a faint name")
        << QByteArray("  mAP:    81.25%\n") << QStringList{u"mAP | none = 81.25"_s} << u"- -"_s;
    QTest::newRow("a square") << QByteArray("RMSE: 1.25\n"
                                            "R\302\262:   0.875\n")
                              << QStringList{u"RMSE | none = 1.25"_s, u"R² | none = 0.875"_s} << u"- -"_s;
    QTest::newRow("the returns of episodes")
        << QByteArray("---------------------------------\n"
                      "|           Epoch |             3 |\n"
                      "|    AverageEpRet |          -500 |\n"
                      "|          LossPi |          0.25 |\n"
                      "---------------------------------\n")
        << QStringList{u"AverageEpRet | epoch 3 = -500"_s, u"LossPi | epoch 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("classes behind bars, of which the first may be the only one")
        << QByteArray("cat | Precision: 0.5 | Recall: 0.25\n"
                      "dog | Precision: 0.25 | Recall: 0.125\n")
        << QStringList{u"Precision | none = 0.5"_s, u"Recall | none = 0.25"_s} << u"- -"_s;
    QTest::newRow("two dictionaries of one step")
        << QByteArray("Epoch 3 | Train: {'loss': 0.5, 'acc': 0.25} | Val: {'loss': 0.75, 'acc': 0.125}\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"acc | epoch 3 = 0.25"_s, u"Val/loss | epoch 3 = 0.75"_s,
               u"Val/acc | epoch 3 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("a name that says nothing among measures")
        << QByteArray("Test loss:0.2512, OA:0.9375, Recall:0.8125, MIoU:0.7512\n")
        << QStringList{u"Test loss | none = 0.2512"_s, u"OA | none = 0.9375"_s, u"Recall | none = 0.8125"_s,
               u"MIoU | none = 0.7512"_s}
        << u"- -"_s;
    QTest::newRow("names above their values, one after the other")
        << QByteArray("Precision:\n0.8912345678\nF1 Score:\n0.7812345678\n")
        << QStringList{u"Precision | none = 0.8912345678"_s, u"F1 Score | none = 0.7812345678"_s} << u"- -"_s;
}

// Tables whose rows have more or other cells than their header.
void OutputTests::addLooseTables()
{
    QTest::newRow("rows with marks behind them")
        << QByteArray("  Epoch   Train Loss   Val Loss\n"
                      "      1       0.5000     0.7500  *\n"
                      "      2       0.2500     0.5000\n"
                      "      3       0.1250     0.2500  <- new best\n")
        << QStringList{u"Train Loss | epoch 1 = 0.5"_s, u"Val Loss | epoch 1 = 0.75"_s,
               u"Train Loss | epoch 2 = 0.25"_s, u"Val Loss | epoch 2 = 0.5"_s, u"Train Loss | epoch 3 = 0.125"_s,
               u"Val Loss | epoch 3 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("rows with a time and a setting behind them")
        << QByteArray("epoch  loss    acc\n"
                      "    1  0.5000  0.2500  [12.3s]\n"
                      "    2  0.2500  0.5000  [12.3s] lr=0.001\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"acc | epoch 1 = 0.25"_s, u"loss | epoch 2 = 0.25"_s,
               u"acc | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("bars to the end of the lines") << QByteArray("Epoch |    Loss | AUC |\n"
                                                                "-----------------------\n"
                                                                "    1 |  0.5000 | 0.25 | <--\n"
                                                                "    2 |  0.2500 | 0.75 |\n")
                                                  << QStringList{u"Loss | epoch 1 = 0.5"_s, u"AUC | epoch 1 = 0.25"_s,
                                                         u"Loss | epoch 2 = 0.25"_s, u"AUC | epoch 2 = 0.75"_s}
                                                  << u"- -"_s;
    QTest::newRow("a line between groups of columns")
        << QByteArray("  Epoch    TrLoss   TrMAE  \342\224\202    VaLoss    VaMAE\n"
                      "      1    0.5000    1.50  \342\224\202    0.7500     2.50\n")
        << QStringList{u"TrLoss | epoch 1 = 0.5"_s, u"TrMAE | epoch 1 = 1.5"_s, u"VaLoss | epoch 1 = 0.75"_s,
               u"VaMAE | epoch 1 = 2.5"_s}
        << u"- -"_s;
    QTest::newRow("words in the column of the steps")
        << QByteArray("Epoch    | Train Loss | Val Loss\n"
                      "Epoch  1 |     0.5000 |   0.7500\n"
                      "Epoch  2 |     0.2500 |   0.5000\n")
        << QStringList{u"Train Loss | epoch 1 = 0.5"_s, u"Val Loss | epoch 1 = 0.75"_s,
               u"Train Loss | epoch 2 = 0.25"_s, u"Val Loss | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("commas and blanks") << QByteArray("Epoch, Train Loss, Val Loss\n"
                                                     "1, 0.5, 0.75\n"
                                                     "2, 0.25, 0.5\n")
                                       << QStringList{u"Train Loss | epoch 1 = 0.5"_s, u"Val Loss | epoch 1 = 0.75"_s,
                                              u"Train Loss | epoch 2 = 0.25"_s, u"Val Loss | epoch 2 = 0.5"_s}
                                       << u"- -"_s;
    QTest::newRow("a value that Markdown marks")
        << QByteArray("| Epoch | Val Loss |\n"
                      "|---|---|\n"
                      "| 1 | 0.75 |\n"
                      "| 2 | **0.5** |\n")
        << QStringList{u"Val Loss | epoch 1 = 0.75"_s, u"Val Loss | epoch 2 = 0.5"_s} << u"- -"_s;
    QTest::newRow("tabs without a step, with one at the end")
        << QByteArray("Learning Rate\tTrain Loss\tValid Acc.\t\n"
                      "0.100000\t0.500000\t25.500000\t\n"
                      "0.100000\t0.250000\t50.500000\t\n")
        << QStringList{u"Learning Rate | none = 0.1"_s, u"Train Loss | none = 0.5"_s, u"Valid Acc. | none = 25.5"_s,
               u"Learning Rate | none = 0.1"_s, u"Train Loss | none = 0.25"_s, u"Valid Acc. | none = 50.5"_s}
        << u"- -"_s;
}

} // namespace trainyard
