// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/tracebacks.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestText = 400;
constexpr qsizetype longestLine = 4096;
constexpr QByteArrayView mark = "Traceback (most recent call last):";
constexpr QByteArrayView groupMark = "  + Exception Group ";
// Between the place that Python names and the error: the line of the program, and a mark below it.
constexpr int linesOfPlace = 12;
// The message of an error may have more lines than those whose beginnings are known.
constexpr int messageLines = 5;
// The output of other processes until a launcher has ended them.
constexpr int linesOfOthers = 2000;

QByteArrayView lineAt(QByteArrayView text, qsizetype begin)
{
    const qsizetype end = text.indexOf('\n', begin);
    QByteArrayView line = text.sliced(begin, (end < 0 ? text.size() : end) - begin);
    return line.endsWith('\r') ? line.chopped(1) : line;
}

// Where the line after this one begins, or the end.
qsizetype nextLine(QByteArrayView text, qsizetype begin)
{
    const qsizetype end = text.indexOf('\n', begin);
    return end < 0 ? text.size() : end + 1;
}

qsizetype lineBegin(QByteArrayView text, qsizetype at) { return at == 0 ? 0 : text.first(at).lastIndexOf('\n') + 1; }

bool isLibrary(QByteArrayView file)
{
    return file.startsWith('<') || file.indexOf(QByteArrayView("site-packages")) >= 0
        || file.indexOf(QByteArrayView("dist-packages")) >= 0 || file.indexOf(QByteArrayView("/lib/python3")) >= 0
        || file.indexOf(QByteArrayView("/lib64/python3")) >= 0;
}

QString shown(QByteArrayView line) { return QString::fromUtf8(line.first(std::min(line.size(), longestLine))); }

const QRegularExpression &framePattern()
{
    static const QRegularExpression frame(u"\\A\\s+File \"([^\"]+)\", line (\\d+)(?:, in (.+))?\\z"_s);
    return frame;
}

// One traceback whose first line holds the mark; `to` ends what may belong to it.
std::optional<Traceback> parseOne(
    QByteArrayView text, qsizetype at, qsizetype to, const std::optional<QByteArray> &prefix = std::nullopt)
{
    static const QRegularExpression error(u"\\A([A-Za-z_][\\w.]*)(?:: ?(.*))?\\z"_s);
    Traceback found;
    found.begin = lineBegin(text, at);
    // Launchers put the rank before each line.
    found.prefix = prefix.value_or(text.sliced(found.begin, at - found.begin).toByteArray());
    std::optional<PythonError> own, any;
    for (qsizetype begin = nextLine(text, at); begin < to; begin = nextLine(text, begin)) {
        QByteArrayView line = lineAt(text, begin);
        if (!line.startsWith(found.prefix)) {
            continue; // of another process
        }
        line = line.sliced(found.prefix.size());
        if (line.startsWith(' ')) {
            const QRegularExpressionMatch match = framePattern().match(shown(line));
            if (match.hasMatch()) {
                any = PythonError{{}, {}, match.captured(1), match.captured(3), match.captured(2).toInt()};
                if (!isLibrary(match.captured(1).toUtf8())) {
                    own = any;
                }
            }
            continue;
        }
        const QRegularExpressionMatch match = error.match(shown(line));
        if (!any || !match.hasMatch()) {
            return std::nullopt;
        }
        found.error = own ? *own : *any;
        found.error.type = match.captured(1);
        found.error.message = match.captured(2).left(longestText);
        found.end = nextLine(text, begin);
        return found;
    }
    return std::nullopt; // cut off
}

// "  + Exception Group Traceback ...", then lines with bars. The first error in it that has a location is used.
std::optional<Traceback> parseGroup(QByteArrayView text, qsizetype at)
{
    Traceback group;
    group.begin = lineBegin(text, at);
    group.isGroup = true;
    group.prefix = text.sliced(group.begin, at - group.begin - groupMark.size()).toByteArray();
    qsizetype end = nextLine(text, at);
    while (end < text.size()) {
        QByteArrayView line = lineAt(text, end);
        if (line.startsWith(group.prefix)) {
            line = line.sliced(group.prefix.size()).trimmed();
            if (!line.startsWith('|') && !line.startsWith('+')) {
                break;
            }
        } else if (group.prefix.isEmpty()) {
            break;
        }
        end = nextLine(text, end);
    }
    group.end = end;
    for (qsizetype inner = text.first(end).indexOf(mark, at + mark.size()); inner >= 0;
         inner = text.first(end).indexOf(mark, inner + mark.size())) {
        if (text.first(inner).endsWith(groupMark.sliced(2))) {
            continue; // a group in the group
        }
        if (const std::optional<Traceback> leaf = parseOne(text, inner, end)) {
            group.error = leaf->error;
            return group;
        }
    }
    // Errors that were never raised have no location but that of the group.
    if (const std::optional<Traceback> whole = parseOne(text, at, end, QByteArray(group.prefix + "  | "))) {
        group.error = whole->error;
        return group;
    }
    return std::nullopt;
}

