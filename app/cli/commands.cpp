// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/jobcommands.h"

namespace trainyard::cli
{

const QList<Command> &commands()
{
    static const QList<Command> table{
        checkCommand(),
        renderCommand(),
        editCommand(),
        templatesCommand(),
        convertCommand(),
        explainCommand(),
        runCommand(),
        psCommand(),
        showCommand(),
        logsCommand(),
        waitCommand(),
        stopCommand(),
        pauseCommand(),
        resumeCommand(),
        retryCommand(),
        moveCommand(),
        removeCommand(),
        hostsCommand(),
        topCommand(),
        execCommand(),
        cpCommand(),
        releaseCommand(),
        settingsCommand(),
        engineCommand(),
        completionCommand(),
        versionCommand(),
    };
    return table;
}

} // namespace trainyard::cli
