// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/datalines.h"
#include "engine/core/why/errorwords.h"
#include "engine/core/why/rootsearch.h"
#include "engine/core/why/workwords.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

// Whether the block is of a process that multiprocessing started, and in the user's code.
bool isOfChild(const PythonBlock &block)
{
    const QSet<QString> &places = block.errors.constFirst().places;
    const bool isSpawned = std::any_of(places.cbegin(), places.cend(),
        [](const QString &place) { return place.endsWith("/multiprocessing/spawn.py spawn_main"_L1); });
    const bool isOwn = std::any_of(
        block.errors.cbegin(), block.errors.cend(), [](const WhyError &error) { return error.own.has_value(); });
    return isOwn && (isSpawned || block.context == PythonBlock::Context::Child);
}

} // namespace

// The first of several things that happened at once, with nothing else written between them.
qsizetype RootSearch::firstOfGroup(qsizetype index, int gap, bool onlyFatal) const
{
    constexpr int linesOfProcess = 1; // "rank 2 in job 7 caused collective abort of all ranks", above how it ended
    qsizetype first = index;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &sign = m_signs.at(i);
        if (written(sign.last + 1, m_signs.at(first).line, gap) > gap) {
            break;
        }
        // What the program has survived did not happen at once with what ended it.
        const QByteArrayView stream = m_lines.at(sign.line).stream;
        const bool isSame = stream.isEmpty() || stream == m_lines.at(m_signs.at(first).line).stream;
        if (isSame && isStrong(sign.role) && goesOnAfter(sign, m_signs.at(first).line)) {
            break;
        }
        // A launcher lists its processes by their number, and has killed those that one which crashed left behind.
        const bool isCleanup = sign.role == Role::Crash && sign.args.contains("killed"_L1)
            && m_signs.at(first).role == Role::Crash && !m_signs.at(first).args.contains("killed"_L1)
            && written(sign.last + 1, m_signs.at(first).line, linesOfProcess) <= linesOfProcess;
        const bool fits = !sign.weak && !sign.generic && !isCleanup && levelOf(sign) == levelOf(m_signs.at(index))
            && (!onlyFatal || (sign.fatal && sign.block >= 0)) && mayBeEndOf(i, m_signs.at(index));
        first = fits ? i : first;
    }
    return first;
}

// A program often says the same in several lines: the one that the table has first, and of these the first one.
qsizetype RootSearch::clearestOf(qsizetype index) const
{
    const WhySign &sign = m_signs.at(index);
    qsizetype clearest = index, first = index;
    // Each step of a build passes on that the one before it failed.
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && sign.role == Role::Report; --i) {
        const WhySign &before = m_signs.at(i);
        if (sign.cause.isEmpty() || before.cause != sign.cause || before.role != sign.role || before.weak
            || written(before.last + 1, m_signs.at(first).line, rootlines::near) > rootlines::near) {
            return first;
        }
        first = i;
    }
    if (sign.role == Role::Report) {
        return first;
    }
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && sign.block < 0 && !sign.cause.isEmpty(); --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(first).line, rootlines::ofSame) > rootlines::ofSame) {
            break;
        }
        // Of exceptions, each is an error of its own.
        const bool isOther = !m_many && sign.cause == "uncaught-exception"_L1
            && before.args.value("said"_L1) != sign.args.value("said"_L1);
        if (before.weak || before.block >= 0 || before.cause != sign.cause || before.role != sign.role || isOther) {
            continue;
        }
        first = i;
        clearest = before.order <= m_signs.at(clearest).order ? i : clearest;
    }
    return clearest;
}

// The first of several reports of one end, each of which passes on the one before it.
qsizetype RootSearch::firstReport(qsizetype index) const
{
    qsizetype first = index;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (before.role != Role::Report || !before.cause.isEmpty()
            || written(before.last + 1, m_signs.at(first).line, rootlines::near) > rootlines::near) {
            break;
        }
        first = i;
    }
    return first;
}

// What a process said right before a launcher reports it, in words of its own; or -1. A tool that goes on after an
// error points back to it in its last line.
qsizetype RootSearch::wordsBefore(qsizetype index) const
{
    const bool pointsBack = m_lines.at(m_signs.at(index).line).words.indexOf("(see previous errors)") >= 0;
    const int most = pointsBack ? rootlines::survivedByOthers : rootlines::afterEnd;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, most) > most) {
            break;
        }
        if (before.generic && !before.weak) {
            const qsizetype first = firstOfWords(i);
            return first >= 0 ? first : i;
        }
    }
    return -1;
}

// The first of several errors in words of the program's own, one after another; or -1.
qsizetype RootSearch::firstOfWords(qsizetype index) const
{
    // Perl warns in the form in which it dies, and continues: only the last such line ended it.
    static const QRegularExpression ofPerl(u" at \\S+ line \\d+\\.\\s*\\z"_s);
    constexpr qsizetype longestOfPerl = 1000;
    const auto isOfPerl = [&](qsizetype sign) {
        return ofPerl.match(QString::fromUtf8(headOf(m_lines.at(m_signs.at(sign).line).words, longestOfPerl)))
            .hasMatch();
    };
    const bool isDeath = isOfPerl(index);
    qsizetype first = -1;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && m_signs.at(i).generic; --i) {
        if (written(m_signs.at(i).last + 1, m_signs.at(first >= 0 ? first : index).line, rootlines::ofSame)
            > rootlines::ofSame) {
            break;
        }
        first = m_signs.at(i).weak || (isDeath && isOfPerl(i)) ? first : i;
    }
    return first;
}

