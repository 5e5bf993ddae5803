// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobexport.h"
#include "model/protocol/jobdocument.h"
#include "model/template/render.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <yaml-cpp/yaml.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The texts that jobs are exported to: what stands in them, that their languages can read them, and what they never
// have.
class TstExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsOfTargets();
    void everyTargetOfEveryJob_data();
    void everyTargetOfEveryJob();
    void hasWhatItNeeds_data();
    void hasWhatItNeeds();
    void shapesOfSlurm();
    void oneShapeIsOneComponent();
    void composeServices();
    void jobSetPolicies_data();
    void jobSetPolicies();
    void sameMachines();
    void notes_data();
    void notes();
    void allBeginTogether();
    void commandsComeFirst();
    void noSecretIsWritten_data();
    void noSecretIsWritten();
    void tooManyTasks();
    void namesEachRoleWithoutAnImage();
    void sentencesInComments();
    void readmeSaysWhatTheHeadSays_data();
    void readmeSaysWhatTheHeadSays();
};

namespace
{

const char exportedRole[] = R"(
    dockerImage: img
    resourcePerInstance: {cpu: 2, memoryMB: 1000, gpu: 0}
)";

// A job with these task roles, and what else stands at its top level.
JobSpec exportedJob(const QByteArray &roles, const QByteArray &more = {})
{
    const QByteArray text = "protocolVersion: 2\nname: exported_job\ntype: job\n" + more
        + "prerequisites:\n  - {name: img, type: dockerimage, uri: 'debian:12'}\n"
          "  - {name: private, type: dockerimage, uri: 'r.example/x:1', auth: {username: u, password: PASS_VALUE, "
          "registryuri: r.example}}\ntaskRoles:\n"
        + roles;
    const ParseOutcome outcome = parseJob(text);
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        if (diagnostic.severity == Severity::Error) {
            qWarning("%s", qPrintable(diagnostic.code));
        }
    }
    return outcome.spec && outcome.canRun() ? *outcome.spec : JobSpec();
}

QByteArray exportedMain(const QByteArray &commands = "[echo x]")
{
    return "  main:" + QByteArray(exportedRole) + "    commands: " + commands + '\n';
}

// Asserts that bash takes the text, and returns what is wrong with it.
QByteArray wrongForBash(const QByteArray &text)
{
    QProcess bash;
    bash.start(u"bash"_s, {u"-n"_s});
    bash.write(text);
    bash.closeWriteChannel();
    if (!bash.waitForFinished() || bash.exitStatus() != QProcess::NormalExit) {
        return "bash did not end";
    }
    return bash.exitCode() == 0 ? QByteArray() : bash.readAllStandardError();
}

std::vector<YAML::Node> yamlOf(const Exported &exported) { return YAML::LoadAll(exported.text.toStdString()); }

QStringList codesOf(const Exported &exported)
{
    QStringList codes;
    for (const ExportNote &note : exported.notes) {
        codes.append(note.code);
    }
    return codes;
}

} // namespace

void TstExport::wordsOfTargets()
{
    QCOMPARE(exportTargetWords(),
        (QStringList{u"bash"_s, u"sbatch"_s, u"compose"_s, u"jobset"_s, u"skypilot"_s, u"dstack"_s}));
    for (const QString &word : exportTargetWords()) {
        QVERIFY(exportTargetOf(word));
        QVERIFY(!exportSuffix(*exportTargetOf(word)).isEmpty());
    }
    QCOMPARE(exportTargetOf(u"kubernetes"_s), std::optional(ExportTarget::JobSet));
    QCOMPARE(exportTargetOf(u"k8s"_s), std::optional(ExportTarget::JobSet));
    QCOMPARE(exportTargetOf(u"slurm"_s), std::optional(ExportTarget::Sbatch));
    QVERIFY(!exportTargetOf(u"lsf"_s));
}

// All jobs that come with the program.
void TstExport::everyTargetOfEveryJob_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("target");
    const QString resources = qEnvironmentVariable("TRAINYARD_SOURCE") + u"/resources/"_s;
    for (const QString &folder : {u"examples"_s, u"templates"_s}) {
        QDirIterator files(resources + folder, {u"*.pai.yaml"_s}, QDir::Files);
        while (files.hasNext()) {
            const QString file = files.next();
            for (const QString &target : exportTargetWords()) {
                QTest::addRow("%s to %s", qPrintable(files.fileName()), qPrintable(target)) << file << target;
            }
        }
    }
}

