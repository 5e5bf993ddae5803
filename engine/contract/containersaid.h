// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/container.h"

#include <optional>
#include <string>
#include <string_view>

// Reads the output of the container programs: the answers to the command lines of container.h, and why they failed.
// Pure.
namespace trainyard::contract
{

// The name in what contextCommand() has printed, which can be more; empty: the usual one, or none.
std::string contextIn(std::string_view said);

// The output of inspectCommand().
struct ContainerStatus {
    int exitCode = 0;
    bool oomKilled = false;
    std::string status; // created, running, exited, ...
    long pid = 0; // on the host, of its first process
    bool started = false; // its program has run
    std::string error;
    friend bool operator==(const ContainerStatus &, const ContainerStatus &) = default;
};
std::optional<ContainerStatus> parseContainerStatus(std::string_view text);
// The output of waitCommand(). Both ignore warnings that a container program may print around it.
std::optional<int> parseWaitStatus(std::string_view text);

// Why an image cannot be fetched or a container cannot be made, from the program's output.
enum class ContainerProblem {
    Unknown,
    ImageMissing,
    ImageDenied,
    Unreachable,
    NoShell,
    NoInit,
    NoDevice, // a GPU
    NoInfiniband,
    NoLimit,
    NoService, // the program is there, but what it speaks to is not: dockerd is down, or starts again
    NoAccess, // this user may not speak to it
};
ContainerProblem containerProblem(std::string_view said);
// The command line without what this host cannot provide: first the init program, then the weight of the processors,
// then every limit. Empty when the problem is another one.
CommandLine withoutWhatIsMissing(const CommandLine &run, std::string_view said);
// The last line of the output that is not empty and not a hint at the program's help, of at most 300 bytes.
std::string lastWords(std::string_view said);

} // namespace trainyard::contract
