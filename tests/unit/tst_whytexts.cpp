// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/health.h"
#include "engine/core/why/whyfailed.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/scriptnames.h"
#include "widgets/text/texts.h"
#include "widgets/text/whybrief.h"
#include "widgets/text/whytable.h"
#include "widgets/text/whytexts.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The words for causes of failures, and how often they are right about runs that failed for real.
class TstWhyTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyCauseHasWords();
    void sentences_data();
    void sentences();
    void remediesOfOutputs();
    void placesToWrite_data();
    void placesToWrite();
    void sameInAllPlaces();
    void explainedByHealth();
    void values();
    void realFailures();
    void scriptsInLogs();
    void scriptsBehindBars();
};

void TstWhyTexts::everyCauseHasWords()
{
    QSet<QString> worded;
    static const QRegularExpression placeholder(u"\\{(\\w+)\\}"_s);
    for (const WhyWords &words : whyWords()) {
        const QString cause = QString::fromLatin1(words.cause);
        QVERIFY2(!worded.contains(cause), words.cause);
        worded.insert(cause);
        // The last sentence must always be sayable, or what it needs is always known.
        const char *last = nullptr;
        for (const char *sentence : words.sentences) {
            last = sentence ? sentence : last;
        }
        QVERIFY(last);
        const auto match = placeholder.match(QString::fromUtf8(last));
        static const QSet<QString> always{u"said"_s, u"type"_s, u"xid"_s};
        QVERIFY2(!match.hasMatch() || always.contains(match.captured(1)), last);
        QVERIFY2(words.remedies.at(0) || cause == u"no-failure"_s, words.cause);
    }
    const QStringList causes = FailureCauses::bundled().names();
    QVERIFY(causes.size() > 90);
    for (const QString &cause : causes) {
        QVERIFY2(worded.contains(cause), qPrintable(cause));
    }
}

