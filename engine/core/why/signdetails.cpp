// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/signdetails.h"

#include "engine/core/why/causematch.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestDetail = 4096; // of a line

} // namespace

std::optional<WhyFrame> placeNamedIn(const QString &text, const WhySign &sign)
{
    static const QRegularExpression perl(u" at (\\S+\\.p[lm]) line (\\d+)\\.\\z"_s);
    static const QRegularExpression ofLibrary(
        u"\\A(?:\\.\\./|/usr/|/build/|/io/|external/|malloc\\.c|pthread_|dl-)|/(?:aten|c10|pytorch|torch|tensorflow|xla|nptl)/"_s);
    static const QRegularExpression php(u" in (\\S+\\.php)(?: on line |:)(\\d+)\\z"_s);
    static const QRegularExpression lua(u"\\A\\S+: (\\S+\\.lua):(\\d+): "_s);
    // What Python cannot read: "... in file /w/t.py on line 1, but no encoding declared".
    static const QRegularExpression unreadable(u"\\ASyntaxError: .* in file (\\S+\\.py) on line (\\d+)\\b"_s);
    // "CUDA error at main.cu:33 code=2(...)" and "GPUassert: out of memory main.cu 41" of the macros that programs
    // check calls with; "k.c:3:9: runtime error: ..." of the sanitizer of undefined behaviour.
    static const QRegularExpression checked(
        u"\\A(?:CUDA|Cuda|HIP|cu[A-Z]\\w+) (?:[Ee]rror|ERROR|[Ff]ailure)\\b.*?(?:\\b(?:at|in)|:) "
        "(\\S+\\.(?:cu|cuh|hip|cpp|cc|cxx|c|h|hpp)):(\\d+)\\b"
        "|\\AGPUassert: .* (\\S+\\.(?:cu|cuh|hip|cpp|cc|cxx|c|h|hpp)) (\\d+)\\z"
        "|\\A(\\S+\\.(?:cu|cpp|cc|cxx|c|h|hpp)):(\\d+):\\d+: runtime error: "_s);
    for (const QRegularExpression *pattern : {&perl, &php, &lua, &unreadable}) {
        if (const QRegularExpressionMatch match = pattern->match(text); match.hasMatch()) {
            return WhyFrame{match.captured(1), {}, match.captured(2).toInt()};
        }
    }
    if (const QRegularExpressionMatch match = checked.match(text); match.hasMatch()) {
        const QString file = match.captured(1) + match.captured(3) + match.captured(5);
        const QString line = match.captured(2) + match.captured(4) + match.captured(6);
        return ofLibrary.match(file).hasMatch() ? std::nullopt : std::optional(WhyFrame{file, {}, line.toInt()});
    }
    const QString file = sign.args.value("file"_L1).toString(), line = sign.args.value("line"_L1).toString();
    if (sign.cause == "assertion-failed"_L1 && !line.isEmpty() && !ofLibrary.match(file).hasMatch()) {
        return WhyFrame{file, {}, line.toInt()};
    }
    return std::nullopt;
}

std::optional<WhyFrame> placeAbove(const QList<WhyLine> &lines, qsizetype line)
{
    // Of the macros that programs check calls with: "[CUDA ERROR] at file train.cu:33:", "out of memory".
    static const QRegularExpression checked(
        u"\\A\\[?(?:CUDA|HIP|NCCL|cuDNN|cuBLAS) ERROR\\]? (?:at|in) (?:file )?(\\S+):(\\d+):\\z"_s);
    if (line > 0 && lines.at(line - 1).stream == lines.at(line).stream) {
        const QRegularExpressionMatch match
            = checked.match(QString::fromUtf8(headOf(lines.at(line - 1).words, longestDetail)).trimmed());
        if (match.hasMatch()) {
            return WhyFrame{match.captured(1), {}, match.captured(2).toInt()};
        }
    }
    constexpr qsizetype linesOfSource = 4;
    static const QRegularExpression place(u"\\A([^\\s:]+\\.py):(\\d+): in (\\S+)\\z"_s);
    for (qsizetype i = line - 1; lines.at(line).words.startsWith("E  ") && i >= 0 && i >= line - linesOfSource; --i) {
        const QRegularExpressionMatch match = place.match(QString::fromUtf8(headOf(lines.at(i).words, longestDetail)));
        if (match.hasMatch()) {
            return isLibraryFile(match.captured(1))
                ? std::nullopt
                : std::optional(WhyFrame{match.captured(1), match.captured(3), match.captured(2).toInt()});
        }
    }
    return std::nullopt;
}

