// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/capacity.h"
#include "model/protocol/findings.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/scriptfiles.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a job asks for beside what the hosts have.
class TstCapacity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findings_data();
    void findings();
    void storages();
    void gpuTypes_data();
    void gpuTypes();
    void gpuTypeThatNoHostHas();
    void hostsThatThereAreNot_data();
    void hostsThatThereAreNot();
    void fixWritesTheFigure();
    void scriptThatAParameterNames();
    void scripts_data();
    void scripts();
    void scriptOfASingleText();
    void placesOfParts_data();
    void placesOfParts();
    void meantScripts_data();
    void meantScripts();
};

namespace
{

const char jobText[] = R"(protocolVersion: 2
name: t
type: job
prerequisites: [{name: img, type: dockerimage, uri: a/b}]
taskRoles:
  w:
    instances: 2
    dockerImage: img
    resourcePerInstance: {cpu: 999, memoryMB: 4096, gpu: 4}
    commands: [a]
)";

} // namespace

void TstCapacity::findings_data()
{
    QTest::addColumn<qint64>("gpus"); // -1: no host is known
    QTest::addColumn<qint64>("memory");
    QTest::addColumn<QStringList>("codes");
    const QString gpu = u"role.gpu.more-than-any-host"_s;
    const QString memory = u"role.memory.more-than-any-host"_s;
    const auto row = [](const char *name, qint64 gpus, qint64 memoryMiB, const QStringList &codes) {
        QTest::newRow(name) << gpus << memoryMiB << codes;
    };
    row("no host", -1, -1, {});
    row("just enough", 4, 4096, {});
    row("no GPU", 0, 65536, {gpu});
    row("one GPU less", 3, 65536, {gpu});
    row("one MiB less", 8, 4095, {memory});
    row("both", 0, 1, {memory, gpu});
}

void TstCapacity::findings()
{
    QFETCH(qint64, gpus);
    QFETCH(qint64, memory);
    QFETCH(QStringList, codes);
    HostLimits limits;
    if (gpus >= 0) {
        limits = {gpus, memory, {}};
    }
    const ParseOutcome outcome = parseJob(jobText);
    QVERIFY(outcome.spec);
    QStringList found;
    for (const Diagnostic &diagnostic : checkCapacity(outcome.document, *outcome.spec, limits)) {
        found.append(diagnostic.code);
        QCOMPARE(diagnostic.severity, Severity::Warning); // a larger host may come
        QVERIFY(!diagnostic.strict);
        const bool isGpu = diagnostic.code.contains(u"gpu");
        QCOMPARE(QByteArrayView(jobText).sliced(diagnostic.at.begin, diagnostic.at.length()).toByteArray(),
            QByteArray(isGpu ? "4" : "4096"));
        QCOMPARE(diagnostic.args.value(u"most"_s).toInteger(), isGpu ? gpus : memory);
    }
    found.sort();
    codes.sort();
    QCOMPARE(found, codes);
}

void TstCapacity::fixWritesTheFigure()
{
    const ParseOutcome outcome = parseJob(jobText);
    const QList<Diagnostic> found = checkCapacity(outcome.document, *outcome.spec, {2, 65536, {}});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().fixes.size(), 1);
    const auto edits = planFix(outcome.document, found.first().fixes.first());
    QVERIFY(edits);
    QCOMPARE(applyEdits(jobText, *edits), QByteArray(jobText).replace("gpu: 4", "gpu: 2"));
    // A cluster may have more: the figure of the pool is not written.
    HostLimits pool{0, 16, {}};
    pool.hasOtherTargets = true;
    QStringList codes;
    for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, pool)) {
        codes.append(each.code);
        QVERIFY(each.fixes.isEmpty());
    }
    codes.sort();
    QCOMPARE(codes, (QStringList{u"role.gpu.more-than-pool"_s, u"role.memory.more-than-pool"_s}));
    // CPUs are shared, so more of them than there are is no reason to wait; but people want to know it before.
    HostLimits cores;
    cores.cpus = 999;
    QVERIFY(checkCapacity(outcome.document, *outcome.spec, cores).isEmpty());
    cores.cpus = 2;
    const QList<Diagnostic> shared = checkCapacity(outcome.document, *outcome.spec, cores);
    QCOMPARE(shared.size(), 1);
    QCOMPARE(shared.first().code, u"role.cpu.more-than-any-host"_s);
    const auto fewer = planFix(outcome.document, shared.first().fixes.first());
    QVERIFY(fewer);
    QCOMPARE(applyEdits(jobText, *fewer), QByteArray(jobText).replace("cpu: 999", "cpu: 2"));
    // On a cluster, none of it is shared.
    HostLimits nodes{2, 16, {}};
    nodes.cpus = 2;
    nodes.cluster = u"slurm:lab"_s;
    codes.clear();
    for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, nodes)) {
        codes.append(each.code);
        QCOMPARE(each.args.value(u"target"_s).toString(), u"slurm:lab"_s);
        QCOMPARE(each.fixes.size(), 1);
    }
    codes.sort();
    QCOMPARE(codes,
        (QStringList{
            u"role.cpu.more-than-any-node"_s, u"role.gpu.more-than-any-node"_s, u"role.memory.more-than-any-node"_s}));
}

