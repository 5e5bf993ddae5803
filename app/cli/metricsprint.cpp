// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsprint.h"

#include "app/cli/console.h"
#include "engine/metrics/names.h"
#include "widgets/text/columns.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QByteArray numberText(double value, bool isSingle)
{
    if (std::isnan(value)) {
        return QByteArrayLiteral("NaN");
    }
    if (std::isinf(value)) {
        return value > 0 ? QByteArrayLiteral("Infinity") : QByteArrayLiteral("-Infinity");
    }
    std::array<char, 40> text;
    char *const last = text.data() + text.size();
    if (value == std::trunc(value) && std::abs(value) < 1e15) {
        return QByteArray::number(static_cast<qlonglong>(value)); // steps: 100000, not 1e+05
    }
    const char *const end = isSingle ? std::to_chars(text.data(), last, static_cast<float>(value)).ptr
                                     : std::to_chars(text.data(), last, value).ptr;
    return {text.data(), end - text.data()};
}

QByteArray numberText(const std::optional<double> &value, const QByteArray &none)
{
    return value ? numberText(*value) : none;
}

QByteArray axisText(metrics::Axis axis)
{
    const std::string_view name = metrics::axisName(axis);
    return {name.data(), static_cast<qsizetype>(name.size())};
}

QByteArray Quotes::operator()(const std::string &text)
{
    QByteArray &quoted = m_known[QByteArray::fromStdString(text)];
    if (quoted.isEmpty()) {
        const QString shown = QString::fromStdString(text);
        if (m_asJson) {
            const QByteArray list = QJsonDocument(QJsonArray{shown}).toJson(QJsonDocument::Compact);
            quoted = list.mid(1, list.size() - 2);
        } else {
            quoted = '"' + QString(shown).replace(u'"', u"\"\""_s).toUtf8() + '"';
        }
    }
    return quoted;
}

bool isWantedName(const QStringList &patterns, const std::string &name)
{
    return patterns.isEmpty() || std::any_of(patterns.begin(), patterns.end(), [&](const QString &pattern) {
        return ::fnmatch(pattern.toUtf8().constData(), name.c_str(), FNM_CASEFOLD) == 0;
    });
}

void Tally::add(const Tally &next)
{
    axis = next.axis; // by then the most is known
    points += next.points;
    last = next.last;
    least = std::fmin(least, next.least);
    greatest = std::fmax(greatest, next.greatest);
}

metrics::Axis Tallies::countedAs(metrics::Axis axis)
{
    return axis == metrics::Axis::Iteration || axis == metrics::Axis::Batch ? metrics::Axis::Step : axis;
}

void Tallies::add(metrics::Axis axis, double value)
{
    const Tally one{axis, 1, value, value, value};
    const auto found = std::find_if(
        m_all.begin(), m_all.end(), [axis](const Tally &tally) { return countedAs(tally.axis) == countedAs(axis); });
    if (found != m_all.end()) {
        found->add(one);
    } else {
        m_all.append(one);
    }
}

void SummaryTable::add(
    const QString &run, const std::string &name, metrics::Axis axis, double value, const QString &file)
{
    add(run, name, Tally{axis, 1, value, value, value}, file);
}

void SummaryTable::add(const QString &run, const std::string &name, const Tally &tally, const QString &file)
{
    const QPair<QPair<QString, QString>, QPair<QByteArray, int>> key{
        {run, file}, {QByteArray::fromStdString(name), static_cast<int>(Tallies::countedAs(tally.axis))}};
    auto found = m_places.constFind(key);
    if (found == m_places.constEnd()) {
        found = m_places.insert(key, m_series.size());
        m_series.append({run, QString::fromStdString(name), file, {}});
    }
    m_series[*found].tally.add(tally);
}

bool SummaryTable::hasSources() const
{
    QHash<QPair<QString, QString>, QString> files; // by run and name: the first one that has it
    return std::any_of(m_series.begin(), m_series.end(), [&files](const Summary &summary) {
        const QPair<QString, QString> key{summary.run, summary.name};
        const auto known = files.constFind(key);
        if (known == files.constEnd()) {
            files.insert(key, summary.file);
            return false;
        }
        return *known != summary.file;
    });
}

QList<SummaryTable::Summary> SummaryTable::inOrder() const
{
    QList<Summary> all = m_series;
    const auto isSpeed = [](const Summary &summary) {
        return metrics::kindOf(summary.name.toStdString()) == metrics::NameKind::Speed;
    };
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end
            = std::find_if(begin, all.end(), [run = begin->run](const Summary &summary) { return summary.run != run; });
        std::stable_partition(begin, end, std::not_fn(isSpeed));
        begin = end;
    }
    return all;
}

void SummaryTable::print() const
{
    const auto number = [](double value) {
        return std::isfinite(value) ? QString::number(value, 'g', 6) : QString::fromLatin1(numberText(value));
    };
    const QList<Summary> all = inOrder();
    QList<QStringList> rows{{tr("SERIES"), tr("POINTS"), tr("LAST"), tr("LEAST"), tr("GREATEST"), tr("BY")}};
    for (const Summary &summary : all) {
        const Tally &tally = summary.tally;
        rows.append({summary.name, QString::number(tally.points), number(tally.last), number(tally.least),
            number(tally.greatest),
            tally.axis == metrics::Axis::None ? u"-"_s : QString::fromLatin1(axisText(tally.axis))});
    }
    const bool isFromSeveral = hasSources();
    for (qsizetype i = 0; i < all.size() && isFromSeveral; ++i) {
        const Summary &summary = all.at(i);
        rows[i + 1].append(summary.file.isEmpty() ? tr("output") : summary.file);
    }
    if (isFromSeveral) {
        rows.first().append(tr("FROM"));
    }
    if (m_hasRuns) {
        rows.first().prepend(tr("RUN"));
        for (qsizetype i = 0; i < all.size(); ++i) {
            rows[i + 1].prepend(all.at(i).run);
        }
    }
    const QList<int> shortened = m_hasRuns ? QList<int>{0, 1} : QList<int>{0};
    for (const QString &row : alignedRows(rows, tableWidth(), shortened)) {
        outLine(row);
    }
}

} // namespace trainyard::cli
