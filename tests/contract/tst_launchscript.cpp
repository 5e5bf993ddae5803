// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/launchplan.h"
#include "engine/launch/stepreport.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::launch;

namespace
{

struct Ran {
    int status = -1; // as the shell has it
    QByteArray out, err, runtime;
};

PluginScript step(const QString &name, const QByteArray &commands, FailurePolicy policy = FailurePolicy::Fail)
{
    PluginScript script;
    script.name = name;
    script.failurePolicy = policy;
    script.script = policy == FailurePolicy::Fail ? u"set -o errexit\n"_s : u"set +o errexit\n"_s;
    script.script += QString::fromUtf8(commands) + u'\n';
    if (policy == FailurePolicy::Ignore) {
        script.script += u"set -o errexit\n"_s;
    }
    return script;
}

ComposedRole role(const QByteArray &user, const QList<PluginScript> &before = {}, const QList<PluginScript> &after = {})
{
    ComposedRole composed;
    composed.userScript = QString::fromUtf8(user);
    composed.before = before;
    composed.after = after;
    return composed;
}

} // namespace

// What bash makes of the programs that tasks run.
class TstLaunchScript : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void user_data();
    void user();
    void plainIsOneProcess();
    void commandsNameTheirOwnLines_data();
    void commandsNameTheirOwnLines();
    void steps_data();
    void steps();
    void stepsNameTheirOwnLines_data();
    void stepsNameTheirOwnLines();
    void order();
    void failedStep();
    void ignoredStep();
    void exportsCarry();
    void nextStepHasWhatTheStepExported_data();
    void nextStepHasWhatTheStepExported();
    void exportedFunctionsCarry();
    void stepsTouchNoDisk();
    void longScript();
    void backgroundOfAStep();
    void reports();
    void examples();

private:
    Ran run(const ComposedRole &composed, bool sealed = false, const QStringList &variables = {});
    QTemporaryDir m_folder;
};

// From a file or, as one with secrets is run, from a descriptor.
Ran TstLaunchScript::run(const ComposedRole &composed, bool sealed, const QStringList &variables)
{
    const RoleProgram program = programOf(composed, composed);
    const QString folder = m_folder.filePath(u"try"_s);
    QDir(folder).removeRecursively();
    QDir().mkpath(folder + u"/tmp"_s);
    QString path = folder + u"/task.sh"_s;
    int memory = -1;
    if (sealed) {
        memory = memfd_create("task", 0);
        const QByteArray text = "exec 9<&-\n" + program.script;
        if (write(memory, text.constData(), std::size_t(text.size())) != text.size()) {
            return {};
        }
        lseek(memory, 0, SEEK_SET);
        path = u"/dev/fd/9"_s;
    } else {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(program.script) != program.script.size()) {
            return {};
        }
    }
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"TRAINYARD_TASK_FOLDER"_s, folder);
    environment.insert(u"TMPDIR"_s, folder + u"/tmp"_s);
    for (const QString &variable : variables) {
        environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    }
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    if (memory >= 0) {
        process.setChildProcessModifier([memory] { dup2(memory, 9); });
    }
    process.start(u"bash"_s, {path});
    const bool finished = process.waitForFinished(60000);
    if (memory >= 0) {
        close(memory);
    }
    Ran ran;
    if (!finished) {
        process.kill();
        process.waitForFinished();
        return ran;
    }
    ran.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 128 + process.exitCode();
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    QFile runtime(folder + u"/runtime.log"_s);
    if (runtime.open(QIODevice::ReadOnly)) {
        ran.runtime = runtime.readAll();
    }
    return ran;
}

