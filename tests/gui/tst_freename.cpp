// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/freename.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a document without a file is called, beside others.
class TstFreeName : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nameIsFree_data()
    {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QString>("expected");

        const QString untitled = u"untitled.pai.yaml"_s;
        QTest::newRow("free") << u"train.pai.yaml"_s << QStringList{untitled} << u"train.pai.yaml"_s;
        QTest::newRow("taken") << u"train.pai.yaml"_s << QStringList{u"train.pai.yaml"_s} << u"train-2.pai.yaml"_s;
        QTest::newRow("the second, too") << u"train.pai.yaml"_s
                                         << QStringList{u"train.pai.yaml"_s, u"train-2.pai.yaml"_s}
                                         << u"train-3.pai.yaml"_s;
        QTest::newRow("a gap") << u"train.pai.yaml"_s << QStringList{u"train.pai.yaml"_s, u"train-3.pai.yaml"_s}
                               << u"train-2.pai.yaml"_s;
        QTest::newRow("without an ending") << u"train"_s << QStringList{u"train"_s} << u"train-2"_s;
        QTest::newRow("numbered itself") << u"untitled-2.pai.yaml"_s << QStringList{u"untitled-2.pai.yaml"_s}
                                         << untitled;
        QTest::newRow("numbered, beside the first")
            << u"untitled-2.pai.yaml"_s << QStringList{untitled, u"untitled-2.pai.yaml"_s} << u"untitled-3.pai.yaml"_s;
    }

    void nameIsFree()
    {
        QFETCH(QString, wanted);
        QFETCH(QStringList, taken);
        QFETCH(QString, expected);
        const auto isTaken = [&taken](const QString &name) { return taken.contains(name); };
        QCOMPARE(freeDocumentName(wanted, u"untitled.pai.yaml"_s, isTaken), expected);
    }
};

TRAINYARD_TEST(TstFreeName)
#include "tst_freename.moc"
