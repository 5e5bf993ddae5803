// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/runprogress.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::metrics
{

double RunProgress::partOf(const Inner &inner) { return std::clamp(inner.at / inner.total, 0.0, 1.0); }

// How many epochs are over while this one runs. The first one is the 0th or the 1st.
double RunProgress::doneBefore(double epoch, double &total, bool isNamed)
{
    if (!isNamed && m_countedDone == epoch) {
        return epoch;
    }
    m_base = epoch < 1 ? 0 : m_base;
    m_hasOneMore = m_base == 0 && (m_hasOneMore || epoch >= total); // "Epoch 9/9" of ten
    total += m_hasOneMore ? 1 : 0;
    return epoch - m_base;
}

void RunProgress::goTo(double done, std::optional<double> total)
{
    if (done != m_done || (m_total && total != m_total)) {
        m_part = 0;
        m_innerTotal.reset();
    }
    if (done < m_done) { // another training
        m_wholeTotal.reset();
        m_last.reset();
    }
    m_done = done;
    m_total = total;
    m_progress = {};
    if (total) {
        m_progress.fraction = std::clamp((done + m_part) / *total, 0.0, 1.0);
    }
}

void RunProgress::begin(double epoch, double total)
{
    m_isPartOfUnknown = false;
    if (epoch != std::floor(epoch)) { // tells the part of the epoch by itself
        show({std::clamp(epoch / total, 0.0, 1.0), std::nullopt});
        return;
    }
    const double done = doneBefore(epoch, total, true);
    goTo(done, total);
}

void RunProgress::count(double done, double total, std::optional<double> secondsLeft)
{
    m_isPartOfUnknown = false;
    m_countedDone = done;
    goTo(done, total);
    m_progress.secondsLeft = m_part > 0 ? std::nullopt : secondsLeft;
}

// What goes on when an epoch ends counts the steps of all epochs, or these themselves.
bool RunProgress::isOfWholeRun(double done, double total, const Inner &inner)
{
    const bool isSure = inner.isNamed && inner.isBar;
    // Where the same count stood in an earlier epoch.
    const bool hasGoneOn = m_last && m_last->total == inner.total && done > m_last->done;
    if (hasGoneOn && !isSure) {
        const bool goesOn = inner.at > m_last->at && m_last->at < inner.total;
        m_wholeTotal = goesOn ? std::optional(inner.total) : std::nullopt;
    }
    if (inner.at > done + 1) {
        m_insideTotal = inner.total;
    }
    const bool mayCountEpochs = !inner.isNamed && inner.isBar && inner.total == total && m_insideTotal != inner.total;
    noteLast(done, inner);
    return !isSure && (m_wholeTotal == inner.total || mayCountEpochs);
}

void RunProgress::noteLast(double done, const Inner &inner)
{
    // An evaluation between two steps of a longer count does not end it.
    if (!inner.isOfEvaluation && (!m_last || m_last->total == inner.total || done > m_last->done)) {
        m_last = {inner.at, inner.total, done, inner.secondsLeft};
    }
}

void RunProgress::beforeEpochs(const Inner &inner) { noteLast(-1, inner); }

// Whether the count is that of the epoch: another part of it, such as an evaluation, has no share of its own.
bool RunProgress::notePart(const Inner &inner)
{
    if (inner.isOfEvaluation || (m_innerTotal && *m_innerTotal != inner.total)) {
        return false;
    }
    m_innerTotal = inner.total;
    m_part = std::max(m_part, partOf(inner));
    return true;
}

// A time that does not start over with the next epoch is that of the whole run.
void RunProgress::noteTimeLeft(double done, const Inner &inner)
{
    constexpr double mostNoise = 1.1; // of an estimate
    if (inner.secondsLeft && !inner.isBar && m_last && m_last->secondsLeft && m_last->total == inner.total
        && done > m_last->done && inner.at < m_last->at) {
        m_isTimeOfWhole = *inner.secondsLeft <= *m_last->secondsLeft * mostNoise;
    }
}

// A bar below a longer one that goes on, such as that of an evaluation between two of its steps.
bool RunProgress::isBelowLonger(double done, const Inner &inner) const
{
    return inner.isBar && !inner.isNamed && m_last && m_last->total > inner.total && m_last->at < m_last->total
        && m_last->done >= done - 1;
}

void RunProgress::insideOfUnknown(double epoch, const Inner &inner, const Progress &shown)
{
    double total = std::numeric_limits<double>::infinity();
    const double done = doneBefore(epoch, total, inner.isNamed);
    m_hasParts = m_hasParts || epoch != std::floor(epoch);
    if (isBelowLonger(done, inner) || (m_wholeTotal && *m_wholeTotal != inner.total && !inner.isNamed)) {
        return;
    }
    noteTimeLeft(done, inner);
    // Drawn again where it stands, it does not tell yet whether it goes on in this epoch.
    const bool isStill = inner.isBar && !inner.isNamed && m_last && m_last->total == inner.total
        && m_last->at == inner.at && inner.at < inner.total;
    const bool isWhole = isStill ? m_wholeTotal == inner.total : isOfWholeRun(done, total, inner);
    m_isPartOfUnknown = !isWhole && !m_hasParts && !isStill;
    if (m_isPartOfUnknown) {
        const std::optional<double> left = inner.isOfEvaluation ? m_progress.secondsLeft : inner.secondsLeft;
        goTo(done, std::nullopt);
        notePart(inner);
        m_progress.secondsLeft = m_isTimeOfWhole ? left : std::nullopt;
    } else if (isWhole || m_hasParts) {
        m_progress = shown;
    }
}

void RunProgress::inside(double epoch, double total, const Inner &inner, const Progress &shown)
{
    m_isPartOfUnknown = false;
    if (!(total > 0) || !(inner.total > 0) || !(epoch >= 0) || epoch != std::floor(epoch) || epoch > total) {
        show(shown);
        return;
    }
    const double done = doneBefore(epoch, total, inner.isNamed);
    if (isOfWholeRun(done, total, inner)) {
        show(shown);
        return;
    }
    if (m_wholeTotal && !inner.isNamed) {
        return; // a part of what the longer count counts
    }
    goTo(done, total);
    if (!notePart(inner)) {
        return;
    }
    m_progress.fraction = std::clamp((done + m_part) / total, 0.0, 1.0);
    if (inner.secondsLeft && partOf(inner) == m_part && m_part < 1) { // the other epochs take as long as this one
        const double epochs = std::max(0.0, total - done - 1);
        m_progress.secondsLeft = *inner.secondsLeft * (1 + epochs / (1 - m_part));
    }
}

} // namespace trainyard::metrics
