// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/setaside.h"

#include "engine/core/why/showntexts.h"

#include <QRegularExpression>
#include <QSet>

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestShownHead = 300;
constexpr qsizetype linesOfFence = 400;
constexpr qsizetype linesOfTest = 2000;

QString shownText(const WhyLine &line) { return QString::fromUtf8(headOf(line.words, longestShownHead)); }

void setAside(QList<WhyLine> &lines, qsizetype from, qsizetype to)
{
    for (qsizetype i = from; i < to; ++i) {
        setAside(lines[i]);
    }
}

// pytest repeats what a test has printed, below the assertion that failed, and with -rP also that of tests that passed.
void setCapturedAside(QList<WhyLine> &lines)
{
    static const QRegularExpression captured(
        u"\\A-{3,} Captured (?:stdout|stderr|log) (?:setup|call|teardown) -{3,}\\z"_s);
    static const QRegularExpression heading(
        u"\\A(?:={3,} \\S.* ={3,}|_{3,} \\S.* _{3,}|-{3,} \\S.* -{3,}"
        "|\\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed)\\b.* in \\d.*)\\z"_s);
    bool isCaptured = false;
    for (WhyLine &line : lines) {
        const char first = line.words.isEmpty() ? ' ' : line.words.front();
        const bool mayBeHeading = first == '-' || first == '=' || first == '_' || (first >= '0' && first <= '9');
        if (mayBeHeading && heading.match(shownText(line)).hasMatch()) {
            isCaptured = first == '-' && captured.match(shownText(line)).hasMatch();
        } else if (isCaptured) {
            setAside(line);
        }
    }
}

// unittest repeats below a failure what the test has printed if it is told to (-b).
void setBufferedAside(QList<WhyLine> &lines)
{
    static const QRegularExpression result(u"\\A(?:FAIL|ERROR): \\S+ \\("_s);
    static const QRegularExpression rule(u"\\A(?:={60,}|-{60,})\\z"_s);
    bool isOfFailure = false, isBuffered = false, isRepeated = false;
    QSet<QByteArrayView> buffered; // which it writes once more below the result of all tests
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView words = lines.at(i).words;
        if ((words.startsWith("====") || words.startsWith("----")) && rule.match(shownText(lines.at(i))).hasMatch()) {
            isOfFailure = i > 0 && result.match(shownText(lines.at(i - 1))).hasMatch();
            isBuffered = false;
        } else if (isOfFailure && (words == QByteArrayView("Stdout:") || words == QByteArrayView("Stderr:"))) {
            isBuffered = true;
        } else if (isBuffered && !isRepeated) {
            buffered.insert(words);
            setAside(lines[i]);
        } else if (words.startsWith("FAILED (") && !buffered.isEmpty()) {
            isOfFailure = isRepeated = true;
        } else if (isRepeated && buffered.contains(words)) {
            setAside(lines[i]);
        }
    }
}

// How a test runner marks the first line of a test and the last one of a test that passed; `hint` is in both.
struct TestMarks {
    QByteArrayView hintOfBegin, hintOfEnd;
    QRegularExpression begin, passed;
    bool isNamed = true; // the last line names the test
};

const std::array<TestMarks, 5> &testMarks()
{
    static const std::array all{
        TestMarks{"[ RUN ", "[       OK ]", QRegularExpression(u"\\A\\[ RUN      \\] (\\S+)"_s),
            QRegularExpression(u"\\A\\[       OK \\] (\\S+)"_s)},
        TestMarks{"=== RUN ", "--- PASS: ", QRegularExpression(u"\\A=== RUN +(\\S+)"_s),
            QRegularExpression(u"\\A\\s*--- PASS: (\\S+)"_s)},
        TestMarks{"Start ", "Test ", QRegularExpression(u"\\A\\s+Start +(\\d+): "_s),
            QRegularExpression(u"\\A\\s*\\d+/\\d+ Test +#(\\d+): .* Passed +\\d"_s)},
        // Python's unittest prints the result behind what the test has printed, on the same line or on one of its own.
        TestMarks{" ... ", "", QRegularExpression(u"\\A(?:\\w+ \\([\\w.]+\\)|test \\S+) \\.\\.\\. "_s),
            QRegularExpression(u"(?:\\A|\\.\\.\\. |\\s)(?:ok|skipped\\b.*|expected failure)\\z"_s), false},
        TestMarks{"::", "", QRegularExpression(u"\\A\\S+\\.py::\\S+ "_s),
            QRegularExpression(u"(?:\\A|\\s)(?:PASSED|SKIPPED|XFAIL)\\b.*\\z"_s), false},
    };
    return all;
}

void setPassedTestsAside(QList<WhyLine> &lines, const TestMarks &marks)
{
    static const QRegularExpression failed(u"(?:\\A|\\s)(?:FAIL|ERROR|FAILED|unexpected success)\\z|\\A={10}"_s);
    qsizetype begin = -1;
    QString name;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView words = lines.at(i).words;
        if (words.indexOf(marks.hintOfBegin) >= 0) {
            const QRegularExpressionMatch match = marks.begin.match(shownText(lines.at(i)));
            if (match.hasMatch()) {
                begin = i;
                name = match.captured(1);
            }
        }
        if (begin < 0 || words.indexOf(marks.hintOfEnd) < 0) {
            continue;
        }
        if (i > begin + linesOfTest || (!marks.isNamed && failed.match(shownText(lines.at(i))).hasMatch())) {
            begin = -1;
            continue;
        }
        const QRegularExpressionMatch match = marks.passed.match(shownText(lines.at(i)));
        if (match.hasMatch() && match.captured(1) == name) {
            setAside(lines, begin, i + 1);
            begin = -1;
        }
    }
}

