// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the terms of a filter hold for a job; jobfilter.cpp reads them.
#include "engine/api/jobcauses.h"
#include "engine/api/jobfacts.h"
#include "engine/api/jobfilter.h"
#include "engine/api/jsonmembers.h"
#include "engine/api/namesinanycase.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using Field = FilterTerm::Field;
using Compare = FilterTerm::Compare;
using Source = FilterTerm::Source;

bool holds(Compare compare, double value, double with)
{
    switch (compare) {
    case Compare::Less:
        return value < with;
    case Compare::AtMost:
        return value <= with;
    case Compare::More:
        return value > with;
    case Compare::AtLeast:
        return value >= with;
    case Compare::Equal:
        return value == with;
    case Compare::NotEqual:
        return value != with;
    case Compare::There:
        return true;
    }
    return false;
}

bool isLike(const QString &text, const QString &pattern) // in lower case
{
    if (!pattern.contains(u'*')) {
        return text.compare(pattern, Qt::CaseInsensitive) == 0;
    }
    const QStringList parts = pattern.split(u'*');
    if (!text.startsWith(parts.constFirst(), Qt::CaseInsensitive)) {
        return false;
    }
    qsizetype at = parts.constFirst().size();
    for (qsizetype i = 1; i + 1 < parts.size(); ++i) {
        const qsizetype found = text.indexOf(parts.at(i), at, Qt::CaseInsensitive);
        if (found < 0) {
            return false;
        }
        at = found + parts.at(i).size();
    }
    return text.size() - at >= parts.constLast().size() && text.endsWith(parts.constLast(), Qt::CaseInsensitive);
}

// Anywhere in the text; a star in the word stands for anything between its parts.
bool hasText(const QString &text, const QString &word)
{
    return word.contains(u'*') ? isLike(text, u'*' + word + u'*') : text.contains(word, Qt::CaseInsensitive);
}

template <typename Test> bool anyOf(const QStringList &words, const Test &test)
{
    return std::any_of(words.cbegin(), words.cend(), test);
}

bool hasTrait(const JobSummary &job, const QString &trait)
{
    return trait == "starred"_L1  ? job.labels.isStarred
        : trait == "archived"_L1  ? job.labels.isArchived
        : trait == "tagged"_L1    ? !job.labels.tags.isEmpty()
        : trait == "noted"_L1     ? !job.labels.note.isEmpty()
        : trait == "grouped"_L1   ? !job.group.isEmpty()
        : trait == "paused"_L1    ? job.paused
        : trait == "unhealthy"_L1 ? !job.health.isEmpty()
        : trait == "due"_L1       ? job.removal.has_value()
                                  : job.retries > 0; // retried
}

double countOf(const JobSummary &job, const QString &name)
{
    return name == "gpus"_L1    ? job.totalGpu
        : name == "tasks"_L1    ? job.totalTasks
        : name == "failed"_L1   ? job.counts.failed
        : name == "retries"_L1  ? job.retries
        : name == "priority"_L1 ? job.priority
                                : double(job.id); // id
}

// The code of the protocol, and what the program returned where that is not a code of its own: lists show the latter.
QList<double> codesOf(const JobSummary &job)
{
    QList<double> codes;
    if (job.exitCode) {
        codes.append(*job.exitCode);
        if (const std::optional<int> status = programStatus(job)) {
            codes.append(*status);
        }
    }
    return codes;
}

// One of the alternatives with which a value is compared.
struct Compared {
    Compare compare;
    const QString &word;
    const std::optional<double> &number;
};

// One of the alternatives is enough; a value is unequal when it is none of them.
template <typename Test> bool holdsForOne(const FilterTerm &term, const Test &test)
{
    const bool isForAll = term.compare == Compare::NotEqual;
    for (qsizetype i = 0; i < term.numbers.size(); ++i) {
        if (test(Compared{term.compare, term.words.at(i), term.numbers.at(i)}) != isForAll) {
            return !isForAll;
        }
    }
    return isForAll;
}

bool holdsForCode(const FilterTerm &term, const JobSummary &job)
{
    const QList<double> codes = codesOf(job);
    const bool isForAll = term.compare == Compare::NotEqual;
    return !codes.isEmpty() && holdsForOne(term, [&](const Compared &with) {
        const auto test = [&with](double code) { return holds(with.compare, code, *with.number); };
        return isForAll ? std::all_of(codes.cbegin(), codes.cend(), test)
                        : std::any_of(codes.cbegin(), codes.cend(), test);
    });
}

