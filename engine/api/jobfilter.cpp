// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfilter.h"

#include "engine/api/jobfacts.h"
#include "engine/api/jobfilterread.h"
#include "engine/api/jsonmembers.h"
#include "engine/api/timewords.h"
#include "model/protocol/findings.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using Field = FilterTerm::Field;
using Compare = FilterTerm::Compare;
using Source = FilterTerm::Source;
using Piece = FilterReader::Piece;

struct KeyRow {
    QLatin1StringView name;
    Field field;
    Source source = Source::Any;
};
constexpr KeyRow keyRows[] = {
    {"state"_L1, Field::State},
    {"tag"_L1, Field::Tag},
    {"is"_L1, Field::Is},
    {"name"_L1, Field::Name},
    {"host"_L1, Field::Host},
    {"group"_L1, Field::Group},
    {"note"_L1, Field::Note},
    {"after"_L1, Field::After},
    {"before"_L1, Field::Before},
    {"param"_L1, Field::Value, Source::Parameter},
    {"result"_L1, Field::Value, Source::Result},
    {"min"_L1, Field::Value, Source::Least},
    {"max"_L1, Field::Value, Source::Most},
    {"id"_L1, Field::Id},
    {"user"_L1, Field::User},
    {"with"_L1, Field::Archived},
};

Compare compareOf(const QString &sign)
{
    return sign == "<"_L1 ? Compare::Less
        : sign == "<="_L1 ? Compare::AtMost
        : sign == ">"_L1  ? Compare::More
        : sign == ">="_L1 ? Compare::AtLeast
        : sign == "!="_L1 ? Compare::NotEqual
                          : Compare::Equal;
}

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

// As it stands in JSON: without the quotes around it.
QByteArray nameInJson(const QString &name)
{
    const QByteArray text = QJsonDocument(QJsonArray{name}).toJson(QJsonDocument::Compact);
    return text.sliced(2, text.size() - 4);
}

// Reads the terms of one text. The first error ends it.
class FilterParser
{
public:
    FilterParser(const QString &text, qint64 now) : m_reader(text), m_now(now) { }

    Result<QList<FilterTerm>> read()
    {
        QList<FilterTerm> terms;
        while (!m_error && !m_reader.atEnd()) {
            FilterTerm term;
            readTerm(term);
            term.nameInJson = term.field == Field::Value ? nameInJson(term.name) : QByteArray();
            terms.append(term);
        }
        if (m_error) {
            return tl::unexpected<Error>(*m_error);
        }
        return terms;
    }

private:
    // `candidates`: what the piece could have become.
    void fail(const QString &code, QJsonObject args, const Piece &piece, const QStringList &candidates = {})
    {
        const QString word = piece.text.toLower();
        const bool isLast = piece.at + piece.length >= m_reader.size();
        const bool isBegun = std::any_of(
            candidates.cbegin(), candidates.cend(), [&word](const QString &each) { return each.startsWith(word); });
        if (isLast && (piece.text.isEmpty() || isBegun || piece.isOpen)) {
            args.insert(u"unfinished"_s, true);
        }
        if (const QString near = candidates.isEmpty() ? QString() : nearest(word, candidates); !near.isEmpty()) {
            args.insert(u"near"_s, near);
        }
        args.insert(u"at"_s, piece.at);
        args.insert(u"length"_s, piece.length);
        m_error = Error{code, args};
    }

    bool isWhole(const Piece &piece)
    {
        if (piece.isOpen) {
            fail(u"filter.quote"_s, {}, piece);
        }
        return !m_error;
    }

