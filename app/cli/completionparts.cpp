// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completionparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString quotedForShell(const QString &text) { return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\''; }

QList<Option> optionsOf(const Command &command)
{
    QList<Option> options;
    for (const Option &option : command.options) {
        if (!option.isHidden) {
            options.append(option);
        }
    }
    return options << programOptions().constFirst(); // every command has --help
}

QString shownOptions(const QList<Option> &options, bool onlyValued)
{
    QStringList names;
    for (const Option &option : options) {
        if (!onlyValued || !option.value.isEmpty()) {
            names.append(option.shown());
        }
        if (onlyValued && !option.value.isEmpty() && !option.letter.isNull()) {
            names.append(u"-"_s + option.letter);
        }
    }
    return names.join(u' ');
}

QStringList firstWords(const Command &command)
{
    if (command.forms.size() == 1) {
        const Operands &operands = command.forms.constFirst().operands;
        return operands.listValues ? operands.listValues() : operands.values;
    }
    QStringList words;
    for (const Form &form : command.forms) {
        words.append(form.word);
    }
    return words;
}

QStringList commandNames()
{
    QStringList names;
    for (const Command &command : commands()) {
        names.append(command.name);
    }
    return names;
}

Word operandOf(const Command &command) { return command.forms.constFirst().operands.word; }

bool takesManyJobs(const Command &command)
{
    return isJobWord(operandOf(command)) && command.forms.constFirst().operands.most == anyNumber;
}

QString brief(const QString &text)
{
    constexpr qsizetype fewestCharacters = 10; // less says nothing
    qsizetype end = text.size();
    for (const QString &mark : {u"; "_s, u". "_s, u": "_s, u", "_s, u" ("_s}) {
        const qsizetype at = text.indexOf(mark, fewestCharacters);
        end = at > 0 ? std::min(end, at) : end;
    }
    return text.first(end);
}

QString listedKind(Word word)
{
    return word == Word::Target  ? u"targets"_s
        : word == Word::Host     ? u"hosts"_s
        : word == Word::SshHost  ? u"ssh-hosts"_s
        : word == Word::Template ? u"templates"_s
        : word == Word::Filter   ? u"filters"_s
        : word == Word::Group    ? u"groups"_s
        : word == Word::Tag      ? u"tags"_s
                                 : QString();
}

QString kindOfFile(Word word)
{
    return word == Word::Parameter ? u"parameters"_s : word == Word::Secret ? u"secrets"_s : QString();
}

QString jobsKind(Word word, const QString &kind)
{
    return (word == Word::ActiveJob ? u"active-"_s : word == Word::EndedJob ? u"ended-"_s : QString()) + kind;
}

bool takesTasks(const Command &command)
{
    const QString &shown = command.forms.constFirst().operands.shown;
    return isJobWord(operandOf(command)) && (shown.contains(u"JOB [ROLE"_s) || shown.contains(u"JOB ROLE"_s));
}

QString furtherKind(const Command &command) { return listedKind(command.forms.constFirst().operands.further); }

} // namespace trainyard::cli
