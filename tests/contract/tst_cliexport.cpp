// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program: trainyardctl export.
class TstCliExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void toStandardOutput();
    void toKubernetes();
    void toFile();
    void toFolder();
    void asJson();
    void parameters();
    void warnings();
    void wrongUsage();
    void jobsThatCannot();

private:
    struct Run {
        int status = -1;
        QByteArray out, err;
    };
    Run run(const QStringList &arguments, const QByteArray &input = {}) const;

    QTemporaryDir m_folder;
    QString m_program;
};

namespace
{

const char jobToExport[] = R"(protocolVersion: 2
name: cli_export
type: job
parameters: {word: hello}
prerequisites:
  - {name: img, type: dockerimage, uri: 'debian:12'}
taskRoles:
  main:
    dockerImage: img
    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}
    commands:
      - echo <% $parameters.word %>
)";

} // namespace

void TstCliExport::initTestCase()
{
    m_program = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    if (!QFileInfo(m_program).isExecutable()) {
        QFAIL("trainyardctl has not been built.");
    }
    QVERIFY(m_folder.isValid());
}

TstCliExport::Run TstCliExport::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_folder.path());
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.start(m_program, QStringList{u"export"_s} + arguments);
    process.write(input);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit;
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

void TstCliExport::toStandardOutput()
{
    const Run result = run({u"-"_s, u"--to"_s, u"bash"_s}, jobToExport);
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.startsWith("#!/usr/bin/env bash\n# cli_export: "));
    QVERIFY(result.out.contains("\necho hello\n"));
    const QByteArray sentence = "Tasks of main do not run in the image 'debian:12'";
    QVERIFY2(result.err.startsWith(sentence), result.err.constData());
    QVERIFY(result.out.contains(QByteArray("# - export.image: " + sentence)));
    const Run quiet = run({u"-"_s, u"-q"_s, u"--to"_s, u"bash"_s}, jobToExport);
    QCOMPARE(quiet.err, QByteArray());
    QCOMPARE(quiet.out, result.out);
    const Run inImages = run({u"-"_s, u"--apptainer"_s, u"--to"_s, u"sbatch"_s}, jobToExport);
    QCOMPARE(inImages.err, QByteArray());
    QVERIFY(inImages.out.contains("CONTAINER_PROGRAM-apptainer}"));
}

void TstCliExport::toKubernetes()
{
    const Run result = run({u"-"_s, u"--to"_s, u"kubernetes"_s}, jobToExport);
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.contains("kind: JobSet"), result.out.constData());
    QCOMPARE(result.out, run({u"-"_s, u"--to"_s, u"jobset"_s}, jobToExport).out);
    QCOMPARE(run({u"-"_s, u"--to"_s, u"k8s"_s}, jobToExport).out, result.out);
    const Run slurm = run({u"-"_s, u"--to"_s, u"slurm"_s}, jobToExport);
    QCOMPARE(slurm.status, 0);
    QCOMPARE(slurm.out, run({u"-"_s, u"--to"_s, u"sbatch"_s}, jobToExport).out);
    const Run openPai = run({u"-"_s, u"--to"_s, u"openpai"_s}, jobToExport);
    QCOMPARE(openPai.status, 2);
    QVERIFY2(openPai.err.contains("is the job itself") && openPai.out.isEmpty(), openPai.err.constData());
    const Run other = run({u"-"_s, u"--to"_s, u"lsf"_s}, jobToExport);
    QCOMPARE(other.status, 2);
    QVERIFY2(other.err.contains("bash, sbatch, compose, jobset, skypilot, dstack"), other.err.constData());
    const Run help = run({u"--help"_s});
    QCOMPARE(help.status, 0);
    QVERIFY2(help.out.simplified().contains("bash, sbatch, compose, jobset, skypilot, dstack"), help.out.constData());
}