void TstLaunchScript::user_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("out");
    const auto row = [](const char *name, const QByteArray &script, int status, const QByteArray &out) {
        QTest::newRow(name) << script << status << out;
    };
    row("plain", "echo a", 0, "a\n");
    row("empty", "", 0, "");
    row("errexit", "false\necho b", 1, "");
    row("nounset", "echo a\necho $NOT_THERE_AT_ALL\necho b", 1, "a\n");
    row("pipefail", "echo a | grep x | cat\necho b", 1, "");
    row("exit", "exit 3", 3, "");
    row("trap", "trap 'echo bye' EXIT\necho hi\nexit 4", 4, "hi\nbye\n");
    row("cd and functions stay", "f() { echo \"$X\"; }\nX=1\ncd /\nf\npwd", 0, "1\n/\n");
    row("quotes", "echo \"it's\" 'a \"b\"' \\$x `echo c`", 0, "it's a \"b\" $x c\n");
    row("here-document", "cat <<'EOF'\n$x 'y'\nEOF\necho z", 0, "$x 'y'\nz\n");
    row("our words", "cat <<'__ty_step'\n__ty_log\n__ty_step\n", 0, "__ty_log\n");
    row("no standard input", "read -r x || echo none\ncat", 0, "none\n");
    row("background", "sleep 0.1 & wait; echo done", 0, "done\n");
    row("last line without newline and with backslash", "echo a \\", 0, "a\n");
    row("bytes", "printf '\xc3\xa4\xe2\x82\xac\\n'", 0, "\xc3\xa4\xe2\x82\xac\n");
    row("not found", "no_such_command_here", 127, "");
    row("kills itself", "kill -TERM $$", 143, "");
    row("descriptors are free", "exec 97>/dev/null 98>/dev/null 99>/dev/null\necho a", 0, "a\n");
    row("syntax error", "echo a\nif\n", 2, "a\n");
}

void TstLaunchScript::user()
{
    QFETCH(QByteArray, script);
    QFETCH(int, status);
    QFETCH(QByteArray, out);
    const PluginScript nothing = step(u"nothing"_s, "true");
    // The same alone, after a step, before one, between two.
    const QList<ComposedRole> shapes{role(script), role(script, {nothing}), role(script, {}, {nothing}),
        role(script, {nothing}, {nothing}), role(script)};
    for (qsizetype i = 0; i < shapes.size(); ++i) {
        // With secrets it comes from a descriptor; the shapes take turns.
        const Ran ran = run(shapes[i], i % 2 == 0);
        QVERIFY2(ran.status == status,
            qPrintable(u"shape %1: %2 %3"_s.arg(i).arg(ran.status).arg(QString::fromUtf8(ran.err))));
        QCOMPARE(ran.out, out);
    }
}

// Without steps the program is what OpenPAI would run, and nothing is started but the commands.
void TstLaunchScript::plainIsOneProcess()
{
    const RoleProgram program = programOf(role("true"), role("true"));
    QCOMPARE(program.script, QByteArray("set -o errexit -o nounset -o pipefail; true\n"));
    // The minor faults of reaped children are counted: none means that none was started.
    const Ran ran = run(role("true\nread -r _ _ _ _ _ _ _ _ _ _ childfaults _ </proc/$$/stat\necho $childfaults"));
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.out, QByteArray("0\n"));
}

void TstLaunchScript::commandsNameTheirOwnLines_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("first line") << QByteArray("no_such_command_here") << QByteArray("line 1: no_such_command_here: ");
    QTest::newRow("third line") << QByteArray("true\ntrue\nno_such_command_here")
                                << QByteArray("line 3: no_such_command_here: ");
    QTest::newRow("behind a comment") << QByteArray("# what it does\necho $NOT_SET_ANYWHERE")
                                      << QByteArray("line 2: NOT_SET_ANYWHERE: unbound variable");
    QTest::newRow("behind an empty line") << QByteArray("\nfalse | true\necho never") << QByteArray();
    QTest::newRow("text of a document") << QByteArray("cat <<END\nx\nEND\nno_such_command_here")
                                        << QByteArray("line 4: no_such_command_here: ");
    QTest::newRow("syntax error") << QByteArray("true\necho b; )") << QByteArray("line 2: syntax error near");
}

// As they stand in the job; the options hold from the first command on.
void TstLaunchScript::commandsNameTheirOwnLines()
{
    QFETCH(const QByteArray, commands);
    QFETCH(const QByteArray, said);
    const Ran ran = run(role(commands));
    QVERIFY(ran.status != 0);
    QVERIFY2(ran.err.contains(said), ran.err.constData());
    QVERIFY2(!ran.out.contains("never"), ran.out.constData());
}