void TstExport::everyTargetOfEveryJob()
{
    QFETCH(QString, file);
    QFETCH(QString, target);
    QFile source(file);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const ParseOutcome outcome = parseJob(source.readAll());
    QVERIFY(outcome.spec);
    const ExportTarget to = *exportTargetOf(target);
    const Result<Exported> exported = exportJob(*outcome.spec, to);
    QVERIFY2(exported, exported ? "" : qPrintable(exported.error().code));
    QVERIFY(exported->text.endsWith('\n'));
    QVERIFY(!exported->text.endsWith("\n\n"));
    QCOMPARE(exportJob(*outcome.spec, to)->text, exported->text);
    if (to == ExportTarget::Bash || to == ExportTarget::Sbatch) {
        QVERIFY(exported->text.startsWith("#!/usr/bin/env bash\n"));
        QCOMPARE(wrongForBash(exported->text), QByteArray());
        return;
    }
    QVERIFY(exported->text.startsWith("# "));
    const std::vector<YAML::Node> documents = yamlOf(*exported);
    QCOMPARE(documents.size(), to == ExportTarget::JobSet ? 2u : 1u);
    const YAML::Node &first = documents.front();
    const std::string script = to == ExportTarget::Compose ? first["configs"]["job"]["content"].as<std::string>()
        : to == ExportTarget::JobSet                       ? first["data"]["job.sh"].as<std::string>()
        : to == ExportTarget::SkyPilot                     ? first["run"].as<std::string>()
                                                           : first["commands"][0].as<std::string>();
    QByteArray text = QByteArray::fromStdString(script);
    if (to == ExportTarget::Compose) {
        text.replace("$$", "$");
    }
    QCOMPARE(wrongForBash(text), QByteArray());
}

// A job of one line is given no functions for what it does not have, and each job has all that it calls.
void TstExport::hasWhatItNeeds_data()
{
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArrayList>("functions"); // what the smallest job does without
    const QByteArray plain = "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [echo hello]\n";
    const auto row
        = [](const char *name, const QByteArray &role, const QByteArray &more, const QByteArrayList &functions) {
              QTest::newRow(name) << QByteArray("  main:\n" + role) << more << functions;
          };
    row("plain", plain, {}, {});
    row("secret", QByteArray(plain).replace("hello", "<% $secrets.token %>"), "secrets: {token: abc}\n",
        {"load_secrets"});
    row("image", "    dockerImage: img\n" + plain, {}, {});
    row("retries of tasks", "    taskRetryCount: 2\n" + plain, "extras: {gangAllocation: false}\n", {"goes_again"});
    row("retries of the job", plain, "jobRetryCount: 1\n", {"goes_again"});
    row("several tasks", "    instances: 2\n" + plain, {}, {"nodes_of"});
    row("step", plain,
        "extras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: cmd, parameters: {preCommands: [date]}}\n",
        {"step"});
    row("GPUs", QByteArray(plain).replace("gpu: 0", "gpu: 1"), {}, {"deal_gpus"});
}

void TstExport::hasWhatItNeeds()
{
    QFETCH(QByteArray, role);
    QFETCH(QByteArray, more);
    QFETCH(QByteArrayList, functions);
    static const QRegularExpression function(u"^([a-z_0-9]+)\\(\\) \\{"_s, QRegularExpression::MultilineOption);
    static const QByteArrayList optional{"load_secrets", "goes_again", "nodes_of", "step", "deal_gpus"};
    QByteArrayList found;
    for (const ExportTarget target : {ExportTarget::Sbatch, ExportTarget::Bash}) {
        const Result<Exported> exported = exportJob(exportedJob(role, more), target);
        QVERIFY(exported);
        QCOMPARE(wrongForBash(exported->text), QByteArray());
        const QString text = QString::fromUtf8(exported->text);
        QVERIFY(!text.contains(u"#@"_s));
        QHash<QString, int> defined;
        for (auto each = function.globalMatch(text); each.hasNext();) {
            ++defined[each.next().captured(1)];
        }
        for (auto each = defined.cbegin(); each != defined.cend(); ++each) {
            const QRegularExpression word(u"(?<![\\w-])%1(?![\\w-])"_s.arg(each.key()));
            QVERIFY2(text.count(word) > each.value(), qPrintable(each.key() + u" is not used"_s));
            const QByteArray name = each.key().toUtf8();
            if (optional.contains(name) && !found.contains(name)) {
                found.append(name);
            }
        }
        for (const QByteArray &name : optional) {
            const QRegularExpression call(u"(?m)^(?!#)[^#\\n]*(?<![\\w/-])%1(?![\\w-])"_s.arg(QString::fromUtf8(name)));
            QVERIFY2(defined.contains(QString::fromUtf8(name)) || !text.contains(call), name.constData());
        }
    }
    QCOMPARE(found, functions);
}

