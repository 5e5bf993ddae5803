// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The records in a try's folder about the files in which the task keeps its metrics (docs/task-folder.md). The points
// are in a file of series, the rest is in a book of lines that is only appended to. Standard library only.
namespace trainyard::contract
{

// Codes of notes about files that other jobs write as well; the text has the UUIDs of these, with blanks between them.
inline constexpr std::string_view sharedFileNote = "metricfile.shared-file"; // its values are void
inline constexpr std::string_view laterFileNote = "metricfile.later-file"; // what came after the end was left out
// Says that any of several tasks of the job may have written a file, as each seems to have one: its values are void.
// About a file that was never taken, the note has its path.
inline constexpr std::string_view tasksFileNote = "metricfile.tasks-file";
// Says that a file which only lay in a folder of the task was removed, with which its values are void until it is back.
inline constexpr std::string_view goneFileNote = "metricfile.gone";
inline bool makesVoid(std::string_view code) { return code == sharedFileNote || code == tasksFileNote; }
inline bool isAboutSharing(std::string_view code) { return makesVoid(code) || code == laterFileNote; }

struct MetricBook {
    struct Run { // files that are one set of curves, such as the event files of a folder
        std::string name; // below the work folder where it is there, else its whole path
    };
    struct File {
        int run = 0;
        std::string format; // "events", "wandb", "table", "jsonl", "trainer-state", "sacred", "results", "mlflow"
        std::string path; // as the task names it
        bool isOfJob = false; // another task of the job may have written it
    };
    struct Note { // a sentence about a file
        int file = -1; // none: of the work folder
        std::string code; // engine/metricfiles/note.h
        std::uint64_t offset = 0;
        std::string text;
        friend bool operator==(const Note &, const Note &) = default;
    };
    std::vector<Run> runs; // by their numbers
    std::vector<File> files; // by their numbers
    std::vector<Note> notes;
    std::map<std::string, std::string> facts; // "config/lr"; those of the newest file count
    std::set<std::string> others; // paths of files in its folders that are another task's
    bool isOver = false; // the task has ended, and all was read

    // Lines that it does not know are passed over, and one without its end is not there yet.
    static MetricBook parse(std::string_view text);
};

std::string runLine(std::string_view name);
std::string fileLine(const MetricBook::File &file); // without its owner: the task
std::string ownerLine(int file, bool isOfJob); // the newest of a file counts
std::string noteLine(const MetricBook::Note &note);
std::string backLine(int file); // what was noted of its being gone counts no more
std::string factLine(std::string_view name, std::string_view value);
std::string otherLine(std::string_view path);
std::string overLine();

// The names of series: "0 loss" is the metric "loss" of run 0. Two series of each file say how much of it was taken.
std::string metricSeries(int run, std::string_view name);
struct MetricSeries {
    int run = 0;
    std::string_view name;
};
std::optional<MetricSeries> parseMetricSeries(std::string_view series);
// The epoch at each step of a run whose files tell it beside the step. It is no metric.
std::string epochSeries(int run);
std::string takenSeries(int file); // how many values of the file
std::string takenHashSeries(int file); // and a checksum of these

} // namespace trainyard::contract