void TstLaunchScript::steps_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<bool>("ignore");
    QTest::addColumn<int>("status"); // of the task
    QTest::addColumn<QByteArray>("out");
    const auto row = [](const char *name, const QByteArray &script, bool ignore, int status, const QByteArray &out) {
        QTest::newRow(name) << script << ignore << status << out;
    };
    row("errexit", "echo a\nfalse\necho b", false, 1, "a\n");
    row("ignored", "echo a\nfalse\necho b", true, 0, "a\nb\nuser\n");
    row("ignored in the end", "echo a\nfalse", true, 0, "a\nuser\n");
    row("ignored exit", "exit 5", true, 0, "user\n");
    row("exit", "exit 3", false, 3, "");
    row("exit 0", "exit 0\necho no", false, 0, "user\n");
    row("nounset is off", "echo \"<$NOT_THERE_AT_ALL>\"", false, 0, "<>\nuser\n");
    row("pipefail is off", "false | true", false, 0, "user\n");
    row("syntax error", "if", false, 2, "");
    row("unclosed quote", "echo 'x", false, 2, "");
    row("standard error too", "echo e >&2", false, 0, "user\n");
    row("own trap", "trap 'echo bye' EXIT\necho hi", false, 0, "hi\nbye\nuser\n");
    row("killed", "kill -KILL $$", false, 137, "");
    row("exec", "exec echo gone", false, 0, "gone\nuser\n");
    row("standard input", "cat; read -r x || echo none", false, 0, "none\nuser\n");
    row("odd options", "set -o noglob -o nounset -o pipefail; IFS=xyz; set -x; export A=b", false, 0, "user\n");
    row("comment first", "# nothing\necho a", false, 0, "a\nuser\n");
    row("here-document last", "cat <<EOF\na\nEOF", false, 0, "a\nuser\n");
}

void TstLaunchScript::steps()
{
    QFETCH(QByteArray, script);
    QFETCH(bool, ignore);
    QFETCH(int, status);
    QFETCH(QByteArray, out);
    const PluginScript before = step(u"s"_s, script, ignore ? FailurePolicy::Ignore : FailurePolicy::Fail);
    for (const bool sealed : {false, true}) {
        const Ran ran = run(role("echo user", {before}), sealed);
        QVERIFY2(ran.status == status, ran.err.constData());
        QCOMPARE(ran.out, out);
    }
    // Afterwards the same, but the user's commands have run.
    const Ran ran = run(role("true", {}, {before}));
    QVERIFY2(ran.status == status, ran.err.constData());
    QByteArray alone = out;
    alone.replace("user\n", "");
    QCOMPARE(ran.out, alone);
}

void TstLaunchScript::stepsNameTheirOwnLines_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("syntax error") << QByteArray("echo a\necho b; )") << QByteArray("eval: line 2: syntax error near");
    QTest::newRow("unclosed quote") << QByteArray("echo a\necho b\necho 'x")
                                    << QByteArray("eval: line 3: unexpected EOF while looking for matching");
    QTest::newRow("no such command") << QByteArray("echo a\nno_such_command_here")
                                     << QByteArray("line 2: no_such_command_here: command not found");
    QTest::newRow("first line") << QByteArray("no_such_command_here")
                                << QByteArray("line 1: no_such_command_here: command not found");
}

// As they stand in the job, not in what runs them.
void TstLaunchScript::stepsNameTheirOwnLines()
{
    QFETCH(const QByteArray, script);
    QFETCH(const QByteArray, said);
    for (const FailurePolicy policy : {FailurePolicy::Fail, FailurePolicy::Ignore}) {
        const Ran ran = run(role("true", {step(u"s"_s, script, policy)}));
        QVERIFY2(ran.err.contains(said), ran.err.constData());
        QVERIFY2(!ran.err.contains("__ty_"), ran.err.constData()); // nothing of ours is quoted
    }
}

