// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/helptext.h"

#include "app/cli/console.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype widestTerm = 22; // the text of a longer one begins on the next line
constexpr qsizetype longestSynopsis = 78;

// The words of a text in lines; the first one continues a line of `first` characters, the others are indented.
QString wrapped(const QString &text, int width, qsizetype indent = 0, qsizetype first = -1)
{
    QString result;
    qsizetype column = first < 0 ? indent : first;
    result += QString(first < 0 ? indent : 0, u' ');
    bool begun = false;
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        if (begun && column + 1 + word.size() > width) {
            result += u'\n' + QString(indent, u' ');
            column = indent;
            begun = false;
        }
        result += (begun ? u" "_s : QString()) + word;
        column += word.size() + (begun ? 1 : 0);
        begun = true;
    }
    return result;
}

QString paragraphs(const QString &text, int width)
{
    QStringList parts = text.split(u"\n\n"_s, Qt::SkipEmptyParts);
    for (QString &part : parts) {
        part = wrapped(part.replace(u'\n', u' '), width);
    }
    return parts.join(u"\n\n"_s);
}

// "  --tail N  print only ..." for each of these.
QString terms(const QList<std::pair<QString, QString>> &list, int width)
{
    qsizetype widest = 0;
    for (const auto &[term, text] : list) {
        widest = term.size() <= widestTerm ? std::max(widest, term.size()) : widest;
    }
    QStringList lines;
    for (const auto &[term, text] : list) {
        const qsizetype indent = widest + 4;
        const QString head = u"  "_s + term;
        lines.append(term.size() > widest ? QString(head + u'\n' + wrapped(text, width, indent))
                                          : QString(head.leftJustified(indent) + wrapped(text, width, indent, indent)));
    }
    return lines.join(u'\n');
}

QList<std::pair<QString, QString>> optionTerms(const QList<Option> &options)
{
    QList<std::pair<QString, QString>> list;
    for (const Option &option : options) {
        if (!option.isHidden) {
            list.append({option.spelled(), option.text});
        }
    }
    return list;
}

QString usage(const Option &option)
{
    return option.value.isEmpty() ? option.shown() : QString(option.shown() + u' ' + option.value);
}

// The options of a form in brackets; of those that exclude each other, one in the place of the first.
QString optionsUsage(const Command &command, const Form &form)
{
    QStringList parts;
    QList<qsizetype> seen;
    for (qsizetype i = 0; i < command.options.size(); ++i) {
        const Option &option = command.options.at(i);
        if (option.isHidden || seen.contains(i) || (!option.of.isEmpty() && !option.of.contains(form.word))) {
            continue;
        }
        QStringList alternatives{usage(option)};
        const auto group = std::find_if(command.exclusive.cbegin(), command.exclusive.cend(),
            [i](const QList<qsizetype> &each) { return each.contains(i); });
        if (group != command.exclusive.cend()) {
            alternatives.clear();
            for (const qsizetype index : *group) {
                alternatives.append(usage(command.options.at(index)));
            }
            seen += *group;
        }
        parts.append(u'[' + alternatives.join(u" | "_s) + u']' + (option.repeats ? u"..."_s : QString()));
    }
    return parts.join(u' ');
}

QString exitTable(const Command &command, int width)
{
    if (command.exitNote.isEmpty()) {
        return wrapped(tr("Exit status: %1.").arg(exitsText(command.exits)), width);
    }
    QList<std::pair<QString, QString>> list;
    for (const auto &[status, meaning] : command.exits) {
        list.append({QString::number(status), meaning});
    }
    return tr("Exit status:") + u'\n' + terms(list, width) + u'\n' + wrapped(command.exitNote, width);
}

} // namespace

int helpWidthOf(int columns)
{
    constexpr int narrowest = 60;
    return std::clamp(columns, narrowest, helpWidth);
}

