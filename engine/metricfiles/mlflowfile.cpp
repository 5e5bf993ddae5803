// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/mlflowfile.h"

#include "engine/metricfiles/values.h"
#include "engine/metrics/words.h"

#include <optional>

namespace trainyard::metricfiles
{

namespace
{

constexpr std::string_view metricsFolder = "/metrics/";

struct MlflowLine {
    std::int64_t time = 0;
    double value = 0;
    std::optional<double> step; // old files have none
};

std::string_view nextWord(std::string_view &text)
{
    text = metrics::trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

// Newer programs append more words.
std::optional<MlflowLine> mlflowLine(std::string_view text)
{
    const std::optional<double> stamp = numberOf(nextWord(text));
    const std::optional<std::int64_t> time = stamp ? timeOfStamp(*stamp) : std::nullopt;
    const std::optional<double> value = numberOf(nextWord(text));
    if (!time || !value) {
        return {};
    }
    return MlflowLine{*time, *value, numberOf(nextWord(text))};
}

} // namespace

bool isMlflowLine(std::string_view line) { return mlflowLine(line).has_value(); }

MlflowFile::MlflowFile(std::string_view path)
{
    const std::size_t folder = path.rfind(metricsFolder); // a '/' in a name is a folder
    const std::size_t begin = folder == std::string_view::npos ? path.rfind('/') + 1 : folder + metricsFolder.size();
    m_name = path.substr(begin);
}

State MlflowFile::decode(Source &source, Output &output, std::size_t budget)
{
    const std::uint64_t readBefore = source.bytesRead();
    do {
        const std::uint64_t at = source.position();
        std::string_view line;
        switch (m_lines.next(source, output, line)) {
        case Lines::Found::Skipped:
            continue;
        case Lines::Found::End:
            return State::UpToDate;
        case Lines::Found::Cut:
            output.note(note::cut, at);
            return State::Waiting;
        case Lines::Found::Line:
            break;
        }
        const std::optional<MlflowLine> read = mlflowLine(line);
        const std::optional<std::uint32_t> series = read ? output.series(m_name, at) : std::nullopt;
        if (series) {
            ++m_rows;
            Point point;
            point.series = *series;
            point.axis = read->step ? Axis::Step : Axis::Row;
            point.x = read->step.value_or(static_cast<double>(m_rows));
            point.time = read->time;
            point.value = read->value;
            output.point(point);
        } else if (!read && !metrics::trimmed(line).empty()) {
            output.note(note::badRecord, at);
        }
    } while (source.bytesRead() - readBefore < budget);
    return State::More;
}

} // namespace trainyard::metricfiles