void TstLaunchScript::order()
{
    const QList<PluginScript> before{step(u"A"_s, "echo preA"), step(u"B"_s, "echo preB")};
    const QList<PluginScript> after{step(u"B"_s, "echo postB"), step(u"A"_s, "echo postA")};
    Ran ran = run(role("echo user", before, after));
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.out, QByteArray("preA\npreB\nuser\npostB\npostA\n"));
    int last = -1;
    for (const char *mark : {"] [openpai-runtime] [INFO] Starting to exec precommands\n",
             "] [openpai-runtime] [INFO] Precommands finished\n", "] [openpai-runtime] [INFO] USER COMMAND START\n",
             "] [openpai-runtime] [INFO] USER COMMAND END\n"}) {
        const int at = int(ran.runtime.indexOf(mark));
        QVERIFY2(at > last, mark);
        last = at;
    }
    // Without a step behind the commands the shell is theirs alone, and they see nothing of the keeper's word for it.
    for (const auto &[commands, status] : {std::pair{"set -x; echo user", 0},
             {"compgen -v -A function __ty_ && exit 9; env | grep __ty_ || echo user", 0}, {"echo user; false", 1},
             {"echo user; exit 6", 6}}) {
        const Ran alone = run(role(commands, before), false, {u"__ty_mark=word"_s});
        QCOMPARE(alone.status, status);
        QVERIFY2(alone.out.endsWith("user\n"), QByteArray(alone.out + alone.err).constData());
        QVERIFY2(alone.out.contains("\x1ewordX"), alone.out.constData());
        QCOMPARE(alone.runtime, QByteArray());
    }
    // Failed commands: nothing afterwards.
    ran = run(role("echo user; exit 6", before, after));
    QCOMPARE(ran.status, 6);
    QCOMPARE(ran.out, QByteArray("preA\npreB\nuser\n"));
    QVERIFY(!ran.runtime.contains("USER COMMAND END"));
    // A failed step afterwards ends the list.
    ran = run(role("echo user", {}, {step(u"C"_s, "exit 7"), step(u"B"_s, "echo postB")}));
    QCOMPARE(ran.status, 7);
    QCOMPARE(ran.out, QByteArray("user\n"));
    const auto failure = stepFailure(ran.runtime);
    QVERIFY(failure && failure->phase == StepPhase::After && failure->name == u"C"_s && failure->status == 7);
}

// Its failure changes nothing, and is told all the same.
void TstLaunchScript::ignoredStep()
{
    const auto logOf = [&](const QByteArray &script, FailurePolicy policy) {
        return run(role("true", {step(u"cache"_s, script, policy)})).runtime;
    };
    for (const QByteArray &script :
        {QByteArray("(exit 3)"), QByteArray("(exit 3)\necho behind it"), QByteArray("exit 3")}) {
        const QByteArray log = logOf(script, FailurePolicy::Ignore);
        QVERIFY2(log.contains("before failed with 3, which its failurePolicy ignores: cache\n"), log.constData());
        QVERIFY2(!log.contains("before ended with"), log.constData());
        QVERIFY(!stepFailure(log));
    }
    for (const QByteArray &script :
        {QByteArray("false || true"), QByteArray("if false; then :; fi"), QByteArray("! true; true")}) {
        const QByteArray log = logOf(script, FailurePolicy::Ignore);
        QVERIFY2(log.contains("before ended with 0: cache\n"), log.constData());
    }
}

void TstLaunchScript::failedStep()
{
    const QString name = u"it's a\nname with $x"_s;
    const Ran ran
        = run(role("echo user", {step(u"fine"_s, "true"), step(name, "echo out; exit 7"), step(u"C"_s, "echo c")}));
    QCOMPARE(ran.status, 7);
    QCOMPARE(ran.out, QByteArray("out\n"));
    const auto failure = stepFailure(ran.runtime);
    QVERIFY(failure.has_value());
    QCOMPARE(failure->phase, StepPhase::Before);
    QCOMPARE(failure->status, 7);
    QCOMPARE(failure->name, u"it's a name with $x"_s);
    // The user's own failure is none of a step.
    QVERIFY(!stepFailure(run(role("exit 7", {step(u"A"_s, "true")})).runtime));
}

