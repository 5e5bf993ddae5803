// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"

using namespace Qt::StringLiterals;

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
        exportCommand(),
        explainCommand(),
        metricsCommand(),
        runCommand(),
        sweepCommand(),
        rehearseCommand(),
        promoteCommand(),
        psCommand(),
        showCommand(),
        logsCommand(),
        whyCommand(),
        compareCommand(),
        waitCommand(),
        stopCommand(),
        pauseCommand(),
        resumeCommand(),
        retryCommand(),
        moveCommand(),
        tagCommand(),
        noteCommand(),
        starCommand(),
        archiveCommand(),
        removeCommand(),
        codeCommand(),
        dataCommand(),
        syncCommand(),
        hostsCommand(),
        targetsCommand(),
        topCommand(),
        usageCommand(),
        execCommand(),
        sshCommand(),
        forwardCommand(),
        cpCommand(),
        pullCommand(),
        releaseCommand(),
        settingsCommand(),
        engineCommand(),
        mcpCommand(),
        approvalsCommand(),
        assistantCommand(),
        completionCommand(),
        versionCommand(),
    };
    return table;
}

const QList<Option> &programOptions()
{
    static const QList<Option> table{
        optionOf(u"-h, --help"_s,
            tr("print this text; after a command, explain the command and its options, as 'help COMMAND' does")),
        optionOf(u"-V, --version"_s, tr("print the version")),
    };
    return table;
}

QList<ExitMeaning> exitMeanings()
{
    return {{exitOk, tr("ok")}, {exitNo, tr("the answer is no (the check found errors, the job failed)")},
        {exitUnusable, tr("the input cannot be read, the output cannot be written, or wrong usage")},
        {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("understood, and refused")},
        {exitInterrupted, tr("interrupted, or the job was stopped")}};
}

} // namespace trainyard::cli
