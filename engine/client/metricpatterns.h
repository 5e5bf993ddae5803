// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/linesplitter.h"
#include "engine/metrics/outputreader.h"
#include "model/base/result.h"

#include <QMap>
#include <QRegularExpression>
#include <QString>

#include <optional>
#include <vector>

namespace trainyard
{

class Settings;
struct JobSpec;

// Series that a person names, each with the regular expression that finds its values in a line of output: the group
// "value", or else the first one, holds the value, and the group "step", or else a second one, the step. Safe to copy
// to other threads. A line with which an expression takes too long has no value of it.
class MetricPatterns
{
public:
    static constexpr qsizetype most = 100;
    static constexpr QLatin1StringView settingsPrefix{"metricPatterns."};

    // Names with expressions. Those that cannot be used are left out: "metrics.pattern-invalid" {name, message},
    // "metrics.pattern-groups" {name} if no group holds the value.
    explicit MetricPatterns(const QMap<QString, QString> &expressions = {});
    static MetricPatterns of(const Settings &settings);
    static MetricPatterns of(const JobSpec &job); // extras.trainyard.metricPatterns
    static MetricPatterns ofJob(const QByteArray &yaml); // the same
    MetricPatterns with(const MetricPatterns &others) const; // which win where both have a name

    bool isEmpty() const { return m_patterns.isEmpty(); }
    QMap<QString, QString> expressions() const;
    const QList<Error> &faults() const { return m_faults; }
    bool hasName(const std::string &name) const;
    friend bool operator==(const MetricPatterns &one, const MetricPatterns &other)
    {
        return one.expressions() == other.expressions();
    }

    struct Found {
        std::string name;
        double value = 0;
        std::optional<double> step;
        qsizetype begin = 0, end = 0; // of the value in the line
    };
    std::vector<Found> findIn(const QString &line) const;

private:
    struct Pattern {
        QString name;
        QString typed;
        QRegularExpression expression;
        int valueGroup = 1;
        int stepGroup = -1; // none
    };
    QList<Pattern> m_patterns;
    QList<Error> m_faults;
};

// The metrics in an output: those that are recognized, and those that patterns find. A series of a pattern replaces a
// recognized one of the same name.
class PatternedOutput
{
public:
    explicit PatternedOutput(const MetricPatterns &patterns = MetricPatterns());
    PatternedOutput(const PatternedOutput &) = delete;
    PatternedOutput &operator=(const PatternedOutput &) = delete;

    void feed(std::string_view bytes);
    void finish();
    std::vector<metrics::Point> takePoints(); // since the last call, by their lines
    metrics::Progress progress() const { return m_reader.progress(); }
    metrics::Progress runProgress() const { return m_reader.runProgress(); }

private:
    void take(std::string_view text, std::uint64_t line);
    MetricPatterns m_patterns;
    metrics::OutputReader m_reader;
    metrics::LineSplitter m_splitter;
    std::vector<metrics::Point> m_points; // of patterns
};

} // namespace trainyard
