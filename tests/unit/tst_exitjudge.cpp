// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitjudge.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is made of the files that a try leaves: its output, the index of that, and what its helper wrote.
class TstExitJudge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void brokenLines_data();
    void brokenLines();

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

TRAINYARD_TEST(TstExitJudge)
#include "tst_exitjudge.moc"
