// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/linesample.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curvechooser.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <cstdlib>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What one reads in the list of tasks and metrics beside the curves.
class TstCurveChooser : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tasksAreToldApartByTheirEnds();
    void samplesEndWithWholeDashes();
    void figuresAreToldApartBeforeTheirUnits();
    void namesHaveTheRoomThatTheirValuesLeave();
    void speedsStandBehindOtherMetrics();
    void valuesAtTheEndLeaveTheirPlaceToCurves();
    void samplesFollowTheTheme();
    void samplesAreShownWhole();
    void shortListsLeaveTheirHeight_data();
    void shortListsLeaveTheirHeight();
    void moreThanHalfIsGivenWhereItIsNeeded();
};

namespace
{

// The lengths of the dashes of a line, ten to a pixel.
QList<int> dashesOf(int look, int length)
{
    constexpr int scale = 10, height = 12;
    QImage image(length * scale, height * scale, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintLineSample(&painter, QRectF(0, 0, length, height), look, {});
    painter.end();
    QList<int> dashes{0};
    for (int x = 0; x < image.width(); ++x) {
        const bool isInk = qAlpha(image.pixel(x, image.height() / 2)) > 0;
        if (isInk) {
            ++dashes.last();
        } else if (dashes.constLast() > 0) {
            dashes.append(0);
        }
    }
    dashes.removeAll(0); // behind the last gap
    return dashes;
}

} // namespace

// Elided in the middle, both would be the same.
void TstCurveChooser::figuresAreToldApartBeforeTheirUnits()
{
    CurveChooser chooser;
    const QStringList names{
        u"Network received by all interfaces (MiB/s)"_s, u"Network transmitted by all interfaces (MiB/s)"_s};
    chooser.setNames(names, 0);
    for (int name = 0; name < names.size(); ++name) {
        chooser.setNameValue(name, u"0.12345"_s, {});
    }
    chooser.resize(metrics::sideMinimum, 400);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Metrics"_s); });
    QVERIFY(found != lists.cend());
    const QTreeWidget *list = *found;
    QVERIFY(list->fontMetrics().horizontalAdvance(names.constFirst()) > list->columnWidth(0));
    QList<QImage> drawn;
    for (int name = 0; name < names.size(); ++name) {
        const QRect row = list->visualItemRect(list->topLevelItem(name));
        drawn.append(list->viewport()->grab({0, row.top(), list->columnWidth(0), row.height()}).toImage());
    }
    QVERIFY(drawn.at(0) != drawn.at(1));
}

// A name is cut only where its own value needs the room, and numbers end before the edge.
void TstCurveChooser::namesHaveTheRoomThatTheirValuesLeave()
{
    CurveChooser chooser;
    chooser.setNames({u"Disk read (MiB/s)"_s, u"loss"_s}, 0);
    chooser.setNameValue(0, u"0.1"_s, {});
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Metrics"_s); });
    QVERIFY(found != lists.cend());
    QTreeWidget *list = *found;
    list->setFocusPolicy(Qt::NoFocus); // a ring would reach the edge
    chooser.resize(metrics::sideMinimum, 400);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    const auto rowOf = [list](int row) {
        const QRect area = list->visualItemRect(list->topLevelItem(row));
        return list->viewport()->grab({0, area.top(), list->viewport()->width(), area.height()}).toImage();
    };
    const auto lastInk = [](const QImage &row) {
        for (int x = row.width() - 1; x > 0; --x) {
            for (int y = 0; y < row.height(); ++y) {
                if (row.pixel(x, y) != row.pixel(row.width() - 1, 0)) {
                    return x;
                }
            }
        }
        return 0;
    };
    const QImage before = rowOf(0), withoutValue = rowOf(1);
    chooser.setNameValue(1, u"0.123456789012"_s, {});
    QCOMPARE(rowOf(0), before);
    QVERIFY(rowOf(1) != withoutValue);
    for (int row = 0; row < 2; ++row) {
        const int room = list->viewport()->width() - 1 - lastInk(rowOf(row));
        QVERIFY2(room >= 6 && room <= metrics::space3, qPrintable(QString::number(room)));
    }
    chooser.setNameValue(0, u"0.123456789012"_s, {});
    QVERIFY(rowOf(0) != before);
}

// What is chosen at first stands first.
void TstCurveChooser::speedsStandBehindOtherMetrics()
{
    CurveChooser chooser;
    chooser.setNames({u"loss"_s, u"fps"_s, u"accuracy"_s, u"train_samples_per_second"_s, u"Processor (%)"_s}, 4);
    QCOMPARE(chooser.names(), (QStringList{u"loss"_s, u"accuracy"_s, u"fps"_s}));
    chooser.setPinned({u"train_samples_per_second"_s});
    QCOMPARE(chooser.names(), (QStringList{u"train_samples_per_second"_s, u"loss"_s, u"accuracy"_s}));
}

// "done, final loss 0.2" is no curve that pushes another one out.
void TstCurveChooser::valuesAtTheEndLeaveTheirPlaceToCurves()
{
    CurveChooser chooser;
    QStringList names{u"loss"_s, u"train_loss"_s, u"dev_wer"_s, u"lr"_s};
    QVERIFY(chooser.setNames(names, 4));
    QCOMPARE(chooser.names(), (QStringList{u"loss"_s, u"train_loss"_s, u"dev_wer"_s}));
    names.insert(1, u"final loss"_s);
    QVERIFY(chooser.setNames(names, 5, {u"final loss"_s}));
    QCOMPARE(chooser.names(), (QStringList{u"loss"_s, u"train_loss"_s, u"dev_wer"_s}));
    // It says more than a setting, and where there is room it has a plot.
    const QStringList few{u"loss"_s, u"final loss"_s, u"lr"_s};
    QVERIFY(chooser.setNames(few, 3, {u"final loss"_s}));
    QCOMPARE(chooser.names(), few);
    QVERIFY(!chooser.setNames(few, 3, {u"final loss"_s}));
    // It turns out to be a curve.
    QVERIFY(chooser.setNames(names, 5, {u"final loss"_s}));
    QVERIFY(chooser.setNames(names, 5));
    QCOMPARE(chooser.names(), (QStringList{u"loss"_s, u"final loss"_s, u"train_loss"_s}));
}

// A page that is open when the theme is switched has the colours of the new one.
void TstCurveChooser::samplesFollowTheTheme()
{
    const auto sampleOf = [](const CurveChooser &chooser) {
        return chooser.findChildren<QTreeWidget *>().constFirst()->topLevelItem(1)->icon(0).pixmap(20, 12).toImage();
    };
    CurveChooser open, later;
    open.setPalette(themePalette(Theme::Light));
    open.setTasks({u"worker/0"_s, u"worker/1"_s});
    const QImage light = sampleOf(open);
    open.setPalette(themePalette(Theme::Dark));
    later.setPalette(themePalette(Theme::Dark));
    later.setTasks({u"worker/0"_s, u"worker/1"_s});
    QVERIFY(sampleOf(later) != light);
    QCOMPARE(sampleOf(open), sampleOf(later));
}

// A piece of a dash at the end of a sample stands beside the name of the task like a letter.
void TstCurveChooser::samplesEndWithWholeDashes()
{
    for (int look = 0; look < lookCount; ++look) {
        for (const int length : {12, 20, 24, 31}) {
            QList<int> dashes = dashesOf(look, length);
            const int last = dashes.takeLast(), rounding = 2;
            const bool isWhole = dashes.isEmpty() ? last >= length * 10 - rounding
                                                  : std::any_of(dashes.cbegin(), dashes.cend(),
                                                      [last](int each) { return std::abs(each - last) <= rounding; });
            QVERIFY2(isWhole, qPrintable(u"look %1, length %2: %3"_s.arg(look).arg(length).arg(last)));
        }
    }
    QCOMPARE(fittedDash({}, 20), QList<qreal>());
    QCOMPARE(fittedDash({50, 1}, 20), (QList<qreal>{20, 0.4}));
    QCOMPARE(fittedDash({6, 2}, 20), (QList<qreal>{6 * (20 / 22.0), 2 * (20 / 22.0)}));
}

// None is made smaller by the list.
void TstCurveChooser::samplesAreShownWhole()
{
    CurveChooser chooser;
    chooser.setTasks({u"a"_s, u"b"_s});
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Tasks"_s); });
    QVERIFY(found != lists.cend());
    const QSize size = (*found)->topLevelItem(1)->icon(0).actualSize({1000, 1000});
    QVERIFY(size.isValid() && !size.isEmpty());
    QCOMPARE((*found)->topLevelItem(1)->icon(0).actualSize((*found)->iconSize()), size);
}

void TstCurveChooser::shortListsLeaveTheirHeight_data()
{
    QTest::addColumn<int>("tasks");
    QTest::addColumn<int>("names");
    QTest::newRow("few tasks") << 2 << 40;
    QTest::newRow("few metrics") << 40 << 2;
    QTest::newRow("many of both") << 40 << 40;
    QTest::newRow("few of both") << 2 << 2;
}

// No list scrolls while the other one has room that it does not need.
void TstCurveChooser::shortListsLeaveTheirHeight()
{
    QFETCH(int, tasks);
    QFETCH(int, names);
    const auto named = [](const QString &name, int count) {
        QStringList all;
        for (int i = 0; i < count; ++i) {
            all.append(name + QString::number(i));
        }
        return all;
    };
    CurveChooser chooser;
    chooser.setTasks(named(u"worker/"_s, tasks));
    chooser.setNames(named(u"loss"_s, names), names);
    chooser.resize(metrics::sideMinimum, 500);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Tasks"_s); });
    const auto other = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Metrics"_s); });
    QVERIFY(found != lists.cend() && other != lists.cend());
    const auto wanted = [](const QTreeWidget *list) { return list->topLevelItemCount() * list->sizeHintForRow(0); };
    const auto isScrolled = [&](const QTreeWidget *list) { return list->viewport()->height() < wanted(list); };
    const auto hasBlank = [&](const QTreeWidget *list) { return list->viewport()->height() > wanted(list) + 8; };
    QTRY_COMPARE(isScrolled(*found), tasks > 2);
    QTRY_COMPARE(isScrolled(*other), names > 2);
    QTRY_VERIFY(!(isScrolled(*found) && hasBlank(*other)));
    QTRY_VERIFY(!(isScrolled(*other) && hasBlank(*found)));
    chooser.resize(metrics::sideMinimum, 3000); // the lists have what comes
    QTRY_VERIFY(!isScrolled(*found) && !isScrolled(*other));
    QTRY_VERIFY((*found)->height() + (*other)->height() > 2800);
}

// Both have room in all, and one of them needs more than half of it.
void TstCurveChooser::moreThanHalfIsGivenWhereItIsNeeded()
{
    CurveChooser chooser;
    QStringList tasks;
    for (int i = 0; i < 10; ++i) {
        tasks.append(u"worker/"_s + QString::number(i));
    }
    chooser.setTasks(tasks);
    chooser.setNames({u"loss"_s}, 1);
    chooser.resize(metrics::sideMinimum, 500);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    QCOMPARE(lists.size(), 2);
    int whole = 0;
    for (const QTreeWidget *list : lists) {
        whole += list->height();
    }
    const int row = lists.constFirst()->sizeHintForRow(0);
    QVERIFY(whole / 2 < 10 * row && whole > 12 * row); // else it shows nothing
    for (const QTreeWidget *list : lists) {
        QTRY_VERIFY(list->viewport()->height() >= list->topLevelItemCount() * row);
    }
}

void TstCurveChooser::tasksAreToldApartByTheirEnds()
{
    CurveChooser chooser;
    const QString role = u"worker_with_a_name_that_has_no_room_here/"_s;
    const QStringList tasks{role + u'0', role + u'1', role + u"12"_s};
    const QString value = u"0.12345"_s;
    chooser.setTasks(tasks);
    for (int task = 0; task < tasks.size(); ++task) {
        chooser.setTaskValue(task, value);
    }
    chooser.resize(metrics::sideMinimum, 400);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    const QList<QTreeWidget *> lists = chooser.findChildren<QTreeWidget *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(),
        [](const QTreeWidget *each) { return each->accessibleName().startsWith(u"Tasks"_s); });
    QVERIFY(found != lists.cend());
    const QTreeWidget *list = *found;
    QCOMPARE(list->topLevelItemCount(), 3);
    QVERIFY(list->fontMetrics().horizontalAdvance(tasks.constFirst()) > list->columnWidth(0));
    // The end of each name as it is drawn, between the look of its line and its value.
    constexpr int end = 30;
    QList<QImage> ends;
    for (int task = 0; task < tasks.size(); ++task) {
        const QTreeWidgetItem *item = list->topLevelItem(task);
        const QRect row = list->visualItemRect(item);
        const int right
            = list->columnWidth(0) - metrics::space2 - metrics::space1 - list->fontMetrics().horizontalAdvance(value);
        ends.append(list->viewport()->grab({right - end, row.top(), end, row.height()}).toImage());
        QVERIFY(item->toolTip(0).contains(tasks.at(task)));
    }
    QVERIFY(ends.at(0) != ends.at(1));
    QVERIFY(ends.at(0) != ends.at(2));
    QVERIFY(ends.at(1) != ends.at(2));
}

TRAINYARD_GUI_TEST(TstCurveChooser)
#include "tst_curvechooser.moc"
