// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completionparts.h"
#include "app/cli/completions.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString fishCompletion()
{
    const auto listOf = [](const QString &kind) {
        return quotedForShell(u"(trainyardctl completion fish --list "_s + kind + u" 2>/dev/null)"_s);
    };
    const auto jobsOf = [&listOf](Word word) { return listOf(jobsKind(word, u"numbers"_s)); };
    QString text = u"# fish completion of trainyardctl, made by 'trainyardctl completion fish'\n"
                   "function __trainyardctl_file\n"
                   "    for word in (commandline -opc)\n"
                   "        if test -f $word\n"
                   "            echo $word\n"
                   "            return\n"
                   "        end\n"
                   "    end\n"
                   "end\n"
                   "# The words before the one that is completed, without options and the values of these options.\n"
                   "function __trainyardctl_words\n"
                   "    set -l skip no\n"
                   "    for word in (commandline -opc)\n"
                   "        if test $skip = yes\n"
                   "            set skip no\n"
                   "        else if contains -- $word $argv\n"
                   "            set skip yes\n"
                   "        else if not string match -q -- '-*' $word\n"
                   "            echo $word\n"
                   "        end\n"
                   "    end\n"
                   "end\n"
                   "# Whether nothing but options follows the command.\n"
                   "function __trainyardctl_first\n"
                   "    set -l command $argv[1]\n"
                   "    set -e argv[1]\n"
                   "    set -l words (__trainyardctl_words $argv)\n"
                   "    test (count $words) -eq 2; and test $words[2] = $command\n"
                   "end\n"
                   "# Whether one word follows the command, or at least one, and which.\n"
                   "function __trainyardctl_second\n"
                   "    set -l command $argv[1]\n"
                   "    set -e argv[1]\n"
                   "    set -l words (__trainyardctl_words $argv)\n"
                   "    test (count $words) -eq 3; and test $words[2] = $command\n"
                   "end\n"
                   "function __trainyardctl_further\n"
                   "    set -l command $argv[1]\n"
                   "    set -e argv[1]\n"
                   "    set -l words (__trainyardctl_words $argv)\n"
                   "    test (count $words) -ge 3; and test $words[2] = $command\n"
                   "end\n"
                   "function __trainyardctl_job\n"
                   "    set -l words (__trainyardctl_words $argv)\n"
                   "    echo $words[3]\n"
                   "end\n"
                   "# Whether the command is used in this form.\n"
                   "function __trainyardctl_form\n"
                   "    set -l words (__trainyardctl_words)\n"
                   "    test (count $words) -ge 3; and test $words[2] = $argv[1]; and test $words[3] = $argv[2]\n"
                   "end\n"
                   "complete -c trainyardctl -n __fish_use_subcommand -f\n"_s;
    for (const Option &option : programOptions()) {
        text += u"complete -c trainyardctl -n __fish_use_subcommand -l "_s + option.name + u" -s "_s + option.letter
            + u" -d "_s + quotedForShell(brief(option.text)) + u'\n';
    }
    text += u"complete -c trainyardctl -n '__fish_seen_subcommand_from help' -f -a "_s
        + quotedForShell(commandNames().join(u' ')) + u'\n';
    for (const Command &command : commands()) {
        const QString seen = u"complete -c trainyardctl -n '__fish_seen_subcommand_from "_s + command.name + u"' "_s;
        text += u"complete -c trainyardctl -n __fish_use_subcommand -a "_s + command.name + u" -d "_s
            + quotedForShell(command.summary) + u'\n';
        const QList<Option> options = optionsOf(command);
        for (const Option &option : options) {
            text += seen + u"-l "_s + option.name
                + (option.letter.isNull() ? QString() : QString(u" -s "_s + option.letter)) + u" -d "_s
                + quotedForShell(brief(option.text));
            if (!option.values.isEmpty()) {
                text += u" -x -a "_s + quotedForShell(option.values.join(u' '));
            } else if (isJobWord(option.word)) {
                text += u" -x -a "_s + jobsOf(option.word);
            } else if (const QString ofFile = kindOfFile(option.word); !ofFile.isEmpty()) {
                text += u" -x -a "_s + listOf(ofFile + u":(__trainyardctl_file)"_s);
            } else if (const QString listed = listedKind(option.word); !listed.isEmpty()) {
                text += u" -x -a "_s + listOf(listed);
            } else if (!option.value.isEmpty()) {
                text += option.word == Word::File ? u" -r"_s : u" -x"_s;
            }
            text += u'\n';
        }
        const QString valued = shownOptions(options, true);
        const auto at = [&command, &valued](const QString &place) {
            return QString(u"complete -c trainyardctl -n '__trainyardctl_"_s + place + u' ' + command.name + u' '
                + valued + u"' -f -a "_s);
        };
        const QString first
            = u"complete -c trainyardctl -n '__trainyardctl_first "_s + command.name + u' ' + valued + u"' "_s;
        if (const QStringList words = firstWords(command); !words.isEmpty()) {
            text += first + u"-f -a "_s + quotedForShell(words.join(u' ')) + u'\n';
        }
        if (isJobWord(operandOf(command))) {
            text += (takesManyJobs(command) ? seen : first) + u"-f -a "_s + jobsOf(operandOf(command)) + u'\n';
            if (takesManyJobs(command)) {
                text += seen + u"-f -a "_s + listOf(jobsKind(operandOf(command), u"labels"_s)) + u'\n';
            }
        } else if (const QString listed = listedKind(operandOf(command));
                   command.forms.size() == 1 && !listed.isEmpty()) {
            text += seen + u"-f -a "_s + listOf(listed) + u'\n';
        }
        if (takesTasks(command)) {
            text += at(u"second"_s) + listOf(u"tasks:(__trainyardctl_job "_s + valued + u')') + u'\n';
        }
        if (const QString further = furtherKind(command); !further.isEmpty()) {
            text += at(u"further"_s) + listOf(further) + u'\n';
        }
        for (const Form &form : command.forms) {
            if (const QString listed = listedKind(form.operands.word); !form.word.isEmpty() && !listed.isEmpty()) {
                text += u"complete -c trainyardctl -n '__trainyardctl_form "_s + command.name + u' ' + form.word
                    + u"' -f -a "_s + listOf(listed) + u'\n';
            }
        }
    }
    return text;
}

} // namespace trainyard::cli
