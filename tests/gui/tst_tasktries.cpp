// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/tasktries.h"

#include <QTest>

using namespace trainyard;

// Which try of a task is shown while the task is begun again and again.
class TstTaskTries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestIsShown();
    void formerIsShownBetweenTries();
    void chosenStays();
    void chosenBeforeItBeganIsTheNewest();
    void anotherTaskForgets();
    void keptTaskHadItsTriesBefore();

private:
    static TaskInfo tried(int tries, const QString &host)
    {
        TaskInfo task;
        task.role = QStringLiteral("w");
        task.tries = tries;
        task.host = host;
        task.logFolder = QStringLiteral("/run/w-0/%1").arg(tries);
        return task;
    }
    static int shownOf(const TaskTries &tries) { return tries.shown() ? tries.shown()->tries : -1; }
    const QString m_host = QStringLiteral("local");
};

void TstTaskTries::newestIsShown()
{
    TaskTries tries;
    QCOMPARE(shownOf(tries), -1);
    QVERIFY(tries.all().isEmpty());
    QVERIFY(!tries.setTask(tried(0, {}))); // it waits for the first one: there is nothing to ask for
    QCOMPARE(shownOf(tries), 0);
    QVERIFY(tries.setTask(tried(1, m_host)));
    QVERIFY(!tries.setTask(tried(1, m_host))); // asked for once
    QVERIFY(!tries.setEarlier(0, QStringLiteral("w"), 1, {tried(0, m_host)})); // of another task
    QVERIFY(!tries.setEarlier(1, QStringLiteral("w"), 0, {tried(0, m_host)})); // of another attempt
    QCOMPARE(tries.all().size(), 1);
    QVERIFY(tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host), tried(1, m_host)}));
    QCOMPARE(tries.all().size(), 2); // the newest is known better from the task
    QCOMPARE(shownOf(tries), 1);
}

void TstTaskTries::formerIsShownBetweenTries()
{
    TaskTries tries;
    tries.setTask(tried(0, m_host));
    QVERIFY(tries.setTask(tried(1, {})));
    QVERIFY(tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host)}));
    QCOMPARE(shownOf(tries), 0);
    QCOMPARE(tries.all().constLast().logFolder, QString()); // it has written nothing yet
    tries.setTask(tried(1, m_host));
    QCOMPARE(shownOf(tries), 1);
    QCOMPARE(tries.all().constLast().logFolder, QStringLiteral("/run/w-0/1"));
}

void TstTaskTries::chosenStays()
{
    TaskTries tries;
    tries.setTask(tried(1, m_host));
    tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host)});
    tries.choose(0);
    QCOMPARE(shownOf(tries), 0);
    QVERIFY(tries.setTask(tried(2, m_host)));
    QCOMPARE(shownOf(tries), 0);
    tries.choose(2); // the newest: from now on it follows the task
    tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host), tried(1, m_host), tried(2, m_host)});
    QVERIFY(tries.setTask(tried(3, m_host)));
    QCOMPARE(shownOf(tries), 3);
}

void TstTaskTries::chosenBeforeItBeganIsTheNewest()
{
    TaskTries tries;
    tries.setTask(tried(1, {}));
    tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host)});
    tries.choose(1);
    QCOMPARE(shownOf(tries), 1);
    tries.setTask(tried(1, m_host));
    tries.setTask(tried(2, m_host));
    QCOMPARE(shownOf(tries), 2);
}

void TstTaskTries::anotherTaskForgets()
{
    TaskTries tries;
    tries.setTask(tried(1, m_host));
    tries.setEarlier(0, QStringLiteral("w"), 0, {tried(0, m_host)});
    tries.choose(0);
    TaskInfo other = tried(1, m_host);
    other.index = 1;
    QVERIFY(tries.setTask(other));
    QCOMPARE(shownOf(tries), 1);
    QCOMPARE(tries.all().size(), 1);
    tries.clear();
    QVERIFY(!tries.task());
}

// A retry of other tasks left it alone: it was tried in the attempt from which its result is.
void TstTaskTries::keptTaskHadItsTriesBefore()
{
    TaskTries tries;
    TaskInfo kept = tried(1, m_host);
    kept.attempt = 3;
    kept.keptFrom = 1;
    QVERIFY(tries.setTask(kept));
    QCOMPARE(tries.attempt(), 1);
    QVERIFY(!tries.setEarlier(3, QStringLiteral("w"), 0, {tried(0, m_host)}));
    QVERIFY(tries.setEarlier(1, QStringLiteral("w"), 0, {tried(0, m_host)}));
}

TRAINYARD_GUI_TEST(TstTaskTries)
#include "tst_tasktries.moc"
