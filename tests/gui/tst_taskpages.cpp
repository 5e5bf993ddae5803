// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/taskpages.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstTaskPages : public QObject
{
    Q_OBJECT

    static TaskInfo task(int index, State state, int attempt = 0)
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.index = index;
        task.attempt = attempt;
        task.state = state;
        return task;
    }

private Q_SLOTS:
    // A task of the first page that ends before the last one has come does not go on for ever.
    void newsBetweenPages()
    {
        TaskPages pages;
        QVERIFY(!pages.isUnderWay());
        pages.begin();
        QVERIFY(pages.isUnderWay());
        pages.apply({task(0, State::Waiting)}); // what the first page has is newer
        pages.add({task(0, State::Running), task(1, State::Running)});
        pages.apply({task(1, State::Succeeded), task(2, State::Running), task(0, State::Failed, 1)});
        QCOMPARE(pages.size(), 2);
        pages.add({task(2, State::Succeeded)});
        QCOMPARE(pages.take(),
            (QList<TaskInfo>{task(0, State::Running), task(1, State::Succeeded), task(2, State::Succeeded)}));
        QVERIFY(!pages.isUnderWay());
        pages.apply({task(1, State::Failed)}); // nothing is read
        pages.begin();
        QVERIFY(pages.take().isEmpty());
    }
};

TRAINYARD_GUI_TEST(TstTaskPages)
#include "tst_taskpages.moc"
