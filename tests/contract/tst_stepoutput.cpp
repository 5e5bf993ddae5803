// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/stepoutput.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

using namespace Qt::StringLiterals;
using namespace trainyard::contract;
using namespace trainyard::agent;

// The marks of a script with steps, and what the keeper makes of them.
class TstStepOutput : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void piecesOfAnySize();
    void copiesAndKeepsTheOrder();
    void marksComeOneAfterTheOther();
    void whoeverRunsInsteadHasAnEnd();
    void nothingIsTakenFromOthers();
    void killedScript();

private:
    AgentFixture m_fixture;

    Launch stepLaunch(const char *name, const std::string &script) const
    {
        Launch launch = m_fixture.launchOf(name,
            "w=$__ty_mark; export -n __ty_mark\n"
            "m() { printf '\\036%s%s\\n' \"$w\" \"${1%% *}\" >&2; printf '\\036%s%s\\n' \"$w\" \"$1\"; }\n"
                + script);
        launch.hasSteps = true;
        return launch;
    }
    // Without the times.
    static QByteArray runtimeOf(const Launch &launch)
    {
        QByteArray all;
        for (const QByteArray &line : fileText(launch.dir, file::runtime).split('\n')) {
            all += line.mid(line.indexOf("] ") + 2) + '\n';
        }
        all.chop(1);
        return all;
    }
};
TRAINYARD_TEST(TstStepOutput)

// However the bytes come, the same is found in them.
void TstStepOutput::piecesOfAnySize()
{
    const std::string all = "a\x1e"
                            "b\x1ewo\x1ewordB12 src some text\nstep\x1ewordE13\n\x1ewordT0 s t\nend\x1ewor";
    for (std::size_t size = 1; size <= all.size(); ++size) {
        MarkReader reader("word");
        std::deque<MarkedItem> items;
        for (std::size_t at = 0; at < all.size(); at += size) {
            reader.push(std::string_view(all).substr(at, size), items);
        }
        reader.finish(items);
        std::string seen;
        for (const MarkedItem &item : items) {
            seen += item.text;
            if (item.mark) {
                seen += '<' + std::string(1, item.mark->kind) + std::to_string(item.mark->number) + '|'
                    + item.mark->source + '|' + item.mark->text + '>';
            }
        }
        QCOMPARE(seen,
            std::string("a\x1e"
                        "b\x1ewo<B12|src|some text>step<E13||><T0|s|t>end\x1ewor"));
    }
}

