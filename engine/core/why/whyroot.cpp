// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyroot.h"

#include "engine/core/why/whydeaths.h"
#include "engine/core/why/whylinks.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

// So many lines of its own, and the program has survived what it said there.
constexpr int survivedAfter = 100;
constexpr int survivedBySignal = 20;
constexpr int survivedInCompany = 300; // other processes write on for a while
constexpr int survivedByOthers = 2000; // ... and until a launcher reports, or they give up
constexpr int nearLines = 10;
constexpr qsizetype mostSteps = 500; // from a sign to those before
constexpr int linesOfSame = 2; // between two lines that say the same
constexpr int linesAfterEnd = 5; // what a program says once it was told to end

bool isStrong(Role role) { return role == Role::Missing || role == Role::Cause || role == Role::Decisive; }

// Missing things are causes like the others until something explains them.
int levelOf(const WhySign &sign)
{
    return sign.generic ? 0 : sign.role == Role::Missing ? int(Role::Cause) : int(sign.role);
}

class RootSearch
{
public:
    RootSearch(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs, qsizetype begin,
        std::optional<int> status)
        : m_lines(lines), m_blocks(blocks), m_signs(signs.all), m_many(signs.hasManyProcesses), m_begin(begin),
          m_status(status)
    {
    }
    WhyRoot root();

private:
    // Lines between two places, of the program's own; up to one more than asked for.
    int written(qsizetype from, qsizetype to, int most) const;
    qsizetype explanationOf(qsizetype index, bool *isPreparation) const;
    qsizetype preparationOf(qsizetype index, bool linked = true) const;
    qsizetype failedBefore(qsizetype index) const;
    qsizetype rankBefore(qsizetype index) const;
    qsizetype tracebackBefore(qsizetype index) const;
    qsizetype deathBefore(qsizetype index) const;
    qsizetype exitBefore(qsizetype index) const;
    // Of several processes, each may say how one of the others ended.
    bool mayBeEndOf(qsizetype traceback, const WhySign &death) const
    {
        const WhySign &before = m_signs.at(traceback);
        return m_many || before.block < 0 || !before.fatal || canBeEndOf(m_blocks.at(before.block), m_lines, death);
    }
    qsizetype firstOfWords(qsizetype index) const;
    qsizetype wordsBefore(qsizetype index) const;
    qsizetype clearestOf(qsizetype index) const;
    // The first sign of the run that is near enough to be looked at from this one.
    qsizetype firstStep(qsizetype index) const
    {
        qsizetype first = std::max<qsizetype>(0, index - mostSteps);
        while (first < index && m_signs.at(first).line < m_begin) {
            ++first;
        }
        return first;
    }
    qsizetype firstOfGroup(qsizetype index, int gap, bool onlyFatal) const;
    int reachOf(const WhySign &sign) const;
    // Whether a thing that is missing, or another one that is missing right before it, belongs to a preparation.
    bool isLinked(qsizetype preparation, qsizetype index) const
    {
        constexpr qsizetype mostMissing = 4;
        for (qsizetype i = index; i > std::max(preparation, index - mostMissing); --i) {
            const WhySign &missing = m_signs.at(i);
            if (missing.after.contains(m_signs.at(preparation).cause)
                && isLinkedPreparation(m_lines, m_signs.at(preparation), missing)) {
                return true;
            }
        }
        return false;
    }
    // Whether words of a program only say that what stands right before them is given up.
    bool isGivenUpBy(const WhySign &before, const WhySign &words) const
    {
        return written(before.last + 1, words.line, 0) == 0 && isGivingUp(m_lines.at(words.line).words);
    }
    // Whether words of a program can follow from what is known of a sign before them: it did not go on meanwhile.
    bool mayLeadTo(const WhySign &before, const WhySign &words) const
    {
        if (isOutlived(before)) {
            return isGivenUpBy(before, words);
        }
        return m_many || isGivingUp(m_lines.at(words.line).words)
            || written(before.last + 1, words.line, nearLines) <= nearLines;
    }
    bool isOutlived(const WhySign &sign) const { return endsOtherwise(m_lines.at(sign.line).words, sign, m_status); }

    const QList<WhyLine> &m_lines;
    const QList<PythonBlock> &m_blocks;
    const QList<WhySign> &m_signs;
    const bool m_many;
    const qsizetype m_begin;
    const std::optional<int> m_status;
};