// What a tool only announces stands below: "... problems while solving:", "  - nothing provides x"; "CMake Error at
// CMakeLists.txt:9 (project):", "  No compiler could be found.".
void completeAnnounced(const QList<WhyLine> &lines, WhySign &sign)
{
    constexpr qsizetype linesBelow = 3;
    static const QRegularExpression item(u"\\A\\s*(?:-|└─|╰─▶|×) +(\\S.*)"_s);
    static const QRegularExpression named(u"\\A\\s*\"([^\"]+)\"\\s*\\z"_s);
    static const QRegularExpression path(u"\\A\\s+(\\S+)\\s*\\z"_s);
    const QByteArrayView head = lines.at(sign.line).words.trimmed();
    const bool isSolver = sign.cause == "pip-conflict"_L1 || sign.cause == "pip-not-found"_L1;
    const bool isOfModules = sign.cause == "modulefile-missing"_L1;
    const bool isOfBuild = sign.cause == "build-failed"_L1 && head.startsWith("CMake Error");
    const bool isOfConfig = sign.cause == "config-error"_L1 && head.endsWith("Config validation error");
    const bool isOfFile = sign.cause == "file-missing"_L1 && !sign.args.contains("file"_L1);
    const bool isOfFlags = sign.cause == "bad-arguments"_L1 && head.endsWith("lags parsing error:");
    const bool isAnnounced = ((isSolver || isOfModules || isOfBuild || isOfFile) && head.endsWith(':')) || isOfFlags;
    if (!isAnnounced && !isOfConfig) {
        return;
    }
    for (qsizetype i = sign.line + 1; i < lines.size() && i <= sign.line + linesBelow; ++i) {
        const WhyLine &line = lines.at(i);
        const QString text = QString::fromUtf8(headOf(line.words, longestDetail));
        const QRegularExpressionMatch listed = item.match(text), name = named.match(text);
        if (line.stream != lines.at(sign.line).stream || text.trimmed().isEmpty() || (isSolver && !listed.hasMatch())) {
            continue;
        }
        if (isOfModules) {
            insertText(sign.args, u"name"_s, name.captured(1));
            return;
        }
        if (isOfFile) {
            insertText(sign.args, u"file"_s, path.match(text).captured(1));
            return;
        }
        if (isOfConfig) {
            insertText(sign.args, u"message"_s, text.trimmed());
        }
        // A line of a list does not say by itself what it is about.
        sign.shown = isSolver ? -1 : i;
        sign.args.insert(u"said"_s, (isSolver ? listed.captured(1) : text).trimmed().left(longestArgument));
        return;
    }
}

// Lmod breaks its sentence where the terminal ends, and lists below it the modules that are in the way or are needed:
// "Cannot load module "a/1" because these module(s) are loaded:", "   b/2".
void completeModules(const QList<WhyLine> &lines, WhySign &sign)
{
    constexpr qsizetype linesBelow = 5;
    if (sign.cause != "modulefile-conflict"_L1 || !sign.args.contains("name"_L1)) {
        return;
    }
    QString sentence;
    for (qsizetype i = sign.line; i < lines.size() && i <= sign.line + linesBelow; ++i) {
        const QString text = QString::fromUtf8(headOf(lines.at(i).words, longestDetail)).trimmed();
        if (text.isEmpty() || lines.at(i).stream != lines.at(sign.line).stream) {
            continue;
        }
        if (sentence.endsWith("loaded:"_L1)) {
            insertText(sign.args, sentence.contains("because"_L1) ? u"loaded"_s : u"needed"_s, text);
            sign.last = i;
            return;
        }
        sentence += (sentence.isEmpty() ? QString() : u" "_s) + text;
    }
}

// mpirun names the program some lines below what it says of it.
void completeCommand(const QList<WhyLine> &lines, WhySign &sign)
{
    if (sign.cause != "command-missing"_L1 || sign.args.contains("command"_L1)) {
        return;
    }
    static const QRegularExpression pattern(u"\\A\\s*Executable: (\\S+)"_s);
    for (qsizetype i = sign.line; i < lines.size() && i < sign.line + 14; ++i) {
        const QRegularExpressionMatch match = pattern.match(QString::fromUtf8(headOf(lines.at(i).words, 400)));
        if (match.hasMatch()) {
            insertText(sign.args, u"command"_s, match.captured(1));
            sign.last = i;
            return;
        }
    }
}

