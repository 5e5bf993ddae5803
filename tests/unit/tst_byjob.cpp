// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"
#include "engine/clusters/byjob.h"
#include "tests/helpers/testregistry.h"

#include <QString>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What each job has, among the things of all jobs.
class TstByJob : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasWhatIsItsOwn();
    void asksForNothingOfOthers();
};

void TstByJob::hasWhatIsItsOwn()
{
    ByJob<QString> table;
    ActiveJob first, second;
    QVERIFY(table.of(&first).empty());
    table.remove(&first, u"a"_s);
    table.add(&first, u"b"_s);
    table.add(&first, u"a"_s);
    table.add(&first, u"a"_s);
    table.add(&second, u"c"_s);
    QCOMPARE(table.of(&first), (std::set<QString>{u"a"_s, u"b"_s}));
    table.remove(&first, u"c"_s); // another one has it
    QCOMPARE(table.of(&second), std::set<QString>{u"c"_s});
    table.remove(&first, u"a"_s);
    table.remove(&first, u"b"_s);
    QVERIFY(table.of(&first).empty());
    QCOMPARE(table.of(&second), std::set<QString>{u"c"_s});
}

// All jobs are told anew after each answer of a cluster: together they look at each of their things once.
void TstByJob::asksForNothingOfOthers()
{
    constexpr std::size_t jobs = 2000, each = 3;
    std::vector<ActiveJob> all(jobs);
    ByJob<std::size_t> table;
    for (std::size_t i = 0; i < jobs * each; ++i) {
        table.add(&all[i % jobs], i);
    }
    std::size_t looked = 0;
    for (const ActiveJob &job : all) {
        looked += table.of(&job).size();
    }
    QCOMPARE(looked, jobs * each);
}

TRAINYARD_TEST(TstByJob)
#include "tst_byjob.moc"
