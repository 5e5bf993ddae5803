// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/storefilter.h"

#include "engine/api/reasons.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using Field = FilterTerm::Field;
using Compare = FilterTerm::Compare;
using Source = FilterTerm::Source;

constexpr QLatin1StringView escaped{" ESCAPE '\\'"};

// The limit for all conditions together: SQLite reads no expression that is deeper than 1000, and each alternative is
// one deeper.
constexpr qsizetype mostPieces = 800;

QString escapedText(QString text)
{
    return text.replace(u'\\', "\\\\"_L1).replace(u'%', "\\%"_L1).replace(u'_', "\\_"_L1);
}

// The whole text, where `*` stands for anything.
QString wholePattern(const QString &text) { return escapedText(text).replace(u'*', u'%'); }

// SQLite folds the case of these letters only.
bool isAscii(const QString &text)
{
    return std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() < 128; });
}

// The text of a column, in which a word of such letters is looked for in any case. Two letters beyond them are others
// in another case: the sign of Kelvin and the long s.
QString textOf(const QString &column, const QString &word)
{
    const QString text
        = word.contains(u'k', Qt::CaseInsensitive) ? QString("replace("_L1 + column + ", char(8490), 'k')"_L1) : column;
    return word.contains(u's', Qt::CaseInsensitive) ? QString("replace("_L1 + text + ", char(383), 's')"_L1) : text;
}

// Whether JSON has the text as it is.
bool isPlainInJson(const QString &text)
{
    return isAscii(text)
        && std::none_of(text.cbegin(), text.cend(), [](QChar c) { return c == u'"' || c == u'\\' || c < u' '; });
}

QString signOf(Compare compare)
{
    switch (compare) {
    case Compare::Less:
        return u"<"_s;
    case Compare::AtMost:
        return u"<="_s;
    case Compare::More:
        return u">"_s;
    case Compare::AtLeast:
        return u">="_s;
    case Compare::NotEqual:
        return u"<>"_s;
    case Compare::There:
    case Compare::Equal:
        break;
    }
    return u"="_s;
}

// isPausedNow().
constexpr QLatin1StringView pausedSql{
    "(extra LIKE '%\"paused\":true%' AND state NOT IN ('SUCCEEDED', 'FAILED', 'STOPPED', 'STOPPING'))"};

QString traitSql(const QString &trait)
{
    return trait == "starred"_L1  ? u"COALESCE(starred, 0) <> 0"_s
        : trait == "archived"_L1  ? u"COALESCE(archived, 0) <> 0"_s
        : trait == "tagged"_L1    ? u"COALESCE(label.tags, '[]') <> '[]'"_s
        : trait == "noted"_L1     ? u"COALESCE(note, '') <> ''"_s
        : trait == "grouped"_L1   ? u"grouped <> ''"_s
        : trait == "unhealthy"_L1 ? u"id IN (SELECT health.job FROM health)"_s
        : trait == "due"_L1       ? u"id IN (SELECT removal.job FROM removal)"_s
        : trait == "paused"_L1    ? u"extra LIKE '%\"paused\":true%'"_s
                                  : u"retries > 0"_s;
}

QString countSql(const QString &name)
{
    static const QHash<QString, QString> columns{
        {u"gpus"_s, u"gpus"_s},
        {u"tasks"_s, u"tasks"_s},
        {u"failed"_s, u"json_extract(extra, '$.counts[3]')"_s}, // in the order of TaskCounts
        {u"retries"_s, u"retries"_s},
        {u"priority"_s, u"priority"_s},
        {u"code"_s, u"code"_s},
        {u"id"_s, u"id"_s},
    };
    return columns.value(name);
}

class Translator
{
public:
    Translator(qint64 now, bool isHealthOfRows) : m_now(now), m_isHealthOfRows(isHealthOfRows) { }

