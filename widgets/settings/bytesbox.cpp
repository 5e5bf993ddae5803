// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/bytesbox.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard
{
namespace
{

struct Unit {
    const char *name;
    double bytes;
};
constexpr std::array units{Unit{"B", 1}, Unit{"KiB", 1024}, Unit{"MiB", 1024. * 1024}, Unit{"GiB", 1024. * 1024 * 1024},
    Unit{"TiB", 1024. * 1024 * 1024 * 1024}};

const Unit &unitFor(double bytes)
{
    const auto found = std::find_if(units.crbegin(), units.crend(),
        [bytes](const Unit &unit) { return bytes >= unit.bytes && std::fmod(bytes, unit.bytes) == 0; });
    return found == units.crend() ? units.front() : *found;
}

} // namespace

BytesBox::BytesBox(QWidget *parent) : StillControl<QDoubleSpinBox>(parent)
{
    setDecimals(0);
    setLocale(QLocale::c());
}

void BytesBox::stepBy(int steps)
{
    interpretText(); // what was typed and not taken yet
    const Unit &unit = unitFor(value());
    const double next = value() + steps * unit.bytes;
    setValue(next > 0 || unit.bytes == 1 ? next : minimum());
    selectAll();
}

QString BytesBox::textFromValue(double bytes) const
{
    const Unit &unit = unitFor(bytes);
    return QString::number(qint64(bytes / unit.bytes)) + QLatin1Char(' ') + QLatin1StringView(unit.name);
}

double BytesBox::valueFromText(const QString &text) const { return read(text).value_or(value()); }

QValidator::State BytesBox::validate(QString &text, int &) const
{
    const std::optional<double> bytes = read(text);
    return bytes && *bytes >= minimum() && *bytes <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

std::optional<double> BytesBox::read(const QString &text) const
{
    static const QRegularExpression form(
        QStringLiteral("^\\s*(\\d+(?:\\.\\d*)?)\\s*([KMGT]?)(i?B)?\\s*$"), QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    double factor = unitFor(value()).bytes;
    if (const QString letter = match.captured(2).toUpper(); !letter.isEmpty()) {
        factor = units.at(std::size_t(QStringLiteral("KMGT").indexOf(letter)) + 1).bytes;
    } else if (!match.captured(3).isEmpty()) {
        factor = 1;
    }
    return std::floor(match.captured(1).toDouble() * factor);
}

} // namespace trainyard
