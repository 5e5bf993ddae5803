// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/runprogress.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

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

void RunProgress::goTo(double done, double total)
{
    if (done != m_done || total != m_total) {
        m_part = 0;
        m_innerTotal.reset();
    }
    if (done < m_done) { // another training
        m_wholeTotal.reset();
        m_last.reset();
    }
    m_done = done;
    m_total = total;
    m_progress.fraction = std::clamp((done + m_part) / total, 0.0, 1.0);
    m_progress.secondsLeft.reset();
}

void RunProgress::begin(double epoch, double total)
{
    if (epoch != std::floor(epoch)) { // tells the part of the epoch by itself
        show({std::clamp(epoch / total, 0.0, 1.0), std::nullopt});
        return;
    }
    const double done = doneBefore(epoch, total, true);
    goTo(done, total);
}

void RunProgress::count(double done, double total, std::optional<double> secondsLeft)
{
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
    // An evaluation between two steps of a longer count does not end it.
    if (!inner.isOfEvaluation && (!m_last || m_last->total == inner.total || done > m_last->done)) {
        m_last = {inner.at, inner.total, done};
    }
    return !isSure && (m_wholeTotal == inner.total || mayCountEpochs);
}

void RunProgress::inside(double epoch, double total, const Inner &inner, const Progress &shown)
{
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
    if (inner.isOfEvaluation || (m_innerTotal && *m_innerTotal != inner.total)) {
        return; // another part of the epoch, which has no share of its own
    }
    m_innerTotal = inner.total;
    const double part = std::clamp(inner.at / inner.total, 0.0, 1.0);
    m_part = std::max(m_part, part);
    m_progress.fraction = std::clamp((done + m_part) / total, 0.0, 1.0);
    if (inner.secondsLeft && part == m_part && part < 1) { // the other epochs take as long as this one
        const double epochs = std::max(0.0, total - done - 1);
        m_progress.secondsLeft = *inner.secondsLeft * (1 + epochs / (1 - part));
    }
}

} // namespace trainyard::metrics
