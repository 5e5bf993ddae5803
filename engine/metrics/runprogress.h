// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <optional>

namespace trainyard::metrics
{

// The progress of a whole run: the epochs that are done and the part of the present one, where the output counts
// both. What the output shows last is only the inner count.
class RunProgress
{
public:
    // What is counted within an epoch.
    struct Inner {
        double at = 0, total = 0;
        std::optional<double> secondsLeft;
        bool isNamed = false; // the same line names the epoch, or the form of the bar is that of an epoch
        bool isBar = false;
        bool isOfEvaluation = false;
    };
    void begin(double epoch, double total); // a line about an epoch, without a count in it
    void inside(double epoch, double total, const Inner &inner, const Progress &shown);
    // The same where nothing says how many epochs there are: the whole is known only if the count goes through it.
    void insideOfUnknown(double epoch, const Inner &inner, const Progress &shown);
    void beforeEpochs(const Inner &inner); // no epoch has been named
    // A bar that counts the epochs that are done.
    void count(double done, double total, std::optional<double> secondsLeft);
    void show(const Progress &shown) { m_progress = shown; } // the output itself tells it of the whole

    bool knowsInner() const { return m_last.has_value(); }
    bool isPartOfUnknown() const { return m_isPartOfUnknown; } // what is counted is inside one of the epochs
    const Progress &progress() const { return m_progress; }

private:
    struct Last {
        double at = 0, total = 0, done = 0;
        std::optional<double> secondsLeft;
    };
    double doneBefore(double epoch, double &total, bool isNamed);
    void goTo(double done, std::optional<double> total);
    bool isOfWholeRun(double done, double total, const Inner &inner);
    void noteLast(double done, const Inner &inner);
    bool notePart(const Inner &inner);
    static double partOf(const Inner &inner);
    void noteTimeLeft(double done, const Inner &inner);
    bool isBelowLonger(double done, const Inner &inner) const;

    Progress m_progress;
    std::optional<double> m_done, m_total; // epochs
    double m_part = 0; // of the present epoch
    std::optional<double> m_innerTotal; // of what counts in the present epoch: others are parts of it
    std::optional<Last> m_last; // the newest inner count
    std::optional<double> m_wholeTotal; // a count with this total goes through the whole run
    std::optional<double> m_insideTotal; // one with this total surely does not
    double m_base = 1; // the number of the first epoch
    bool m_hasOneMore = false; // counted from 0 up to and with the total
    std::optional<double> m_countedDone; // by count()
    bool m_isPartOfUnknown = false;
    bool m_hasParts = false; // epochs are told with their part, so that a count beside them need not be inside
    bool m_isTimeOfWhole = false; // the time left that stands beside the count of an epoch
};

} // namespace trainyard::metrics
