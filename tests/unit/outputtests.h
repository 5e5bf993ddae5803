// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/outputreader.h"

#include <QObject>
#include <QRandomGenerator>
#include <QStringList>

#include <cmath>
#include <string_view>
#include <vector>

namespace trainyard
{

// What tests of the metrics in outputs share: how they are read, and the words for what is found.
class OutputTests : public QObject
{
protected:
    struct Read {
        std::vector<metrics::Point> points;
        metrics::Progress progress;
    };

    static Read read(std::string_view bytes)
    {
        metrics::OutputReader reader;
        reader.feed(bytes);
        reader.finish();
        return {reader.takePoints(), reader.progress()};
    }

    static Read readInPieces(std::string_view bytes, QRandomGenerator &random)
    {
        metrics::OutputReader reader;
        Read result;
        while (!bytes.empty()) {
            const std::size_t size = std::min<std::size_t>(bytes.size(), random.bounded(1, 40));
            reader.feed(bytes.substr(0, size));
            bytes.remove_prefix(size);
            for (metrics::Point &point : reader.takePoints()) {
                result.points.push_back(std::move(point));
            }
        }
        reader.finish();
        for (metrics::Point &point : reader.takePoints()) {
            result.points.push_back(std::move(point));
        }
        result.progress = reader.progress();
        return result;
    }

    static QString shown(double value)
    {
        return std::isnan(value) ? QStringLiteral("nan") : QString::number(value, 'g', 10);
    }

    // "loss | batch 100 in 2 = 0.5": the epoch follows the step where it is not the step itself.
    static QString shown(const metrics::Point &point)
    {
        const std::string_view axis = metrics::axisName(point.axis);
        QString text = QString::fromStdString(point.name) + QStringLiteral(" | ")
            + QString::fromLatin1(axis.data(), static_cast<qsizetype>(axis.size()));
        if (point.step) {
            text += u' ' + shown(*point.step);
        }
        if (point.epoch && point.axis != metrics::Axis::Epoch) {
            text += QStringLiteral(" in ") + shown(*point.epoch);
        }
        return text + QStringLiteral(" = ") + shown(point.value);
    }

    static QString shown(const std::optional<double> &value)
    {
        return value ? QString::number(*value, 'g', 4) : QStringLiteral("-");
    }

    static QStringList shown(const std::vector<metrics::Point> &points)
    {
        QStringList lines;
        for (const metrics::Point &point : points) {
            lines.append(shown(point));
        }
        return lines;
    }

    static std::string_view view(const QByteArray &bytes)
    {
        return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
    }

    // Tables of outputs, each with its points and its progress ("fraction seconds-left").
    static void addOutputColumns();
    static void addLines(); // values in lines, dictionaries and bars
    static void addSettings(); // what an output calls its settings, beside metrics that look like them
    static void addCounts(); // steps that are numbers without a word for them
    static void addTables(); // tables, and lines that many programs print in ways of their own
    static void addSearches(); // tables of solvers, blocks of simulations, trials, and programs that only count
    static void addSimulations(); // rows of simulations and solvers, and generations
    static void addTrainers(); // lines of trainers that need more than a name and its value
    static void addPrograms(); // what loggers, containers and some programs put around their values
    static void addExperiments(); // what people's own scripts of experiments print
    static void addCommas(); // numbers with decimal commas, or with groups of thousands
    static void addLoops(); // what people print in loops that they write themselves
    static void addLooseTables(); // whose rows have other cells than their header
    static void addLists(); // what searches, evaluations and lists of values print
    static void addReports(); // reports of several lines, and bars and rows that say what they are about
};

} // namespace trainyard