void TstLaunchScript::exportsCarry()
{
    const QByteArray odd = "export ODD=$'a b\\n\"c\" \\'d\\' $e `f` =g\\t'";
    const QList<PluginScript> before{step(u"A"_s, "export X=1 GONE=\nlocalonly=2\ncd /\n" + odd),
        step(u"B"_s, "export X=${X}2 PATH=/opt/none:$PATH\nunset FROM_OUTSIDE\nexit 0"),
        step(u"C"_s, "trap : EXIT\nexport Y=y n=m")};
    const QByteArray user = "printf '%s|' \"$X\" \"$ODD\" \"$Y\" \"$n\" \"${FROM_OUTSIDE-gone}\" \"${localonly-none}\" "
                            "\"${GONE-unset}\" \"${PATH%%:*}\"\n[[ $PWD == \"$START\" ]] && bash -c 'echo $X'";
    const QByteArray wanted = "12|a b\n\"c\" 'd' $e `f` =g\t|y|m|gone|none||/opt/none|12\n";
    for (const QList<PluginScript> &after : {QList<PluginScript>{}, QList<PluginScript>{step(u"Z"_s, "echo $X$Y")}}) {
        const Ran ran = run(role(user, before, after), false, {u"FROM_OUTSIDE=x"_s, u"START="_s + QDir::currentPath()});
        QVERIFY2(ran.status == 0, ran.err.constData());
        QCOMPARE(ran.out, after.isEmpty() ? wanted : QByteArray(wanted + "12y\n"));
        QCOMPARE(ran.err, QByteArray());
    }
}

void TstLaunchScript::nextStepHasWhatTheStepExported_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::newRow("nothing") << QByteArray("true");
    QTest::newRow("other values") << QByteArray("export A=2 B= C=$'x\\ny=\\n' NEW=1 EMPTY=");
    QTest::newRow("the same once more") << QByteArray("export A=1 B=two NEW=; export NEW");
    QTest::newRow("fewer") << QByteArray("unset A; export -n B");
    QTest::newRow("fewer and more") << QByteArray("unset A B C; export D=4 E=5");
    QTest::newRow("another case") << QByteArray("shopt -s nocasematch; export B=TWO");
    QTest::newRow("patterns") << QByteArray("cd /; shopt -s failglob extglob; export A='*' B='[a' C='?(x)'");
    QTest::newRow("options") << QByteArray("export A=3; set -o noglob -o nounset -o posix; IFS=o");
    QTest::newRow("what bash has of its own") << QByteArray("export PS1=x PS4=y OPTIND=3 LC_ALL=C");
    QTest::newRow("a function") << QByteArray("f() { :; }; export -f f; export A=5");
    QTest::newRow("many") << QByteArray("for i in {1..3000}; do export \"MANY_$i=$i\"; done");
    QTest::newRow("a trap of its own") << QByteArray("export A=6; trap 'export A=7' EXIT");
    QTest::newRow("an early end") << QByteArray("export A=8; exit 0");
}

