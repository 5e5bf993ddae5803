// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hosthistory.h"
#include "engine/contract/messages.h"

#include <QHash>
#include <QMap>

#include <deque>

namespace trainyard
{

// The samples of one host, averaged minute by minute over the last hour. Pure: the caller passes times in steady
// milliseconds, so that setting the clock leaves no gap.
class HostHistory
{
public:
    static constexpr int steps = 60;
    static constexpr qint64 stepMs = 60 * 1000;

    void note(const contract::Sample &sample, qint64 steadyMs);
    // The newest step is the present one.
    api::HostHistory told(const QString &host, qint64 steadyMs) const;

private:
    struct Average {
        double sum = 0;
        int count = 0;
        void add(double percent);
        double value() const { return count > 0 ? sum / count : -1; }
    };
    struct Step {
        qint64 number = 0; // since the beginning of the steady clock
        Average cpu, memory;
        QHash<QString, Average> gpus; // by uuid
    };
    std::deque<Step> m_steps; // the oldest first; steps without a sample are missing
};

} // namespace trainyard
