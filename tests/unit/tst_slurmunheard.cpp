// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmunheard.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/sentences.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a job asks for and a Slurm cluster is not told is said before the job runs.
class TstSlurmUnheard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void notes_data();
    void notes();
    void rolesAreNamedOnce();
};

namespace
{

core::RolePolicy unheardRole(const QString &name, int instances, const core::Needs &needs)
{
    core::RolePolicy role;
    role.name = name;
    role.instances = instances;
    role.needs = needs;
    return role;
}

} // namespace

void TstSlurmUnheard::notes_data()
{
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("instances");
    QTest::addColumn<bool>("gang");
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("memory");
    QTest::addColumn<int>("arrange");
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("codes");
    const QStringList none;
    const int any = int(Arrangement::Any), one = int(Arrangement::SameHost), apart = int(Arrangement::DifferentHosts);
    QTest::newRow("nothing") << 1 << 2 << true << QString() << 0 << any << none << none;
    QTest::newRow("type") << 1 << 2 << true << u"V100"_s << 0 << any << none << QStringList{u"slurm.gpu-type-unused"_s};
    QTest::newRow("memory") << 1 << 2 << true << QString() << 8000 << any << none
                            << QStringList{u"slurm.gpu-memory-unused"_s};
    QTest::newRow("without GPUs") << 0 << 2 << true << u"V100"_s << 8000 << any << none << none;
    QTest::newRow("named") << 1 << 2 << true << QString() << 0 << any << QStringList{u"lab1"_s}
                           << QStringList{u"slurm.hosts-named"_s};
    QTest::newRow("together in a gang") << 1 << 2 << true << QString() << 0 << one << none << none;
    QTest::newRow("together without one")
        << 1 << 2 << false << QString() << 0 << one << none << QStringList{u"slurm.hosts-arranged"_s};
    QTest::newRow("apart without one") << 1 << 2 << false << QString() << 0 << apart << none
                                       << QStringList{u"slurm.hosts-arranged"_s};
    QTest::newRow("apart from nobody") << 1 << 1 << false << QString() << 0 << apart << none << none;
    QTest::newRow("only preferred") << 1 << 2 << false << QString() << 0 << int(Arrangement::Pack) << none << none;
    QTest::newRow("all") << 1 << 2 << false << u"V100"_s << 8000 << one << QStringList{u"lab1"_s}
                         << QStringList{u"slurm.hosts-named"_s, u"slurm.hosts-arranged"_s, u"slurm.gpu-type-unused"_s,
                                u"slurm.gpu-memory-unused"_s};
}

void TstSlurmUnheard::notes()
{
    QFETCH(const int, gpus);
    QFETCH(const int, instances);
    QFETCH(const bool, gang);
    QFETCH(const QString, type);
    QFETCH(const int, memory);
    QFETCH(const int, arrange);
    QFETCH(const QStringList, names);
    core::Needs needs;
    needs.gpu = gpus;
    needs.gpuType = type;
    needs.gpuMemoryMiB = memory;
    needs.hosts.arrange = Arrangement(arrange);
    needs.hosts.names = names;
    core::JobPolicy policy;
    policy.gang = gang;
    policy.roles = {unheardRole(u"worker"_s, instances, needs)};
    QStringList codes;
    const QList<JobNote> notes = slurm::unheardNotes(policy, u"slurm:lab"_s);
    for (const JobNote &note : notes) {
        codes.append(note.code);
        const QString text = sentence(note.code, note.args);
        QVERIFY2(text.contains("worker"_L1) && text.contains("slurm:lab"_L1), qPrintable(text));
    }
    QTEST(codes, "codes");
}

void TstSlurmUnheard::rolesAreNamedOnce()
{
    core::Needs needs;
    needs.gpu = 1;
    needs.gpuType = u"A100"_s;
    core::JobPolicy policy;
    policy.roles = {unheardRole(u"chief"_s, 1, needs), unheardRole(u"plain"_s, 1, {}), unheardRole(u"w"_s, 2, needs)};
    const QList<JobNote> notes = slurm::unheardNotes(policy, u"slurm:lab"_s);
    QCOMPARE(notes.size(), 1);
    QCOMPARE(notes.constFirst().args.value("roles"_L1).toArray(), (QJsonArray{u"chief"_s, u"w"_s}));
}

TRAINYARD_TEST(TstSlurmUnheard)
#include "tst_slurmunheard.moc"