int RootSearch::written(qsizetype from, qsizetype to, int most) const
{
    int count = 0;
    auto sign = std::lower_bound(
        m_signs.cbegin(), m_signs.cend(), from, [](const WhySign &each, qsizetype line) { return each.last < line; });
    auto block = std::lower_bound(m_blocks.cbegin(), m_blocks.cend(), from,
        [](const PythonBlock &each, qsizetype line) { return each.last < line; });
    for (qsizetype i = from; i < to && count <= most; ++i) {
        while (sign != m_signs.cend() && sign->last < i) {
            ++sign;
        }
        while (block != m_blocks.cend() && block->last < i) {
            ++block;
        }
        if (block != m_blocks.cend() && block->first <= i) {
            i = block->last;
            continue;
        }
        const bool isOfSign = sign != m_signs.cend() && sign->line <= i;
        count += isOfSign || isQuietLine(m_lines.at(i).words) ? 0 : 1;
    }
    return count;
}

// How far before it stands what it goes back to.
int RootSearch::reachOf(const WhySign &sign) const
{
    if (sign.generic) {
        return 15;
    }
    switch (sign.role) {
    case Role::Report:
        return survivedByOthers;
    case Role::Peer:
        return m_many ? survivedByOthers : 300;
    case Role::Abort:
        return m_many ? survivedByOthers : 15;
    case Role::Crash:
    case Role::Cancel:
        return 3;
    default:
        return 0;
    }
}

// The first of what happened at once: nothing else was written between.
qsizetype RootSearch::firstOfGroup(qsizetype index, int gap, bool onlyFatal) const
{
    qsizetype first = index;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &sign = m_signs.at(i);
        if (written(sign.last + 1, m_signs.at(first).line, gap) > gap) {
            break;
        }
        const bool fits = !sign.weak && !sign.generic && levelOf(sign) == levelOf(m_signs.at(index))
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
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && sign.block < 0 && !sign.cause.isEmpty(); --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(first).line, linesOfSame) > linesOfSame) {
            break;
        }
        if (before.weak || before.block >= 0 || before.cause != sign.cause || before.role != sign.role) {
            continue;
        }
        first = i;
        clearest = before.order <= m_signs.at(clearest).order ? i : clearest;
    }
    return clearest;
}

// A failed preparation that what is missing follows from, or -1. Without `linked`, one that may have nothing to do with
// it.
qsizetype RootSearch::preparationOf(qsizetype index, bool linked) const
{
    const WhySign &sign = m_signs.at(index);
    if (sign.after.isEmpty()) {
        return -1;
    }
    // A package that was not installed is missed much later than a file.
    const int reach = sign.cause == "module-missing"_L1 ? 400 : 15;
    qsizetype found = -1;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        // pip and the like warn of what makes them fail.
        const bool counts = !before.weak || (sign.role == Role::Cause && found < 0);
        if (counts && sign.after.contains(before.cause) && (!linked || isLinked(i, index))) {
            if (written(before.last + 1, sign.line, reach) > reach) {
                break;
            }
            found = i;
        }
    }
    if (found < 0) {
        return -1;
    }
    const qsizetype deeper = preparationOf(found, linked);
    return deeper >= 0 && m_signs.at(deeper).cause != sign.cause ? deeper : found;
}

