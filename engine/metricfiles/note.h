// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Remarks about a file: codes with arguments. The caller that shows them has the sentences.
namespace trainyard::metricfiles
{

struct Note {
    std::string_view code; // static
    std::uint64_t offset = 0; // where in the file
    std::string text; // a path, a reason, a number
    friend bool operator==(const Note &, const Note &) = default;
};

namespace note
{
// About opening.
inline constexpr std::string_view unreadable = "metricfile.unreadable"; // text: why
inline constexpr std::string_view notRegular = "metricfile.not-regular";
inline constexpr std::string_view unknown = "metricfile.unknown";
inline constexpr std::string_view link = "metricfile.link"; // text: where it leads
// About what is in it.
inline constexpr std::string_view writtenAnew = "metricfile.written-anew";
inline constexpr std::string_view cut = "metricfile.cut";
inline constexpr std::string_view badChecksum = "metricfile.bad-checksum";
inline constexpr std::string_view badLength = "metricfile.bad-length";
inline constexpr std::string_view badHeader = "metricfile.bad-header";
inline constexpr std::string_view badRecord = "metricfile.bad-record";
inline constexpr std::string_view longRecord = "metricfile.long-record";
inline constexpr std::string_view longName = "metricfile.long-name";
inline constexpr std::string_view noHeader = "metricfile.no-header";
inline constexpr std::string_view tooLarge = "metricfile.too-large";
inline constexpr std::string_view tooManySeries = "metricfile.too-many-series";
// About a folder.
inline constexpr std::string_view folderUnreadable = "metricfile.folder-unreadable"; // text: why
inline constexpr std::string_view folderOdd = "metricfile.folder-odd"; // text: what is not a regular file
inline constexpr std::string_view manyEntries = "metricfile.many-entries";
inline constexpr std::string_view deepFolders = "metricfile.deep-folders"; // text: how many
inline constexpr std::string_view linksLeftOut = "metricfile.links-left-out"; // text: how many
// About the files of a task.
inline constexpr std::string_view sharedFolder = "metricfile.shared-folder";
inline constexpr std::string_view manyFiles = "metricfile.many-files"; // text: how many are read
inline constexpr std::string_view manyNotes = "metricfile.many-notes"; // text: how many more there are
} // namespace note

enum class State {
    More, // the budget is spent
    UpToDate,
    Waiting, // the last record is not complete yet
    Damaged // what follows cannot be read as it is now
};

struct Report {
    State state = State::UpToDate;
    std::vector<Note> notes; // what was not said before; at most 20
    std::uint64_t notesLeftOut = 0;
    std::uint64_t position = 0, size = 0;
};

} // namespace trainyard::metricfiles