// The message of Python about a program that it cannot read: a location, and no traceback. `at` is that of the error's
// line.
std::optional<Traceback> parseUnreadable(QByteArrayView text, qsizetype at)
{
    static const QRegularExpression error(u"\\A(\\w+): ?(.*)\\z"_s);
    Traceback found;
    const qsizetype last = lineBegin(text, at);
    found.prefix = text.sliced(last, at - last).toByteArray();
    found.end = nextLine(text, at);
    const QRegularExpressionMatch said = error.match(shown(lineAt(text, at)));
    qsizetype begin = last;
    for (int i = 0; i < linesOfPlace && begin > 0 && said.hasMatch(); ++i) {
        begin = lineBegin(text, begin - 1);
        const QByteArrayView line = lineAt(text, begin);
        if (!line.startsWith(found.prefix)) {
            continue; // of another process
        }
        const QByteArrayView own = line.sliced(found.prefix.size());
        if (!own.startsWith(' ')) {
            break;
        }
        const QRegularExpressionMatch match = framePattern().match(shown(own));
        if (match.hasMatch() && match.captured(3).isEmpty()) {
            found.begin = begin;
            found.error = {
                said.captured(1), said.captured(2).left(longestText), match.captured(1), {}, match.captured(2).toInt()};
            return found;
        }
    }
    return std::nullopt;
}

// Adds those that are in no traceback.
void addUnreadable(QByteArrayView text, QList<Traceback> &all)
{
    for (const QByteArrayView &type :
        {QByteArrayView("SyntaxError: "), QByteArrayView("IndentationError: "), QByteArrayView("TabError: ")}) {
        for (qsizetype at = text.indexOf(type); at >= 0; at = text.indexOf(type, at + type.size())) {
            const bool isKnown = std::any_of(
                all.cbegin(), all.cend(), [at](const Traceback &each) { return each.begin <= at && at < each.end; });
            if (const std::optional<Traceback> found = isKnown ? std::nullopt : parseUnreadable(text, at)) {
                all.append(*found);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Traceback &a, const Traceback &b) { return a.begin < b.begin; });
}

// Between two tracebacks of one error.
bool isLink(QByteArrayView line)
{
    return line == QByteArrayView("During handling of the above exception, another exception occurred:")
        || line == QByteArrayView("The above exception was the direct cause of the following exception:");
}

bool isLaunchersError(const QString &type)
{
    return type.endsWith("ChildFailedError"_L1) || type.endsWith("CalledProcessError"_L1)
        || type.endsWith("ProcessExitedException"_L1);
}

// These say that a process has failed, whose own words may stand some way before.
bool isReport(QByteArrayView line)
{
    static constexpr std::array reports{QByteArrayView("torch.distributed.elastic"),
        QByteArrayView("torch/distributed/elastic"), QByteArrayView("Primary job  terminated"),
        QByteArrayView("mpirun detected"), QByteArrayView("mpirun noticed"), QByteArrayView("mpiexec detected"),
        QByteArrayView("srun: error:"), QByteArrayView("MPI_ABORT was invoked"), QByteArrayView("[launch.py:"),
        QByteArrayView("Root Cause (first observed failure)")};
    return std::any_of(
        reports.begin(), reports.end(), [&](QByteArrayView report) { return line.indexOf(report) >= 0; });
}

struct Gap {
    int unknown = 0; // lines of other text
    bool reported = false;
};

Gap gapBetween(QByteArrayView text, qsizetype from, qsizetype to, const Traceback &before)
{
    Gap gap;
    bool continues = true; // lines of the message that are indented
    for (qsizetype begin = from; begin < to && gap.unknown <= linesOfOthers; begin = nextLine(text, begin)) {
        QByteArrayView line = lineAt(text, begin);
        const bool isOthers = !line.startsWith(before.prefix);
        if (!isOthers) {
            line = line.sliced(before.prefix.size());
        }
        gap.reported = gap.reported || isReport(line);
        continues = continues && (line.isEmpty() || line.startsWith(' ') || line.startsWith('\t'));
        const bool isQuiet = continues || (isOthers && !before.prefix.trimmed().isEmpty()) || isClosingLine(line)
            || isLink(line.trimmed());
        gap.unknown += isQuiet ? 0 : 1;
    }
    return gap;
}

} // namespace

