// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include <cmath>
#include <optional>
#include <string>

// How values of metrics are printed, wherever they come from.
namespace trainyard::cli
{

// Numbers as Python and JavaScript write them: the shortest text that is read back as the same number; NaN and Infinity
// as words. For single precision, the text that is read back as the same number in that precision.
QByteArray numberText(double value, bool isSingle = false);
QByteArray numberText(const std::optional<double> &value, const QByteArray &none);
QByteArray axisText(metrics::Axis axis);

// Texts in quotes, as JSON or as comma-separated values; each is quoted once.
class Quotes
{
public:
    explicit Quotes(bool asJson) : m_asJson(asJson) { }
    QByteArray operator()(const std::string &text);

private:
    bool m_asJson;
    QHash<QByteArray, QByteArray> m_known;
};

bool isWantedName(const QStringList &patterns, const std::string &name);

// The summary of a series in a table, however many values it has.
struct Tally {
    metrics::Axis axis = metrics::Axis::None;
    qint64 points = 0;
    double last = 0, least = std::nan(""), greatest = std::nan("");

    void add(const Tally &next);
};

// The values of one name, by what they count. What counts steps is one curve: whether they start over in each epoch, an
// output often shows only in the second one.
class Tallies
{
public:
    void add(metrics::Axis axis, double value);
    const QList<Tally> &all() const { return m_all; } // in the order in which they began

    static metrics::Axis countedAs(metrics::Axis axis);

private:
    QList<Tally> m_all;
};

// A line for each series, of each run if there are several, speeds last. Where a name comes from a file and from the
// output, both say so.
class SummaryTable
{
public:
    explicit SummaryTable(bool hasRuns = false) : m_hasRuns(hasRuns) { }
    // `file` is where it comes from; empty: the output.
    void add(const QString &run, const std::string &name, metrics::Axis axis, double value, const QString &file = {});
    void add(const QString &run, const std::string &name, const Tally &tally, const QString &file = {});
    bool isEmpty() const { return m_series.isEmpty(); }
    void print() const;

private:
    struct Summary {
        QString run, name, file;
        Tally tally;
    };
    bool m_hasRuns;
    QList<Summary> m_series; // in the order in which they began
    bool hasSources() const; // whether a name comes from more than one place
    QList<Summary> inOrder() const;
    QHash<QPair<QPair<QString, QString>, QPair<QByteArray, int>>, qsizetype> m_places;
};

} // namespace trainyard::cli
