// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/slurmcommand.h"
#include "engine/pool/clusterwatch.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the commands of Slurm on a host say of their cluster.
class TstClusterWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answers_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("errors");
        QTest::addColumn<QString>("code"); // "?": it is not known
        QTest::addColumn<QString>("detail");
        QTest::newRow("it is up") << u"done"_s << u"Slurmctld(primary) at ctl is UP\n"_s << QString() << QString()
                                  << QString();
        QTest::newRow("the backup is up")
            << u"done"_s << u"Slurmctld(primary) at a is DOWN\nSlurmctld(backup) at b is UP\n"_s << QString()
            << QString() << QString();
        QTest::newRow("it is down") << u"done"_s << u"Slurmctld(primary) at ctl is DOWN\n"_s << QString()
                                    << u"step.cluster.silent"_s << u"Slurmctld(primary) at ctl is DOWN"_s;
        QTest::newRow("no answer") << u"late"_s << QString() << QString() << u"step.cluster.silent"_s << QString();
        QTest::newRow("no configuration")
            << u"done"_s << QString()
            << u"scontrol: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n"
               "scontrol: fatal: Could not establish a configuration source\n"_s
            << u"step.cluster.unconfigured"_s << u"scontrol: fatal: Could not establish a configuration source"_s;
        QTest::newRow("not installed any more") << u"missing"_s << QString() << QString() << u"?"_s << QString();
    }

    void answers()
    {
        QFETCH(const QString, state);
        QFETCH(const QString, out);
        QFETCH(const QString, errors);
        contract::ProgramSaid said;
        said.state = state.toStdString();
        said.out = out.toStdString();
        said.errors = errors.toStdString();
        const std::optional<Error> answer = clusterAnswerOf(said);
        QTEST(answer ? answer->code : u"?"_s, "code");
        QTEST(answer ? answer->args.value("detail"_L1).toString() : QString(), "detail");
    }

    // A helper of a former version, or one that is gone, tells nothing of a cluster.
    void failuresTellNothing() { QVERIFY(!clusterAnswerOf(contract::Failure{"host.gone", {}})); }
};

TRAINYARD_TEST(TstClusterWatch)
#include "tst_clusterwatch.moc"