qsizetype RootSearch::explanationOf(qsizetype index, bool *isPreparation) const
{
    const WhySign &sign = m_signs.at(index);
    const int reach = reachOf(sign);
    const int level = levelOf(sign);
    qsizetype best = -1;
    // What ended a program makes it fail in other ways.
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && sign.role != Role::Decisive; --i) {
        if (written(m_signs.at(i).last + 1, sign.line, linesAfterEnd) > linesAfterEnd) {
            break;
        }
        best = m_signs.at(i).role == Role::Decisive && !m_signs.at(i).weak ? i : best;
    }
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && reach > 0; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(best >= 0 ? best : index).line, reach) > reach) {
            break;
        }
        // A scheduler ends the others when a process has crashed. SIGKILL may be how it does so.
        const bool isCrash
            = sign.role == Role::Cancel && before.role == Role::Crash && !before.args.contains("killed"_L1);
        const bool needsFatal
            = (sign.role == Role::Crash || sign.role == Role::Cancel) && before.role != Role::Decisive && !isCrash;
        // Of two reports, the one that knows what failed says more.
        const bool isNamedReport = sign.role == Role::Report && sign.cause.isEmpty() && !before.cause.isEmpty()
            && written(before.last + 1, sign.line, nearLines) <= nearLines;
        if (before.weak || before.generic || (levelOf(before) <= level && !isNamedReport)
            || (needsFatal && !before.fatal) || !mayBeEndOf(i, sign)) {
            continue;
        }
        if (sign.generic && isOutlived(before) && !isGivenUpBy(before, sign)) {
            continue;
        }
        if (best < 0 || levelOf(before) > levelOf(m_signs.at(best))) {
            best = i;
        }
    }
    const bool isCancelled = best >= 0 && m_signs.at(best).role == Role::Cancel;
    if (const qsizetype exit = isCancelled ? exitBefore(best) : -1; exit >= 0 && exit != index) {
        return explanationOf(exit, isPreparation);
    }
    if (best >= 0) {
        const bool isStrongOne = isStrong(m_signs.at(best).role);
        const bool isUncaught = m_signs.at(best).fatal && m_signs.at(best).block >= 0;
        best = firstOfGroup(best, m_many && isStrongOne ? 30 : m_many ? 50 : 3, isUncaught);
    } else if (sign.role == Role::Peer || sign.role == Role::Crash) {
        best = firstOfGroup(index, m_many ? 50 : 3, false);
    } else if (const qsizetype exit = sign.role == Role::Cancel ? exitBefore(index) : -1; exit >= 0) {
        return explanationOf(exit, isPreparation);
    } else if (sign.role == Role::Cancel) {
        best = firstOfGroup(index, linesAfterEnd, false);
    } else if (sign.cause == "time-limit"_L1 && m_many) {
        best = rankBefore(index);
    } else if (sign.fatal && sign.block < 0 && isStrong(sign.role)) {
        best = tracebackBefore(index);
    } else if (m_many && sign.role != Role::Report && sign.fatal && sign.block >= 0) {
        best = firstOfGroup(index, 3, true);
    }
    if (best < 0 && sign.generic) {
        best = firstOfWords(index);
    }
    if (best < 0 && sign.role == Role::Report && sign.cause.isEmpty()) {
        best = wordsBefore(index);
    }
    if (best < 0 && sign.role == Role::Missing && sign.block < 0) {
        best = failedBefore(index);
    }
    const qsizetype from = clearestOf(best >= 0 ? best : index);
    qsizetype preparation = preparationOf(from);
    preparation = preparation < 0 && best < 0 ? preparationOf(index) : preparation;
    // What reports the end of a build stands on both sides of it, and is not what it follows from.
    if (preparation >= 0 && sign.role == Role::Report && m_signs.at(preparation).cause == sign.cause) {
        preparation = -1;
    }
    *isPreparation = preparation >= 0 || (best >= 0 && isStrong(sign.role) && sign.block < 0);
    return preparation >= 0 ? preparation : from;
}

// What a process said right before a launcher reports it, in words of its own; or -1. A tool that goes on after an
// error points back to it in its last line.
qsizetype RootSearch::wordsBefore(qsizetype index) const
{
    const bool pointsBack = m_lines.at(m_signs.at(index).line).words.indexOf("(see previous errors)") >= 0;
    const int most = pointsBack ? survivedByOthers : linesAfterEnd;
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

// Of several errors in words of the program's own, one after another, the first one; or -1.
qsizetype RootSearch::firstOfWords(qsizetype index) const
{
    qsizetype first = -1;
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && m_signs.at(i).generic; --i) {
        if (written(m_signs.at(i).last + 1, m_signs.at(first >= 0 ? first : index).line, linesOfSame) > linesOfSame) {
            break;
        }
        first = m_signs.at(i).weak ? first : i;
    }
    return first;
}

// When a rank has failed, the others may wait for it until the time is over: the rank, or -1.
qsizetype RootSearch::rankBefore(qsizetype index) const
{
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, linesOfSame) > linesOfSame) {
            return -1;
        }
        if (before.block >= 0 && before.fatal && isStrong(before.role)) {
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
    if (before.block < 0 || !before.fatal || !isStrong(before.role) || before.line < m_begin) {
        return -1;
    }
    // What another program writes next looks like more of a message.
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
        if (written(before.last + 1, m_signs.at(found >= 0 ? found : index).line, linesAfterEnd) > linesAfterEnd) {
            break;
        }
        if (before.role == Role::Report && before.cause.isEmpty() && reportsOwnExit(m_lines.at(before.line).words)) {
            found = i;
        }
    }
    return found;
}

