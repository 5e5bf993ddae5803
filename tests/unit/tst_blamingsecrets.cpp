// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"
#include "engine/backend/exitblame.h"
#include "engine/backend/exitjudge.h"
#include "engine/contract/leftout.h"
#include "engine/contract/taskfolder.h"
#include "model/protocol/rules.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// When a syntax error of the commands is likely the value of a secret.
class TstBlamingSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void causes_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("secrets");
        QTest::addColumn<QString>("expected");
        const QString syntax = u"syntax-error"_s, secret = u"secret-in-script"_s;
        const QString unmatched = u"/dev/fd/9: line 6: unexpected EOF while looking for matching `''"_s;
        QTest::newRow("a quote") << syntax << unmatched << QStringList{u"token"_s} << secret;
        QTest::newRow("another descriptor")
            << syntax << u"/proc/self/fd/97: line 2: syntax error near unexpected token `('"_s
            << QStringList{u"token"_s} << secret;
        const QString folder = u"/home/a/.local/state/trainyard/runs/j/0/w-0/0/"_s;
        const QString said = u": line 2: syntax error near unexpected token `('"_s;
        for (const char *name : {"sealed/task.sh", "inside/task.sh", "commands", "inside/commands"}) {
            QTest::newRow(name) << syntax << QString(folder + QLatin1StringView(name) + said) << QStringList{u"token"_s}
                                << secret;
        }
        QTest::newRow("another script of that name")
            << syntax << QString(u"/home/a/work/task.sh"_s + said) << QStringList{u"token"_s} << syntax;
        QTest::newRow("no secret in the commands") << syntax << unmatched << QStringList() << syntax;
        QTest::newRow("a script of the user's")
            << syntax << u"job.sh: line 9: syntax error: unexpected end of file"_s << QStringList{u"token"_s} << syntax;
        // What is masked in such a message is a part of a value.
        const QString split = u"secret-split"_s, masked = u"/dev/fd/9: line 2: ******: command not found"_s;
        QTest::newRow("a command") << u"command-missing"_s << masked << QStringList{u"token"_s} << split;
        QTest::newRow("a variable") << u"unset-variable"_s << u"/dev/fd/9: line 2: ******: unbound variable"_s
                                    << QStringList{u"token"_s} << split;
        QTest::newRow("an argument") << u"bad-arguments"_s << u"train.py: error: unrecognized arguments: ******"_s
                                     << QStringList{u"token"_s} << split;
        QTest::newRow("a command without secrets")
            << u"command-missing"_s << masked << QStringList() << u"command-missing"_s;
        QTest::newRow("another command") << u"command-missing"_s << u"/dev/fd/9: line 2: trian: command not found"_s
                                         << QStringList{u"token"_s} << u"command-missing"_s;
        QTest::newRow("the words of a program")
            << u"program-error"_s << u"error: ****** is refused"_s << QStringList{u"token"_s} << u"program-error"_s;
        QTest::newRow("another cause") << u"unset-variable"_s << u"/dev/fd/9: line 6: A: unbound variable"_s
                                       << QStringList{u"token"_s} << u"unset-variable"_s;
    }
    void causes()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, line);
        QFETCH(const QStringList, secrets);
        QFETCH(const QString, expected);
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.text = line;
        QCOMPARE(blamingSecrets(facts, secrets, secrets).cause, expected);
    }

    // Wherever the task ran, on a host or a cluster.
    void isKnownOfATask()
    {
        ActiveJob job;
        QVERIFY(ExitJudge::aboutTask(job, {}, u"h"_s, {}).secrets.isEmpty()); // its text cannot be read
        job.spec
            = parseJob("protocolVersion: 2\nname: j\ntype: job\nparameters: {lr: 1}\nsecrets: {token: \"abc'def\"}\n"
                       "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                       "    commands: ['echo <% $secrets.token %> <% $parameters.lrr %>']\n")
                  .spec;
        QVERIFY(job.spec);
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        const ExitJudge::About about = ExitJudge::aboutTask(job, {0, 0}, u"slurm:lab"_s, u"/log"_s);
        QCOMPARE(about.secrets, QStringList{u"token"_s});
        QCOMPARE(about.unresolved.size(), 1);
        QCOMPARE(about.unresolved.constFirst().key, u"$parameters.lrr"_s);
        QCOMPARE(about.host + about.log, u"slurm:lab/log"_s);
    }

    // To fill in the commands of each of a thousand tasks would take long.
    void isNotComposedForAGoodEnd()
    {
        ActiveJob job;
        job.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nsecrets: {token: \"abc'def\"}\n"
                            "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    commands: ['echo <% $secrets.token %>', 'test -e x']\n")
                       .spec;
        QVERIFY(job.spec);
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        contract::ExitRecord record;
        record.kind = contract::ExitKind::Exited;
        const ExitJudge::About good = ExitJudge::aboutEnd(job, {0, 0}, record, u"h"_s, u"/log"_s);
        QVERIFY(good.secrets.isEmpty() && good.silent.isEmpty() && good.log.isEmpty());
        record.value = 1;
        const ExitJudge::About bad = ExitJudge::aboutEnd(job, {0, 0}, record, u"h"_s, u"/log"_s);
        QCOMPARE(bad.secrets, QStringList{u"token"_s});
        QVERIFY(!bad.silent.isEmpty());
        QCOMPARE(bad.log, u"/log"_s);
    }

    // A value that a shell reads as one word is blamed for nothing, and neither is one that is not known.
    void onlyOddValuesAreBlamed_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("blamed");
        QTest::newRow("a key") << u"SEKRET-abc123-xyz"_s << false;
        QTest::newRow("base64") << u"aGVs/bG8+d29y_bGQ="_s << false;
        QTest::newRow("masked") << u"******"_s << false;
        QTest::newRow("a quote") << u"it's"_s << true;
        QTest::newRow("a double quote") << u"a\"b"_s << true;
        QTest::newRow("a backslash") << u"a\\"_s << true;
        QTest::newRow("a dollar sign") << u"pa$$word("_s << true;
        QTest::newRow("a line break") << u"one\ntwo"_s << true;
        QTest::newRow("a bracket") << u"a)b"_s << true;
        QTest::newRow("a blank") << u"a b"_s << true;
    }
    void onlyOddValuesAreBlamed()
    {
        QFETCH(const QString, value);
        QFETCH(const bool, blamed);
        ActiveJob job;
        job.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nsecrets: {wandb: abcdef, other: \"it's\"}\n"
                            "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    commands: ['login <% $secrets.wandb %>; for i in; do']\n")
                       .spec;
        QVERIFY(job.spec);
        job.spec->secrets = Value(Value::Map{{u"wandb"_s, Value(value)}, {u"other"_s, Value(u"it's"_s)}});
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        const ExitJudge::About about = ExitJudge::aboutTask(job, {0, 0}, u"h"_s, u"/log"_s);
        QCOMPARE(about.secrets, blamed ? QStringList{u"wandb"_s} : QStringList());
        job.spec->secrets = Value(Value::Map{});
        QVERIFY(ExitJudge::aboutTask(job, {0, 0}, u"h"_s, u"/log"_s).secrets.isEmpty());
    }

    void secretsOfStepsAreTheirOwn()
    {
        ActiveJob job;
        job.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nsecrets: {a: x;y, b: x&y}\n"
                            "prerequisites:\n  - {name: p, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, "
                            "callbacks: [{event: taskStarts, commands: ['login <% $secrets.b %>']}]}\n"
                            "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    prerequisites: [p]\n    commands: ['login <% $secrets.a %>']\n")
                       .spec;
        QVERIFY(job.spec);
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        const ExitJudge::About about = ExitJudge::aboutTask(job, {0, 0}, u"h"_s, u"/log"_s);
        QCOMPARE(about.secrets, QStringList{u"a"_s});
        QCOMPARE(about.secretsOfSteps, QStringList{u"b"_s});
    }

    // A program shows a whole value in its messages, too: that is no sign of a shell that has misread it.
    void wholeValuesAreNotBlamed_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("expected");
        const QStringList note{u"note"_s};
        QTest::newRow("outside of quotes") << u"train --note <% $secrets.note %>"_s << note;
        QTest::newRow("in quotes") << u"train --note \"<% $secrets.note %>\""_s << QStringList();
        QTest::newRow("in single quotes") << u"train --note '<% $secrets.note %>'"_s << QStringList();
        QTest::newRow("with what quotes do not keep")
            << u"train --key \"<% $secrets.key %>\""_s << QStringList{u"key"_s};
        QTest::newRow("in a here-document")
            << u"IFS= read -r NOTE <<'END'\n<% $secrets.note %>\nEND\ntrain --note \"$NOTE\""_s << QStringList();
        QTest::newRow("for another shell") << u"bash -c \"train <% $secrets.note %>\""_s << note;
        QTest::newRow("a plain value") << u"login <% $secrets.plain %>"_s << QStringList();
    }
    void wholeValuesAreNotBlamed()
    {
        QFETCH(const QString, command);
        const Value secrets(Value::Map{
            {u"note"_s, Value(u"my training run"_s)}, {u"key"_s, Value(u"a$b"_s)}, {u"plain"_s, Value(u"abc"_s)}});
        QTEST(secretsTakenApart({command}, secrets), "expected");
        FailureFacts facts;
        facts.cause = u"bad-arguments"_s;
        facts.text = u"train: error: unrecognized arguments: --note ******"_s;
        QCOMPARE(blamingSecrets(facts, {u"note"_s}, {}).cause, u"bad-arguments"_s);
    }

    void theSecretAndTheLineAreTold()
    {
        FailureFacts facts;
        facts.cause = u"syntax-error"_s;
        facts.text = u"/dev/fd/9: line 6: unexpected EOF while looking for matching `''"_s;
        const FailureFacts blamed = blamingSecrets(facts, {u"token"_s, u"key"_s}, {});
        QCOMPARE(blamed.certainty, u"likely"_s);
        QCOMPARE(blamed.args,
            (QJsonObject{{u"said"_s, u"unexpected EOF while looking for matching `''"_s}, {u"scriptLine"_s, 6},
                {u"secrets"_s, u"token, key"_s}}));
    }

    void theMessageOfTheShellIsTold()
    {
        FailureFacts facts;
        facts.cause = u"command-missing"_s;
        facts.text = u"/dev/fd/9: line 2: ******: command not found"_s;
        facts.args = {{u"command"_s, u"******"_s}};
        const FailureFacts blamed = blamingSecrets(facts, {}, {u"token"_s});
        QCOMPARE(blamed.certainty, u"likely"_s);
        QCOMPARE(blamed.args, (QJsonObject{{u"said"_s, u"******: command not found"_s}, {u"secrets"_s, u"token"_s}}));
    }

    // What bash makes of a reference that stays in the commands.
    void references_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const QString reference = u"reference-unresolved"_s, variable = u"unset-variable"_s;
        QTest::newRow("a variable") << variable << u"/dev/fd/9: line 6: parameters: unbound variable"_s
                                    << u"parameters"_s << reference;
        QTest::newRow("another variable")
            << variable << u"/dev/fd/9: line 6: HOMES: unbound variable"_s << u"HOMES"_s << variable;
        QTest::newRow("a redirection") << u"command-missing"_s << u"/dev/fd/9: line 6: %: No such file or directory"_s
                                       << u"%"_s << reference;
        QTest::newRow("another file") << u"command-missing"_s << u"/dev/fd/9: line 6: 5%: No such file or directory"_s
                                      << u"5%"_s << u"command-missing"_s;
        QTest::newRow("the end of a line") << reference << u"/dev/fd/9: line 6: `a <% $parameters.lrr %>'"_s
                                           << u"<% $parameters.lrr %>"_s << reference;
        // Under errexit, bash does not show the line.
        const QString syntax = u"syntax-error"_s;
        QTest::newRow("nothing behind it")
            << syntax << u"/t/task.sh: line 4: syntax error near unexpected token `newline'"_s << QString()
            << reference;
        QTest::newRow("a redirection behind it")
            << syntax << u"/t/task.sh: line 4: syntax error near unexpected token `>'"_s << QString() << reference;
        QTest::newRow("another token") << syntax << u"/t/task.sh: line 4: syntax error near unexpected token `fi'"_s
                                       << QString() << syntax;
    }
    void references()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, line);
        QFETCH(const QString, name);
        QFETCH(const QString, expected);
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.text = line;
        facts.args = {{u"name"_s, name}};
        UnresolvedReference lrr{u"$parameters.lrr"_s, u"$parameters"_s, u"lrr"_s, u"lr"_s};
        lrr.before = {u"newline"_s, u">"_s};
        const FailureFacts blamed = blamingReferences(facts, {lrr});
        QCOMPARE(blamed.cause, expected);
        QCOMPARE(blamed.certainty, cause == "syntax-error"_L1 && expected != cause ? u"likely"_s : u"certain"_s);
        if (expected == u"reference-unresolved"_s) {
            QCOMPARE(blamed.args,
                (QJsonObject{
                    {u"name"_s, u"<% $parameters.lrr %>"_s}, {u"parameter"_s, u"lrr"_s}, {u"near"_s, u"lr"_s}}));
        } else {
            QCOMPARE(blamed.args, facts.args);
        }
        QCOMPARE(blamingReferences(facts, {}).cause, cause);
    }

    // What the helper writes when a task starts, between other lines.
    void variablesLeftOut()
    {
        const QByteArray words(contract::leftOutWords.data(), qsizetype(contract::leftOutWords.size()));
        QCOMPARE(leftOutVariables("[1] [trainyard] a\n[1] [trainyard] " + words + "HF_TOKEN, MY_SECRET. More.\n"),
            (QStringList{u"HF_TOKEN"_s, u"MY_SECRET"_s}));
        QCOMPARE(leftOutVariables("[1] [trainyard] " + words + "HF_TOK"), QStringList()); // not whole yet
        QCOMPARE(leftOutVariables("[1] [openpai-runtime] a\n"), QStringList());
    }
    void leftOut_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("isBlamed");
        QTest::newRow("Python") << u"user-code-error"_s << u"KeyError: 'HF_TOKEN'"_s << true;
        QTest::newRow("bash") << u"unset-variable"_s << u"task.sh: line 3: HF_TOKEN: unbound variable"_s << true;
        QTest::newRow("other languages") << u"uncaught-exception"_s << u"panic: HF_TOKEN is not set"_s << true;
        QTest::newRow("its own words") << u"program-error"_s << u"error: set HF_TOKEN first"_s << true;
        QTest::newRow("another variable") << u"user-code-error"_s << u"KeyError: 'MY_HF_TOKEN'"_s << false;
        QTest::newRow("another cause") << u"disk-full"_s << u"HF_TOKEN: No space left on device"_s << false;
    }
    void leftOut()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, line);
        QFETCH(const bool, isBlamed);
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.text = line;
        const FailureFacts blamed = blamingLeftOut(facts, {u"HF_TOKEN"_s});
        QCOMPARE(blamed.cause, isBlamed ? u"variable-left-out"_s : cause);
        QCOMPARE(blamed.args, isBlamed ? QJsonObject({{u"name"_s, u"HF_TOKEN"_s}}) : facts.args);
        QCOMPARE(blamingLeftOut(facts, {}).cause, cause);
    }

    void gitInACopy()
    {
        FailureFacts facts;
        facts.cause = u"git-folder"_s;
        facts.certainty = u"certain"_s;
        facts.text = u"fatal: not a git repository (or any of the parent directories): .git"_s;
        QCOMPARE(blamingCopy(facts, true, {}).cause, u"git-copy"_s);
        QCOMPARE(blamingCopy(facts, false, {}).cause, u"git-folder"_s);
        facts.text = u"fatal: detected dubious ownership in repository at '/data/net'"_s;
        QCOMPARE(blamingCopy(facts, true, {}).cause, u"git-folder"_s);
        facts.cause = u"git-conflict"_s;
        facts.text = u"not a git repository"_s;
        QCOMPARE(blamingCopy(facts, true, {}).cause, u"git-conflict"_s);
    }

    // What git ignores is not copied, and is there where the folder was copied from.
    void fileThatIsOnlyHere_data()
    {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("worksInCopy");
        QTest::addColumn<bool>("isBlamed");
        QTest::newRow("ignored") << u"file-missing"_s << u"data/part1.bin"_s << true << true;
        QTest::newRow("ignored, from here") << u"file-missing"_s << u"./data/part1.bin"_s << true << true;
        QTest::newRow("a folder") << u"file-missing"_s << u"data/"_s << true << true;
        QTest::newRow("in the folder itself") << u"file-missing"_s << u"data/part1.bin"_s << false << false;
        QTest::newRow("not here either") << u"file-missing"_s << u"data/part2.bin"_s << true << false;
        QTest::newRow("elsewhere") << u"file-missing"_s << u"../outside.bin"_s << true << false;
        QTest::newRow("a name alone") << u"file-missing"_s << u"train.py"_s << true << false;
        QTest::newRow("by its whole path here") << u"file-missing"_s << u"%1/data/part1.bin"_s << true << false;
        QTest::newRow("another cause") << u"permission-denied"_s << u"data/part1.bin"_s << true << false;
    }

    void fileThatIsOnlyHere()
    {
        QFETCH(const QString, cause);
        QFETCH(const QString, file);
        QFETCH(const bool, worksInCopy);
        QFETCH(const bool, isBlamed);
        const QTemporaryDir folder;
        const QString work = folder.filePath(u"project"_s);
        QVERIFY(QDir().mkpath(work + u"/data"_s));
        for (const QString &name : {u"project/data/part1.bin"_s, u"project/train.py"_s, u"outside.bin"_s}) {
            QVERIFY(QFile(folder.filePath(name)).open(QIODevice::WriteOnly));
        }
        FailureFacts facts;
        facts.cause = cause;
        facts.certainty = u"certain"_s;
        facts.args = {{u"file"_s, file.contains(u'%') ? file.arg(work) : file}};
        const FailureFacts blamed = blamingCopy(facts, worksInCopy, work);
        QCOMPARE(blamed.cause, isBlamed ? u"file-uncopied"_s : cause);
        QCOMPARE(blamed.certainty, isBlamed ? u"likely"_s : u"certain"_s);
        QCOMPARE(blamed.args.value("folder"_L1).toString(), isBlamed ? work : QString());
    }

    void secretsOfCommands()
    {
        QCOMPARE(secretsInCommands({u"echo <% $parameters.a %> '<% $secrets.token %>'"_s,
                     u"login <% $secrets.token %> <% $secrets.key %>"_s, u"train"_s}),
            (QStringList{u"token"_s, u"key"_s}));
    }
};
TRAINYARD_TEST(TstBlamingSecrets)

#include "tst_blamingsecrets.moc"
