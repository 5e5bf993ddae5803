// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/api/jobfilter.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype notFound = -1;

qsizetype indexOfName(const Command &command, const QString &name)
{
    const auto it = std::find_if(command.options.cbegin(), command.options.cend(),
        [&name](const Option &option) { return option.name == name; });
    return it == command.options.cend() ? notFound : it - command.options.cbegin();
}

qsizetype indexOfLetter(const Command &command, QChar letter)
{
    const auto it = std::find_if(command.options.cbegin(), command.options.cend(),
        [letter](const Option &option) { return !option.letter.isNull() && option.letter == letter; });
    return it == command.options.cend() ? notFound : it - command.options.cbegin();
}

// Where others have an option, such a command has a condition.
QString conditionInstead(const Command &command, const QString &option, const QString &value)
{
    const bool hasFilter = command.forms.constFirst().operands.shown.contains("FILTER"_L1);
    const QString key = option.startsWith("--"_L1) ? option.sliced(2) : QString();
    if (!hasFilter || !filterKeys().contains(key)) {
        return {};
    }
    const QString word = value.isEmpty() || value.startsWith(u'-') ? u"..."_s : value;
    return u' ' + tr("It is a condition here: trainyardctl %1 %2:%3").arg(command.name, key, word);
}

QString unknownOption(const Command &command, const QString &option, const QString &value = {})
{
    QStringList known;
    for (const Option &each : command.options) {
        if (!each.isHidden) {
            known.append(each.shown());
        }
    }
    const QString instead = conditionInstead(command, option, value);
    return tr("There is no option '%1'.").arg(option) + (instead.isEmpty() ? didYouMean(option, known) : instead);
}

// A file whose name begins with a dash is taken for options.
QString fileInstead(const QString &argument)
{
    return QFileInfo::exists(argument)
        ? QString(u' ' + tr("To name the file, write './%1', or put '--' before it.").arg(argument))
        : QString();
}

// Reads one argument after the other.
class Reader
{
public:
    Reader(const Command &command, const QStringList &arguments) : m_command(command), m_left(arguments) { }

    Arguments read()
    {
        // Words after the operands of such a command are not ours. If some operands may be left out, "--" separates
        // them.
        const Operands &operands = m_command.forms.constFirst().operands;
        const bool hasRest = !m_command.rest.isEmpty();
        const auto goesOn = [&] {
            const qsizetype read = m_result.words.size();
            return !hasRest || read < operands.least || (read < operands.most && m_left.constFirst() != "--"_L1);
        };
        while (!m_left.isEmpty() && m_result.error.isEmpty() && !m_result.help && goesOn()) {
            readNext(m_left.takeFirst());
        }
        if (!m_command.rest.isEmpty()) {
            if (m_left.value(0) == "--"_L1) {
                m_left.removeFirst();
            }
            m_result.rest = m_left;
        }
        return m_result;
    }

private:
    void readNext(const QString &argument)
    {
        static const QRegularExpression negativeNumber(u"\\A-[0-9.]+\\z"_s);
        if (m_optionsEnded || argument == "-"_L1 || !argument.startsWith(u'-')
            || negativeNumber.match(argument).hasMatch() || isCondition(argument)) {
            m_result.words.append(argument);
        } else if (argument == "--"_L1) {
            m_optionsEnded = true;
        } else if (argument.startsWith("--"_L1)) {
            readLong(argument);
        } else {
            readLetters(argument);
        }
    }

    // "-tag:old" among the conditions of a filter: those without it. No letter of an option has such a value behind it.
    bool isCondition(const QString &argument) const
    {
        const qsizetype colon = argument.indexOf(u':');
        return colon > 0 && m_command.forms.constFirst().operands.shown.contains("FILTER"_L1)
            && filterKeys().contains(argument.sliced(1, colon - 1), Qt::CaseInsensitive);
    }

    void readLong(const QString &argument)
    {
        const qsizetype equals = argument.indexOf(u'=');
        const QString name = equals < 0 ? argument.sliced(2) : argument.sliced(2, equals - 2);
        const qsizetype index = indexOfName(m_command, name);
        if (index == notFound) {
            const QString value = equals < 0 ? m_left.value(0) : argument.sliced(equals + 1);
            isHelp(name) ? setHelp() : fail(unknownOption(m_command, u"--"_s + name, value) + fileInstead(argument));
        } else if (const Option &option = m_command.options.at(index); option.value.isEmpty() && equals >= 0) {
            fail(tr("%1 takes no value.").arg(option.shown()));
        } else if (equals >= 0) {
            m_result.options.append({index, argument.sliced(equals + 1)});
        } else {
            take(index);
        }
    }

    // Several letters may share a dash; the last one may have its value behind it.
    void readLetters(const QString &argument)
    {
        for (qsizetype i = 1; i < argument.size() && m_result.error.isEmpty() && !m_result.help; ++i) {
            const QChar letter = argument.at(i);
            const qsizetype index = indexOfLetter(m_command, letter);
            if (index == notFound) {
                isHelp(letter) ? setHelp() : fail(unknownOption(m_command, u"-"_s + letter) + fileInstead(argument));
            } else if (const QString behind = argument.sliced(i + 1);
                       !m_command.options.at(index).value.isEmpty() && !behind.isEmpty()) {
                m_result.options.append({index, behind});
                return;
            } else {
                take(index);
            }
        }
    }

