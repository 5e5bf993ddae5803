// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/environmentrecord.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// The Python that a task with these variables (NAME=VALUE) gets when it says `python`, else `python3`, and what is
// installed for it. Only names in folders and a few small files are read; no program is run. It stops at `until`
// (monotonic ms) with the results so far. `gaps` gets python.slow, or python.wrapper when that program is a script
// whose Python is unknown. Returns nothing when the task has no Python.
std::optional<contract::PythonRecord> findPython(
    const std::vector<std::string> &environment, std::int64_t until, std::vector<std::string> &gaps);

// The package that an entry of a folder of packages describes: "numpy-1.26.4.dist-info" or
// "six-1.16.0-py3.11.egg-info". Nothing for any other entry.
std::optional<contract::NamedText> packageOf(std::string_view entry);

} // namespace trainyard::agent
