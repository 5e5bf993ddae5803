// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/filemetrics.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace trainyard
{
namespace
{

constexpr std::size_t samples = 64; // that two curves are compared by

QString inFolder(const QString &folder, const char *name)
{
    return folder + QLatin1Char('/') + QLatin1StringView(name);
}

std::vector<series::Point> pointsOf(const series::Series &series)
{
    std::vector<series::Point> points;
    points.reserve(series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
        points.push_back(series.at(i));
    }
    return points;
}

// Programs write one value as a float and as text.
bool isNearly(double one, double other)
{
    constexpr double part = 1e-5;
    return one == other || (std::isnan(one) && std::isnan(other))
        || std::abs(one - other) <= part * std::max(std::abs(one), std::abs(other));
}

template <typename Take> void forSamples(const series::Series &series, Take take)
{
    const std::size_t count = std::min(series.size(), samples);
    for (std::size_t i = 0; i < count; ++i) {
        take(series.at(count == 1 ? 0 : i * (series.size() - 1) / (count - 1)));
    }
}

std::uint64_t mixedInto(std::uint64_t hash, std::uint64_t what)
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ what) * odd;
    return hash ^ (hash >> 29);
}

} // namespace

// The points that come after what was taken before, which may stand in another file by now.
class FileMetrics::NewPoints : public series::Reader::Sink
{
public:
    NewPoints(std::vector<series::Point> &points, Known &known)
        : m_points(points), m_known(known), m_before(std::exchange(known.before, {})), m_hasAny(known.isTold)
    {
    }
    void take(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        for (std::size_t i = 0; i < xs.size(); ++i) {
            const bool isKnown = add({std::bit_cast<std::uint64_t>(xs[i]), std::uint64_t(times[i]),
                std::bit_cast<std::uint64_t>(values[i])});
            goesBack = goesBack || (!isKnown && m_hasAny && xs[i] < m_known.lastX);
            m_hasAny = true;
            m_known.lastX = xs[i];
            if (!isKnown) {
                m_points.push_back({xs[i], times[i], values[i]});
            }
        }
    }
    void takeVoid(double x) override { goesBack = !add({1, std::bit_cast<std::uint64_t>(x)}) || goesBack; }

    bool hasBefore() const { return m_isSame || m_before.count == 0; } // else it is another curve

    bool goesBack = false;

private:
    // Whether it was reported before, as far as this is known until all of that has arrived.
    bool add(std::initializer_list<std::uint64_t> parts)
    {
        Taken &taken = m_known.taken;
        for (const std::uint64_t part : parts) {
            taken.hash = mixedInto(taken.hash, part);
        }
        ++taken.count;
        m_isSame = m_isSame || (taken.count == m_before.count && taken.hash == m_before.hash);
        return taken.count <= m_before.count;
    }

    std::vector<series::Point> &m_points;
    Known &m_known;
    const Taken m_before;
    bool m_hasAny, m_isSame = false;
};

bool isSameCurve(const series::Series &one, const series::Series &other, bool &known)
{
    bool isSame = true;
    known = false;
    forSamples(one, [&](const series::Point &point) {
        const std::optional<series::Point> there = other.nearest(point.x);
        if (there && there->x == point.x) {
            known = true;
            isSame = isSame && isNearly(there->value, point.value);
        }
    });
    return isSame;
}

bool hasSameValues(const series::Series &printed, const series::Series &ofFile)
{
    constexpr double rounded = 0.01; // as a part: what is printed has few digits
    const std::size_t common = std::min(printed.size(), ofFile.size());
    if (common == 0 || std::max(printed.size(), ofFile.size()) - common > 1) {
        return false;
    }
    for (std::size_t i = 0; i < common; ++i) {
        const double one = printed.at(i).value, other = ofFile.at(i).value;
        if (!isNearly(one, other) && !(std::abs(one - other) <= rounded * std::max(std::abs(one), std::abs(other)))) {
            return false;
        }
    }
    return true;
}

bool hasSameSteps(const series::Series &one, const series::Series &other)
{
    std::size_t all = 0, found = 0;
    forSamples(one, [&](const series::Point &point) {
        const std::optional<series::Point> there = other.nearest(point.x);
        // Steps that the other has not reached yet do not count.
        if (there && point.x <= other.at(other.size() - 1).x) {
            ++all;
            found += there->x == point.x ? 1 : 0;
        }
    });
    return found * 2 >= all;
}