    // A switch, or an option whose value is the next argument.
    void take(qsizetype index)
    {
        const Option &option = m_command.options.at(index);
        if (option.value.isEmpty()) {
            m_result.options.append({index, QString()});
        } else if (m_left.isEmpty()) {
            fail(tr("%1 needs a value: %2.").arg(option.shown(), option.value));
        } else {
            m_result.options.append({index, m_left.takeFirst()});
        }
    }

    static bool isHelp(const QString &name) { return name == programOptions().constFirst().name; }
    static bool isHelp(QChar letter) { return letter == programOptions().constFirst().letter; }
    void setHelp() { m_result.help = true; }
    void fail(const QString &error) { m_result.error = error; }

    const Command &m_command;
    QStringList m_left;
    Arguments m_result;
    bool m_optionsEnded = false;
};

QString alternatives(const QStringList &words)
{
    return words.size() < 2 ? words.join(QString())
                            : tr("%1 or %2").arg(words.first(words.size() - 1).join(u", "_s), words.constLast());
}

// The form that the first word names; the word is taken away.
QString chooseForm(const Command &command, Arguments &read)
{
    if (command.forms.size() < 2) {
        return {};
    }
    if (read.words.isEmpty()) {
        return {};
    }
    QStringList known;
    for (const Form &form : command.forms) {
        known.append(form.word);
    }
    const QString word = read.words.takeFirst();
    read.form = known.indexOf(word);
    if (read.form < 0 && !command.usualForm.isEmpty()) {
        read.words.prepend(word);
        read.form = known.indexOf(command.usualForm);
    }
    return read.form >= 0 ? QString()
                          : tr("'%1' is not a command of %2; use %3.").arg(word, command.name, alternatives(known))
            + didYouMean(word, known);
}

// "FILE" of "[FILE]" and of "FILE...".
QString nameOfOperand(const QString &shown)
{
    static const QRegularExpression beside(u"[\\[\\]]|\\.\\.\\."_s);
    return QString(shown).remove(beside);
}

// "$HOST" that is not set must not mean "any host": no option takes an empty value.
QString emptyValue(const Option &option)
{
    return tr(
        "The value of %1 is empty; give %2. If the value comes from a variable of the shell, that variable may not "
        "be set.")
        .arg(option.shown(), option.value);
}

QString wrongOptions(const Command &command, const Arguments &read)
{
    const QString &form = command.forms.at(read.form).word;
    const auto isGiven = [&read](qsizetype index) {
        return std::any_of(
            read.options.cbegin(), read.options.cend(), [index](const auto &option) { return option.first == index; });
    };
    for (const auto &[index, value] : read.options) {
        const Option &option = command.options.at(index);
        if (!option.of.isEmpty() && !option.of.contains(form)) {
            return tr("%1 is an option of %2 %3.").arg(option.shown(), command.name, alternatives(option.of));
        }
        if (!option.value.isEmpty() && value.isEmpty()) {
            return emptyValue(option);
        }
    }
    for (qsizetype i = 0; i < command.exclusive.size(); ++i) {
        const QList<qsizetype> &group = command.exclusive.at(i);
        QStringList names;
        for (const qsizetype index : group) {
            names.append(command.options.at(index).shown());
        }
        if (std::count_if(group.cbegin(), group.cend(), isGiven) > 1) {
            const QString sentence = names.size() == 2
                ? tr("Use %1 or %2, not both.").arg(names.first(), names.last())
                : tr("Use only one of %1 and %2.").arg(names.first(names.size() - 1).join(u", "_s), names.last());
            const QString why = command.whyExclusive.value(i);
            return why.isEmpty() ? sentence : QString(sentence + u' ' + why);
        }
    }
    return {};
}

} // namespace

Arguments readArguments(const Command &command, const QStringList &arguments)
{
    Arguments read = Reader(command, arguments).read();
    if (read.help || !read.error.isEmpty()) {
        return read;
    }
    read.error = chooseForm(command, read);
    if (read.error.isEmpty()) {
        read.error = wrongOptions(command, read);
    }
    if (read.error.isEmpty()) {
        const Operands &operands = command.forms.at(read.form).operands;
        const qsizetype count = read.words.size();
        if (count > operands.most && operands.most > 0 && isJobWord(operands.word)) {
            const QString &extra = read.words.at(operands.most);
            read.error = operands.shown == "JOB"_L1
                ? tr("'%1' has no meaning there: %2 takes one job.").arg(extra, command.name)
                : tr("'%1' has no meaning there: %2 takes %3.").arg(extra, command.name, operands.shown);
        } else if (count < operands.least || count > operands.most) {
            read.error = operands.complaint.contains("%1"_L1) ? operands.complaint.arg(read.words.value(0))
                                                              : operands.complaint;
        } else if (operands.word != Word::Other && read.words.contains(QString())) {
            read.error = tr("An empty argument is given for %1. If it comes from a variable of the shell, that "
                            "variable may not be set.")
                             .arg(nameOfOperand(operands.shown));
        }
    }
    return read;
}

Option optionOf(const QString &spelled, const QString &text)
{
    static const QRegularExpression shape(u"\\A(?:-([a-zA-Z]), )?--([a-z-]+)(?: (\\S+))?\\z"_s);
    const QRegularExpressionMatch match = shape.match(spelled);
    Q_ASSERT(match.hasMatch());
    Option option;
    option.letter = match.captured(1).isEmpty() ? QChar() : match.captured(1).front();
    option.name = match.captured(2);
    option.value = match.captured(3);
    option.text = text;
    return option;
}

QString Option::spelled() const
{
    return (letter.isNull() ? QString() : QString(u"-"_s + letter + u", "_s)) + shown()
        + (value.isEmpty() ? QString() : QString(u' ' + value));
}

} // namespace trainyard::cli
