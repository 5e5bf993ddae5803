// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/outputtries.h"
#include "engine/client/figuresteps.h"
#include "engine/metrics/curvex.h"
#include "engine/series/series.h"
#include "widgets/plot/curveline.h"
#include "widgets/plot/epochtrack.h"
#include "widgets/plot/metricsfeed.h"

#include <QHash>
#include <QStringList>

#include <map>
#include <memory>
#include <vector>

class QTimer;

namespace trainyard
{

// The curves of the tasks of one attempt or of several runs, from their output and their files, and those of their use
// of hosts. Only data of requested tasks are read, and only while they are visible. A curve continues over the tries of
// its task; a task's use of its host is that of its newest try. Of a metric that a task both prints and writes to a
// file at the same steps, the curve of the file counts, unless it has much less. One value without a step in a file,
// such as a summary at the end, is not a curve and leaves the printed one. Large because output, files and host all
// contribute to a curve, and each axis needs it in its own way.
class CurveStore : public QObject
{
    Q_OBJECT
public:
    explicit CurveStore(QObject *parent);

    struct Task {
        QString name; // worker/0
        QString folder; // of its newest try that has begun; empty before it has one
        bool isWanted = false;
        // Tasks of one run may go by each other's steps and epochs; those of another run have nothing to do with them.
        QString run = {};
        QList<OutputTry> earlier = {}; // tries, in their order
        int attempt = 0, number = 0; // of the newest try, as OutputTry has them
        int shownAttempt = 0; // of which everything else is shown: the newest try may be of one before it
    };
    // All tasks of the attempt shown, and the tries whose curves they go on with, in any order. What was read of tasks
    // that stay is kept.
    void setTasks(const QList<TaskInfo> &tasks, const QList<TaskInfo> &tries = {});
    void setPatterns(const MetricPatterns &patterns); // beside what is recognized; all is read again
    void setTasks(const QList<Task> &tasks); // of any jobs; each has a unique name
    void want(int task); // its output is read from now on
    void setWatching(bool on);

    const QList<Task> &tasks() const { return m_tasks; }
    // The names in all tasks: what one looks at first comes first, and the figures of hosts after the metrics.
    QStringList names() const;
    bool isFigure(const QString &name) const { return m_figures.contains(name); } // of a host: by time
    bool hasMetrics() const;
    // Where the curve comes from when that is a file, such as "lightning_logs/version_0".
    QString sourceOf(const QString &name) const { return m_sources.value(name); }
    QList<Error> remarks() const; // about files of metrics, of the tasks that were read
    // Null if the task has no such curve. Valid until the tasks change. Along the steps, a figure is at those of the
    // task's metrics, and along the epochs everything is at its position in the epoch; these are complete until the
    // next call.
    const series::Series *series(int task, const QString &name, CurveAlong along = CurveAlong::Time) const;
    // The names of the curves of a task that have points and differ from this one in case only, or are the same.
    QStringList namesInAnyCase(int task, const QString &name) const;
    // The least and the greatest of what is one point now, for a figure whose older values were thinned, along the
    // time.
    struct Edges {
        const series::Series *low = nullptr, *high = nullptr;
    };
    Edges edges(int task, const QString &name) const;
    // Whether its points are at the steps of the training themselves, and not at rows, epochs or times.
    bool hasSteps(int task, const QString &name) const;
    // Whether it is drawn at those along the steps: they are its own, or it is placed at those of other metrics.
    bool standsAtSteps(int task, const QString &name) const;
    QList<TryBegin> tryBegins(int task) const; // of the tries that have printed values, in their order
    bool hasOnePoint(const QString &name) const; // in every task that has it: a value, and no curve
    bool hasTimes() const; // not where every curve has all its points at one time, as one of a table without times has
    bool hasEpochs() const; // some task has told that one is over
    // When the step of a point along the steps was told: a file has no times of its own, so the output counts where it
    // names the step, too.
    qint64 timeOf(int task, const QString &name, const series::Point &point) const;
    // The position along the steps of the values that the output had for this epoch at that time. Nothing: it is not
    // known.
    std::optional<double> stepOfEpoch(int task, const QString &name, double epoch, qint64 time) const;
    qint64 firstTime() const { return m_firstTime; } // ms UTC, of all points; 0: there is none
    bool isReading() const { return m_isReading; } // for the first time: more comes at once

Q_SIGNALS:
    void reset(); // other tasks, or other tries
    void grew(); // at most some times a second

private:
    void forget(); // all that was read
    void read(int task, bool isAgain = false);
    void take(const MetricsFeed::Batch &batch);
    bool areOfOneRun(std::size_t task, std::size_t other) const
    {
        return m_tasks.at(qsizetype(task)).run == m_tasks.at(qsizetype(other)).run;
    }
    const series::Series *stepsOf(int task, bool ofEpochs) const;
    const series::Series *epochsOf(int task) const;
    static const series::Series &placed(std::unique_ptr<FigureSteps> &by, const series::Series &series,
        const series::Series &places, FigureSteps::Behind behind = FigureSteps::Behind::Waits,
        const FigureSteps::StepsBefore &before = {}, const FigureSteps::EpochsBefore &ends = {});

