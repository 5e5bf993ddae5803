// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/metricsprint.h"
#include "app/cli/readprogress.h"
#include "engine/api/outputtries.h"
#include "engine/client/earlieroutputs.h"
#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/metrics/curvex.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::cli
{

// The outputs of one task whose curves are one: those of its tries, in their order.
struct TaskOutputs {
    qint64 job = 0;
    QString task; // "worker/0"
    QList<OutputTry> tries; // a later one that goes on makes void what it repeats
    MetricPatterns patterns;
};

struct MetricsManner {
    QStringList names; // empty: all
    bool json = false, csv = false;
    bool tellsJobs = false, tellsAttempts = false; // of several that are printed
};

// Prints the metrics of tasks, value by value as they are read, or keeps them for a table.
class TaskMetricsPrinter
{
public:
    TaskMetricsPrinter(Session &session, const MetricsManner &manner, const QList<TaskOutputs> &all);
    // The metrics of its files come first, followed by the printed ones of the same names that choose() leaves.
    void print(const TaskOutputs &outputs);
    const SummaryTable &table() const { return m_table; }
    void endProgress() { m_progress.hide(); } // the table comes

private:
    struct OfFile {
        series::Series series;
        metrics::Axis axis = metrics::Axis::Row;
        QString source;
        QByteArray held; // what may be left out: its lines
        // For example the results at the end, which have no step.
        bool isSummary() const { return series.size() == 1 && axis == metrics::Axis::Row; }
    };
    struct Printed {
        series::Series series; // of what is in a file as well
        metrics::CurveX x;
        bool isByEpochs = true; // as long as every point has only its epoch
        bool tellsSteps = false;
        Tallies tallies; // for the table
        QByteArray held; // lines
    };
    struct Choice {
        bool file = false, printed = false;
    };

    static qint64 sizeOf(const QList<TaskOutputs> &all);
    bool streams() const { return m_manner.json || m_manner.csv; }
    QString runOf(const TaskOutputs &outputs) const;
    Choice choose(const std::string &name) const;
    void readFiles(const TaskOutputs &outputs);
    void sayRemarks(FileMetrics &files);
    void takeFile(const OutputTry &from, FileMetrics &files, const FileMetrics::Grown &grown);
    void readPrinted(const TaskOutputs &outputs);
    void readEarlier(const TaskOutputs &outputs);
    void takePrinted(const OutputTry &from, const std::vector<LogMetrics::TimedPoint> &points);
    void printHeld();
    void addToTable(const QString &run);
    void printProgress(const metrics::Progress &progress);
    Printed &keep(const LogMetrics::TimedPoint &timed);
    QByteArray whose(const OutputTry &from) const;
    QByteArray line(const OutputTry &from, const LogMetrics::TimedPoint &timed);
    QByteArray fileLine(const OutputTry &from, const std::string &name, metrics::Axis axis, const series::Point &point,
        std::optional<double> epoch, const QString &source);

    Session &m_session;
    MetricsManner m_manner;
    Quotes m_quotes;
    bool m_hasTasks; // several of a job
    SummaryTable m_table;
    ReadProgress m_progress;
    qint64 m_readBefore = 0; // of the outputs before
    qint64 m_job = 0;
    QString m_task;
    int m_attempt = 0; // of its last try
    metrics::Progress m_lastProgress;
    std::map<std::string, OfFile> m_ofFiles; // of the task
    series::Series m_epochs; // that its files have, at every step
    std::map<std::string, Printed> m_printed; // of the task: all for the table, else those that are in files as well
    std::vector<std::string> m_printedNames; // in the order in which they appeared
};

} // namespace trainyard::cli