    void readTerm(FilterTerm &term)
    {
        const qsizetype begin = m_reader.position();
        term.isNegated = m_reader.skip(u'-') && m_reader.position() < m_reader.size();
        const Piece head = m_reader.head();
        if (!isWhole(head)) {
            return;
        }
        if (!head.isQuoted && m_reader.skip(u':')) {
            const auto *key = std::find_if(std::begin(keyRows), std::end(keyRows),
                [&head](const KeyRow &each) { return head.text.compare(each.name, Qt::CaseInsensitive) == 0; });
            if (key == std::end(keyRows)) {
                Piece whole = head;
                whole.length = m_reader.position() - head.at;
                QJsonObject args{{u"key"_s, head.text}};
                if (const QString meant = comparisonInstead(head); !meant.isEmpty()) {
                    args.insert(u"comparison"_s, meant);
                }
                return fail(u"filter.key"_s, args, whole, filterKeys());
            }
            term.field = key->field;
            term.source = key->source;
            readKey(term, QString(key->name));
            if (term.field == Field::Archived && term.isNegated) {
                term.field = Field::Is; // without the archived ones
            }
        } else if (const std::optional<QString> sign = m_reader.comparison()) {
            term.name = head.text;
            term.field = head.isQuoted || !filterCounts().contains(head.text.toLower()) ? Field::Value
                : head.text.compare("time"_L1, Qt::CaseInsensitive) == 0                ? Field::Time
                                                                                        : Field::Count;
            if (head.text.isEmpty()) {
                return fail(u"filter.compare"_s, {}, {*sign, false, false, begin, m_reader.position() - begin});
            }
            readComparison(term, *sign);
        } else {
            term.words = head.isQuoted ? QStringList() : head.text.split(u',', Qt::SkipEmptyParts);
            if (term.words.isEmpty()) {
                term.words = {head.text};
            }
            if (head.text.isEmpty() && !head.isQuoted) { // a dash alone
                term.words = {u"-"_s};
                term.isNegated = false;
            }
        }
    }

    // "lr=0.1" for "lr:0.1", which looks like the keys that there are. Empty where a key is misspelt, and nothing tells
    // that a number was to be compared.
    QString comparisonInstead(const Piece &head)
    {
        const Piece value = m_reader.value();
        bool isNumber = false;
        value.text.toDouble(&isNumber);
        const bool isMisspelt = !nearest(head.text.toLower(), filterKeys()).isEmpty();
        const bool isAddress = value.text.startsWith(u'/');
        if (head.text.isEmpty() || value.text.isEmpty() || value.isOpen || isAddress || (isMisspelt && !isNumber)) {
            return {};
        }
        return filterQuoted(head.text) + u'=' + (value.isQuoted ? QString(u'"' + value.text + u'"') : value.text);
    }

    void readKey(FilterTerm &term, const QString &key)
    {
        if (term.field == Field::Value) {
            const Piece name = m_reader.head();
            if (!isWhole(name)) {
                return;
            }
            if (name.text.isEmpty()) {
                return fail(u"filter.value"_s, {{u"key"_s, key}}, name);
            }
            term.name = name.text;
            if (const std::optional<QString> sign = m_reader.comparison()) {
                readComparison(term, *sign);
            }
            return;
        }
        if (term.field == Field::Before || term.field == Field::After) {
            const Piece piece = m_reader.value();
            const std::optional<qint64> time = timeOfDay(piece.text);
            if (!time) {
                fail(piece.text.isEmpty() ? u"filter.value"_s : u"filter.time"_s,
                    {{u"key"_s, key}, {u"word"_s, piece.text}}, piece, {u"today"_s, u"yesterday"_s});
            }
            term.time = time.value_or(0);
            return;
        }
        do {
            const Piece piece = m_reader.value(true);
            if (!isWhole(piece)) {
                return;
            }
            if (piece.text.isEmpty()) {
                return fail(u"filter.value"_s, {{u"key"_s, key}}, piece);
            }
            readWord(term, piece);
        } while (!m_error && m_reader.skip(u','));
    }

