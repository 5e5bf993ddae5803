// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/completions.h"
#include "app/cli/console.h"
#include "app/cli/listedwords.h"
#include "app/cli/words.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct CompletionValues {
    QStringList words;
    QString list;
};
const CommandLine<CompletionValues> &completionLine();

const QList<std::pair<QString, QString (*)()>> &shells()
{
    static const QList<std::pair<QString, QString (*)()>> table{
        {u"bash"_s, bashCompletion}, {u"zsh"_s, zshCompletion}, {u"fish"_s, fishCompletion}};
    return table;
}

QStringList shellNames()
{
    QStringList names;
    for (const auto &[name, script] : shells()) {
        names.append(name);
    }
    return names;
}

int runCompletion(const CompletionValues &values)
{
    static const QStringList kindsOfNumbers{u"numbers"_s, u"active-numbers"_s, u"ended-numbers"_s};
    const QString &wanted = values.words.constFirst();
    for (const auto &[name, script] : shells()) {
        if (name == wanted && !values.list.isEmpty()) {
            const QChar between = name == "zsh"_L1 ? u':' : u'\t'; // as _describe and fish have it
            for (const QString &word :
                kindsOfNumbers.contains(values.list) ? explainedJobs(values.list, between) : listedWords(values.list)) {
                outLine(word);
            }
            return exitOk;
        }
        if (name == wanted) {
            out(script().toUtf8());
            return exitOk;
        }
    }
    return completionLine().wrongUsage(
        tr("Give the name of one shell: %1.").arg(shellNames().join(u", "_s)) + didYouMean(wanted, shellNames()));
}

const CommandLine<CompletionValues> &completionLine()
{
    static const CommandLine<CompletionValues> line
        = CommandLine<CompletionValues>(u"completion"_s, tr("Print the completion script for a shell"))
              .runs(runCompletion,
                  {shellNames().join(u" | "_s), 1, 1, Word::Other,
                      tr("Give the name of one shell: %1.").replace(u"%1"_s, shellNames().join(u", "_s)), shellNames()})
              .text(tr(
                  "Prints a script that makes the shell complete commands, options and files, and while the engine "
                  "runs also jobs, their groups, tags and tasks, and where they can run; after --param and --secret, "
                  "the parameters and secrets of the file. The package installs these scripts; this command is for "
                  "other installations."))
              .option(u"--list KIND"_s, &CompletionValues::list, tr("print the words of this kind, for the script"))
              .hidden()
              .examples({u"source <(trainyardctl completion bash)"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}});
    return line;
}

struct VersionValues {
    QStringList words;
    bool json = false;
};

int runVersion(const VersionValues &values)
{
    if (values.json) {
        outJson(QJsonDocument(QJsonObject{{u"version"_s, QStringLiteral(TRAINYARD_VERSION)}}));
    } else {
        outLine(QStringLiteral("trainyardctl " TRAINYARD_VERSION));
    }
    return exitOk;
}

} // namespace

Command completionCommand() { return completionLine().command(); }

Command versionCommand()
{
    static const CommandLine<VersionValues> line
        = CommandLine<VersionValues>(u"version"_s, tr("Print the version"))
              .runs(runVersion)
              .text(tr("Prints the version of this program. 'engine status' prints that of the running engine."))
              .option(u"--json"_s, &VersionValues::json, tr("print an object"))
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}});
    return line.command();
}

} // namespace trainyard::cli
