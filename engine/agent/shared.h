// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::agent
{

// The common data of many tries. All keepers read it in the agent's memory; none copies it.
struct SharedText {
    std::string script;
    std::vector<std::string> environment; // NAME=VALUE, each name once
    std::unordered_map<std::string, std::size_t> places; // of the names
};

// The data that the client has sent once for many launches, by its key.
class SharedTexts
{
public:
    void take(contract::Share &&share);
    std::shared_ptr<const SharedText> find(const std::string &key) const; // null when there is none

private:
    std::map<std::string, std::shared_ptr<SharedText>> m_texts;
};

// The environment of one task as execve() takes it.
struct ComposedEnvironment {
    std::vector<std::string> texts; // NAME=VALUE of all that is not shared
    std::vector<char *> pointers; // the last one is null
};
// Joins the base, the shared variables (or null) and the task's own. Each name is at its first position, with its last
// value. The shared text must live as long as the result.
ComposedEnvironment composeEnvironment(
    std::vector<std::string> base, const SharedText *shared, const std::vector<contract::Variable> &own);

} // namespace trainyard::agent
