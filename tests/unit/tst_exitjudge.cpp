// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitjudge.h"
#include "engine/backend/trysteps.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is made of the files that a try leaves: its output, the index of that, and what its helper wrote.
namespace
{

// A line of runtime.log.
QByteArray runtimeLine(const QByteArray &text, const QByteArray &source = "trainyard")
{
    return "[Mon Nov 30 10:42:08 UTC 2026] [" + source + "] " + text + '\n';
}

// Of a step, with what it printed.
QByteArray stepLines(const QByteArray &name, const QByteArrayList &printed, const QByteArray &end)
{
    QByteArray lines = runtimeLine("[INFO] before begins: " + name);
    for (const QByteArray &line : printed) {
        lines += runtimeLine(line, "openpai-runtime");
    }
    return lines + runtimeLine(end + ": " + name);
}

const QByteArray ignored = "[WARNING] before failed with 2, which its failurePolicy ignores";
const QByteArray good = "[INFO] before ended with 0";

} // namespace

class TstExitJudge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void brokenLines_data();
    void brokenLines();
    void ignoredSteps_data();
    void ignoredSteps();
    void linesOfSteps();
    void namesTheHost();

private:
    using Part = std::pair<QByteArray, bool>; // a text, and whether it is of standard error
    void write(const char *name, const QByteArray &bytes) const;
    void writeOutput(const QList<Part> &parts) const;
    core::TryResult judged(int status) const;
    FailureFacts factsOf(int status) const { return failureFacts(judged(status).reasonArgs); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstExitJudge::write(const char *name, const QByteArray &bytes) const
{
    QFile file(m_folder->filePath(QLatin1StringView(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

void TstExitJudge::writeOutput(const QList<Part> &parts) const
{
    QByteArray output, index;
    for (const auto &[text, isError] : parts) {
        const auto record = contract::encodeIndexRecord({quint64(output.size()), 0, quint32(text.size()),
            isError ? contract::Stream::Err : contract::Stream::Out, 0});
        index.append(record.data(), qsizetype(record.size()));
        output += text;
    }
    write(contract::file::output, output);
    write(contract::file::index, index);
}

core::TryResult TstExitJudge::judged(int status) const
{
    ExitRulesFile rules(m_folder->path());
    ExitJudge judge(rules);
    std::optional<core::TryResult> result;
    connect(
        &judge, &ExitJudge::judged, &judge, [&result](const core::event::TryEnded &event) { result = event.result; });
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    record.value = status;
    judge.judge({}, record, {.host = u"n1"_s, .log = m_folder->path()}); // a short output at once
    return result.value_or(core::TryResult{});
}

// The lines of two streams break each other: each is looked at as it was written.
void TstExitJudge::brokenLines_data()
{
    QTest::addColumn<QList<Part>>("parts");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<qint64>("line");
    QTest::addColumn<QString>("text");
    QTest::newRow("an error in words") << QList<Part>{{"loading data...", false}, {"fatal: config is missing\n", true}}
                                       << 4 << u"program-error"_s << qint64(1) << u"fatal: config is missing"_s;
    QTest::newRow("an error behind a measure")
        << QList<Part>{{"epoch 1 loss 0.5\nepoch 2 loss 0.25", false}, {"fatal: config is missing\n", true}} << 4
        << u"program-error"_s << qint64(2) << u"fatal: config is missing"_s;
    QTest::newRow("the name of an exception within a line")
        << QList<Part>{{"Traceback (most recent call last):\n  File \"/w/t.py\", line 3, in f\n    g()\n", true},
               {"epoch 1 loss ", false}, {"KeyError: 'lr'\n", true}, {"0.25\n", false}}
        << 1 << u"user-code-error"_s << qint64(4) << u"KeyError: 'lr'"_s;
}

void TstExitJudge::brokenLines()
{
    QFETCH(const QList<Part>, parts);
    QFETCH(const int, status);
    writeOutput(parts);
    const FailureFacts facts = factsOf(status);
    QTEST(facts.cause, "cause");
    QTEST(facts.line, "line");
    QTEST(facts.text, "text");
}

// What a step says whose failure is ignored explains nothing but what it should have brought.
void TstExitJudge::ignoredSteps_data()
{
    QTest::addColumn<QByteArray>("runtime");
    QTest::addColumn<QList<Part>>("parts");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<qint64>("line");
    const QByteArray missing = "ls: cannot access '/nope-b': No such file or directory";
    const QByteArray step = stepLines("b", {"pre b", missing}, ignored);
    const Part printed{"pre b\n" + missing + "\n", true};
    const Part epochs{"epoch 1 loss 0.8\nepoch 2 loss 0.7\nepoch 3 loss 0.6\n", false};
    QTest::newRow("before giving up") << step << QList<Part>{printed, epochs, {"giving up\n", true}} << 4
                                      << u"program-error"_s << qint64(6);
    QTest::newRow("before a reason") << step
                                     << QList<Part>{printed, epochs, {"Stopping: validation set is empty\n", true}} << 4
                                     << u"program-error"_s << qint64(6);
    QTest::newRow("before an error in words")
        << step << QList<Part>{printed, {"FATAL: no rows\n", true}} << 4 << u"program-error"_s << qint64(3);
    QTest::newRow("before a silent end") << step << QList<Part>{printed, epochs} << 4 << u"unknown"_s << qint64(5);
    QTest::newRow("before a step that failed without a word") << QByteArray(
        step + stepLines("c", {}, "[INFO] before ended with 7") + runtimeLine("[ERROR] STEP FAILED before 7 c"))
                                                              << QList<Part>{printed} << 7 << QString() << qint64(0);
    const QByteArray pip = "ERROR: No matching distribution found for apex";
    QTest::newRow("what it should have brought")
        << stepLines("b", {pip}, ignored)
        << QList<Part>{{pip + '\n', true}, epochs,
               {"Traceback (most recent call last):\n  File \"/w/t.py\", line 1, in <module>\n    import apex\n"
                "ModuleNotFoundError: No module named 'apex'\n",
                   true}}
        << 1 << u"pip-not-found"_s << qint64(1);
}

void TstExitJudge::ignoredSteps()
{
    QFETCH(const QByteArray, runtime);
    QFETCH(const QList<Part>, parts);
    QFETCH(const int, status);
    write(contract::file::runtime, runtime);
    writeOutput(parts);
    const FailureFacts facts = factsOf(status);
    QTEST(facts.cause, "cause");
    QTEST(facts.line, "line");
    QVERIFY(!facts.args.contains("earlier"_L1));
}

void TstExitJudge::linesOfSteps()
{
    const QByteArray runtime = runtimeLine("[INFO] Starting to exec precommands", "openpai-runtime")
        + stepLines("a", {"one", "two", "100%"}, good) + stepLines("b", {"two", "not whole", "", "three"}, ignored)
        + stepLines("c", {"four"}, "[INFO] before ended with 3") + "[Mon Nov 30 10:42:08 UTC 2026] [trainyard] [INF";
    const QList<launch::PrintedStep> steps = launch::printedSteps(runtime);
    QCOMPARE(steps.size(), 3);
    QVERIFY(steps.at(0).end == launch::PrintedStep::End::Good);
    QVERIFY(steps.at(1).end == launch::PrintedStep::End::Ignored);
    QVERIFY(steps.at(2).end == launch::PrintedStep::End::Failed);
    QCOMPARE(steps.at(1).lines.size(), 4);
    // Also where a line draws itself again, and where a step does not end its line.
    const QByteArray output = "one\ntwo\n 50%\r100%\ntwo\nnot whole and more\n\nthree\nfour\ntwo\n";
    const core::StepLines lines = stepLinesIn(output, steps);
    QCOMPARE(lines.ignored, QList<qint64>({4, 6, 7}));
    QCOMPARE(lines.last, qint64(7));
    QCOMPARE(
        withoutLines(output, lines.ignored), "one\ntwo\n 50%\r100%\n   \nnot whole and more\n\n     \nfour\ntwo\n");
    QVERIFY(stepLinesIn(output, {}).ignored.isEmpty());
    QCOMPARE(stepLinesIn(output, {}).last, qint64(0));
}

// The service answers on other hosts: the reason names the one where it does not.
void TstExitJudge::namesTheHost()
{
    ExitRulesFile rules(m_folder->path());
    ExitJudge judge(rules);
    std::optional<core::TryResult> result;
    connect(
        &judge, &ExitJudge::judged, &judge, [&result](const core::event::TryEnded &event) { result = event.result; });
    contract::ExitRecord record;
    record.kind = contract::ExitKind::StartFailed;
    record.reason = "launch.container-service Is the docker daemon running?";
    judge.judge({}, record, {.host = u"n1"_s, .log = m_folder->path()});
    QTRY_VERIFY(result);
    QCOMPARE(result->reason, u"launch.container-service"_s);
    QCOMPARE(result->reasonArgs.value("host"_L1).toString(), u"n1"_s);
    QCOMPARE(result->reasonArgs.value("detail"_L1).toString(), u"Is the docker daemon running?"_s);
}

TRAINYARD_TEST(TstExitJudge)
#include "tst_exitjudge.moc"
