// SPDX-License-Identifier: GPL-3.0-or-later
// Completions for shells, and the version. They are made from the table of commands, so that they are always up to
// date.
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/words.h"

#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// What the first line of a usage says about the words that are not options.
enum class Operand { None, File, Job, Word };

struct Completion {
    QString name, summary;
    QStringList options; // with a value: ending in "="
    QStringList words; // sub-commands
    Operand operand = Operand::None;
};

Completion completionOf(const Command &command)
{
    Completion completion{command.name, command.summary, optionsOf(command.usage), {}, Operand::None};
    completion.options.removeAll(u"--"_s);
    completion.options.append(u"--help"_s);
    const QString synopsis = command.usage.section(u"\n\n"_s, 0, 0);
    static const QRegularExpression job(u"\\bJOB\\b"_s);
    static const QRegularExpression file(u"\\bFILE\\b"_s);
    completion.operand = synopsis.contains(job) ? Operand::Job
        : synopsis.contains(file)               ? Operand::File
                                                : Operand::None;
    // "hosts [list ...]", "trainyardctl hosts add TARGET": the word behind the command in small letters.
    static const QRegularExpression alternatives(u"^[a-z]+ \\[?((?:[a-z]+)(?: \\| [a-z]+)*)\\b"_s);
    const QStringList lines = synopsis.split(u'\n');
    for (const QString &line : lines) {
        const QString rest = line.trimmed().remove(u"trainyardctl "_s);
        if (const QRegularExpressionMatch match = alternatives.match(rest);
            match.hasMatch() && rest.startsWith(command.name)) {
            completion.words += match.captured(1).split(u" | "_s);
        }
    }
    completion.words.removeDuplicates();
    return completion;
}

QList<Completion> completions()
{
    QList<Completion> list;
    for (const Command &command : commands()) {
        list.append(completionOf(command));
    }
    return list;
}

QString quotedForShell(const QString &text) { return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\''; }

QStringList plainOptions(const Completion &completion)
{
    QStringList options = completion.options;
    return options.replaceInStrings(u"="_s, QString());
}

QString bashText()
{
    QString text
        = u"# bash completion of trainyardctl, made by 'trainyardctl completion bash'\n"
          "_trainyardctl()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    local options= words= operand= valued=\n"
          "    COMPREPLY=()\n"
          "    if [[ $COMP_CWORD == 1 ]]; then\n"
          "        COMPREPLY=($(compgen -W '"_s;
    QString cases;
    const QList<Completion> all = completions();
    for (const Completion &completion : all) {
        text += completion.name + u' ';
        QStringList valued;
        for (const QString &option : completion.options) {
            if (option.endsWith(u'=')) {
                valued.append(option.chopped(1));
            }
        }
        cases += u"    "_s + completion.name + u")\n        options='"_s + plainOptions(completion).join(u' ')
            + u"'\n        words='"_s + completion.words.join(u' ') + u"'\n        valued='"_s + valued.join(u' ')
            + u"'\n        operand="_s
            + (completion.operand == Operand::Job         ? u"job"_s
                    : completion.operand == Operand::File ? u"file"_s
                                                          : QString())
            + u"\n        ;;\n"_s;
    }
    text += u"help --help --version' -- \"$word\"))\n        return\n    fi\n    case $command in\n"_s + cases
        + u"    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [[ \" $valued \" == *\" $before \"* ]]; then\n"
          "        compopt -o default 2>/dev/null\n"
          "    elif [[ -n $words && $COMP_CWORD == 2 ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    elif [[ $operand == job && $COMP_CWORD == 2 || $operand == job && $command =~ "
          "^(stop|pause|resume|rm|wait)$ ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(trainyardctl ps --format '{id}' 2>/dev/null)\" -- \"$word\"))\n"
          "    else\n"
          "        compopt -o default 2>/dev/null\n"
          "    fi\n"
          "}\n"
          "complete -F _trainyardctl trainyardctl\n"_s;
    return text;
}

// An option, an explanation or a word as it may stand in a list of _describe or in a spec of _arguments.
QString zshWord(const QString &text) { return QString(text).replace(u':', u"\\:"_s); }

