// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A task in a container: what is requested, what stands in its folder, and the command lines of the container programs
// that the agent needs, whatever program started the container. Pure; the first word of a command line is the name of a
// program.
namespace trainyard::contract
{

using CommandLine = std::vector<std::string>;

struct Container { // no secret
    std::string runtime; // podman, docker, apptainer; empty: the task runs in a shell of the host
    std::string image; // as the job names it; what `run` starts
    std::string pullImage; // what is pulled when it is not there; empty: nothing can be
    std::string file; // apptainer: where the image lies on the host
    std::string name; // trainyard-<try>: one container, however often it is asked for. Empty with apptainer
    CommandLine run;
    friend bool operator==(const Container &, const Container &) = default;
};

// An account at a registry. It is kept in memory only.
struct RegistryLogin {
    std::string registry, user, password;
    friend bool operator==(const RegistryLogin &, const RegistryLogin &) = default;
};

// Records that there is or may be a container of this name; it is removed with the container. It is beside the folder
// of the try and not in it, because a container of an earlier version can write there, and the record names a program
// to run.
struct ContainerRecord {
    std::string runtime, name, image;
    std::string format() const;
    // Accepts only what this program can have written: a known runtime and a name that Trainyard gives.
    static std::optional<ContainerRecord> parse(std::string_view text);
    std::string tryUuid() const; // by its name
    friend bool operator==(const ContainerRecord &, const ContainerRecord &) = default;
};
std::string containerRecordPath(const std::string &folder); // of the try with this folder
std::optional<ContainerRecord> readContainerRecord(const std::string &folder);

// podman and docker keep their containers alive by themselves; apptainer is a program that runs until the task ends.
bool isDetached(std::string_view runtime);
std::vector<std::string> knownRuntimes(); // in the order in which they are offered

std::vector<std::string> mountedFolders(const CommandLine &run); // of the host
CommandLine imageExistsCommand(const Container &container); // not of apptainer, which has a file
// Prints the name of the context of docker, by which it finds its service.
CommandLine contextCommand();
// `authFolder`: in memory, with the config.json that a login left; empty without a login. For docker it takes the place
// of the user's configuration: `context` is the one of these that is used; empty: the usual service.
CommandLine pullCommand(const Container &container, const std::string &authFolder, const std::string &context = {});
// Reads the password from its standard input.
CommandLine loginCommand(const std::string &runtime, const std::string &authFolder, const RegistryLogin &login,
    const std::string &context = {});
std::string registryOf(const RegistryLogin &login); // by the name that people use
// The config.json that the login would leave, for a user name that must not appear in an argument.
std::string authFileText(const std::string &runtime, const RegistryLogin &login);

CommandLine waitCommand(const ContainerRecord &container);
CommandLine inspectCommand(const ContainerRecord &container);
CommandLine stopCommand(const ContainerRecord &container, int graceSeconds);
CommandLine killCommand(const ContainerRecord &container);
CommandLine signalCommand(const ContainerRecord &container, int signal);
// Signals only the first process of the task, whose pid in the container is in the file `main` of `pipes`.
CommandLine signalMainCommand(const ContainerRecord &container, int signal, const std::string &pipes);
// Sends SIGSTOP or SIGCONT to all processes in the container but its first ones. It uses exec, since a frozen container
// could not be stopped.
CommandLine pauseCommand(const ContainerRecord &container, bool on, const std::string &pipes);
CommandLine removeCommand(const ContainerRecord &container);

// The file that the first process of a container reads before the program: variables, then the program.
std::string containerInput(const std::vector<std::pair<std::string, std::string>> &variables, std::string_view script);

} // namespace trainyard::contract
