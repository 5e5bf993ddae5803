// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/joblabels.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tags are kept as they are typed, and compared without regard to case, as filters do.
class TstJobLabels : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void normal_data()
    {
        QTest::addColumn<QStringList>("given");
        QTest::addColumn<QStringList>("kept");
        QTest::newRow("capitals") << QStringList{u"Baseline"_s} << QStringList{u"Baseline"_s};
        QTest::newRow("blanks") << QStringList{u"  lr   Study "_s, u" "_s, QString()} << QStringList{u"lr Study"_s};
        QTest::newRow("sorted without regard to case")
            << QStringList{u"b"_s, u"C"_s, u"a"_s} << QStringList{u"a"_s, u"b"_s, u"C"_s};
        QTest::newRow("the same in another case")
            << QStringList{u"Base"_s, u"base"_s, u"BASE"_s} << QStringList{u"Base"_s};
        QTest::newRow("letters beyond ASCII") << QStringList{u"Été"_s, u"été"_s} << QStringList{u"Été"_s};
    }

    void normal()
    {
        QFETCH(const QStringList, given);
        QFETCH(const QStringList, kept);
        QCOMPARE(normalTags(given), kept);
    }

    // Those of hosts are told apart by case, since jobs ask for them by their exact names.
    void labelsOfHosts()
    {
        QCOMPARE(normalTags({u"gpu"_s, u"GPU"_s, u"gpu"_s}, Qt::CaseSensitive), (QStringList{u"GPU"_s, u"gpu"_s}));
    }

    void length()
    {
        QVERIFY(checkTags({u"a"_s, QString(255, u'x'), u"  "_s + QString(255, u'y')}));
        const Result<void> checked = checkTags({u"a"_s, QString(256, u'x')});
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, u"tag.too-long"_s);
        QCOMPARE(checked.error().args.value("characters"_L1).toInt(), 256);
        QCOMPARE(checked.error().args.value("tag"_L1).toString(), QString(40, u'x'));
        QVERIFY(checkTags({QString(200, u'x') + u',' + QString(200, u'y')})); // two of them
    }

    void lengthOfNotes()
    {
        QVERIFY(checkNote({}) && checkNote(QString(100'000, u'x')));
        const Result<void> checked = checkNote(QString(100'001, u'x'));
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, u"note.too-long"_s);
        QCOMPARE(checked.error().args.value("characters"_L1).toInt(), 100'001);
    }

    void changes()
    {
        const auto tagsAfter = [](const QStringList &before, const QStringList &added, const QStringList &removed) {
            JobLabels labels;
            labels.tags = before;
            api::LabelChange change;
            change.addTags = added;
            change.removeTags = removed;
            return changedLabels(labels, change).tags;
        };
        QCOMPARE(tagsAfter({}, {u"Baseline"_s}, {}), QStringList{u"Baseline"_s});
        QCOMPARE(tagsAfter({u"baseline"_s, u"x"_s}, {u"Baseline"_s}, {}), (QStringList{u"Baseline"_s, u"x"_s}));
        QCOMPARE(tagsAfter({u"Baseline"_s, u"x"_s}, {}, {u"baseline"_s}), QStringList{u"x"_s});
        QCOMPARE(tagsAfter({u"old"_s}, {u"Old"_s}, {u"old"_s}), QStringList{u"Old"_s});
        // Commas separate them, and one that has a comma of old can be removed.
        QCOMPARE(
            tagsAfter({u"old"_s}, {u"mix, bad"_s, u",x,,"_s}, {}), (QStringList{u"bad"_s, u"mix"_s, u"old"_s, u"x"_s}));
        QCOMPARE(tagsAfter({u"bad"_s, u"mix"_s, u"old"_s}, {}, {u"mix,old"_s}), QStringList{u"bad"_s});
        QCOMPARE(tagsAfter({u"mix,bad"_s, u"old"_s}, {}, {u"mix,bad"_s}), QStringList{u"old"_s});
    }
};
TRAINYARD_TEST(TstJobLabels)

#include "tst_joblabels.moc"