QString zshText()
{
    QString text = u"#compdef trainyardctl\n# Made by 'trainyardctl completion zsh'.\n"
                   "_trainyardctl_jobs()\n{\n"
                   "    local -a jobs\n"
                   "    jobs=(${(f)\"$(trainyardctl ps --format '{id}:{name} {state}' 2>/dev/null)\"})\n"
                   "    _describe job jobs\n}\n"
                   "_trainyardctl()\n{\n    local -a commands\n    commands=(\n"_s;
    QString cases;
    const QList<Completion> all = completions();
    for (const Completion &completion : all) {
        text += u"        "_s + quotedForShell(completion.name + u':' + zshWord(completion.summary)) + u'\n';
        QStringList specs;
        for (const QString &option : completion.options) {
            specs.append(
                quotedForShell(option.endsWith(u'=') ? QString(u"*"_s + option + u":value:_files"_s) : option));
        }
        if (!completion.words.isEmpty()) {
            specs.append(quotedForShell(u"1:word:("_s + completion.words.join(u' ') + u')'));
        }
        specs.append(
            quotedForShell(completion.operand == Operand::Job ? u"*:job:_trainyardctl_jobs"_s : u"*:file:_files"_s));
        cases += u"    "_s + completion.name + u") _arguments "_s + specs.join(u' ') + u" ;;\n"_s;
    }
    return text
        + u"    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n"_s
        + cases + u"    esac\n}\n_trainyardctl \"$@\"\n"_s;
}

QString fishText()
{
    QString text = u"# fish completion of trainyardctl, made by 'trainyardctl completion fish'\n"
                   "complete -c trainyardctl -n __fish_use_subcommand -f\n"_s;
    const QList<Completion> all = completions();
    for (const Completion &completion : all) {
        const QString seen = u"complete -c trainyardctl -n '__fish_seen_subcommand_from "_s + completion.name + u"' "_s;
        text += u"complete -c trainyardctl -n __fish_use_subcommand -a "_s + completion.name + u" -d "_s
            + quotedForShell(completion.summary) + u'\n';
        for (const QString &option : completion.options) {
            const bool isValued = option.endsWith(u'=');
            text += seen + u"-l "_s + option.sliced(2).remove(u'=') + (isValued ? u" -r"_s : QString()) + u'\n';
        }
        if (!completion.words.isEmpty()) {
            text += seen + u"-f -a "_s + quotedForShell(completion.words.join(u' ')) + u'\n';
        }
        if (completion.operand == Operand::Job) {
            text += seen + u"-f -a "_s + quotedForShell(u"(trainyardctl ps --format \"{id}\\t{name}\" 2>/dev/null)"_s)
                + u'\n';
        }
    }
    return text;
}

int runCompletion(const QStringList &arguments)
{
    QCommandLineParser parser;
    if (!parse(parser, u"completion"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList shells{u"bash"_s, u"zsh"_s, u"fish"_s};
    const QString shell = parser.positionalArguments().value(0);
    if (parser.positionalArguments().size() != 1 || !shells.contains(shell)) {
        return usageError(u"completion"_s,
            tr("Give the name of one shell: %1.").arg(shells.join(u", "_s)) + didYouMean(shell, shells));
    }
    out((shell == "bash"_L1 ? bashText() : shell == "zsh"_L1 ? zshText() : fishText()).toUtf8());
    return exitOk;
}

int runVersion(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({u"json"_s, {}});
    if (!parse(parser, u"version"_s, arguments)) {
        return exitUnusable;
    }
    if (!parser.positionalArguments().isEmpty()) {
        return usageError(u"version"_s, tr("The command takes no further arguments."));
    }
    if (parser.isSet(u"json"_s)) {
        outJson(QJsonDocument(QJsonObject{{u"version"_s, QStringLiteral(TRAINYARD_VERSION)}}));
    } else {
        outLine(QStringLiteral("trainyardctl " TRAINYARD_VERSION));
    }
    return exitOk;
}

} // namespace

Command completionCommand()
{
    return {u"completion"_s, tr("Print the completion script for a shell"),
        tr("completion bash | zsh | fish\n\n"
           "Prints a script that makes the shell complete commands, options, files and the numbers of jobs. The\n"
           "installed program brings these scripts along; this command is for other places.\n\n"
           "Example:\n"
           "  source <(trainyardctl completion bash)\n\n"
           "Exit status: 0 ok; 2 wrong usage."),
        runCompletion};
}

Command versionCommand()
{
    return {u"version"_s, tr("Print the version"),
        tr("version [--json]\n\n"
           "Prints the version of this program. 'engine status' prints that of the running engine.\n\n"
           "  --json  print an object\n\n"
           "Exit status: 0 ok; 2 wrong usage."),
        runVersion};
}

} // namespace trainyard::cli
