// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyroot.h"

#include "engine/core/why/errorwords.h"
#include "engine/core/why/rootsearch.h"
#include "engine/core/why/workwords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

// After this many lines of its own, the program has survived what it said there.
constexpr int survivedAfter = 100;
constexpr int survivedBySignal = 20;
constexpr int survivedInCompany = 300; // other processes write on for a while

} // namespace

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

// How far before a sign its reason may stand.
int RootSearch::reachOf(const WhySign &sign) const
{
    if (sign.generic) {
        return 15;
    }
    switch (sign.role) {
    case Role::Report:
        return rootlines::survivedByOthers;
    case Role::Peer:
        return m_many ? rootlines::survivedByOthers : 300;
    case Role::Abort:
        return m_many ? rootlines::survivedByOthers : 15;
    case Role::Crash:
    case Role::Cancel:
        return 3;
    default:
        return 0;
    }
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
        // pip and similar tools warn about what makes them fail.
        const bool counts = (!before.isTold || before.weak)
            && (before.isOfIgnored ? linked : !before.weak || (sign.role == Role::Cause && found < 0));
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
    // Whatever ended a program also makes it fail in other ways.
    for (qsizetype i = index - 1, end = firstStep(index); i >= end && sign.role != Role::Decisive; --i) {
        if (written(m_signs.at(i).last + 1, sign.line, rootlines::afterEnd) > rootlines::afterEnd) {
            break;
        }
        best = isEndBefore(m_signs.at(i), sign) ? i : best;
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
        // A report that names what failed says more than one that does not.
        const bool isNamedReport = sign.role == Role::Report && sign.cause.isEmpty() && !before.cause.isEmpty()
            && written(before.last + 1, sign.line, rootlines::near) <= rootlines::near;
        // Right before a step is cancelled, an error in words is why its task ended.
        const bool isLastWord = sign.role == Role::Cancel && before.role == Role::Cause && before.block < 0
            && !before.isTold && m_signs.at(i).last < sign.line && written(before.last + 1, sign.line, 0) == 0
            && isErrorForm(m_lines.at(before.line).words);
        if (before.weak || before.generic || (levelOf(before) <= level && !isNamedReport)
            || (needsFatal && !before.fatal && !isLastWord) || !mayBeEndOf(i, sign)) {
            continue;
        }
        if (sign.generic && (isOutlived(before) || isHandled(before)) && !isGivenUpBy(before, sign)) {
            continue;
        }
        if (isLeftBehind(before, sign)
            || (sign.generic && isToldLongBefore(before, sign) && !isGivenUpBy(before, sign))) {
            continue;
        }
        if (best < 0 || levelOf(before) > levelOf(m_signs.at(best))) {
            best = i;
        }
    }
    bool isOfOther = false;
    const bool isCancelled = best >= 0 && m_signs.at(best).role == Role::Cancel;
    if (const qsizetype exit = isCancelled ? exitBefore(best) : -1; exit >= 0 && exit != index) {
        return explanationOf(exit, isPreparation);
    }
    if (best >= 0) {
        const bool isStrongOne = isStrong(m_signs.at(best).role);
        const bool isUncaught = m_signs.at(best).fatal && m_signs.at(best).block >= 0;
        // One process ends with the last of its exceptions.
        const bool isLastOfOne = isUncaught && !m_many && sign.role == Role::Report;
        best = isLastOfOne ? best : firstOfGroup(best, m_many && isStrongOne ? 30 : m_many ? 50 : 3, isUncaught);
    } else if (sign.role == Role::Peer || sign.role == Role::Crash) {
        best = firstOfGroup(index, m_many ? 50 : 3, false);
    } else if (const qsizetype exit = sign.role == Role::Cancel ? exitBefore(index) : -1; exit >= 0) {
        return explanationOf(exit, isPreparation);
    } else if (sign.role == Role::Cancel) {
        best = firstOfGroup(index, rootlines::afterEnd, false);
    } else if (sign.cause == "time-limit"_L1 && m_many) {
        best = rankBefore(index);
    } else if (sign.fatal && sign.block < 0 && isStrong(sign.role)) {
        best = tracebackBefore(index);
    } else if (const qsizetype other = otherBefore(index); other >= 0) {
        best = other;
        isOfOther = true;
    } else if (m_many && sign.role != Role::Report && sign.fatal && sign.block >= 0) {
        best = firstOfGroup(index, 3, true);
    }
    const qsizetype abort = best < 0 && sign.role == Role::Abort ? index
        : best >= 0 && m_signs.at(best).role == Role::Abort      ? best
                                                                 : -1;
    if (const qsizetype logged = abort >= 0 ? fatalLogBefore(abort) : -1; logged >= 0) {
        best = logged;
    }
    if (const qsizetype other = best >= 0 && !isOfOther && sign.role == Role::Report ? otherBefore(best) : -1;
        other >= 0) {
        best = other;
        isOfOther = true;
    }
    if (best < 0 && sign.generic) {
        best = firstOfWords(index);
    }
    if (best < 0 && sign.role == Role::Report && sign.cause.isEmpty()) {
        const qsizetype first = firstReport(index);
        best = wordsBefore(index);
        best = best < 0 ? wordsBefore(first) : best;
        // Of several reports, one that calls itself an error names what failed.
        const bool isNamed
            = best < 0 && first != index && m_lines.at(m_signs.at(first).line).words.startsWith("Error ");
        best = isNamed ? first : best;
    }
    if (best < 0 && sign.role == Role::Missing && sign.block < 0) {
        best = failedBefore(index);
    }
    const qsizetype from = clearestOf(best >= 0 ? best : index);
    if (const qsizetype cancel = cancelBefore(from); cancel >= 0) {
        return explanationOf(cancel, isPreparation);
    }
    qsizetype preparation = preparationOf(from);
    preparation = preparation < 0 && best < 0 ? preparationOf(index) : preparation;
    // What reports the end of a build stands on both sides of it, and is not what it follows from.
    if (preparation >= 0 && sign.role == Role::Report && m_signs.at(preparation).cause == sign.cause) {
        preparation = -1;
    }
    *isPreparation = preparation >= 0 || isOfOther || (best >= 0 && isStrong(sign.role) && sign.block < 0);
    return preparation >= 0 ? preparation : from;
}

