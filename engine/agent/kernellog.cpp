// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/kernellog.h"

#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

constexpr std::string_view mark = "NVRM: Xid (PCI:";
constexpr std::size_t longestLine = 400;
constexpr std::size_t mostLines = 10;

std::string given(const char *variable, const char *usual)
{
    const char *value = ::getenv(variable);
    return value && *value == '/' ? value : usual;
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
        [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return lower;
}

} // namespace

std::string xidOfRecord(std::string_view record, std::int64_t sinceUs, const std::vector<std::string> &places)
{
    const std::size_t semicolon = record.find(';');
    const std::size_t at = record.find(mark);
    if (semicolon == std::string_view::npos || at == std::string_view::npos || at < semicolon) {
        return {};
    }
    // The third number is the time.
    const std::size_t first = record.find(',');
    const std::size_t second = first == std::string_view::npos ? first : record.find(',', first + 1);
    if (second == std::string_view::npos || second > semicolon) {
        return {};
    }
    const std::string time(record.substr(second + 1, semicolon - second - 1));
    if (std::strtoll(time.c_str(), nullptr, 10) < sinceUs) {
        return {};
    }
    const std::string_view rest = record.substr(at + mark.size());
    const std::string place = lowered(rest.substr(0, rest.find(')')));
    const bool isOurs = std::any_of(places.begin(), places.end(), [&place](const std::string &one) {
        return place == one || place.starts_with(one + '.'); // some name the function, too
    });
    if (!isOurs) {
        return {};
    }
    const std::string_view line = record.substr(at, record.find('\n', at) - at);
    return std::string(line.substr(0, longestLine));
}

std::vector<std::string> gpuPlaces(const std::vector<std::string> &uuids)
{
    std::vector<std::string> places;
    const std::string folder = given("TRAINYARD_NVIDIA_GPUS", "/proc/driver/nvidia/gpus");
    DIR *gpus = ::opendir(folder.c_str());
    while (const dirent *entry = gpus ? ::readdir(gpus) : nullptr) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        const std::string text
            = contract::readWhole(folder + '/' + entry->d_name + "/information").value_or(std::string());
        for (const std::string &uuid : uuids) {
            if (!uuid.empty() && text.find(uuid) != std::string::npos) {
                const std::string place = lowered(entry->d_name); // 0000:3b:00.0
                places.push_back(place.substr(0, place.find('.')));
            }
        }
    }
    if (gpus) {
        ::closedir(gpus);
    }
    return places;
}

std::vector<std::string> xidsSince(std::int64_t sinceUs, const std::vector<std::string> &uuids)
{
    std::vector<std::string> lines;
    const std::vector<std::string> places = gpuPlaces(uuids);
    const int fd = places.empty()
        ? -1
        : ::open(given("TRAINYARD_KERNEL_LOG", "/dev/kmsg").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return lines;
    }
    // One record at each read: its line, then lines that are about the device. EPIPE says only that older ones were
    // overwritten meanwhile.
    char buffer[8192];
    ssize_t n = 0;
    while ((n = ::read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && (errno == EPIPE || errno == EINTR))) {
        if (n <= 0) {
            continue;
        }
        std::string_view records(buffer, static_cast<std::size_t>(n));
        while (!records.empty()) {
            const std::size_t end = std::min(records.find('\n'), records.size() - 1);
            std::string line = xidOfRecord(records.substr(0, end + 1), sinceUs, places);
            records.remove_prefix(end + 1);
            if (!line.empty()) {
                lines.push_back(std::move(line));
            }
        }
    }
    ::close(fd);
    if (lines.size() > mostLines) {
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(mostLines));
    }
    return lines;
}

} // namespace trainyard::agent
