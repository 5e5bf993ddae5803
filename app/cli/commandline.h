// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/sharedoptions.h"

#include <algorithm>
#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

namespace trainyard::cli
{

// How the word behind an option becomes a value, and what to call such words: "a number from 1".
template <typename Value> struct Reads {
    QString takes;
    std::function<std::optional<Value>(const QString &word)> value;
};
Reads<qint64> wholeNumber(qint64 least); // 0 or 1: "a number from 0"; else "a whole number"
Reads<qint64> timeSpan(); // in seconds
Reads<qint64> timeBefore(); // UTC milliseconds, from a span before now or a local time
Reads<QString> oneOf(const QStringList &words);

// What every command does with its arguments before its handler: says what is wrong with them, or prints the help.
// Returns nothing when the handler is to go on.
std::optional<int> beforeHandler(const Command &command, const Arguments &read, const QString &error);

// A command, described in one place: its words, its options and where their values go. `Values` is what the handler
// gets; its member `words` takes the operands.
//     static const CommandLine<PsValues> line = CommandLine<PsValues>(u"ps"_s, tr("List jobs"))
//         .option(u"-a, --all"_s, &PsValues::all, tr("list all jobs"))
//         .runs(runPs);
template <typename Values> class CommandLine
{
public:
    using Handler = std::function<int(const Values &)>;

    CommandLine(const QString &name, const QString &summary)
    {
        m_command.name = name;
        m_command.summary = summary;
    }

    CommandLine &text(const QString &text) { return set(m_command.text, text); }
    CommandLine &more(const QString &more) { return set(m_command.more, more); }
    CommandLine &examples(const QStringList &examples) { return set(m_command.examples, examples); }
    CommandLine &exits(const QList<ExitMeaning> &exits, const QString &note = {})
    {
        m_command.exitNote = note;
        return set(m_command.exits, exits);
    }
    // The only form of a command.
    CommandLine &runs(const Handler &handler, const Operands &operands = {}) { return form({}, handler, operands); }
    CommandLine &form(const QString &word, const Handler &handler, const Operands &operands = {})
    {
        Operands whole = operands;
        if (whole.complaint.isEmpty()) {
            whole.complaint = tr("The command takes no further arguments, such as '%1'.");
        }
        m_command.forms.append({word, whole});
        m_handlers.push_back(handler);
        return *this;
    }
    // The form that is meant when the first word names none: "templates hello".
    CommandLine &usually(const QString &word) { return set(m_command.usualForm, word); }
    // What follows the operands goes here unread.
    CommandLine &rest(const QString &shown, QStringList Values::*member)
    {
        m_rest = member;
        return set(m_command.rest, shown);
    }

    // Each of these adds an option, spelled as the help shows it: "-f, --follow", "--tail N".
    CommandLine &option(const QString &spelled, bool Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), [member](Values &values, const QString &) {
            values.*member = true;
            return QString();
        });
    }
    CommandLine &option(const QString &spelled, QString Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), [member](Values &values, const QString &word) {
            values.*member = word;
            return QString();
        });
    }
    CommandLine &option(const QString &spelled, std::optional<QString> Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), [member](Values &values, const QString &word) {
            values.*member = word;
            return QString();
        });
    }
    CommandLine &option(const QString &spelled, QStringList Values::*member, const QString &text)
    {
        add(spelled, text, keyOf(member), [member](Values &values, const QString &word) {
            (values.*member).append(word);
            return QString();
        });
        m_command.options.last().repeats = true;
        return *this;
    }
    // With a value that must be read: a number, a time, one of some words.
    template <typename Value>
    CommandLine &option(
        const QString &spelled, std::optional<Value> Values::*member, const QString &text, const Reads<Value> &reads)
    {
        return add(spelled, text, keyOf(member), [member, reads](Values &values, const QString &word) {
            values.*member = reads.value(word);
            return values.*member ? QString() : reads.takes;
        });
    }
    // One that several commands have.
    template <typename Member> CommandLine &option(const SharedOption &shared, Member Values::*member)
    {
        return option(shared.spelled, member, shared.text);
    }
    // For a value that goes nowhere simple; the function returns what the option takes when the word is none.
    template <std::invocable<Values &, const QString &> Set>
    CommandLine &option(const QString &spelled, const QString &text, const Set &set)
    {
        add(spelled, text, noKey, set);
        m_command.options.last().repeats = true;
        return *this;
    }

    // More of the option that was added last.
    CommandLine &of(const QStringList &forms) { return set(m_command.options.last().of, forms); }
    CommandLine &values(const QStringList &values) { return set(m_command.options.last().values, values); }
    CommandLine &completes(Word word) { return set(m_command.options.last().word, word); }
    CommandLine &hidden() { return set(m_command.options.last().isHidden, true); }

    // Only one of these options can be given.
    template <typename... Members> CommandLine &exclusive(Members... members)
    {
        m_command.exclusive.append({indexOf(members)...});
        return *this;
    }

    // Why, of the group that was added last.
    CommandLine &because(const QString &sentence)
    {
        m_command.whyExclusive.insert(m_command.exclusive.size() - 1, sentence);
        return *this;
    }

    // "--follow", for sentences.
    template <typename Member> QString name(Member Values::*member) const
    {
        return m_command.options.at(indexOf(member)).shown();
    }
    // Says what is wrong and where help is; returns exitUnusable.
    int wrongUsage(const QString &message) const { return usageError(m_command.name, message); }

    // This object must outlive the command.
    Command command() const
    {
        Command command = m_command;
        command.run = [this](const QStringList &arguments) {
            Values values;
            const Arguments read = readArguments(m_command, arguments);
            const std::optional<int> end = beforeHandler(m_command, read, take(read, values));
            const int status = end ? *end : m_handlers.at(static_cast<std::size_t>(read.form))(values);
            return wantsJson(arguments) ? endOfJson(status) : status;
        };
        command.complaint = [this](const QStringList &arguments) {
            Values values;
            return take(readArguments(m_command, arguments), values);
        };
        return command;
    }