bool holdsForCount(const FilterTerm &term, const JobSummary &job)
{
    const QString name = term.name.toLower();
    if (name == "code"_L1) {
        return holdsForCode(term, job);
    }
    const double count = countOf(job, name);
    return holdsForOne(term, [count](const Compared &with) { return holds(with.compare, count, *with.number); });
}

bool holdsForText(const Compared &with, const QString &text)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    if (isNumber && with.number) {
        return holds(with.compare, number, *with.number);
    }
    const bool isEqual = isLike(text, with.word);
    return with.compare == Compare::Equal ? isEqual : with.compare == Compare::NotEqual && !isEqual;
}

bool holdsForValue(const FilterTerm &term, const QJsonValue &value)
{
    if (term.compare == Compare::There) {
        return true;
    }
    const QString text
        = value.isBool() ? (value.toBool() ? u"true"_s : u"false"_s) : value.toString(); // of a number: nothing
    return holdsForOne(term, [&](const Compared &with) {
        if (!value.isDouble()) {
            return holdsForText(with, text);
        }
        return with.number ? holds(with.compare, value.toDouble(), *with.number) : with.compare == Compare::NotEqual;
    });
}

// The part of a result that a condition needs.
struct ResultFound {
    bool isThere = false;
    bool isBroken = false; // its latest value is not a number
    std::optional<double> value = {}; // the latest where that is a number, the least or the greatest one
};

QLatin1StringView memberFor(FilterTerm::Source source)
{
    return source == Source::Least ? "least"_L1 : source == Source::Most ? "most"_L1 : "last"_L1;
}

// If the latest value of a result is not a number, the value before it is not the latest.
bool asksLatest(FilterTerm::Source source) { return memberFor(source) == "last"_L1; }

bool holdsForResult(const FilterTerm &term, const ResultFound &result)
{
    if (term.compare == Compare::There) {
        return result.value || (result.isThere && result.isBroken);
    }
    return holdsForOne(term, [&result](const Compared &with) {
        if (with.word == "nan"_L1) {
            return result.isThere && result.isBroken == (with.compare == Compare::Equal);
        }
        return result.value
            && (with.number ? holds(with.compare, *result.value, *with.number) : with.compare == Compare::NotEqual);
    });
}

bool holdsForValues(const FilterTerm &term, const QJsonValue &parameter, const ResultFound &result)
{
    const bool asksParameter = term.source == Source::Any || term.source == Source::Parameter;
    return asksParameter && !parameter.isUndefined() ? holdsForValue(term, parameter)
                                                     : term.source != Source::Parameter && holdsForResult(term, result);
}

// The value of a metric, as JobSummary::results has it.
ResultFound resultIn(const JobSummary &job, const FilterTerm &term)
{
    const QJsonValue found = memberInAnyCase(job.results, term.name);
    const QJsonValue value = found[memberFor(term.source)];
    const bool isBroken = found["broken"_L1].toBool();
    const bool isKnown = value.isDouble() && !(isBroken && asksLatest(term.source));
    return {found.isObject(), isBroken, isKnown ? std::optional(value.toDouble()) : std::nullopt};
}

bool isNumbered(const JobSummary &job, const QString &word)
{
    const std::optional<JobNumbers> numbers = jobNumbersIn(word);
    return numbers && job.id >= numbers->first && job.id <= numbers->last;
}

// "module missing" is the cause module-missing.
QString withDashes(QString text) { return text.replace(u' ', u'-').replace(u'_', u'-'); }

bool hasFailedFor(const JobSummary &job, const QString &word)
{
    return anyOf(
        failureCauses(job), [&word](const QString &name) { return hasText(withDashes(name), withDashes(word)); });
}

// The state that lists show for a job of another state.
bool isPausedWord(const QString &word) { return word.compare("paused"_L1, Qt::CaseInsensitive) == 0; }

