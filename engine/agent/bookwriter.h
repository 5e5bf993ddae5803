// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/metricbook.h"
#include "engine/metricfiles/format.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// The words of the book for formats; empty, or None, where there is none.
std::string formatWord(metricfiles::Format format);
metricfiles::Format formatOfWord(std::string_view word);

// Appends to the book about the metrics of one try (engine/contract/metricbook.h), and remembers what is in it: each
// note, fact and path is written once, and there is a limit to each kind. Every write may wait for a file server; one
// that fails is left out without an error. For one thread.
class BookWriter
{
public:
    explicit BookWriter(const std::string &dir); // the folder of the try
    // Continues what an earlier agent has written: its notes, facts and others are taken out of `book`.
    void continueFrom(contract::MetricBook &book);

    // Appends lines as they are, in one piece.
    void append(const std::string &lines);
    void addNote(const contract::MetricBook::Note &note); // without secrets
    const std::vector<contract::MetricBook::Note> &notes() const { return m_notes; }
    void addFact(const std::string &name, const std::string &value);
    // A file in its folders that is another try's. For good: the next agent does not know which tries were there.
    void addOther(const std::string &path);
    bool isOther(const std::string &path) const { return m_others.contains(path); }
    // The file is back: that it was gone counts no more.
    void addReturn(int file);
    void countUnread(std::uint64_t notes) { m_unread += notes; } // that the readers of files have left out
    // Says how many notes are not in the book. Call it last, as the number is known at the end.
    void addCountOfMissing();

private:
    std::string m_path;
    std::vector<contract::MetricBook::Note> m_notes;
    std::set<std::size_t> m_missing; // notes beyond the limit, by their hashes: files are read again
    std::uint64_t m_unread = 0;
    std::map<std::string, std::string> m_facts;
    std::set<std::string> m_others;
};

} // namespace trainyard::agent