// Whatever it was: exactly that, with nothing lost and nothing that was there before.
void TstLaunchScript::nextStepHasWhatTheStepExported()
{
    QFETCH(QByteArray, commands);
    const auto look = [](const QByteArray &name) -> QByteArray {
        return "env -0 | LC_ALL=C grep -zvE '^(_|SHLVL|PWD|OLDPWD|BASH_FUNC_f%%)=' | LC_ALL=C sort -z >\"$TMPDIR/"
            + name + "\"\n";
    };
    // The second step changes nothing, but begins with what the first one has left.
    const QByteArray ends = commands.contains("exit 0") || commands.contains("trap") ? QByteArray() : look("a");
    const QList<PluginScript> before{step(u"A"_s, commands + '\n' + ends), step(u"B"_s, look("b") + look("c"))};
    const Ran ran = run(role(look("d"), before), false, {u"A=1"_s, u"B=two"_s, u"C=iii"_s});
    QVERIFY2(ran.status == 0, ran.err.constData());
    QCOMPARE(ran.err, QByteArray());
    const auto seen = [this](const char *name) {
        QFile file(m_folder.filePath(u"try/tmp/"_s + QLatin1StringView(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\0') : QByteArrayList();
    };
    const QByteArrayList last = seen("c");
    QVERIFY(last.size() > 3);
    QCOMPARE(seen("d"), last);
    if (!ends.isEmpty() && !commands.contains("PS1")) { // each bash has its own
        QCOMPARE(seen("b"), seen("a"));
    }
    if (commands.contains("trap") || commands.contains("exit 0")) {
        QVERIFY2(last.contains(commands.contains("exit") ? "A=8" : "A=6"), last.join(' ').constData());
    }
}

// As "module" of a cluster is one, where no startup file of the task's shell has it.
void TstLaunchScript::exportedFunctionsCarry()
{
    const QList<PluginScript> before{
        step(u"A"_s,
            "module() { if [[ $1 == load ]]; then export LOADED=\"$2\"; else echo \"it's $#\" >&2; fi; }\n"
            "other::one() { cat <<X\nhere $1\nX\n}\nplain() { :; }\nexport -f module other::one"),
        step(u"B"_s, "module load cuda; echo \"B $LOADED\"; before_it; unset -f before_it; export -fn gone_later")};
    const Ran ran = run(role("module load torch\necho \"$LOADED\"\nmodule list 2>&1\nbash -c 'other::one too'\n"
                             "for each in plain before_it gone_later kept __ty_dump; do\n"
                             "    ! declare -F $each\ndone\n",
                            before),
        false,
        {u"BASH_FUNC_before_it%%=() { echo was before; }"_s, u"BASH_FUNC_gone_later%%=() { :; }"_s,
            u"BASH_FUNC_kept%%=() { :; }"_s});
    QVERIFY2(ran.status == 0, ran.err.constData());
    QCOMPARE(ran.out, QByteArray("B cuda\nwas before\ntorch\nit's 1\nhere too\nkept\n"));
    QCOMPARE(ran.err, QByteArray());
}

// Texts of steps may hold secrets: they are in no argument, no environment and no file. The task looks at itself.
void TstLaunchScript::stepsTouchNoDisk()
{
    const QByteArray padding = "# " + QByteArray(150000, 'x') + '\n';
    const QByteArray look
        = "S=se''cret-4711\n"
          "for p in /proc/[0-9]*; do\n"
          "  tr '\\0' '\\n' <$p/cmdline 2>/dev/null | grep -q \"$S\" && echo \"in arguments of ${p#/proc/}\"\n"
          "  [[ $(readlink $p/exe) == *bash ]] && tr '\\0' '\\n' <$p/environ 2>/dev/null | grep -q \"$S\" && echo in "
          "environment\n"
          "done\n"
          "grep -rl \"$S\" \"$TRAINYARD_TASK_FOLDER\" && echo on disk\n"
          "find \"$TMPDIR\" -type f | sed 's/^/left: /'\n"
          "true\n";
    const QByteArray text = padding + ": secret-4711\n" + look;
    const Ran ran = run(role("set +o errexit +o pipefail\n" + text, {step(u"A"_s, "set +o errexit\n" + text)},
                            {step(u"A"_s, "set +o errexit\n" + text)}),
        true);
    QVERIFY2(ran.status == 0, ran.err.constData());
    QCOMPARE(ran.out, QByteArray());
}

void TstLaunchScript::longScript()
{
    QByteArray text;
    while (text.size() < 1024 * 1024) {
        text += ": 'some words to make it long'; x=$((${x-0} + 1))\n";
    }
    const int lines = int(text.count('\n'));
    text += "echo $x";
    QElapsedTimer timer;
    for (const ComposedRole &shape :
        {role(text), role(text, {step(u"A"_s, text)}), role(text, {}, {step(u"A"_s, text)})}) {
        timer.start();
        const Ran ran = run(shape);
        QVERIFY2(ran.status == 0, ran.err.constData());
        QVERIFY(ran.out.startsWith(QByteArray::number(lines)));
        qInfo("1 MB of commands with %d and %d steps: %lld ms", int(shape.before.size()), int(shape.after.size()),
            timer.elapsed());
        QVERIFY(timer.elapsed() < 15000);
    }
}

// A server that a step starts lives on; nobody waits for it.
void TstLaunchScript::backgroundOfAStep()
{
    QElapsedTimer timer;
    timer.start();
    const Ran ran = run(role("kill -0 $SERVER && echo lives; kill $SERVER",
        {step(u"server"_s, "sleep 30 >/dev/null 2>&1 &\nexport SERVER=$!"), step(u"B"_s, "true")}));
    QVERIFY2(ran.status == 0, ran.err.constData());
    QCOMPARE(ran.out, QByteArray("lives\n"));
    QVERIFY(timer.elapsed() < 10000);
}

void TstLaunchScript::reports()
{
    QVERIFY(!stepFailure("").has_value());
    QVERIFY(!stepFailure("[x] [trainyard] [ERROR] STEP FAILED before 7 na").has_value()); // torn
    QVERIFY(!stepFailure("[x] [trainyard] [ERROR] STEP FAILED before x na\n").has_value());
    QVERIFY(stepFailure("[x] [trainyard] [ERROR] STEP FAILED before 7 na me\n")->name == u"na me"_s);
    // What a step has printed is no report.
    QVERIFY(!stepFailure("[x] [openpai-runtime] [x] [trainyard] [ERROR] STEP FAILED before 7 a\n").has_value());
    QVERIFY(!holdReport("[x] [openpai-runtime] [x] [trainyard] [INFO] HELD OPEN 1 2\n").has_value());
    QVERIFY(serviceReports("[x] [openpai-runtime] [x] [trainyard] [INFO] SERVICE a http://b/\n").isEmpty());
    QCOMPARE(serviceReports("[x] [trainyard] [INFO] SERVICE a http://b/\n").size(), 1);
    // A step that was allowed to fail has its own cause.
    const QByteArray allowed
        = "[x] [trainyard] [INFO] before begins: a\n[x] [trainyard] [ERROR] STEP CAUSE storage-missing /a\n";
    const auto own = stepFailure(QByteArray(allowed + "[x] [trainyard] [ERROR] STEP FAILED before 1 a\n"));
    QVERIFY(own && own->cause == u"storage-missing"_s && own->about == u"/a"_s);
    for (const char *phase : {"before", "after"}) {
        const auto next = stepFailure(QByteArray(allowed + "[x] [trainyard] [INFO] " + phase
            + " begins: b\n[x] [trainyard] [ERROR] STEP FAILED " + phase + " 1 b\n"));
        QVERIFY(next && next->name == u"b"_s && next->cause.isEmpty());
    }
}

// The programs of the jobs that come with us, and of recorded ones where they are: bash can read them.
void TstLaunchScript::examples()
{
    const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
    const QString shared = qEnvironmentVariable("TRAINYARD_SHARED", source + u"/../shared"_s);
    int programs = 0;
    int withSteps = 0;
    const auto check = [&](const QString &folder) {
        const QFileInfoList files = QDir(folder).entryInfoList({u"*.yaml"_s, u"*.yml"_s}, QDir::Files);
        for (const QFileInfo &info : files) {
            QFile file(info.filePath());
            const ParseOutcome outcome = parseJob(file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
            if (!outcome.canRun()) {
                continue;
            }
            for (const TaskRole &taskRole : outcome.spec->taskRoles) {
                const Result<ComposedRole> composed = composeRole(*outcome.spec, taskRole);
                if (!composed) {
                    continue;
                }
                const auto reads = [](const QByteArray &text) {
                    QProcess bash;
                    bash.start(u"bash"_s, {u"-n"_s});
                    bash.write(text);
                    bash.closeWriteChannel();
                    return bash.waitForFinished(10000) && bash.exitCode() == 0;
                };
                // What the user wrote may be wrong; what we put around it must not make it so.
                const bool userReads = reads(composed->userScript.toUtf8());
                if (reads(programOf(*composed, *composed).script) != (userReads || !composed->after.isEmpty())) {
                    qWarning("%s", qPrintable(info.filePath()));
                    return false;
                }
                ++programs;
                withSteps += composed->before.isEmpty() && composed->after.isEmpty() ? 0 : 1;
            }
        }
        return true;
    };
    QVERIFY(check(source + u"/resources/examples"_s));
    QVERIFY(programs >= 2);
    QVERIFY(check(shared + u"/vectors"_s));
    qInfo("%d programs read, %d with steps", programs, withSteps);
}

TRAINYARD_TEST(TstLaunchScript)
#include "tst_launchscript.moc"