    void readWord(FilterTerm &term, const Piece &piece)
    {
        const QString word = piece.text.toLower();
        if (term.field == Field::State) {
            if (!filterStates().contains(word)) {
                return fail(u"filter.state"_s,
                    {{u"word"_s, piece.text}, {u"states"_s, QJsonArray::fromStringList(filterStates())}}, piece,
                    filterStates());
            }
            term.states += word == "active"_L1 ? QList<State>{State::Waiting, State::Running, State::Stopping}
                : word == "ended"_L1           ? QList<State>{State::Succeeded, State::Failed, State::Stopped}
                                               : QList<State>{stateFromWord(word.toUpper())};
        } else if (term.field == Field::Is && !filterTraits().contains(word)) {
            fail(u"filter.is"_s, {{u"word"_s, piece.text}, {u"known"_s, QJsonArray::fromStringList(filterTraits())}},
                piece, filterTraits());
        } else if (term.field == Field::Archived && word != "archived"_L1) {
            fail(u"filter.with"_s, {{u"word"_s, piece.text}}, piece, {u"archived"_s});
        } else if (term.field == Field::Id) {
            bool isNumber = false;
            const qint64 number = (word.startsWith(u'#') ? word.sliced(1) : word).toLongLong(&isNumber);
            if (!isNumber) {
                fail(u"filter.number"_s, {{u"name"_s, u"id"_s}, {u"word"_s, piece.text}}, piece);
            }
            term.words.append(QString::number(number)); // also of "007"
        } else {
            term.words.append(word);
        }
    }

    void readComparison(FilterTerm &term, const QString &sign)
    {
        term.compare = compareOf(sign);
        const bool isOrder = term.compare != Compare::Equal && term.compare != Compare::NotEqual;
        const bool mayHaveMore = !isOrder && term.field != Field::Time; // less than one of two numbers says nothing
        do {
            const Piece piece = m_reader.value(mayHaveMore);
            if (!isWhole(piece)) {
                return;
            }
            if (piece.text.isEmpty() && !piece.isQuoted) {
                return fail(u"filter.value"_s, {{u"key"_s, QString(term.name + sign)}}, piece);
            }
            readCompared(term, piece, isOrder);
        } while (!m_error && mayHaveMore && m_reader.skip(u','));
    }

    void readCompared(FilterTerm &term, const Piece &piece, bool isOrder)
    {
        term.words.append(piece.text.toLower());
        if (term.field == Field::Time) {
            const std::optional<qint64> seconds = durationOf(piece.text);
            if (!seconds) {
                return fail(u"filter.span"_s, {{u"word"_s, piece.text}}, piece);
            }
            term.numbers.append(double(*seconds));
            return;
        }
        bool isNumber = false;
        const double number = piece.text.toDouble(&isNumber);
        const bool isCompared = isNumber && !std::isnan(number);
        term.numbers.append(isCompared ? std::optional(number) : std::nullopt);
        if (!isCompared && (isOrder || term.field == Field::Count)) {
            fail(u"filter.number"_s, {{u"name"_s, term.name}, {u"word"_s, piece.text}}, piece);
        }
    }

    std::optional<qint64> timeOfDay(const QString &text) const
    {
        const QDate today = QDateTime::fromMSecsSinceEpoch(m_now).date();
        const QString word = text.toLower();
        return word == "today"_L1    ? today.startOfDay().toMSecsSinceEpoch()
            : word == "yesterday"_L1 ? today.addDays(-1).startOfDay().toMSecsSinceEpoch()
                                     : timeOf(text, m_now);
    }

    FilterReader m_reader;
    qint64 m_now;
    std::optional<Error> m_error;
};

// ---- what holds ----

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

// The code of the protocol, and what the program returned where that is no code of its own: lists show the latter.
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

// What a condition needs to know of a result.
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

// Nothing: there is no such member.
QJsonValue memberOf(const QJsonObject &object, const QString &name)
{
    const QJsonValue exact = object.value(name);
    if (!exact.isUndefined()) {
        return exact;
    }
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key().compare(name, Qt::CaseInsensitive) == 0) {
            return *it;
        }
    }
    return QJsonValue::Undefined;
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
    const QJsonValue found = memberOf(job.results, term.name);
    const QJsonValue value = found[memberFor(term.source)];
    const bool isBroken = found["broken"_L1].toBool();
    const bool isKnown = value.isDouble() && !(isBroken && asksLatest(term.source));
    return {found.isObject(), isBroken, isKnown ? std::optional(value.toDouble()) : std::nullopt};
}

