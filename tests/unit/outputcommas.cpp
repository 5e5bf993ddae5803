// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

void OutputTests::addCommas()
{
    QTest::newRow("decimal commas") << QByteArray("Epoch 1 loss 0,345 acc 0,92\n"
                                                  "Epoch 2, loss: 1,5, acc: 92,5%\n"
                                                  "Epoch 3 loss=2,30258,acc=-0,5\n")
                                    << QStringList{u"loss | epoch 1 = 0.345"_s, u"acc | epoch 1 = 0.92"_s,
                                           u"loss | epoch 2 = 1.5"_s, u"acc | epoch 2 = 92.5"_s,
                                           u"loss | epoch 3 = 2.30258"_s, u"acc | epoch 3 = -0.5"_s}
                                    << u"- -"_s;
    QTest::newRow("one decimal comma") << QByteArray("step 1 loss 1,5\n") << QStringList{u"loss | step 1 = 1.5"_s}
                                       << u"- -"_s;
    QTest::newRow("a decimal comma behind decimal points")
        << QByteArray("step 1 loss 0.5\nstep 2 loss 0,05\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.05"_s} << u"- -"_s;
    QTest::newRow("groups of thousands") << QByteArray("step 1 loss=12,345.6\nstep 2 loss=1,234.5\n"
                                                       "step 3 loss: 1,234,567\nstep 12,345 loss 98,765\n")
                                         << QStringList{u"loss | step 1 = 12345.6"_s, u"loss | step 2 = 1234.5"_s,
                                                u"loss | step 3 = 1234567"_s, u"loss | step 12345 = 98765"_s}
                                         << u"- -"_s;
    QTest::newRow("one group alone may be thousands or a decimal comma")
        << QByteArray("step 1 loss 12,345\nstep 2 loss 98,765\n") << QStringList() << u"- -"_s;
    QTest::newRow("one group beside a point, and behind one")
        << QByteArray("step 1 loss 12,345 acc 0.5\nstep 2 loss 1,234\n")
        << QStringList{u"loss | step 1 = 12345"_s, u"acc | step 1 = 0.5"_s, u"loss | step 2 = 1234"_s} << u"- -"_s;
    QTest::newRow("one group beside a decimal comma, and behind one; steps are whole")
        << QByteArray("step 12,345 loss 12,345 acc 0,5\nstep 12,346 loss 1,234\n")
        << QStringList{u"loss | step 12345 = 12.345"_s, u"acc | step 12345 = 0.5"_s, u"loss | step 12346 = 1.234"_s}
        << u"- -"_s;
    QTest::newRow("one group where both are in use")
        << QByteArray("step 1 loss 0.5\nstep 2 acc 0,05\nstep 3 loss 1,234\nstep 4 loss 0.25\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"acc | step 2 = 0.05"_s, u"loss | step 4 = 0.25"_s} << u"- -"_s;
    QTest::newRow("lists are no decimal commas")
        << QByteArray("step 1 loss 1,2,3\nstep 2 acc (0,345)\nstep 3 loss 5, 6\nstep 4 loss 0.5,0.25\n")
        << QStringList{u"loss | step 3 = 5"_s, u"loss | step 4 = 0.5"_s} << u"- -"_s;
    QTest::newRow("a comma beside a decimal point is no decimal comma")
        << QByteArray("step 1 loss 0,345 acc 0.5\n") << QStringList{u"acc | step 1 = 0.5"_s} << u"- -"_s;
    QTest::newRow("points that part groups")
        << QByteArray("step 1 loss 1.234,5\nstep 2 loss 0,75\n"
                      "step 3 loss 1.234,5\n")
        << QStringList{u"loss | step 2 = 0.75"_s, u"loss | step 3 = 1234.5"_s} << u"- -"_s;
    QTest::newRow("a value with three digits, and a number behind its comma")
        << QByteArray("step 1 loss 0.5\nstep 2 loss 1.234,5\n")
        << QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 1.234"_s} << u"- -"_s;
    QTest::newRow("decimal commas in columns")
        << QByteArray("epoch  loss    acc\n1      0,345   0,5\n2      0,25    0,625\n3      12,345  0,75\n")
        << QStringList{u"loss | epoch 1 = 0.345"_s, u"acc | epoch 1 = 0.5"_s, u"loss | epoch 2 = 0.25"_s,
               u"acc | epoch 2 = 0.625"_s, u"loss | epoch 3 = 12.345"_s, u"acc | epoch 3 = 0.75"_s}
        << u"- -"_s;
    QTest::newRow("commas between cells") << QByteArray("epoch,loss,acc\n1,0,1\n2,345,0.625\n")
                                          << QStringList{u"loss | epoch 1 = 0"_s, u"acc | epoch 1 = 1"_s,
                                                 u"loss | epoch 2 = 345"_s, u"acc | epoch 2 = 0.625"_s}
                                          << u"- -"_s;
    QTest::newRow("decimal commas in dictionaries")
        << QByteArray("{\"step\": 1, \"loss\": \"0,345\"}\n{\"step\": 2,\n \"loss\": \"0,25\"}\n")
        << QStringList{u"loss | step 1 = 0.345"_s, u"loss | step 2 = 0.25"_s} << u"- -"_s;
}

} // namespace trainyard
