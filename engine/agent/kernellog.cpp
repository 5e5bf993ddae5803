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

std::string xidOfRecord(std::string_view record, const std::vector<std::string> &places)
{
    const std::size_t semicolon = record.find(';');
    const std::size_t at = record.find(mark);
    if (semicolon == std::string_view::npos || at == std::string_view::npos || at < semicolon) {
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

std::vector<std::string> xidsOf(const std::vector<std::string> &records, const std::string &gpu)
{
    constexpr std::size_t most = 10;
    std::vector<std::string> lines;
    const std::vector<std::string> places = records.empty() ? records : gpuPlaces({gpu});
    for (const std::string &record : records) {
        std::string line = xidOfRecord(record, places);
        if (!line.empty()) {
            lines.push_back(std::move(line));
        }
    }
    if (lines.size() > most) {
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
    }
    return lines;
}

KernelLog::KernelLog()
    : m_log(::open(given("TRAINYARD_KERNEL_LOG", "/dev/kmsg").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
{
    if (m_log >= 0) {
        ::lseek(m_log, 0, SEEK_END);
    }
}

KernelLog::~KernelLog()
{
    if (m_log >= 0) {
        ::close(m_log);
    }
}

std::vector<std::string> KernelLog::xids()
{
    std::vector<std::string> found;
    // One record at each read: its line, then lines that are about the device. EPIPE says only that older ones were
    // overwritten meanwhile.
    char buffer[8192];
    ssize_t n = 0;
    while (m_log >= 0
        && ((n = ::read(m_log, buffer, sizeof buffer)) > 0 || (n < 0 && (errno == EPIPE || errno == EINTR)))) {
        std::string_view records(buffer, n > 0 ? static_cast<std::size_t>(n) : 0);
        while (!records.empty()) {
            const std::string_view record = records.substr(0, records.find('\n'));
            records.remove_prefix(std::min(records.size(), record.size() + 1));
            if (record.find(mark) != std::string_view::npos) {
                found.emplace_back(record);
            }
        }
    }
    return found;
}

} // namespace trainyard::agent