// The name of the script is often a parameter, and a look for it comes first.
void TstCapacity::scriptThatAParameterNames()
{
    const QByteArray text
        = QByteArray(jobText).replace("commands: [a]",
              "commands: ['command -v python3 || exit 3', 'test -f <% $parameters.script %> || { echo \"There is no <% "
              "$parameters.script %> in $PWD.\" >&2; exit 3; }', 'python3 <% $parameters.script %> --lr 1']")
        + "parameters: {script: train.py}\n";
    const ParseOutcome outcome = parseJob(text);
    QVERIFY(outcome.canRun());
    const auto none = [](const QString &) { return false; };
    const QList<Diagnostic> found = checkScriptFiles(outcome.document, *outcome.spec, {QString(), none});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.constFirst().code, u"role.script-unsaved"_s);
    QCOMPARE(found.constFirst().args.value(u"file"_s).toString(), u"train.py"_s);
    const QByteArray marked = text.mid(found.constFirst().at.begin, found.constFirst().at.length());
    QVERIFY2(marked.contains("python3 <% $parameters.script %> --lr 1"), marked.constData());
    const auto all = [](const QString &) { return true; };
    QVERIFY(checkScriptFiles(outcome.document, *outcome.spec, {u"/home/ada/run"_s, all}).isEmpty());
}

void TstCapacity::scripts_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("missing"); // with the text that is marked
    const auto row = [](const char *name, const QByteArray &commands, const QString &missing = {},
                         const QByteArray &more = {}) { QTest::newRow(name) << commands << more << missing; };
    const QString train = u"train.py"_s;
    row("missing", "[python3 train.py --lr 1]", train);
    row("there", "[python there.py]");
    row("arguments of all kinds", "['echo <% $parameters.a %>', 'python train.py --lr <% $parameters.a %> \"$HOME\"']",
        train, "parameters: {a: 1}\n");
    row("bash", "[bash -eux train.sh]", u"train.sh"_s);
    row("behind harmless ones", "['pip install torch', 'LR=1', 'echo a && LR=2 python -u src/train.py']",
        u"src/train.py"_s);
    row("behind modules", "['module load cuda/12', 'source venv/bin/activate', 'python train.py']", train);
    row("behind a script of its own", "['source prepare.sh', 'python train.py']");
    row("named before", "['echo \"starting train.py\" && python3 train.py']", train);
    row("part of a word before", "['echo retrain.py <% $parameters.a %>; python3  train.py']", train,
        "parameters: {a: 1}\n");
    row("block", "['python there.py']");
    row("may be written before", "['curl -O http://a/train.py', 'python train.py']");
    row("may be written by an echo", "['echo \"print(1)\" > train.py', 'python train.py']");
    row("another folder", "['cd src && python train.py']");
    row("module", "[python -m train]");
    row("text", "[\"python -c 'print(1)'\"]");
    row("absolute", "[python /opt/train.py]");
    row("variable", "[python $HOME/train.py]");
    row("template", "[python <% $parameters.file %>]", {}, "parameters: {file: there.py}\n");
    row("behind a look for a program",
        "['command -v python3 || { echo \"no <% $parameters.a %>\" >&2; exit 3; }', "
        "'[ -d data ] || exit 1', 'python train.py']",
        train, "parameters: {a: 1}\n");
    row("may be fetched by a look",
        "['test -f train.py || { curl -O http://a/train.py; exit 3; }', 'python train.py']");
    row("container", "[python train.py]", {}, "extras: {trainyard: {runIn: podman}}\n");
    row("cloned", "[python train.py]", {},
        "extras: {com.microsoft.pai.runtimeplugin: [{plugin: git, parameters: {repo: 'https://a/b'}}]}\n");
    row("code of a prerequisite", "[python train.py]", {},
        "prerequisites: [{name: img, type: dockerimage, uri: a/b}, {name: c, type: script, uri: u}]\n");
    row("pre-commands that bring it", "[python train.py]", {},
        "deployments: [{name: d, taskRoles: {w: {preCommands: ['tar xf code.tar']}}}]\ndefaults: {deployment: d}\n");
}