// When a rank has failed, the others may wait for it until the time is over: the rank, or -1.
qsizetype RootSearch::rankBefore(qsizetype index) const
{
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, rootlines::ofSame) > rootlines::ofSame) {
            return -1;
        }
        if (before.block >= 0 && !before.weak && before.fatal && isStrong(before.role)) {
            return i;
        }
    }
    return -1;
}

// The libraries of Python may abort while it ends: the traceback that stands right before, or -1.
qsizetype RootSearch::tracebackBefore(qsizetype index) const
{
    if (index == 0) {
        return -1;
    }
    const WhySign &before = m_signs.at(index - 1);
    if (before.block < 0 || before.weak || !before.fatal || !isStrong(before.role) || before.line < m_begin) {
        return -1;
    }
    // What another program writes next would look like the continuation of a message.
    int lines = 0;
    for (qsizetype i = m_blocks.at(before.block).errors.constLast().line + 1; i < m_signs.at(index).line; ++i) {
        lines += isQuietLine(m_lines.at(i).words) ? 0 : 1;
    }
    constexpr int linesOfHead = 1; // "terminate called after ...", above what it says
    return lines <= linesOfHead && mayBeEndOf(index - 1, m_signs.at(index)) ? index - 1 : -1;
}

// A scheduler cancels the step of a job when one of its tasks has ended by itself: the report of that, or -1.
qsizetype RootSearch::exitBefore(qsizetype index) const
{
    qsizetype found = -1;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(found >= 0 ? found : index).line, rootlines::afterEnd)
            > rootlines::afterEnd) {
            break;
        }
        if (before.role == Role::Report && !before.weak && before.cause.isEmpty()
            && reportsOwnExit(m_lines.at(before.line).words)) {
            found = i;
        }
    }
    return found;
}

// The traceback of another program right before the end of this one; or -1.
qsizetype RootSearch::deathBefore(qsizetype index) const
{
    const qsizetype before = index - 1;
    const bool isNear = before >= 0 && m_signs.at(before).block >= 0 && !m_signs.at(before).weak
        && m_signs.at(before).line >= m_begin
        && written(m_signs.at(before).last + 1, m_signs.at(index).line, rootlines::near) <= rootlines::near;
    return isNear && !mayBeEndOf(before, m_signs.at(index)) ? before : -1;
}

// The first of the processes whose tracebacks stand right before that of their parent, which misses what they should
// have done; or -1.
qsizetype RootSearch::childBefore(qsizetype index) const
{
    constexpr int linesOfHead = 1; // "Process Process-2:"
    qsizetype first = -1;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        const int most = first >= 0 ? linesOfHead : 0;
        if (before.block < 0 || before.weak || !isStrong(before.role) || before.line < m_begin
            || !isOfChild(m_blocks.at(before.block))
            || written(before.last + 1, m_signs.at(first >= 0 ? first : index).line, most) > most) {
            break;
        }
        first = i;
    }
    return first;
}

// A thread that has failed right before the one that waits for what it should have brought, and gets nothing: the
// thread, or -1.
qsizetype RootSearch::feederBefore(qsizetype index) const
{
    static const QSet<QString> waiting{u"Empty"_s, u"Full"_s, u"QueueEmpty"_s, u"QueueFull"_s, u"TimeoutError"_s,
        u"Timeout"_s, u"BrokenBarrierError"_s};
    const qsizetype before = index - 1;
    const bool waits
        = m_signs.at(index).cause.isEmpty() && waiting.contains(m_signs.at(index).args.value("type"_L1).toString());
    const bool isFeeder = waits && before >= firstStep(index) && m_signs.at(before).block >= 0
        && !m_signs.at(before).weak && m_blocks.at(m_signs.at(before).block).context == PythonBlock::Context::Thread
        && written(m_signs.at(before).last + 1, m_signs.at(index).line, rootlines::near) <= rootlines::near;
    return isFeeder ? before : -1;
}

// Whether a line before a sign says what ended the program, so that it failed in other ways. The kernel may speak of
// another program: "Killed process 412 (chrome)"; and a job that was preempted may begin again.
bool RootSearch::isEndBefore(const WhySign &before, const WhySign &sign) const
{
    const bool isOfOther = before.args.contains("program"_L1) && sign.block >= 0 && sign.fatal && isStrong(sign.role)
        && sign.cause != before.cause;
    return before.role == Role::Decisive && !before.weak && !before.likely && !isOfOther
        && !goesOnBetween(m_lines, before.last + 1, sign.line) && !isShownText(m_lines.at(before.line).words);
}

