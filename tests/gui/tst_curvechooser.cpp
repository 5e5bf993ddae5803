// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/plot/curvechooser.h"

#include <QHeaderView>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What one reads in the list of tasks and metrics beside the curves.
class TstCurveChooser : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tasksAreToldApartByTheirEnds();
};

void TstCurveChooser::tasksAreToldApartByTheirEnds()
{
    CurveChooser chooser;
    const QString role = u"worker_with_a_name_that_has_no_room_here/"_s;
    const QStringList tasks{role + u'0', role + u'1', role + u"12"_s};
    chooser.setTasks(tasks);
    for (int task = 0; task < tasks.size(); ++task) {
        chooser.setTaskValue(task, u"0.12345"_s);
    }
    chooser.resize(chooser.width(), 400);
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
        const int right = list->header()->sectionPosition(0) + list->columnWidth(0);
        ends.append(list->viewport()->grab({right - end, row.top(), end, row.height()}).toImage());
        QVERIFY(item->toolTip(0).contains(tasks.at(task)));
    }
    QVERIFY(ends.at(0) != ends.at(1));
    QVERIFY(ends.at(0) != ends.at(2));
    QVERIFY(ends.at(1) != ends.at(2));
}

TRAINYARD_GUI_TEST(TstCurveChooser)
#include "tst_curvechooser.moc"
