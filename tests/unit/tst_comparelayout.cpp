// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparecolumns.h"
#include "app/cli/comparelayout.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/columns.h"

#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::cli;
using namespace Qt::StringLiterals;

// Which columns of a comparison are in the table, and what stands below it.
class TstCompareLayout : public QObject
{
    Q_OBJECT

    static QList<LaidColumn> columns()
    {
        return {{{}, {u"*"_s, {}, {}}}, {u"RUN"_s, {u"#1"_s, u"#2"_s, u"#3"_s}},
            {u"Name"_s, {u"resnet-of-today-18"_s, u"resnet-of-today-50"_s, u"b"_s}, 0, true},
            {u"lr"_s, {u"0.1"_s, u"0.01"_s, u"0.1"_s}, 1}, {u"data"_s, {u"imagenet"_s, u"cifar10"_s, u"mnist"_s}, 1},
            {u"loss best"_s, {u"0.5"_s, u"0.6"_s, u"0.7"_s}}, {u"STATE"_s, {u"SUCCEEDED"_s, u"FAILED"_s, u"STOPPED"_s}},
            {u"TIME"_s, {u"3 s"_s, u"4 s"_s, u"5 s"_s}, 3}, {u"WHY"_s, {u"-"_s, u"Out of GPU memory"_s, u"-"_s}},
            {u"cpu"_s, {u"4"_s, u"8"_s, u"4"_s}, 4}};
    }
    static QStringList labels() { return {u"#1"_s, u"#2"_s, u"#3"_s}; }
    static int widest(const LaidTable &table)
    {
        int width = 0;
        for (const QString &line : alignedRows(table.rows) + table.below) {
            width = std::max(width, columnsOf(line));
        }
        return width;
    }

    static QJsonObject curve(double first, double last)
    {
        return {{u"least"_s, std::min(first, last)}, {u"most"_s, std::max(first, last)}, {u"last"_s, last},
            {u"leastAt"_s, 1}, {u"mostAt"_s, 2}, {u"step"_s, 2}};
    }
    static QJsonObject once(double value) { return {{u"least"_s, value}, {u"most"_s, value}, {u"last"_s, value}}; }
    // The titles of the columns of metrics, of runs with these results.
    static QStringList titles(const QJsonObject &first, const QJsonObject &second, bool isForProgram = false)
    {
        Compared compared;
        for (const QJsonObject &results : {first, second}) {
            CompareRun run;
            run.job.results = results;
            compared.folds.append(QList<qsizetype>{compared.runs.size()});
            compared.runs.append(run);
        }
        compared.metrics = {u"final loss"_s, u"loss"_s};
        QStringList titles;
        for (const CompareColumn &column :
            isForProgram ? columnsForPrograms(compared, {}) : columnsForPeople(compared, u"-"_s)) {
            if (column.title.contains(u"loss"_s) || column.title == u"at"_s) {
                titles.append(column.title);
            }
        }
        return titles;
    }

private Q_SLOTS:
    // What a program says once has no best value beside its last one.
    void oneColumnOfOneValue()
    {
        const auto results = [](const QJsonObject &final, const QJsonObject &loss) {
            return QJsonObject{{u"final loss"_s, final}, {u"loss"_s, loss}};
        };
        const QJsonObject one = results(once(0.5), curve(2, 1)), other = results(once(0.6), curve(3, 2));
        QCOMPARE(titles(one, other), (QStringList{u"final loss"_s, u"loss last"_s}));
        const QStringList all{u"final loss best"_s, u"at"_s, u"final loss last"_s, u"loss last"_s};
        QCOMPARE(titles(one, other, true), all);
        QCOMPARE(titles(one, results(curve(2, 1), once(3))), all);
        QCOMPARE(titles(results(once(1), once(2)), results(once(3), {})), (QStringList{u"final loss"_s, u"loss"_s}));
        QJsonObject withStep = once(0.5);
        for (const QString &key : {u"leastAt"_s, u"mostAt"_s, u"step"_s}) {
            withStep.insert(key, 7);
        }
        QCOMPARE(
            titles(results(withStep, curve(2, 1)), other), (QStringList{u"final loss"_s, u"at"_s, u"loss last"_s}));
        QJsonObject broken = once(0.5);
        broken.insert(u"broken"_s, true);
        QCOMPARE(titles(results(broken, curve(2, 1)), other), all);
    }

    void allWhereThereIsRoom()
    {
        for (const int width : {0, 200}) {
            const LaidTable table = laidTable(columns(), labels(), width);
            QCOMPARE(table.rows.constFirst().size(), columns().size());
            QCOMPARE(table.below, QStringList());
        }
    }

