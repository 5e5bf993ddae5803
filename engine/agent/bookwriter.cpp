// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/bookwriter.h"

#include "engine/contract/taskfolder.h"
#include "engine/metricfiles/note.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostFactsInBook = 1000, mostMissingNotes = 10000, mostOthers = 1000;
constexpr std::ptrdiff_t mostNotesInBook = 50;

struct FormatWord {
    metricfiles::Format format;
    std::string_view word;
};
constexpr std::array<FormatWord, 8> formatWords{
    {{metricfiles::Format::EventFile, "events"}, {metricfiles::Format::WandbFile, "wandb"},
        {metricfiles::Format::Table, "table"}, {metricfiles::Format::JsonLines, "jsonl"},
        {metricfiles::Format::TrainerState, "trainer-state"}, {metricfiles::Format::SacredMetrics, "sacred"},
        {metricfiles::Format::JsonResults, "results"}, {metricfiles::Format::MlflowMetric, "mlflow"}}};

} // namespace

std::string formatWord(metricfiles::Format format)
{
    for (const FormatWord &each : formatWords) {
        if (each.format == format) {
            return std::string(each.word);
        }
    }
    return {};
}

metricfiles::Format formatOfWord(std::string_view word)
{
    for (const FormatWord &each : formatWords) {
        if (each.word == word) {
            return each.format;
        }
    }
    return metricfiles::Format::None;
}

BookWriter::BookWriter(const std::string &dir) : m_path(dir + '/' + contract::file::metricBook) { }

void BookWriter::continueFrom(contract::MetricBook &book)
{
    m_notes = std::move(book.notes);
    m_facts = std::move(book.facts);
    m_others = std::move(book.others);
}

void BookWriter::append(const std::string &lines)
{
    const int fd = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        contract::writeWhole(fd, lines);
        ::close(fd);
    }
}

void BookWriter::addNote(const contract::MetricBook::Note &note)
{
    if (std::find(m_notes.begin(), m_notes.end(), note) != m_notes.end()) {
        return;
    }
    // By those about sharing, readers and the next agent know what counts for no task; there is one for a file at most.
    const bool isKept = contract::isAboutSharing(note.code)
        || std::count_if(m_notes.begin(), m_notes.end(),
               [](const contract::MetricBook::Note &known) { return !contract::isAboutSharing(known.code); })
            < mostNotesInBook;
    if (isKept) {
        m_notes.push_back(note);
        append(contract::noteLine(note));
    } else if (m_missing.size() < mostMissingNotes) {
        m_missing.insert(std::hash<std::string>()(contract::noteLine(note)));
    }
}

void BookWriter::addFact(const std::string &name, const std::string &value)
{
    std::string &known = m_facts[name];
    if (known != value && m_facts.size() <= mostFactsInBook) {
        known = value;
        append(contract::factLine(name, value));
    }
}

void BookWriter::addOther(const std::string &path)
{
    if (m_others.size() < mostOthers && m_others.insert(path).second) {
        append(contract::otherLine(path));
    }
}

void BookWriter::addReturn(int file)
{
    const std::size_t gone = std::erase_if(m_notes, [file](const contract::MetricBook::Note &one) {
        return one.file == file && one.code == contract::goneFileNote;
    });
    if (gone > 0) {
        append(contract::backLine(file));
    }
}

void BookWriter::addCountOfMissing()
{
    const std::uint64_t count = m_unread + m_missing.size();
    if (count > 0) {
        append(contract::noteLine({-1, std::string(metricfiles::note::manyNotes), 0, std::to_string(count)}));
    }
}

} // namespace trainyard::agent
