// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/valuesatstep.h"

#include "app/cli/jobtries.h"
#include "engine/api/tasklabel.h"
#include "engine/client/continuedfiles.h"
#include "engine/client/earlieroutputs.h"
#include "engine/client/figuresteps.h"
#include "engine/metrics/steptrack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace trainyard::cli
{
namespace
{

// Runs cannot be ranked by a value that is not a finite number.
double orNaN(double value) { return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN(); }

// Of one task.
class TaskAtStep
{
public:
    TaskAtStep(const QList<OutputTry> &tries, double step) : m_newest(tries.constLast().folder), m_step(step)
    {
        for (const OutputTry &one : tries.first(tries.size() - 1)) {
            m_earlier.append(one.folder);
        }
    }

    QMap<QString, double> read()
    {
        ContinuedFiles files(m_earlier, m_newest);
        const std::vector<FileMetrics::Grown> all = files.takeNew();
        m_hasEpochs = std::any_of(all.cbegin(), all.cend(),
            [](const FileMetrics::Grown &grown) { return grown.axis == series::Axis::Epoch; });
        readOutputs();
        for (const FileMetrics::Grown &grown : all) {
            if (!m_values.contains(grown.name)) { // what it prints counts
                addFile(grown, all);
            }
        }
        return m_values;
    }

private:
    void readOutputs()
    {
        if (!m_earlier.isEmpty()) { // where the newest one goes on is known only when it was read
            metrics::Continuation later;
            LogMetrics log(m_newest);
            for (bool more = true; more;) {
                more = log.readMore();
                for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
                    later.note(timed.point);
                }
            }
            EarlierOutputs earlier(m_earlier, MetricPatterns(), std::move(later));
            for (bool more = true; more;) {
                more = earlier.readMore();
                take(earlier.takePoints());
            }
        }
        LogMetrics log(m_newest);
        for (bool more = true; more;) {
            more = log.readMore();
            take(log.takePoints());
        }
        m_track.finish();
        take({});
    }

    void take(const std::vector<LogMetrics::TimedPoint> &points)
    {
        for (const LogMetrics::TimedPoint &timed : points) {
            m_track.add(timed.point, timed.time);
        }
        for (const metrics::StepTrack::Placed &placed : m_track.take()) {
            const metrics::Point &point = placed.point;
            const std::optional<double> at = point.step ? point.step : point.epoch;
            if (at && *at <= m_step) {
                m_values.insert(QString::fromStdString(point.name), orNaN(point.value));
            }
            if (m_hasEpochs && point.step && point.axis != metrics::Axis::Epoch && point.axis != metrics::Axis::None) {
                m_steps[point.name].append({*point.step, placed.time, point.value});
            }
        }
    }

    // The metric that tells the steps best: the longest.
    series::Series stepsWith(const std::vector<FileMetrics::Grown> &files)
    {
        series::Series best;
        for (const auto &[name, series] : m_steps) {
            if (series.size() > best.size()) {
                best = series;
            }
        }
        for (const FileMetrics::Grown &grown : files) {
            if (grown.axis == series::Axis::Step && grown.points.size() > best.size()) {
                best = seriesOf(grown);
            }
        }
        return best;
    }

    static series::Series seriesOf(const FileMetrics::Grown &grown)
    {
        series::Series series;
        for (const series::Point &point : grown.points) {
            series.append(point);
        }
        return series;
    }

    void addFile(const FileMetrics::Grown &grown, const std::vector<FileMetrics::Grown> &files)
    {
        if (grown.axis != series::Axis::Step && grown.axis != series::Axis::Epoch) {
            return;
        }
        series::Series series = seriesOf(grown);
        if (grown.axis == series::Axis::Epoch) {
            if (const series::Series steps = stepsWith(files); !steps.isEmpty()) {
                series = FigureSteps().update(series, steps, FigureSteps::Behind::AtTheLast);
            }
        }
        for (std::size_t i = 0; i < series.size() && series.at(i).x <= m_step; ++i) { // in the order of the steps
            m_values.insert(grown.name, orNaN(series.at(i).value));
        }
    }

    QStringList m_earlier; // folders of its tries
    QString m_newest;
    double m_step;
    bool m_hasEpochs = false; // some file counts them
    metrics::StepTrack m_track;
    std::map<std::string, series::Series> m_steps; // that it has printed, when they are needed
    QMap<QString, double> m_values;
};

} // namespace

QMap<QString, double> valuesAtStep(Session &session, const JobSummary &job, double step)
{
    QMap<QString, double> all;
    const QList<TaskInfo> tasks = session.allTasks(job.uuid, newestThatRan).value_or(QList<TaskInfo>());
    const QHash<QString, QList<OutputTry>> tries
        = triesOfTasks(session, job.uuid, 0, tasks).value_or(QHash<QString, QList<OutputTry>>());
    for (const TaskInfo &task : tasks) {
        const QList<OutputTry> ofTask = tries.value(taskLabel(task));
        if (ofTask.isEmpty()) {
            continue; // it has not started
        }
        const QMap<QString, double> values = TaskAtStep(ofTask, step).read();
        for (auto it = values.cbegin(); it != values.cend(); ++it) {
            if (!all.contains(it.key())) {
                all.insert(it.key(), it.value());
            }
        }
    }
    return all;
}

} // namespace trainyard::cli