    struct Curve {
        series::Series series; // of the output
        std::unique_ptr<series::Series> low, high; // of a figure that was thinned
        std::unique_ptr<series::Series> ofFile;
        QString source; // of the file
        series::Axis fileAxis = series::Axis::Other;
        bool hasFileSteps() const { return fileAxis == series::Axis::Step || fileAxis == series::Axis::Epoch; }
        metrics::CurveX x;
        bool isByEpochs = true; // as long as every point has only its epoch
        bool tellsSteps = false;
        FigureSteps::StepsBefore stepsBefore; // of points that have only their epoch
        FigureSteps::EpochsBefore epochsBefore; // of those between two epochs
        std::unique_ptr<FigureSteps> bySteps, byEpochs, printedByEpochs, printedBySteps;
        mutable series::Series printedAtSteps; // made when it is asked for
        mutable bool isPlaced = false; // it counts
        mutable std::pair<std::size_t, std::size_t> placedOf; // sizes, for which it was made
        mutable series::Series countedEpochs; // of a file that counts them from zero, made when it is asked for
        void forgetPlaces();
    };
    const series::Series *printedBeside(int task, Curve &curve, CurveAlong along) const;
    struct Epochs {
        EpochTrack ofOutput, ofFiles;
        EpochTrack ofRows; // of a file with a row for each epoch
        const Curve *rows = nullptr; // which it follows
        const Curve *leader = nullptr; // the longest with steps
        double step = 0; // its latest
        double begin = 0; // of the epoch of that step
        std::vector<std::pair<Curve *, double>> sinceStep; // points that have only their epoch, by their x
        const EpochTrack *best() const;
    };
    using Curves = std::map<QString, std::unique_ptr<Curve>>;
    struct Told { // of a task
        Curves curves;
        Epochs epochs;
        std::map<std::size_t, qint64> begins, filesBegin; // ms UTC, by the try: of what it printed and of its files
    };
    bool takePoints(Told &told, const MetricsFeed::Batch &batch);
    bool takeFigure(Curves &curves, const GrownFigure &figure);
    bool takeFile(Told &told, const FileMetrics::Grown &grown);
    static bool saysFileLess(const Curve &curve);
    static bool isOfFile(const Curve &curve);
    void noteStep(Epochs &epochs, Curve &curve, const metrics::Point &point, double x);
    void noteSource(const QString &name, const Curve &curve);
    static const series::Series &shown(const Curve &curve) { return isOfFile(curve) ? *curve.ofFile : curve.series; }
    static const series::Series &countedEpochs(const Curve &curve);
    static const series::Series &printedAtSteps(const Curves &curves, const Curve &curve);
    static bool hasBoth(const Curves &curves, const Curve &curve);
    bool hasPoints(const QString &name) const; // in some task
    static bool isByEpochs(const Curve &curve);
    Curve &curve(Curves &curves, const QString &name);
    MetricsFeed *m_feed;
    MetricPatterns m_patterns;
    QList<Task> m_tasks;
    std::vector<Told> m_told; // of each task
    std::map<int, Told> m_toldAgain; // in whose place it comes when it is whole
    QHash<QString, int> m_order; // names, by when they came
    QHash<QString, int> m_figures; // names of those, with their ranks
    QHash<QString, QString> m_sources; // of metrics in files
    std::map<int, std::vector<Error>> m_remarks; // by task
    qint64 m_firstTime = 0;
    bool m_isReading = false;
    QTimer *m_timer;
};

} // namespace trainyard