void TstWhyTexts::sentences_data()
{
    QTest::addColumn<FailureFacts>("facts");
    QTest::addColumn<QString>("explanation");
    const auto row = [](const char *name, const QString &cause, const QString &certainty, const QJsonObject &args,
                         const QString &explanation) {
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = certainty;
        facts.args = args;
        QTest::newRow(name) << facts << explanation;
    };
    row("all is known", u"gpu-oom"_s, u"certain"_s, {{u"size"_s, u"2 GiB"_s}, {u"total"_s, u"24 GiB"_s}},
        u"The GPU memory is used up: 2 GiB more did not fit into the 24 GiB of the GPU."_s);
    row("a secret as text", u"secret-in-script"_s, u"certain"_s,
        {{u"said"_s, u"unexpected EOF"_s}, {u"scriptLine"_s, 6}, {u"secrets"_s, u"token"_s}},
        u"The commands have a syntax error in line 6 of the task's script: unexpected EOF. They contain the value of a "
        "secret (token) as text, and the value has a character that the shell takes as its own, such as a quote, a "
        "backslash, a dollar sign or a line break."_s);
    row("a secret taken apart", u"secret-split"_s, u"certain"_s,
        {{u"said"_s, u"line 2: ******: command not found"_s}, {u"secrets"_s, u"token"_s}},
        u"The shell has likely taken the value of a secret (token) apart: it is in the commands as text, and has a "
        "character that the shell takes as its own, such as a blank, a semicolon, an ampersand, a quote or a dollar "
        "sign. The output says: line 2: ******: command not found."_s);
    row("a variable left out", u"variable-left-out"_s, u"certain"_s, {{u"name"_s, u"HF_TOKEN"_s}},
        u"The login shell sets HF_TOKEN, but the task does not get it: variables whose names end in _TOKEN, _SECRET or "
        "_PASSWORD are left out."_s);
    row("less is known", u"gpu-oom"_s, u"certain"_s, {{u"size"_s, u"2 GiB"_s}},
        u"The GPU memory is used up: there was no room for another 2 GiB."_s);
    row("a value that is no command", u"command-missing"_s, u"certain"_s,
        {{u"command"_s, u"0.1"_s}, {u"reference"_s, u"<% $parameters.lr %>"_s}},
        u"The command '0.1' was not found where the task ran. It is the value of <% $parameters.lr %>."_s);
    row("a value that is empty", u"command-missing"_s, u"certain"_s,
        {{u"command"_s, u"--lr"_s}, {u"emptyReference"_s, u"<% $parameters.program %>"_s}},
        u"The command '--lr' was not found where the task ran. The value of <% $parameters.program %> before it is "
        "empty."_s);
    row("with what was said", u"disk-full"_s, u"certain"_s, {{u"said"_s, u"OSError: [Errno 28] No space left"_s}},
        u"There is no space left on the device, so nothing more could be written: the disk is full. The output says: "
        "OSError: [Errno 28] No space left."_s);
    row("with what bash said", u"shell-error"_s, u"certain"_s,
        {{u"said"_s,
            u"/home/a b/.local/state/trainyard/1f/runs/2e/0/w-0/0/task.sh: line 3: cd: /nodir: No such file"_s}},
        u"The shell could not carry out a line of the script: task.sh: line 3: cd: /nodir: No such file."_s);
    row("said by the sentence", u"user-code-error"_s, u"certain"_s,
        {{u"type"_s, u"KeyError"_s}, {u"message"_s, u"'lr'"_s}, {u"said"_s, u"KeyError: 'lr'"_s}},
        u"The program ended with KeyError: 'lr'."_s);
    row("raised in its place", u"user-code-error"_s, u"certain"_s,
        {{u"type"_s, u"KeyError"_s}, {u"message"_s, u"'lr'"_s}, {u"said"_s, u"KeyError: 'lr'"_s},
            {u"ended"_s, u"ConfigError: the configuration has no lr"_s}},
        u"The program ended with ConfigError: the configuration has no lr, which follows from KeyError: 'lr'."_s);
    row("a known cause raised in other words", u"file-missing"_s, u"certain"_s,
        {{u"file"_s, u"a.yaml"_s}, {u"said"_s, u"FileNotFoundError: a.yaml"_s},
            {u"ended"_s, u"ConfigError: no settings"_s}},
        u"a.yaml does not exist where the command runs. The program ended with ConfigError: no settings. The output "
        "says: FileNotFoundError: a.yaml."_s);
    row("likely", u"segfault"_s, u"likely"_s, {},
        u"The program crashed with a segmentation fault (SIGSEGV): it accessed memory that is not its own. This is "
        "the likely cause; the output does not prove it."_s);
    row("diverged with NaN", u"diverged"_s, u"certain"_s, {{u"said"_s, u"training diverged: loss is NaN"_s}},
        u"The training diverged: the loss or the gradients are not finite numbers any more (NaN). The output says: "
        "training diverged: loss is NaN."_s);
    for (const QString &said :
        {u"loss diverged, stopping"_s, u"RuntimeError: training diverged"_s, u"GRADIENTS EXPLODED: 1e12"_s}) {
        row(said.toUtf8().constData(), u"diverged"_s, u"certain"_s, {{u"said"_s, said}},
            u"The training diverged, as the program itself reports. The output says: "_s + said + u'.');
    }
    row("cut off", u"unknown"_s, u"unknown"_s, {{u"status"_s, 1}, {u"cut"_s, true}},
        u"The command ended with status 1. The output does not show why. The output ends in the middle of a traceback, "
        "so the error that it leads to is missing: the process was likely killed while it wrote it, or the end of the "
        "output was not kept."_s);
    row("judged without its output", u"unknown"_s, u"unknown"_s, {{u"status"_s, 1}, {u"logOn"_s, u"lab1"_s}},
        u"The command ended with status 1. Its output was still on lab1 when this was judged, so what the output shows "
        "is not considered."_s);
    row("modules in each other's way", u"modulefile-conflict"_s, u"certain"_s,
        {{u"name"_s, u"mpi-a/4.1"_s}, {u"loaded"_s, u"mpi-b"_s}},
        u"The environment module mpi-a/4.1 cannot be loaded while mpi-b is loaded."_s);
    row("a driver that is too old", u"driver-too-old"_s, u"certain"_s, {{u"major"_s, u"11"_s}, {u"minor"_s, u"4"_s}},
        u"The GPU driver is too old for the CUDA version that the program uses: it supports CUDA 11.4, and nothing "
        "newer."_s);
    row("braces", u"module-missing"_s, u"certain"_s, {{u"module"_s, u"{name} %1"_s}},
        u"The module {name} %1 is not installed where the task runs."_s);
    row("of a newer engine", u"odd"_s, u"certain"_s, {}, u"The program failed (odd)."_s);
}