void TstExport::shapesOfSlurm()
{
    const JobSpec job = exportedJob("  ps:" + QByteArray(exportedRole)
            + "    commands: [echo x]\n"
              "  worker:\n    instances: 3\n    dockerImage: img\n"
              "    resourcePerInstance: {cpu: 3, memoryMB: 1000, gpu: 2}\n    commands: [echo y]\n",
        "extras: {trainyard: {limits: {timeSeconds: 61}}}\n");
    const Result<Exported> exported = exportJob(job, ExportTarget::Sbatch);
    QVERIFY(exported);
    const QByteArray head = exported->text.left(exported->text.indexOf("\n# "));
    QCOMPARE(head,
        QByteArray("#!/usr/bin/env bash\n#SBATCH --job-name=exported_job\n#SBATCH --output=exported_job-%j.out\n"
                   "#SBATCH --open-mode=append\n#SBATCH --no-requeue\n#SBATCH --export=NONE\n"
                   "#SBATCH --signal=B:USR1@90\n#SBATCH --ntasks=3\n#SBATCH --cpus-per-task=3\n"
                   "#SBATCH --mem-per-cpu=334M\n#SBATCH --gpus-per-task=2\n#SBATCH --time=2\n#SBATCH hetjob\n"
                   "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=2\n#SBATCH --mem-per-cpu=500M\n#SBATCH --time=2"));
    QVERIFY(exported->text.contains("\nCOMPONENTS=2\nCOMPONENT=(1 0)\nMEMORY_PER_CPU=(500 334)\n"));
    for (const char *words : {"--exact", "--kill-on-bad-exit=0", "--wait=0", "unset SLURM_EXPORT_ENV"}) {
        QVERIFY2(exported->text.contains(words), words);
    }
}

void TstExport::oneShapeIsOneComponent()
{
    const JobSpec job = exportedJob("  a:" + QByteArray(exportedRole)
        + "    commands: [echo x]\n  b:" + QByteArray(exportedRole) + "    instances: 4\n    commands: [echo x]\n");
    const Result<Exported> exported = exportJob(job, ExportTarget::Sbatch);
    QVERIFY(exported);
    QVERIFY(!exported->text.contains("#SBATCH hetjob"));
    QVERIFY(exported->text.contains("#SBATCH --ntasks=5\n"));
}

void TstExport::composeServices()
{
    const JobSpec job
        = exportedJob("  My_role:\n    instances: 2\n    dockerImage: img\n    resourcePerInstance: {cpu: 2, "
                      "memoryMB: 1000, gpu: 1}\n    commands: ['echo \"$HOME $$\"']\n");
    const Result<Exported> exported = exportJob(job, ExportTarget::Compose);
    QVERIFY(exported);
    const YAML::Node file = yamlOf(*exported).front();
    QCOMPARE(file["services"].size(), 2u);
    const YAML::Node service = file["services"]["my-role-1"];
    QCOMPARE(service["image"].as<std::string>(), std::string("debian:12"));
    QCOMPARE(service["command"][0].as<std::string>(), std::string("1"));
    QCOMPARE(service["mem_limit"].as<std::string>(), std::string("1000m"));
    QCOMPARE(service["deploy"]["resources"]["reservations"]["devices"][0]["count"].as<int>(), 1);
    // Compose would fill in what has a single dollar.
    const std::string script = file["configs"]["job"]["content"].as<std::string>();
    QVERIFY(script.find("echo \"$$HOME $$$$\"") != std::string::npos);
    QVERIFY(!QByteArray::fromStdString(script).replace("$$", "").contains('$'));
}