bool holdsFor(const FilterTerm &term, const JobSummary &job, qint64 now, const QString &words)
{
    switch (term.field) {
    case Field::Word: {
        const QString number = QString::number(job.id);
        return anyOf(term.words, [&](const QString &word) {
            return hasText(job.name, word) || word == number || word == QString(u'#' + number)
                || (word.size() >= 8 && job.uuid.startsWith(word, Qt::CaseInsensitive))
                || stateWord(job.state).compare(word, Qt::CaseInsensitive) == 0
                || (!words.isEmpty() && hasText(words, word));
        });
    }
    case Field::State:
        return term.states.contains(job.state);
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
    case Field::Group:
        return !job.group.isEmpty()
            && anyOf(term.words, [&job](const QString &word) { return isLike(job.group, word); });
    case Field::User:
        return anyOf(term.words, [&job](const QString &word) { return isLike(job.user, word); });
    case Field::Id:
        return term.words.contains(QString::number(job.id));
    case Field::Before:
        return job.submitted < term.time;
    case Field::After:
        return job.submitted >= term.time;
    case Field::Time:
        return holds(term.compare, double(allAttemptsMs(job, now)) / 1000, *term.numbers.constFirst());
    case Field::Count:
        return holdsForCount(term, job);
    case Field::Value:
        return holdsForValues(term, memberOf(job.parameters, term.name), resultIn(job, term));
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
    // A value alone is no document.
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

Result<JobFilter> JobFilter::parse(const QString &text, qint64 now)
{
    // Nobody writes such a filter, and the database does not read patterns of any length.
    constexpr qsizetype mostCharacters = 2000;
    if (text.size() > mostCharacters) {
        return fail(u"filter.too-long"_s,
            {{u"most"_s, mostCharacters}, {u"at"_s, mostCharacters}, {u"length"_s, text.size() - mostCharacters}});
    }
    Result<QList<FilterTerm>> terms = FilterParser(text, now).read();
    if (!terms) {
        return tl::unexpected<Error>(terms.error());
    }
    return JobFilter(*terms);
}

bool JobFilter::saysArchived() const
{
    return std::any_of(m_terms.cbegin(), m_terms.cend(), [](const FilterTerm &term) {
        return term.field == Field::Archived || (term.field == Field::Is && term.words.contains("archived"_L1))
            || (term.field == Field::Id && !term.isNegated);
    });
}

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

QString withoutArchived(const QString &text)
{
    const Result<JobFilter> filter = JobFilter::parse(text, 0);
    return !filter || filter->saysArchived() ? text : QString(u"-is:archived "_s + text);
}

QStringList filterKeys()
{
    QStringList names;
    for (const KeyRow &key : keyRows) {
        names.append(key.name);
    }
    return names;
}

QStringList filterStates()
{
    return {u"waiting"_s, u"running"_s, u"stopping"_s, u"succeeded"_s, u"failed"_s, u"stopped"_s, u"unknown"_s,
        u"active"_s, u"ended"_s};
}

QStringList filterTraits()
{
    return {u"starred"_s, u"archived"_s, u"tagged"_s, u"noted"_s, u"grouped"_s, u"paused"_s, u"retried"_s, u"due"_s,
        u"unhealthy"_s};
}

QStringList filterCounts()
{
    return {u"time"_s, u"gpus"_s, u"tasks"_s, u"failed"_s, u"retries"_s, u"priority"_s, u"code"_s, u"id"_s};
}

QString filterQuoted(const QString &name)
{
    const bool isPlain = !name.isEmpty() && std::none_of(name.cbegin(), name.cend(), [](QChar c) {
        return c.isSpace() || c == u':' || c == u',' || c == u'<' || c == u'>' || c == u'=' || c == u'!';
    });
    return isPlain && !name.startsWith(u'-') ? name : QString(u'"' + name + u'"');
}

QString groupFilter(const QString &group) { return u"group:" + filterQuoted(group); }

} // namespace trainyard
