// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addExperiments()
{
    QTest::newRow("an accuracy of each of two brackets")
        << QByteArray("0:  [D loss: 0.5, acc: 0.25] [G loss: 1.5, acc: 0.75]\n"
                      "1:  [D loss: 0.25, acc: 0.5] [G loss: 1.25, acc: 0.625]\n")
        << QStringList{u"D loss | iteration 0 = 0.5"_s, u"acc | iteration 0 = 0.25"_s, u"G loss | iteration 0 = 1.5"_s,
               u"G acc | iteration 0 = 0.75"_s, u"D loss | iteration 1 = 0.25"_s, u"acc | iteration 1 = 0.5"_s,
               u"G loss | iteration 1 = 1.25"_s, u"G acc | iteration 1 = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("a share as the program shows it")
        << QByteArray("[Epoch 1] Accuracy: 5440/6000 (0.90667)\n"
                      "[Epoch 2] Accuracy: 5500/6000 (0.91667)\n")
        << QStringList{u"Accuracy | epoch 1 = 0.90667"_s, u"Accuracy | epoch 2 = 0.91667"_s} << u"- -"_s;
    QTest::newRow("an iteration in parentheses")
        << QByteArray("[ (0 ) Loss:  0.5, valid_Acc: 0.25]\n"
                      "[ (1 ) Loss:  0.25, valid_Acc: 0.5]\n")
        << QStringList{u"Loss | iteration 0 = 0.5"_s, u"valid_Acc | iteration 0 = 0.25"_s,
               u"Loss | iteration 1 = 0.25"_s, u"valid_Acc | iteration 1 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("iterations that go on from epoch to epoch")
        << QByteArray("<epoch:  8, iter:     500> l_pix: 5.0e-01\n"
                      "<epoch: 16, iter:   1,000> l_pix: 2.5e-01\n"
                      "Validation Set5,\t # psnr: 20.5\n")
        << QStringList{u"l_pix | iteration 500 = 0.5"_s, u"l_pix | iteration 1000 = 0.25"_s,
               u"psnr | iteration 1000 = 20.5"_s}
        << u"- -"_s;
    QTest::newRow("iterations that go on from epoch to epoch, with a result of each epoch")
        << QByteArray("epoch: 1, iter: 100, loss: 0.75\n"
                      "epoch: 1, iter: 200, loss: 0.5\n"
                      "validation loss: 0.875\n"
                      "epoch: 2, iter: 300, loss: 0.5\n"
                      "epoch: 2, iter: 400, loss: 0.25\n"
                      "validation loss: 0.625\n")
        << QStringList{u"loss | batch 100 in 1 = 0.75"_s, u"loss | batch 200 in 1 = 0.5"_s,
               u"validation loss | epoch 1 = 0.875"_s, u"loss | batch 300 in 2 = 0.5"_s,
               u"loss | batch 400 in 2 = 0.25"_s, u"validation loss | epoch 2 = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("the classes of a line") << QByteArray("Epoch(val) [10][50/50]  coco/mAP: 0.5300  coco/classes: "
                                                         "{'cat': {'ap': 0.25, 'num': 3}, 'dog': {'ap': 0.75}}\n")
                                           << QStringList{u"coco/mAP | epoch 10 = 0.53"_s} << u"1 -"_s;
    QTest::newRow("names with their part of the data in a dictionary behind a loss")
        << QByteArray("step: 100, loss: 0.5, metrics: {'val/acc': 0.75, 'val/f1': 0.25}\n"
                      "step: 200, loss: 0.25, metrics: {'val': {'acc': 0.875}}\n")
        << QStringList{u"loss | step 100 = 0.5"_s, u"val/acc | step 100 = 0.75"_s, u"val/f1 | step 100 = 0.25"_s,
               u"loss | step 200 = 0.25"_s, u"val/acc | step 200 = 0.875"_s}
        << u"- -"_s;
    QTest::newRow("a step and how many there will be")
        << QByteArray("Epoch 3, step/total_step: 15/60 25.00% Loss:5.25\n"
                      "Epoch 3, step/total_step: 30/60 50.00% Loss:4.5\n")
        << QStringList{u"Loss | step 15 in 3 = 5.25"_s, u"Loss | step 30 in 3 = 4.5"_s} << u"0.5 -"_s;
    QTest::newRow("updates between bars")
        << QByteArray("| epoch 000 | 0001000 updates | trainloss    1.50 | train ppl  30.25\n"
                      "| checkpoint 001 | epoch 001 | 0001413 updates | validloss     1.25\n")
        << QStringList{u"trainloss | update 1000 in 0 = 1.5"_s, u"train ppl | update 1000 in 0 = 30.25"_s,
               u"validloss | update 1413 in 1 = 1.25"_s}
        << u"- -"_s;
    QTest::newRow("a heading that ends with its step")
        << QByteArray("Log records from the iteration 558:\n"
                      "         decoder_cost: 134.25\n"
                      "Log records from the iteration 559:\n"
                      "         decoder_cost: 133.5\n")
        << QStringList{u"decoder_cost | iteration 558 = 134.25"_s, u"decoder_cost | iteration 559 = 133.5"_s}
        << u"- -"_s;
    QTest::newRow("updates beside their epoch")
        << QByteArray("epoch: 1 | nupdates: 76 | loss: 1.5\n"
                      "epoch: 1 | nupdates: 80 | loss: 1.25\n")
        << QStringList{u"loss | update 76 in 1 = 1.5"_s, u"loss | update 80 in 1 = 1.25"_s} << u"- -"_s;
    QTest::newRow("the number of an epoch as a column")
        << QByteArray("Epoch-Num\tTrain-Loss\tValid-acc\n"
                      "0.000000\t2.770000\t8.452000\n"
                      "1.000000\t2.521000\t14.481000\n")
        << QStringList{u"Train-Loss | epoch 0 = 2.77"_s, u"Valid-acc | epoch 0 = 8.452"_s,
               u"Train-Loss | epoch 1 = 2.521"_s, u"Valid-acc | epoch 1 = 14.481"_s}
        << u"- -"_s;
    QTest::newRow("a row of names behind a tag and a count in brackets")
        << QByteArray("[sup] iter [20/400] LR 0.01 Sup 1.5 Unsup 0.25 mIoU 80.5\n"
                      "[sup] iter [40/400] LR 0.01 Sup 1.25 Unsup 0.5 mIoU 82.5\n")
        << QStringList{u"LR | iteration 20 = 0.01"_s, u"Sup | iteration 20 = 1.5"_s, u"Unsup | iteration 20 = 0.25"_s,
               u"mIoU | iteration 20 = 80.5"_s, u"LR | iteration 40 = 0.01"_s, u"Sup | iteration 40 = 1.25"_s,
               u"Unsup | iteration 40 = 0.5"_s, u"mIoU | iteration 40 = 82.5"_s}
        << u"0.1 -"_s;
    QTest::newRow("the length of episodes in a result") << QByteArray(
        "Result for PPO_1:\n"
        "  episode_len_mean: 22.5\n"
        "  episode_reward_mean: 20.25\n"
        "  training_iteration: 1\n"
        "\n") << QStringList{u"episode_len_mean | iteration 1 = 22.5"_s, u"episode_reward_mean | iteration 1 = 20.25"_s}
                                                        << u"- -"_s;
    QTest::newRow("the part of the data, its epoch and a comma")
        << QByteArray("Train 31, loss: 0.5, train acc: 0.75\n"
                      "Test 31, loss: 0.625, test acc: 0.5\n")
        << QStringList{u"loss | step 31 = 0.5"_s, u"train acc | step 31 = 0.75"_s, u"Test/loss | step 31 = 0.625"_s,
               u"test acc | step 31 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("a part of the data with a count")
        << QByteArray("train: 100/400 loss: 0.5, time left (estimated): 12.56s\n"
                      "train: 200/400 loss: 0.25, time left (estimated): 8.5s\n")
        << QStringList{u"loss | batch 100 = 0.5"_s, u"loss | batch 200 = 0.25"_s} << u"0.5 8.5"_s;
    QTest::newRow("a quotient and its value")
        << QByteArray("Epoch: 5/20\n"
                      "     Instance: 16000; loss: 7.5; acc: 450.0/500.0=0.9000\n")
        << QStringList{u"loss | epoch 5 = 7.5"_s, u"acc | epoch 5 = 0.9"_s} << u"0.25 -"_s;
    QTest::newRow("precision, recall and their mean by their letters")
        << QByteArray("Epoch: 5\n"
                      "Dev: time: 12.23s, speed: 959.50st/s; acc: 0.9256, p: 0.3702, r: 0.0337, f: 0.0617\n")
        << QStringList{u"speed | epoch 5 = 959.5"_s, u"acc | epoch 5 = 0.9256"_s, u"p | epoch 5 = 0.3702"_s,
               u"r | epoch 5 = 0.0337"_s, u"f | epoch 5 = 0.0617"_s}
        << u"- -"_s;
    QTest::newRow("keys of a part of the data behind a bar") << QByteArray(
        "Epoch 1: 100%|####| 50/50 [00:10<00:00,  5.00it/s, loss=0.5]val_loss 0.375 val/abs_rel 0.3125 val/a1 0.4375\n")
                                                             << QStringList{u"loss | epoch 1 = 0.5"_s,
                                                                    u"val_loss | epoch 1 = 0.375"_s,
                                                                    u"val/abs_rel | epoch 1 = 0.3125"_s,
                                                                    u"val/a1 | epoch 1 = 0.4375"_s}
                                                             << u"1 0"_s;
    QTest::newRow("ranks") << QByteArray("CMC curve\n"
                                         "Rank-1  : 35.6%\n"
                                         "Rank-5  : 46.0%\n")
                           << QStringList{u"Rank-1 | none = 35.6"_s, u"Rank-5 | none = 46"_s} << u"- -"_s;
    QTest::newRow("ranks beside a mean") << QByteArray("Rank@1:0.803147 Rank@5:0.917755 mAP:0.614890\n")
                                         << QStringList{u"Rank@1 | none = 0.803147"_s, u"Rank@5 | none = 0.917755"_s,
                                                u"mAP | none = 0.61489"_s}
                                         << u"- -"_s;
    QTest::newRow("names, an arrow and their values")
        << QByteArray(
               "2024-05-01 10:00:00,720 - run.py - main - L139 ::: val, round, loss, acc ===> 002, 0.875, 0.5,\n"
               "2024-05-01 10:00:03,470 - run.py - main - L133 ::: train, round, loss, acc  ===> 003, 0.75, 0.625,\n")
        << QStringList{u"loss | round 2 = 0.875"_s, u"acc | round 2 = 0.5"_s, u"train/loss | round 3 = 0.75"_s,
               u"train/acc | round 3 = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("names and their values, of which the first is negative")
        << QByteArray("reward, loss =-3.5, -0.25\n") << QStringList{u"reward | none = -3.5"_s, u"loss | none = -0.25"_s}
        << u"- -"_s;
    QTest::newRow("a name that begins with a digit, for two parts of the data")
        << QByteArray("[1] time 43.30 lr 0.000040 3d_train 88.125 3d_eval 63.25\n"
                      "[2] time 42.85 lr 0.000040 3d_train 52.25 3d_eval 51.75\n")
        << QStringList{u"lr | iteration 1 = 4e-05"_s, u"3d_train | iteration 1 = 88.125"_s,
               u"3d_eval | iteration 1 = 63.25"_s, u"lr | iteration 2 = 4e-05"_s, u"3d_train | iteration 2 = 52.25"_s,
               u"3d_eval | iteration 2 = 51.75"_s}
        << u"- -"_s;
    QTest::newRow("a line behind a bar that has not ended")
        << QByteArray("49/50 [=====>.] - ETA: 1s - loss_trn: 0.5[1] lr 0.000040 loss_val 0.625\n"
                      "49/50 [=====>.] - ETA: 1s - loss_trn: 0.25[2] lr 0.000040 loss_val 0.375\n")
        << QStringList{u"loss_trn | batch 49 = 0.5"_s, u"lr | iteration 1 = 4e-05"_s,
               u"loss_val | iteration 1 = 0.625"_s, u"loss_trn | batch 49 = 0.25"_s, u"lr | iteration 2 = 4e-05"_s,
               u"loss_val | iteration 2 = 0.375"_s}
        << u"0.98 1"_s;
    QTest::newRow("figures that their name calls metrics")
        << QByteArray("          Learning iteration 2/10\n"
                      "\n"
                      "                   Mean reward: -7.50\n"
                      "      Metrics/peak_height_mean: 0.0066\n")
        << QStringList{u"Mean reward | iteration 2 = -7.5"_s, u"Metrics/peak_height_mean | iteration 2 = 0.0066"_s}
        << u"0.2 -"_s;
    QTest::newRow("a time in seconds") << QByteArray("{\"itr\": 500, \"FID\": 20.25, \"_stamp\": 1640169646.6215327}\n"
                                                     "{\"itr\": 1000, \"FID\": 19.5, \"_stamp\": 1640171582.626681}\n")
                                       << QStringList{u"FID | iteration 500 = 20.25"_s,
                                              u"FID | iteration 1000 = 19.5"_s}
                                       << u"- -"_s;
    QTest::newRow("powers of ten below their step")
        << QByteArray("Epoch #1 at 209.2s, lr=1.00e-04\n"
                      "  - generator total=8.44e+04 prcpt=8.41e+04 smthn=3.07e+02\n")
        << QStringList{u"lr | epoch 1 = 0.0001"_s, u"generator total | epoch 1 = 84400"_s, u"prcpt | epoch 1 = 84100"_s,
               u"smthn | epoch 1 = 307"_s}
        << u"- -"_s;
    QTest::newRow("shortened names of columns")
        << QByteArray("Itn.\tN.Loss\tNER F.\n"
                      "0\t129.125\t33.875\n"
                      "1\t98.5\t57.125\n")
        << QStringList{u"N.Loss | iteration 0 = 129.125"_s, u"NER F. | iteration 0 = 33.875"_s,
               u"N.Loss | iteration 1 = 98.5"_s, u"NER F. | iteration 1 = 57.125"_s}
        << u"- -"_s;
    QTest::newRow("a count with two colons")
        << QByteArray("loss: ap:1.0625 an:1.125\n"
                      "niter::  17601    Loss :  0.5   acc_res :  0.25\n"
                      "niter::  17602    Loss :  0.25   acc_res :  0.5\n")
        << QStringList{u"Loss | iteration 17601 = 0.5"_s, u"acc_res | iteration 17601 = 0.25"_s,
               u"Loss | iteration 17602 = 0.25"_s, u"acc_res | iteration 17602 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("a count before the name")
        << QByteArray("| epoch 010 | valid on 'valid' subset  100 / 200 loss=1.5\n")
        << QStringList{u"loss | epoch 10 = 1.5"_s} << u"- -"_s;
    QTest::newRow("a line of the source between brackets")
        << QByteArray("[2023-03-12 19:11:14,935][       train.py][line: 833][    INFO] epoch 3 loss 0.5 acc 0.25\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"acc | epoch 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("the best of all, and its epoch behind it")
        << QByteArray("best test acc: 97.14%, precision: 77.33%, recall: 77.21%, F1: 77.27% (epoch: 5)\n")
        << QStringList{} << u"- -"_s;
    QTest::newRow("a tree of several") << QByteArray("built tree 1 of 100, train score = 1.5\n"
                                                     "built tree 2 of 100, train score = 1.25\n")
                                       << QStringList{u"train score | iteration 1 = 1.5"_s,
                                              u"train score | iteration 2 = 1.25"_s}
                                       << u"0.02 -"_s;
    QTest::newRow("a game and its score")
        << QByteArray("Game 5 Score 12 Record: 30\n"
                      "Game 6 Score 13 Record: 30\n")
        << QStringList{u"Score | episode 5 = 12"_s, u"Score | episode 6 = 13"_s} << u"- -"_s;
    QTest::newRow("a number of frames") << QByteArray(
        "Game number: 5100  Frame number: 01981609  Average reward: 22.5  Time taken: 4.2s\n")
                                        << QStringList{u"Average reward | step 1981609 = 22.5"_s} << u"- -"_s;
}

} // namespace trainyard
