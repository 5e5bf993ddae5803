// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axisticks.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr double tickSlack = 1e-9; // of a step, by which a tick may lie outside
constexpr qsizetype mostTicks = 200;

double roundStep(double exact, bool isWhole)
{
    const double power = std::pow(10, std::floor(std::log10(exact)));
    double nearest = 1;
    for (const double mantissa : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        if (std::abs(mantissa - exact / power) < std::abs(nearest - exact / power)) {
            nearest = mantissa;
        }
    }
    const double step = nearest * power;
    return !isWhole || step == std::round(step) ? step : step < 1 ? 1 : std::floor(step);
}

QList<double> evenTicks(double low, double high, int count, bool isWhole)
{
    const double step = roundStep((high - low) / count, isWhole);
    QList<double> ticks;
    for (double i = std::ceil(low / step - tickSlack); i * step <= high + tickSlack * step && ticks.size() < mostTicks;
         ++i) {
        ticks.append(i * step);
    }
    return ticks;
}

QList<double> ticksOfDecades(double low, double high, int every, std::initializer_list<double> mantissas)
{
    QList<double> ticks;
    const int first = int(std::floor(std::log10(low))), last = int(std::ceil(std::log10(high)));
    for (int decade = first; decade <= last; ++decade) {
        for (const double mantissa : mantissas) {
            const double tick = mantissa * std::pow(10, decade);
            if (decade % every == 0 && tick >= low * (1 - tickSlack) && tick <= high * (1 + tickSlack)) {
                ticks.append(tick);
            }
        }
    }
    return ticks;
}

QList<double> logTicks(double low, double high, int count)
{
    constexpr int fewDecades = 3;
    constexpr qsizetype enough = 3;
    const double decades = std::log10(high / low);
    if (decades >= fewDecades) {
        return ticksOfDecades(low, high, std::max(1, int(std::ceil(decades / (count + 2)))), {1});
    }
    const QList<double> ticks = ticksOfDecades(low, high, 1, {1, 2, 5});
    return ticks.size() < enough && decades < 1 ? evenTicks(low, high, count, false) : ticks;
}

} // namespace

QList<double> axisTicks(double low, double high, int count, AxisNumbers numbers)
{
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) {
        return {};
    }
    if (numbers == AxisNumbers::Log && low > 0) {
        return logTicks(low, high, count);
    }
    constexpr double near = 2;
    const bool isWhole = numbers == AxisNumbers::Whole || (numbers == AxisNumbers::WholeFromAfar && high - low > near);
    return evenTicks(low, high, count, isWhole);
}

QString axisLabel(double tick, double step)
{
    constexpr int fewest = 6, most = 15;
    constexpr double near = 1e-4; // of the way to the next tick, which the user does not see
    if (std::abs(tick) < near * step && std::isfinite(step)) {
        return QStringLiteral("0"); // but for rounding
    }
    const double reach = near * std::min(step, std::abs(tick));
    for (int digits = fewest; digits < most; ++digits) {
        const QString text = QString::number(tick, 'g', digits);
        if (std::abs(text.toDouble() - tick) <= reach) {
            return tick == std::round(tick) && std::abs(tick) < 1e9 ? QString::number(tick, 'f', 0) : text;
        }
    }
    return QString::number(tick, 'g', most);
}

std::pair<double, double> valueRange(double low, double high, bool isLog)
{
    constexpr double share = 0.05, aroundConstant = 0.1;
    const bool isConstant = high - low <= tickSlack * std::max(std::abs(low), std::abs(high));
    if (isLog) {
        const double margin = isConstant ? 1 + aroundConstant : std::max(std::pow(high / low, share), 1 + share);
        return {low / margin, high * margin};
    }
    const double margin = !isConstant ? (high - low) * 0.06 : high != 0 ? std::abs(high) * aroundConstant : 1;
    return {low - margin, high + margin};
}

} // namespace trainyard
