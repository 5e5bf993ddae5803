// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmlimitwatch.h"
#include "engine/clusters/slurmquota.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How much a limit allows that a job on Slurm waits for, and how much of it is in use: what scontrol says of it.
class TstSlurmLimitNumbers : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArrayList &fields) { return fields.join('\x1f') + "\x1f\n"; }
    // A QoS as Slurm 22.05 writes it, with what is told apart in the tests.
    static QByteArray qos(const QByteArray &name, const QByteArray &group, const QByteArray &ofUser)
    {
        return "QOS=" + name + "(3) UsageRaw=0.000000 " + group
            + " MinPrioThresh=  MinTRESPJ= PreemptMode=OFF Priority=0 Account Limits= lab={MaxJobsPA=N(1) "
              "MaxTRESPA=cpu=20(18),gres/gpu=N(2)} User Limits= 7={MaxJobsPU=2(1) MaxTRESPU=gres/gpu=1(1)} 1000={"
            + ofUser + "}\n";
    }
    static QByteArray record(const QByteArray &account, const QByteArray &user, const QByteArray &parent,
        const QByteArray &limits, const QByteArray &isDefault = "No")
    {
        return "ClusterName=lab Account=" + account + " UserName=" + user + " Partition= Priority=0 ID=1 "
            + "SharesRaw/Norm/Level/Factor=1/0.00/1/0.00 ParentAccount=" + parent + " Lft=3 DefAssoc=" + isDefault + ' '
            + limits + '\n';
    }

