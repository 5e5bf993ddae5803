// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

#include <QList>
#include <QString>

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard
{

// When a try of a task printed its first value that counts.
struct TryBegin {
    int attempt = 0, number = 0; // from 0: of the job, and of the task in that attempt
    qint64 time = 0; // ms UTC
    friend bool operator==(const TryBegin &, const TryBegin &) = default;
};

// One line of a plot.
struct CurveLine {
    QString label; // of the task
    int look = 0; // colour and dash (widgets/common/tokens.h)
    const series::Series *series = nullptr;
    bool hasSteps = true; // otherwise the series has only times
    // Where the axis of time begins for this line, ms UTC; nothing: where it begins for all.
    std::optional<qint64> start = {};
    // The edges of a band around it: of several series, of which the line is the mean.
    const series::Series *low = nullptr, *high = nullptr;
    QString title = {}; // in a picture, which has no tool tips; empty: its label
    QList<TryBegin> tries = {}; // in their order, over which it goes on
};

// A remark about a metric, at its position on the axis.
struct CurveMark {
    std::optional<double> step;
    qint64 time = 0; // ms UTC
    QString text;
    friend bool operator==(const CurveMark &, const CurveMark &) = default;
};

enum class CurveAlong { Step, Epoch, Time };

// How all plots of a page are drawn.
struct CurveLook {
    CurveAlong along = CurveAlong::Step;
    qint64 start = 0; // ms UTC, where the axis of time begins
    double smoothing = 0; // the weight of what was before, from 0 up to, and without, 1
    bool isLog = false; // the axis of values
    friend bool operator==(const CurveLook &, const CurveLook &) = default;
};

// Whether it goes on by parts of a step: Hugging Face names no steps, but the part of an epoch that has been trained.
inline bool goesByParts(const CurveLine &line)
{
    const std::size_t count = line.series ? line.series->size() : 0;
    const auto isPart = [&line](std::size_t index) {
        const double x = line.series->at(index).x;
        return std::isfinite(x) && x != std::round(x);
    };
    return count > 0 && line.hasSteps && (isPart(0) || isPart(count / 2) || isPart(count - 1));
}

// For a slider whose position goes from 0 to 1: most useful values are near 1.
inline double smoothingAt(double place) { return place <= 0 ? 0 : std::min(0.999, 1 - (1 - place) * (1 - place)); }

// The position of a point on the axis: its step or epoch, or seconds since the start.
inline double placeOf(const series::Point &point, const CurveLook &look)
{
    return look.along == CurveAlong::Time ? double(point.time - look.start) / 1000 : point.x;
}

inline double placeOf(const CurveLine &line, const series::Point &point, const CurveLook &look)
{
    return look.along == CurveAlong::Time ? double(point.time - line.start.value_or(look.start)) / 1000 : point.x;
}

} // namespace trainyard