void TstWhyTexts::sentences()
{
    QFETCH(const FailureFacts, facts);
    QTEST(failureWords(facts).explanation(), "explanation");
}

// From the output to what to do about it: what only others have is not told.
// What was to be written is not called a missing file, and a server is no process of the job.
void TstWhyTexts::placesToWrite_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("begin");
    const auto python
        = [](const QByteArray &source, const QByteArray &error, const QByteArray &more = {}) -> QByteArray {
        return "Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in <module>\n    " + source + '\n'
            + more + error + '\n';
    };
    const auto row = [](const char *name, const QByteArray &output, const char *begin) {
        QTest::newRow(name) << output << QString::fromUtf8(begin);
    };
    const QByteArray missing = "FileNotFoundError: [Errno 2] No such file or directory: 'out/a/m.csv'";
    const char *noFolder = "out/a/m.csv cannot be written: its folder out/a does not exist";
    const char *noFile = "out/a/m.csv does not exist where";
    row("opened to write", python("with open('out/a/m.csv', 'w') as f:", missing), noFolder);
    row("opened to append", python("f = open(os.path.join(out, name), mode=\"ab\")", missing), noFolder);
    row("opened to read", python("with open('out/a/m.csv') as f:", missing), noFile);
    row("opened to read bytes", python("with open('out/a/m.csv', 'rb') as f:", missing), noFile);
    row("an encoding that is no mode", python("with open('out/a/m.csv', encoding='wax') as f:", missing), noFile);
    row("by a package",
        python("np.save(path, x)", missing,
            "  File \"/usr/lib/python3/dist-packages/numpy/lib/npyio.py\", line 518, in save\n"
            "    file_ctx = open(file, \"wb\")\n"),
        noFolder);
    row("text of a path",
        python("p.write_text(words)", missing,
            "  File \"/usr/lib/python3.11/pathlib.py\", line 1078, in write_text\n"
            "    with self.open(mode='w', encoding=encoding) as f:\n"
            "  File \"/usr/lib/python3.11/pathlib.py\", line 1044, in open\n"
            "    return io.open(self, mode, buffering, encoding, errors, newline)\n"),
        noFolder);
    row("read within what saves",
        python("save(model, open('log', 'w'))", missing,
            "  File \"/w/b.py\", line 8, in save\n    base = open('out/a/m.csv').read()\n"),
        noFile);
    row("mkdir", "mkdir: cannot create directory ‘out/a/b’: No such file or directory\n",
        "out/a/b cannot be written: its folder out/a does not exist");
    row("tee", "tee: out/log.txt: No such file or directory\n",
        "out/log.txt cannot be written: its folder out does not");
    row("a redirection", "task.sh: line 4: out/log.txt: No such file or directory\n",
        "out/log.txt cannot be opened: the file, or the folder that it is to be written to, does not exist");
    const QByteArray reset = "ConnectionResetError: [Errno 104] Connection reset by peer";
    row("a download",
        python("r = requests.get(url)",
            "requests.exceptions.ConnectionError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset "
            "by "
            "peer'))",
            "  File \"/usr/lib/python3/dist-packages/requests/api.py\", line 73, in get\n"
            "    return request(\"get\", url)\n"),
        "The server closed the connection before it had answered");
    row("a socket", python("s.recv(10)", reset),
        "The other end closed the connection (connection reset): a server, or");
    row("of torch",
        python("dist.all_reduce(x)", reset,
            "  File \"/opt/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py\", line 9, in "
            "all_reduce\n    work.wait()\n"),
        "The connection to another process of the job was lost");
}

void TstWhyTexts::placesToWrite()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, begin);
    const FailureWords words = failureWords(core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output}));
    QVERIFY2(words.sentence.startsWith(begin), qPrintable(words.whole()));
}