void TstExport::jobSetPolicies_data()
{
    QTest::addColumn<QByteArray>("completion");
    QTest::addColumn<QByteArray>("way");
    QTest::addColumn<bool>("targets");
    QTest::addColumn<bool>("noted");
    QTest::newRow("none") << QByteArray("{}") << QByteArray("All") << false << false;
    QTest::newRow("one") << QByteArray("{minSucceededInstances: 1}") << QByteArray("Any") << true << false;
    QTest::newRow("all") << QByteArray("{minSucceededInstances: 3}") << QByteArray("All") << true << false;
    QTest::newRow("some") << QByteArray("{minSucceededInstances: 2}") << QByteArray("All") << true << true;
    QTest::newRow("two may fail") << QByteArray("{minFailedInstances: 3}") << QByteArray("All") << false << true;
}

void TstExport::jobSetPolicies()
{
    QFETCH(QByteArray, completion);
    QFETCH(QByteArray, way);
    QFETCH(bool, targets);
    QFETCH(bool, noted);
    const JobSpec job = exportedJob("  worker:" + QByteArray(exportedRole) + "    instances: 3\n    completion: "
            + completion + "\n    commands: [echo x]\n  other:" + QByteArray(exportedRole) + "    commands: [echo x]\n",
        "jobRetryCount: 2\n");
    const Result<Exported> exported = exportJob(job, ExportTarget::JobSet);
    QVERIFY(exported);
    const YAML::Node spec = yamlOf(*exported).at(1)["spec"];
    QCOMPARE(QByteArray::fromStdString(spec["successPolicy"]["operator"].as<std::string>()), way);
    QCOMPARE(spec["successPolicy"]["targetReplicatedJobs"].IsDefined(), targets);
    QCOMPARE(codesOf(*exported).contains(u"export.completion"_s), noted);
    QCOMPARE(spec["failurePolicy"]["maxRestarts"].as<int>(), 2);
    QCOMPARE(spec["replicatedJobs"].size(), 2u);
    QCOMPARE(spec["replicatedJobs"][0]["replicas"].as<int>(), 3);
    const YAML::Node container = spec["replicatedJobs"][1]["template"]["spec"]["template"]["spec"]["containers"][0];
    QCOMPARE(container["command"][2].as<std::string>(), std::string("3")); // its first task in the job
}

void TstExport::sameMachines()
{
    const JobSpec job = exportedJob("  a:" + QByteArray(exportedRole)
        + "    commands: [echo x]\n  b:\n    instances: 2\n    dockerImage: private\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 5000, gpu: 1}\n    commands: [echo y]\n");
    const Result<Exported> sky = exportJob(job, ExportTarget::SkyPilot);
    const Result<Exported> dstack = exportJob(job, ExportTarget::Dstack);
    QVERIFY(sky && dstack);
    QCOMPARE(yamlOf(*sky).front()["num_nodes"].as<int>(), 3);
    QCOMPARE(yamlOf(*sky).front()["resources"]["memory"].as<std::string>(), std::string("5+"));
    QCOMPARE(yamlOf(*dstack).front()["resources"]["cpu"].as<std::string>(), std::string("2.."));
    QCOMPARE(yamlOf(*dstack).front()["resources"]["gpu"].as<int>(), 1);
    for (const QString &code : {u"export.same-nodes"_s, u"export.one-image"_s, u"export.login"_s}) {
        QVERIFY2(codesOf(*sky).contains(code) && codesOf(*dstack).contains(code), qPrintable(code));
    }
    QVERIFY(codesOf(*sky).contains(u"export.gpu-type"_s));
}

void TstExport::notes_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("code");
    const auto row
        = [](const char *name, const QByteArray &more, const QString &code) { QTest::newRow(name) << more << code; };
    row("image", "", u"export.image"_s);
    row("priority", "extras: {trainyard: {priority: 3}}\n", u"export.field"_s);
    row("storages", "extras: {storages: [{name: s}]}\n", u"export.field"_s);
    row("cluster", "defaults: {virtualCluster: fast}\n", u"export.virtual-cluster"_s);
    row("retries", "jobRetryCount: 1\n", u"export.retry-classes"_s);
    row("data", "extras: {trainyard: {data: {d: {from: /data/d}}}}\n", u"export.data"_s);
    row("plugin",
        "extras: {com.microsoft.pai.runtimeplugin: [{plugin: tensorboard, parameters: {port: 6006, logdir: {main: "
        "logs}}}]}\n",
        u"export.plugin"_s);
}

