// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/helptext.h"
#include "app/cli/words.h"
#include "engine/client/corefiles.h"
#include "engine/client/paths.h"

#include <QCoreApplication>
#include <QLocale>

using namespace trainyard::cli;

namespace
{

int dispatch(const QStringList &arguments)
{
    const Option &helpOption = programOptions().constFirst();
    const Option &versionOption = programOptions().constLast();
    const auto is = [](const QString &word, const Option &option) {
        return word == option.shown() || word == QString(QLatin1Char('-') + option.letter);
    };
    if (arguments.isEmpty()) {
        outLine(programHelp(stdoutIsTerminal() ? helpWidthOf(terminalWidth()) : helpWidth));
        return exitUnusable;
    }
    const QString &first = arguments.first();
    if (is(first, versionOption)) { // 'version' says more
        outLine(QStringLiteral("trainyardctl " TRAINYARD_VERSION));
        return exitOk;
    }
    const bool help = first == helpOption.name || is(first, helpOption);
    if (help && arguments.size() == 1) {
        outLine(programHelp(stdoutIsTerminal() ? helpWidthOf(terminalWidth()) : helpWidth));
        return exitOk;
    }
    const QString &name = help ? arguments.at(1) : first;
    for (const Command &command : commands()) {
        if (command.name == name) {
            return command.run(help ? QStringList{helpOption.shown()} : arguments.mid(1));
        }
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
    openStandardStreams();
    trainyard::leaveNoCoreFiles(); // secrets are typed here
    trainyard::paths::useHomeOfAccount();
    const QtMessageHandler usual = qInstallMessageHandler(withoutLocaleMessage);
    const QCoreApplication application(argc, argv);
    qInstallMessageHandler(usual);
    QLocale::setDefault(QLocale::c()); // the words are English, and so are the numbers among them
    QCoreApplication::setApplicationName(QStringLiteral("trainyardctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    const int status = dispatch(QCoreApplication::arguments().mid(1));
    return status == exitOk && outputFailed() ? int(exitUnusable) : status;
}
