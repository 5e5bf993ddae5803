// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whylines.h"

#include "engine/core/tracebacks.h"
#include "engine/core/why/lineprefixes.h"
#include "model/base/shellecho.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestJudged = 400;
constexpr qsizetype longestShellMessage = 4000; // with the command that it repeats

// A whole output may be indented, as one that another program has shown.
void takeIndentation(QList<WhyLine> &lines)
{
    qsizetype least = -1;
    for (const WhyLine &line : std::as_const(lines)) {
        qsizetype spaces = 0;
        while (spaces < line.words.size() && line.words[spaces] == ' ') {
            ++spaces;
        }
        if (spaces < line.words.size()) {
            least = least < 0 ? spaces : std::min(least, spaces);
        }
        if (least == 0) {
            return;
        }
    }
    for (WhyLine &line : lines) {
        line.words = line.words.sliced(least < 0 ? 0 : std::min(least, line.words.size()));
    }
}

// Processes that fail in the same way at the same time write each line of a traceback as often as there are of them.
void takeRepetitions(QList<WhyLine> &lines)
{
    constexpr QByteArrayView head = "Traceback (most recent call last):";
    const auto isAgain = [](const WhyLine &line, const WhyLine &before) {
        return line.words == before.words && line.stream == before.stream && !line.words.trimmed().isEmpty();
    };
    bool isRepeated = false;
    for (qsizetype i = 1; i < lines.size() && !isRepeated; ++i) {
        isRepeated = lines.at(i).words.startsWith(head) && isAgain(lines.at(i), lines.at(i - 1));
    }
    if (!isRepeated) {
        return;
    }
    QList<WhyLine> kept;
    kept.reserve(lines.size());
    for (const WhyLine &line : std::as_const(lines)) {
        if (kept.isEmpty() || !isAgain(line, kept.constLast())) {
            kept.append(line);
        }
    }
    lines = kept;
}

// A terminal, or a copy of its screen, may fill lines with spaces.
void takePadding(WhyLine &line)
{
    constexpr qsizetype mostSpaces = 2; // a program may write them behind a word
    qsizetype end = line.words.size();
    while (end > 0 && line.words[end - 1] == ' ') {
        --end;
    }
    const qsizetype spaces = line.words.size() - end;
    if (spaces > mostSpaces) {
        line.words.chop(spaces);
        line.end -= spaces;
    }
}

} // namespace

QList<WhyLine> whyLinesOf(QByteArrayView text, qint64 firstNumber)
{
    QList<WhyLine> lines;
    lines.reserve(text.size() / 64);
    qint64 number = firstNumber;
    bool wasEmpty = false;
    for (qsizetype begin = 0; begin < text.size(); ++number) {
        const qsizetype newline = text.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? text.size() : newline;
        for (qsizetype from = begin; from <= end;) {
            qsizetype bar = text.first(end).indexOf('\r', from);
            // A carriage return in a word of a shell script is quoted by the shell: "set: pipefail\r: invalid ...".
            while (bar >= 0 && bar + 1 < end && (text[bar + 1] == ':' || text[bar + 1] == '\'')) {
                bar = text.first(end).indexOf('\r', bar + 1);
            }
            const qsizetype to = bar < 0 ? end : bar;
            const bool isTail = to == end && from == end && from > begin; // behind the last carriage return
            const bool isEmpty = to == from;
            if (!isTail && !(isEmpty && wasEmpty)) {
                WhyLine line{from, to, number, text.sliced(from, to - from), {}, {}};
                takePrefix(line);
                takePadding(line);
                lines.append(line);
                wasEmpty = isEmpty;
            }
            from = to + 1;
        }
        begin = end + 1;
    }
    takeIndentation(lines);
    takeRepetitions(lines);
    return lines;
}

qsizetype whyLineAt(const QList<WhyLine> &lines, qsizetype at)
{
    const auto after = std::upper_bound(
        lines.cbegin(), lines.cend(), at, [](qsizetype place, const WhyLine &line) { return place < line.begin; });
    return after == lines.cbegin() ? -1 : std::distance(lines.cbegin(), after) - 1;
}

void blankOwnLines(QByteArray &text)
{
    constexpr QByteArrayView own = "trainyard: ";
    for (qsizetype at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + own.size())) {
        if (at == 0 || text.at(at - 1) == '\n') {
            const qsizetype newline = text.indexOf('\n', at), end = newline < 0 ? text.size() : newline;
            const QByteArrayView said = QByteArrayView(text).sliced(at, end - at);
            if (said.indexOf(" has no ") < 0 || said.indexOf(", which '") < 0) {
                std::fill(text.begin() + at, text.begin() + end, ' ');
            }
        }
    }
}

