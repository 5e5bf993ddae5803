// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/metricbook.h"
#include "engine/series/seriesset.h"
#include "model/base/result.h"

#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace trainyard
{

// The metrics that a task keeps in files, as the agent of its host has read them into the folder of the try
// (docs/task-folder.md). Follows the folder; values are not reported again when the agent rewrites its file. Not
// thread-safe: use one for each thread.
//
// A metric of several runs has its own name in the first one and that of the run in front in the others, unless it is
// the same curve, as in a table beside event files.
class FileMetrics
{
public:
    explicit FileMetrics(const QString &folder);
    virtual ~FileMetrics() = default;

    struct Grown { // isNew without points: the curve no longer exists
        QString name;
        QString source; // the run of it: a folder or a file
        series::Axis axis = series::Axis::Step;
        bool isNew = false; // the points that were reported before are void
        std::vector<series::Point> points; // in the order of x; those that a restart made void are left out
    };
    // Since the last call.
    std::vector<Grown> takeNew();

    // The epoch of this step in the files of a run, by its Grown::source, as of the last takeNew(). Nothing: they do
    // not tell it.
    std::optional<double> epochAt(const QString &source, double step);

    // All that is to be said of the files, as of the last takeNew(); nothing when that is the same as at the last call.
    std::optional<std::vector<Error>> takeRemarks();
    // All that is to be said of the files of a task, without a look at their values.
    static std::vector<Error> remarksIn(const QString &folder);
    const std::map<std::string, std::string> &facts() const { return m_book.facts; }
    bool hasFiles() const { return !m_book.files.empty(); }
    bool isOver() const { return m_book.isOver; } // nothing more comes

protected:
    // The agent's records, if their size differs from this; a test may let the agent continue meanwhile.
    virtual std::optional<std::string> newBook(qint64 knownSize);

private:
    struct Taken { // of the points and steps back of a series, in their order: how many, and a checksum of them
        std::uint64_t count = 0, hash = 0;
    };
    struct Known {
        contract::MetricSeries metric;
        std::string name; // that metric.name is a part of
        series::Reader::Place place;
        Taken taken;
        Taken before; // of the file that was there before this one
        double lastX = 0;
        bool isTold = false;
        std::uint64_t comparedAt = 0; // points
        bool isOwn = false; // differs from that of the first run
    };
    class NewPoints;
    void readBook();
    std::vector<Error> remarks() const;
    void beginAgain();
    void note(std::uint32_t id);
    void passOverShared(std::vector<Grown> &told);
    bool isLeftOut(const Known &known) const { return m_leftOutRuns.contains(known.metric.run); }
    void takeOnce(std::vector<Grown> &all);
    std::optional<std::uint32_t> epochsOf(std::size_t run) const;
    bool isSameAsFirst(std::uint32_t id, Known &known);
    QString shownName(std::uint32_t id, const Known &known) const;

    QString m_folder;
    qint64 m_bookSize = -1;
    contract::MetricBook m_book;
    std::vector<contract::MetricBook::Note> m_notesTaken;
    series::SeriesSet m_set;
    std::map<std::uint32_t, Known> m_known;
    std::map<std::string, Known> m_before; // by series: reported of the file before it was rewritten, until found
    std::set<std::uint32_t> m_grown; // and were not reported
    std::set<int> m_leftOutRuns; // because other jobs wrote their files as well
    std::map<std::string, std::uint32_t, std::less<>> m_first; // of a metric, the series of its first run
};

// Whether both curves have the same values, as far as they can be compared; `known` is false when they have no x in
// common yet. Both are in the order of x.
bool isSameCurve(const series::Series &one, const series::Series &other, bool &known);
// Whether both have the same values one after the other, whatever their x is. The newest value of one may be missing.
bool hasSameValues(const series::Series &printed, const series::Series &ofFile);
// Whether most of the points of one are at the steps of the other.
bool hasSameSteps(const series::Series &one, const series::Series &other);

// Whether the curve of a file counts less than what is printed at steps of the same kind: it has fewer than half of the
// points and ends earlier, by more than two of its own intervals. This does not apply to a file that its program only
// writes later, or less often, than it prints.
struct CurveExtent {
    std::size_t points = 0;
    double last = 0; // step
};
bool saysLess(const CurveExtent &ofFile, const CurveExtent &printed);
CurveExtent extentOf(const series::Series &series);

} // namespace trainyard
