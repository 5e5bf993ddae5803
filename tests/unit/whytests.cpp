// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/whytests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

QByteArray WhyTests::traceback(const QList<QByteArray> &frames, const QByteArray &error, const QByteArray &prefix)
{
    QByteArray text = prefix + "Traceback (most recent call last):\n";
    for (const QByteArray &frame : frames) {
        const QList<QByteArray> parts = frame.split(':');
        text += prefix + "  File \"" + parts.at(0) + "\", line " + parts.at(1) + ", in " + parts.at(2) + "\n" + prefix
            + "    " + (parts.size() > 3 ? parts.at(3) : QByteArray("go(x)")) + "\n";
    }
    for (const QByteArray &line : error.split('\n')) {
        text += prefix + line + "\n";
    }
    return text;
}

QByteArray WhyTests::torchrunTable(const QByteArray &exitCode, const QByteArray &said)
{
    return "E0312 10:00:01.000000 77 site-packages/torch/distributed/elastic/multiprocessing/api.py:874] failed "
           "(exitcode: "
        + exitCode + ") local_rank: 1 (pid: 912) of binary: /opt/env/bin/python\n"
        + traceback({"/opt/env/bin/torchrun:8:<module>", torchLib + "distributed/run.py:918:main",
                        torchLib + "distributed/launcher/api.py:269:launch_agent:raise ChildFailedError("},
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")
        + "============================================================\ntrain.py FAILED\n"
          "------------------------------------------------------------\nFailures:\n  <NO_OTHER_FAILURES>\n"
          "------------------------------------------------------------\nRoot Cause (first observed failure):\n[0]:\n"
          "  time      : 2026-03-12_10:00:01\n  host      : n1\n  rank      : 1 (local_rank: 1)\n  exitcode  : "
        + exitCode + " (pid: 912)\n  error_file: <N/A>\n  traceback : " + said
        + "\n============================================================\n";
}

FailureFacts WhyTests::whyOf(std::optional<int> status, const QByteArray &output)
{
    return core::whyFailed(FailureCauses::bundled(), {.status = status, .output = output});
}

void WhyTests::columns()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<QString>("frame");
}

void WhyTests::row(
    const char *name, int status, const QByteArray &output, const char *cause, const char *evidence, const char *frame)
{
    QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(evidence)
                        << QString::fromUtf8(frame);
}

void WhyTests::check()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QString, cause);
    QFETCH(QString, evidence);
    QFETCH(QString, frame);
    const FailureFacts facts = whyOf(status, output);
    QVERIFY2(facts.cause == cause && facts.text.contains(evidence),
        qPrintable(u"%1 (%2), line %3: %4"_s.arg(facts.cause, facts.certainty).arg(facts.line).arg(facts.text)));
    QCOMPARE(facts.file.isEmpty() ? QString() : facts.file.section(u'/', -1) + u':' + QString::number(facts.fileLine),
        frame);
    // The line is where it says it is.
    const QList<QByteArray> lines = output.split('\n');
    QVERIFY(facts.line >= 1 && facts.line <= lines.size());
    QVERIFY2(lines.at(facts.line - 1).contains(evidence.toUtf8()), lines.at(facts.line - 1).constData());
}

} // namespace trainyard
