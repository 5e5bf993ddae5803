// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace trainyard::cli
{

// The commands that talk to the engine, each in cmd_<name>.cpp.
Command runCommand();
Command sweepCommand();
Command rehearseCommand(); // cmd_rehearse.cpp has these two
Command promoteCommand();
Command psCommand();
Command showCommand();
Command logsCommand();
Command whyCommand();
Command compareCommand();
Command stopCommand(); // cmd_stop.cpp has these three
Command pauseCommand();
Command resumeCommand();
Command removeCommand(); // cmd_rm.cpp
Command waitCommand();
Command retryCommand();
Command moveCommand();
Command tagCommand(); // cmd_tag.cpp has these four
Command noteCommand();
Command starCommand();
Command archiveCommand();
Command hostsCommand();
Command targetsCommand();
Command execCommand(); // cmd_exec.cpp has these two
Command releaseCommand();
Command sshCommand();
Command forwardCommand();
Command cpCommand();
Command pullCommand();
Command topCommand();
Command codeCommand();
Command dataCommand();
Command syncCommand();
Command usageCommand();
Command settingsCommand();
Command engineCommand();
Command mcpCommand();
Command approvalsCommand();
Command assistantCommand(); // that the server of mcp starts

} // namespace trainyard::cli