void TstExport::notes()
{
    QFETCH(QByteArray, more);
    QFETCH(QString, code);
    const Result<Exported> exported = exportJob(exportedJob(exportedMain(), more), ExportTarget::Bash);
    QVERIFY(exported);
    QVERIFY2(codesOf(*exported).contains(code), qPrintable(codesOf(*exported).join(u' ')));
    QVERIFY(exported->text.contains(QByteArray("\n# - " + code.toUtf8() + ": {")));
    if (code != u"export.image"_s) {
        QVERIFY(!codesOf(*exportJob(exportedJob(exportedMain()), ExportTarget::Bash)).contains(code));
    }
    ExportOptions options;
    options.apptainer = true;
    QVERIFY(!codesOf(*exportJob(exportedJob(exportedMain(), more), ExportTarget::Sbatch, options))
                 .contains(u"export.image"_s));
}

// A job whose tasks begin one by one is one whose tasks need not all have room.
void TstExport::allBeginTogether()
{
    const QByteArray roles = "  main:\n    instances: 3" + QByteArray(exportedRole) + "    commands: [echo x]\n";
    const QByteArray apart = "extras: {gangAllocation: false}\n";
    for (const ExportTarget target : {ExportTarget::Sbatch, ExportTarget::Bash}) {
        const Result<Exported> exported = exportJob(exportedJob(roles, apart), target);
        QVERIFY(exported);
        QVERIFY(exported->notes.contains(ExportNote{u"export.gang"_s, {{u"tasks"_s, 3}}}));
        QVERIFY(exported->text.contains("\n# - export.gang: {"));
        QVERIFY(!codesOf(*exportJob(exportedJob(roles), target)).contains(u"export.gang"_s));
        QVERIFY(!codesOf(*exportJob(exportedJob(exportedMain(), apart), target)).contains(u"export.gang"_s));
    }
}

// Who opens a script looks for the commands, and finds them above what runs them.
void TstExport::commandsComeFirst()
{
    for (const ExportTarget target : {ExportTarget::Sbatch, ExportTarget::Bash}) {
        const Result<Exported> exported = exportJob(exportedJob(exportedMain("[echo mine]")), target);
        QVERIFY(exported);
        const qsizetype mine = exported->text.indexOf("echo mine");
        QVERIFY(mine > 0 && mine < exported->text.indexOf("JOB_VARIABLES=")
            && mine < exported->text.indexOf("ROLE_NAMES="));
    }
}

void TstExport::noSecretIsWritten_data()
{
    QTest::addColumn<QString>("target");
    for (const QString &target : exportTargetWords()) {
        QTest::addRow("%s", qPrintable(target)) << target;
    }
}

void TstExport::noSecretIsWritten()
{
    QFETCH(QString, target);
    const JobSpec job
        = exportedJob("  main:\n    dockerImage: private\n"
                      "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
                      "    commands:\n      - echo '<% $secrets.token %>' <% $secrets.deep.er %> <% $parameters.p %>\n",
            "secrets: {token: TOKEN_VALUE, deep: {er: DEEP_VALUE}, unused: UNUSED_VALUE}\n"
            "parameters: {p: 'of <%$secrets.token%>'}\n");
    QCOMPARE(job.name, u"exported_job"_s);
    const Result<Exported> exported = exportJob(job, *exportTargetOf(target));
    QVERIFY(exported);
    QVERIFY(!exported->text.contains("_VALUE"));
    QCOMPARE(exported->secrets, (QStringList{u"SECRET_TOKEN"_s, u"SECRET_DEEP_ER"_s}));
    QVERIFY(exported->text.contains("SECRET_NAMES=(SECRET_TOKEN SECRET_DEEP_ER)"));
    QVERIFY(!exported->text.contains("$secrets."));
}

void TstExport::tooManyTasks()
{
    JobSpec job = exportedJob(exportedMain());
    job.taskRoles[0].instances = 10001;
    const Result<Exported> exported = exportJob(job, ExportTarget::Bash);
    QVERIFY(!exported);
    QCOMPARE(exported.error().code, u"export.many-tasks"_s);
    job = exportedJob(exportedMain());
    job.taskRoles[0].dockerImage.clear();
    QCOMPARE(exportJob(job, ExportTarget::Compose).error().code, u"export.no-image"_s);
    QCOMPARE(exportJob(job, ExportTarget::JobSet).error().code, u"export.no-image"_s);
    QVERIFY(exportJob(job, ExportTarget::Sbatch));
}

