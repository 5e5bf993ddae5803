// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completions.h"

#include "app/cli/completionparts.h"

#include <QStringList>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QString wordName(Word word) { return isJobWord(word) ? u"job"_s : word == Word::File ? u"file"_s : listedKind(word); }

// The operands behind each word of a command with several forms.
QString operandsOfForms(const Command &command)
{
    QString text;
    for (const Form &form : command.forms) {
        if (const QString listed = listedKind(form.operands.word); !form.word.isEmpty() && !listed.isEmpty()) {
            text
                += u"        if [[ ${COMP_WORDS[2]} == "_s + form.word + u" ]]; then operand="_s + listed + u"; fi\n"_s;
        }
    }
    return text;
}

QString programWords()
{
    return commandNames().join(u' ') + u' ' + programOptions().constFirst().name + u' '
        + shownOptions(programOptions());
}

} // namespace

QString bashCompletion()
{
    QString cases
        = u"    help)\n        options=\n        words='"_s + commandNames().join(u' ') + u"'\n        ;;\n"_s;
    QString values; // of options, where they are known
    for (const Command &command : commands()) {
        const QList<Option> options = optionsOf(command);
        const QString kind
            = takesManyJobs(command) ? jobsKind(operandOf(command), u"jobs"_s) : wordName(operandOf(command));
        cases += u"    "_s + command.name + u")\n        options='"_s + shownOptions(options) + u"'\n        words='"_s
            + firstWords(command).join(u' ') + u"'\n        valued='"_s + shownOptions(options, true)
            + u"'\n        operand="_s + kind + u'\n' + operandsOfForms(command)
            + (takesTasks(command) ? u"        tasks=yes\n"_s : QString())
            + (furtherKind(command).isEmpty() ? QString() : u"        further="_s + furtherKind(command) + u'\n')
            + u"        ;;\n"_s;
        for (const Option &option : options) {
            const QString place = u"    '"_s + command.name + u' ' + option.shown() + u"')\n"_s;
            if (!option.values.isEmpty()) {
                values += place + u"        words='"_s + option.values.join(u' ') + u"'\n        ;;\n"_s;
            } else if (isJobWord(option.word)) {
                values += place + u"        operand=jobs\n        ;;\n"_s;
            } else if (const QString ofFile = kindOfFile(option.word); !ofFile.isEmpty()) {
                values += place + u"        operand="_s + ofFile + u"\n        ;;\n"_s;
            } else if (const QString listed = listedKind(option.word); !listed.isEmpty()) {
                values += place + u"        operand="_s + listed + u"\n        ;;\n"_s;
            }
        }
    }
    return u"# bash completion of trainyardctl, made by 'trainyardctl completion bash'\n"
           "_trainyardctl()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "    local options= words= valued= operand= tasks= further= kind= prefix= at=$COMP_CWORD file= i\n"
           "    # A colon is a word of its own: group:NAME is typed as three.\n"
           "    if [[ $word == : ]] && ((COMP_CWORD > 2)); then\n"
           "        prefix=$before: word=$before: before=${COMP_WORDS[COMP_CWORD - 2]} at=$((at - 1))\n"
           "    elif [[ $before == : ]] && ((COMP_CWORD > 3)); then\n"
           "        prefix=${COMP_WORDS[COMP_CWORD - 2]}: word=${COMP_WORDS[COMP_CWORD - 2]}:$word\n"
           "        before=${COMP_WORDS[COMP_CWORD - 3]} at=$((at - 2))\n"
           "    fi\n"
           "    COMPREPLY=()\n"
           "    if [[ $COMP_CWORD == 1 ]]; then\n"
           "        COMPREPLY=($(compgen -W '"_s
        + programWords() + u"' -- \"$word\"))\n        return\n    fi\n    case $command in\n"_s + cases
        + u"    esac\n"
          "    if [[ \" $valued \" == *\" $before \"* ]]; then\n"
          "        words= operand= tasks= further=\n"
          "        case \"$command $before\" in\n"_s
        + values
        + u"        esac\n"
          "        if [[ -n $words ]]; then\n"
          "            COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "            return\n"
          "        fi\n"
          "    elif [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "        return\n"
          "    elif [[ -n $words && $at == 2 ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case $operand in\n"
          "    *jobs|*hosts|targets|templates|filters|groups|tags) kind=$operand ;;\n"
          "    job) if [[ $at == 2 ]]; then kind=job; fi ;;\n"
          "    parameters|secrets)\n"
          "        # Those of the file, which is the first word that is neither an option nor the value of one.\n"
          "        for ((i = 2; i < ${#COMP_WORDS[@]}; i++)); do\n"
          "            if ((i != COMP_CWORD)) && [[ ${COMP_WORDS[i]} != [-=]* && ${COMP_WORDS[i - 1]} != = &&\n"
          "                \" $valued \" != *\" ${COMP_WORDS[i - 1]} \"* ]]; then\n"
          "                file=${COMP_WORDS[i]/#\\~\\//$HOME/}\n"
          "                break\n"
          "            fi\n"
          "        done\n"
          "        kind=$operand:$file\n"
          "        if [[ $operand == parameters ]]; then compopt -o nospace 2>/dev/null; fi\n"
          "        ;;\n"
          "    esac\n"
          "    if [[ -n $tasks && $at == 3 ]]; then kind=tasks:${COMP_WORDS[2]}; fi\n"
          "    if [[ -n $further ]] && ((at > 2)); then kind=$further; fi\n"
          "    if [[ -n $kind ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(trainyardctl completion bash --list \"$kind\" 2>/dev/null)\" -- "
          "\"$word\"))\n"
          "        COMPREPLY=(\"${COMPREPLY[@]#\"$prefix\"}\")\n"
          "    else\n"
          "        compopt -o default 2>/dev/null\n"
          "    fi\n"
          "}\n"
          "complete -F _trainyardctl trainyardctl\n"_s;
}

