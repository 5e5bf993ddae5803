// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hosthistory.h"
#include "engine/pool/hostinsight.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is told of a host beyond its figures of now.
class TstHostInsight : public QObject
{
    Q_OBJECT

    static contract::Sample sample(double cpu, std::int64_t usedMiB, std::vector<int> gpuUse)
    {
        contract::Sample sample;
        sample.cpuPercent = cpu;
        sample.memoryMiB = 1000;
        sample.memoryUsedMiB = usedMiB;
        for (std::size_t i = 0; i < gpuUse.size(); ++i) {
            contract::Gpu gpu;
            gpu.uuid = "GPU-" + std::to_string(i);
            gpu.utilPercent = gpuUse[i];
            sample.gpus.push_back(gpu);
        }
        return sample;
    }

private Q_SLOTS:
    void minutesAreAverages()
    {
        constexpr qint64 minute = HostHistory::stepMs, begin = 1000 * minute;
        HostHistory history;
        history.note(sample(10, 500, {0, 40}), begin);
        history.note(sample(30, 700, {100, -1}), begin + minute / 2);
        history.note(sample(-1, 100, {}), begin + 2 * minute); // nothing in the minute between
        const api::HostHistory told = history.told(u"lab"_s, begin + 3 * minute);
        QCOMPARE(told.host, u"lab"_s);
        QCOMPARE(told.stepSeconds, 60);
        QCOMPARE(told.cpu.size(), qsizetype(HostHistory::steps));
        QCOMPARE(told.cpu.mid(56), QList<double>({20, -1, -1, -1}));
        QCOMPARE(told.memory.mid(56), QList<double>({60, -1, 10, -1}));
        QCOMPARE(told.gpus.size(), qsizetype(2));
        QCOMPARE(told.gpus.at(0).uuid, u"GPU-0"_s);
        QCOMPARE(told.gpus.at(0).use.mid(56), QList<double>({50, -1, -1, -1}));
        QCOMPARE(told.gpus.at(1).use.at(56), 40.0);
    }

    void onlyTheLastHourIsKept()
    {
        HostHistory history;
        for (int i = 0; i < 200; ++i) {
            history.note(sample(i % 100, 0, {i % 100}), i * HostHistory::stepMs);
        }
        const api::HostHistory told = history.told(u"lab"_s, 199 * HostHistory::stepMs);
        QCOMPARE(told.cpu.first(), 40.0); // minute 140
        QCOMPARE(told.cpu.last(), 99.0);
        QVERIFY(!told.gpus.first().use.contains(-1));
        // An hour later nothing of it is left.
        const api::HostHistory later = history.told(u"lab"_s, 259 * HostHistory::stepMs);
        QVERIFY(later.gpus.isEmpty() && later.cpu == QList<double>(HostHistory::steps, -1));
    }

    void commandsActivate_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("command");
        QTest::newRow("conda") << u"conda"_s << u"/c/envs/torch"_s << u"/c"_s
                               << u"source /c/bin/activate /c/envs/torch"_s;
        QTest::newRow("conda without a base")
            << u"conda"_s << u"/m/envs/jax"_s << QString() << u"export PATH=/m/envs/jax/bin:\"$PATH\""_s;
        QTest::newRow("venv") << u"venv"_s << u"/h/a b/.venv"_s << QString() << u"source '/h/a b/.venv/bin/activate'"_s;
        QTest::newRow("pyenv") << u"pyenv"_s << u"/p/3.10"_s << QString() << u"export PATH=/p/3.10/bin:\"$PATH\""_s;
        QTest::newRow("hostile") << u"venv"_s << u"/h/$(touch x)"_s << QString()
                                 << u"source '/h/$(touch x)/bin/activate'"_s;
    }
    void commandsActivate()
    {
        QFETCH(QString, kind);
        QFETCH(QString, path);
        QFETCH(QString, base);
        contract::EnvironmentsFound found;
        found.environments = {{kind.toStdString(), "x", path.toStdString(), base.toStdString(), "3.11"}};
        const api::HostEnvironments told = HostInsight::told(u"lab"_s, found);
        QTEST(told.environments.constFirst().command, "command");
    }

    void theyAreInOrder()
    {
        contract::EnvironmentsFound found;
        found.environments = {{"venv", "a", "/a", "", ""}, {"conda", "z", "/z", "", ""}, {"conda", "b", "/b", "", ""}};
        found.modules = {"gcc", "cuda/12"};
        found.isWhole = false;
        const api::HostEnvironments told = HostInsight::told(u"lab"_s, found);
        QCOMPARE(told.environments.at(0).name + told.environments.at(1).name + told.environments.at(2).name, u"bza"_s);
        QCOMPARE(told.modules, QStringList({u"cuda/12"_s, u"gcc"_s}));
        QVERIFY(!told.isWhole);
    }
};

TRAINYARD_TEST(TstHostInsight)
#include "tst_hostinsight.moc"