    void whatHasNoRoomStandsBelow_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<QStringList>("heads");
        QTest::addColumn<QStringList>("below");
        const QString cpu = u"  cpu: 4 (#1, #3), 8 (#2)"_s, time = u"  TIME: 3 s (#1), 4 s (#2), 5 s (#3)"_s,
                      data = u"  data: imagenet (#1), cifar10 (#2), mnist (#3)"_s,
                      rate = u"  lr: 0.1 (#1, #3), 0.01 (#2)"_s;
        QTest::newRow("100") << 100
                             << QStringList{{}, u"RUN"_s, u"Name"_s, u"lr"_s, u"data"_s, u"loss best"_s, u"STATE"_s,
                                    u"TIME"_s, u"WHY"_s, u"cpu"_s}
                             << QStringList{};
        QTest::newRow("90") << 90
                            << QStringList{{}, u"RUN"_s, u"Name"_s, u"lr"_s, u"data"_s, u"loss best"_s, u"STATE"_s,
                                   u"TIME"_s, u"WHY"_s}
                            << QStringList{cpu};
        QTest::newRow("80") << 80
                            << QStringList{{}, u"RUN"_s, u"Name"_s, u"lr"_s, u"loss best"_s, u"STATE"_s, u"TIME"_s,
                                   u"WHY"_s}
                            << QStringList{data, cpu};
        QTest::newRow("66") << 66 << QStringList{{}, u"RUN"_s, u"Name"_s, u"loss best"_s, u"STATE"_s, u"WHY"_s}
                            << QStringList{rate, data, time, cpu};
    }
    void whatHasNoRoomStandsBelow()
    {
        QFETCH(const int, width);
        const LaidTable table = laidTable(columns(), labels(), width);
        QTEST(table.rows.constFirst(), "heads");
        QTEST(table.below, "below");
        QVERIFY(widest(table) <= width);
    }

    // One value for all is no difference.
    void oneValueIsOfAll()
    {
        const QString why = u"Out of GPU memory"_s;
        const QList<LaidColumn> some{{u"WHY"_s, {why, why}}, {u"TIME"_s, {u"2.6 s"_s, u"2.6 s"_s}, 3}};
        QCOMPARE(laidTable(some, {u"#2"_s, u"#3"_s}, 20).below, QStringList{u"  TIME: 2.6 s (all)"_s});
    }

    // How a run ended and why stays whole; its name gives way.
    void namesGiveWay()
    {
        const LaidTable table = laidTable(columns(), labels(), 60);
        QVERIFY(widest(table) <= 60);
        QCOMPARE(table.rows.at(2).constLast(), u"Out of GPU memory"_s);
        QVERIFY(table.rows.at(1).at(2).contains(u'…') && table.rows.at(1).at(2) != table.rows.at(2).at(2));
    }

    // A few runs with everything that is known of them: fields down, runs across, and nothing is cut.
    void fewRunsStandSideBySide()
    {
        const QString command = u"python3 train.py --lr 0.1 "_s + QString(u'x').repeated(100);
        const QList<LaidColumn> some{{u"lr"_s, {u"0.1"_s, u"0.01"_s}}, {u"data"_s, {u"imagenet"_s, u"cifar10"_s}},
            {u"commands.1"_s, {command, command}}, {u"WHY"_s, {u"-"_s, u"Out of GPU memory"_s}}};
        const LaidTable table = turnedTable(some, {u"#1 *"_s, u"#2"_s}, 60);
        QCOMPARE(table.rows.size(), 4);
        QCOMPARE(table.rows.at(0), (QStringList{QString(), u"#1 *"_s, u"#2"_s}));
        QCOMPARE(table.rows.at(1), (QStringList{u"lr"_s, u"0.1"_s, u"0.01"_s}));
        QCOMPARE(table.rows.at(3), (QStringList{u"WHY"_s, u"-"_s, u"Out of GPU memory"_s}));
        QCOMPARE(table.below, (QStringList{u"  commands.1:"_s, u"    #1 *, #2: "_s + command}));
        for (const QString &line : alignedRows(table.rows)) {
            QVERIFY2(columnsOf(line) <= 60, qPrintable(line));
        }
    }

    void longValuesHaveLinesOfTheirOwn()
    {
        QList<LaidColumn> some{{u"RUN"_s, {}}, {u"path"_s, {}, 1}};
        QStringList rows;
        for (int i = 0; i < 40; ++i) {
            rows.append(u"#%1"_s.arg(i));
            some[1].cells.append(
                i % 2 == 0 ? QString(u'a').repeated(30) : QString(u'b').repeated(30) + QString::number(i));
        }
        some[0].cells = rows;
        const LaidTable table = laidTable(some, rows, 36);
        QCOMPARE(table.below.at(0), u"  path:"_s);
        QVERIFY2(table.below.at(1).startsWith(u"    aaa"_s), qPrintable(table.below.at(1)));
        QCOMPARE(table.below.size(), 14); // twelve of its values, and how many more there are
        QCOMPARE(table.below.constLast(), u"    9 more"_s);
        QVERIFY(widest(table) <= 36);
    }
};

TRAINYARD_TEST(TstCompareLayout)
#include "tst_comparelayout.moc"