    void add(const FilterTerm &term)
    {
        m_alternatives.clear();
        m_values.clear();
        m_isExact = true;
        const qsizetype before = m_pieces;
        read(term);
        if (m_pieces > mostPieces) {
            giveUp();
            m_pieces = before;
        }
        result.isExact = result.isExact && m_isExact;
        result.hasValues = result.hasValues || term.field == Field::Value;
        const bool decides = m_isExact && term.field != Field::Value;
        if (m_alternatives.isEmpty() || (term.isNegated && !decides)) {
            return;
        }
        const QString either = u'(' + m_alternatives.join(" OR "_L1) + u')';
        result.conditions.append(term.isNegated ? QString("NOT COALESCE("_L1 + either + ", 0)"_L1) : either);
        result.values += m_values;
    }

    FilterSql result;

private:
    void either(const QString &condition, const QVariantList &values = {})
    {
        m_alternatives.append(condition);
        m_values += values;
        ++m_pieces;
    }

    // Nothing of the term can be asked of SQL, not even one of its words.
    void giveUp()
    {
        m_isExact = false;
        m_alternatives.clear();
        m_values.clear();
    }

    // One or a range; of a text that is none, such as "-7", there is no job.
    void eitherNumber(const QString &word)
    {
        const JobNumbers numbers = jobNumbersIn(word).value_or(JobNumbers{0, 0});
        if (numbers.first == numbers.last) {
            either(u"id = ?"_s, {numbers.first});
        } else {
            either(u"id BETWEEN ? AND ?"_s, {numbers.first, numbers.last});
        }
    }

    // Finds a word in a list of texts in JSON.
    void inList(const QString &column, const QString &path, const QString &word)
    {
        const QString isThere = "EXISTS(SELECT 1 FROM json_each("_L1 + column + ", '"_L1 + path + "') WHERE "_L1
            + textOf(u"value"_s, word) + " LIKE ?"_L1 + escaped + u')';
        if (isPlainInJson(word) && !word.contains(u'*')) {
            // Few rows have the word at all, and only those are taken apart.
            either(u'(' + textOf(column, word) + " LIKE ?"_L1 + escaped + " AND "_L1 + isThere + u')',
                {QString("%\""_L1 + escapedText(word) + "\"%"_L1), wholePattern(word)});
        } else {
            either(isThere, {wholePattern(word)});
        }
    }

    void read(const FilterTerm &term)
    {
        const bool isText = term.field != Field::Value
            && std::all_of(term.words.cbegin(), term.words.cend(), [](const QString &word) { return isAscii(word); });
        const bool isOfOtherHealth
            = !m_isHealthOfRows && term.field == Field::Is && term.words.contains("unhealthy"_L1);
        if ((!isText && term.field != Field::Value) || isOfOtherHealth) {
            return giveUp();
        }
        switch (term.field) {
        case Field::Archived:
            return;
        case Field::State: {
            QStringList marks;
            QVariantList states;
            for (const State state : term.states) {
                marks.append(u"?"_s);
                states.append(stateWord(state));
            }
            if (term.isPaused) {
                either(pausedSql);
            }
            return marks.isEmpty() ? void() : either("state IN ("_L1 + marks.join(u',') + u')', states);
        }
        case Field::Cause: // which of them failed for it, their facts tell
            m_isExact = false;
            return either(u"state = ?"_s, {stateWord(State::Failed)});
        case Field::Before:
            return either(u"submitted < ?"_s, {term.time});
        case Field::After:
            return either(u"submitted >= ?"_s, {term.time});
        case Field::Time:
            return either(
                "MAX(0, COALESCE(completed, ?) - COALESCE(json_extract(extra, '$.began'), launched, submitted) - "_L1
                    + "COALESCE(json_extract(extra, '$.pausedMs'), 0)) + "_L1
                    + "COALESCE(json_extract(extra, '$.formerMs'), 0) "_L1 + signOf(term.compare) + " ?"_L1,
                {m_now, *term.numbers.constFirst() * 1000});
        case Field::Count:
            return readCount(term);
        case Field::Value:
            return readValue(term);
        default:
            break;
        }
        for (const QString &word : term.words) {
            readWord(term.field, word);
        }
    }

