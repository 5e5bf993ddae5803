// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// What only some programs print, and what loggers and containers put around it.
void OutputTests::addPrograms()
{
    QTest::newRow("what a node keeps of a container")
        << QByteArray("2024-03-01T10:11:12.123456789Z stdout F Epoch 1/4 - loss: 0.5\n"
                      "2024-03-01T10:11:13.123456789Z stderr F Epoch 2/4 - loss: 0.25\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s} << u"0.5 -"_s;
    QTest::newRow("a number and its rate in front of the values")
        << QByteArray(
               "INFO - 01/02/20 10:00:00 - 0:01:10 -     700 -    9.5 sent/s - 1234.5 words/s - mlm loss: 4.5\n"
               "INFO - 01/02/20 10:00:10 - 0:01:20 -     705 -    9.5 sent/s - 1234.5 words/s - mlm loss: 4.25\n")
        << QStringList{u"mlm loss | iteration 700 = 4.5"_s, u"mlm loss | iteration 705 = 4.25"_s} << u"- -"_s;
    QTest::newRow("parts of the data above lines that are indented further")
        << QByteArray("epoch: 3\n"
                      "train:\n"
                      "  loss: 0.5\n"
                      "  accuracy: 0.75\n"
                      "val:\n"
                      "  loss: 0.625\n"
                      "  accuracy: 0.5\n"
                      "loss_of_all: 0.25\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"accuracy | epoch 3 = 0.75"_s, u"val/loss | epoch 3 = 0.625"_s,
               u"val/accuracy | epoch 3 = 0.5"_s, u"loss_of_all | epoch 3 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("parts of the data in front of drawn bars")
        << QByteArray("epoch 1/3:\n"
                      "train: [====>   ] data=020/040 loss=0.5 acc=75.5%\n"
                      "val:   [========] data=010/010 loss=0.625 acc=50.5%\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"acc | epoch 1 = 75.5"_s, u"val/loss | epoch 1 = 0.625"_s,
               u"val/acc | epoch 1 = 50.5"_s}
        << u"0.3333 -"_s;
    QTest::newRow("the name of a logger in front of the step")
        << QByteArray("2024-03-01 10:11:12,123 - INFO - booster - [10]\ttest's auc: 0.75\n"
                      "2024-03-01 10:11:13,123 - INFO - booster - [20]\ttest's auc: 0.875\n")
        << QStringList{u"test's auc | iteration 10 = 0.75"_s, u"test's auc | iteration 20 = 0.875"_s} << u"- -"_s;
    QTest::newRow("the last count behind a name")
        << QByteArray("iteration: 1 of max_iter: 8, perplexity: 33.5\niteration: 2 of max_iter: 8, perplexity: 32.5\n")
        << QStringList{u"perplexity | iteration 1 = 33.5"_s, u"perplexity | iteration 2 = 32.5"_s} << u"0.25 -"_s;
    QTest::newRow("how many of the first ones are right")
        << QByteArray("N\t500\nP@1\t0.875\nR@5\t0.75\n") << QStringList{u"P@1 | none = 0.875"_s, u"R@5 | none = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("how long a step took, beside its parts")
        << QByteArray("{\"iter\": \"10/100\", \"dt\": 1.25, \"dt_net\": 1.125, \"loss\": 0.5}\n")
        << QStringList{u"loss | iteration 10 = 0.5"_s} << u"0.1 -"_s;
    QTest::newRow("the least and the greatest of a generation")
        << QByteArray("gen\tnevals\tavg \tstd    \tmin\tmax\n"
                      "0  \t40    \t15.3\t2.36854\t10 \t21 \n"
                      "1  \t31    \t17.5\t2.31179\t11 \t22 \n")
        << QStringList{u"avg | round 0 = 15.3"_s, u"std | round 0 = 2.36854"_s, u"min | round 0 = 10"_s,
               u"max | round 0 = 21"_s, u"avg | round 1 = 17.5"_s, u"std | round 1 = 2.31179"_s,
               u"min | round 1 = 11"_s, u"max | round 1 = 22"_s}
        << u"- -"_s;
    QTest::newRow("units between names") << QByteArray("step 10 psnr 30.5 dB ssim 0.75\n"
                                                       "step 20 psnr 31 dB ssim 0.5\n")
                                         << QStringList{u"psnr | step 10 = 30.5"_s, u"ssim | step 10 = 0.75"_s,
                                                u"psnr | step 20 = 31"_s, u"ssim | step 20 = 0.5"_s}
                                         << u"- -"_s;
    QTest::newRow("a value told of its epoch")
        << QByteArray("Average loss for epoch 3: 0.5\nthe loss of epoch 4 is 0.25\n")
        << QStringList{u"Average loss | epoch 3 = 0.5"_s, u"loss | epoch 4 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a dictionary that says a value again")
        << QByteArray("INFO epoch 1 step 10, loss: 0.5123 {'loss': 0.512345, 'lr': 0.125}\n")
        << QStringList{u"loss | step 10 in 1 = 0.512345"_s, u"lr | step 10 in 1 = 0.125"_s} << u"- -"_s;
    QTest::newRow("a table with another one above it")
        << QByteArray("Epoch  Loss  Acc  F1\n1      0.5   0.5  0.5\n2      0.5   0.5  0.5\n\n"
                      "epoch loss acc f1\n1                 0.5\n")
        << QStringList{u"Loss | epoch 1 = 0.5"_s, u"Acc | epoch 1 = 0.5"_s, u"F1 | epoch 1 = 0.5"_s,
               u"Loss | epoch 2 = 0.5"_s, u"Acc | epoch 2 = 0.5"_s, u"F1 | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("a checkpoint that was written says a value again")
        << QByteArray(
               "| epoch 001 | valid on 'valid' subset | loss 9.5 | num_updates 30\n"
               "Saved checkpoint c/checkpoint1.pt (epoch 1 @ 30 updates, score 9.5) (writing took 1.25 seconds)\n")
        << QStringList{u"loss | update 30 in 1 = 9.5"_s} << u"- -"_s;
    QTest::newRow("the share of a count, without values")
        << QByteArray("Chain 1: Iteration:    1 / 2000 [  0%]  (Warmup)\n"
                      "Chain 1: Iteration:  500 / 2000 [ 25%]  (Warmup)\n")
        << QStringList() << u"0.25 -"_s;
    QTest::newRow("a share that is not that of its count")
        << QByteArray("Iteration:  500 / 2000 [ 90%]\n") << QStringList() << u"- -"_s;
    QTest::newRow("a share that is done")
        << QByteArray("Setting task status: 2.5% done (600/24000), ETA: 30m\n") << QStringList() << u"0.025 1800"_s;
    QTest::newRow("the rate alone below its epoch")
        << QByteArray("2023-01-01 10:00:00: Epoch 3\n"
                      "2023-01-01 10:00:01: Current learning rate: 0.25\n"
                      "2023-01-01 10:00:09: train_loss -0.5\n")
        << QStringList{u"Current learning rate | epoch 3 = 0.25"_s, u"train_loss | epoch 3 = -0.5"_s} << u"- -"_s;
    QTest::newRow("the rate below the values of its epoch")
        << QByteArray("epoch:  3\ntrain loss : -0.5\nvalidation loss: -0.25\nAverage Dice: [0.75, 0.5]\n"
                      "(this is an estimate.)\nlr: 0.125\n")
        << QStringList{u"train loss | epoch 3 = -0.5"_s, u"validation loss | epoch 3 = -0.25"_s,
               u"lr | epoch 3 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("how a loss was taken, before its step")
        << QByteArray("Training loss (for one batch) at step 0: 2.5\nSeen so far: 64 samples\n"
                      "Training loss (for one batch) at step 200: 1.25\nSeen so far: 12864 samples\n")
        << QStringList{u"Training loss (for one batch) | step 0 = 2.5"_s,
               u"Training loss (for one batch) | step 200 = 1.25"_s}
        << u"- -"_s;
    QTest::newRow("a bar for logs") << QByteArray(
        "Progress on:train 100it/1.00kit rate:1.2it/s remaining:2:30:00 elapsed:00:08 postfix:loss=3.5\n"
        "Progress on:train 250it/1.00kit rate:1.2it/s remaining:1:30:00 elapsed:00:20 postfix:loss=3.25\n")
                                    << QStringList{u"loss | iteration 100 = 3.5"_s, u"loss | iteration 250 = 3.25"_s}
                                    << u"0.25 5400"_s;
    QTest::newRow("a bar with its share before its counts")
        << QByteArray("\r |##      | 12.50% [1000/8000 00:01<00:09 Sampling 4 chains, 0 divergences]") << QStringList()
        << u"0.125 9"_s;
    QTest::newRow("two names with a blank and a step between")
        << QByteArray("Train loss 7 12.5 Grad Norm 3.25 2.34s/it\nValidation loss 7: 1.25  \n")
        << QStringList{u"Train loss | iteration 7 = 12.5"_s, u"Grad Norm | iteration 7 = 3.25"_s,
               u"Validation loss | iteration 7 = 1.25"_s}
        << u"- -"_s;
    QTest::newRow("an epoch and how many there are, as a heading")
        << QByteArray("2021-03-27 10:11:12,345 - Model - INFO - Epoch 3 (3/200):\n"
                      "2021-03-27 10:12:12,345 - Model - INFO - Train Accuracy: 0.5\n"
                      "2021-03-27 10:12:12,346 - Model - INFO - Best Accuracy: 0.75, Class Accuracy: 0.875\n")
        << QStringList{u"Train Accuracy | epoch 3 = 0.5"_s} << u"0.015 -"_s;
    QTest::newRow("values before a dictionary")
        << QByteArray("train, rank: 0, epoch: 0/50, total step: 100, (loss_avg: 0.5), {'forward_time': '0.25'}, GPU\n")
        << QStringList{u"loss_avg | step 100 in 0 = 0.5"_s} << u"0 -"_s;
    QTest::newRow("generations") << QByteArray(
        "gen\tnevals\tavg    \tmin\n0  \t60    \t50.25  \t37 \n1  \t31    \t52.5   \t37 \n")
                                 << QStringList{u"avg | round 0 = 50.25"_s, u"min | round 0 = 37"_s,
                                        u"avg | round 1 = 52.5"_s, u"min | round 1 = 37"_s}
                                 << u"- -"_s;
    QTest::newRow("how long an episode is")
        << QByteArray("Learning iteration 3/10\nMean reward: 1.5\n"
                      "Mean episode length: 23.25\n")
        << QStringList{u"Mean reward | iteration 3 = 1.5"_s, u"Mean episode length | iteration 3 = 23.25"_s}
        << u"0.3 -"_s;
    QTest::newRow("the temperature of a simulation, and how long a row took")
        << QByteArray("  epoch    Temp    E_pair     dur\n      1     1.5     -4.25    0.125\n")
        << QStringList{u"Temp | epoch 1 = 1.5"_s, u"E_pair | epoch 1 = -4.25"_s} << u"- -"_s;
    QTest::newRow("a list of results that names its step among them")
        << QByteArray("INFO:tensorflow:***** Eval results *****\n"
                      "INFO:tensorflow:  eval_accuracy = 0.875\n"
                      "INFO:tensorflow:  global_step = 343\n"
                      "INFO:tensorflow:  loss = 0.25\n"
                      "done\n")
        << QStringList{u"eval_accuracy | step 343 = 0.875"_s, u"loss | step 343 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a list of results without a step, and what follows it")
        << QByteArray("***** Eval results task *****\n  acc = 0.875\n  f1 = 0.75\nstep 3 loss 0.5\n")
        << QStringList{u"acc | none = 0.875"_s, u"f1 | none = 0.75"_s, u"loss | step 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("tabs as syslog writes them")
        << QByteArray("[0]#011train-rmse:0.5#011validation-rmse:0.75\n"
                      "[1]#011train-rmse:0.25#011validation-rmse:0.5\n")
        << QStringList{u"train-rmse | iteration 0 = 0.5"_s, u"validation-rmse | iteration 0 = 0.75"_s,
               u"train-rmse | iteration 1 = 0.25"_s, u"validation-rmse | iteration 1 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("arrows of several signs")
        << QByteArray("******** Epoch 1 / 10 ********\ntrain loss ===> 2.5\n"
                      "valid loss --> 2.25\n")
        << QStringList{u"train loss | epoch 1 = 2.5"_s, u"valid loss | epoch 1 = 2.25"_s} << u"0.1 -"_s;
    QTest::newRow("times in one word") << QByteArray("step=50, steptime=0.25, cls_loss=0.5\n")
                                       << QStringList{u"cls_loss | step 50 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a heading between equal signs")
        << QByteArray(
               "======== Epoch 1 / 4 ========\n  Average training loss: 0.5\n== Epoch 2 / 4 ==\n  Accuracy: 0.75\n")
        << QStringList{u"Average training loss | epoch 1 = 0.5"_s, u"Accuracy | epoch 2 = 0.75"_s} << u"0.5 -"_s;
    QTest::newRow("a message before its keys")
        << QByteArray("2024-03-01T10:11:12.345Z  INFO train: epoch done epoch=3 loss=0.5\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a count in parentheses that opens the line")
        << QByteArray("[INFO] (1/20) - Val Accuracy: 0.5\n[INFO] (2/20) - Val Accuracy: 0.75\n")
        << QStringList{u"Val Accuracy | step 1 = 0.5"_s, u"Val Accuracy | step 2 = 0.75"_s} << u"0.1 -"_s;
    QTest::newRow("the rank of a logger, and a step")
        << QByteArray("[train.py:895] (0/4) Epoch 1, batch 50, loss: 0.5\n")
        << QStringList{u"loss | batch 50 in 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("an epoch with a dash is no container, and a rate in a sentence")
        << QByteArray("10:11:12 INFO Epoch-1 | loss is 0.5 - lr is 0.25\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"lr | epoch 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a line of points between a name and its value, and values by their place alone")
        << QByteArray("Epoch 3\nVal loss ....... 0.5\nPrecision    0.75\n")
        << QStringList{u"Val loss | epoch 3 = 0.5"_s, u"Precision | epoch 3 = 0.75"_s} << u"- -"_s;
    QTest::newRow("values behind a logger are no places in its source")
        << QByteArray("[INFO] Epoch 3 done\n[INFO] F1:0.5 - Val Loss:0.25\n[INFO] avg_loss:0.125 | AUC:0.75\n"
                      "10:11:12 INFO app.loss:forward:12 - Recall: 0.875\n")
        << QStringList{u"F1 | epoch 3 = 0.5"_s, u"Val Loss | epoch 3 = 0.25"_s, u"avg_loss | epoch 3 = 0.125"_s,
               u"AUC | epoch 3 = 0.75"_s, u"Recall | epoch 3 = 0.875"_s}
        << u"- -"_s;
    QTest::newRow("names with values behind a stroke are no box")
        << QByteArray("step: 100\n| train loss:0.5\n| PSNR:0.25\n")
        << QStringList{u"train loss | step 100 = 0.5"_s, u"PSNR | step 100 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a first column of epochs") << QByteArray("Epochs,loss,f1\n1,0.5,0.25\n2,0.25,0.5\n")
                                              << QStringList{u"loss | epoch 1 = 0.5"_s, u"f1 | epoch 1 = 0.25"_s,
                                                     u"loss | epoch 2 = 0.25"_s, u"f1 | epoch 2 = 0.5"_s}
                                              << u"- -"_s;
    QTest::newRow("an epoch in a sentence, and what the best one had")
        << QByteArray("The time elapse of epoch 001 is: 00: 00: 12\nHR: 0.5\tNDCG: 0.25\n"
                      "The number of epoch 20\nEnd. Best epoch 012: HR = 0.75, NDCG = 0.375\n")
        << QStringList{u"HR | epoch 1 = 0.5"_s, u"NDCG | epoch 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("hits among the first ten, and iterations in short")
        << QByteArray("Valid HITS@10 at step 1000: 0.5\nItrs 10/40, Loss=0.25\nCache hits: 0.5\n")
        << QStringList{u"Valid HITS@10 | step 1000 = 0.5"_s, u"Loss | iteration 10 = 0.25"_s} << u"0.25 -"_s;
    QTest::newRow("a count and a bar in parentheses")
        << QByteArray("Step... (500 | Loss: 2.5, Learning Rate: 0.125)\nStep... (1000/4000 | Eval Loss: 2.25)\n")
        << QStringList{u"Loss | step 500 = 2.5"_s, u"Learning Rate | step 500 = 0.125"_s,
               u"Eval Loss | step 1000 = 2.25"_s}
        << u"0.25 -"_s;
    QTest::newRow("two counts and a value behind a dash")
        << QByteArray("0 10 loss - 5.5\n0 20 loss - 4.5\n")
        << QStringList{u"loss | batch 10 in 0 = 5.5"_s, u"loss | batch 20 in 0 = 4.5"_s} << u"- -"_s;
    QTest::newRow("a part that has a value of its own")
        << QByteArray("[Epoch 3] train=0.5 val=0.75 loss=0.25\n")
        << QStringList{u"train | epoch 3 = 0.5"_s, u"val | epoch 3 = 0.75"_s, u"loss | epoch 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("parts whose other values follow")
        << QByteArray("epoch 3 Train: 0.5 Acc: 0.75 Val: 0.625 Acc: 0.25\n")
        << QStringList{u"Train | epoch 3 = 0.5"_s, u"Acc | epoch 3 = 0.75"_s, u"Val | epoch 3 = 0.625"_s,
               u"Val/Acc | epoch 3 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("the norm of all that is counted")
        << QByteArray("[step=100/400,epoch=0]\n    optim/total_grad_norm=1.5\n    train/CrossEntropyLoss=6.5\n")
        << QStringList{u"optim/total_grad_norm | step 100 in 0 = 1.5"_s,
               u"train/CrossEntropyLoss | step 100 in 0 = 6.5"_s}
        << u"0.25 -"_s;
    QTest::newRow("names of files have no values") << QByteArray(
        "Epoch 3, global step 12: 'val_wer' reached 0.5 (best 0.5), saving model to 'c/a--val_wer=0.5-epoch=3.ckpt'\n"
        "Epoch 4: saving model to c/a--val_wer=0.25-epoch=4.ckpt\n"
        "Epoch 5, saved to 'c/loss=0.125-a.ckpt'\n")
                                                   << QStringList{u"val_wer | step 12 in 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a box whose names are parted from their values by blanks")
        << QByteArray(
               "\342\225\255\342\224\200\342\224\200\342\225\256\n\342\224\202 Training result          \342\224\202\n"
               "\342\224\234\342\224\200\342\224\200\342\224\244\n"
               "\342\224\202 env/episode_return_mean  22.5 \342\224\202\n"
               "\342\224\202 num_env_steps            4000 \342\224\202\n"
               "\342\224\202 training_iteration          2 \342\224\202\n"
               "\342\225\260\342\224\200\342\224\200\342\225\257\n")
        << QStringList{u"env/episode_return_mean | iteration 2 = 22.5"_s} << u"- -"_s;
    QTest::newRow("a value so long that one blank is left behind it")
        << QByteArray("tick 0     kimg 0.0      sec/kimg 2020.10 maintenance 54.1   augment 0.500\n"
                      "tick 1     kimg 4.0      sec/kimg 30.02   maintenance 8.0    augment 0.250\n")
        << QStringList{u"augment | tick 0 = 0.5"_s, u"augment | tick 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("units for each of what is measured")
        << QByteArray("Iteration   1: EPot=-1021.5 kJ/mol, rmsd=0.5\nIteration   2: EPot=-1021.75 kJ/mol, rmsd=0.25\n")
        << QStringList{u"EPot | iteration 1 = -1021.5"_s, u"rmsd | iteration 1 = 0.5"_s,
               u"EPot | iteration 2 = -1021.75"_s, u"rmsd | iteration 2 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("updates that are named for a part of the data")
        << QByteArray("{\"epoch\": 1, \"valid_loss\": \"6.5\", \"valid_num_updates\": \"200\"}\n")
        << QStringList{u"valid_loss | update 200 in 1 = 6.5"_s} << u"- -"_s;
    QTest::newRow("a share in words") << QByteArray("step: 000010 - done (%): 2.5 - loss: 1.5\n")
                                      << QStringList{u"loss | step 10 = 1.5"_s} << u"0.025 -"_s;
    QTest::newRow("steps of a learner") << QByteArray(
        "[Learner] Critic Loss = 0.5 | Learner Steps = 100 | Policy Loss = -0.25\n")
                                        << QStringList{u"Critic Loss | step 100 = 0.5"_s,
                                               u"Policy Loss | step 100 = -0.25"_s}
                                        << u"- -"_s;
    QTest::newRow("who speaks behind a logger") << QByteArray("[10:11:12] INFO: @tracker [3]\ttrain-auc:0.5\n")
                                                << QStringList{u"train-auc | iteration 3 = 0.5"_s} << u"- -"_s;
}

} // namespace trainyard
