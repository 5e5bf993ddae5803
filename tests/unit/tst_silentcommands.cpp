// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"
#include "engine/backend/exitblame.h"
#include "engine/backend/exitjudge.h"
#include "engine/core/silentcommands.h"
#include "model/protocol/rules.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is said of a task that ended with status 1 and without a message.
class TstSilentCommands : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // A failure without a word names the commands that may end so, and no others.
    void silentCommandsOfTask_data()
    {
        QTest::addColumn<QStringList>("commands");
        QTest::addColumn<QStringList>("silent");
        const auto row = [](const char *name, const QStringList &commands, const QStringList &silent) {
            QTest::newRow(name) << commands << silent;
        };
        row("arithmetic", {u"i=0\n((i++))"_s, u"echo $i"_s}, {u"((i++))"_s});
        row("a search", {u"n=$(ls *.ckpt | grep best)"_s, u"echo $n"_s}, {u"n=$(ls *.ckpt | grep best)"_s});
        row("errors that are thrown away", {u"x=$(ls *.ckpt 2>/dev/null | tail -1)"_s, u"echo $x"_s},
            {u"x=$(ls *.ckpt 2>/dev/null | tail -1)"_s});
        row("a condition that only guards", {u"[ -f a ] && cp a b"_s, u"echo done"_s}, {});
        row("a condition at the end", {u"echo done"_s, u"[ -f a ] && cp a b"_s}, {u"[ -f a ] && cp a b"_s});
        row("what has another way", {u"grep x a || true"_s, u"if grep x a; then echo; fi"_s, u"# grep x a"_s}, {});
        row("a text", {u"cat <<'END'\ngrep x a\nEND"_s, u"python3 train.py --read grep"_s}, {});
        row("an end that is written", {u"echo hi; exit 1"_s, u"exit 0"_s}, {u"echo hi; exit 1"_s});
        row("behind others on its line", {u"sleep 0.1; echo A; [ ${X:-0} = 1 ]"_s, u"echo B"_s},
            {u"sleep 0.1; echo A; [ ${X:-0} = 1 ]"_s});
        row("in a loop", {u"n=0"_s, u"for f in a b; do ((n++)); done"_s}, {u"for f in a b; do ((n++)); done"_s});
        row("in a loop of lines", {u"for f in a b\ndo\n  ((n++))\ndone"_s}, {u"((n++))"_s});
        row("the other way", {u"[ $I != 1 ] || [ 0 = 1 ]"_s, u"echo B"_s}, {u"[ $I != 1 ] || [ 0 = 1 ]"_s});
        row("another way that ends it", {u"python3 a.py || exit 1"_s, u"echo B"_s}, {u"python3 a.py || exit 1"_s});
        row("another way at the end", {u"[ -f a ] || cp b a"_s}, {});
        row("conditions of a branch", {u"if [ -f a ] && grep x a; then echo; else echo; fi"_s}, {});
        row("conditions over lines", {u"if [ -f a ] &&\n grep x a\nthen echo; fi"_s}, {});
        row("a branch", {u"if [ -f a ]; then grep x a; fi"_s, u"echo B"_s}, {u"if [ -f a ]; then grep x a; fi"_s});
        row("what only guards in a loop", {u"for f in a b; do [ -f $f ] && cp $f c; done"_s, u"echo B"_s}, {});
        row("a guard at the end of the last loop", {u"for f in a b; do [ -f $f ] && cp $f c; done"_s},
            {u"for f in a b; do [ -f $f ] && cp $f c; done"_s});
        row("signs in texts", {u"echo 'a; exit 1' \"b; [ c ]\" d\\; let # e; exit 1"_s, u"echo B"_s}, {});
        row("conditions in brackets", {u"[[ -f a || -f b ]]"_s, u"((a && b))"_s, u"echo B"_s},
            {u"[[ -f a || -f b ]]"_s, u"((a && b))"_s});
        row("in the background", {u"grep x a & python3 a.py >&2"_s, u"wait"_s}, {});
        const QString longLine = u"echo "_s + QString(90, u'a') + u"; cmp b c; echo d"_s;
        row("far behind on its line", {longLine, u"echo B"_s}, {u"cmp b c"_s});
        row("many", {u"test a"_s, u"let b"_s, u"cmp c d"_s, u"grep e f"_s}, {u"test a"_s, u"let b"_s, u"cmp c d"_s});
    }

    // As the shell got them, and never with the value of a secret.
    void silentCommandsAreFilledIn()
    {
        ActiveJob job;
        job.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nparameters: {lr: 0.3}\nsecrets: {token: abcdef}\n"
                            "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    commands: ['test <% $parameters.lr %> != 0.3', 'test <% $secrets.token %> = a']\n")
                       .spec;
        QVERIFY(job.spec);
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        const ExitJudge::About about = ExitJudge::aboutTask(job, {0, 0}, u"h"_s, u"/log"_s);
        QCOMPARE(about.silent, (QStringList{u"test 0.3 != 0.3"_s, u"test <% $secrets.token %> = a"_s}));
    }

    void silentCommandsOfTask()
    {
        QFETCH(const QStringList, commands);
        QTEST(core::silentCommands(commands), "silent");
        FailureFacts facts;
        facts.args = {{u"silent"_s, 1}};
        QCOMPARE(
            suspecting(facts, {u"let a"_s, u"let b"_s}).args.value("suspects"_L1).toString(), u"'let a', 'let b'"_s);
        QCOMPARE(suspecting(facts, {}).args, facts.args);
        QCOMPARE(suspecting({}, {u"let a"_s}).args, QJsonObject());
    }

    // The task is a program, so its sentence names no others.
    void onlyProgramOfTask_data()
    {
        QTest::addColumn<QStringList>("commands");
        QTest::addColumn<QString>("program");
        const auto row = [](const char *name, const QStringList &commands, const QString &program) {
            QTest::newRow(name) << commands << program;
        };
        row("a program", {u"# train"_s, u"python3 train.py --lr 0.1"_s}, u"python3 train.py --lr 0.1"_s);
        row("two commands", {u"pip install a"_s, u"python3 train.py"_s}, {});
        row("two in a line", {u"cd a && python3 train.py"_s}, {});
        row("a pipe", {u"python3 train.py | tee log"_s}, {});
        row("a script", {u"bash run.sh"_s}, {});
        row("a script by its path", {u"./run.sh"_s}, {});
        row("what starts others", {u"srun python3 train.py"_s}, {});
        row("a search", {u"grep x a"_s}, {});
        row("nothing", {}, {});
    }

    void onlyProgramOfTask()
    {
        QFETCH(const QStringList, commands);
        QTEST(core::onlyProgram(commands), "program");
    }
};

TRAINYARD_TEST(TstSilentCommands)
#include "tst_silentcommands.moc"
