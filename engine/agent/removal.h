// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// Takes a job's folder out of sight at once and deletes it in a process of its own, however many files it has. Only
// what lies at least two levels below `root` (<state>/remote/<daemon>/<job>) is touched, and nothing that a link leads
// to. 0 or errno; what is not there is removed already.
int removeFolder(const std::string &dir, const std::string &root);

} // namespace trainyard::agent