void TstWhyTexts::remediesOfOutputs()
{
    const auto wordsOf = [](const QByteArray &error) {
        const QByteArray output
            = "Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in <module>\n    go()\n" + error + '\n';
        return failureWords(core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output}));
    };
    const FailureWords build = wordsOf("AssertionError: Torch not compiled with CUDA enabled");
    QVERIFY2(build.remedies.value(0).contains(u"CPU-only build"_s), qPrintable(build.remedies.join(u'\n')));
    const FailureWords driver = wordsOf(
        "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your driver");
    QVERIFY2(driver.sentence.contains(u"supports CUDA 11.4,"_s), qPrintable(driver.sentence));
    const FailureWords newer = wordsOf(
        "RuntimeError: The NVIDIA driver on your system is too old (found version 12100). Please update your driver");
    QVERIFY2(newer.sentence.contains(u"supports CUDA 12.10,"_s), qPrintable(newer.sentence));
    const FailureWords command
        = wordsOf("subprocess.CalledProcessError: Command '['make']' returned non-zero exit status 2.");
    const QString all = command.whole() + command.remedies.join(u' ');
    QVERIFY2(command.sentence.contains(u"'['make']'"_s), qPrintable(all));
    QVERIFY2(!all.contains(u"ranks"_s) && !all.contains(u"torchrun"_s), qPrintable(all));
    // Of what only counts complaints, the first of them.
    const FailureWords field
        = wordsOf("pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings\nlr\n"
                  "  Input should be greater than 0 [type=greater_than, input_value=-1]\nsteps\n  Field "
                  "required [type=missing]");
    QVERIFY2(field.sentence.contains(u"errors for Settings: lr: Input should be greater than 0."_s),
        qPrintable(field.sentence));
    const FailureWords whole = wordsOf("ValidationError: 1 validation error for Settings\n  Value error, both steps "
                                       "and epochs are set [type=value_error, input_value={'a': 1}]");
    QVERIFY2(whole.sentence.contains(u"for Settings: Value error, both steps and epochs are set."_s),
        qPrintable(whole.sentence));
    // What the program ended with is told, whatever it goes back to.
    const FailureWords chain = wordsOf("KeyError: 'learning_rate'\n\nThe above exception was the direct cause of the "
                                       "following exception:\n\nTraceback (most recent call last):\n  File "
                                       "\"/w/a.py\", line 9, in <module>\n    raise ConfigError('...') from "
                                       "e\nConfigError: the configuration has no learning rate.");
    QCOMPARE(chain.sentence,
        u"The program ended with ConfigError: the configuration has no learning rate, which follows from KeyError: "
        "'learning_rate'."_s);
    const FailureWords file = wordsOf("OSError: [Errno 2] No such file or directory: cache.bin, rebuilding it");
    QVERIFY2(file.sentence.startsWith(u"cache.bin does not exist"_s), qPrintable(file.sentence));
    const FailureWords blank = wordsOf("OSError: [Errno 2] No such file or directory: 'my data/it is.csv'");
    QVERIFY2(blank.sentence.startsWith(u"my data/it is.csv does not exist"_s), qPrintable(blank.sentence));
    const FailureWords key = failureWords(core::whyFailed(FailureCauses::bundled(),
        {.status = 255,
            .output
            = "Permissions 0644 for '/home/a/.ssh/id_rsa' are too open.\nIt is required that your private key files "
              "are NOT accessible by others.\nThis private key will be ignored.\nLoad key "
              "\"/home/a/.ssh/id_rsa\": bad permissions\na@n3: Permission denied (publickey).\n"}));
    QVERIFY2(key.sentence.contains(u"the private key /home/a/.ssh/id_rsa"_s), qPrintable(key.sentence));
}

// What the engine stores with the reason of a task is what `why` says, and what the window and `show` say.
void TstWhyTexts::sameInAllPlaces()
{
    const QByteArray output
        = "Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in f\n    g()\nKeyError: 'x'\n";
    const FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output});
    const QJsonObject args{{u"status"_s, 1}, {failureKey, facts.toJson()}};
    QCOMPARE(reasonText(u"exit.user"_s, args), u"The program ended with KeyError: 'x'. Where: f in /w/a.py, line 3."_s);
    QCOMPARE(reasonText(u"exit.python"_s, args), reasonText(u"exit.user"_s, args));
    QCOMPARE(
        reasonText(u"exit.user"_s, {{u"status"_s, 1}}), u"The command ended with status 1."_s); // of an older engine
}