// The scheduler says that the whole job was cancelled, and what fails then is only cleared away: that line, or -1.
qsizetype RootSearch::cancelBefore(qsizetype index) const
{
    static const QRegularExpression ofJob(u"\\A(?:\\S+: ){0,2}\\*\\*\\* JOB \\S+ ON \\S+ CANCELLED AT "_s);
    const Role role = m_signs.at(index).role;
    const bool mayFollow = isStrong(role) || role == Role::Peer || role == Role::Crash || role == Role::Abort;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && mayFollow && role != Role::Decisive; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, rootlines::afterEnd) > rootlines::afterEnd) {
            break;
        }
        constexpr qsizetype longestHead = 200;
        if (before.role == Role::Cancel && !before.weak && !before.isTold
            && ofJob.match(QString::fromUtf8(headOf(m_lines.at(before.line).words, longestHead))).hasMatch()) {
            return i;
        }
    }
    return -1;
}

// A shell says that a program died, and the next line is the traceback of another one: the death, or -1.
qsizetype RootSearch::crashBefore(qsizetype index) const
{
    const qsizetype before = index - 1;
    const bool isOne = before >= firstStep(index) && m_signs.at(index).block >= 0 && m_signs.at(index).fatal
        && m_signs.at(before).role == Role::Crash && !m_signs.at(before).weak && !m_signs.at(before).isTold
        && m_signs.at(before).block < 0 && m_signs.at(before).line >= m_begin
        && written(m_signs.at(before).last + 1, m_signs.at(index).line, 0) == 0;
    return isOne && isStrong(m_signs.at(index).role) ? before : -1;
}

// What another one said right before an exception that only follows from it: a process that the program had started,
// one whose end it tells, or, of the library of a tracking server, the client of that; or -1.
qsizetype RootSearch::otherBefore(qsizetype index) const
{
    const WhySign &sign = m_signs.at(index);
    if (sign.block < 0 || !sign.fatal || !isStrong(sign.role) || isOfChild(m_blocks.at(sign.block))) {
        return -1;
    }
    const QList<WhyError> &errors = m_blocks.at(sign.block).errors;
    const bool isOfTracker = sign.cause.isEmpty() && errors.constLast().innermost.contains("/wandb/"_L1);
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && isOfTracker; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, sign.line, rootlines::near) > rootlines::near) {
            break;
        }
        if (before.block < 0 && before.survived && !before.weak && !before.cause.isEmpty() && isStrong(before.role)) {
            return i;
        }
    }
    static const QRegularExpression ofEnd(
        u"\\b(?:worker|process|child|rank|server|engine|subprocess)\\w*\\b.*"
        "\\b(?:died|dead|stop\\w*|exit\\w*|kill\\w*|terminat\\w*|crash\\w*|unresponsive|gone|lost|fail\\w*)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    const qsizetype crash = crashBefore(index);
    if (crash >= 0 && ofEnd.match(sign.args.value("said"_L1).toString()).hasMatch()) {
        return crash;
    }
    const qsizetype child = m_many ? -1 : childBefore(index);
    return child >= 0 || m_many ? child : feederBefore(index);
}

// A library that logs a fatal error aborts right after it, and so does a program that says in capitals what it cannot
// do
// ("LLVM ERROR: ..."): that line, or -1.
qsizetype RootSearch::fatalLogBefore(qsizetype index) const
{
    static const QRegularExpression inCapitals(u"\\A(?:[A-Z]\\w* )?(?:ERROR|FATAL|FATAL ERROR): \\S"_s);
    constexpr qsizetype longestHead = 200;
    const qsizetype before = index - 1;
    const auto isLast = [&](QByteArrayView words) {
        return isFatalLogLine(words) || inCapitals.match(QString::fromUtf8(headOf(words, longestHead))).hasMatch();
    };
    const bool isOne = before >= firstStep(index) && m_signs.at(before).generic && !m_signs.at(before).weak
        && isLast(m_lines.at(m_signs.at(before).line).words)
        && written(m_signs.at(before).last + 1, m_signs.at(index).line, 0) == 0;
    return isOne ? before : -1;
}

// Whether what failed before a sign is a tool that the program had called, or a thread of it, and the work went on:
// "fatal: not a git repository" where a program asks for its version.
bool RootSearch::isLeftBehind(const WhySign &before, const WhySign &sign) const
{
    const bool isThread = before.block >= 0 && m_blocks.at(before.block).context == PythonBlock::Context::Thread;
    return isRecoveredFrom(before, sign.line) || (isThread && goesOnAfter(before, sign.line))
        || (isCalledTool(before) && goesOnAfter(before, sign.line, 1));
}

// A script that goes on after its program has failed misses what that should have left: the program, or -1.
qsizetype RootSearch::failedBefore(qsizetype index) const
{
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, rootlines::near) > rootlines::near) {
            return -1;
        }
        if (!before.weak && !before.isTold && ((before.block >= 0 && before.fatal) || before.role == Role::Crash)) {
            bool isPreparation = false;
            return explanationOf(i, &isPreparation);
        }
    }
    return -1;
}

} // namespace trainyard::core