void TstCliExport::toFile()
{
    const QString target = m_folder.filePath(u"job.compose.yaml"_s);
    const QStringList words{u"-"_s, u"--to"_s, u"compose"_s, u"-o"_s, target};
    const Run first = run(words, jobToExport);
    QCOMPARE(first.status, 0);
    QCOMPARE(first.out, QByteArray());
    QFile written(target);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().contains("\nservices:\n"));
    written.close();
    const Run again = run(words, jobToExport);
    QCOMPARE(again.status, 4);
    QVERIFY(again.err.contains("already exists. Use --force"));
    QCOMPARE(run(words + QStringList{u"--force"_s}, jobToExport).status, 0);
    const Run unwritable = run({u"-"_s, u"--to"_s, u"bash"_s, u"-o"_s, u"/no/such/folder/x.sh"_s}, jobToExport);
    QCOMPARE(unwritable.status, 2);
    QVERIFY(unwritable.err.contains("/no/such/folder/x.sh"));
    QVERIFY2(unwritable.err.contains("The folder /no/such/folder does not exist"), unwritable.err.constData());
}

void TstCliExport::toFolder()
{
    const QString folder = m_folder.filePath(u"for others"_s), script = folder + u"/cli_export.sh"_s,
                  readme = folder + u"/README.md"_s;
    const auto contents = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QStringList words{u"-"_s, u"-q"_s, u"--to"_s, u"bash"_s, u"-o"_s};
    QByteArray withSecret = jobToExport;
    withSecret.replace("taskRoles:", "secrets: {token: hunter2}\ntaskRoles:");
    withSecret.replace("- echo", "- test <% $secrets.token %> = given && echo");
    const Run first = run(words + QStringList{folder + u'/'}, withSecret);
    QVERIFY2(first.status == 0 && first.out.isEmpty(), first.err.constData());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{u"cli_export.sh"_s, u"README.md"_s}));
    QCOMPARE(contents(script), run(words.first(4), withSecret).out);
    const QByteArray text = contents(readme);
    for (const char *part : {"# cli_export.sh\n\ncli_export: one task", " bash cli_export.sh. It needs bash 4.4 ",
             "status 0 when the job has succeeded", "124 after the time limit",
             "\n- `WORK_FOLDER`: where the commands ", "\n- `RUN_FOLDER`: logs and checkpoints",
             "\n\nThe log of each task is RUN_FOLDER/attempt-N/ROLE-INDEX.log", "cli_export.secrets", "SECRET_TOKEN",
             "\n\n- export.image: Tasks of main do not run in the image 'debian:12'"}) {
        QVERIFY2(text.contains(part), text.constData());
    }
    QVERIFY(!text.contains("hunter2") && !text.contains(" FILE"));

    // It says how to run the script, and that is so.
    QFile values(folder + u"/cli_export.secrets"_s);
    QVERIFY(values.open(QIODevice::WriteOnly) && values.write("SECRET_TOKEN=given\n") > 0);
    values.close();
    QVERIFY(values.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    QProcess bash;
    bash.setWorkingDirectory(folder);
    bash.start(u"bash"_s, {u"cli_export.sh"_s});
    QVERIFY(bash.waitForFinished(60'000));
    QVERIFY2(bash.exitCode() == 0, bash.readAllStandardError().constData());

    // Neither of the two is replaced unless that is asked for.
    QVERIFY(QFile::remove(script));
    const Run again = run(words + QStringList{folder}, withSecret);
    QCOMPARE(again.status, 4);
    QVERIFY2(
        again.err.contains("README.md already exists. Use --force") && !QFile::exists(script), again.err.constData());
    const Run forced = run(words + QStringList{folder, u"--force"_s, u"--json"_s}, withSecret);
    QCOMPARE(forced.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(forced.out).object();
    QCOMPARE(json.value(u"output"_s).toString(), script);
    QCOMPARE(json.value(u"readme"_s).toString(), readme);
    QVERIFY(QFile::exists(script) && !json.contains(u"text"_s));
    const Run unwritable = run(words + QStringList{u"/proc/no/such/"_s}, withSecret);
    QCOMPARE(unwritable.status, 2);
    QVERIFY2(unwritable.err.contains("/proc/no/such/cli_export.sh"), unwritable.err.constData());
}

void TstCliExport::asJson()
{
    const Run result = run({u"-"_s, u"--json"_s, u"--to"_s, u"bash"_s}, jobToExport);
    QCOMPARE(result.status, 0);
    QCOMPARE(result.err, QByteArray());
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QVERIFY(json.value(u"text"_s).toString().startsWith(u"#!/usr/bin/env bash\n"_s));
    QCOMPARE(json.value(u"secrets"_s).toArray(), QJsonArray());
    const QJsonObject note = json.value(u"notes"_s).toArray().at(0).toObject();
    QCOMPARE(note.value(u"code"_s).toString(), u"export.image"_s);
    QCOMPARE(note.value(u"args"_s).toObject().value(u"role"_s).toString(), u"main"_s);
    QVERIFY(note.value(u"message"_s).toString().contains(u"debian:12"_s));
}

void TstCliExport::parameters()
{
    const Run result = run({u"-"_s, u"--to"_s, u"dstack"_s, u"--param"_s, u"word=other"_s}, jobToExport);
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.contains("    echo other\n"));
    QCOMPARE(run({u"-"_s, u"--to"_s, u"dstack"_s, u"--param"_s, u"wrod=other"_s}, jobToExport).status, 2);
    QByteArray withList = jobToExport;
    withList.replace("word: hello", "word: [hello, world]");
    const Run list = run({u"-"_s, u"--to"_s, u"dstack"_s, u"--param"_s, u"word=[other]"_s}, withList);
    QCOMPARE(list.status, 2);
    QVERIFY2(list.err.contains("/parameters/word=[1, 2]"), list.err.constData());
    QVERIFY(list.out.isEmpty());
}

// The script would have the reference as it is.
void TstCliExport::warnings()
{
    QByteArray misspelt = jobToExport;
    misspelt.replace("$parameters.word", "$parameters.wrod");
    const Run result = run({u"-"_s, u"--to"_s, u"bash"_s}, misspelt);
    QCOMPARE(result.status, 0);
    QVERIFY2(result.err.contains("There is no parameter 'wrod'"), result.err.constData());
    QVERIFY(result.out.contains("<% $parameters.wrod %>"));
    const Run given = run({u"-"_s, u"--to"_s, u"bash"_s, u"--param"_s, u"wrod=other"_s}, misspelt);
    QVERIFY2(given.out.contains("echo other"), given.out.constData());
    QVERIFY2(!given.err.contains("wrod"), given.err.constData());
    QCOMPARE(run({u"-"_s, u"--to"_s, u"bash"_s, u"-q"_s}, misspelt).err, QByteArray());
    QByteArray empty = jobToExport;
    empty.replace("      - echo", "      # - echo");
    const Run none = run({u"-"_s, u"--to"_s, u"bash"_s}, empty);
    QCOMPARE(none.status, 1);
    QVERIFY2(none.err.contains("needs at least one command"), none.err.constData());
}

void TstCliExport::wrongUsage()
{
    const Run none = run({u"-"_s}, jobToExport);
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("--to") && none.err.contains("skypilot"), none.err.constData());
    QCOMPARE(run({u"-"_s, u"--to"_s, u"lsf"_s}, jobToExport).status, 2);
    QCOMPARE(run({u"/no/such/file"_s, u"--to"_s, u"bash"_s}).status, 2);
}

void TstCliExport::jobsThatCannot()
{
    const Run broken = run({u"-"_s, u"--to"_s, u"bash"_s}, "protocolVersion: 2\n");
    QCOMPARE(broken.status, 1);
    QCOMPARE(broken.out, QByteArray());
    const Run many = run({u"-"_s, u"--to"_s, u"bash"_s},
        QByteArray(jobToExport).replace("    dockerImage: img\n", "    dockerImage: img\n    instances: 10001\n"));
    QCOMPARE(many.status, 1);
    QVERIFY2(many.err.contains("10001"), many.err.constData());
    // Each role that lacks an image, with its line.
    const Run bare = run({u"-"_s, u"--to"_s, u"compose"_s},
        QByteArray(jobToExport).replace("    dockerImage: img\n", "")
            + "  other:\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n");
    QCOMPARE(bare.status, 1);
    QCOMPARE(bare.out, QByteArray());
    QVERIFY2(bare.err.contains(":8:3: Task role main has no image"), bare.err.constData());
    QVERIFY2(bare.err.contains(":12:3: Task role other has no image"), bare.err.constData());
}

TRAINYARD_TEST(TstCliExport)
#include "tst_cliexport.moc"
