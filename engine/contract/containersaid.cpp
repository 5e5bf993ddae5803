// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/containersaid.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>

namespace trainyard::contract
{
namespace
{

constexpr std::size_t wordsLimit = 300;

bool contains(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
        [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// "denied: requested access ..." is a registry's word. The kernel's is "permission denied", behind which docker writes
// what it does not know, too.
bool isDeniedByRegistry(std::string_view text)
{
    constexpr std::string_view denied = "denied:", kernel = "permission ";
    for (std::size_t at = text.find(denied); at != std::string_view::npos; at = text.find(denied, at + 1)) {
        if (!text.substr(0, at).ends_with(kernel)) {
            return true;
        }
    }
    return false;
}

std::string_view takeLine(std::string_view &text)
{
    const std::size_t newline = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
    return line;
}

// The whole word, or nothing.
template <typename T> bool toNumber(std::string_view word, T &value)
{
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

std::string_view takeWord(std::string_view &line)
{
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, blank);
    line.remove_prefix(std::min(blank + 1, line.size()));
    return word;
}

} // namespace

std::string contextIn(std::string_view said)
{
    constexpr std::string_view marks = "_.+-";
    std::string_view name;
    while (!said.empty()) {
        const std::string_view line = takeLine(said);
        const bool isName = !line.empty() && std::all_of(line.begin(), line.end(), [marks](unsigned char c) {
            return std::isalnum(c) || marks.find(static_cast<char>(c)) != std::string_view::npos;
        });
        name = isName && std::isalnum(static_cast<unsigned char>(line.front())) ? line : name;
    }
    return name == "default" ? std::string() : std::string(name);
}

std::optional<ContainerStatus> parseContainerStatus(std::string_view text)
{
    while (!text.empty()) {
        std::string_view line = takeLine(text);
        ContainerStatus status;
        const bool hasCode = toNumber(takeWord(line), status.exitCode);
        status.oomKilled = takeWord(line) == "true";
        status.status = takeWord(line);
        const bool hasPid = toNumber(takeWord(line), status.pid);
        const std::string_view began = takeWord(line);
        if (hasCode && hasPid && began.starts_with('"')) {
            status.started = !began.starts_with("\"0001-"); // what has never begun began with the era
            status.error = line;
            return status;
        }
    }
    return std::nullopt;
}

std::optional<int> parseWaitStatus(std::string_view text)
{
    while (!text.empty()) {
        int status = 0;
        if (toNumber(takeLine(text), status) && status >= 0) {
            return status;
        }
    }
    return std::nullopt;
}

ContainerProblem containerProblem(std::string_view said)
{
    std::string text(said);
    std::transform(
        text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    // First, since the words for what is away are those for a registry, too.
    if (contains(text, {"permission denied while trying to connect to the docker"})) {
        return ContainerProblem::NoAccess;
    }
    if (contains(text,
            {"cannot connect to the docker daemon", "is the docker daemon running", "docker daemon is not running",
                "failed to connect to the docker api", "error during connect", "cannot connect to podman",
                "unable to connect to podman", "containerd.sock"})) {
        return ContainerProblem::NoService;
    }
    if (contains(text, {"container-init binary", "catatonit", "docker-init", "exec: \"tini\""})) {
        return ContainerProblem::NoInit;
    }
    // Plain users are given few controllers of cgroups on many systems.
    if (contains(
            text, {"rootless needs no limits", "/cpu.weight", "/cpu.shares", "/memory.max", "/memory.limit_in_bytes"})
        || (contains(text, {"cgroup controller"}) && contains(text, {"not available"}))) {
        return ContainerProblem::NoLimit;
    }
    // Asked for by the job, and nothing that every host has.
    if (contains(text, {"/dev/infiniband"})
        && contains(text, {"no such file", "no such device", "error gathering device information"})) {
        return ContainerProblem::NoInfiniband;
    }
    if (contains(text,
            {"could not select device driver", "unresolvable cdi devices", "nvidia.com/gpu",
                "nvidia-container-cli:", "nvidia-container-runtime\"", "nvidia-container-runtime-hook",
                "no such device", "error gathering device information"})) {
        return ContainerProblem::NoDevice;
    }
    if (contains(text,
            {"unauthorized", "authentication required", "access denied", ": denied", "invalid username/password",
                "incorrect username or password", "403 (forbidden)", "status 401", "requested access to the resource"})
        || isDeniedByRegistry(text)) {
        return ContainerProblem::ImageDenied;
    }
    if (contains(text,
            {"no such host", "connection refused", "i/o timeout", "network is unreachable", "tls handshake",
                "connection reset", "no route to host", "deadline exceeded", "temporary failure", "toomanyrequests",
                "too many requests", "503 service", "502 bad", "unexpected eof", "server misbehaving"})) {
        return ContainerProblem::Unreachable;
    }
    if (contains(text, {"source path does not exist", "does not exist on container"})) {
        return ContainerProblem::Unknown; // a folder, and not the image
    }
    if (contains(text,
            {"manifest unknown", "name unknown", "not found: manifest", "repository does not exist", "image not known",
                "no such image", "unable to find image", "does not exist", "invalid reference format",
                "did not resolve to an alias", "repository name not known", "manifest for ", "could not open image"})) {
        return ContainerProblem::ImageMissing;
    }
    if (contains(text, {"executable file not found", "\"bash\": stat", "no such file or directory: oci"})) {
        return ContainerProblem::NoShell;
    }
    return ContainerProblem::Unknown;
}

CommandLine withoutWhatIsMissing(const CommandLine &run, std::string_view said)
{
    CommandLine left = run;
    const auto drop = [&left](std::string_view option, std::ptrdiff_t words) {
        const auto found = std::find(left.begin(), left.end(), option);
        const bool isThere = found != left.end() && left.end() - found >= words;
        if (isThere) {
            left.erase(found, found + words);
        }
        return isThere;
    };
    const ContainerProblem problem = containerProblem(said);
    bool changed = false;
    if (contains(said, {"unable to setup user", "setgroups"})) {
        // A docker without root knows few numbers of groups.
        for (std::size_t i = 0; i + 1 < left.size() && left[i] != "--";) {
            const bool isNumber = left[i + 1].find_first_not_of("0123456789") == std::string::npos;
            const bool goes = left[i] == "--group-add" && isNumber;
            const auto at = left.begin() + static_cast<std::ptrdiff_t>(i);
            goes ? static_cast<void>(left.erase(at, at + 2)) : static_cast<void>(++i);
            changed = changed || goes;
        }
    } else if (problem == ContainerProblem::NoInit) {
        changed = drop("--init", 1);
    } else if (problem == ContainerProblem::NoLimit) {
        changed = drop("--cpu-shares", 2);
        if (!changed) {
            for (const std::string_view option : {"--memory", "--memory-swap", "--pids-limit"}) {
                changed = drop(option, 2) || changed;
            }
        }
    }
    return changed ? left : CommandLine();
}

std::string lastWords(std::string_view said)
{
    std::string_view best;
    while (!said.empty()) {
        const std::string_view line = takeLine(said);
        const bool isHint = line.starts_with("Run 'docker ") || line.starts_with("See 'docker ");
        if (!isHint && line.find_first_not_of(" \t\r") != std::string_view::npos) {
            best = line;
        }
    }
    std::string words(best.substr(0, wordsLimit));
    while (!words.empty() && (words.back() == '\r' || words.back() == ' ')) {
        words.pop_back();
    }
    return words;
}

} // namespace trainyard::contract