private:
    // Also of a command line in which something is wrong, and nothing was read to the end.
    bool wantsJson(const QStringList &arguments) const
    {
        const QString json = QStringLiteral("--json");
        const qsizetype end = arguments.indexOf(QStringLiteral("--"));
        return arguments.first(end < 0 ? arguments.size() : end).contains(json)
            && std::any_of(m_command.options.cbegin(), m_command.options.cend(),
                [&json](const Option &option) { return option.shown() == json && option.value.isEmpty(); });
    }

    using Set = std::function<QString(Values &, const QString &word)>;
    static constexpr qptrdiff noKey = -1;

    template <typename Part, typename Value> CommandLine &set(Part &part, const Value &value)
    {
        part = value;
        return *this;
    }

    CommandLine &add(const QString &spelled, const QString &text, qptrdiff key, const Set &set)
    {
        m_command.options.append(optionOf(spelled, text));
        m_keys.push_back(key);
        m_setters.push_back(set);
        return *this;
    }

    // Where a member is in the values tells the members apart.
    template <typename Member> static qptrdiff keyOf(Member Values::*member)
    {
        static const Values sample;
        return reinterpret_cast<const char *>(&(sample.*member)) - reinterpret_cast<const char *>(&sample);
    }
    template <typename Member> qsizetype indexOf(Member Values::*member) const
    {
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            if (m_keys.at(i) == keyOf(member)) {
                return static_cast<qsizetype>(i);
            }
        }
        qFatal("The member belongs to no option of %s.", qPrintable(m_command.name));
    }

    // Puts the values where they belong. Returns what is wrong.
    QString take(const Arguments &read, Values &values) const
    {
        if (read.help || !read.error.isEmpty()) {
            return read.error;
        }
        values.words = read.words;
        if (m_rest) {
            values.*m_rest = read.rest;
        }
        for (const auto &[index, word] : read.options) {
            const QString takes = m_setters.at(static_cast<std::size_t>(index))(values, word);
            if (!takes.isEmpty()) {
                return tr("%1 takes %2, not '%3'.").arg(m_command.options.at(index).shown(), takes, word);
            }
        }
        return {};
    }

    Command m_command;
    std::vector<Handler> m_handlers; // of the forms
    std::vector<qptrdiff> m_keys; // of the options
    std::vector<Set> m_setters; // of the options
    QStringList Values::*m_rest = nullptr;
};

} // namespace trainyard::cli
