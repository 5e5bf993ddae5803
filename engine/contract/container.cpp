// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/container.h"

#include "engine/contract/taskfolder.h"
#include "engine/contract/uuid.h"

#include <algorithm>

namespace trainyard::contract
{
namespace
{

constexpr std::string_view namePrefix = "trainyard-";
constexpr const char *dockerHub = "https://index.docker.io/v1/"; // as docker's own files call it
constexpr std::string_view hub = std::string_view("docker.io/", 9); // as everybody else does

// The hub has several names, which are the same to people.
std::string registryName(const RegistryLogin &login, bool forDocker)
{
    std::string name = login.registry;
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (name.starts_with(scheme)) {
            name.erase(0, scheme.size());
        }
    }
    name.resize(std::min(name.find('/'), name.size()));
    const bool isHub = name.empty() || name == hub || name == "index.docker.io" || name == "registry-1.docker.io";
    return !isHub ? name : forDocker ? std::string(dockerHub) : std::string(hub);
}

std::string base64(std::string_view bytes)
{
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        unsigned word = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            word = word << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += at + i <= bytes.size() ? letters[word >> (18 - 6 * i) & 63] : '=';
        }
    }
    return text;
}

std::string jsonText(std::string_view text)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string quoted(1, '"');
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            quoted += "\\u00";
            quoted += digits[c >> 4 & 15];
            quoted += digits[c & 15];
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

// The source in the value of --mount, which is a list with commas whose fields may be quoted.
std::string mountSource(std::string_view mount)
{
    constexpr std::string_view key = "source=";
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i <= mount.size(); ++i) {
        if (i == mount.size() || (mount[i] == ',' && !quoted)) {
            if (field.starts_with(key)) {
                return field.substr(key.size());
            }
            field.clear();
        } else if (mount[i] == '"') {
            if (quoted && i + 1 < mount.size() && mount[i + 1] == '"') {
                field += mount[++i];
            } else {
                quoted = !quoted;
            }
        } else {
            field += mount[i];
        }
    }
    return {};
}

// "trainyard-" and a UUID.
bool isContainerName(std::string_view name)
{
    return name.starts_with(namePrefix) && isUuid(name.substr(namePrefix.size()));
}

CommandLine dockerWith(const std::string &configFolder, const std::string &context)
{
    CommandLine line{"docker", "--config", configFolder};
    if (!context.empty()) {
        line.insert(line.end(), {"--context", context});
    }
    return line;
}

} // namespace

std::string ContainerRecord::format() const
{
    std::string text;
    const std::pair<const char *, std::string_view> lines[]
        = {{"runtime ", runtime}, {"name ", name}, {"image ", image}};
    for (const auto &[key, value] : lines) {
        text += key;
        for (const char c : value) {
            text += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
        }
        text += '\n';
    }
    return text + "end\n";
}

std::optional<ContainerRecord> ContainerRecord::parse(std::string_view text)
{
    ContainerRecord record;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        if (newline == std::string_view::npos) {
            return std::nullopt;
        }
        std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline + 1);
        if (line == "end") {
            return isDetached(record.runtime) && isContainerName(record.name) ? std::optional(record) : std::nullopt;
        }
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view key = line.substr(0, blank);
        line.remove_prefix(std::min(blank + 1, line.size()));
        if (key == "runtime") {
            record.runtime = line;
        } else if (key == "name") {
            record.name = line;
        } else if (key == "image") {
            record.image = line;
        }
    }
    return std::nullopt;
}

std::string ContainerRecord::tryUuid() const { return name.substr(std::min(namePrefix.size(), name.size())); }

std::string containerRecordPath(const std::string &folder) { return folder + ".container"; }

std::optional<ContainerRecord> readContainerRecord(const std::string &folder)
{
    const std::optional<std::string> text = readWhole(containerRecordPath(folder), 1 << 16);
    return text ? ContainerRecord::parse(*text) : std::nullopt;
}

bool isDetached(std::string_view runtime) { return runtime == "podman" || runtime == "docker"; }

std::vector<std::string> knownRuntimes() { return {"podman", "docker", "apptainer"}; }

CommandLine imageExistsCommand(const Container &container)
{
    if (container.runtime == "docker") {
        return {"docker", "image", "inspect", "--format", "{{.Id}}", "--", container.image};
    }
    return {container.runtime, "image", "exists", "--", container.image};
}

CommandLine contextCommand() { return {"docker", "context", "inspect", "--format", "{{.Name}}"}; }

