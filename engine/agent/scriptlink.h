// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// What bash says of a script, it says under the name by which it was told to read it. A script in memory is read from a
// descriptor, which means nothing to a reader of the log. So a link with the name of the script, task.sh, leads to the
// descriptor: it has no text of its own, and what it leads to is there for the process alone that has it open.

// Makes the link in a folder. Where that is not possible, the descriptor keeps its own name.
void makeScriptLink(const std::string &folder);

// The link in the folder, or the name of the descriptor itself where there is no link that can be followed.
std::string scriptLinkIn(const std::string &folder);

// Removes the links from the folder of a try that has ended: a program that reads all files there would read a
// descriptor of its own, and might wait forever.
void removeScriptLinks(const std::string &dir);

} // namespace trainyard::agent