namespace
{

// An option, an explanation or a word as it may stand in a list of _describe or in a spec of _arguments.
QString zshWord(const QString &text)
{
    QString word = text;
    return word.replace(u':', u"\\:"_s).replace(u'[', u"\\["_s).replace(u']', u"\\]"_s);
}

QString zshAction(Word word, const QStringList &values)
{
    return !values.isEmpty()          ? QString(u'(' + values.join(u' ') + u')')
        : word == Word::Job           ? u"_trainyardctl_jobs"_s
        : isJobWord(word)             ? QString(u"{_trainyardctl_jobs "_s + jobsKind(word, u"numbers"_s) + u'}')
        : !kindOfFile(word).isEmpty() ? QString(u"{_trainyardctl_of_file "_s + kindOfFile(word) + u'}')
        : word == Word::File          ? u"_files"_s
        : listedKind(word).isEmpty()  ? QString()
                                      : QString(u"{_trainyardctl_listed "_s + listedKind(word) + u'}');
}

// The words of a command that are not options: the first, tasks or others behind it, and all that follow.
QStringList zshOperands(const Command &command)
{
    const Word word = operandOf(command);
    const QString further = furtherKind(command);
    if (!isJobWord(word)) {
        const bool isListed = command.forms.size() == 1 && !listedKind(word).isEmpty();
        const Word all = isListed ? word : Word::File;
        return {quotedForShell(u"*:"_s + wordName(all) + u':' + zshAction(all, {}))};
    }
    const QString job = zshAction(word, {});
    const QString many = takesManyJobs(command) ? QString(u"{_trainyardctl_jobs "_s + jobsKind(word, u"numbers"_s)
                             + u"; _trainyardctl_listed "_s + jobsKind(word, u"labels"_s) + u'}')
                                                : job;
    QStringList specs;
    if (takesTasks(command)) {
        specs = {quotedForShell(u"1:job:"_s + many), quotedForShell(u"2:task:_trainyardctl_tasks"_s)};
    } else if (!further.isEmpty()) {
        return {quotedForShell(u"1:job:"_s + many),
            quotedForShell(u"*:"_s + further + u":{_trainyardctl_listed "_s + further + u'}')};
    }
    specs.append(quotedForShell(u"*:job:"_s + many));
    return specs;
}

// "*--param=[override a parameter]:NAME=VAL:" for each spelling.
QStringList zshOption(const Option &option)
{
    const QString star = option.repeats ? u"*"_s : QString();
    const QString text = u'[' + zshWord(brief(option.text)) + u']';
    const QString value = option.value.isEmpty()
        ? QString()
        : QString(u':' + zshWord(option.value) + u':' + zshAction(option.word, option.values));
    QStringList specs{
        quotedForShell(star + option.shown() + (option.value.isEmpty() ? QString() : u"="_s) + text + value)};
    if (!option.letter.isNull()) {
        specs.append(quotedForShell(star + u'-' + option.letter + text + value));
    }
    return specs;
}

} // namespace

QString zshCompletion()
{
    QString text = u"#compdef trainyardctl\n# Made by 'trainyardctl completion zsh'.\n"
                   "_trainyardctl_jobs()\n{\n"
                   "    local -a jobs\n"
                   "    jobs=(${(f)\"$(trainyardctl completion zsh --list ${1:-numbers} 2>/dev/null)\"})\n"
                   "    _describe job jobs\n}\n"
                   "_trainyardctl_listed()\n{\n"
                   "    local -a listed\n"
                   "    listed=(${(f)\"$(trainyardctl completion zsh --list $1 2>/dev/null)\"})\n"
                   "    compadd -a listed\n}\n"
                   "_trainyardctl_of_file()\n{\n"
                   "    local -a listed suffix\n"
                   "    local file=${${(Q)line[1]}/#\\~\\//$HOME/}\n"
                   "    listed=(${(f)\"$(trainyardctl completion zsh --list $1:$file 2>/dev/null)\"})\n"
                   "    [[ $1 == parameters ]] && suffix=(-S '')\n"
                   "    compadd \"${suffix[@]}\" -a listed\n}\n"
                   "_trainyardctl_tasks()\n{\n"
                   "    _trainyardctl_listed tasks:${(Q)line[1]}\n}\n"
                   "_trainyardctl()\n{\n    local -a commands\n    commands=(\n"_s;
    QString cases;
    for (const Command &command : commands()) {
        text += u"        "_s + quotedForShell(command.name + u':' + zshWord(command.summary)) + u'\n';
        QStringList specs;
        const QList<Option> options = optionsOf(command);
        for (const Option &option : options) {
            specs += zshOption(option);
        }
        if (const QStringList words = firstWords(command); !words.isEmpty()) {
            specs.append(quotedForShell(u"1:word:"_s + zshAction(Word::Other, words)));
        }
        specs += zshOperands(command);
        cases += u"    "_s + command.name + u") _arguments "_s + specs.join(u" \\\n        "_s) + u" ;;\n"_s;
    }
    return text
        + u"    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n"
          "    help) ((CURRENT == 2)) && _describe command commands ;;\n"_s
        + cases + u"    esac\n}\n_trainyardctl \"$@\"\n"_s;
}

} // namespace trainyard::cli
