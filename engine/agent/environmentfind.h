// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <string>
#include <vector>

namespace trainyard::agent
{

// Where environments are looked for. Tests have folders of their own.
struct EnvironmentPlaces {
    std::string home;
    std::vector<std::string> variables; // NAME=VALUE, as tasks have them: such as CONDA_EXE and MODULEPATH
    std::string root; // before /opt and /usr; empty but in tests
};

// The environments of Python and the modules that tasks could use here: conda and its relatives, venv, pyenv, and the
// names of environment modules. Only names in folders are read and a few small files; no program is run. It stops at
// `until` (monotonic ms) with what it has, and says that it is not whole.
contract::EnvironmentsFound findEnvironments(const EnvironmentPlaces &places, std::int64_t until);

} // namespace trainyard::agent