QStringList synopses(const Command &command)
{
    QStringList lines;
    for (const Form &form : command.forms) {
        QStringList words{command.name};
        if (!form.word.isEmpty()) {
            // It is also the default without its word. For a part of a command this is not known.
            const bool isFirst = lines.isEmpty() && form.operands.least == 0 && command.forms.size() > 1;
            words.append(isFirst || form.word == command.usualForm ? QString(u'[' + form.word + u']') : form.word);
        }
        if (!form.operands.shown.isEmpty()) {
            words.append(form.operands.shown);
        }
        const QString options = optionsUsage(command, form);
        if (!options.isEmpty()) {
            const bool fits = words.join(u' ').size() + 1 + options.size() <= longestSynopsis;
            words.append(fits ? options : tr("[OPTIONS]"));
        }
        if (!command.rest.isEmpty()) {
            words.append(command.rest);
        }
        lines.append(words.join(u' '));
    }
    return lines;
}

QString exitsText(const QList<ExitMeaning> &exits)
{
    QStringList parts;
    for (const auto &[status, meaning] : exits) {
        parts.append(status < 0 ? meaning : QString(QString::number(status) + u' ' + meaning));
    }
    return parts.join(u"; "_s);
}

QString helpOf(const Command &command, int width)
{
    const QString program = u"trainyardctl "_s;
    QStringList parts{tr("Usage: ") + program + synopses(command).join(u"\n       "_s + program)};
    parts.append(paragraphs(command.text, width));
    if (const auto list = optionTerms(command.options); !list.isEmpty()) {
        parts.append(terms(list, width));
    }
    if (!command.more.isEmpty()) {
        parts.append(paragraphs(command.more, width));
    }
    if (!command.examples.isEmpty()) {
        parts.append((command.examples.size() == 1 ? tr("Example:") : tr("Examples:")) + u"\n  "_s
            + command.examples.join(u"\n  "_s));
    }
    parts.append(exitTable(command, width));
    return parts.join(u"\n\n"_s);
}

Command partOfForm(const Command &command, const QString &word)
{
    Command part = command;
    part.usualForm.clear();
    part.forms.removeIf([&word](const Form &form) { return form.word != word; });
    const auto isOfOthers = [&word](const Option &option) { return !option.of.isEmpty() && !option.of.contains(word); };
    part.options.removeIf(isOfOthers);
    part.exclusive.clear(); // uses the positions of the options
    for (const QList<qsizetype> &group : command.exclusive) {
        QList<qsizetype> own;
        for (const qsizetype place : group) {
            if (!isOfOthers(command.options.at(place))) {
                const auto before = command.options.cbegin() + place;
                own.append(place - std::count_if(command.options.cbegin(), before, isOfOthers));
            }
        }
        if (!own.isEmpty()) {
            part.exclusive.append(own);
        }
    }
    const QRegularExpression spoken(u"\\b"_s + QRegularExpression::escape(word));
    QStringList told = command.text.split(u"\n\n"_s, Qt::SkipEmptyParts);
    for (qsizetype i = told.size() - 1; i > 0; --i) {
        if (!told.at(i).contains(spoken)) {
            told.removeAt(i);
        }
    }
    part.text = told.join(u"\n\n"_s);
    const QRegularExpression called(
        u"\\btrainyardctl "_s + QRegularExpression::escape(command.name + u' ' + word) + u"\\b"_s);
    part.examples.removeIf([&called](const QString &example) { return !example.contains(called); });
    const QString whole = tr("'trainyardctl %1 --help' tells everything about %1.").arg(command.name);
    part.more += (part.more.isEmpty() ? QString() : u"\n\n"_s) + whole;
    return part;
}

QString programHelp(int width)
{
    QList<std::pair<QString, QString>> list;
    for (const Command &command : commands()) {
        list.append({command.name, command.summary});
    }
    return QStringList{tr("Usage: trainyardctl COMMAND [OPTIONS] ..."),
        tr("Checks, runs and follows training jobs from the command line."),
        tr("Commands:") + u'\n' + terms(list, width),
        tr("Options:") + u'\n' + terms(optionTerms(programOptions()), width),
        wrapped(tr("'-' as FILE is standard input. JOB is a number, the beginning of a UUID, or a name; name:NAME is "
                   "always a name, also if it looks like a number. Words after '--' are not options."),
            width),
        wrapped(tr("Exit status: %1.").arg(exitsText(exitMeanings())), width)}
        .join(u"\n\n"_s);
}

} // namespace trainyard::cli
