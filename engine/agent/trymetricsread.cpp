// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one file of metrics, and handles its values when the file is rewritten or removed.
#include "engine/agent/filestamps.h"
#include "engine/agent/pump.h"
#include "engine/agent/trymetrics.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t readAtOnce = 1U << 20; // bytes of a file
constexpr std::int64_t shorterMs = 10000; // a program that rewrites a file is done by then, or has started over
constexpr std::int64_t goneMs = 5000; // a program that replaces its file has done so by then

bool isRemoved(const std::string &path)
{
    struct stat about = {};
    return ::stat(path.c_str(), &about) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

// When the last row of a file was written, as far as its clock is to be believed.
std::int64_t writtenUntil(const std::string &path, std::int64_t after, std::int64_t now)
{
    const auto [key, changed] = fileKeyOf(path);
    return key == FileKey() || changed < after || changed > now ? now : changed;
}

} // namespace

bool TryMetrics::open(Source &source)
{
    if (!source.reader) {
        metricfiles::Note problem;
        source.reader = metricfiles::FileReader::open(source.openAs, {source.format, true}, problem);
        if (source.reader) {
            m_book.addReturn(source.number);
        }
    }
    if (source.reader) {
        makeIntake(source);
    }
    return source.reader != nullptr;
}

void TryMetrics::makeIntake(Source &source)
{
    if (!source.intake) {
        source.intake = std::make_unique<MetricIntake>(
            m_writer, m_secrets, m_runs[static_cast<std::size_t>(source.run)]->series, source.run, source.stored);
    }
}

// A file that was only found in a folder of the try may be there by mistake, so removing it is taken as intended. A
// file that a process had open certainly belongs to the try, and so do the files that exist when the task has ended.
// Old files of one run, such as checkpoints, are removed all the time.
bool TryMetrics::isGone(Source &source) const
{
    const bool isAway = !m_hasEnded && !source.wasOpen && isRemoved(source.openAs)
        && std::none_of(m_sources.begin(), m_sources.end(), [&source](const std::unique_ptr<Source> &other) {
               return other.get() != &source && other->run == source.run && !isRemoved(other->openAs);
           });
    const std::int64_t now = utcMs();
    source.goneSince = !isAway ? 0 : source.goneSince == 0 ? now : source.goneSince;
    return isAway && now - source.goneSince >= goneMs;
}

// It is read again from its beginning when it is there again.
TryMetrics::Look TryMetrics::leaveGone(Source &source)
{
    source.reader.reset();
    makeIntake(source);
    if (source.intake->taken().count == 0) {
        return {};
    }
    source.intake->begin();
    store(source);
    note(source.number, {contract::goneFileNote, 0, {}});
    return {true, false};
}

// Values that are read now were written after this time, in ms UTC. For a file that an earlier agent has read, or
// without a known creation time, only its existence is known.
std::int64_t TryMetrics::readUntil(const Source &source, std::int64_t now) const
{
    struct stat about = {};
    if (source.readUntil > 0) {
        return std::min(source.readUntil, now);
    }
    if (source.stored.count > 0 || m_began == 0 || ::stat(source.openAs.c_str(), &about) != 0) {
        return now;
    }
    const std::int64_t born = fileTimesOf(source.openAs, about).born;
    return born == 0 ? now : std::clamp(born, std::min(m_began, now), now);
}

TryMetrics::Look TryMetrics::read(Source &source)
{
    if (isGone(source)) {
        return leaveGone(source);
    }
    if (!open(source)) {
        return {}; // it is gone, or not to be reached from here; what it had is kept
    }
    MetricIntake &intake = *source.intake;
    const std::int64_t now = utcMs();
    if (m_hasEnded) {
        source.reader->setOver();
    }
    const metricfiles::Report report = source.reader->read(intake, readAtOnce);
    const bool isMore = report.state == metricfiles::State::More;
    const std::int64_t after = readUntil(source, now);
    source.readUntil = writtenUntil(source.openAs, after, now);
    if (isMore && report.size > 0) { // as far as it was read
        const double share = static_cast<double>(report.position) / static_cast<double>(report.size);
        source.readUntil = after + static_cast<std::int64_t>(static_cast<double>(source.readUntil - after) * share);
    }
    intake.write(after, source.readUntil);
    const bool isShorter = intake.state() == MetricIntake::State::Same && !isMore;
    source.shorterSince = !isShorter ? 0 : source.shorterSince == 0 ? now : source.shorterSince;
    if (intake.state() == MetricIntake::State::Different
        || (isShorter && report.size > 0 && (m_hasEnded || now - source.shorterSince >= shorterMs))) {
        intake.begin();
        source.shorterSince = 0;
        source.reader.reset();
        store(source);
        return {true, true};
    }
    for (const metricfiles::Note &one : report.notes) {
        // While a program writes, records are cut and files are rewritten.
        if (one.code != metricfiles::note::writtenAnew && (one.code != metricfiles::note::cut || m_hasEnded)) {
            note(source.number, one);
        }
    }
    m_book.countUnread(report.notesLeftOut);
    for (const auto &[name, value] : intake.takeFacts()) {
        m_book.addFact(name, value);
    }
    const bool hasGrown = intake.takePoints() > 0;
    if (hasGrown) {
        store(source);
    }
    return {hasGrown, isMore};
}

// With the points in one piece, so that the next agent knows exactly which ones are there.
void TryMetrics::store(Source &source)
{
    const MetricIntake::Taken &taken = source.intake->taken();
    const auto put = [this](const std::string &name, std::uint64_t value) {
        series::Info info;
        info.name = name;
        info.axis = series::Axis::Time;
        info.stepBack = series::StepBack::Mixed;
        info.onlyLast = true;
        const std::int64_t now = utcMs();
        if (const std::optional<std::uint32_t> id = m_writer->define(info)) {
            m_writer->append(*id, {static_cast<double>(now), now, static_cast<double>(value)});
        }
    };
    put(contract::takenSeries(source.number), taken.count);
    put(contract::takenHashSeries(source.number), taken.hash);
    m_writer->flush();
}

} // namespace trainyard::agent
