// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/valuescale.h"

#include "widgets/common/naturalorder.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr double logDecades = 1.4; // from which on an axis is logarithmic
constexpr double chosenDecades = 1; // likewise, for values that a user has chosen and not spaced evenly
constexpr double evenness = 0.04; // of a step: by how much those differ that were meant to be equal, and were rounded
constexpr qsizetype fewNumbers = 6; // that are marked themselves
constexpr double outlierFence = 3; // spans of the middle half, from it to what counts as far outside

std::optional<double> axisNumber(const QString &value)
{
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// Whether the sorted numbers, all different, have equal distances. For two, this is not known.
bool isEven(const QList<double> &sorted)
{
    const double step = (sorted.last() - sorted.first()) / double(std::max<qsizetype>(1, sorted.size() - 1));
    for (qsizetype i = 1; i < sorted.size(); ++i) {
        if (std::abs(sorted.at(i) - sorted.at(i - 1) - step) > step * evenness) {
            return false;
        }
    }
    return sorted.size() > 2;
}

// The part in which nearly all of the sorted numbers are.
std::pair<double, double> axisRange(const QList<double> &sorted)
{
    const double low = sorted.at(sorted.size() / 4), high = sorted.at((sorted.size() * 3) / 4);
    const double reach = (high - low) * outlierFence;
    std::pair<double, double> range{sorted.first(), sorted.last()};
    if (reach > 0 && sorted.size() >= 8) {
        range.first = *std::lower_bound(sorted.cbegin(), sorted.cend(), low - reach);
        range.second = *std::prev(std::upper_bound(sorted.cbegin(), sorted.cend(), high + reach));
    }
    return range;
}

QString axisTickText(double number) { return QString::number(number, 'g', 4); }

} // namespace

ValueScale::ValueScale(const QStringList &values, Numbers what) : m_what(what)
{
    QList<double> numbers;
    for (const QString &value : values) {
        if (!isValue(value)) {
            continue;
        }
        if (const auto number = axisNumber(value)) {
            numbers.append(*number);
        }
        m_words.append(value);
    }
    if (!numbers.isEmpty() && numbers.size() == m_words.size()) {
        m_words.clear();
        std::sort(numbers.begin(), numbers.end());
        m_kind = Kind::Linear;
        m_few = numbers;
        m_few.erase(std::unique(m_few.begin(), m_few.end()), m_few.end());
        if (numbers.first() > 0 && what != Numbers::Names) {
            const auto logsOf = [](const QList<double> &all) {
                QList<double> logs;
                for (const double number : all) {
                    logs.append(std::log10(number));
                }
                return logs;
            };
            const auto range = axisRange(logsOf(numbers));
            const double decades = range.second - range.first;
            const bool isChosen = what == Numbers::Sizes && m_few.size() > 2 && !isEven(m_few);
            if (decades >= logDecades || (isChosen && (decades > chosenDecades || isEven(logsOf(m_few))))) {
                m_kind = Kind::Log;
                std::tie(m_from, m_to) = range;
            }
        }
        if (m_kind == Kind::Linear) {
            std::tie(m_from, m_to) = axisRange(numbers);
        }
        if (m_few.size() > fewNumbers) {
            m_few.clear();
        }
        return;
    }
    std::sort(m_words.begin(), m_words.end(), naturalLess);
    m_words.erase(std::unique(m_words.begin(), m_words.end()), m_words.end());
}

bool ValueScale::isValue(const QString &value) const
{
    return !value.isNull() && (m_what != Numbers::Results || axisNumber(value));
}

double ValueScale::positionOf(double number) const
{
    const double place = m_kind == Kind::Log ? std::log10(number) : number;
    return m_to > m_from ? (place - m_from) / (m_to - m_from) : 0.5;
}

std::optional<double> ValueScale::position(const QString &value) const
{
    if (!isValue(value)) {
        return std::nullopt; // a null text is equal to an empty one
    }
    if (m_kind == Kind::Words) {
        const qsizetype place = m_words.indexOf(value);
        return place < 0          ? std::nullopt
            : m_words.size() == 1 ? std::optional(0.5)
                                  : std::optional(double(place) / double(m_words.size() - 1));
    }
    const auto number = axisNumber(value);
    if (!number || (m_kind == Kind::Log && *number <= 0)) {
        return std::nullopt;
    }
    const double place = positionOf(*number);
    return isBeyond(value) ? (place < 0 ? -beyond : 1 + beyond) : std::clamp(place, 0.0, 1.0);
}

