// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobexport.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <yaml-cpp/yaml.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What exports say that they leave out, and names that other systems take.
class TstExportNotes : public QObject
{
    Q_OBJECT

    static JobSpec noteJob(const QByteArray &name, const QByteArray &role, qint64 instances, const QByteArray &more)
    {
        const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: " + name
            + "\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: 'debian:12'}\ntaskRoles:\n  " + role
            + ":\n    instances: " + QByteArray::number(instances)
            + "\n    dockerImage: img\n    extraContainerOptions: {infiniband: true}\n"
              "    resourcePerInstance: {cpu: 2, memoryMB: 1000, gpu: 1}\n    commands: [echo x]\n"
            + more);
        return outcome.spec && outcome.canRun() ? *outcome.spec : JobSpec();
    }
    static QStringList notesOf(const JobSpec &job, ExportTarget target, bool apptainer = false)
    {
        ExportOptions options;
        options.apptainer = apptainer;
        QStringList notes;
        const Result<Exported> exported = exportJob(job, target, options);
        for (const ExportNote &note : exported ? exported->notes : QList<ExportNote>()) {
            notes.append(
                note.code + u' ' + note.args.value("field"_L1).toString() + note.args.value("type"_L1).toString());
        }
        return notes;
    }

private Q_SLOTS:
    void saysWhichGpus();
    void saysWhatContainersLack();
    void arrangements();
    void saysThatCheckpointsGo();
    void saysThatScriptsAreAway();
    void namesOfPods_data();
    void namesOfPods();
    void namesOfDstack();
};

void TstExportNotes::saysWhichGpus()
{
    const JobSpec job = noteJob("a", "main", 1,
        "extras: {hivedScheduler: {taskRoles: {main: {skuType: A100}}}, trainyard: {gpuMemoryMB: 6000}}\n");
    const JobSpec other = noteJob("a", "main", 1, {});
    for (const QString &word : exportTargetWords()) {
        const ExportTarget target = *exportTargetOf(word);
        const QStringList notes = notesOf(job, target), others = notesOf(other, target);
        for (const QString &note : {u"export.gpu-sku A100"_s, u"export.field extras.trainyard.gpuMemoryMB"_s}) {
            QVERIFY2(notes.contains(note), qPrintable(word + u": "_s + notes.join(u", "_s)));
            QVERIFY2(!others.contains(note), qPrintable(word));
        }
    }
}

// A task on a host sees the devices that the host has.
void TstExportNotes::saysWhatContainersLack()
{
    const JobSpec job = noteJob("a", "main", 1, {});
    const QString note = u"export.infiniband "_s;
    QVERIFY(notesOf(job, ExportTarget::Compose).contains(note));
    QVERIFY(notesOf(job, ExportTarget::JobSet).contains(note));
    QVERIFY(notesOf(job, ExportTarget::Sbatch, true).contains(note));
    QVERIFY(!notesOf(job, ExportTarget::Sbatch).contains(note));
    QVERIFY(!notesOf(job, ExportTarget::Bash).contains(note));
}

// Slurm distributes the tasks of a component, which may be those of several roles.
void TstExportNotes::arrangements()
{
    const QString note = u"export.field extras.trainyard.hosts"_s;
    const auto says = [&](qint64 instances, const QByteArray &rule, ExportTarget target, const QByteArray &more = {}) {
        return notesOf(
            noteJob("a", "main", instances, more + "extras: {trainyard: {hosts: {main: " + rule + "}}}\n"), target)
            .contains(note);
    };
    QVERIFY(!says(2, "{arrange: different-hosts}", ExportTarget::Sbatch));
    QVERIFY(says(2, "{arrange: different-hosts}", ExportTarget::Bash));
    QVERIFY(!says(1, "{arrange: different-hosts}", ExportTarget::Bash)); // a task is alone anyway
    QVERIFY(says(2, "{arrange: spread}", ExportTarget::Sbatch));
    QVERIFY(says(2, "{arrange: same-host, labels: [a]}", ExportTarget::Sbatch));
    const QByteArray other = "  other:\n    instances: 1\n    dockerImage: img\n"
                             "    resourcePerInstance: {cpu: 2, memoryMB: 1000, gpu: 1}\n    commands: [echo x]\n";
    QVERIFY(says(2, "{arrange: same-host}", ExportTarget::Sbatch, other));
}

// What a task keeps for its next attempt is gone with its pod.
void TstExportNotes::saysThatCheckpointsGo()
{
    const QString note = u"export.checkpoints "_s;
    QVERIFY(notesOf(noteJob("a", "main", 1, "jobRetryCount: 1\n"), ExportTarget::JobSet).contains(note));
    QVERIFY(!notesOf(noteJob("a", "main", 1, {}), ExportTarget::JobSet).contains(note));
}

