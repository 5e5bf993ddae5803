// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/sharedoptions.h"

#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace trainyard::cli
{

// How the word behind an option becomes a value, and what to call such words: "a number from 1 to 60".
template <typename Value> struct Reads {
    QString takes;
    std::function<std::optional<Value>(const QString &word)> value;
};
// "a number from 1 to 60"; with a least that is negative "a whole number from ..."
Reads<qint64> wholeNumber(qint64 least, qint64 most = std::numeric_limits<int>::max());
Reads<qint64> timeSpan(); // in seconds
Reads<qint64> timeBefore(); // UTC milliseconds, from a span before now or a local time
Reads<QString> oneOf(const QStringList &words);

// The part of a command line that does not depend on the type of its values, so that it is compiled once and not for
// each command: it uses their address, and the offsets of their members.
class CommandLineBase
{
public:
    // Says what is wrong and where help is; returns exitUnusable.
    int wrongUsage(const QString &message) const;
    // This object must outlive the command.
    Command command() const;

protected:
    // Stores the word of an option in a member. If the word is not a valid value, returns what the option takes.
    using Set = std::function<QString(void *member, const QString &word)>;
    using Run = std::function<int(const void *values)>;
    // Makes values as they are when no option is given, and shows them to the function.
    using WithValues = void (*)(const std::function<void(void *values)> &use);
    static constexpr qptrdiff noKey = -1; // of an option whose function gets the values as a whole

    CommandLineBase(const QString &name, const QString &summary, WithValues withValues, qptrdiff wordsKey);

    void addForm(const QString &word, const Run &run, const Operands &operands);
    void addRest(const QString &shown, qptrdiff key);
    void addOption(const QString &spelled, const QString &text, qptrdiff key, const Set &set);
    void addExclusive(const QList<qptrdiff> &keys);
    QString nameOf(qptrdiff key) const; // "--follow"

    static QString setFlag(void *member, const QString &word);
    static QString setText(void *member, const QString &word);
    static QString setOptionalText(void *member, const QString &word);
    static QString appendText(void *member, const QString &word);
    template <typename Value> static Set setRead(const Reads<Value> &reads)
    {
        return [reads](void *member, const QString &word) {
            std::optional<Value> &value = *static_cast<std::optional<Value> *>(member);
            value = reads.value(word);
            return value ? QString() : reads.takes;
        };
    }

    Command m_command;

private:
    qsizetype indexOf(qptrdiff key) const;
    bool wantsJson(const QStringList &arguments) const;
    QString take(const Arguments &read, void *values) const;

    WithValues m_withValues;
    qptrdiff m_wordsKey;
    qptrdiff m_restKey = noKey;
    std::vector<Run> m_runs; // of the forms
    std::vector<qptrdiff> m_keys; // of the options
    std::vector<Set> m_setters; // of the options
};

// A command, described in one place: its words, its options and where their values go. `Values` is what the handler
// gets; its member `words` takes the operands.
//     static const CommandLine<PsValues> line = CommandLine<PsValues>(u"ps"_s, tr("List jobs"))
//         .option(u"-a, --all"_s, &PsValues::all, tr("list all jobs"))
//         .runs(runPs);
template <typename Values> class CommandLine : public CommandLineBase
{
public:
    using Handler = int (*)(const Values &);

    CommandLine(const QString &name, const QString &summary)
        : CommandLineBase(name, summary, withValues, keyOf<QStringList>(&Values::words))
    {
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
    CommandLine &runs(Handler handler, const Operands &operands = {}) { return form({}, handler, operands); }
    CommandLine &form(const QString &word, Handler handler, const Operands &operands = {})
    {
        addForm(
            word, [handler](const void *values) { return handler(*static_cast<const Values *>(values)); }, operands);
        return *this;
    }
    // The form that is meant when the first word names none: "templates hello".
    CommandLine &usually(const QString &word) { return set(m_command.usualForm, word); }
    // The words after the operands are stored here unparsed.
    CommandLine &rest(const QString &shown, QStringList Values::*member)
    {
        addRest(shown, keyOf(member));
        return *this;
    }

    // Each of these adds an option, spelled as the help shows it: "-f, --follow", "--tail N".
    CommandLine &option(const QString &spelled, bool Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), setFlag);
    }
    CommandLine &option(const QString &spelled, QString Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), setText);
    }
    CommandLine &option(const QString &spelled, std::optional<QString> Values::*member, const QString &text)
    {
        return add(spelled, text, keyOf(member), setOptionalText);
    }
    CommandLine &option(const QString &spelled, QStringList Values::*member, const QString &text)
    {
        add(spelled, text, keyOf(member), appendText);
        m_command.options.last().repeats = true;
        return *this;
    }
    // With a value that must be read: a number, a time, one of some words.
    template <typename Value>
    CommandLine &option(
        const QString &spelled, std::optional<Value> Values::*member, const QString &text, const Reads<Value> &reads)
    {
        return add(spelled, text, keyOf(member), setRead(reads));
    }
    // An option that several commands have.
    template <typename Member> CommandLine &option(const SharedOption &shared, Member Values::*member)
    {
        return option(shared.spelled, member, shared.text);
    }
    // For a value that goes nowhere simple; the function returns what the option takes when the word is none.
    template <std::invocable<Values &, const QString &> SetValues>
    CommandLine &option(const QString &spelled, const QString &text, const SetValues &setValues)
    {
        add(spelled, text, noKey,
            [setValues](void *values, const QString &word) { return setValues(*static_cast<Values *>(values), word); });
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
        addExclusive({keyOf(members)...});
        return *this;
    }

    // Why, of the group that was added last.
    CommandLine &because(const QString &sentence)
    {
        m_command.whyExclusive.insert(m_command.exclusive.size() - 1, sentence);
        return *this;
    }

    // "--follow", for sentences.
    template <typename Member> QString name(Member Values::*member) const { return nameOf(keyOf(member)); }

private:
    static void withValues(const std::function<void(void *values)> &use)
    {
        Values values;
        use(&values);
    }

    template <typename Part, typename Value> CommandLine &set(Part &part, const Value &value)
    {
        part = value;
        return *this;
    }

    CommandLine &add(const QString &spelled, const QString &text, qptrdiff key, const Set &set)
    {
        addOption(spelled, text, key, set);
        return *this;
    }

    static const Values &sample()
    {
        static const Values values;
        return values;
    }
    // The offset of a member in the values identifies it.
    template <typename Member> static qptrdiff keyOf(Member Values::*member)
    {
        return reinterpret_cast<const char *>(&(sample().*member)) - reinterpret_cast<const char *>(&sample());
    }
};

} // namespace trainyard::cli
