// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/filterparser.h"

#include "engine/api/jobfilterread.h"
#include "engine/api/timewords.h"
#include "model/protocol/findings.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <utility>

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
    {"command"_L1, Field::Command},
    {"after"_L1, Field::After},
    {"before"_L1, Field::Before},
    {"param"_L1, Field::Value, Source::Parameter},
    {"result"_L1, Field::Value, Source::Result},
    {"min"_L1, Field::Value, Source::Least},
    {"max"_L1, Field::Value, Source::Most},
    {"id"_L1, Field::Id},
    {"cause"_L1, Field::Cause},
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
            checkJoined(term);
            // No job has two numbers: as conditions that all hold, they would find nothing.
            if (m_isNumbers && m_numbersAt) {
                terms[*m_numbersAt].words += term.words;
                continue;
            }
            m_numbersAt = m_isNumbers ? std::optional(terms.size()) : m_numbersAt;
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

    // At the end of the text, the unit may still be typed.
    void failWithoutUnit(const Piece &piece)
    {
        QJsonObject args{{u"word"_s, piece.text}};
        if (piece.at + piece.length >= m_reader.size()) {
            args.insert(u"unfinished"_s, true);
        }
        fail(u"filter.unit"_s, args, piece);
    }

    // "and" beside a condition is meant as in a sentence, and would be looked for in names. Between words of names it
    // may be one, and so may the first word, before which lists write a condition of their own.
    void checkJoined(const FilterTerm &term)
    {
        const bool isOfList = term.field == Field::Is && term.isNegated && term.words == QStringList(u"archived"_s);
        const Beside now = isOfList || m_error         ? Beside::Nothing
            : term.field != Field::Word || m_isNumbers ? Beside::Condition
                                                       : Beside::Word;
        if (m_joinerBefore && (now == Beside::Condition || m_besideJoiner == Beside::Condition)) {
            fail(m_joinerBefore->text.compare("and"_L1, Qt::CaseInsensitive) == 0 ? u"filter.and"_s : u"filter.or"_s,
                {}, *m_joinerBefore);
        }
        m_joinerBefore = m_before == Beside::Nothing ? std::nullopt : std::exchange(m_joiner, std::nullopt);
        m_joiner.reset();
        m_besideJoiner = m_before;
        m_before = now;
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
        m_isNumbers = false;
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
            const bool joins = !head.isQuoted && !term.isNegated
                && (head.text.compare("and"_L1, Qt::CaseInsensitive) == 0
                    || head.text.compare("or"_L1, Qt::CaseInsensitive) == 0);
            m_joiner = joins ? std::optional(head) : std::nullopt;
            m_isNumbers = !head.isQuoted && !term.isNegated
                && std::all_of(term.words.cbegin(), term.words.cend(),
                    [](const QString &word) { return jobNumbersIn(word).has_value(); });
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
            if (lacksUnit(piece.text)) {
                return failWithoutUnit(piece);
            }
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
            term.isPaused = term.isPaused || word == "paused"_L1;
            term.states += word == "paused"_L1 ? QList<State>()
                : word == "active"_L1          ? QList<State>{State::Waiting, State::Running, State::Stopping}
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
            if (!isNumber && jobNumbersIn(word)) {
                return term.words.append(word);
            }
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
            if (lacksUnit(piece.text)) {
                return failWithoutUnit(piece);
            }
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
    bool m_isNumbers = false; // the term that was read: numbers of jobs, and nothing else
    std::optional<qsizetype> m_numbersAt; // the first such term
    enum class Beside { Nothing, Word, Condition };
    std::optional<Piece> m_joiner; // the term that was read: "and" or "or"
    std::optional<Piece> m_joinerBefore; // the term before that was one, behind another term
    Beside m_before = Beside::Nothing; // the term before
    Beside m_besideJoiner = Beside::Nothing; // the one before that
    std::optional<Error> m_error;
};

} // namespace

Result<QList<FilterTerm>> filterTermsIn(const QString &text, qint64 now) { return FilterParser(text, now).read(); }

QStringList filterKeys()
{
    QStringList names;
    for (const KeyRow &key : keyRows) {
        names.append(key.name);
    }
    return names;
}

} // namespace trainyard
