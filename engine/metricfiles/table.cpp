// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/table.h"

#include "engine/metricfiles/values.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace trainyard::metricfiles
{

namespace
{

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::string_view nextLine(std::string_view &text)
{
    const std::size_t feed = text.find('\n');
    std::string_view line = text.substr(0, feed);
    text.remove_prefix(feed == std::string_view::npos ? text.size() : feed + 1);
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

char separatorOf(std::string_view header)
{
    char best = ',';
    std::ptrdiff_t most = 0;
    for (const char c : {',', '\t', ';'}) {
        if (const auto count = std::count(header.begin(), header.end(), c); count > most) {
            most = count;
            best = c;
        }
    }
    return best;
}

// Names without the blanks around them; what comes a second time is numbered, as pandas does.
bool namesOf(std::string_view header, char separator, std::vector<std::string> &names)
{
    splitCells(header, separator, names);
    std::unordered_map<std::string, int> known;
    bool hasName = false;
    for (std::string &name : names) {
        name = metrics::trimmed(name);
        if (numberOf(name)) {
            return false;
        }
        hasName = hasName || !name.empty();
        const int before = known[name]++;
        if (before > 0 && !name.empty()) {
            name += '.' + std::to_string(before);
        }
    }
    return hasName && header.find('\0') == std::string_view::npos;
}

} // namespace

void splitCells(std::string_view line, char separator, std::vector<std::string> &cells)
{
    std::size_t count = 0;
    for (std::size_t i = 0;; ++i) {
        if (count == cells.size()) {
            cells.emplace_back();
        }
        std::string &cell = cells[count++];
        const std::size_t end = std::min(line.find(separator, i), line.size());
        const std::size_t quote = metrics::skipBlanks(line.substr(0, end), i);
        if (separator != '"' && quote < end && line[quote] == '"') {
            cell.clear();
            for (i = quote + 1; i < line.size(); ++i) {
                if (line[i] != '"') {
                    cell += line[i];
                } else if (i + 1 < line.size() && line[i + 1] == '"') {
                    cell += line[i++];
                } else {
                    break;
                }
            }
            i = std::min(line.find(separator, i), line.size());
        } else {
            cell = line.substr(i, end - i);
            i = end;
        }
        if (i >= line.size()) {
            break;
        }
    }
    cells.resize(count);
}

TableHead tableHead(std::string_view text)
{
    TableHead head;
    if (text.starts_with(byteOrderMark)) {
        text.remove_prefix(byteOrderMark.size());
    }
    while (text.starts_with('#') && text.find('\n') != std::string_view::npos) {
        nextLine(text);
    }
    if (text.find('\n') == std::string_view::npos) {
        head.kind = TableHead::Kind::Open;
        return head;
    }
    const std::string_view header = nextLine(text);
    head.separator = separatorOf(header);
    if (!namesOf(header, head.separator, head.names)) {
        return head;
    }
    head.kind = TableHead::Kind::Table;
    for (const std::string &name : head.names) {
        head.hasCounter = head.hasCounter || counterName(name).has_value();
    }
    const bool hasRow = text.find('\n') != std::string_view::npos;
    std::vector<std::string> cells;
    splitCells(nextLine(text), head.separator, cells);
    head.row = hasRow ? cells : std::vector<std::string>();
    int numbers = 0, others = 0;
    for (const std::string &cell : cells) {
        numbers += numberOf(cell) ? 1 : 0;
        others += !numberOf(cell) && !metrics::trimmed(cell).empty() ? 1 : 0;
    }
    head.hasNumbers = !hasRow || (numbers > 0 && numbers >= others);
    return head;
}

// A program that was started again may append to its table, with other columns than before.
void TableFile::takeHeaderAgain(std::string_view line, std::uint64_t at)
{
    std::vector<std::string> names;
    const auto counts = [](const std::string &name) { return counterName(name).has_value(); };
    const auto isKnownValue = [&](const std::string &name) {
        return !name.empty() && !counts(name) && std::find(m_names.begin(), m_names.end(), name) != m_names.end();
    };
    // A row of words, such as "epoch,resumed", is none.
    if (namesOf(line, m_separator, names) && std::any_of(names.begin(), names.end(), counts)
        && std::any_of(names.begin(), names.end(), isKnownValue)) {
        m_names = std::move(names);
        m_headerAt = at;
    }
}

// Whether a line without a line feed is a whole row. A program that was killed leaves what it had flushed, which ends
// where a buffer does, in the middle of a number. One that was started again counts its buffers from its header on.
bool TableFile::takesLast(const Source &source, std::string_view line)
{
    constexpr std::uint64_t buffer = 4096;
    if (!source.isOver() || m_isInLastLine || m_names.empty() || line.find('\n') != std::string_view::npos
        || source.size() % buffer == 0 || (source.size() - m_headerAt) % buffer == 0) {
        return false;
    }
    splitCells(line, m_separator, m_cells);
    return m_cells.size() == m_names.size() && !metrics::trimmed(m_cells.back()).empty();
}

State TableFile::decode(Source &source, Output &output, std::size_t budget)
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
            if (!takesLast(source, line)) {
                output.note(note::cut, at); // the last number may go on
                return State::Waiting;
            }
            source.moveTo(at + line.size());
            m_isInLastLine = true;
            break;
        case Lines::Found::Line:
            if (std::exchange(m_isInLastLine, false)) {
                continue; // the rest of a line that is continued all the same
            }
            break;
        }
        if (m_names.empty()) {
            if (line.starts_with(byteOrderMark)) {
                line.remove_prefix(byteOrderMark.size());
            }
            if (line.starts_with('#') || metrics::trimmed(line).empty()) {
                continue;
            }
            m_separator = separatorOf(line);
            std::vector<std::string> names;
            if (!namesOf(line, m_separator, names)) {
                output.note(note::noHeader, at);
                source.moveTo(at);
                return State::Damaged;
            }
            m_names = std::move(names);
            continue;
        }
        splitCells(line, m_separator, m_cells);
        m_row.clear();
        for (std::size_t i = 0; i < std::min(m_cells.size(), m_names.size()); ++i) {
            if (!m_names[i].empty()) {
                if (const std::optional<double> number = numberOf(m_cells[i])) {
                    m_row.add(m_names[i], *number);
                }
            }
        }
        if (!m_row.isEmpty()) {
            ++m_rows;
            m_row.give(m_rows, at, output);
        } else {
            takeHeaderAgain(line, at);
        }
    } while (source.bytesRead() - readBefore < budget);
    return State::More;
}

} // namespace trainyard::metricfiles
