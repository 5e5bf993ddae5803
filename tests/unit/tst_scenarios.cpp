// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/scenarios.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Plays whole jobs: the table of tests/data/scenarios.txt, and a recorded file where there is one.
class TstScenarios : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void table_data();
    void table();
    void recorded();
};

static QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TstScenarios::table_data()
{
    QTest::addColumn<scenarios::Scenario>("scenario");
    const auto list
        = scenarios::fromTable(read(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/scenarios.txt"_s));
    QVERIFY2(list.has_value(), list ? "" : qPrintable(list.error().args.value("what"_L1).toString()));
    qInfo("%d scenarios, each as OpenPAI and with guard rails", int(list->size()));
    QVERIFY(list->size() >= 75);
    for (const scenarios::Scenario &scenario : *list) {
        QTest::newRow(qPrintable(scenario.id)) << scenario;
    }
}

void TstScenarios::table()
{
    QFETCH(scenarios::Scenario, scenario);
    const auto plain = scenarios::play(scenario, core::openPaiGuardRails());
    QCOMPARE(scenarios::difference(scenario.expected, plain), QString());
    // Pauses and caps change when, not what, as long as a job is far from the cap.
    const auto guarded = scenarios::play(scenario, core::GuardRails{});
    QCOMPARE(scenarios::difference(scenario.expected, guarded), QString());
}

void TstScenarios::recorded()
{
    const QString shared
        = qEnvironmentVariable("TRAINYARD_SHARED", qEnvironmentVariable("TRAINYARD_SOURCE") + u"/../shared"_s);
    const QByteArray json = read(shared + u"/vectors/scenarios.json"_s);
    if (json.isEmpty()) {
        QSKIP("no recorded scenarios here");
    }
    const auto list = scenarios::fromJson(json);
    QVERIFY(list.has_value());
    for (const scenarios::Scenario &scenario : *list) {
        const auto outcome = scenarios::play(scenario, core::openPaiGuardRails());
        const QString difference = scenarios::difference(scenario.expected, outcome);
        QVERIFY2(difference.isEmpty(), qPrintable(scenario.id + u": "_s + difference));
    }
    qInfo("%d recorded scenarios", int(list->size()));
}

TRAINYARD_TEST(TstScenarios)
#include "tst_scenarios.moc"