bool saysLess(const CurveExtent &ofFile, const CurveExtent &printed)
{
    constexpr double intervals = 2; // of the file's own, on average
    return ofFile.points > 0 && ofFile.points * 2 < printed.points
        && ofFile.last + intervals * ofFile.last / double(ofFile.points) < printed.last;
}

CurveExtent extentOf(const series::Series &series)
{
    return {series.size(), series.isEmpty() ? 0 : series.at(series.size() - 1).x};
}

FileMetrics::FileMetrics(const QString &folder)
    : m_folder(folder), m_set(pathBytes(inFolder(folder, contract::file::metrics)))
{
}

void FileMetrics::readBook()
{
    if (const std::optional<std::string> text = newBook(m_bookSize)) {
        m_bookSize = qint64(text->size());
        m_book = contract::MetricBook::parse(*text);
    }
}

std::optional<std::string> FileMetrics::newBook(qint64 knownSize)
{
    const QString path = inFolder(m_folder, contract::file::metricBook);
    constexpr std::size_t longest = 64U << 20;
    return QFileInfo(path).size() == knownSize ? std::nullopt : contract::readWhole(pathBytes(path), longest);
}

// Another file has its name. Usually it has what the one before had, in fewer blocks.
void FileMetrics::beginAgain()
{
    for (const auto &[id, known] : m_known) {
        if (known.isTold) {
            Known &before = m_before[known.name] = known;
            if (before.taken.count == 0) { // not even this file was read
                before.taken = before.before;
            }
        }
    }
    m_known.clear();
    m_first.clear();
    m_grown.clear();
}

void FileMetrics::note(std::uint32_t id)
{
    const auto [known, isNew] = m_known.try_emplace(id);
    if (!isNew) {
        return;
    }
    Known &one = known->second;
    one.name = m_set.infos()[id].name;
    const std::optional<contract::MetricSeries> metric = contract::parseMetricSeries(one.name);
    if (!metric) {
        one.metric.run = -1;
        return;
    }
    one.metric = *metric;
    if (const auto before = m_before.extract(one.name)) {
        one.isTold = true;
        one.isOwn = before.mapped().isOwn;
        one.before = before.mapped().taken;
    }
    if (!isLeftOut(one)) {
        m_first.try_emplace(std::string(metric->name), id);
    }
}

// Another run of the same metric takes the name of one that is left out.
void FileMetrics::passOverShared(std::vector<Grown> &told)
{
    const std::size_t before = m_leftOutRuns.size();
    for (const contract::MetricBook::Note &one : m_book.notes) {
        if (contract::makesVoid(one.code) && one.file >= 0 && std::size_t(one.file) < m_book.files.size()) {
            m_leftOutRuns.insert(m_book.files[std::size_t(one.file)].run);
        }
    }
    if (m_leftOutRuns.size() == before) {
        return;
    }
    const auto takeBack = [&](std::uint32_t id, Known &known) {
        if (std::exchange(known.isTold, false)) {
            const QString source = QFile::decodeName(m_book.runs[std::size_t(known.metric.run)].name.c_str());
            told.push_back({shownName(id, known), source, m_set.infos()[id].axis, true, {}});
        }
        known.place = {};
        known.taken = known.before = {};
    };
    for (auto &[id, known] : m_known) {
        if (known.metric.run >= 0 && isLeftOut(known)) {
            takeBack(id, known);
            m_grown.erase(id);
        }
    }
    for (auto first = m_first.begin(); first != m_first.end();) {
        if (!isLeftOut(m_known.at(first->second))) {
            ++first;
            continue;
        }
        const auto next = std::find_if(m_known.begin(), m_known.end(), [&](const auto &each) {
            return each.second.metric.run >= 0 && each.second.metric.name == first->first && !isLeftOut(each.second);
        });
        if (next == m_known.end()) {
            first = m_first.erase(first);
            continue;
        }
        takeBack(next->first, next->second);
        m_grown.insert(next->first);
        first->second = next->first;
        ++first;
    }
}

bool FileMetrics::isSameAsFirst(std::uint32_t id, Known &known)
{
    const std::uint32_t first = m_first.find(known.metric.name)->second;
    if (first == id || known.isOwn) {
        return false;
    }
    const std::uint64_t count = m_set.reader().summary(id).count;
    if (known.comparedAt == 0 || count >= known.comparedAt * 2) {
        known.comparedAt = count;
        bool isKnown = false;
        const bool isSame = isSameCurve(m_set.series(id), m_set.series(first), isKnown);
        m_set.forget(id);
        m_set.forget(first);
        known.isOwn = isKnown && !isSame;
    }
    return !known.isOwn;
}