    // A count is unequal when it is none of the numbers.
    void readCount(const FilterTerm &term)
    {
        const QString name = term.name.toLower();
        QStringList comparisons;
        QVariantList numbers;
        for (const std::optional<double> &number : term.numbers) {
            comparisons.append(countSql(name) + u' ' + signOf(term.compare) + " ?"_L1);
            numbers.append(*number);
        }
        // The status of the program counts as well: programStatus() tells it by these.
        if (name == "code"_L1) {
            m_isExact = false;
            if (term.compare != Compare::NotEqual) {
                comparisons.append("reason LIKE '"_L1 + reason::exits + "%'"_L1);
                comparisons.append(u"json_extract(extra, '$.rawExit') IS NOT NULL"_s);
            }
        }
        m_pieces += comparisons.size();
        either(u'(' + comparisons.join(term.compare == Compare::NotEqual ? " AND "_L1 : " OR "_L1) + u')', numbers);
    }

    void readWord(Field field, const QString &word)
    {
        switch (field) {
        case Field::Word: {
            either(textOf(u"name"_s, word) + " LIKE ?"_L1 + escaped, {QString(u'%' + wholePattern(word) + u'%')});
            if (jobNumbersIn(word)) {
                eitherNumber(word);
            }
            if (word.compare("paused"_L1, Qt::CaseInsensitive) == 0) {
                either(pausedSql);
            }
            constexpr qsizetype leastOfUuid = 8;
            if (word.size() >= leastOfUuid) {
                either("uuid LIKE ?"_L1 + escaped, {QString(escapedText(word) + u'%')});
            }
            return either(u"state = ?"_s, {word.toUpper()});
        }
        case Field::Is:
            return either(traitSql(word));
        case Field::Tag:
            return inList(u"(label.tags)"_s, u"$"_s, word);
        case Field::Host:
            return inList(u"extra"_s, u"$.hosts"_s, word);
        case Field::Name:
            return either(
                textOf(u"name"_s, word) + " LIKE ?"_L1 + escaped, {QString(u'%' + wholePattern(word) + u'%')});
        case Field::Note:
            return either("note <> '' AND "_L1 + textOf(u"note"_s, word) + " LIKE ?"_L1 + escaped,
                {QString(u'%' + wholePattern(word) + u'%')});
        case Field::Command:
            return either("command <> '' AND "_L1 + textOf(u"command"_s, word) + " LIKE ?"_L1 + escaped,
                {QString(u'%' + wholePattern(word) + u'%')});
        case Field::Group:
            return either(
                "grouped <> '' AND "_L1 + textOf(u"grouped"_s, word) + " LIKE ?"_L1 + escaped, {wholePattern(word)});
        case Field::User:
            return either(textOf(u"user"_s, word) + " LIKE ?"_L1 + escaped, {wholePattern(word)});
        case Field::Id:
            return eitherNumber(word);
        default:
            return giveUp();
        }
    }

    // Which rows have such a name at all.
    void readValue(const FilterTerm &term)
    {
        if (!isPlainInJson(term.name)) {
            return;
        }
        const QString pattern = "%\""_L1 + escapedText(term.name) + "\":%"_L1;
        if (term.source == Source::Any || term.source == Source::Parameter) {
            either("parameters LIKE ?"_L1 + escaped, {pattern});
        }
        if (term.source != Source::Parameter) {
            either("result.data LIKE ?"_L1 + escaped, {pattern});
        }
    }

    qint64 m_now;
    bool m_isHealthOfRows;
    qsizetype m_pieces = 0; // of all terms
    QStringList m_alternatives; // of the term that is read
    QVariantList m_values;
    bool m_isExact = true;
};

} // namespace

FilterSql filterSql(const JobFilter &filter, qint64 now, bool isHealthOfRows)
{
    Translator translator(now, isHealthOfRows);
    for (const FilterTerm &term : filter.terms()) {
        translator.add(term);
    }
    return translator.result;
}

} // namespace trainyard