void TstCapacity::scripts()
{
    QFETCH(QByteArray, commands);
    QFETCH(QByteArray, more);
    QFETCH(QString, missing);
    QByteArray text = QByteArray(jobText).replace("commands: [a]", QByteArray("commands: " + commands)) + more;
    if (more.startsWith("prerequisites")) {
        text.replace("prerequisites: [{name: img, type: dockerimage, uri: a/b}]\ntaskRoles", "taskRoles");
    }
    const ParseOutcome outcome = parseJob(text);
    QVERIFY(outcome.canRun());
    const auto has = [](const QString &file) { return file == u"there.py"_s; };
    for (const QString &folder : {u"/home/ada/run"_s, QString()}) {
        const QList<Diagnostic> found = checkScriptFiles(outcome.document, *outcome.spec, {folder, has});
        const bool isSavedThere = !folder.isEmpty() || !QByteArray(commands + more).contains("there.py");
        QCOMPARE(found.size(), missing.isEmpty() && isSavedThere ? 0 : 1);
        if (!missing.isEmpty()) {
            const Diagnostic &diagnostic = found.constFirst();
            QCOMPARE(diagnostic.code, folder.isEmpty() ? u"role.script-unsaved"_s : u"role.script-missing"_s);
            QCOMPARE(diagnostic.severity, Severity::Warning);
            QCOMPARE(diagnostic.args.value(u"file"_s).toString(), missing);
            QCOMPARE(text.mid(diagnostic.at.begin, diagnostic.at.length()), missing.toUtf8());
            QCOMPARE(diagnostic.at.begin, text.lastIndexOf(missing.toUtf8())); // where it is run
        }
    }
}

// The list is missing, which is said elsewhere: the file is still found where it is written.
void TstCapacity::scriptOfASingleText()
{
    const QByteArray text = QByteArray(jobText).replace("commands: [a]", "commands: python3 trian.py");
    const ParseOutcome outcome = parseJob(text);
    QVERIFY(outcome.spec);
    const auto has = [](const QString &) { return false; };
    const auto files = [] { return QStringList{u"train.py"_s}; };
    const QList<Diagnostic> found = checkScriptFiles(outcome.document, *outcome.spec, {u"/home/ada/run"_s, has, files});
    QCOMPARE(found.size(), 1);
    QCOMPARE(text.mid(found.constFirst().at.begin, found.constFirst().at.length()), "trian.py");
    QCOMPARE(found.constFirst().fixes.size(), 1);
}

void TstCapacity::placesOfParts_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("begin"); // of a word of two letters in the text
    QTest::addColumn<QByteArray>("range"); // what comes before it in the document, and the range; empty: all of it
    const auto row = [](const char *name, const QByteArray &written, const QString &text, int begin,
                         const QByteArray &range) { QTest::newRow(name) << written << text << begin << range; };
    row("the only one", "run aa now", u"run aa now"_s, 4, "run |aa");
    row("the second one", "aa bb aa", u"aa bb aa"_s, 6, "aa bb |aa");
    row("other letters", "\xc3\xa9 aa", u"\u00e9 aa"_s, 2, "\xc3\xa9 |aa");
    row("overlapping", "aaa", u"aaa"_s, 1, "a|aa");
    // Which of them it is cannot be told.
    row("the first one by an escape", "\"\\x61a bb aa\"", u"aa bb aa"_s, 0, {});
    row("behind one by an escape", "\"\\x61a bb aa\"", u"aa bb aa"_s, 6, {});
    row("itself by an escape", "\"\\x61a\"", u"aa"_s, 0, {});
}