private Q_SLOTS:
    void names_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("what"); // empty: no limit that has a number
        using Holder = slurm::NamedLimit::Holder;
        using Span = slurm::NamedLimit::Span;
        QTest::addColumn<int>("holder");
        QTest::addColumn<int>("span");
        QTest::addColumn<bool>("isMinutes");
        const auto row = [](const char *words, const char *what, Holder holder = Holder::Qos, Span span = Span::Group,
                             bool isMinutes = false) {
            QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(what) << int(holder) << int(span)
                                 << isMinutes;
        };
        row("QOSMaxGRESPerUser", "gres", Holder::Qos, Span::User);
        row("QOSMaxCpuPerUserLimit", "cpu", Holder::Qos, Span::User);
        row("QOSMaxMemoryPerUser", "mem", Holder::Qos, Span::User);
        row("QOSMaxNodePerUserLimit", "node", Holder::Qos, Span::User);
        row("QOSMaxJobsPerUserLimit", "jobs", Holder::Qos, Span::User);
        row("QOSMaxSubmitJobPerUserLimit: Batch job submission failed: Job violates accounting/QOS policy", "submit",
            Holder::Qos, Span::User);
        row("QOSGrpGRES", "gres");
        row("QOSGrpNodeLimit", "node");
        row("QOSGrpCPUMinutesLimit", "cpu", Holder::Qos, Span::Group, true);
        row("QOSMaxGRESPerNode", "gres", Holder::Qos, Span::Node);
        row("QOSMaxCpuPerJobLimit", "cpu", Holder::Qos, Span::Job);
        row("QOSMaxWallDurationPerJobLimit", "time", Holder::Qos, Span::Job);
        row("MaxGRESPerAccount", "gres", Holder::Qos, Span::Account);
        row("MaxSubmitJobsPerAccount", "submit", Holder::Qos, Span::Account);
        row("AssocGrpCpuLimit", "cpu", Holder::Account);
        row("AssocGrpGRESRunMinutes", "gres", Holder::Account, Span::Group, true);
        row("AssocGrpWallLimit", "time", Holder::Account);
        row("AssocMaxJobsLimit", "jobs", Holder::Account, Span::User);
        row("AssocMaxSubmitJobLimit", "submit", Holder::Account, Span::User);
        row("AssocMaxGRESPerJob", "gres", Holder::Account, Span::Job);
        row("AssocMaxCPUMinutesPerJobLimit", "cpu", Holder::Account, Span::Job, true);
        row("Resources", "");
        row("QOSNotAllowed", "");
        row("QOSUsageThreshold", "");
        row("AssociationJobLimit", "");
        row("MaxMemPerLimit", "");
        row("AssocGrpLicense", "");
        row("ReqNodeNotAvail, UnavailableNodes:n3", "");
        row("Batch job submission failed: Invalid account", "");
    }
    void names()
    {
        QFETCH(QString, words);
        QFETCH(QString, what);
        const std::optional<slurm::NamedLimit> named = slurm::limitNamedBy(words);
        QCOMPARE(named.has_value(), !what.isEmpty());
        if (named) {
            QCOMPARE(named->what, what);
            QTEST(int(named->holder), "holder");
            QTEST(int(named->span), "span");
            QTEST(named->isMinutes, "isMinutes");
        }
    }

    void theQueueSaysWhatAJobAsksFor()
    {
        const QByteArray said = "a word of the site\n"
            + job({"12_3", "1000", "lab", "small", "gpu,short", "cpu=8,mem=128M,node=2,billing=8,gres/gpu=4",
                "1-00:30:00"})
            + job({"13", "1000", "lab", "normal", "main", "cpu=1,mem=1.50G,node=1", "UNLIMITED"});
        const QList<slurm::LimitedJob> jobs = slurm::limitedJobsIn(said);
        QCOMPARE(jobs.size(), 2);
        QCOMPARE(jobs.first().id, u"12_3"_s);
        QCOMPARE(jobs.first().user, u"1000"_s);
        QCOMPARE(jobs.first().qos, u"small"_s);
        QCOMPARE(jobs.first().partitions, (QStringList{u"gpu"_s, u"short"_s}));
        QCOMPARE(jobs.first().asked.value(u"gres/gpu"_s), 4);
        QCOMPARE(jobs.first().asked.value(u"mem"_s), 128);
        QCOMPARE(jobs.first().asked.value(u"time"_s), 1470);
        QCOMPARE(jobs.last().asked.value(u"mem"_s), 1536);
        QVERIFY(!jobs.last().asked.contains(u"time"_s));
        QVERIFY(slurm::limitedJobsIn("squeue: error: cannot\n").isEmpty());
    }

    void numbers_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("text"); // empty: nothing is known
        const auto row = [](const char *name, const char *reason, const QByteArray &said, const char *text) {
            QTest::newRow(name) << QString::fromLatin1(reason) << said << QString::fromLatin1(text);
        };
        row("GPUs of a user", "QOSMaxGRESPerUser", qos("small", "GrpTRES=cpu=N(9)", "MaxTRESPU=cpu=N(1),gres/gpu=8(6)"),
            "limit 8 GPUs, 6 in use, 4 asked for");
        row("GPUs of a type", "QOSMaxGRESPerUser", qos("small", "", "MaxTRESPU=gres/gpu=N(6),gres/gpu:a100=2(1)"), "");
        row("of the partition", "QOSMaxGRESPerUser",
            qos("small", "", "MaxTRESPU=gres/gpu=N(6)") + qos("partq", "", "MaxTRESPU=gres/gpu=6(6)"),
            "limit 6 GPUs, 6 in use, 4 asked for");
        row("cores of a user", "QOSMaxCpuPerUserLimit", qos("small", "", "MaxTRESPU=cpu=9(4)"),
            "limit 9 cores, 4 in use, 8 asked for");
        row("memory", "QOSMaxMemoryPerUser", qos("small", "", "MaxTRESPU=mem=4096(3072)"),
            "limit 4 GiB of memory, 3 GiB in use, 2 GiB asked for");
        row("it would fit", "QOSMaxCpuPerUserLimit", qos("small", "", "MaxTRESPU=cpu=90(4)"), "");
        row("jobs", "QOSMaxJobsPerUserLimit", qos("small", "", "MaxJobsPU=2(2) MaxSubmitJobsPU=6(3)"),
            "limit 2 jobs, 2 running");
        row("jobs in the queue", "QOSMaxSubmitJobPerUserLimit", qos("small", "", "MaxSubmitJobsPU=1(1)"),
            "limit 1 job in the queue, 1 there");
        row("of all users", "QOSGrpGRES", qos("small", "GrpTRES=cpu=N(9),gres/gpu=16(14)", ""),
            "limit 16 GPUs, 14 in use, 4 asked for");
        row("of the account in a quality", "MaxCpuPerAccount", qos("small", "", ""),
            "limit 20 cores, 18 in use, 8 asked for");
        row("used up", "QOSGrpCPUMinutesLimit", qos("small", "GrpTRESMins=cpu=60000(59910)", ""),
            "limit 1,000.0 core hours, 998.5 used");
        row("of running jobs", "QOSGrpGRESRunMinutes",
            qos("small", "GrpTRESMins=gres/gpu=1(9) GrpTRESRunMins=gres/gpu=6000(5940)", ""),
            "limit 100.0 GPU hours, 99.0 in use, 8.0 asked for");
        row("a job that may run for ever", "QOSGrpGRESRunMinutes",
            qos("small", "GrpTRESRunMins=gres/gpu=6000(8589934590)", ""), "limit 100.0 GPU hours, 8.0 asked for");
        row("one job", "QOSMaxGRESPerJob", qos("small", "MaxTRESPJ=cpu=100,gres/gpu=2", ""),
            "limit 2 GPUs for a job, 4 asked for");
        row("one node", "QOSMaxGRESPerNode", qos("small", "MaxTRESPN=gres/gpu=1", ""),
            "limit 1 GPU on a node, 2 asked for");
        row("time of one job", "QOSMaxWallDurationPerJobLimit", qos("small", "MaxWallPJ=90", ""),
            "limit 1.5 hours for a job, 2.0 asked for");
        row("of the account", "AssocGrpCpuLimit",
            record("lab", "", "phys(3)", "GrpTRES=cpu=N(9)") + record("lab", "ada(1000)", "", "GrpTRES=cpu=N(2)")
                + record("phys", "", "root(1)", "GrpTRES=cpu=10(9)")
                + record("other", "", "root(1)", "GrpTRES=cpu=1(1)"),
            "limit 10 cores, 9 in use, 8 asked for");
        row("jobs of the account", "AssocMaxJobsLimit",
            record("lab", "bob(7)", "", "MaxJobs=1(1)") + record("lab", "ada(1000)", "", "MaxJobs=3(3) MaxSubmitJobs="),
            "limit 3 jobs, 3 running");
        row("hours of the account", "AssocGrpCPUMinutesLimit",
            record("lab", "", "root(1)", "GrpTRESMins=cpu=600(590),mem=N(3)"), "limit 10.0 core hours, 9.8 used");
        row("time of the account", "AssocGrpWallLimit", record("lab", "", "root(1)", "GrpWall=600(590.50)"),
            "limit 10.0 hours, 9.8 used");
        row("a parent that is itself", "AssocGrpCpuLimit", record("lab", "", "lab(3)", "GrpTRES=cpu=N(9)"), "");
        row("not shown", "QOSMaxGRESPerUser", "Current Association Manager state\n", "");
        row("nothing", "QOSMaxGRESPerUser", "", "");
        row("another one", "QOSMaxGRESPerUser", qos("large", "", "MaxTRESPU=gres/gpu=1(1)"), "");
    }
    void numbers()
    {
        QFETCH(QString, reason);
        QFETCH(QByteArray, said);
        QFETCH(QString, text);
        const slurm::LimitedJob asking{u"12"_s, u"1000"_s, u"lab"_s, u"small"_s, {u"gpu"_s},
            {{u"cpu"_s, 8}, {u"mem"_s, 2048}, {u"node"_s, 2}, {u"gres/gpu"_s, 4}, {u"time"_s, 120}}};
        const QHash<QString, QString> ofPartitions
            = slurm::partitionQosIn("PartitionName=gpu AllowQos=ALL QoS=partq State=UP\n"
                                    "PartitionName=main AllowQos=ALL Default=YES QoS=N/A State=UP\n");
        QCOMPARE(ofPartitions, (QHash<QString, QString>{{u"gpu"_s, u"partq"_s}}));
        const std::optional<slurm::NamedLimit> named = slurm::limitNamedBy(reason);
        QVERIFY(named);
        const QJsonObject numbers = slurm::limitNumbers(*named, asking, ofPartitions, said);
        const QJsonObject args{{u"target"_s, u"slurm:lab"_s}, {u"reason"_s, reason}, {u"numbers"_s, numbers}};
        const QString sentence = reasonText(u"wait.slurm-qos"_s, args);
        QCOMPARE(numbers.isEmpty(), text.isEmpty());
        const QString inBrackets = text.isEmpty() ? reason : reason + u"; "_s + text;
        QVERIFY2(sentence.contains(u'(' + inBrackets + u')'), qPrintable(sentence));
    }

    // A site may name its users, and those with a number, too; the queue tells the number, the login node the name.
    void namesOfUsers_data()
    {
        QTest::addColumn<QString>("user");
        QTest::addColumn<QByteArray>("spelled");
        QTest::newRow("both by the name") << u"ada"_s << QByteArray("ada(1001)");
        QTest::newRow("both by the number") << u"1001"_s << QByteArray("ada(1001)");
        QTest::newRow("only the number") << u"1001"_s << QByteArray("1001");
        QTest::newRow("only the name") << u"ada"_s << QByteArray("ada");
    }
    void namesOfUsers()
    {
        QFETCH(QString, user);
        QFETCH(QByteArray, spelled);
        const slurm::LimitedJob job{{}, user, u"lab"_s, u"small"_s, {}, {{u"cpu"_s, 4}}};
        const QByteArray ofUser
            = qos("small", "", "MaxTRESPU=cpu=5(5)").replace(" 1000={", QByteArray(' ' + spelled + "={"));
        QCOMPARE(slurm::limitNumbers(*slurm::limitNamedBy(u"QOSMaxCpuPerUserLimit"_s), job, {}, ofUser),
            (QJsonObject{{u"limit"_s, 5}, {u"used"_s, 5}, {u"asked"_s, 4}, {u"of"_s, u"cpu"_s}}));
        QCOMPARE(slurm::limitNumbers(
                     *slurm::limitNamedBy(u"AssocMaxJobsLimit"_s), job, {}, record("lab", spelled, "", "MaxJobs=3(3)")),
            (QJsonObject{{u"limit"_s, 3}, {u"used"_s, 3}, {u"of"_s, u"jobs"_s}}));
        const slurm::LimitedJob other{{}, u"100"_s, u"lab"_s, u"small"_s, {}, {{u"cpu"_s, 4}}};
        QVERIFY(slurm::limitNumbers(*slurm::limitNamedBy(u"QOSMaxCpuPerUserLimit"_s), other, {}, ofUser).isEmpty());
    }

    // Nothing says on how many nodes the tasks of a job would have been that was refused.
    void whatANodeWouldHaveIsNotAllOfTheJob()
    {
        slurm::ScriptInput input;
        input.options = QStringList{u"--qos=small"_s};
        input.layout.components = {{2, 1024, 1, 8}};
        const auto numbers = [&input](const QByteArray &limit) {
            return slurm::limitNumbers(*slurm::limitNamedBy(u"QOSMaxGRESPerNode"_s), slurm::untakenJob(input, u"ada"_s),
                {}, qos("small", "MaxTRESPN=gres/gpu=" + limit, ""));
        };
        const QJsonObject known{{u"limit"_s, 4}, {u"of"_s, u"gres/gpu"_s}, {u"span"_s, u"node"_s}};
        QCOMPARE(numbers("4"), known);
        QVERIFY(numbers("8").isEmpty());
        input.layout.components = {{2, 1024, 6, 2}, {1, 0, 0, 1}};
        QJsonObject withOne = known;
        withOne.insert(u"asked"_s, 6);
        QCOMPARE(numbers("4"), withOne);
    }

    void aRefusalHasThemToo()
    {
        const QJsonObject args{{u"target"_s, u"slurm:lab"_s}, {u"detail"_s, u"QOSMaxCpuPerJobLimit: no"_s},
            {u"numbers"_s, QJsonObject{{u"limit"_s, 2}, {u"of"_s, u"cpu"_s}, {u"asked"_s, 4}, {u"span"_s, u"job"_s}}}};
        QVERIFY(reasonText(u"slurm.refused"_s, args)
                    .startsWith("slurm:lab refused the job: QOSMaxCpuPerJobLimit: no; limit 2 cores for a job, 4 asked "
                                "for."_L1));
    }

    void whatWasNotTakenIsKnownByItsScript()
    {
        slurm::ScriptInput input;
        input.options
            = QStringList{u"--account=lab"_s, u"--qos=small"_s, u"--partition=gpu,main"_s, u"--time=2:00:00"_s};
        input.layout.components = {{4, 1024, 2, 3}, {1, 0, 0, 1}};
        const slurm::LimitedJob job = slurm::untakenJob(input, u"ada"_s);
        QCOMPARE(job.account, u"lab"_s);
        QCOMPARE(job.qos, u"small"_s);
        QCOMPARE(job.partitions, (QStringList{u"gpu"_s, u"main"_s}));
        QCOMPARE(job.asked,
            (QHash<QString, qint64>{{u"cpu"_s, 13}, {u"mem"_s, 3072}, {u"gres/gpu"_s, 6}, {u"time"_s, 120}}));
        input.isArray = true; // each element has one task
        input.layout.components = {{4, 1024, 2, 3}};
        QCOMPARE(slurm::untakenJob(input, u"ada"_s).asked.value(u"gres/gpu"_s), 2);
    }

    void aJobThatAsksForNoQuality()
    {
        const auto usual = [](const QByteArray &said, const QString &account = {}) {
            return slurm::usualQosIn(said, account, {u"gpu"_s});
        };
        QCOMPARE(usual("lab||normal,small|small\n"), u"small"_s);
        QCOMPARE(usual("lab||small|\n"), u"small"_s); // the only one
        QCOMPARE(usual("lab||large,normal,small|\n"), u"normal"_s); // as it is set up by Slurm
        QCOMPARE(usual("lab||large,small|\n"), QString());
        const QByteArray two = "lab||normal|normal\nother||small|small\nother|cpu|large|large\n";
        QCOMPARE(usual(two), QString()); // of which account is not known
        QCOMPARE(usual(two, u"other"_s), u"small"_s);
        QCOMPARE(usual({}), QString());
        // That of the partition overrides it, also of the one that is taken where a job names none.
        const QHash<QString, QString> partitions = slurm::partitionQosIn(
            "PartitionName=main Default=YES QoS=mainq\nPartitionName=gpu Default=NO QoS=gpuq\n");
        QCOMPARE(slurm::qosOf({{}, {}, {}, u"small"_s, {}, {}}, partitions), (QStringList{u"mainq"_s, u"small"_s}));
        QCOMPARE(
            slurm::qosOf({{}, {}, {}, u"small"_s, {u"gpu"_s}, {}}, partitions), (QStringList{u"gpuq"_s, u"small"_s}));
    }

    // Nothing waits for the answers: they come later, and once for several questions.
    void theyAreAskedForSeldom()
    {
        QTemporaryDir folder;
        const QByteArray at = QFile::encodeName(folder.path());
        const auto write = [&folder](const QString &name, const QByteArray &bytes) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        write(u"jobs"_s, job({"12", "1000", "lab", "small", "main", "cpu=1,gres/gpu=4", "UNLIMITED"}));
        write(u"limits"_s, qos("small", "", "MaxTRESPU=gres/gpu=8(6)"));
        write(u"squeue"_s, "#!/bin/sh\necho x >>" + at + "/asked\nexec cat " + at + "/jobs\n");
        write(u"scontrol"_s,
            "#!/bin/sh\ncase \"$*\" in *\"assoc_mgr qos=small flags=qos\"*) exec cat " + at
                + "/limits;; *) echo PartitionName=main QoS=N/A;; esac\n");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", at + ':' + path);
        const auto restored = qScopeGuard([&path] { qputenv("PATH", path); });
        SlurmCommands commands;
        SlurmLimitWatch watch(commands);
        QSignalSpy learned(&watch, &SlurmLimitWatch::learned);
        const slurm::LimitedJob waiting{u"12"_s, {}, {}, {}, {}, {}};
        const QString reason = u"QOSMaxGRESPerUser"_s;
        QVERIFY(watch.numbersOf(waiting, u"Resources"_s).isEmpty());
        QVERIFY(watch.numbersOf(waiting, reason).isEmpty());
        QVERIFY(watch.numbersOf(waiting, reason).isEmpty());
        QTRY_COMPARE(learned.size(), 1);
        QCOMPARE(watch.numbersOf(waiting, reason),
            (QJsonObject{{u"limit"_s, 8}, {u"used"_s, 6}, {u"asked"_s, 4}, {u"of"_s, u"gres/gpu"_s}}));
        // A refusal is asked about at once, and like the others of this user.
        std::optional<QJsonObject> found;
        watch.find({}, u"QOSMaxGRESPerUser: no"_s, [&found](const QJsonObject &numbers) { found = numbers; });
        QTRY_VERIFY(found.has_value());
        QVERIFY(found->isEmpty()); // it asks for none
        QFile asked(folder.filePath(u"asked"_s));
        QVERIFY(asked.open(QIODevice::ReadOnly));
        QCOMPARE(asked.readAll(), QByteArray("x\nx\n"));
        // Nor does anything in the queue tell what a job is like: the quality of service is that of the accounts.
        write(u"jobs"_s, {});
        write(u"sacctmgr"_s,
            "#!/bin/sh\ncase \"$*\" in *user=ada*) printf 'lab||normal,small|small\\nother||normal|normal\\n';; "
            "esac\n");
        write(u"limits"_s, qos("small", "", "MaxTRESPU=gres/gpu=8(6)").replace(" 1000={", " ada(1000)={"));
        found.reset();
        watch.find({{}, u"ada"_s, u"lab"_s, {}, {}, {{u"gres/gpu"_s, 4}}}, u"QOSMaxGRESPerUser: no"_s,
            [&found](const QJsonObject &numbers) { found = numbers; });
        QTRY_VERIFY(found.has_value());
        QCOMPARE(*found, (QJsonObject{{u"limit"_s, 8}, {u"used"_s, 6}, {u"asked"_s, 4}, {u"of"_s, u"gres/gpu"_s}}));
        // A cluster that does not answer says nothing.
        write(u"squeue"_s, "#!/bin/sh\nexit 1\n");
        found.reset();
        watch.find({}, reason, [&found](const QJsonObject &numbers) { found = numbers; });
        QTRY_VERIFY(found.has_value());
        QVERIFY(found->isEmpty());
    }

    // What alone asks for more than there may ever be does not begin when others end.
    void whatNeverFitsIsSaid()
    {
        const Error why{u"wait.slurm-qos"_s, {{u"target"_s, u"slurm:lab"_s}, {u"start"_s, 1000}}};
        const QJsonObject fits{{u"limit"_s, 2}, {u"used"_s, 2}, {u"asked"_s, 2}, {u"of"_s, u"gres/gpu"_s}};
        const Error waits = slurm::waitReasonOfNumbers(why, fits);
        QCOMPARE(waits.code, why.code);
        QCOMPARE(waits.args.value("numbers"_L1).toObject(), fits);
        QVERIFY(waits.args.contains("start"_L1));
        QJsonObject more = fits;
        more.insert(u"asked"_s, 3);
        const Error never = slurm::waitReasonOfNumbers(why, more);
        QCOMPARE(never.code, u"wait.slurm-over-limit"_s);
        QVERIFY(!never.args.contains("start"_L1));
        const Error other{u"wait.slurm-resources"_s, {}};
        QCOMPARE(slurm::waitReasonOfNumbers(other, more).code, other.code);
        QCOMPARE(slurm::waitReasonOfNumbers(why, {}), why);
    }
};

TRAINYARD_TEST(TstSlurmLimitNumbers)
#include "tst_slurmlimitnumbers.moc"