// "ok 3 - a full disk is reported", as the Test Anything Protocol writes it, or a tick.
void setPointsAside(QList<WhyLine> &lines)
{
    static const QRegularExpression passed(u"\\Aok \\d+\\b"_s);
    for (WhyLine &line : lines) {
        const QByteArrayView words = line.words.trimmed();
        const bool isTicked = words.startsWith("\u2713 ") || words.startsWith("\u2714 ");
        if (isTicked || (words.startsWith("ok ") && passed.match(shownText(line)).hasMatch())) {
            setAside(line);
        }
    }
}

// The lines of a hunk are as many as its head says: "@@ -10,7 +10,9 @@ def main():". Without a head of this form, as in
// "12,14c12", they are marked.
void setHunksAside(QList<WhyLine> &lines)
{
    static const QRegularExpression unified(u"\\A@@ -\\d+(?:,(\\d+))? \\+\\d+(?:,(\\d+))? @@"_s);
    static const QRegularExpression normal(u"\\A\\d+(?:,\\d+)?[acd]\\d+(?:,\\d+)?\\z"_s);
    const auto count = [](const QString &text) { return text.isEmpty() ? 1 : text.toInt(); };
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView head = lines.at(i).words;
        const bool isUnified = head.startsWith("@@ -");
        const QRegularExpressionMatch match
            = isUnified ? unified.match(shownText(lines.at(i))) : QRegularExpressionMatch();
        if (match.hasMatch()) {
            int before = count(match.captured(1)), after = count(match.captured(2));
            while ((before > 0 || after > 0) && i + 1 < lines.size()) {
                const QByteArrayView words = lines.at(i + 1).words;
                const char mark = words.isEmpty() ? ' ' : words.front();
                if (mark != '+' && mark != '-' && mark != ' ' && mark != '\\') {
                    break;
                }
                before -= mark == '-' || mark == ' ' ? 1 : 0;
                after -= mark == '+' || mark == ' ' ? 1 : 0;
                setAside(lines[++i]);
            }
            continue;
        }
        const bool mayBeNormal = !head.isEmpty() && head.front() >= '0' && head.front() <= '9' && head.size() < 30;
        if (mayBeNormal && normal.match(shownText(lines.at(i))).hasMatch()) {
            while (i + 1 < lines.size()) {
                const QByteArrayView words = lines.at(i + 1).words;
                if (!words.startsWith("< ") && !words.startsWith("> ") && words != QByteArrayView("---")) {
                    break;
                }
                setAside(lines[++i]);
            }
        }
    }
}

// "*** 1,3 ****", lines, "--- 1,4 ----", lines, as `diff -c` writes them.
void setContextHunksAside(QList<WhyLine> &lines)
{
    static const QRegularExpression head(u"\\A(?:\\*{3} \\d+(?:,\\d+)? \\*{4}|-{3} \\d+(?:,\\d+)? -{4})\\z"_s);
    bool isHunk = false;
    for (WhyLine &line : lines) {
        const QByteArrayView words = line.words;
        const bool mayBeHead = words.startsWith("*** ") || words.startsWith("--- ");
        if (mayBeHead && head.match(shownText(line)).hasMatch()) {
            isHunk = true;
            continue;
        }
        const bool isMarked = words.startsWith("! ") || words.startsWith("+ ") || words.startsWith("- ")
            || words.startsWith("  ") || words.startsWith('\\');
        isHunk = isHunk && isMarked;
        if (isHunk) {
            setAside(line);
        }
    }
}

// "```python", lines, "```": what a model has written, or a text about errors.
void setFencesAside(QList<WhyLine> &lines)
{
    constexpr QByteArrayView fence = "```";
    qsizetype open = -1;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayView words = lines.at(i).words.trimmed();
        if (!words.startsWith(fence)) {
            continue;
        }
        const bool isBare = words == fence;
        if (open >= 0 && isBare && i <= open + linesOfFence) {
            setAside(lines, open + 1, i);
            open = -1;
        } else if (words.sliced(fence.size()).indexOf('`') < 0) {
            open = i;
        }
    }
}

} // namespace

QList<WhyLine> saidLinesOf(QByteArrayView text, qint64 firstNumber)
{
    QList<WhyLine> lines = whyLinesOf(text, firstNumber);
    setCapturedAside(lines);
    setBufferedAside(lines);
    for (const TestMarks &marks : testMarks()) {
        setPassedTestsAside(lines, marks);
    }
    setPointsAside(lines);
    setHunksAside(lines);
    setContextHunksAside(lines);
    setFencesAside(lines);
    setShownTextsAside(lines);
    return lines;
}

} // namespace trainyard::core