// Whether the program names the status with which it ends, so that no signal has ended it: "forrtl: severe (151): ...".
bool RootSearch::isStatusNamed() const
{
    const QByteArray named = "forrtl: severe (" + QByteArray::number(m_status.value_or(0)) + "): ";
    return std::any_of(m_signs.cbegin(), m_signs.cend(),
        [&](const WhySign &sign) { return m_lines.at(sign.line).words.startsWith(named); });
}

WhyRoot RootSearch::root()
{
    constexpr int lastSignal = 128 + 64;
    const bool isSignal
        = m_status && ((*m_status > 128 && *m_status <= lastSignal) || *m_status < 0) && !isStatusNamed();
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
        if (isOnlyShown(sign) || isRecoveredFrom(sign, m_lines.size())) {
            continue;
        }
        // A small tool says one thing and ends: a script that has gone on since has not failed by that.
        if (isOfSmallTool(m_lines.at(sign.line).words)
            && written(sign.last + 1, m_lines.size(), rootlines::near) > rootlines::near) {
            continue;
        }
        if ((isSignal || isOutlived(sign)) && isCalledTool(sign) && goesOnAfter(sign, m_lines.size(), 1)) {
            continue;
        }
        if (isHarmlessTool(m_lines.at(sign.line).words) && (isOutlived(sign) || goesOnAfter(sign, m_lines.size()))) {
            continue;
        }
        // A sign of an unknown kind gives way to a known one, and one that was only logged to one that ended the
        // program.
        const bool isKnown = !sign.generic && (last < 0 || mayLeadTo(sign, m_signs.at(last)));
        const bool isBetter = last < 0 || (m_signs.at(last).generic && isKnown)
            || (m_signs.at(last).survived && !sign.survived && sign.fatal && !wasSurvived(i, last));
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
    // What another line reports may precede it by far.
    result.isNear = result.sign != last || written(end, m_lines.size(), rootlines::near) <= rootlines::near;
    const bool isMissing = m_signs.at(result.sign).role == Role::Missing;
    result.earlier = isMissing && result.sign == last ? preparationOf(last, false) : -1;
    const WhySign &found = m_signs.at(result.sign);
    if (const qsizetype crash = result.earlier < 0 && !m_many ? crashBefore(result.sign) : -1; crash >= 0) {
        result.earlier = crash;
        result.mayFollow = true;
    }
    if (const qsizetype death = result.earlier < 0 ? deathBefore(result.sign) : -1; death >= 0) {
        result.earlier = death;
        result.mayFollow = endedAfter(m_blocks.at(m_signs.at(death).block), m_lines, found) == DyingProgram::Unknown;
    }
    result.isOtherEnd = isOtherEnd(result.sign, last);
    const bool isLast = result.sign == last && found.role != Role::Decisive;
    const bool isAlone = isLast && !m_many;
    result.told = isLast ? toldBehind(found) : 0;
    constexpr int lateLines = 1; // of standard output, which may come behind an error
    const bool saidMore = isLast && found.block >= 0 && result.told > lateLines;
    // A tool that a script calls is not the program whose work goes on.
    const bool isOfScript = found.block < 0 && !found.fatal && !found.isThrown && isStrong(found.role);
    const bool goesOn = goesOnBetween(m_lines, end, m_lines.size(), isOfScript ? 1 : stepsOfWork)
        || (isOutlived(found) && written(end, m_lines.size(), 0) > 0);
    // Its parent goes on without a process, and may end for another reason.
    const bool isOfChild = found.block >= 0 && m_blocks.at(found.block).context == PythonBlock::Context::Child;
    // The work that went on until a report may be what the program had kept back when it ended, or that of a later run.
    const bool wasLeft = !isLast && found.role != Role::Decisive && m_lines.at(found.line).stream.isEmpty()
        && goesOnBetween(m_lines, end, m_signs.at(last).line);
    const bool wentOn = !m_many && found.role != Role::Decisive && m_signs.at(last).role != Role::Report
        && goesOnBetween(m_lines, m_signs.at(last).last + 1, m_lines.size());
    const bool isOfEarlier
        = isRestartedBetween(m_lines, end, result.sign == last ? m_lines.size() : m_signs.at(last).line);
    result.mayBeSurvived = result.isOtherEnd || saidMore || wasLeft || wentOn || isOfEarlier || isLoggedOver(found)
        || (isLast && isOutlived(found)) || (result.sign == last && !m_many && isOtherDeath(found))
        || (isAlone && (isOfChild || goesOn));
    const bool isOfShell = found.cause == "shell-error"_L1 && found.generic && written(end, m_lines.size(), 0) > 0;
    constexpr int linesAfterMissing = 2; // a tool that misses a file says so in one line
    const bool isOfTool = found.role == Role::Missing && found.block < 0
        && written(end, m_lines.size(), linesAfterMissing) > linesAfterMissing;
    result.isOutlived = result.sign == last
        && (isOfShell || isOfTool || (!m_many && !result.isNear && found.role != Role::Report) || isOutlived(found)
            || (result.isOtherEnd && saidMore) || (goesOn && isLeftBehindByWords(found))
            || (!m_many
                && (found.isTold || (found.survived && (goesOn || isLoggedOver(found)))
                    || (isCalledTool(found) && goesOnAfter(found, m_lines.size())))));
    return result;
}

WhyRoot rootOf(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs, qsizetype begin,
    std::optional<int> status)
{
    const RootSearch all(lines, blocks, signs, begin, status);
    QList<qsizetype> kept;
    WhySigns rest;
    for (qsizetype i = 0; i < signs.all.size(); ++i) {
        if (!all.isOnlyTold(i)) {
            kept.append(i);
            rest.all.append(signs.all.at(i));
        }
    }
    rest.hasManyProcesses = signs.hasManyProcesses;
    WhyRoot result = RootSearch(lines, blocks, rest, begin, status).root();
    for (qsizetype *sign : {&result.sign, &result.earlier}) {
        *sign = *sign < 0 ? *sign : kept.at(*sign);
    }
    return result;
}

} // namespace trainyard::core
