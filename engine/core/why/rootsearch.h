// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whydeaths.h"
#include "engine/core/why/whylinks.h"
#include "engine/core/why/whyroot.h"
#include "engine/core/why/workwords.h"

#include <algorithm>

namespace trainyard::core
{

// The numbers of a program's own lines: what it writes beside its signs.
namespace rootlines
{
inline constexpr int survivedByOthers = 2000; // other processes write on until a launcher reports, or they give up
inline constexpr int near = 10;
inline constexpr int ofSame = 2; // between two lines that say the same
inline constexpr int afterEnd = 5; // what a program says once it was told to end
} // namespace rootlines

inline bool isStrong(FailureCause::Role role)
{
    using Role = FailureCause::Role;
    return role == Role::Missing || role == Role::Cause || role == Role::Decisive;
}

// Missing things are causes like the others until something explains them, and so is an end that is not certain.
inline int levelOf(const WhySign &sign)
{
    using Role = FailureCause::Role;
    const bool isLikeCause = sign.role == Role::Missing || (sign.role == Role::Decisive && sign.likely);
    return sign.generic ? 0 : isLikeCause ? int(Role::Cause) : int(sign.role);
}

// Goes from the last sign of a run back to what that goes back to. Its steps are in whyroot.cpp; what may stand right
// before a sign, and be the reason of it, is looked for in rootneighbours.cpp. Large because each kind of sign that may
// stand before another one has a step of its own, and all steps look at the same lines.
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
    // Whether the program only tells of a sign, which then leads to nothing.
    bool isOnlyTold(qsizetype index) const
    {
        return isOneOfMany(index) || isToldBefore(m_signs.at(index)) || isOtherProgram(m_signs.at(index));
    }

private:
    // How many of the program's own lines stand between two places; counting stops at one more than asked for.
    int written(qsizetype from, qsizetype to, int most) const;
    qsizetype explanationOf(qsizetype index, bool *isPreparation) const;
    qsizetype preparationOf(qsizetype index, bool linked = true) const;
    qsizetype failedBefore(qsizetype index) const;
    qsizetype rankBefore(qsizetype index) const;
    qsizetype tracebackBefore(qsizetype index) const;
    qsizetype deathBefore(qsizetype index) const;
    qsizetype exitBefore(qsizetype index) const;
    // If there are several processes, each may say how one of the others ended.
    bool mayBeEndOf(qsizetype traceback, const WhySign &death) const
    {
        const WhySign &before = m_signs.at(traceback);
        return m_many || before.block < 0 || !before.fatal || canBeEndOf(m_blocks.at(before.block), m_lines, death);
    }
    bool isEndBefore(const WhySign &before, const WhySign &sign) const;
    qsizetype otherBefore(qsizetype index) const;
    qsizetype childBefore(qsizetype index) const;
    qsizetype feederBefore(qsizetype index) const;
    qsizetype crashBefore(qsizetype index) const;
    qsizetype cancelBefore(qsizetype index) const;
    qsizetype fatalLogBefore(qsizetype index) const;
    bool wasSurvived(qsizetype index, qsizetype until) const;
    // Whether the work goes on in the lines that follow a sign, as far as these are looked at.
    bool goesOnAfter(const WhySign &sign, qsizetype until, int enough = stepsOfWork) const
    {
        constexpr qsizetype mostLines = 300;
        return goesOnBetween(m_lines, sign.last + 1, std::min(until, sign.last + 1 + mostLines), enough);
    }
    bool isCalledTool(const WhySign &sign) const
    {
        return sign.block < 0 && !sign.fatal && !sign.isThrown && isStrong(sign.role)
            && sign.role != FailureCause::Role::Decisive && isOfCalledTool(m_lines.at(sign.line).words);
    }
    bool isLeftBehind(const WhySign &before, const WhySign &sign) const;
    bool isOnlyShown(const WhySign &sign) const;
    // Whether the line below an exception says that the program goes another way.
    bool isLeftBehindByWords(const WhySign &sign) const
    {
        return sign.block >= 0 && sign.last + 1 < m_lines.size() && takesOtherWay(m_lines.at(sign.last + 1).words);
    }
    bool isOneOfMany(qsizetype index) const;
    bool isToldBefore(const WhySign &sign) const;
    bool isRecoveredFrom(const WhySign &sign, qsizetype until) const;
    bool isLoggedOver(const WhySign &sign) const;
    int toldBehind(const WhySign &sign) const;
    bool isOtherEnd(qsizetype index, qsizetype last) const;
    bool isOtherDeath(const WhySign &sign) const;
    bool isOtherProgram(const WhySign &sign) const;
    qsizetype firstOfWords(qsizetype index) const;
    qsizetype firstReport(qsizetype index) const;
    qsizetype wordsBefore(qsizetype index) const;
    qsizetype clearestOf(qsizetype index) const;
    // The first sign of the run that is near enough to be looked at from this one.
    qsizetype firstStep(qsizetype index) const
    {
        constexpr qsizetype mostSteps = 500;
        qsizetype first = std::max<qsizetype>(0, index - mostSteps);
        while (first < index && m_signs.at(first).line < m_begin) {
            ++first;
        }
        return first;
    }
    bool isStatusNamed() const;
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
    // Whether the program may only tell of a sign, and words of its own do not follow right after it.
    bool isToldLongBefore(const WhySign &before, const WhySign &words) const
    {
        return before.isTold && !m_many && written(before.last + 1, words.line, rootlines::ofSame) > rootlines::ofSame;
    }
    // Whether words of a program can follow from what is known of a sign before them: it did not go on meanwhile.
    bool mayLeadTo(const WhySign &before, const WhySign &words) const
    {
        if (isOutlived(before) || isHandled(before) || isToldLongBefore(before, words)) {
            return isGivenUpBy(before, words);
        }
        return m_many || isGivingUp(m_lines.at(words.line).words)
            || written(before.last + 1, words.line, rootlines::near) <= rootlines::near;
    }
    bool isOutlived(const WhySign &sign) const { return endsOtherwise(m_lines.at(sign.line).words, sign, m_status); }

    // Whether the run ended by itself with another status than Python's after an exception that nothing handled.
    bool isHandled(const WhySign &sign) const
    {
        constexpr int ofPython = 1, lastOwnStatus = 122, ofMinusOne = 255; // 123: of xargs
        const int status = m_status.value_or(ofPython);
        return sign.block >= 0 && !m_many && status > ofPython && (status <= lastOwnStatus || status == ofMinusOne);
    }

    const QList<WhyLine> &m_lines;
    const QList<PythonBlock> &m_blocks;
    const QList<WhySign> &m_signs;
    const bool m_many;
    const qsizetype m_begin;
    const std::optional<int> m_status;
};

} // namespace trainyard::core
