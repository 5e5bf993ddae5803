// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// Messages of bash about a script begin with the name under which it reads the script. A script in memory is read from
// a descriptor, whose name means nothing to a reader of the log. So a link with the name of the script, task.sh, leads
// to the descriptor. The link contains no text, and its target exists only for the process that has it open.

// Makes the link in a folder. Where that is not possible, the descriptor keeps its own name.
void makeScriptLink(const std::string &folder);

// The link in the folder, or the name of the descriptor itself where there is no link that can be followed.
std::string scriptLinkIn(const std::string &folder);

// Removes the links from the folder of a try that has ended: a program that reads all files there would read a
// descriptor of its own, and might wait forever.
void removeScriptLinks(const std::string &dir);

} // namespace trainyard::agent