// Of the end of a program, the traceback of another one right before it; or -1.
qsizetype RootSearch::deathBefore(qsizetype index) const
{
    const qsizetype before = index - 1;
    const bool isNear = before >= 0 && m_signs.at(before).block >= 0 && m_signs.at(before).line >= m_begin
        && written(m_signs.at(before).last + 1, m_signs.at(index).line, nearLines) <= nearLines;
    return isNear && !mayBeEndOf(before, m_signs.at(index)) ? before : -1;
}

// A script that goes on after its program has failed misses what that should have left: the program, or -1.
qsizetype RootSearch::failedBefore(qsizetype index) const
{
    for (qsizetype i = index - 1, end = firstStep(index); i >= end; --i) {
        const WhySign &before = m_signs.at(i);
        if (written(before.last + 1, m_signs.at(index).line, nearLines) > nearLines) {
            return -1;
        }
        if (!before.weak && ((before.block >= 0 && before.fatal) || before.role == Role::Crash)) {
            bool isPreparation = false;
            return explanationOf(i, &isPreparation);
        }
    }
    return -1;
}

WhyRoot RootSearch::root()
{
    constexpr int lastSignal = 128 + 64;
    const bool isSignal = m_status && ((*m_status > 128 && *m_status <= lastSignal) || *m_status < 0);
    const int most = isSignal ? survivedBySignal : m_many ? survivedInCompany : survivedAfter;
    qsizetype last = -1;
    for (qsizetype i = m_signs.size() - 1, end = firstStep(m_signs.size()); i >= end; --i) {
        const WhySign &sign = m_signs.at(i);
        // Beside a signal, what only looks like an error says nothing.
        if (sign.weak || (sign.generic && isSignal)) {
            continue;
        }
        if (written(sign.last + 1, m_lines.size(), most) > most) {
            break;
        }
        // A small tool says one thing and ends: a script that has gone on since has not failed by that.
        if (isOfSmallTool(m_lines.at(sign.line).words)
            && written(sign.last + 1, m_lines.size(), nearLines) > nearLines) {
            continue;
        }
        // Something of no known kind is left for what is known, and what was only logged for what ended the program.
        const bool isKnown = !sign.generic && (last < 0 || mayLeadTo(sign, m_signs.at(last)));
        const bool isBetter = last < 0 || (m_signs.at(last).generic && isKnown)
            || (m_signs.at(last).survived && !sign.survived && sign.fatal);
        last = isBetter ? i : last;
        if (!sign.generic && !sign.survived) {
            break;
        }
    }
    WhyRoot result;
    if (last < 0) {
        return result;
    }
    result.sign = explanationOf(last, &result.explains);
    const qsizetype end = m_signs.at(result.sign).last + 1;
    // What another line reports may stand far before it.
    result.isNear = result.sign != last || written(end, m_lines.size(), nearLines) <= nearLines;
    const bool isMissing = m_signs.at(result.sign).role == Role::Missing;
    result.earlier = isMissing && result.sign == last ? preparationOf(last, false) : -1;
    const WhySign &found = m_signs.at(result.sign);
    if (const qsizetype death = result.earlier < 0 ? deathBefore(result.sign) : -1; death >= 0) {
        result.earlier = death;
        result.mayFollow = endedAfter(m_blocks.at(m_signs.at(death).block), m_lines, found) == DyingProgram::Unknown;
    }
    const bool isOfShell = found.cause == "shell-error"_L1 && found.generic && written(end, m_lines.size(), 0) > 0;
    constexpr int linesAfterMissing = 2; // a tool that misses a file says so in one line
    const bool isOfTool = found.role == Role::Missing && found.block < 0
        && written(end, m_lines.size(), linesAfterMissing) > linesAfterMissing;
    result.isOutlived = result.sign == last
        && (isOfShell || isOfTool || (!m_many && !result.isNear && found.role != Role::Report) || isOutlived(found));
    return result;
}

} // namespace

WhyRoot rootOf(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs, qsizetype begin,
    std::optional<int> status)
{
    return RootSearch(lines, blocks, signs, begin, status).root();
}

} // namespace trainyard::core