QString FileMetrics::shownName(std::uint32_t id, const Known &known) const
{
    const QString name = QString::fromUtf8(known.metric.name.data(), qsizetype(known.metric.name.size()));
    const auto run = std::size_t(known.metric.run);
    const bool isFirst = m_first.find(known.metric.name)->second == id;
    return isFirst ? name : QFile::decodeName(m_book.runs[run].name.c_str()) + QLatin1Char('/') + name;
}

// Values that the former file no longer has are in the one that has replaced it; there may not be another read.
std::vector<FileMetrics::Grown> FileMetrics::takeNew()
{
    constexpr int most = 3;
    std::vector<Grown> all;
    for (int look = 0; look == 0 || (look < most && m_set.reader().hasMissed()); ++look) {
        takeOnce(all);
    }
    return all;
}

void FileMetrics::takeOnce(std::vector<Grown> &all)
{
    readBook(); // before the points: where it says that nothing more comes, all of them are there
    const series::Reader::Change change = m_set.poll();
    if (change.isReset) {
        beginAgain();
    }
    for (const std::uint32_t id : change.grown) {
        note(id);
        if (m_known.at(id).metric.run >= 0 && !isLeftOut(m_known.at(id))) {
            m_grown.insert(id);
        }
    }
    passOverShared(all);
    for (auto next = m_grown.begin(); next != m_grown.end();) {
        const std::uint32_t id = *next;
        Known &known = m_known.at(id);
        // The name of a new run was written after the book was read, or is still on its way from another host.
        if (std::size_t(known.metric.run) >= m_book.runs.size() || isSameAsFirst(id, known)) {
            ++next;
            continue;
        }
        next = m_grown.erase(next);
        Grown grown;
        grown.name = shownName(id, known);
        grown.axis = m_set.infos()[id].axis;
        const auto run = std::size_t(known.metric.run);
        grown.source = QFile::decodeName(m_book.runs[run].name.c_str());
        grown.isNew = !known.isTold;
        NewPoints sink(grown.points, known);
        m_set.reader().load(id, sink, known.place);
        if (sink.goesBack || !sink.hasBefore()) {
            grown.isNew = true;
            grown.points = pointsOf(m_set.series(id));
            m_set.forget(id);
        }
        if (grown.isNew ? known.isTold || !grown.points.empty() : !grown.points.empty()) {
            known.isTold = !grown.points.empty();
            all.push_back(std::move(grown));
        }
    }
}

// Beside the steps of its rows, or as a metric of its own.
std::optional<std::uint32_t> FileMetrics::epochsOf(std::size_t run) const
{
    const std::optional<std::uint32_t> ofRows = m_set.find(contract::epochSeries(int(run)));
    const std::optional<std::uint32_t> metric = m_set.find(contract::metricSeries(int(run), "epoch"));
    const bool hasSteps = metric && m_set.infos()[*metric].axis == series::Axis::Step;
    return ofRows ? ofRows : hasSteps ? metric : std::nullopt;
}

std::optional<double> FileMetrics::epochAt(const QString &source, double step)
{
    std::optional<series::Point> there;
    for (std::size_t run = 0; run < m_book.runs.size() && !there; ++run) {
        const auto epochs = m_book.runs[run].name == pathBytes(source) ? epochsOf(run) : std::nullopt;
        there = epochs ? m_set.series(*epochs).atOrBefore(step) : std::nullopt;
    }
    return there && there->x == step ? std::optional(there->value) : std::nullopt;
}

std::optional<std::vector<Error>> FileMetrics::takeRemarks()
{
    if (m_book.notes == m_notesTaken) {
        return std::nullopt;
    }
    m_notesTaken = m_book.notes;
    return remarks();
}

std::vector<Error> FileMetrics::remarks() const
{
    std::vector<Error> remarks;
    for (const contract::MetricBook::Note &note : m_book.notes) {
        const bool hasFile = note.file >= 0 && std::size_t(note.file) < m_book.files.size();
        const QString text = QFile::decodeName(note.text.c_str());
        const QString file = hasFile ? QFile::decodeName(m_book.files[std::size_t(note.file)].path.c_str()) : text;
        remarks.push_back({QString::fromStdString(note.code),
            {{QStringLiteral("file"), file}, {QStringLiteral("offset"), qint64(note.offset)},
                {QStringLiteral("text"), text}}});
    }
    return remarks;
}

std::vector<Error> FileMetrics::remarksIn(const QString &folder)
{
    FileMetrics files(folder);
    files.readBook();
    return files.remarks();
}

} // namespace trainyard