bool isClosingLine(QByteArrayView line)
{
    static const QRegularExpression known(
        u"\\A\\s*(?:\\z|[=*-]{5,}|\\S*: line \\d+:\\s+\\d+ [A-Z][A-Za-z ]+|trainyard: |wandb: |srun: |slurmstepd: "
        "|make(?:\\[\\d+\\])?: \\*\\*\\*|ERROR conda\\.cli|Exception ignored |Error in atexit"
        "|\\[?[EWI]\\d{3,4} |(?:ERROR|WARNING|INFO):torch\\.distributed|\\S*resource_tracker\\.py:\\d+: "
        "|\\[\\d{4}-\\d\\d-\\d\\d [^\\]]*\\] (?:torch\\.distributed|\\[[A-Z]+\\] \\[launch\\.py)|Fatal Python error: "
        // Messages of torch.
        "|CUDA kernel errors might |For debugging consider |Compile with `|Device-side assertion|HIP kernel errors "
        "might "
        // torchrun's summary.
        "|\\S+ (?:FAILED|FAILURES)\\z|Failures:|Root Cause |<NO_OTHER_FAILURES>|\\[\\d+\\]:\\z"
        "|(?:time|host|rank|exitcode|error_file|traceback) +: "
        // mpirun's.
        "|Primary job  terminated|a non-zero exit code\\.|mpi(?:run|exec) |the job to be terminated\\.|Process name: "
        "|Exit code: |MPI_ABORT was invoked|with errorcode |NOTE: invoking MPI_ABORT|You may or may not see output"
        "|exactly when Open MPI kills|NVRM: Xid )"_s);
    return known.match(shown(line)).hasMatch();
}

QByteArray withoutColours(QByteArrayView text)
{
    QByteArray plain;
    plain.reserve(text.size());
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype escape = text.indexOf('\x1b', at);
        if (escape < 0) {
            plain += text.sliced(at);
            break;
        }
        plain += text.sliced(at, escape - at);
        at = escape + 1;
        if (at < text.size() && text[at] == '[') {
            ++at;
            while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3f) {
                ++at;
            }
            at += at < text.size() && text[at] >= 0x40 ? 1 : 0;
        }
    }
    return plain;
}

bool isErrorLine(QByteArrayView line)
{
    static const QRegularExpression error(
        u"\\A(?:\\[[^\\]]*\\](?:<\\w+>)?:? ?)*(?:[A-Za-z_]\\w*\\.)*\\w*(?:Error|Exception|Warning|Interrupt|Exit)\\b(?::|\\s*\\z)"_s);
    return error.match(shown(line)).hasMatch();
}

QList<Traceback> tracebacksIn(QByteArrayView text)
{
    QList<Traceback> all;
    for (qsizetype at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at)) {
        const bool isGroup = text.first(at).endsWith(groupMark);
        std::optional<Traceback> found = isGroup ? parseGroup(text, at) : parseOne(text, at, text.size());
        if (!found) {
            at += mark.size();
            continue;
        }
        // An error that is raised while another one is handled continues its traceback.
        if (!all.isEmpty() && all.constLast().prefix == found->prefix && found->begin > all.constLast().end) {
            bool isLinked = false, isOnlyLink = true;
            for (qsizetype begin = all.constLast().end; begin < found->begin; begin = nextLine(text, begin)) {
                const QByteArrayView whole = lineAt(text, begin);
                if (!whole.startsWith(found->prefix)) {
                    continue;
                }
                const QByteArrayView line = whole.sliced(found->prefix.size()).trimmed();
                isLinked = isLinked || isLink(line);
                isOnlyLink = isOnlyLink && (line.isEmpty() || isLink(line));
            }
            if (isLinked && isOnlyLink) {
                found->begin = all.constLast().begin;
                all.removeLast();
            }
        }
        // Interleaved ones of other processes begin inside this one.
        at = isGroup ? std::max(found->end, at + mark.size()) : at + mark.size();
        at = std::min(at, text.size());
        all.append(*found);
    }
    addUnreadable(text, all);
    return all;
}

LastTracebacks lastTracebacks(QByteArrayView text, int status, const std::function<bool(QByteArrayView)> &follows)
{
    LastTracebacks last;
    last.all = tracebacksIn(text);
    qsizetype from = text.size();
    bool reported = false;
    for (qsizetype i = last.all.size() - 1; i >= 0; --i) {
        const Traceback &one = last.all.at(i);
        const Gap gap = gapBetween(text, std::min(one.end, from), from, one);
        reported = reported || gap.reported;
        const bool isNewest = i == last.all.size() - 1;
        const int most = reported ? linesOfOthers : isNewest && status == 1 ? messageLines : 0;
        if (gap.unknown > most) {
            break;
        }
        last.first = i;
        from = std::min(from, one.begin);
        // These only tell that another process has failed, whose own words come before.
        const bool isOfLauncher = isLaunchersError(one.error.type);
        const bool isConsequence = isOfLauncher || (follows && follows(text.sliced(one.begin, one.end - one.begin)));
        reported = reported || isConsequence;
        if (!isConsequence) {
            last.cause = i;
            break;
        }
    }
    // All at the end that are left before the cause count as at the end too, as far as nothing stands between them.
    for (qsizetype i = last.first - 1; i >= 0 && last.cause >= 0; --i) {
        const Traceback &one = last.all.at(i);
        if (gapBetween(text, std::min(one.end, from), from, one).unknown > 0) {
            break;
        }
        last.first = i;
        from = std::min(from, one.begin);
    }
    if (last.cause < 0 && last.first >= 0) {
        last.cause = last.all.size() - 1;
    }
    return last;
}

} // namespace trainyard::core
