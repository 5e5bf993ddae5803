// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/metricpatterns.h"
#include "engine/health/tryhealth.h"
#include "engine/results/progressrate.h"
#include "model/sweep/worserule.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace trainyard
{

// What the output of one try says so far.
struct OutputReading {
    QJsonObject results; // OutputResults::toJson(), of its output and of its files of metrics
    ProgressRate progress;
    QList<HealthMark> health; // without the task: that is the caller's to know
    bool isCaughtUp = false; // all that was there was read
    bool isOver = false; // nothing more comes
    std::optional<qint64> upTo = {}; // while it is not caught up: when what was read last was said, ms UTC
};

// How the output of a try is read.
struct OutputRules {
    MetricPatterns patterns; // what they find counts beside what is recognized
    health::Limits limits;
    std::optional<WorseRule> worse = {}; // what the results have beside the usual, as OutputResults::noteAt()
    QStringList earlier = {}; // folders of the tries before, whose values count up to where this one goes on
};

} // namespace trainyard
