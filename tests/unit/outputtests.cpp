// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addOutputColumns()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QStringList>("points");
    QTest::addColumn<QString>("progress"); // the fraction and the seconds left
}

void OutputTests::addLines()
{
    QTest::newRow("name and value") << QByteArray("epoch 1\n"
                                                  "loss: 0.31\n"
                                                  "acc=0.92\n")
                                    << QStringList{u"loss | epoch 1 = 0.31"_s, u"acc | epoch 1 = 0.92"_s} << u"- -"_s;
    QTest::newRow("names in folders right behind the step")
        << QByteArray("step=1 train/loss=0.500 val/acc=1\nstep=2 train/loss=0.400 val/acc=1\n")
        << QStringList{u"train/loss | step 1 = 0.5"_s, u"val/acc | step 1 = 1"_s, u"train/loss | step 2 = 0.4"_s,
               u"val/acc | step 2 = 1"_s}
        << u"- -"_s;
    QTest::newRow("names in folders without a sign")
        << QByteArray("Epoch 1/6 train/loss 0.8 val/loss 0.85\nEpoch 2/6 train/loss 0.7 val/loss 0.75\n")
        << QStringList{u"train/loss | epoch 1 = 0.8"_s, u"val/loss | epoch 1 = 0.85"_s, u"train/loss | epoch 2 = 0.7"_s,
               u"val/loss | epoch 2 = 0.75"_s}
        << u"0.3333 -"_s;
    QTest::newRow("names in folders with a percentage, a setting and a value that is no number")
        << QByteArray("step 1 train/loss: 0.500 val/acc: 10% lr: 1.0e-03\n"
                      "step 2 train/loss: nan val/acc: 20% lr: 1.0e-03\n")
        << QStringList{u"train/loss | step 1 = 0.5"_s, u"val/acc | step 1 = 10"_s, u"lr | step 1 = 0.001"_s,
               u"train/loss | step 2 = nan"_s, u"val/acc | step 2 = 20"_s, u"lr | step 2 = 0.001"_s}
        << u"- -"_s;
    QTest::newRow("a folder that says nothing, and a sign")
        << QByteArray("step 1 rollout/mean = 12.5\nstep 2 rollout/mean = 13.5\n")
        << QStringList{u"rollout/mean | step 1 = 12.5"_s, u"rollout/mean | step 2 = 13.5"_s} << u"- -"_s;
    QTest::newRow("a folder that says nothing, without a sign")
        << QByteArray("step 1 foo/bar 0.5\nstep 2 foo/bar 0.4\nstep 3 foo/bar 0.3\n")
        << QStringList{u"foo/bar | step 1 = 0.5"_s, u"foo/bar | step 2 = 0.4"_s, u"foo/bar | step 3 = 0.3"_s}
        << u"- -"_s;
    QTest::newRow("a folder that says nothing behind a metric")
        << QByteArray("step 1 loss 0.5 foo/bar 0.25\nstep 2 loss 0.4 foo/bar 0.5\nstep 3 loss 0.3 foo/bar 0.75\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"foo/bar | step 1 = 0.25"_s, u"loss | step 2 = 0.4"_s,
               u"foo/bar | step 2 = 0.5"_s, u"loss | step 3 = 0.3"_s, u"foo/bar | step 3 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("speeds behind a metric stay units")
        << QByteArray("step 1 loss 0.5 120.5 tok/s 3.5 s/it\nstep 2 loss 0.4 121.5 tok/s 3.5 s/it\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.4"_s} << u"- -"_s;
    QTest::newRow("a threshold in brackets") << QByteArray("evaluating IoU [0.5]\nAP at IoU [0.75]\nstep 1 loss 0.5\n")
                                             << QStringList{u"loss | step 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a dictionary over lines, with brackets in its texts and another one in it")
        << QByteArray("{'loss': 0.5,\n 'note': '}',\n 'inner': {'acc': 0.25},\n 'epoch': 3}\nstep 4 loss 0.25\n")
        << QStringList{u"loss | epoch 3 = 0.5"_s, u"inner/acc | epoch 3 = 0.25"_s, u"loss | step 4 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("averages in brackets, of two parts of the data")
        << QByteArray("[Train][Epoch 1][Avg]top1: 0.5, loss: 2.5\n[Eval][Epoch 1][Avg]top1: 0.25, loss: 2.75\n"
                      "[Train][Epoch 2][Avg]top1: 0.625, loss: 2.0\n")
        << QStringList{u"top1 | epoch 1 = 0.5"_s, u"loss | epoch 1 = 2.5"_s, u"Eval/top1 | epoch 1 = 0.25"_s,
               u"Eval/loss | epoch 1 = 2.75"_s, u"top1 | epoch 2 = 0.625"_s, u"loss | epoch 2 = 2"_s}
        << u"- -"_s;
    QTest::newRow("how a score was taken, in brackets behind its name")
        << QByteArray("EPOCH 1 done: loss 1.5\nDEV : loss 1.25 - f1-score (micro avg)  0.625\n"
                      "EPOCH 2 done: loss 1.25\nDEV : loss 1.125 - f1-score (micro avg)  0.75\n")
        << QStringList{u"loss | epoch 1 = 1.5"_s, u"DEV/loss | epoch 1 = 1.25"_s,
               u"f1-score (micro avg) | epoch 1 = 0.625"_s, u"loss | epoch 2 = 1.25"_s, u"DEV/loss | epoch 2 = 1.125"_s,
               u"f1-score (micro avg) | epoch 2 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("a sentence with the step between the name and its value")
        << QByteArray("The training loss at step 100 was 0.5\nThe training loss at step 200 was 0.25\n")
        << QStringList{u"training loss | step 100 = 0.5"_s, u"training loss | step 200 = 0.25"_s} << u"- -"_s;
    QTest::newRow("two values in a sentence")
        << QByteArray("After epoch 3 the validation loss is 0.5 and the accuracy is 91.25%.\n")
        << QStringList{u"validation loss | epoch 3 = 0.5"_s, u"accuracy | epoch 3 = 91.25"_s} << u"- -"_s;
    QTest::newRow("precision among the first ones")
        << QByteArray(" * Prec@1 12.5 Prec@5 30.5\n")
        << QStringList{u"Prec@1 | none = 12.5"_s, u"Prec@5 | none = 30.5"_s} << u"- -"_s;
    QTest::newRow("errors that are metrics")
        << QByteArray("epoch 1\nMeanSquaredError: 0.5\nTestError: 0.25\n")
        << QStringList{u"MeanSquaredError | epoch 1 = 0.5"_s, u"TestError | epoch 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("one name, and a value for each part of the data")
        << QByteArray("epoch 1\nReconstructionError: train=0.5\nepoch 2\nReconstructionError: train=0.4, val=0.25\n"
                      "epoch 3\nloss: train: 0.3 | val: 0.2\n")
        << QStringList{u"ReconstructionError | epoch 1 = 0.5"_s, u"ReconstructionError | epoch 2 = 0.4"_s,
               u"val/ReconstructionError | epoch 2 = 0.25"_s, u"loss | epoch 3 = 0.3"_s, u"val/loss | epoch 3 = 0.2"_s}
        << u"- -"_s;
    QTest::newRow("errors that say parts of the data")
        << QByteArray("epoch 1\nValueError: train=0.5 is too large\nRuntimeError: val loss is 3.5\n"
                      "UserWarning: test=0.5: ignored\nKeyError: train: 0.5 0.25\n")
        << QStringList{} << u"- -"_s;
    QTest::newRow("times of the parts of a batch")
        << QByteArray("Train Epoch: 0 [512/1000 (51%)] Data (t): 0.5 Batch (t): 1.25 Loss: 6.25 (6.25)\n")
        << QStringList{u"Loss | batch 512 in 0 = 6.25"_s} << u"0.512 -"_s;
    QTest::newRow("numbers of Julia, and an array of one value")
        << QByteArray("epoch 1 loss = 0.5f0\nepoch 2 loss = 2.5f-1\nepoch 3 loss [0.125]\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s, u"loss | epoch 3 = 0.125"_s} << u"- -"_s;
    QTest::newRow("speeds stay units") << QByteArray(
        "step 5 loss: 0.5 at 120.5 images/sec\nstep 10 loss: 0.4 at 3.5 s/step\n")
                                       << QStringList{u"loss | step 5 = 0.5"_s, u"loss | step 10 = 0.4"_s} << u"- -"_s;
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
    QTest::newRow("what follows the bar of an epoch")
        << QByteArray("Epoch 1:  50%|##  | 20/40 [00:01<00:01,  8.31it/s, loss=0.75]\r"
                      "Epoch 1: 100%|####| 40/40 [00:02<00:00,  8.40it/s, loss=0.5]\n"
                      "val loss: 0.6250\n"
                      "Epoch 2:  50%|##  | 20/40 [00:01<00:01,  8.31it/s, loss=0.375]\r"
                      "Epoch 2: 100%|####| 40/40 [00:02<00:00,  8.40it/s, loss=0.25]\n"
                      "val loss: 0.3125\n")
        << QStringList{u"loss | batch 20 in 1 = 0.75"_s, u"loss | batch 40 in 1 = 0.5"_s,
               u"val loss | epoch 1 = 0.625"_s, u"loss | batch 20 in 2 = 0.375"_s, u"loss | batch 40 in 2 = 0.25"_s,
               u"val loss | epoch 2 = 0.3125"_s}
        << u"1 0"_s;
    QTest::newRow("steps that begin anew in each epoch")
        << QByteArray("Epoch 1/2 step 20/40 loss 0.75\n"
                      "Epoch 1/2 step 40/40 loss 0.5\n"
                      "Epoch 2/2 step 20/40 loss 0.375\n"
                      "Epoch 2/2 step 40/40 loss 0.25\n"
                      "val loss: 0.3125\n")
        << QStringList{u"loss | batch 20 in 1 = 0.75"_s, u"loss | batch 40 in 1 = 0.5"_s,
               u"loss | batch 20 in 2 = 0.375"_s, u"loss | batch 40 in 2 = 0.25"_s, u"val loss | epoch 2 = 0.3125"_s}
        << u"1 -"_s;
    QTest::newRow("steps without a total that begin anew")
        << QByteArray("Epoch 1 step 20 loss 0.75\nEpoch 1 step 40 loss 0.5\nEpoch 2 step 20 loss 0.375\n")
        << QStringList{u"loss | step 20 in 1 = 0.75"_s, u"loss | step 40 in 1 = 0.5"_s,
               u"loss | batch 20 in 2 = 0.375"_s}
        << u"- -"_s;
    QTest::newRow("steps of the whole training")
        << QByteArray("Epoch 1/2 step 20/80 loss 0.75\nEpoch 1/2 step 40/80 loss 0.5\nEpoch 2/2 step 60/80 loss 0.375\n"
                      "Epoch 2/2 step 80/80 loss 0.25\n")
        << QStringList{u"loss | batch 20 in 1 = 0.75"_s, u"loss | batch 40 in 1 = 0.5"_s,
               u"loss | step 60 in 2 = 0.375"_s, u"loss | step 80 in 2 = 0.25"_s}
        << u"1 -"_s;
    QTest::newRow("the step of a part of an epoch")
        << QByteArray("Epoch 0.5/2 step 20/80 loss 0.75\nEpoch 1.5/2 step 60/80 loss 0.375\n")
        << QStringList{u"loss | step 20 in 0.5 = 0.75"_s, u"loss | step 60 in 1.5 = 0.375"_s} << u"0.75 -"_s;
    QTest::newRow("steps that count on, and an epoch that comes again")
        << QByteArray("Epoch 1 step 20 loss 0.75\nEpoch 2 step 40 loss 0.5\nEpoch 1 step 30 loss 0.375\n")
        << QStringList{u"loss | step 20 in 1 = 0.75"_s, u"loss | step 40 in 2 = 0.5"_s,
               u"loss | step 30 in 1 = 0.375"_s}
        << u"- -"_s;
    QTest::newRow("the learning rate above the values of a batch")
        << QByteArray("Training: epoch 3[1900/20254], lr: [0.0001]\n\tloss: 0.75\n"
                      "Training: epoch 3[1950/20254], lr: [0.0001]\n\tloss: 0.5\n")
        << QStringList{u"lr | batch 1900 in 3 = 0.0001"_s, u"loss | batch 1900 in 3 = 0.75"_s,
               u"lr | batch 1950 in 3 = 0.0001"_s, u"loss | batch 1950 in 3 = 0.5"_s}
        << u"0.09628 -"_s;
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
                                      << QStringList{u"loss | step 3 = 0.5"_s, u"Loss | batch 100 in 1 = 0.12"_s,
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
    QTest::newRow("a count with its share")
        << QByteArray("Process 100/4000 (2.50%) loss 0.5\n"
                      "Process 200/4000 (5.00%) loss 0.25\n")
        << QStringList{u"loss | batch 100 = 0.5"_s, u"loss | batch 200 = 0.25"_s} << u"0.05 -"_s;
    QTest::newRow("a count in parentheses")
        << QByteArray("Epoch 2 Batch(0/1600) loss: 2.5\n"
                      "Epoch 2 Batch(400/1600) loss: 1.5\n")
        << QStringList{u"loss | batch 0 in 2 = 2.5"_s, u"loss | batch 400 in 2 = 1.5"_s} << u"0.25 -"_s;
    QTest::newRow("a part of the data that is counted")
        << QByteArray("Train: 1/3 (33%) [0/320]\tLoss: 2.5\n"
                      "Train: 1/3 (33%) [160/320]\tLoss: 1.5\n")
        << QStringList{u"Loss | batch 0 in 1 = 2.5"_s, u"Loss | batch 160 in 1 = 1.5"_s} << u"0.5 -"_s;
    QTest::newRow("values in calls") << QByteArray("step 10 loss = tensor(0.5) acc = mean(0.25)\n")
                                     << QStringList{u"loss | step 10 = 0.5"_s, u"acc | step 10 = 0.25"_s} << u"- -"_s;
    QTest::newRow("names in brackets behind a time") << QByteArray("epoch 3 training [time: 12.5s, train loss: 0.5]\n")
                                                     << QStringList{u"train loss | epoch 3 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a logger whose name has a dash")
        << QByteArray("INFO:my-trainer:step 10 loss 0.5\n"
                      "INFO:my-trainer:step 20 loss 0.25\n")
        << QStringList{u"loss | step 10 = 0.5"_s, u"loss | step 20 = 0.25"_s} << u"- -"_s;
    QTest::newRow("slashes between values")
        << QByteArray("epoch 1 | hinge_floss 0.5 / objf -0.25 / L.r. 0.01\n")
        << QStringList{u"hinge_floss | epoch 1 = 0.5"_s, u"objf | epoch 1 = -0.25"_s, u"L.r. | epoch 1 = 0.01"_s}
        << u"- -"_s;
}

} // namespace trainyard