// All that has to be changed is said at once, each at its place.
void TstExport::namesEachRoleWithoutAnImage()
{
    const QByteArray bare = "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n";
    const QByteArray text = "protocolVersion: 2\nname: n\ntype: job\nprerequisites:\n"
                            "  - {name: img, type: dockerimage, uri: a}\ntaskRoles:\n  ps:\n"
        + bare + "  worker:\n    dockerImage: img\n" + bare + "  chief:\n" + bare;
    const ParseOutcome outcome = parseJob(text);
    QVERIFY(outcome.spec);
    for (const ExportTarget target : {ExportTarget::Compose, ExportTarget::JobSet}) {
        const Result<Exported> exported = exportJob(*outcome.spec, target);
        QVERIFY(!exported);
        QCOMPARE(exported.error(),
            (Error{u"export.no-images"_s, {{u"roles"_s, QJsonArray::fromStringList({u"ps"_s, u"chief"_s})}}}));
        const QList<Diagnostic> findings = exportFindings(exported.error(), outcome.document);
        QCOMPARE(findings.size(), 2);
        for (const Diagnostic &each : findings) {
            QCOMPARE(each.code, u"export.no-image"_s);
            QCOMPARE(text.mid(each.at.begin, each.at.length()), each.args.value("role"_L1).toString().toUtf8());
        }
        QCOMPARE(text.mid(findings.at(1).at.begin, findings.at(1).at.length()), QByteArray("chief"));
    }
    QVERIFY(exportFindings(Error{u"export.many-tasks"_s}, outcome.document).isEmpty());
}

// A sentence, a description or a name cannot end its comment.
void TstExport::sentencesInComments()
{
    ExportOptions options;
    options.sentence = [](const ExportNote &) { return u"one\nexit 7"_s; };
    const Result<Exported> exported = exportJob(exportedJob(exportedMain()), ExportTarget::Bash, options);
    QVERIFY(exported);
    QVERIFY(exported->text.contains("# - export.image: one\n# exit 7\n"));
}

void TstExport::readmeSaysWhatTheHeadSays_data()
{
    QTest::addColumn<QString>("target");
    const QStringList words = exportTargetWords();
    for (const QString &word : words) {
        QTest::newRow(qPrintable(word)) << word;
    }
}

void TstExport::readmeSaysWhatTheHeadSays()
{
    QFETCH(QString, target);
    const JobSpec job = exportedJob(
        QByteArray("  main:") + exportedRole + "    commands: [echo <% $secrets.a %>]\n", "secrets: {a: hunter2}\n");
    ExportOptions options;
    options.sentence = [](const ExportNote &note) { return QString(u"<b>*bold*</b> "_s + note.code); };
    const Result<Exported> exported = exportJob(job, *exportTargetOf(target), options);
    QVERIFY(exported);
    const QString file = exportFileName(job, *exportTargetOf(target));
    QCOMPARE(file, u"exported_job"_s + exportSuffix(*exportTargetOf(target)));
    const QString readme = QString::fromUtf8(exportReadme(*exported, file, options));
    QVERIFY(readme.startsWith(u"# "_s + file + u"\n\nexported_job: one task"_s) && readme.endsWith(u'\n'));
    // Each word of the head is in the comments of the text and in the README, where FILE has its name.
    const QString comments = QString::fromUtf8(exported->text).remove(u"\n#"_s).simplified();
    QVERIFY2(comments.contains(exported->head.simplified()), qPrintable(comments));
    QVERIFY(exported->head.contains(u" FILE"_s) && !readme.contains(u" FILE"_s));
    QVERIFY2(readme.contains(u' ' + file), qPrintable(readme));
    QVERIFY(readme.contains(u"SECRET_A"_s) && !readme.contains(u"hunter2"_s));
    for (const ExportNote &note : exported->notes) {
        QVERIFY2(
            readme.contains(u"\n- "_s + note.code + u": \\<b>\\*bold\\*\\</b> "_s + note.code), qPrintable(readme));
    }
    QCOMPARE(readme.count(u"What this file does not have of the job"_s), exported->notes.isEmpty() ? 0 : 1);
}

TRAINYARD_TEST(TstExport)
#include "tst_export.moc"
