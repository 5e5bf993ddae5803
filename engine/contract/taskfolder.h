// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/identity.h"
#include "engine/contract/smallfiles.h" // by which these files are read and written

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The folder of one try, contract 1: what the keeper writes and all other programs read. Standard library only.
namespace trainyard::contract
{

constexpr int taskFolderContract = 1;

namespace file
{
constexpr const char *plan = "plan.json";
constexpr const char *script = "task.sh";
constexpr const char *sealed = "sealed"; // holds a link of the script's name to one that is in memory
constexpr const char *lock = "keeper.lock";
constexpr const char *keeper = "keeper";
constexpr const char *started = "started";
constexpr const char *output = "output.log";
constexpr const char *index = "output.idx";
constexpr const char *tail = "output.tail";
constexpr const char *runtime = "runtime.log";
constexpr const char *figures = "figures.series"; // what it uses of its host
constexpr const char *environment = "environment.json"; // what it found when it started
constexpr const char *metrics = "metrics.series"; // what is in its files of metrics
constexpr const char *metricBook = "metrics.files"; // which files these are (engine/contract/metricbook.h)
constexpr const char *stop = "stop";
constexpr const char *exit = "exit";
constexpr const char *reserve = "reserve"; // room for `exit`, which it becomes
constexpr const char *work = "work";
constexpr const char *pipes = "pipes"; // of a container: in, out, err
constexpr const char *commands = "commands"; // a link of the launch script to the commands, in memory
constexpr const char *inside = "inside"; // of a container: what the task sees and may write
} // namespace file

// Records are lines "key value"; the last line is "end". A text without it is not whole and parses to nothing, so a
// torn write can never be mistaken for a record. Unknown keys are ignored. Values hold no newline: it is written as a
// blank.

struct KeeperRecord {
    std::string host;
    ProcessIdentity process;
    std::string tryUuid;
    std::int64_t at = 0; // ms UTC
    std::string format() const;
    static std::optional<KeeperRecord> parse(std::string_view text);
    friend bool operator==(const KeeperRecord &, const KeeperRecord &) = default;
};

struct StartedRecord {
    std::string host;
    ProcessIdentity process; // the task's first process
    std::int64_t keeperPid = 0;
    std::string tryUuid;
    std::string cgroup; // path of its own cgroup, or empty
    std::int64_t at = 0; // ms UTC
    std::vector<int> gpus = {}; // that a cluster has given it, by their numbers on the node
    std::string format() const;
    static std::optional<StartedRecord> parse(std::string_view text);
    friend bool operator==(const StartedRecord &, const StartedRecord &) = default;
};

struct StopRecord {
    int signal = 15;
    std::int64_t graceMs = 30000;
    bool onlyMain
        = false; // the first signal goes to the first process only, as programs that save a checkpoint want it
    std::int64_t at = 0; // ms UTC
    std::string format() const;
    static std::optional<StopRecord> parse(std::string_view text);
    friend bool operator==(const StopRecord &, const StopRecord &) = default;
};

enum class ExitKind { Exited, Signaled, Oom, StartFailed, Lost };
const char *exitKindWord(ExitKind kind); // exited, signaled, oom, start-failed, lost
std::optional<ExitKind> exitKindFromWord(std::string_view word);

struct ExitRecord {
    ExitKind kind = ExitKind::Lost;
    int value = 0; // exit status, signal, errno (start-failed); 0 for lost
    int status = -1; // oom: what the task itself ended with, as a shell reports it; -1: not known
    std::int64_t began = 0, ended = 0; // ms UTC
    std::int64_t maxRssKiB = 0, userMs = 0, systemMs = 0;
    std::uint64_t bytes = 0; // of output.log and what was cut
    std::uint64_t masked = 0; // secrets hidden in the output
    std::uint64_t lost = 0; // bytes of output that a full disk did not take before the task was to end
    std::string reason; // code for people ("launch.cwd-missing"), then a blank and its argument, or empty
    std::string left; // "4711 python, 4712 cat": processes that could not be ended, or empty
    std::int64_t asked = 0; // ms UTC: when the cluster asked all processes of its step to end; 0: it did not
    bool isOwn = false; // its program ended before a request to end reached it; false where that is not known
    std::string format() const;
    static std::optional<ExitRecord> parse(std::string_view text);
    // The status that a shell would report: the exit status or 128 + signal; that of `status` for oom; -1 when the
    // program never ran or its status is not known.
    int shellStatus() const;
    bool isGood() const { return kind == ExitKind::Exited && value == 0; } // it ran, and returned 0
    friend bool operator==(const ExitRecord &, const ExitRecord &) = default;
};

enum class Stream : std::uint8_t { Out = 1, Err = 2 };
namespace indexflag
{
constexpr std::uint8_t beginsLine = 1, endsLine = 2, cut = 4, clockStepped = 8;
}
// One stretch of output of one stream. Offsets count from the beginning of all output; records marked `cut` are beyond
// the limit and are in output.tail, if they are still there.
struct IndexRecord {
    std::uint64_t offset = 0;
    std::int64_t timeNs = 0; // UTC
    std::uint32_t length = 0;
    Stream stream = Stream::Out;
    std::uint8_t flags = 0;
    friend bool operator==(const IndexRecord &, const IndexRecord &) = default;
};
constexpr std::size_t indexRecordSize = 24;
std::array<char, indexRecordSize> encodeIndexRecord(const IndexRecord &record);
IndexRecord decodeIndexRecord(const char *bytes); // of indexRecordSize bytes

// output.tail: this header, then a ring. Byte k beyond the limit is at tailHeaderSize + k % ringSize.
struct TailHeader {
    std::uint64_t ringSize = 64ull << 20;
    std::uint64_t begin = 0; // offset in all output of the first byte behind the limit
    std::uint64_t total = 0; // bytes written behind the limit
};
constexpr std::size_t tailHeaderSize = 32;
std::array<char, tailHeaderSize> encodeTailHeader(const TailHeader &header);
std::optional<TailHeader> decodeTailHeader(std::string_view bytes);

std::optional<KeeperRecord> readKeeperRecord(const std::string &folder);
std::optional<StartedRecord> readStartedRecord(const std::string &folder);
std::optional<StopRecord> readStopRecord(const std::string &folder);
std::optional<ExitRecord> readExitRecord(const std::string &folder);

// Says in the record that is reserved (file::reserve), as that takes no room, whether the output of a task waits for
// room on the disk. For readers that its keeper has no pipe to.
void markLackOfRoom(const std::string &reserve, bool lacksRoom);
// Whether it waits. False when that is not known, and after its end.
bool lacksRoom(const std::string &folder);

} // namespace trainyard::contract
