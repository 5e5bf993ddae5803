// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/resultorder.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstResultOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // As Transformers and Lightning write them, read from their files and their output.
    void measuresComeFirst()
    {
        const QStringList names{u"epoch"_s, u"eval/accuracy"_s, u"eval/loss"_s, u"eval/runtime"_s,
            u"eval/samples_per_second"_s, u"eval_accuracy"_s, u"eval_loss"_s, u"eval_samples_per_second"_s,
            u"learning_rate"_s, u"loss"_s, u"total_flos"_s};
        QList<ResultLine> lines;
        for (const QString &name : names) {
            lines.append({name, name.contains(u"loss"_s) ? u"0.67"_s : u"1"_s});
        }
        lines[6].text = u"0.68"_s; // another figure by the same name stays
        QStringList order;
        for (const ResultLine &line : cli::inOrderOfInterest(lines)) {
            order.append(line.name);
        }
        QCOMPARE(order.mid(0, 4), (QStringList{u"eval/accuracy"_s, u"eval/loss"_s, u"eval_loss"_s, u"loss"_s}));
        QCOMPARE(order.at(4), u"learning_rate"_s);
        QVERIFY2(!order.contains(u"eval_accuracy"_s) && !order.contains(u"eval_samples_per_second"_s),
            qPrintable(order.join(u' ')));
        QCOMPARE(order.size(), 9);
    }
};
TRAINYARD_TEST(TstResultOrder)
#include "tst_resultorder.moc"