// The script writes a mark on standard error first. The keeper may read it before the same mark stands on standard
// output; what the step then prints on standard error still follows the step's first line.
void TstStepOutput::marksComeOneAfterTheOther()
{
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
    std::string shown, waiting; // on standard output, not read yet
    const Secrets secrets;
    StepOutput output(
        "word", secrets, [&shown](Stream, std::string_view bytes) { shown += bytes; },
        [&waiting](Stream stream) { return stream == Stream::Out ? std::exchange(waiting, {}) : std::string(); });
    output.take(Stream::Err, "\x1ewordB1\n");
    waiting = "\x1ewordB1 trainyard [INFO] begins\nout\n";
    output.take(Stream::Err, "err\n");
    output.take(Stream::Err, "\x1ewordE2\n");
    output.take(Stream::Out, "\x1ewordE2 trainyard [INFO] ended\n");
    QFile file(folder.filePath(QString::fromLatin1(file::runtime)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray lines;
    for (const QByteArray &line : file.readAll().split('\n')) {
        lines += line.mid(line.indexOf("] ") + 2) + '|';
    }
    QCOMPARE(
        lines, "[trainyard] [INFO] begins|[openpai-runtime] out|[openpai-runtime] err|[trainyard] [INFO] ended||"_ba);
    QCOMPARE(shown, std::string("out\nerr\n"));
}

void TstStepOutput::copiesAndKeepsTheOrder()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = stepLaunch("steps",
        "for ((i = 1; i <= 40; i += 2)); do\n"
        "  m \"B$i trainyard [INFO] begins $i\"\n"
        "  echo \"out $i\"; echo \"err $i\" >&2; printf 's3cr'; read -r -t 0.001 x <> <(:) || :; echo '3t-word'\n"
        "  m \"E$((i + 1)) trainyard [INFO] ended $i\"\n"
        "  echo \"user $i\"; echo \"user err $i\" >&2\n"
        "done\n"
        "m \"B41 trainyard The kernel of this host said of 0: NVRM: Xid (PCI:0): 79\"\n"
        "printf 'bar 1\\rbar 2\\r\\nno newline'\n"
        "m 'E42 trainyard [INFO] ended'\n");
    launch.maskValues = {"s3cr3t-word"};
    const auto exited = m_fixture.runToEnd(launch, 60000);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QByteArray out, wanted;
    for (int i = 1; i <= 40; i += 2) {
        const QByteArray n = QByteArray::number(i);
        out += "out " + n + "\n******\nuser " + n + '\n';
        wanted += "[trainyard] [INFO] begins " + n + "\n|[openpai-runtime] out " + n + "\n[openpai-runtime] ******\n|"
            + "[openpai-runtime] err " + n + "\n|[trainyard] [INFO] ended " + n + '\n';
    }
    const QByteArray all = outputOf(launch.dir);
    QVERIFY(!all.contains('\x1e'));
    QByteArray onlyOut;
    for (const QByteArray &line : all.split('\n')) {
        if (!line.contains("err ")) {
            onlyOut += line + '\n';
        }
    }
    onlyOut.chop(1);
    QCOMPARE(onlyOut, out + "bar 1\rbar 2\r\nno newline");
    // Each step's lines are between its first and its last; the two outputs of a step have no order between them.
    const QByteArray runtime = runtimeOf(launch);
    for (int i = 1; i <= 40; i += 2) {
        const QByteArray n = QByteArray::number(i);
        const qsizetype begin = runtime.indexOf(QByteArray("[trainyard] [INFO] begins " + n + '\n'));
        const qsizetype end = runtime.indexOf(QByteArray("[trainyard] [INFO] ended " + n + '\n'));
        QVERIFY2(begin >= 0 && end > begin, runtime.constData());
        const QByteArray between = runtime.mid(begin, end - begin);
        QVERIFY2(between.count('\n') == 4, runtime.mid(std::max<qsizetype>(0, begin - 300), 900).constData());
        QVERIFY2(between.contains(QByteArray("[openpai-runtime] out " + n + "\n")), between.constData());
        QVERIFY2(between.contains(QByteArray("[openpai-runtime] err " + n + "\n")), between.constData());
        QVERIFY2(between.contains("[openpai-runtime] ******\n"), between.constData());
    }
    QVERIFY(!runtime.contains("user"));
    // What the keeper itself says has no level; a script cannot say it in the keeper's name.
    QVERIFY2(runtime.endsWith("[openpai-runtime] The kernel of this host said of 0: NVRM: Xid (PCI:0): 79\n"
                              "[openpai-runtime] bar 2\n[openpai-runtime] no newline\n[trainyard] [INFO] ended\n"),
        runtime.constData());
    QVERIFY(indexIsWhole(launch.dir, quint64(all.size())));
}

// A program that the commands become, or a trap of theirs, takes nothing away from the end.
void TstStepOutput::whoeverRunsInsteadHasAnEnd()
{
    QVERIFY(m_fixture.agent->start());
    int count = 0;
    for (const auto &[commands, isSaid] : {std::pair{"echo x", true}, {"trap 'echo bye' EXIT; exit 0", true},
             {"exec true", true}, {"exit 4", false}, {"exec sh -c 'kill -9 $$'", false}}) {
        const Launch launch = stepLaunch(("end" + std::to_string(++count)).c_str(),
            std::string("m 'X1 openpai-runtime [INFO] USER COMMAND START'\n") + commands + '\n');
        QVERIFY(m_fixture.runToEnd(launch));
        QCOMPARE(runtimeOf(launch),
            QByteArray("[openpai-runtime] [INFO] USER COMMAND START\n")
                + (isSaid ? "[openpai-runtime] [INFO] USER COMMAND END\n" : ""));
    }
}

// A task without steps has no word, and its bytes are its own.
void TstStepOutput::nothingIsTakenFromOthers()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("others", "printf '<%s>' \"${__ty_mark-}\"; printf '\\036B1 a b\\n\\036'");
    QVERIFY(m_fixture.runToEnd(launch));
    QCOMPARE(outputOf(launch.dir),
        QByteArray("<>\x1e"
                   "B1 a b\n\x1e"));
    const Launch steps = stepLaunch("binary", "m 'X1 a b'\nprintf '\\036B1 a b\\n\\036%s' \"${w:0:9}\"");
    QVERIFY(m_fixture.runToEnd(steps));
    QVERIFY(outputOf(steps.dir).startsWith("\x1e"
                                           "B1 a b\n\x1e"));
    QCOMPARE(outputOf(steps.dir).size(), qsizetype(9 + 1 + 8));
}

// A mark that stands on one output only holds nothing up.
void TstStepOutput::killedScript()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = stepLaunch("killed",
        "m 'B1 trainyard [INFO] begins'\necho step\nprintf '\\036%sE2\\n' \"$w\" >&2\nprintf '\\036%sE' \"$w\"\n"
        "head -c 300000 /dev/zero >&2\nkill -9 $$");
    const auto exited = m_fixture.runToEnd(launch, 30000);
    QVERIFY(exited && exited->exit.kind == ExitKind::Signaled);
    QVERIFY(outputOf(launch.dir).size() > 300000);
    QVERIFY(runtimeOf(launch).startsWith("[trainyard] [INFO] begins\n[openpai-runtime] step\n"));
}

#include "tst_stepoutput.moc"