bool cutCommandEcho(QByteArray &text)
{
    QList<QByteArrayView> lines; // at the end, the last one first
    const QByteArrayView whole = text;
    for (qsizetype end = whole.endsWith('\n') ? whole.size() - 1 : whole.size(), begin = end;
         begin > 0 && lines.size() < shellecho::mostLines; end = begin - 1) {
        begin = end > 0 ? whole.first(end).lastIndexOf('\n') + 1 : 0;
        lines.append(whole.sliced(begin, end - begin));
    }
    const qsizetype count = lines.size();
    const std::optional<qint64> message = commandEchoAtEnd(
        count, [&](qint64 line) { return QString::fromUtf8(headOf(lines.at(count - 1 - line), longestShellMessage)); });
    if (!message) {
        return false;
    }
    const QByteArrayView last = lines.at(count - 1 - *message);
    text.truncate(last.data() - whole.data() + last.size() + 1); // with its line break
    return true;
}

bool takesOtherWay(QByteArrayView words)
{
    // The program does not do what an exception only advises: "FloatingPointError: ... Try a lower rate, ...".
    static const QRegularExpression otherWay(
        u"[.,;] (?:[Cc]reating|[Uu]sing|[Ss]tarting|[Tt]raining|[Tt]rying|[Cc]ontinuing|[Dd]ownloading|[Ff]etching"
        "|[Cc]omputing|[Gg]enerating|[Ii]nstead|(?:re-?)?(?:building|making|indexing|parsing|loading|initiali[sz]ing)"
        "|re-?(?:creating|generating|computing|downloading|fetching|trying|starting|reading)|assuming|defaulting to)\\b"
        "|\\binstead\\.?\\s*\\z"_s);
    static const QRegularExpression exception(u"\\A(?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception): "_s);
    const QString text = QString::fromUtf8(headOf(words, longestJudged));
    return otherWay.match(text).hasMatch() && !exception.match(text).hasMatch();
}

// Whether a line counts an attempt that is not the last one: "error 503 (attempt 1/5)".
static bool countsAttempt(const QString &text)
{
    static const QRegularExpression attempt(
        u"\\b(?:attempt|try|retry|trial)s?\\W{0,3}(\\d{1,4})\\s*(?:/|of)\\s*(\\d{1,4})\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = attempt.match(text);
    return match.hasMatch() && match.captured(1).toInt() < match.captured(2).toInt();
}

bool isRecoveredLine(QByteArrayView words)
{
    // TensorFlow reports as errors the absence of things that it can do without. Names of files and keys say nothing.
    static const QRegularExpression recovered(
        u"(?<![\\w/'\"])(?:[Rr]etry(?:ing)?|[Ss]kipp(?:ed|ing)|[Ii]gnor(?:ed|ing)|[Ff]alling "
        u"back|[Ff]allback)(?![\\w/]|\\.\\w)"
        "|expected to happen during shutdown|Unable to create TMPDIR|(?:\\A|: )[WE] (?:tensorflow|external)/|\\A\\+ "
        "|\\A\\s*echo "_s);
    const QString text = QString::fromUtf8(headOf(words, longestJudged));
    return recovered.match(text).hasMatch() || takesOtherWay(words) || countsAttempt(text);
}

bool isMildLine(QByteArrayView words)
{
    static const QRegularExpression mild(
        u"\\bWARN(?:ING)?\\b|Warning\\b|\\bwarning: |\\A\\[?W\\d{4}|\\[W\\b|(?:\\A|: )[WI] [\\w/.]+\\.cc"
        "|\\bINFO\\b|\\bDEBUG\\b"_s);
    return mild.match(QString::fromUtf8(headOf(words, longestJudged))).hasMatch() || isRecoveredLine(words);
}

bool isQuietLine(QByteArrayView words)
{
    if (words.isEmpty() || isClosingLine(words) || isMildLine(words)) {
        return true;
    }
    // Progress is often indented; else, what is indented goes on with the line above, such as that of a warning.
    static const QRegularExpression progress(
        u"\\A\\s+(?:\\d+%|\\d+/\\d+|\\[?\\d|[Ee]poch|[Ss]tep|[Ii]ter|[Tt]rain|[Bb]atch|[Ll]oss)"_s);
    const QString head = QString::fromUtf8(headOf(words, longestJudged));
    if (progress.match(head).hasMatch()) {
        return false;
    }
    static const QRegularExpression quiet(
        u"\\A(?:\\s+\\S|\\*\\*\\* Check failure stack trace: \\*\\*\\*|\\s*[\\^~]+\\s*\\z|\\[[\\w.-]+:\\d+\\] (?:\\[ "
        u"*\\d+\\]|\\*\\*\\*|Signal)|frame #\\d+: "
        u"|Error in (?:atexit\\._run_exitfuncs|sys\\.excepthook|sys\\.exitfunc):|real\\s|user\\s|sys\\s|done\\z|Set "
        u"the environment variable HYDRA|nohup: "
        "|(?:(?:Array )?Job ID|Cluster|User/Group|State|Nodes|Cores(?: per node)?|Job Wall-clock time"
        "|(?:CPU|Memory|GPU) (?:Utilized|Efficiency)): " // of a scheduler, of the whole job
        "|logout|Connection to \\S+ closed|\\S*: line \\d+: +\\d+ \\w)"_s);
    return quiet.match(head).hasMatch();
}

} // namespace trainyard::core