// Of a text of the document, where it is written: never another one of the same name.
void TstCapacity::placesOfParts()
{
    QFETCH(QByteArray, written);
    QFETCH(QString, text);
    QFETCH(int, begin);
    QFETCH(QByteArray, range);
    const QByteArray before = "text: ";
    const YamlDocument document = YamlDocument::parse(before + written + '\n');
    const YamlPath path{u"text"_s};
    const std::optional<ByteRange> found = writtenPart(document, path, text, begin, begin + 2);
    QCOMPARE(found.has_value(), !range.isEmpty());
    const ByteRange shown = rangeOfPart(document, path, text, begin, begin + 2);
    const qsizetype at = before.size() + (found ? range.indexOf('|') : 0);
    QCOMPARE(shown.begin, at);
    QCOMPARE(shown.end, found ? at + 2 : before.size() + written.size());
    QVERIFY(!writtenPart(document, YamlPath{u"none"_s}, text, begin, begin + 2));
}

void TstCapacity::meantScripts_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("meant");
    const auto row
        = [](const char *name, const QString &file, const QString &meant) { QTest::newRow(name) << file << meant; };
    row("letters swapped", u"trian.py"_s, u"train.py"_s);
    row("another name", u"evaluate.py"_s, {});
    row("another language", u"train.sh"_s, {});
    row("in a folder", u"model.py"_s, u"src/model.py"_s);
    row("in another folder", u"lib/model.py"_s, u"src/model.py"_s);
    row("would have to be quoted", u"all run.py"_s, {});
    row("quoted where it lies", u"odd.py"_s, {});
}

void TstCapacity::meantScripts()
{
    QFETCH(QString, file);
    QFETCH(QString, meant);
    const QByteArray commands = "commands: ['python " + file.toUtf8() + " --lr 1']";
    const QByteArray text = QByteArray(jobText).replace("commands: [a]", commands);
    const ParseOutcome outcome = parseJob(text);
    const QList<Diagnostic> found = checkScriptFiles(outcome.document, *outcome.spec,
        {u"/home/ada"_s, [](const QString &) { return false; },
            [] {
                return QStringList{u"train.py"_s, u"src/model.py"_s, u"old/model.py"_s, u"run.py"_s, u"$x/odd.py"_s};
            }});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.constFirst().fixes.size(), meant.isEmpty() ? 0 : 1);
    if (!meant.isEmpty()) {
        const auto edits = planFix(outcome.document, found.constFirst().fixes.constFirst());
        QVERIFY(edits);
        QCOMPARE(applyEdits(text, *edits), QByteArray(text).replace(file.toUtf8(), meant.toUtf8()));
    }
}

void TstCapacity::storages()
{
    const auto found = [](const QByteArray &extras, const std::optional<QStringList> &known) {
        const QByteArray text = QByteArray(jobText) + extras;
        const ParseOutcome outcome = parseJob(text);
        HostLimits limits;
        limits.storages = known;
        QStringList result;
        for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, limits)) {
            result.append(each.code + u' '
                + QString::fromUtf8(QByteArrayView(text).sliced(each.at.begin, each.at.length()).toByteArray()));
        }
        return result;
    };
    const QByteArray list = "extras: {storages: [{name: data}, {name: team, mountPath: /t}, {mountPath: /x}]}\n";
    QCOMPARE(found(list, std::nullopt), QStringList());
    QCOMPARE(found(list, QStringList{u"data"_s, u"team"_s}), QStringList());
    QCOMPARE(found(list, QStringList{u"data"_s}), QStringList{u"extras.storage-unmapped team"_s});
    QCOMPARE(found("extras:\n  com.microsoft.pai.runtimeplugin:\n"
                   "    - {plugin: teamwise_storage, parameters: {storageConfigNames: [a, b]}}\n",
                 QStringList{u"b"_s}),
        QStringList{u"extras.storage-unmapped a"_s});
}

void TstCapacity::gpuTypes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("isIt");
    const auto row = [](const char *name, const char *type, bool isIt) {
        QTest::addRow("%s: %s", name, type) << QString::fromLatin1(name) << QString::fromLatin1(type) << isIt;
    };
    row("Tesla V100-SXM2-16GB", "V100", true);
    row("Tesla V100-SXM2-16GB", "v100-16gb", true);
    row("Tesla V100-SXM2-16GB", "V100-32GB", false);
    row("Tesla V100-SXM2-16GB", "V10", false);
    row("Tesla V100-SXM2-16GB", "16GB V100", false);
    row("NVIDIA A100-SXM4-80GB", "A100", true);
    row("NVIDIA A100-SXM4-80GB", "A10", false);
    row("NVIDIA A10", "A100", false);
    row("NVIDIA GeForce GTX 1080 Ti", "GeForce-GTX1080", true);
    row("NVIDIA GeForce GTX 1080 Ti", "gtx1080ti", true);
    row("NVIDIA GeForce GTX 1080", "GTX_1080_Ti", false);
    row("NVIDIA H100 MIG 1g.10gb", "H100", true);
    row("Tesla K80", "K80 K80", false);
    row("Tesla K80", "GENERIC-WORKER", false);
    row("", "K80", false);
    row("Tesla K80", "", true);
    row("Tesla K80", " - ", true);
}

