// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>

namespace trainyard
{

// The positions of values on an axis: numbers by their size, on a logarithmic axis if they span decades or form a
// geometric sequence, other texts side by side. A few numbers far from all others do not squeeze these: they are placed
// beyond the end.
class ValueScale
{
public:
    enum class Kind { Linear, Log, Words };
    // The numbers of names, such as seeds, have no decades. Results are values only where they are finite.
    enum class Numbers { Sizes, Names, Results };
    // A null text is not a value; an empty one is, and so is "nan", which may be the name of a choice: with one of
    // those, numbers are names as well.
    explicit ValueScale(const QStringList &values = {}, Numbers what = Numbers::Sizes);

    Kind kind() const { return m_kind; }
    // 0 to 1; beyond the ends, by `beyond`, for what is far outside; nothing for something that is not a value.
    std::optional<double> position(const QString &value) const;
    bool isBeyond(const QString &value) const;
    // Round numbers, or words (the empty one as ""), with their positions; at most about so many.
    QList<std::pair<double, QString>> ticks(int most) const;
    // The same with both ends of the part that is shown, which push away what is near them.
    QList<std::pair<double, QString>> ticksWithEnds(int most) const;

    static constexpr double beyond = 0.06;

private:
    double positionOf(double number) const;
    bool isValue(const QString &value) const;
    Numbers m_what = Numbers::Sizes;
    Kind m_kind = Kind::Words;
    QStringList m_words; // sorted
    QList<double> m_few; // all different numbers, where there are only some
    double m_from = 0, m_to = 1; // of a logarithmic axis, the logarithms
};

// A number beside an axis as it fits: with fewer digits, or with a power of ten. A word, and what fits in no way, is
// returned as it is.
QString fittingNumber(const QString &text, const std::function<bool(const QString &text)> &fits);

} // namespace trainyard
