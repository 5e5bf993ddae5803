// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// Lines of trainers that need more than a name and its value.
void OutputTests::addTrainers()
{
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
    QTest::newRow("Keras 3, whose bar is drawn twice at its end")
        << QByteArray("Epoch 1/5\n"
                      "9/9 \342\224\201\342\224\201 0s 4ms/step - loss: 1.75\b\b\b\b\b\b\b\b\r"
                      "9/9 \342\224\201\342\224\201 1s 9ms/step - loss: 1.5 - val_loss: 0.75\n"
                      "Epoch 2/5\n"
                      "9/9 \342\224\201\342\224\201 0s 4ms/step - loss: 1.25\n"
                      "Epoch 2: val_loss improved from 0.75 to 0.5, saving model to best.keras\n"
                      "\b\b\b\b\b\b\b\b\r9/9 \342\224\201\342\224\201 1s 9ms/step - loss: 1.25 - val_loss: 0.5\n"
                      "4/4 \342\224\201\342\224\201 0s 4ms/step - loss: 1.125\n")
        << QStringList{u"loss | batch 9 in 1 = 1.75"_s, u"loss | epoch 1 = 1.5"_s, u"val_loss | epoch 1 = 0.75"_s,
               u"loss | epoch 2 = 1.25"_s, u"val_loss | epoch 2 = 0.5"_s, u"loss | none = 1.125"_s}
        << u"0.4 -"_s;
    const QByteArray bar = " \342\224\201\342\224\201 0s 4ms/step - loss: ", back = "\b\b\b\b\b\b\b\b\r";
    QTest::newRow("Keras 3, whose checkpoint watches the loss itself")
        << QByteArray("Epoch 1/2\n"
                      "8/9"
               + bar + "1.75" + back + "9/9" + bar
               + "1.5\nEpoch 1: loss improved from inf to 1.5, saving "
                 "model to best.keras\n"
               + back + "9/9" + bar + "1.25\nEpoch 2/2\n9/9" + bar
               + "0.75\n"
                 "Epoch 2: loss did not improve from 1.25\n"
               + back + "9/9" + bar
               + "0.5\nEpoch 2: early stopping\n"
                 "9/9"
               + bar + "0.25\n")
        << QStringList{u"loss | batch 8 in 1 = 1.75"_s, u"loss | epoch 1 = 1.5"_s, u"loss | epoch 1 = 1.25"_s,
               u"loss | epoch 2 = 0.75"_s, u"loss | epoch 2 = 0.5"_s, u"loss | none = 0.25"_s}
        << u"1 -"_s;
    QTest::newRow("Keras 3, which is evaluated with as many batches when it has ended")
        << QByteArray("Epoch 1/1\n8/9" + bar + "1.75" + back + "9/9" + bar + "1.5" + back + "9/9" + bar
               + "1.5\n"
                 "Epoch 1: early stopping\n8/9"
               + bar + "0.75" + back + "9/9" + bar + "0.25" + back + "9/9" + bar + "0.25\n")
        << QStringList{u"loss | batch 8 in 1 = 1.75"_s, u"loss | batch 9 in 1 = 1.5"_s, u"loss | epoch 1 = 1.5"_s,
               u"loss | batch 8 = 0.75"_s, u"loss | batch 9 = 0.25"_s, u"loss | none = 0.25"_s}
        << u"1 -"_s;
    QTest::newRow("a rate for each device before a name")
        << QByteArray(
               "Train Epoch: 0 [  256/1024 (25%)] Batch (t): 0.5, 451.5/s, 451.5/s/gpu LR: 0.25 Loss: 0.5 (0.5)\n"
               "Train Epoch: 0 [  512/1024 (50%)] Batch (t): 0.5, 455.5/s, 455.5/s/gpu LR: 0.5 Loss: 0.25 (0.5)\n")
        << QStringList{u"LR | batch 256 in 0 = 0.25"_s, u"Loss | batch 256 in 0 = 0.5"_s,
               u"LR | batch 512 in 0 = 0.5"_s, u"Loss | batch 512 in 0 = 0.25"_s}
        << u"0.5 -"_s;
    QTest::newRow("a better model says a value again")
        << QByteArray("epoch     train_loss  valid_loss\n"
                      "0         1.5         0.5\n"
                      "Better model found at epoch 0 with valid_loss value: 0.5.\n"
                      "1         1.25        0.25\n")
        << QStringList{u"train_loss | epoch 0 = 1.5"_s, u"valid_loss | epoch 0 = 0.5"_s,
               u"train_loss | epoch 1 = 1.25"_s, u"valid_loss | epoch 1 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a sentence names the epoch above its values")
        << QByteArray("01:02:03 - Evaluator: Evaluating the model on the dev data after epoch 3:\n"
                      "01:02:09 - Similarity :\tPearson: 0.75\tSpearman: 0.5\n"
                      "01:03:03 - Evaluator: Evaluating the model on the dev data after epoch 4:\n"
                      "01:03:09 - Similarity :\tPearson: 0.875\tSpearman: 0.625\n")
        << QStringList{u"Pearson | epoch 3 = 0.75"_s, u"Spearman | epoch 3 = 0.5"_s, u"Pearson | epoch 4 = 0.875"_s,
               u"Spearman | epoch 4 = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("a process between the time and the logger, and a share before its count")
        << QByteArray(
               "2024-05-01T10:00:00 - 0 - lib.callbacks - callbacks.py:52 - INFO :: train:  25% 50/200 loss=10.5\n"
               "2024-05-01T10:00:09 - 0 - lib.callbacks - callbacks.py:52 - INFO :: train:  50% 100/200 loss=9.5\n")
        << QStringList{u"loss | batch 50 = 10.5"_s, u"loss | batch 100 = 9.5"_s} << u"0.5 -"_s;
    QTest::newRow("a share before its count, of files")
        << QByteArray("Copying 50% 5/10 a.txt 0.5\nChecked 25% 25/100 parts, version 1.2.3, score 0.5\n")
        << QStringList() << u"- -"_s;
    QTest::newRow("how often a value was not a number, behind it")
        << QByteArray("val loss 11.25\n"
                      "step    1/8 | loss 11.5 (+nanz)| norm 15.5 (+nanz)| lr 8.5e-07 | 3012.5 ms | 45.5% bf16 MFU\n"
                      "step    2/8 | loss 10.5 (+nanz)| norm 14.5 (+nanz)| lr 1.5e-06 | 2912.5 ms | 46.5% bf16 MFU\n")
        << QStringList{u"val loss | none = 11.25"_s, u"loss | step 1 = 11.5"_s, u"norm | step 1 = 15.5"_s,
               u"lr | step 1 = 8.5e-07"_s, u"loss | step 2 = 10.5"_s, u"norm | step 2 = 14.5"_s,
               u"lr | step 2 = 1.5e-06"_s}
        << u"0.25 -"_s;
    QTest::newRow("paths of names between dashes")
        << QByteArray("(main pid=12) step:1 - actor/kl_loss:0.5 - critic/score/mean:0.125 - length/mean:212.5\n"
                      "(main pid=12) step:2 - actor/kl_loss:0.25 - critic/score/mean:0.25 - length/mean:214.5\n")
        << QStringList{u"actor/kl_loss | step 1 = 0.5"_s, u"critic/score/mean | step 1 = 0.125"_s,
               u"length/mean | step 1 = 212.5"_s, u"actor/kl_loss | step 2 = 0.25"_s,
               u"critic/score/mean | step 2 = 0.25"_s, u"length/mean | step 2 = 214.5"_s}
        << u"- -"_s;
    QTest::newRow("values at the right of their names, below a heading with the step")
        << QByteArray("##########################\n"
                      "      Learning iteration 10/1000      \n\n"
                      "               Computation: 98304 steps/s (collection: 0.5s, learning 0.25s)\n"
                      "       Value function loss: 0.5\n"
                      "               Mean reward: 1.25\n"
                      "       Mean episode length: 123.5\n"
                      "            Iteration time: 1.00s\n"
                      "                       ETA: 1490.0s\n")
        << QStringList{u"Value function loss | iteration 10 = 0.5"_s, u"Mean reward | iteration 10 = 1.25"_s,
               u"Mean episode length | iteration 10 = 123.5"_s}
        << u"0.01 1490"_s;
}

} // namespace trainyard
