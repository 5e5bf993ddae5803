// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmallocation.h"
#include "engine/clusters/slurmarray.h"
#include "engine/clusters/slurmrefusal.h"
#include "engine/clusters/slurmtext.h"
#include "tests/helpers/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

using slurm::ArrayHold;
using slurm::ArraySizes;
using slurm::Refusal;

// Which jobs become one array of Slurm, when it is sent, and what follows when it is refused.
class TstSlurmArrayRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keys_data();
    void keys();
    void goAlone();
    void elements_data();
    void elements();
    void waitsForTheOthers();
    void doesNotWaitForEver();
    void isNotHeldTwice();
    void becomesSeveral();
    void refusals_data();
    void refusals();
    void growsAgain();
    void partsOfTasks();
    void isSplitBeforeItIsWritten();
    void script();
    void submission();

private:
    static slurm::ArrayShape shape() { return {u"sweep"_s, 2, u"/state"_s, {{{2, 64, 1, 1}}, {0}}, 60'000, 5000}; }
    static QStringList foldersOf(const std::vector<ArrayHold::Batch> &batches);
};

void TstSlurmArrayRules::keys_data()
{
    QTest::addColumn<slurm::ArrayShape>("other");
    QTest::addColumn<bool>("isSame");
    QTest::newRow("the same") << shape() << true;
    const auto row = [](const char *name, const auto &change) {
        slurm::ArrayShape other = shape();
        change(other);
        QTest::newRow(name) << other << false;
    };
    row("group", [](slurm::ArrayShape &other) { other.group = u"another"_s; });
    row("limit of the group", [](slurm::ArrayShape &other) { other.most = 3; });
    row("folder", [](slurm::ArrayShape &other) { other.root = u"/scratch"_s; });
    row("processors", [](slurm::ArrayShape &other) { other.layout.components.front().cpus = 3; });
    row("memory", [](slurm::ArrayShape &other) { other.layout.components.front().memoryMiB = 65; });
    row("GPUs", [](slurm::ArrayShape &other) { other.layout.components.front().gpus = 0; });
    row("tasks", [](slurm::ArrayShape &other) { other.layout.components.front().tasks = 2; });
    row("time", [](slurm::ArrayShape &other) { other.limitMs = 0; });
    row("grace period", [](slurm::ArrayShape &other) { other.graceMs = 6000; });
}

void TstSlurmArrayRules::keys()
{
    QFETCH(slurm::ArrayShape, other);
    QVERIFY(!slurm::arrayKey(other).isEmpty());
    QTEST(slurm::arrayKey(other) == slurm::arrayKey(shape()), "isSame");
}

void TstSlurmArrayRules::goAlone()
{
    slurm::ArrayShape noGroup = shape(), heterogeneous = shape();
    noGroup.group.clear();
    heterogeneous.layout.components.push_back({1, 64, 0, 1}); // Slurm has no arrays of them
    QCOMPARE(slurm::arrayKey(noGroup), QString());
    QCOMPARE(slurm::arrayKey(heterogeneous), QString());
}

void TstSlurmArrayRules::elements_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("text");
    QTest::newRow("no limit") << 4 << 0 << u"0-3"_s;
    QTest::newRow("a limit") << 200 << 8 << u"0-199%8"_s;
    QTest::newRow("one at a time") << 2 << 1 << u"0-1%1"_s;
    QTest::newRow("a limit of all") << 4 << 4 << u"0-3"_s;
    QTest::newRow("a limit of more") << 4 << 9 << u"0-3"_s;
}

void TstSlurmArrayRules::elements()
{
    QFETCH(int, count);
    QFETCH(int, most);
    const QString text = slurm::elementsText(count, most);
    QTEST(text, "text");
    // As the queue and the accounts write it of elements that wait.
    const QStringList ids = slurm::elementsOf(u"12_["_s + text + u']');
    QCOMPARE(ids.size(), count);
    QCOMPARE(ids.constLast(), slurm::elementId(u"12"_s, count - 1));
}

QStringList TstSlurmArrayRules::foldersOf(const std::vector<ArrayHold::Batch> &batches)
{
    QStringList folders;
    for (const ArrayHold::Batch &batch : batches) {
        folders.append(QStringList(batch.folders.begin(), batch.folders.end()).join(u'+'));
    }
    return folders;
}

void TstSlurmArrayRules::waitsForTheOthers()
{
    ArrayHold hold;
    hold.add(u"k"_s, u"a"_s, 1000);
    hold.add(u"k"_s, u"b"_s, 2500);
    hold.add(u"other"_s, u"c"_s, 1000);
    QCOMPARE(foldersOf(hold.takeDue(1000 + ArrayHold::quietMs, 1000)), QStringList{u"c"_s});
    QVERIFY(hold.takeDue(2499 + ArrayHold::quietMs, 1000).empty());
    QCOMPARE(foldersOf(hold.takeDue(2500 + ArrayHold::quietMs, 1000)), QStringList{u"a+b"_s});
    QVERIFY(hold.takeDue(1'000'000, 1000).empty());
}

void TstSlurmArrayRules::doesNotWaitForEver()
{
    ArrayHold hold;
    int jobs = 0;
    qint64 now = 0;
    for (; hold.takeDue(now, 1000).empty(); now += ArrayHold::quietMs / 2) {
        hold.add(u"k"_s, QString::number(++jobs), now); // never quiet
        QVERIFY(now <= ArrayHold::longestMs + ArrayHold::quietMs);
    }
    QVERIFY(jobs > 2);
    ArrayHold setBack;
    setBack.add(u"k"_s, u"a"_s, 1'000'000);
    QCOMPARE(foldersOf(setBack.takeDue(5000, 1000)), QStringList{u"a"_s}); // the clock was
}

