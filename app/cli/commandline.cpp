// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include "app/cli/console.h"
#include "app/cli/helptext.h"
#include "app/cli/words.h"
#include "engine/client/configurationfaults.h"
#include "engine/client/ownexitrules.h"
#include "engine/client/paths.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Users may have edited these files: a mistake is reported, since the engine goes on without what is wrong.
void lookAtConfiguration()
{
    const Result<ExitRules> exitRules = ownExitRules(paths::configFolder());
    if (exitRules) {
        setExitRules(*exitRules);
    }
    const QList<Error> faults = configurationFaults(paths::configFolder(), exitRules);
    for (const Error &fault : faults) {
        errorLine(errorText(fault));
    }
}

// The common handling of arguments before a command's handler: reports errors, or prints the help. Returns nothing if
// the handler should continue.
std::optional<int> beforeHandler(const Command &command, const Arguments &read, const QString &error)
{
    if (read.help) {
        // "hosts drain --help" is about drain.
        const QString word = read.words.value(0);
        const bool isOfForm = command.forms.size() > 1 && !word.isEmpty()
            && std::ranges::any_of(command.forms, [&word](const Form &form) { return form.word == word; });
        const int width = stdoutIsTerminal() ? helpWidthOf(terminalWidth()) : helpWidth;
        outLine(isOfForm ? helpOf(partOfForm(command, word), width) : helpOf(command, width));
        return exitOk;
    }
    if (!error.isEmpty()) {
        return usageError(command.name, error);
    }
    lookAtConfiguration();
    forgetFailure();
    return std::nullopt;
}

} // namespace

Reads<qint64> wholeNumber(qint64 least, qint64 most)
{
    const QString takes
        = (least < 0 ? tr("a whole number from %1 to %2") : tr("a number from %1 to %2")).arg(least).arg(most);
    return {takes, [least, most](const QString &word) -> std::optional<qint64> {
                bool isNumber = false;
                const qint64 number = word.toLongLong(&isNumber);
                const bool fits = number >= least && number <= most;
                return isNumber && fits ? std::optional(number) : std::nullopt;
            }};
}

Reads<qint64> timeSpan() { return {tr("a time span with its unit (90s, 10m, 2h, 7d, 4w)"), durationOf}; }

Reads<qint64> timeBefore()
{
    return {tr("a time span with its unit (90s, 10m, 2h, 7d) or a local time (2026-03-31T14:05)"),
        [](const QString &word) { return timeOf(word, QDateTime::currentMSecsSinceEpoch()); }};
}

Reads<QString> oneOf(const QStringList &words)
{
    return {tr("one of %1").arg(words.join(u", "_s)),
        [words](const QString &word) { return words.contains(word) ? std::optional(word) : std::nullopt; }};
}

CommandLineBase::CommandLineBase(const QString &name, const QString &summary, WithValues withValues, qptrdiff wordsKey)
    : m_withValues(withValues), m_wordsKey(wordsKey)
{
    m_command.name = name;
    m_command.summary = summary;
}

void CommandLineBase::addForm(const QString &word, const Run &run, const Operands &operands)
{
    Operands whole = operands;
    if (whole.complaint.isEmpty()) {
        whole.complaint = tr("The command takes no further arguments, such as '%1'.");
    }
    m_command.forms.append({word, whole});
    m_runs.push_back(run);
}

void CommandLineBase::addRest(const QString &shown, qptrdiff key)
{
    m_command.rest = shown;
    m_restKey = key;
}

void CommandLineBase::addOption(const QString &spelled, const QString &text, qptrdiff key, const Set &set)
{
    m_command.options.append(optionOf(spelled, text));
    m_keys.push_back(key);
    m_setters.push_back(set);
}

void CommandLineBase::addExclusive(const QList<qptrdiff> &keys)
{
    QList<qsizetype> group;
    for (const qptrdiff key : keys) {
        group.append(indexOf(key));
    }
    m_command.exclusive.append(group);
}

QString CommandLineBase::nameOf(qptrdiff key) const { return m_command.options.at(indexOf(key)).shown(); }

qsizetype CommandLineBase::indexOf(qptrdiff key) const
{
    const auto found = std::find(m_keys.cbegin(), m_keys.cend(), key);
    if (found == m_keys.cend()) {
        qFatal("The member belongs to no option of %s.", qPrintable(m_command.name));
    }
    return found - m_keys.cbegin();
}

QString CommandLineBase::setFlag(void *member, const QString &)
{
    *static_cast<bool *>(member) = true;
    return {};
}

QString CommandLineBase::setText(void *member, const QString &word)
{
    *static_cast<QString *>(member) = word;
    return {};
}

QString CommandLineBase::setOptionalText(void *member, const QString &word)
{
    *static_cast<std::optional<QString> *>(member) = word;
    return {};
}

QString CommandLineBase::appendText(void *member, const QString &word)
{
    static_cast<QStringList *>(member)->append(word);
    return {};
}

int CommandLineBase::wrongUsage(const QString &message) const { return usageError(m_command.name, message); }

// Also of a command line in which something is wrong, and nothing was read to the end.
bool CommandLineBase::wantsJson(const QStringList &arguments) const
{
    const QString json = u"--json"_s;
    const qsizetype end = arguments.indexOf(u"--"_s);
    return arguments.first(end < 0 ? arguments.size() : end).contains(json)
        && std::any_of(m_command.options.cbegin(), m_command.options.cend(),
            [&json](const Option &option) { return option.shown() == json && option.value.isEmpty(); });
}

// Puts the values where they belong. Returns what is wrong.
QString CommandLineBase::take(const Arguments &read, void *values) const
{
    if (read.help || !read.error.isEmpty()) {
        return read.error;
    }
    char *const members = static_cast<char *>(values);
    *static_cast<QStringList *>(static_cast<void *>(members + m_wordsKey)) = read.words;
    if (m_restKey != noKey) {
        *static_cast<QStringList *>(static_cast<void *>(members + m_restKey)) = read.rest;
    }
    for (const auto &[index, word] : read.options) {
        const qptrdiff key = m_keys.at(static_cast<std::size_t>(index));
        const QString takes
            = m_setters.at(static_cast<std::size_t>(index))(key == noKey ? values : members + key, word);
        if (!takes.isEmpty()) {
            return tr("%1 takes %2, not '%3'.").arg(m_command.options.at(index).shown(), takes, word);
        }
    }
    return {};
}

Command CommandLineBase::command() const
{
    Command command = m_command;
    command.run = [this](const QStringList &arguments) {
        const Arguments read = readArguments(m_command, arguments);
        int status = exitOk;
        m_withValues([&](void *values) {
            const std::optional<int> end = beforeHandler(m_command, read, take(read, values));
            status = end ? *end : m_runs.at(static_cast<std::size_t>(read.form))(values);
        });
        return wantsJson(arguments) ? endOfJson(status) : status;
    };
    command.complaint = [this](const QStringList &arguments) {
        QString complaint;
        m_withValues([&](void *values) { complaint = take(readArguments(m_command, arguments), values); });
        return complaint;
    };
    return command;
}

} // namespace trainyard::cli