// A loss that is no number explains an output that shows nothing, in the words of its mark.
void TstWhyTexts::explainedByHealth()
{
    FailureFacts silent;
    silent.cause = u"unknown"_s;
    silent.certainty = u"unknown"_s;
    silent.args.insert(u"status"_s, 7);
    JobSummary job;
    job.state = State::Failed;
    job.reason = u"exit.user"_s;
    job.reasonArgs = {{u"role"_s, u"w"_s}, {u"index"_s, 0}, {u"status"_s, 7}, {failureKey, silent.toJson()}};
    job.exitCode = 255; // what no rule knows; the status is in the reason
    job.health = {{u"health.not-finite"_s, {{u"value"_s, u"NaN"_s}}, 1'000, u"w"_s, 0, u"train/loss"_s}};
    explainByHealth(job);
    const FailureWords words = failureWords(failureFacts(job.reasonArgs));
    QVERIFY2(words.sentence.startsWith("The training diverged"_L1) && words.sentence.contains("train/loss is NaN"_L1),
        qPrintable(words.sentence));
    job.health.first().step = 7;
    QVERIFY(healthText(job.health.constFirst(), 2'000).contains("since step 7"_L1));
    job.health.first().args.insert("counts"_L1, "epoch"_L1);
    QVERIFY(healthText(job.health.constFirst(), 2'000).contains("since epoch 7"_L1));
    QVERIFY(!words.remedies.isEmpty());
    // So says every reader of the reason.
    QVERIFY(reasonText(job.reason, job.reasonArgs).contains("train/loss is NaN"_L1));
    QVERIFY(failureText(job, nullptr, nullptr, {}).explanation.contains("train/loss is NaN"_L1));
    QVERIFY2(whyBrief(job).contains("Diverged"_L1, Qt::CaseInsensitive), qPrintable(whyBrief(job)));
    // A program that refuses NaN has its own words; that its loss was NaN before belongs to them.
    FailureFacts refused;
    refused.cause = u"data-not-finite"_s;
    refused.certainty = u"certain"_s;
    job.reasonArgs.insert(failureKey, refused.toJson());
    explainByHealth(job);
    const FailureWords data = failureWords(failureFacts(job.reasonArgs));
    QVERIFY2(data.sentence.startsWith("The data contain NaN"_L1) && data.sentence.contains("train/loss is NaN"_L1),
        qPrintable(data.sentence));
}

void TstWhyTexts::values()
{
    FailureFacts facts;
    facts.cause = u"dns"_s;
    facts.certainty = u"certain"_s;
    facts.line = 9;
    facts.text = u"x"_s;
    facts.args = {{u"host"_s, u"h"_s}};
    FailureFacts read = FailureFacts::fromJson(facts.toJson());
    QCOMPARE(read.toJson(), facts.toJson());
    QVERIFY(!read.transient);
    facts.transient = false;
    facts.file = u"a.py"_s;
    facts.fileLine = 4;
    facts.function = u"f"_s;
    read = FailureFacts::fromJson(facts.toJson());
    QCOMPARE(read.toJson(), facts.toJson());
    QCOMPARE(read.transient, std::optional(false));
    QVERIFY(FailureFacts::fromJson({}).isEmpty());
}

// Real outputs with what a person says of them. They are no part of the project; the shares are the least that is
// expected of texts like them.
void TstWhyTexts::realFailures()
{
    const QByteArray labels = shareddata::read(shareddata::folder() + u"/failures/labels.jsonl"_s);
    if (labels.isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
    int all = 0, right = 0, silent = 0, wrong = 0, rootLines = 0, frames = 0, rightFrames = 0;
    QStringList others;
    for (const QByteArray &row : labels.split('\n')) {
        const QJsonObject label = QJsonDocument::fromJson(row).object();
        if (label.isEmpty()) {
            continue;
        }
        const QString file = label.value("file"_L1).toString();
        const QByteArray output = shareddata::read(shareddata::folder() + u"/failures/"_s + file);
        QVERIFY(!output.isEmpty());
        const FailureFacts facts
            = core::whyFailed(FailureCauses::bundled(), {.status = label.value("exit"_L1).toInt(), .output = output});
        const FailureWords words = failureWords(facts);
        const auto says = [&](QLatin1StringView key, const QString &text) {
            const QString pattern = label.value(key).toString();
            return !pattern.isEmpty()
                && QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption).match(text).hasMatch();
        };
        const bool isWrong = says("mustNotSay"_L1, words.explanation() + u' ' + words.remedies.join(u' '));
        const bool isSilent = facts.cause == "unknown"_L1 || facts.cause == "process-failed"_L1;
        const bool isRight = !isWrong && !isSilent && says("mustSay"_L1, words.explanation());
        const bool hasRoot = facts.text.contains(label.value("rootLine"_L1).toString());
        ++all;
        right += isRight ? 1 : 0;
        silent += isSilent ? 1 : 0;
        wrong += isWrong ? 1 : 0;
        rootLines += hasRoot ? 1 : 0;
        bool hasFrame = true;
        if (const QString frame = label.value("userFrame"_L1).toString(); !frame.isEmpty()) {
            const QString found = facts.file.section(u'/', -1) + u':' + QString::number(facts.fileLine);
            hasFrame = found == frame || label.value("userFrameAlso"_L1).toArray().contains(found);
            ++frames;
            rightFrames += hasFrame ? 1 : 0;
        }
        if (!isRight || !hasRoot || !hasFrame) {
            others.append(file);
        }
    }
    qInfo("%d outputs: %d right, %d silent, %d wrong, %d of another cause; root line %d; own frame %d of %d", all,
        right, silent, wrong, all - right - silent - wrong, rootLines, rightFrames, frames);
    qInfo("not all right: %s", qPrintable(others.join(u' ')));
    QVERIFY(all >= 50);
    QCOMPARE(wrong, 0);
    QVERIFY(right * 10 >= all * 9);
    QVERIFY(rootLines * 10 >= all * 8);
    QVERIFY(rightFrames * 10 >= frames * 9);
}

// Bytes that are no text stay as they are, and so does whatever is no script of a run.
void TstWhyTexts::scriptsInLogs()
{
    const QByteArray folder = "/home/a b/.local/state/trainyard/1f/runs/2e/0/w-0/0/";
    const QByteArray said = ": line 3: tra\xffn: command not found\n";
    QCOMPARE(withShortScriptName(QByteArray(folder + "task.sh" + said)), QByteArray("task.sh" + said));
    QCOMPARE(withShortScriptName(QByteArray(folder + "sealed/task.sh" + said)), QByteArray("task.sh" + said));
    QCOMPARE(withShortScriptName(QByteArray(folder + "inside/commands" + said)), QByteArray("commands" + said));
    const QByteArrayList others{"/home/a/work/task.sh" + said, "/data/runs/a/task.sh" + said,
        folder + "other.sh" + said, "see " + folder + "task.sh" + said, folder + "task.sh: line x: y",
        folder + "task.sh", "task.sh" + said, "/", ""};
    for (const QByteArray &other : others) {
        QCOMPARE(withShortScriptName(other), other);
    }
}

// A program that is killed leaves its bar without an end of line.
void TstWhyTexts::scriptsBehindBars()
{
    const QByteArray folder = "/home/a/.local/state/trainyard/1f/runs/2e/0/w-0/0/";
    const QByteArray said = ": line 3: 14564 Segmentation fault      python3 train.py\n";
    for (const QByteArray &bar : QByteArrayList{"Epoch 2:  95%|### | 19/20 [00:01<00:01, 19.9it/s, loss=0.888]",
             "Epoch 2:  95%|### | 19/20 [00:01<00:01, 19.9it/s", "20/20 [====] - loss: 0.65", "45%", "12/20",
             "\xe2\x96\x88|", "\033[1mstep 5\033[0m", "Working: ", "a\rb]"}) {
        QCOMPARE(withShortScriptName(QByteArray(bar + folder + "task.sh" + said)), QByteArray(bar + "task.sh" + said));
        QCOMPARE(withShortScriptName(QString::fromUtf8(bar + folder + "sealed/commands" + said)),
            QString::fromUtf8(bar + "commands" + said));
    }
    for (const QByteArray &other : QByteArrayList{"x]/home/a/task.sh" + said, "step" + folder + "task.sh" + said}) {
        QCOMPARE(withShortScriptName(other), other);
    }
}

TRAINYARD_TEST(TstWhyTexts)
#include "tst_whytexts.moc"