void TstSlurmArrayRules::isNotHeldTwice()
{
    ArrayHold hold;
    hold.add(u"k"_s, u"a"_s, 0);
    hold.add(u"k"_s, u"a"_s, 1500);
    QCOMPARE(foldersOf(hold.takeDue(ArrayHold::quietMs, 1000)), QStringList{u"a"_s});
}

void TstSlurmArrayRules::becomesSeveral()
{
    ArrayHold hold;
    for (const QString &folder : {u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s}) {
        hold.add(u"k"_s, folder, 0);
    }
    QCOMPARE(foldersOf(hold.takeDue(0, 2)), (QStringList{u"a+b"_s, u"c+d"_s})); // as many as there can be do not wait
    QCOMPARE(foldersOf(hold.takeDue(ArrayHold::quietMs, 2)), QStringList{u"e"_s});
}

void TstSlurmArrayRules::refusals_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("split");
    QTest::addColumn<int>("most");
    const auto row = [](const char *name, Refusal kind, int size, ArraySizes::Split split, int most) {
        QTest::newRow(name) << int(kind) << size << int(split) << most;
    };
    row("larger than MaxArraySize", Refusal::Array, 200, ArraySizes::Split::AtOnce, 100);
    row("no arrays", Refusal::Array, 2, ArraySizes::Split::AtOnce, 1);
    row("not even one of one", Refusal::Array, 1, ArraySizes::Split::AtOnce, 1);
    row("MaxSubmitJobs", Refusal::Limit, 200, ArraySizes::Split::Later, 50);
    row("one of two limits", Refusal::Unclear, 3, ArraySizes::Split::Later, 1);
    row("no room for one", Refusal::Limit, 1, ArraySizes::Split::None, 1000);
    row("silence", Refusal::Silent, 200, ArraySizes::Split::None, 1000);
    row("an account", Refusal::Final, 200, ArraySizes::Split::None, 1000);
}

void TstSlurmArrayRules::refusals()
{
    QFETCH(int, kind);
    QFETCH(int, size);
    ArraySizes sizes;
    QTEST(int(sizes.refused(Refusal(kind), std::size_t(size))), "split");
    QTEST(int(sizes.most()), "most");
}

// Up to what it has not refused as arrays.
void TstSlurmArrayRules::growsAgain()
{
    ArraySizes sizes;
    (void)sizes.refused(Refusal::Array, 200);
    (void)sizes.refused(Refusal::Limit, 100);
    QCOMPARE(sizes.most(), std::size_t(25));
    sizes.taken(25);
    QCOMPARE(sizes.most(), std::size_t(50));
    sizes.taken(5);
    QCOMPARE(sizes.most(), std::size_t(50));
    sizes.taken(80);
    QCOMPARE(sizes.most(), std::size_t(100));
}

void TstSlurmArrayRules::partsOfTasks()
{
    using Parts = std::vector<std::size_t>;
    ArraySizes room;
    QCOMPARE(slurm::partsOf(12, room), Parts{12});
    (void)room.refused(Refusal::Limit, 12);
    QCOMPARE(slurm::partsOf(12, room), (Parts{3, 9})); // the rest is as large as it can be when there is room
    room.taken(3);
    QCOMPARE(slurm::partsOf(9, room), (Parts{6, 3}));
    QCOMPARE(slurm::partsOf(6, room), Parts{6});
    ArraySizes arrays;
    (void)arrays.refused(Refusal::Array, 12);
    QCOMPARE(slurm::partsOf(12, arrays), (Parts{6, 6}));
    QCOMPARE(slurm::partsOf(13, arrays), (Parts{6, 6, 1}));
}

void TstSlurmArrayRules::isSplitBeforeItIsWritten()
{
    const QTemporaryDir runs;
    QVERIFY(runs.isValid());
    const QString folder = SlurmAllocation::allocationsOf(runs.filePath(u"job"_s)) + u"/part"_s;
    QVERIFY(!SlurmAllocation::isSplit(folder));
    QVERIFY(SlurmAllocation(folder, {}).noteSplit());
    QVERIFY(SlurmAllocation::isSplit(folder));
}

void TstSlurmArrayRules::script()
{
    slurm::ScriptInput input;
    input.options = {u"--partition=gpu"_s};
    input.layout = {{{2, 64, 1, 1}}, {0}};
    const QByteArray text = slurm::arrayScript(input, {u"/runs/a"_s, u"/runs/it's b"_s});
    QVERIFY(text.startsWith("#!/bin/sh\n#SBATCH --partition=gpu\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=2\n"));
    QVERIFY(text.contains("\n0) folder=/runs/a;;\n1) folder='/runs/it'\\''s b';;\n"));
    QVERIFY(text.endsWith("exec >>\"$folder/lead.log\" 2>&1\nexec /bin/sh \"$folder/job.sh\"\n"));
}

void TstSlurmArrayRules::submission()
{
    slurm::ScriptInput input;
    input.folder = u"/runs/a"_s;
    input.layout = {{{1, 0, 0, 1}}, {0}};
    const QStringList alone = slurm::submitArguments(input, u"ty-a"_s, u"trainyard:a"_s);
    QVERIFY(alone.contains(u"--output=/runs/a/lead.log"_s));
    QVERIFY(alone.filter(u"--array"_s).isEmpty());
    input.elements = u"0-3%2"_s;
    const QStringList array = slurm::submitArguments(input, u"ty-sweep"_s, u"trainyard:b"_s);
    QVERIFY(array.contains(u"--array=0-3%2"_s));
    QVERIFY(array.contains(u"--output=/dev/null"_s));
    QVERIFY(array.contains(u"--comment=trainyard:b"_s));
}

TRAINYARD_TEST(TstSlurmArrayRules)
#include "tst_slurmarrayrules.moc"