CommandLine pullCommand(const Container &container, const std::string &authFolder, const std::string &context)
{
    CommandLine line{container.runtime};
    if (container.runtime == "docker") {
        line = authFolder.empty() ? line : dockerWith(authFolder, context);
        line.insert(line.end(), {"pull", "--", container.pullImage});
        return line;
    }
    line.emplace_back("pull");
    if (!authFolder.empty()) {
        line.insert(line.end(), {"--authfile", authFolder + "/config.json"});
    }
    if (container.runtime == "apptainer") {
        // Beside its place: a pull that is cut leaves no image that looks whole.
        line.insert(line.end(), {"--force", "--", container.file + ".part", container.pullImage});
        return line;
    }
    line.insert(line.end(), {"--", container.pullImage}); // no name of an image is an option
    return line;
}

CommandLine loginCommand(
    const std::string &runtime, const std::string &authFolder, const RegistryLogin &login, const std::string &context)
{
    const std::string authFile = authFolder + "/config.json";
    const std::string registry = registryName(login, runtime == "docker");
    if (runtime == "docker") {
        CommandLine line = dockerWith(authFolder, context);
        line.insert(line.end(), {"login", "--username", login.user, "--password-stdin", "--", registry});
        return line;
    }
    if (runtime == "apptainer") {
        return {"apptainer", "registry", "login", "--authfile", authFile, "--username", login.user, "--password-stdin",
            "--", "docker://" + registry};
    }
    return {"podman", "login", "--authfile", authFile, "--username", login.user, "--password-stdin", "--", registry};
}

std::string registryOf(const RegistryLogin &login) { return registryName(login, false); }

std::string authFileText(const std::string &runtime, const RegistryLogin &login)
{
    return "{\"auths\":{" + jsonText(registryName(login, runtime != "podman")) + ":{\"auth\":\""
        + base64(login.user + ':' + login.password) + "\"}}}\n";
}

CommandLine waitCommand(const ContainerRecord &container) { return {container.runtime, "wait", container.name}; }

CommandLine inspectCommand(const ContainerRecord &container)
{
    static const std::string format = "{{.State.ExitCode}} {{.State.OOMKilled}} {{.State.Status}} {{.State.Pid}} "
                                      "{{json .State.StartedAt}} {{.State.Error}}";
    return {container.runtime, "inspect", "--type", "container", "--format", format, container.name};
}

CommandLine stopCommand(const ContainerRecord &container, int graceSeconds)
{
    return {container.runtime, "stop", "-t", std::to_string(graceSeconds), container.name};
}

CommandLine killCommand(const ContainerRecord &container) { return {container.runtime, "kill", container.name}; }

CommandLine signalCommand(const ContainerRecord &container, int signal)
{
    return {container.runtime, "kill", "--signal", std::to_string(signal), container.name};
}

CommandLine signalMainCommand(const ContainerRecord &container, int signal, const std::string &pipes)
{
    return {container.runtime, "exec", container.name, "bash", "-c", R"SH(kill -s "$1" -- "$(<"$2/main")")SH", "bash",
        std::to_string(signal), pipes};
}

CommandLine pauseCommand(const ContainerRecord &container, bool on, const std::string &pipes)
{
    // Three looks: a process may be made while others are stopped.
    const char *stopAll
        = R"SH(b=$(<"$1/boss"); for i in 1 2 3; do for p in /proc/[0-9]*; do p=${p#/proc/}; )SH"
          R"SH([[ $p == 1 || $p == $$ || $p == "$b" ]] || kill -s STOP "$p"; done; done 2>/dev/null; :)SH";
    return {
        container.runtime, "exec", container.name, "bash", "-c", on ? stopAll : "kill -s CONT -- -1", "bash", pipes};
}

CommandLine removeCommand(const ContainerRecord &container) { return {container.runtime, "rm", "-f", container.name}; }

std::vector<std::string> mountedFolders(const CommandLine &run)
{
    std::vector<std::string> folders;
    for (std::size_t i = 0; i + 1 < run.size(); ++i) {
        if (run[i] == "--mount") {
            folders.push_back(mountSource(run[i + 1]));
        }
    }
    return folders;
}

std::string containerInput(const std::vector<std::pair<std::string, std::string>> &variables, std::string_view script)
{
    std::string text;
    for (const auto &[name, value] : variables) {
        text += name;
        text += '=';
        text += value;
        text += '\0';
    }
    text += '\0';
    // The closing NUL says that nothing is missing: a program that is cut must not run.
    for (const char c : script) {
        if (c != '\0') {
            text += c;
        }
    }
    text += '\0';
    return text;
}

} // namespace trainyard::contract