bool holdsFor(const FilterTerm &term, const JobSummary &job, qint64 now, const QString &words)
{
    switch (term.field) {
    case Field::Word:
        return anyOf(term.words, [&](const QString &word) {
            return hasText(job.name, word) || isNumbered(job, word) || (isPausedNow(job) && isPausedWord(word))
                || (word.size() >= 8 && job.uuid.startsWith(word, Qt::CaseInsensitive))
                || stateWord(job.state).compare(word, Qt::CaseInsensitive) == 0
                || (!words.isEmpty() && hasText(words, word));
        });
    case Field::State:
        return term.states.contains(job.state) || (term.isPaused && isPausedNow(job));
    case Field::Cause:
        return anyOf(term.words, [&job](const QString &word) { return hasFailedFor(job, word); });
    case Field::Is:
        return anyOf(term.words, [&job](const QString &trait) { return hasTrait(job, trait); });
    case Field::Archived:
        return true;
    case Field::Tag:
        return anyOf(term.words, [&job](const QString &word) {
            return anyOf(job.labels.tags, [&word](const QString &tag) { return isLike(tag, word); });
        });
    case Field::Host:
        return anyOf(term.words, [&job](const QString &word) {
            return anyOf(job.hosts, [&word](const QString &host) { return isLike(host, word); });
        });
    case Field::Name:
        return anyOf(term.words, [&job](const QString &w) { return hasText(job.name, w); });
    case Field::Note:
        return !job.labels.note.isEmpty() // "note:*" finds those that have one
            && anyOf(term.words, [&job](const QString &w) { return hasText(job.labels.note, w); });
    case Field::Command:
        return !job.command.isEmpty()
            && anyOf(term.words, [&job](const QString &w) { return hasText(job.command, w); });
    case Field::Group:
        return !job.group.isEmpty()
            && anyOf(term.words, [&job](const QString &word) { return isLike(job.group, word); });
    case Field::User:
        return anyOf(term.words, [&job](const QString &word) { return isLike(job.user, word); });
    case Field::Id:
        return anyOf(term.words, [&job](const QString &word) { return isNumbered(job, word); });
    case Field::Before:
        return job.submitted < term.time;
    case Field::After:
        return job.submitted >= term.time;
    case Field::Time:
        return holds(term.compare, double(allAttemptsMs(job, now)) / 1000, *term.numbers.constFirst());
    case Field::Count:
        return holdsForCount(term, job);
    case Field::Value:
        return holdsForValues(term, memberInAnyCase(job.parameters, term.name), resultIn(job, term));
    }
    return false;
}

// ---- values in the store's own text ----

QJsonValue valueFromText(QByteArrayView text)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    if (isNumber) {
        return number;
    }
    // A value alone is not a document.
    return QJsonDocument::fromJson(QByteArray("[" + text.toByteArray() + ']')).array().at(0);
}

ResultFound resultInText(QByteArrayView results, QByteArrayView name, Source source)
{
    const QByteArrayView found = jsonMemberInAnyCase(results, name);
    ResultFound result{!found.isEmpty(), jsonMember(found, "broken") == "true", {}};
    bool isNumber = false;
    const QLatin1StringView member = memberFor(source);
    const double number = jsonMember(found, QByteArrayView(member.data(), member.size())).toDouble(&isNumber);
    if (isNumber && !(result.isBroken && asksLatest(source))) {
        result.value = number;
    }
    return result;
}

} // namespace

bool JobFilter::matches(const JobSummary &job, qint64 now, const QString &words) const
{
    return std::all_of(m_terms.cbegin(), m_terms.cend(),
        [&](const FilterTerm &term) { return holdsFor(term, job, now, words) != term.isNegated; });
}

bool JobFilter::matchesValues(QByteArrayView parameters, QByteArrayView results) const
{
    return std::all_of(m_terms.cbegin(), m_terms.cend(), [&](const FilterTerm &term) {
        if (term.field != Field::Value) {
            return true;
        }
        const QByteArray &name = term.nameInJson;
        const bool asksParameter = term.source == Source::Any || term.source == Source::Parameter;
        const QByteArrayView found = asksParameter ? jsonMemberInAnyCase(parameters, name) : QByteArrayView();
        const QJsonValue parameter = found.isEmpty() ? QJsonValue(QJsonValue::Undefined) : valueFromText(found);
        const bool asksResult = term.source != Source::Parameter && parameter.isUndefined();
        return holdsForValues(term, parameter, asksResult ? resultInText(results, name, term.source) : ResultFound())
            != term.isNegated;
    });
}

} // namespace trainyard
