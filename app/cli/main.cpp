// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/client/configurationfaults.h"
#include "engine/client/corefiles.h"
#include "engine/client/paths.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QLocale>

using namespace trainyard::cli;

namespace
{

void printHelp()
{
    outLine(tr("Usage: trainyardctl COMMAND [OPTIONS] ...\n\n"
               "Checks, runs and follows training jobs from the command line.\n\nCommands:"));
    qsizetype width = 0;
    for (const Command &command : commands()) {
        width = std::max(width, command.name.size());
    }
    for (const Command &command : commands()) {
        outLine(QStringLiteral("  ") + command.name.leftJustified(width + 2) + command.summary);
    }
    outLine(tr("\nOptions:\n"
               "  --help     print this text; after a command, explain the command and its options\n"
               "  --version  print the version\n\n"
               "'-' as FILE is standard input. JOB is a number, the beginning of a UUID, or a name.\n\n"
               "Exit status: 0 ok; 1 the answer is no (the check found errors, the job failed); 2 the input cannot be\n"
               "read, the output cannot be written, or wrong usage; 3 no engine or host; 4 refused; 130 interrupted."));
}

void printCommandHelp(const Command &command) { outLine(tr("Usage: trainyardctl %1").arg(command.usage)); }

// Users may have edited these files: a mistake is reported, since the engine goes on without what is wrong.
void lookAtConfiguration()
{
    const QList<trainyard::Error> faults = trainyard::configurationFaults(trainyard::paths::configFolder());
    for (const trainyard::Error &fault : faults) {
        errorLine(trainyard::errorText(fault));
    }
}

int dispatch(const QStringList &arguments)
{
    if (arguments.isEmpty()) {
        printHelp();
        return exitUnusable;
    }
    const QString &first = arguments.first();
    if (first == QLatin1String("--version") || first == QLatin1String("-V")) { // 'version' says more
        outLine(QStringLiteral("trainyardctl " TRAINYARD_VERSION));
        return exitOk;
    }
    const bool help
        = first == QLatin1String("help") || first == QLatin1String("--help") || first == QLatin1String("-h");
    if (help && arguments.size() == 1) {
        printHelp();
        return exitOk;
    }
    const QString &name = help ? arguments.at(1) : first;
    for (const Command &command : commands()) {
        if (command.name != name) {
            continue;
        }
        const QStringList rest = arguments.mid(1);
        // Only before "--": what follows belongs to the program that `exec` starts.
        const QStringList own = rest.mid(0, rest.indexOf(QStringLiteral("--")));
        if (help || own.contains(QStringLiteral("--help")) || own.contains(QStringLiteral("-h"))) {
            printCommandHelp(command);
            return exitOk;
        }
        lookAtConfiguration();
        return command.run(rest);
    }
    QStringList names;
    for (const Command &command : commands()) {
        names.append(command.name);
    }
    return usageError({}, tr("There is no command '%1'.").arg(name) + didYouMean(name, names));
}

// Qt says on stderr that it prefers UTF-8 when the locale is C; it then uses UTF-8, which is all we need.
void withoutLocaleMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (!message.startsWith(QLatin1String("Detected locale"))) {
        errorLine(qFormatLogMessage(type, context, message));
    }
}

} // namespace

int main(int argc, char **argv)
{
    trainyard::leaveNoCoreFiles(); // secrets are typed here
    const QtMessageHandler usual = qInstallMessageHandler(withoutLocaleMessage);
    const QCoreApplication application(argc, argv);
    qInstallMessageHandler(usual);
    QLocale::setDefault(QLocale::c()); // the words are English, and so are the numbers among them
    QCoreApplication::setApplicationName(QStringLiteral("trainyardctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    const int status = dispatch(QCoreApplication::arguments().mid(1));
    return status == exitOk && outputFailed() ? int(exitUnusable) : status;
}