// torch.load says below its advice what it met. For something that is not a pickle at all, such as a pointer of git LFS
// or a web page, trust is not the question.
void completeUnpickler(const QList<WhyLine> &lines, WhySign &sign)
{
    constexpr qsizetype linesBelow = 8;
    static const QRegularExpression noPickle(
        u"WeightsUnpickler error: (?<reason>Unsupported operand .*|.*(?:invalid load key|truncated|Ran out of input).*)"_s);
    for (qsizetype i = sign.line;
         sign.cause == "checkpoint-objects"_L1 && i < lines.size() && i <= sign.line + linesBelow; ++i) {
        const QRegularExpressionMatch match
            = noPickle.match(QString::fromUtf8(headOf(lines.at(i).words, longestDetail)));
        if (match.hasMatch()) {
            sign.cause = u"checkpoint-corrupt"_s;
            sign.likely = true;
            sign.shown = i;
            sign.args.insert(u"said"_s, match.captured(u"reason"_s).left(longestArgument));
            return;
        }
    }
}

// NCCL says below its error what it met: "Last error:", and a line.
void completeNccl(const FailureCauses &causes, const QList<WhyLine> &lines, WhySign &sign)
{
    constexpr qsizetype linesBelow = 6;
    if (sign.cause != "nccl-error"_L1) {
        return;
    }
    bool isNext = false;
    for (qsizetype i = sign.line + 1; i < lines.size() && i <= sign.line + linesBelow; ++i) {
        const QByteArrayView words = headOf(lines.at(i).words, longestDetail).trimmed();
        if (lines.at(i).stream != lines.at(sign.line).stream || words.isEmpty()) {
            continue;
        }
        if (isNext) {
            WhyError reason;
            reason.message = QString::fromUtf8(words);
            // What it met may be known, such as memory that ran out, and is then what counts.
            const std::optional<CauseMatch> known = causeOfError(causes, reason);
            if (known && known->cause->role == FailureCause::Role::Cause) {
                sign.cause = known->cause->name;
                sign.role = known->cause->role;
                sign.likely = known->cause->likely || (known->line && known->line->likely);
                sign.transient = known->cause->transient;
                sign.shown = i;
                for (auto arg = known->args.constBegin(); arg != known->args.constEnd(); ++arg) {
                    sign.args.insert(arg.key(), arg.value());
                }
            }
            insertText(sign.args, u"reason"_s, reason.message);
            return;
        }
        isNext = words == QByteArrayView("Last error:");
    }
}

void takeParagraphs(const QList<WhyLine> &lines, QList<WhySign> &signs)
{
    static const QRegularExpression ofTool(u"\\A[\\w./-]+: "_s);
    for (qsizetype i = 0; i + 1 < signs.size(); ++i) {
        WhySign &sign = signs[i];
        WhySign &next = signs[i + 1];
        const bool isOpen = sign.block >= 0 && sign.cause.isEmpty() && sign.role == FailureCause::Role::Cause;
        const bool isParagraph = isOpen && next.block < 0 && !next.weak && !next.generic && !next.likely
            && next.role == FailureCause::Role::Cause && next.line == sign.last + 2
            && lines.at(sign.last + 1).words.trimmed().isEmpty()
            && lines.at(next.line).stream == lines.at(sign.line).stream
            && !ofTool.match(QString::fromUtf8(headOf(lines.at(next.line).words, longestDetail))).hasMatch();
        if (!isParagraph) {
            continue;
        }
        sign.cause = next.cause;
        sign.transient = next.transient;
        sign.last = next.last;
        sign.shown = next.line;
        for (auto arg = next.args.constBegin(); arg != next.args.constEnd(); ++arg) {
            sign.args.insert(arg.key(), arg.value());
        }
        signs.removeAt(i + 1);
    }
}

qsizetype passedOnBelow(const QList<WhyLine> &lines, qsizetype line)
{
    const bool isPassedOn = lines.at(line).words.trimmed().endsWith(" raised:") && line + 1 < lines.size()
        && lines.at(line + 1).stream == lines.at(line).stream && !lines.at(line + 1).words.trimmed().isEmpty();
    return isPassedOn ? line + 1 : -1;
}

QList<qsizetype> linesOfLaterFailures(const QList<WhyLine> &lines, qsizetype rootCause)
{
    constexpr qsizetype longestTable = 4000;
    const QByteArrayView stream = lines.at(rootCause).stream;
    QList<qsizetype> found;
    for (qsizetype i = rootCause - 1; i >= 0 && i > rootCause - longestTable; --i) {
        if (lines.at(i).stream != stream) {
            continue;
        }
        if (lines.at(i).words.trimmed() == QByteArrayView("Failures:")) {
            return found;
        }
        found.append(i);
    }
    return {}; // no table
}

WhySigns ignoringLines(WhySigns signs, const QList<WhyLine> &lines, const QList<qint64> &ignored)
{
    for (WhySign &sign : signs.all) {
        sign.isOfIgnored = std::binary_search(ignored.cbegin(), ignored.cend(), lines.at(sign.line).number);
        sign.weak = sign.weak || sign.isOfIgnored;
    }
    return signs;
}

} // namespace trainyard::core
