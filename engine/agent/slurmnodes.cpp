// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/slurmnodes.h"

#include <algorithm>
#include <charconv>

namespace trainyard::agent
{
namespace
{

constexpr int mostNodes = 100'000;

// The number at the begin of the text, which is removed from it; -1: there is none.
int takeNumber(std::string_view &text)
{
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return -1;
    }
    text.remove_prefix(std::size_t(end - text.data()));
    return number;
}

} // namespace

std::vector<std::string> nodesOfTasks(const std::vector<std::string> &names, std::string_view tasksPerNode)
{
    std::vector<std::string> nodes;
    std::size_t node = 0;
    while (!tasksPerNode.empty()) {
        const int count = takeNumber(tasksPerNode);
        int times = 1;
        if (tasksPerNode.starts_with("(x")) {
            tasksPerNode.remove_prefix(2);
            times = takeNumber(tasksPerNode);
            if (!tasksPerNode.starts_with(")")) {
                return {};
            }
            tasksPerNode.remove_prefix(1);
        }
        if (count < 0 || times < 1 || times > mostNodes || node + std::size_t(times) > names.size()) {
            return {};
        }
        for (int i = 0; i < times; ++i, ++node) {
            nodes.insert(nodes.end(), std::size_t(count), names[node]);
        }
        if (!tasksPerNode.empty() && tasksPerNode.front() != ',') {
            return {};
        }
        tasksPerNode.remove_prefix(tasksPerNode.empty() ? 0 : 1);
    }
    return node == names.size() ? nodes : std::vector<std::string>();
}

std::string firstAddress(std::string_view getentSays)
{
    while (!getentSays.empty()) {
        const std::size_t end = std::min(getentSays.find('\n'), getentSays.size());
        const std::string_view line = getentSays.substr(0, end);
        const std::string_view address = line.substr(0, line.find(' '));
        if (line.find("STREAM") != std::string_view::npos && !address.empty() && !address.starts_with("127.")) {
            return std::string(address);
        }
        getentSays.remove_prefix(std::min(end + 1, getentSays.size()));
    }
    return {};
}

std::string nodeAddress(std::string_view scontrolSays)
{
    constexpr std::string_view key = " NodeAddr=";
    const std::size_t at = scontrolSays.find(key);
    if (at == std::string_view::npos) {
        return {};
    }
    scontrolSays.remove_prefix(at + key.size());
    return std::string(scontrolSays.substr(0, scontrolSays.find_first_of(" \n")));
}

} // namespace trainyard::agent