bool ValueScale::isBeyond(const QString &value) const
{
    const auto number = axisNumber(value);
    constexpr double rounding = 1e-9;
    if (m_kind == Kind::Words || !number || (m_kind == Kind::Log && *number <= 0)) {
        return false;
    }
    const double place = positionOf(*number);
    return place < -rounding || place > 1 + rounding;
}

QList<std::pair<double, QString>> ValueScale::ticks(int most) const
{
    QList<std::pair<double, QString>> all;
    most = std::max(most, 2);
    if (m_kind == Kind::Words) {
        const qsizetype step = std::max<qsizetype>(1, (m_words.size() + most - 1) / most);
        for (qsizetype i = 0; i < m_words.size(); i += step) {
            const QString &word = m_words.at(i);
            all.append({*position(word), word.isEmpty() ? QStringLiteral("\"\"") : word});
        }
        return all;
    }
    if (!(m_to > m_from)) {
        all.append({0.5, axisTickText(m_kind == Kind::Log ? std::pow(10, m_from) : m_from)});
        return all;
    }
    if (!m_few.isEmpty() && m_few.size() <= most) {
        for (const double number : m_few) {
            const double place = positionOf(number);
            const bool hasRoom = all.isEmpty() || place - all.last().first >= 1.0 / (3 * most);
            if (place >= 0 && place <= 1 && hasRoom) {
                all.append({place, axisTickText(number)});
            }
        }
        return all;
    }
    constexpr double slack = 1e-9;
    if (m_kind == Kind::Log) {
        const double step = std::max(1.0, std::ceil((m_to - m_from) / most));
        // For few decades, parts of them are marked as well, because one power alone does not show the distances.
        const QList<double> parts = (m_to - m_from) * 3 <= most ? QList<double>{1, 2, 5} : QList<double>{1};
        for (double power = parts.size() > 1 ? std::floor(m_from) : std::ceil(m_from - slack); power <= m_to + slack;
             power += step) {
            for (const double part : parts) {
                const double place = power + std::log10(part);
                if (place >= m_from - slack && place <= m_to + slack) {
                    all.append({(place - m_from) / (m_to - m_from), axisTickText(std::pow(10, place))});
                }
            }
        }
        if (all.isEmpty()) { // the numbers stand between two such marks
            all = {{0, axisTickText(std::pow(10, m_from))}, {1, axisTickText(std::pow(10, m_to))}};
        }
        return all;
    }
    const double rough = (m_to - m_from) / most;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10) * power;
    for (double number = std::ceil(m_from / step - slack) * step; number <= m_to + step * slack; number += step) {
        const double round = std::abs(number) < step * slack ? 0 : number; // not -0
        all.append({(round - m_from) / (m_to - m_from), axisTickText(round)});
    }
    return all;
}

QList<std::pair<double, QString>> ValueScale::ticksWithEnds(int most) const
{
    QList<std::pair<double, QString>> all = ticks(most);
    if (m_kind == Kind::Words || !(m_to > m_from)) {
        return all;
    }
    const double near = 1.0 / (2 * std::max(most, 2));
    all.removeIf([near](const std::pair<double, QString> &tick) { return tick.first < near || tick.first > 1 - near; });
    const auto textAt
        = [this](double place) { return axisTickText(m_kind == Kind::Log ? std::pow(10, place) : place); };
    all.prepend({0, textAt(m_from)});
    all.append({1, textAt(m_to)});
    return all;
}

QString fittingNumber(const QString &text, const std::function<bool(const QString &text)> &fits)
{
    const std::optional<double> number = axisNumber(text);
    if (!number || fits(text)) {
        return text;
    }
    constexpr int fewestDigits = 2;
    for (const char form : {'g', 'e'}) {
        for (int digits = 3; digits >= fewestDigits; --digits) {
            const int precision = form == 'e' ? digits - 1 : digits; // behind the point
            QString shorter = QString::number(*number, form, precision);
            shorter.replace(QLatin1String("e-0"), QLatin1String("e-"))
                .replace(QLatin1String("e+0"), QLatin1String("e"));
            if (fits(shorter)) {
                return shorter;
            }
        }
    }
    return text;
}

} // namespace trainyard
