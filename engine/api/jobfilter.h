// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

namespace trainyard
{

// One condition of a filter.
struct FilterTerm {
    enum class Field {
        Word, // in the name, or the number, or the beginning of the UUID
        State,
        Is, // starred, archived, ...
        Archived, // "with:archived": changes nothing but JobFilter::saysArchived()
        Tag,
        Host,
        Name,
        Group,
        Note,
        Command, // what the first role runs
        User,
        Id,
        Cause, // why it failed
        Before, // submitted
        After,
        Time, // how long it took, in seconds
        Count, // of GPUs, tasks, ...: `name`
        Value // a parameter or a result: `name`
    };
    enum class Compare { There, Equal, NotEqual, Less, AtMost, More, AtLeast };
    enum class Source {
        Any,
        Parameter,
        Result,
        Least,
        Most
    }; // what a Value is looked for in; Any: the first that is there

    Field field = Field::Word;
    Compare compare = Compare::There;
    Source source = Source::Any;
    bool isNegated = false;
    QString name;
    QByteArray nameInJson = {}; // of a Value: without the quotes around it
    QStringList words; // one of them; of Tag, Host, Group and User `*` stands for anything
    QList<State> states;
    // The words as numbers; nothing where a word is not a number. Only = and != have several.
    QList<std::optional<double>> numbers;
    qint64 time = 0; // of Before and After, ms UTC
    bool isPaused = false; // of State: also those that are paused
};

// The numbers of jobs that a word stands for, as people type them: "41", "#41", "38-46". Nothing: the word is not a
// number. "007" is a text, and so is a descending range, such as the beginning of a date.
struct JobNumbers {
    qint64 first = 0, last = 0;
};
std::optional<JobNumbers> jobNumbersIn(const QString &word);

// A filter for lists of jobs, as people type it (docs/filter.md): words and conditions with blanks between
// them, all of which hold; numbers by themselves are one condition, and mean these jobs. Daemon, command line and
// window read the same language.
class JobFilter
{
public:
    JobFilter() = default;
    // Relative times count from `now` (ms UTC). Errors "filter.key" {key, near?,
    // comparison?: what reads as one}, "filter.state" {word, near?, states},
    // "filter.is" {word, near?, known}, "filter.with" {word}, "filter.value" {key}, "filter.number" {name, word},
    // "filter.time" {word}, "filter.span" {word}, "filter.unit" {word}, "filter.compare" {key}, "filter.quote",
    // "filter.and" and "filter.or" (beside a condition); each with {at, length} in `text`, and with {unfinished: true}
    // when it may become valid with the next characters.
    static Result<JobFilter> parse(const QString &text, qint64 now);

    const QList<FilterTerm> &terms() const { return m_terms; }
    bool isEmpty() const { return m_terms.isEmpty(); }
    // Whether the filter itself says whether archived jobs are included; lists leave them out otherwise.
    bool saysArchived() const;
    // `words`: more text in which plain words are looked for.
    bool matches(const JobSummary &job, qint64 now, const QString &words = {}) const;
    // Whether the conditions on parameters and results hold, for jobs as the store has them: JobSummary::parameters and
    // results as compact JSON.
    bool matchesValues(QByteArrayView parameters, QByteArrayView results) const;

private:
    explicit JobFilter(const QList<FilterTerm> &terms) : m_terms(terms) { }
    QList<FilterTerm> m_terms;
};

// The filter that lists use: `text` with a condition in front that leaves archived jobs out, unless the text itself
// says whether they are included. A text that is not a filter is returned as it is.
QString withoutArchived(const QString &text);

// The words of the language, for completion and suggestions.
QStringList filterKeys(); // "state", "tag", ...: before a colon
QStringList filterStates();
QStringList filterTraits(); // behind "is:"
QStringList filterCounts(); // "time", "gpus", ...: before a comparison

// `name` as a filter has it: in quotes if it has blanks or characters of the filter language.
QString filterQuoted(const QString &name);
// Finds the jobs of this group; the name may be a pattern, so that it may find jobs of other groups as well.
QString groupFilter(const QString &group);

} // namespace trainyard
