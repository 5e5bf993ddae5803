// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// What searches, evaluations and lists of values print.
void OutputTests::addLists()
{
    QTest::newRow("a part and its step, with a sign between them")
        << QByteArray(
               "Epoch 3 mAP@.5: 0.25\nVal @ epoch 3 \xE2\x86\x92 mAP@[.5:.95]: 0.375 | mAP@.5: 0.5 | mAR: 0.625\n")
        << QStringList{u"mAP@.5 | epoch 3 = 0.25"_s, u"Val/mAP@.5 | epoch 3 = 0.5"_s, u"mAR | epoch 3 = 0.625"_s}
        << u"- -"_s;
    QTest::newRow("a part with a colon in front of the step")
        << QByteArray("TRAIN: epoch=1 loss=0.5 acc=0.75\nEVAL : epoch=1 loss=0.625 acc=0.5\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"acc | epoch 1 = 0.75"_s, u"EVAL/loss | epoch 1 = 0.625"_s,
               u"EVAL/acc | epoch 1 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("a part as the value of a key")
        << QByteArray("run=a1b2c3d step=100 split=train loss=0.5\nrun=a1b2c3d step=100 split=val loss=0.625\n")
        << QStringList{u"loss | step 100 = 0.5"_s, u"val/loss | step 100 = 0.625"_s} << u"- -"_s;
    QTest::newRow("sentences about what there was after some steps")
        << QByteArray("After 1000 iterations the training loss is 0.5 and the validation accuracy is 81.5%.\n"
                      "After 2000 iterations, loss: 0.25\n")
        << QStringList{u"training loss | iteration 1000 = 0.5"_s, u"validation accuracy | iteration 1000 = 81.5"_s,
               u"loss | iteration 2000 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("elements with their values")
        << QByteArray(
               "<log step=\"100\" loss=\"0.5\" acc=\"0.75\"/>\n<log step=\"200\" loss=\"0.25\">\n<b>loss=\"0.5\"</b>\n")
        << QStringList{u"loss | step 100 = 0.5"_s, u"acc | step 100 = 0.75"_s, u"loss | step 200 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a row of a whole epoch among those of its batches")
        << QByteArray(" Epoch  |  Batch  |  Train Loss  |  Val Loss\n"
                      "---------------------------------------------\n"
                      "   1    |   20    |   0.625000   |     -     \n"
                      "   1    |    -    |   0.500000   |  0.750000 \n")
        << QStringList{u"Train Loss | batch 20 in 1 = 0.625"_s, u"Train Loss | epoch 1 = 0.5"_s,
               u"Val Loss | epoch 1 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("an epoch and an iteration in one count")
        << QByteArray("eta: 0:10:20  epoch/iter: 52/13673  total_loss: 7.25\n"
                      "eta: 0:10:10  epoch/iter: 53/13799  total_loss: 7.125\n")
        << QStringList{u"total_loss | batch 13673 in 52 = 7.25"_s, u"total_loss | batch 13799 in 53 = 7.125"_s}
        << u"- 610"_s;
    QTest::newRow("a table of commas whose step is no column in front")
        << QByteArray("train/loss_step,lr,global_step,epoch,created_at\n"
                      "0.5,0.125,49.0,0,2025-03-01 06:02:10.484610\n"
                      "0.25,0.125,99.0,0,2025-03-01 06:09:01.771131\n")
        << QStringList{u"train/loss_step | step 49 in 0 = 0.5"_s, u"lr | step 49 in 0 = 0.125"_s,
               u"train/loss_step | step 99 in 0 = 0.25"_s, u"lr | step 99 in 0 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("what a value was at first, and how long an epoch took")
        << QByteArray("step 10: average reward= 9.5 (init= 8.25), loss: 0.5\ntime consuming of epoch 3 is: 30.5\n")
        << QStringList{u"average reward | step 10 = 9.5"_s, u"loss | step 10 = 0.5"_s} << u"- -"_s;
    QTest::newRow("results behind the settings of a try")
        << QByteArray(
               "[CV 1/2] END ....depth=0.5, kind=tree;, score=0.625 total time=   0.2s\n"
               "[CV 2/2] END ....depth=0.5, kind=tree;, score=0.750 total time=   0.2s\n"
               "[CV 1/2; 1/3] START depth=2..........\n"
               "[CV 1/2; 1/3] END depth=2, loss=hinge; acc: (train=0.875, test=0.75) f1: (train=0.5, test=0.25)\n"
               "[CV 2/2] END depth=2; total time=   0.1s\n")
        << QStringList{u"score | none = 0.625"_s, u"score | none = 0.75"_s, u"acc | none = 0.875"_s,
               u"test/acc | none = 0.75"_s, u"f1 | none = 0.5"_s, u"test/f1 | none = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("semicolons that part no results from settings")
        << QByteArray("A=1; LOSS_WEIGHT=0.5; run\n"
                      "seed=3, lr=0.5; loss=hinge\n"
                      "epoch 1; loss=0.5; acc=0.25\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"acc | epoch 1 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a learning rate that a training tells in front of its losses")
        << QByteArray("lr=0.1; loss=0.5\n"
                      "learning_rate=1e-4; loss=0.25; acc=0.75\n"
                      "[step 3] lr=0.2; loss=0.125\n"
                      "[epoch 4] lr=0.3; loss=0.0625\n")
        << QStringList{u"lr | none = 0.1"_s, u"loss | none = 0.5"_s, u"learning_rate | none = 0.0001"_s,
               u"loss | none = 0.25"_s, u"acc | none = 0.75"_s, u"lr | step 3 = 0.2"_s, u"loss | step 3 = 0.125"_s,
               u"lr | epoch 4 = 0.3"_s, u"loss | epoch 4 = 0.0625"_s}
        << u"- -"_s;
    QTest::newRow("a learning rate among the settings of a try")
        << QByteArray("[CV 1/2] END ....lr=0.1;, score=0.625 total time=   0.2s\n"
                      "lr=0.1, kernel=rbf; score=0.75\n"
                      "lr=1; score=0.875\n"
                      "learning_starts=100; score=0.5\n")
        << QStringList{u"score | none = 0.625"_s, u"score | none = 0.75"_s, u"score | none = 0.875"_s,
               u"score | none = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("values before their names and a sign")
        << QByteArray("Fitting model A ...\n"
                      "\t0.75\t = Validation score   (accuracy)\n"
                      "\t-0.5\t = Validation score (-rmse)\n"
                      "\t0.5s\t = Training   runtime\n"
                      "0.5 = 0.5\n"
                      "3.5 = x\n"
                      "4 = loss\n")
        << QStringList{u"Validation score (accuracy) | none = 0.75"_s, u"Validation score (-rmse) | none = -0.5"_s}
        << u"- -"_s;
    QTest::newRow("a list of names with their values")
        << QByteArray("step: 5 R: 12.5\n"
                      "statistics: [('avg_loss', 0.5), ('n', 3), ('avg_reward', tensor(0.25, device='cuda:0'))]\n"
                      "train, step: 6, (lr: 0.5), [('loss', 0.25), ('acc', 0.75)], {'data_time': '0.1'}\n")
        << QStringList{u"R | step 5 = 12.5"_s, u"avg_loss | step 5 = 0.5"_s, u"avg_reward | step 5 = 0.25"_s,
               u"loss | step 6 = 0.25"_s, u"acc | step 6 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("lists of settings and of words")
        << QByteArray("params: [('lr', 0.5), ('loss_weight', 0.25)]\n"
                      "steps=[('scale', Scaler()), ('model', Model(loss=0.5))]\n"
                      "[('loss', 'min'), ('acc', 'max')]\n")
        << QStringList() << u"- -"_s;
    QTest::newRow("a word in front of a dictionary")
        << QByteArray("Losses {'tags': 12.5, 'names': 3.25}\n"
                      "Train: {'loss': 0.5}\n"
                      "Val: {'loss': 0.75}\n"
                      "epoch 2 train metrics {'acc': 0.25}\n"
                      "epoch 2 eval metrics {'acc': 0.5}\n")
        << QStringList{u"Losses/tags | none = 12.5"_s, u"Losses/names | none = 3.25"_s, u"loss | none = 0.5"_s,
               u"Val/loss | none = 0.75"_s, u"acc | epoch 2 = 0.25"_s, u"eval/acc | epoch 2 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("names that say their part of the data, told again behind a word for it")
        << QByteArray("{'eval_loss': 0.5, 'epoch': 2}\nFinal eval: {'eval_loss': 0.25, 'epoch': 3}\n")
        << QStringList{u"eval_loss | epoch 2 = 0.5"_s, u"eval_loss | epoch 3 = 0.25"_s} << u"- -"_s;
    QTest::newRow("a header in two lines without a frame")
        << QByteArray("using no cache\n"
                      "average  since         example        example        current        current  current\n"
                      "loss     last          counter         weight          label        predict features\n"
                      "0.500000 0.500000            1            1.0         1.0000         0.0000       14\n"
                      "0.375000 0.250000            2            2.0        -1.0000        -0.3125       21\n"
                      "\n"
                      "average loss = 0.375000\n")
        << QStringList{u"average loss | iteration 1 = 0.5"_s, u"since last | iteration 1 = 0.5"_s,
               u"average loss | iteration 2 = 0.375"_s, u"since last | iteration 2 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("lines in words, and no header in two lines") << QByteArray("this      is       a       heading\n"
                                                                              "without   numbers  and     loss\n"
                                                                              "0.75      0.5      0.25    0.125\n")
                                                                << QStringList() << u"- -"_s;
    QTest::newRow("two parts of the data in a line, parted by a semicolon")
        << QByteArray("Iteration 100: train: loss=0.5 acc=0.75; valid: loss=0.625 acc=0.5\n")
        << QStringList{u"loss | iteration 100 = 0.5"_s, u"acc | iteration 100 = 0.75"_s,
               u"valid/loss | iteration 100 = 0.625"_s, u"valid/acc | iteration 100 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("a step behind the values, and scores with known names")
        << QByteArray("Loss/train: 0.5, Loss/val: 0.75 @ step 100\n"
                      "Best loss: 0.25 @ epoch 3\n"
                      "Running loss after 200 mini-batches: 0.5\n"
                      "Top-1: 76.5 | Top-5: 92.5\n"
                      "NLL=1.25, ECE=0.125, Brier=0.25\n")
        << QStringList{u"Loss/train | step 100 = 0.5"_s, u"Loss/val | step 100 = 0.75"_s,
               u"Running loss | batch 200 = 0.5"_s, u"Top-1 | batch 200 = 76.5"_s, u"Top-5 | batch 200 = 92.5"_s,
               u"NLL | batch 200 = 1.25"_s, u"ECE | batch 200 = 0.125"_s, u"Brier | batch 200 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("French, Spanish, Portuguese, Italian and Russian")
        << QByteArray("Époque 1/4 - perte : 0,5 - précision : 0,75\n"
                      "Época 2/4, pérdida: 0.25, pérdida de validación: 0.5\n"
                      "Passo 3: perda 0.25, acurácia 0.5\n"
                      "Epoca 4/4 - accuratezza: 0.75\n"
                      "Шаг 5: потери: 0.125, точность: 0.5\n")
        << QStringList{u"perte | epoch 1 = 0.5"_s, u"précision | epoch 1 = 0.75"_s, u"pérdida | epoch 2 = 0.25"_s,
               u"pérdida de validación | epoch 2 = 0.5"_s, u"perda | step 3 = 0.25"_s, u"acurácia | step 3 = 0.5"_s,
               u"accuratezza | epoch 4 = 0.75"_s, u"потери | step 5 = 0.125"_s, u"точность | step 5 = 0.5"_s}
        << u"1 -"_s;
    QTest::newRow("half of a letter with an accent")
        << QByteArray("epoch 1 los\xC3: 0.5\n{\"los\xC3\": 0.25, \"epoch\": 2}\n")
        << QStringList{u"los\uFFFD | epoch 1 = 0.5"_s, u"los\uFFFD | epoch 2 = 0.25"_s} << u"- -"_s;
    QTest::newRow("tables with quoted cells")
        << QByteArray("\"\",\"epoch\",\"loss\"\n\"1\",1,0.5\n\"2\",2,0.25\n"
                      "#\"Step\",\"Potential Energy (kJ/mole)\"\n1000,-1234.5\n2000,-1235.5\n")
        << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s,
               u"Potential Energy (kJ/mole) | step 1000 = -1234.5"_s,
               u"Potential Energy (kJ/mole) | step 2000 = -1235.5"_s}
        << u"- -"_s;
    QTest::newRow("a word for what iterates, and what a shell shows of its assignments")
        << QByteArray("+ loss=0.5\n"
                      "++ date +%s\n"
                      "Newton iteration 1: r (abs) = 2.5e-02 r (rel) = 5.0e-01\n"
                      "Best iteration 3: loss = 0.25\n"
                      "cur metric, precision: 0.5, hmean: 0.75\n")
        << QStringList{u"r (abs) | iteration 1 = 0.025"_s, u"r (rel) | iteration 1 = 0.5"_s,
               u"precision | iteration 1 = 0.5"_s, u"hmean | iteration 1 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("the best row once more")
        << QByteArray("[0]\ttrain-logloss:0.75\tvalid-logloss:0.875\n"
                      "[1]\ttrain-logloss:0.5\tvalid-logloss:0.625\n"
                      "[2]\ttrain-logloss:0.25\tvalid-logloss:0.75\n"
                      "Stopping. Best iteration:\n"
                      "[1]\ttrain-logloss:0.5\tvalid-logloss:0.625\n"
                      "\n"
                      "[3]\ttraining's l2: 0.125\tvalid_1's l2: 0.5\n"
                      "Early stopping, best iteration is:\n"
                      "[2]\ttraining's l2: 0.25\tvalid_1's l2: 0.375\n")
        << QStringList{u"train-logloss | iteration 0 = 0.75"_s, u"valid-logloss | iteration 0 = 0.875"_s,
               u"train-logloss | iteration 1 = 0.5"_s, u"valid-logloss | iteration 1 = 0.625"_s,
               u"train-logloss | iteration 2 = 0.25"_s, u"valid-logloss | iteration 2 = 0.75"_s,
               u"training's l2 | iteration 3 = 0.125"_s, u"valid_1's l2 | iteration 3 = 0.5"_s}
        << u"- -"_s;
    QTest::newRow("what was not used") << QByteArray("epoch 1 loss 0.5\n"
                                                     "Skipping batch 12 with loss 3.25\n"
                                                     "WARNING: Ignoring sample 4 because its score 12.5 is too high\n"
                                                     "Rejected proposal with energy 12.5\n"
                                                     "step 7: loss = 0.25, skipped: 0.75\n")
                                       << QStringList{u"loss | epoch 1 = 0.5"_s, u"loss | step 7 = 0.25"_s} << u"- -"_s;
    QTest::newRow("an evaluation between two counts of one total")
        << QByteArray("[TRAIN] epoch: 1, iter: 10/40, loss: 0.75\n"
                      "[TRAIN] epoch: 1, iter: 20/40, loss: 0.5\n"
                      "[EVAL] mIoU: 0.5\n"
                      "[TRAIN] epoch: 2, iter: 30/40, loss: 0.25\n"
                      "[TRAIN] epoch: 2, iter: 40/40, loss: 0.125\n"
                      "[EVAL] mIoU: 0.75\n")
        << QStringList{u"loss | batch 10 in 1 = 0.75"_s, u"loss | batch 20 in 1 = 0.5"_s,
               u"mIoU | batch 20 in 1 = 0.5"_s, u"loss | batch 30 in 2 = 0.25"_s, u"loss | batch 40 in 2 = 0.125"_s,
               u"mIoU | batch 40 in 2 = 0.75"_s}
        << u"1 -"_s;
    QTest::newRow("an evaluation behind the last count of each epoch")
        << QByteArray("epoch: 0, iter: 0/40, loss: 0.75\n"
                      "epoch: 0, iter: 20/40, loss: 0.5\n"
                      "val_acc: 0.5\n"
                      "epoch: 1, iter: 0/40, loss: 0.25\n"
                      "epoch: 1, iter: 20/40, loss: 0.125\n"
                      "val_acc: 0.75\n")
        << QStringList{u"loss | batch 0 in 0 = 0.75"_s, u"loss | batch 20 in 0 = 0.5"_s, u"val_acc | epoch 0 = 0.5"_s,
               u"loss | batch 0 in 1 = 0.25"_s, u"loss | batch 20 in 1 = 0.125"_s, u"val_acc | epoch 1 = 0.75"_s}
        << u"0.5 -"_s;
    QTest::newRow("a word for the evaluation in front of its step")
        << QByteArray("TRAIN Batch 0/0 loss 0.875 loss_a 0.5\n"
                      "TRAIN Batch 0/100 loss 0.5 loss_a 0.25\n"
                      "CV Batch 0/0 loss 0.75 loss_a 0.375\n"
                      "episode 1 R: 20.5\n"
                      "evaluation episode 1 R: 31.5\n")
        << QStringList{u"loss | batch 0 = 0.875"_s, u"loss_a | batch 0 = 0.5"_s, u"loss | batch 100 in 0 = 0.5"_s,
               u"loss_a | batch 100 in 0 = 0.25"_s, u"CV/loss | batch 0 in 0 = 0.75"_s,
               u"CV/loss_a | batch 0 in 0 = 0.375"_s, u"R | episode 1 = 20.5"_s, u"evaluation/R | episode 1 = 31.5"_s}
        << u"- -"_s;
    QTest::newRow("one name for two things at the same step")
        << QByteArray("Evaluating on dev after epoch 0:\n"
                      "Cosine:\tPearson: 0.75\tSpearman: 0.5\n"
                      "Manhattan:\tPearson: 0.625\tSpearman: 0.375\n"
                      "Evaluating on dev after epoch 1:\n"
                      "Cosine:\tPearson: 0.875\tSpearman: 0.75\n"
                      "Manhattan:\tPearson: 0.5\tSpearman: 0.25\n")
        << QStringList{u"Pearson | epoch 0 = 0.75"_s, u"Spearman | epoch 0 = 0.5"_s,
               u"Manhattan/Pearson | epoch 0 = 0.625"_s, u"Manhattan/Spearman | epoch 0 = 0.375"_s,
               u"Pearson | epoch 1 = 0.875"_s, u"Spearman | epoch 1 = 0.75"_s, u"Manhattan/Pearson | epoch 1 = 0.5"_s,
               u"Manhattan/Spearman | epoch 1 = 0.25"_s}
        << u"- -"_s;
    QTest::newRow("a step, and then words with a number behind each")
        << QByteArray("iter  1 act 5.001e+02 pre 4.5 delta 1.5 f 6.25 |g| 1.5e+03 CG   3\n"
                      "step 5 took 3.2 seconds and 4 tries\n"
                      "iter 3 on gpu 0 at 12.5 MHz with 3 threads\n")
        << QStringList{u"act | iteration 1 = 500.1"_s, u"pre | iteration 1 = 4.5"_s, u"delta | iteration 1 = 1.5"_s,
               u"f | iteration 1 = 6.25"_s}
        << u"- -"_s;
    QTest::newRow("exponents of Fortran")
        << QByteArray("Machine precision = 2.220D-16\n"
                      "At iterate    2    f=  6.25000D+02    |proj g|=  2.5D+03\n"
                      " ITER=    10 RESID= 0.1250D-02\n")
        << QStringList{u"f | iteration 2 = 625"_s, u"RESID | iteration 10 = 0.00125"_s} << u"- -"_s;
    QTest::newRow("how long a step and a part of it took")
        << QByteArray("step: 10 loss: 0.5 iter: 0.971 data: 0.001 dt_net: 0.512\n"
                      "step: 20, loss: 0.25, generation: 12.3[sec], evaluation: 0.05[s]\n")
        << QStringList{u"loss | step 10 = 0.5"_s, u"loss | step 20 = 0.25"_s} << u"- -"_s;
    QTest::newRow("means with how many they are of")
        << QByteArray(" Minibatch[   1- 100]: loss = 2.25 * 6400, metric = 88.5% * 6400;\n"
                      "Minibatch[ 101- 200]: loss = 1.25 * 6400;\n"
                      "x = 0.5 * 2;\n"
                      "loss = 0.5 * scale\n")
        << QStringList{u"loss | batch 100 = 2.25"_s, u"metric | batch 100 = 88.5"_s, u"loss | batch 200 = 1.25"_s}
        << u"- -"_s;
    QTest::newRow("a share that is drawn again and again")
        << QByteArray("Alpha: 0.05  Progress: 0.2%  Words/sec: 211.1k  \r"
                      "Alpha: 0.04  Progress: 25.0%  Words/sec: 213.4k  \r"
                      "Alpha: 0.03  Progress: 50.0%  Words/sec: 213.4k  ")
        << QStringList() << u"0.5 -"_s;
    QTest::newRow("a process in brackets, and which of two counts")
        << QByteArray("[proc 0](1000/4000) average loss: 0.5\n"
                      "|  Inner_Iter|  rms[Rho]|   CL|\n"
                      "|           7|     -1.75| 0.25|\n")
        << QStringList{u"average loss | step 1000 = 0.5"_s, u"rms[Rho] | iteration 7 = -1.75"_s,
               u"CL | iteration 7 = 0.25"_s}
        << u"0.25 -"_s;
}

} // namespace trainyard