// A pod has nothing of the folder of the job.
void TstExportNotes::saysThatScriptsAreAway()
{
    const auto jobOf = [](const QByteArray &command, const QByteArray &more = {}) {
        return parseJob(
            "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: "
            "'debian:12'}\ntaskRoles:\n  main:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, "
            "memoryMB: 100, gpu: 0}\n    commands: ['"
            + command + "']\n" + more)
            .spec;
    };
    const QString pods = u"export.no-work-folder "_s, dstack = u"export.no-work-folder-dstack "_s;
    for (const char *command : {"python3 train.py", "bash body.sh --fast", "python3 <% $parameters.file %>"}) {
        const std::optional<JobSpec> job = jobOf(command, "parameters: {file: train.py}\n");
        QVERIFY(job);
        QVERIFY2(notesOf(*job, ExportTarget::JobSet).contains(pods), command);
        QVERIFY2(notesOf(*job, ExportTarget::Dstack).contains(dstack), command);
        for (const ExportTarget target : {ExportTarget::Bash, ExportTarget::SkyPilot, ExportTarget::Compose}) {
            QVERIFY2(!notesOf(*job, target).join(u' ').contains("no-work-folder"_L1), command);
        }
    }
    const QByteArray git
        = "extras: {com.microsoft.pai.runtimeplugin: [{plugin: git, parameters: {repo: 'https://h/r'}}]}\n";
    for (const std::optional<JobSpec> &job :
        {jobOf("python3 train.py", git), jobOf("python3 /opt/train.py"), jobOf("echo x")}) {
        QVERIFY(job);
        QVERIFY(!notesOf(*job, ExportTarget::JobSet).contains(pods));
    }
    const Result<Exported> exported = exportJob(*jobOf("bash body.sh"), ExportTarget::JobSet);
    QVERIFY(exported && exported->head.contains("The pods have no work folder"_L1));
    const QByteArray readme = exportReadme(*exported, u"a.jobset.yaml"_s);
    QVERIFY2(readme.contains("body.sh") && readme.contains("have no work folder"), readme.constData());
    QVERIFY(exported->text.contains("body.sh"));
}

// JobSet refuses a set whose pods would have names of more than 63 characters.
void TstExportNotes::namesOfPods_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<QByteArray>("name"); // of the set; as far as it has to be this one
    const QByteArray longName = "a_name_that_says_all_of_what_this_job_does_and_with_which_numbers_it_does_it";
    QTest::newRow("short") << QByteArray("My_Job") << QByteArray("main") << QByteArray("my-job");
    QTest::newRow("a long job") << longName << QByteArray("main")
                                << QByteArray("a-name-that-says-all-of-what-this-job");
    QTest::newRow("a long role") << QByteArray("job") << QByteArray(60, 'r') << QByteArray("job");
    QTest::newRow("both long") << longName << QByteArray(60, 'r') << QByteArray("a-name");
}

void TstExportNotes::namesOfPods()
{
    QFETCH(QByteArray, job);
    QFETCH(QByteArray, role);
    QFETCH(QByteArray, name);
    const Result<Exported> exported = exportJob(noteJob(job, role, 120, {}), ExportTarget::JobSet);
    QVERIFY(exported);
    const std::vector<YAML::Node> documents = YAML::LoadAll(exported->text.toStdString());
    const auto textOf = [](const YAML::Node &node) { return QByteArray::fromStdString(node.as<std::string>()); };
    const QByteArray set = textOf(documents.at(1)["metadata"]["name"]);
    const QByteArray part = textOf(documents.at(1)["spec"]["replicatedJobs"][0]["name"]);
    QVERIFY2(set.startsWith(name), set.constData());
    QVERIFY(!set.endsWith('-') && !part.endsWith('-'));
    const QByteArray pod = set + '-' + part + "-119-0-abcde";
    QVERIFY2(pod.size() <= 63, pod.constData());
    QCOMPARE(textOf(documents.at(0)["metadata"]["name"]), set + "-script");
    QVERIFY(
        exported->text.contains(QByteArray(' ' + set + '-' + part + "-7-0." + set + ' '))); // as tasks find each other
}

void TstExportNotes::namesOfDstack()
{
    const Result<Exported> exported = exportJob(noteJob("a", "main", 1, {}), ExportTarget::Dstack);
    QVERIFY(exported);
    QVERIFY2(exported->text.contains("\nname: job-a\n"), exported->text.constData());
}

TRAINYARD_TEST(TstExportNotes)
#include "tst_exportnotes.moc"