void TstCapacity::gpuTypes()
{
    QFETCH(QString, name);
    QFETCH(QString, type);
    QTEST(isGpuOfType(name, type), "isIt");
}

void TstCapacity::gpuTypeThatNoHostHas()
{
    const auto found = [](const QByteArray &extras, const std::optional<QStringList> &names) {
        const ParseOutcome outcome = parseJob(QByteArray(jobText) + extras);
        HostLimits limits;
        limits.gpuNames = names;
        QStringList result;
        for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, limits)) {
            result.append(each.code + u' ' + each.args.value(u"type"_s).toString() + u' '
                + each.args.value(u"names"_s).toString());
        }
        return result;
    };
    const ParseOutcome outcome = parseJob(jobText);
    const QByteArray role = outcome.spec->taskRoles.first().name.toUtf8();
    const QByteArray wish = "extras: {hivedScheduler: {taskRoles: {" + role + ": {skuType: V100}}}}\n";
    const QStringList k80{u"Tesla K80"_s, u"Tesla K80"_s};
    QCOMPARE(found(wish, k80), QStringList{u"extras.gpu-type-nowhere V100 Tesla K80"_s});
    QCOMPARE(found(wish, k80 + QStringList{u"Tesla V100-SXM2-16GB"_s}), QStringList());
    QCOMPARE(found(wish, std::nullopt), QStringList());
    QCOMPARE(found(wish, QStringList()), QStringList()); // that there are no GPUs is said already
    QCOMPARE(found("extras: {hivedScheduler: {taskRoles: {" + role + ": {skuType: null}}}}\n", k80), QStringList());
}

void TstCapacity::hostsThatThereAreNot_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QList<HostWords>>("hosts");
    QTest::addColumn<QStringList>("found"); // code, word, and the word that its fix writes
    const QList<HostWords> two{{u"local"_s, {}}, {u"lab1"_s, {u"a100"_s, u"nvlink"_s}}};
    const auto row = [&two](const char *name, const QByteArray &rules, const QStringList &found) {
        QTest::newRow(name) << rules << two << found;
    };
    row("all are there", "{w: {names: [lab1, local], labels: [a100, nvlink]}}", {});
    row("a name", "{w: {names: [local, gpu7]}}", {u"extras.host-unknown gpu7 "_s});
    row("a similar name", "{w: {names: [lab2]}}", {u"extras.host-unknown lab2 lab1"_s});
    row("a name that is there beside it", "{w: {names: [lab1, lab2]}}", {u"extras.host-unknown lab2 "_s});
    row("for all roles", "{'*': {names: [gpu7]}}", {u"extras.host-unknown gpu7 "_s});
    row("a label", "{w: {labels: [a10]}}", {u"extras.host-label-nowhere a10 a100"_s});
    row("only the arrangement", "{w: {arrange: pack}}", {});
    QTest::newRow("no labels at all") << QByteArray("{w: {labels: [a100]}}") << QList<HostWords>{{u"local"_s, {}}}
                                      << QStringList{u"extras.host-no-labels a100 "_s};
}

void TstCapacity::hostsThatThereAreNot()
{
    QFETCH(QByteArray, rules);
    QFETCH(QList<HostWords>, hosts);
    const ParseOutcome outcome = parseJob(QByteArray(jobText) + "extras: {trainyard: {hosts: " + rules + "}}\n");
    HostLimits limits;
    QVERIFY(checkCapacity(outcome.document, *outcome.spec, limits).isEmpty()); // nobody knows them
    limits.hosts = hosts;
    QStringList found;
    for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, limits)) {
        const auto *op = each.fixes.isEmpty() ? nullptr : std::get_if<edit::SetText>(&each.fixes.first().ops.first());
        found.append(each.code + u' ' + each.args.value(u"name"_s).toString() + u' ' + (op ? op->text : QString()));
        QVERIFY(each.at.length() > 0 && each.severity == Severity::Warning);
    }
    QTEST(found, "found");
}

TRAINYARD_TEST(TstCapacity)
#include "tst_capacity.moc"
