// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/output.h"

#include <algorithm>
#include <utility>

namespace trainyard::metricfiles
{

namespace
{
constexpr std::size_t mostSeries = 100000, mostNameBytes = 32U << 20, longestName = 1024;
constexpr std::size_t longestFact = 4096, mostFactBytes = 4U << 20;
constexpr std::size_t mostNotes = 20, mostSaid = 40;
} // namespace

void Output::end(Report &report)
{
    report.notes = std::exchange(m_notes, {});
    report.notesLeftOut = std::exchange(m_leftOut, 0);
}

std::optional<std::uint32_t> Output::series(std::string_view name, std::uint64_t offset, SeriesKind kind)
{
    if (const auto found = m_series.find(name); found != m_series.end()) {
        return found->second;
    }
    if (name.size() > longestName) {
        note(note::longName, offset);
        return {};
    }
    if (m_series.size() >= mostSeries || m_nameBytes + name.size() > mostNameBytes) {
        note(note::tooManySeries, 0, std::to_string(m_series.size()));
        return {};
    }
    m_nameBytes += name.size();
    const auto number = static_cast<std::uint32_t>(m_series.size());
    m_series.emplace(name, number);
    m_sink->addSeries(number, name, kind);
    return number;
}

void Output::fact(std::string_view name, std::string_view value)
{
    value = value.substr(0, longestFact);
    if (name.size() > longestName || m_factBytes + name.size() + value.size() > mostFactBytes) {
        return;
    }
    m_factBytes += name.size() + value.size();
    m_sink->setFact(name, value);
}

void Output::note(std::string_view code, std::uint64_t offset, std::string_view text)
{
    Note note{code, offset, std::string(text)};
    if (std::find(m_said.begin(), m_said.end(), note) != m_said.end()) {
        return;
    }
    if (m_said.size() >= mostSaid) {
        m_said.erase(m_said.begin());
    }
    m_said.push_back(note);
    if (m_notes.size() >= mostNotes) {
        ++m_leftOut;
    } else {
        m_notes.push_back(std::move(note));
    }
}

void Output::startOver()
{
    m_series.clear();
    m_nameBytes = m_factBytes = 0;
    m_said.clear();
    m_sink->startOver();
}

} // namespace trainyard::metricfiles
