// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"

#include <charconv>

namespace trainyard::contract
{

namespace
{

constexpr char between = '\t';
constexpr std::string_view jobOwner = "job", taskOwner = "task";

std::string cell(std::string_view text)
{
    std::string plain(text);
    for (char &c : plain) {
        c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return plain;
}

std::vector<std::string_view> cellsOf(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t end = line.find(between);
        cells.push_back(line.substr(0, end));
        if (end == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(end + 1);
    }
}

template <typename Number> bool cellNumber(std::string_view text, Number &number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

void takeBack(int file, std::vector<MetricBook::Note> &notes)
{
    std::erase_if(notes, [file](const MetricBook::Note &one) { return one.file == file && one.code == goneFileNote; });
}

void takeBookLine(const std::vector<std::string_view> &cells, MetricBook &book)
{
    const std::string_view kind = cells.front();
    if (kind == "run" && cells.size() == 2) {
        book.runs.push_back({std::string(cells[1])});
    } else if (kind == "file" && cells.size() == 4) {
        MetricBook::File file{0, std::string(cells[2]), std::string(cells[3])};
        // The number of a file is its place, also of one that says nonsense.
        if (!cellNumber(cells[1], file.run) || file.run < 0 || std::size_t(file.run) >= book.runs.size()) {
            file = {};
        }
        book.files.push_back(std::move(file));
    } else if (kind == "owner" && cells.size() == 3) {
        std::size_t file = 0;
        if (cellNumber(cells[1], file) && file < book.files.size()) {
            book.files[file].isOfJob = cells[2] == jobOwner;
        }
    } else if (kind == "note" && cells.size() == 5) {
        MetricBook::Note note{-1, std::string(cells[2]), 0, std::string(cells[4])};
        if (cellNumber(cells[1], note.file) && cellNumber(cells[3], note.offset)) {
            book.notes.push_back(std::move(note));
        }
    } else if (kind == "back" && cells.size() == 2) {
        int file = -1;
        if (cellNumber(cells[1], file)) {
            takeBack(file, book.notes);
        }
    } else if (kind == "fact" && cells.size() == 3) {
        book.facts[std::string(cells[1])] = cells[2];
    } else if (kind == "other" && cells.size() == 2) {
        book.others.insert(std::string(cells[1]));
    } else if (kind == "end") {
        book.isOver = true;
    }
}

} // namespace

MetricBook MetricBook::parse(std::string_view text)
{
    MetricBook book;
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
        takeBookLine(cellsOf(text.substr(0, end)), book);
    }
    return book;
}

std::string runLine(std::string_view name) { return "run\t" + cell(name) + '\n'; }

std::string fileLine(const MetricBook::File &file)
{
    return "file\t" + std::to_string(file.run) + between + cell(file.format) + between + cell(file.path) + '\n';
}

std::string ownerLine(int file, bool isOfJob)
{
    return "owner\t" + std::to_string(file) + between + std::string(isOfJob ? jobOwner : taskOwner) + '\n';
}

std::string noteLine(const MetricBook::Note &note)
{
    return "note\t" + std::to_string(note.file) + between + cell(note.code) + between + std::to_string(note.offset)
        + between + cell(note.text) + '\n';
}

std::string backLine(int file) { return "back\t" + std::to_string(file) + '\n'; }

std::string factLine(std::string_view name, std::string_view value)
{
    return "fact\t" + cell(name) + between + cell(value) + '\n';
}

std::string otherLine(std::string_view path) { return "other\t" + cell(path) + '\n'; }

std::string overLine() { return "end\n"; }

std::string metricSeries(int run, std::string_view name) { return std::to_string(run) + ' ' + std::string(name); }

std::optional<MetricSeries> parseMetricSeries(std::string_view series)
{
    const std::size_t blank = series.find(' ');
    MetricSeries parsed;
    if (blank == std::string_view::npos || !cellNumber(series.substr(0, blank), parsed.run) || parsed.run < 0) {
        return std::nullopt;
    }
    parsed.name = series.substr(blank + 1);
    return parsed;
}

std::string epochSeries(int run) { return "epoch " + std::to_string(run); }

std::string takenSeries(int file) { return "taken " + std::to_string(file); }

std::string takenHashSeries(int file) { return "hash " + std::to_string(file); }

} // namespace trainyard::contract
