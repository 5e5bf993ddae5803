// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/sweep/sweepaxis.h"

#include "model/yaml/yamlscalar.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

constexpr int exactDigits = 15; // what a double holds of any decimal number
constexpr int readDigits = 6; // of values by magnitude, which are not written by hand
constexpr double slack = 1e-9; // of a step, by which the last one may miss the end

// A part of what the user wrote.
struct SweepWord {
    QString text;
    qsizetype at = 0;
    qsizetype length = 0;
    bool isQuoted = false;
};

std::optional<double> sweepNumber(const QString &text)
{
    static const QRegularExpression pattern(u"\\A[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?\\z"_s);
    bool isRead = false;
    const double number = pattern.match(text).hasMatch() ? text.toDouble(&isRead) : 0;
    return isRead && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// "1; 2 3": numbers, but with something else than commas between.
bool areOtherwiseSeparated(const QString &text)
{
    static const QRegularExpression between(u"[;\\s]+"_s);
    const QStringList parts = text.split(between, Qt::SkipEmptyParts);
    return parts.size() > 1
        && std::all_of(parts.cbegin(), parts.cend(), [](const QString &part) { return sweepNumber(part).has_value(); });
}

bool isSpelledWhole(const QString &text)
{
    static const QRegularExpression pattern(u"\\A[+-]?\\d+\\z"_s);
    return pattern.match(text).hasMatch();
}

// Reads the text of one parameter.
class SweepReader
{
public:
    SweepReader(const QString &name, const Value &known, const QString &text, SweepRepeats repeats)
        : m_known(known), m_text(text), m_repeats(repeats)
    {
        m_axis.name = name;
    }
    Result<SweepAxis> read();

private:
    tl::unexpected<Error> wrong(const QString &code, qsizetype at, qsizetype length, QJsonObject more = {}) const
    {
        more.insert(u"name"_s, m_axis.name);
        more.insert(u"at"_s, at);
        more.insert(u"length"_s, length);
        return fail(code, more);
    }
    tl::unexpected<Error> wrong(const QString &code, const SweepWord &word) const
    {
        return wrong(code, word.at, word.length, {{u"value"_s, word.text}});
    }
    bool isNumber() const { return m_known.asInt() || m_known.asDouble(); }
    bool isWholeInJob() const
    {
        const QString *text = m_known.asString();
        return m_known.asInt() || (text && isSpelledWhole(*text));
    }
    Value valueOf(double number) const;
    Result<QList<SweepWord>> words() const;
    Result<Value> typed(const SweepWord &word) const;
    Result<SweepAxis> readList();
    Result<SweepAxis> readRange(const QRegularExpressionMatch &range);
    Result<SweepAxis> readSteps(const QString &step, qsizetype at);
    Result<SweepAxis> readCount(const QString &count, qsizetype at);
    double spacedNumber(qint64 place, qint64 count, int digits) const;
    QList<Value> wholeValues(qint64 count);

    const Value &m_known;
    const QString &m_text;
    SweepRepeats m_repeats;
    SweepAxis m_axis;
    SweepAxis::Bounds m_bounds;
};

Value SweepReader::valueOf(double number) const
{
    const Value value = m_bounds.isWhole ? Value(qint64(std::llround(number))) : Value(number);
    return m_bounds.isText ? Value(value.toText()) : value;
}

Result<QList<SweepWord>> SweepReader::words() const
{
    QList<SweepWord> words;
    qsizetype begin = 0;
    for (;;) {
        qsizetype at = begin;
        while (at < m_text.size() && m_text.at(at).isSpace()) {
            ++at;
        }
        SweepWord word;
        word.at = at;
        qsizetype comma = m_text.indexOf(u',', at);
        if (at < m_text.size() && m_text.at(at) == u'"') {
            const qsizetype quote = m_text.indexOf(u'"', at + 1);
            const qsizetype behind = quote < 0 ? -1 : m_text.indexOf(u',', quote);
            const qsizetype end = behind < 0 ? m_text.size() : behind;
            if (quote < 0 || !QStringView(m_text).sliced(quote + 1, end - quote - 1).trimmed().isEmpty()) {
                return wrong(u"sweep.open-quote"_s, at, m_text.size() - at);
            }
            word.text = m_text.sliced(at + 1, quote - at - 1);
            word.length = quote + 1 - at;
            word.isQuoted = true;
            comma = behind;
        } else {
            word.text = m_text.sliced(at, (comma < 0 ? m_text.size() : comma) - at).trimmed();
            word.length = word.text.size();
        }
        words.append(word);
        if (comma < 0) {
            return words;
        }
        begin = comma + 1;
    }
}

Result<Value> SweepReader::typed(const SweepWord &word) const
{
    if (word.text.isEmpty() && !word.isQuoted) {
        return wrong(u"sweep.empty-value"_s, word);
    }
    if (m_known.asBool()) {
        if (word.text != "true"_L1 && word.text != "false"_L1) {
            return wrong(u"sweep.not-boolean"_s, word);
        }
        return Value(word.text == "true"_L1);
    }
    if (m_known.asString() || word.isQuoted) {
        return Value(word.text);
    }
    const std::optional<double> number = sweepNumber(word.text);
    if (!number) {
        return isNumber() ? Result<Value>(
                   wrong(areOtherwiseSeparated(word.text) ? u"sweep.not-commas"_s : u"sweep.not-number"_s, word))
                          : Result<Value>(typedPlain(word.text.toUtf8()).value);
    }
    bool isWhole = false;
    const qint64 whole = isSpelledWhole(word.text) ? word.text.toLongLong(&isWhole) : 0;
    return isWhole && !m_known.asDouble() ? Value(whole) : Value(*number);
}

Result<SweepAxis> SweepReader::readList()
{
    const Result<QList<SweepWord>> all = words();
    if (!all) {
        return tl::unexpected<Error>(all.error());
    }
    for (const SweepWord &word : *all) {
        const Result<Value> value = typed(word);
        if (!value) {
            return tl::unexpected<Error>(value.error());
        }
        const bool isThere = std::any_of(m_axis.values.cbegin(), m_axis.values.cend(),
            [&](const Value &other) { return other.toText() == value->toText(); });
        if (isThere && m_repeats == SweepRepeats::Refused) {
            return wrong(u"sweep.twice"_s, word);
        }
        m_axis.values.append(*value);
    }
    return m_axis;
}

Result<SweepAxis> SweepReader::readSteps(const QString &written, qsizetype at)
{
    const std::optional<double> step = sweepNumber(written);
    if (!step || *step <= 0) {
        return wrong(u"sweep.bad-step"_s, at, written.size(), {{u"value"_s, written}});
    }
    m_bounds.isWhole = m_bounds.isWhole && isSpelledWhole(written);
    const double count = std::floor((m_bounds.to - m_bounds.from) / *step + slack) + 1;
    if (count > double(mostSweepJobs)) {
        return wrong(u"sweep.too-many-values"_s, 0, m_text.size(), {{u"count"_s, count}, {u"most"_s, mostSweepJobs}});
    }
    for (int i = 0; i < int(count); ++i) {
        m_axis.values.append(valueOf(roundedToDigits(m_bounds.from + i * *step, exactDigits)));
    }
    return m_axis;
}

// One of so many numbers from one end of the range to the other, both of which rounding must not move.
double SweepReader::spacedNumber(qint64 place, qint64 count, int digits) const
{
    const double part = double(place) / double(count - 1);
    const double number = place == count - 1 ? m_bounds.to
        : m_bounds.isLog                     ? m_bounds.from * std::pow(m_bounds.to / m_bounds.from, part)
                                             : m_bounds.from + (m_bounds.to - m_bounds.from) * part;
    const bool isEnd = place == 0 || place == count - 1;
    return roundedToDigits(number, isEnd ? exactDigits : digits);
}

// The nearest whole numbers, where two would be the same the next ones. There are enough between the ends.
QList<Value> SweepReader::wholeValues(qint64 count)
{
    QList<double> numbers;
    for (qint64 i = 0; i < count; ++i) {
        const double number = spacedNumber(i, count, exactDigits), nearest = std::round(number);
        m_axis.isRounded = m_axis.isRounded || nearest != number;
        numbers.append(i == 0 ? nearest : std::max(nearest, numbers.constLast() + 1));
    }
    numbers.last() = m_bounds.to;
    for (qint64 i = count - 2; i > 0; --i) {
        numbers[i] = std::min(numbers.at(i), numbers.at(i + 1) - 1);
    }
    QList<Value> values;
    for (const double number : std::as_const(numbers)) {
        values.append(valueOf(number));
    }
    return values;
}

Result<SweepAxis> SweepReader::readCount(const QString &written, qsizetype at)
{
    const auto badCount = [&] { return wrong(u"sweep.bad-count"_s, at, written.size(), {{u"most"_s, mostSweepJobs}}); };
    if (!isSpelledWhole(written)) {
        return badCount();
    }
    bool isRead = false;
    const qint64 count = written.toLongLong(&isRead);
    if (isRead && count > mostSweepJobs) {
        return wrong(u"sweep.too-many-values"_s, at, written.size(), {{u"count"_s, count}, {u"most"_s, mostSweepJobs}});
    }
    if (!isRead || count < 2) {
        return badCount();
    }
    if (m_bounds.isWhole) {
        const double possible = m_bounds.to - m_bounds.from + 1;
        if (double(count) > possible) {
            return wrong(u"sweep.whole-too-few"_s, 0, m_text.size(), {{u"count"_s, count}, {u"found"_s, possible}});
        }
        m_axis.values = wholeValues(count);
        return m_axis;
    }
    constexpr double closest = 1e-4; // so that rounding neither joins two of them nor moves one beyond an end
    const bool hasShort
        = m_bounds.isLog && std::pow(m_bounds.to / m_bounds.from, 1.0 / double(count - 1)) > 1 + closest;
    for (qint64 i = 0; i < count; ++i) {
        const Value value = valueOf(spacedNumber(i, count, hasShort ? readDigits : exactDigits));
        if (!m_axis.values.isEmpty() && m_axis.values.constLast() == value) { // the ends are as close as doubles can be
            return wrong(u"sweep.too-close"_s, 0, m_text.size(), {{u"count"_s, count}});
        }
        m_axis.values.append(value);
    }
    return m_axis;
}

Result<SweepAxis> SweepReader::readRange(const QRegularExpressionMatch &range)
{
    const std::optional<double> from = sweepNumber(range.captured(1));
    const std::optional<double> to = sweepNumber(range.captured(2));
    if (!from || !to || m_known.asBool()) {
        return wrong(u"sweep.bad-range"_s, 0, m_text.size());
    }
    if (!(*from < *to)) {
        return wrong(u"sweep.range-order"_s, range.capturedStart(2), range.capturedLength(2));
    }
    const bool areWhole = isSpelledWhole(range.captured(1)) && isSpelledWhole(range.captured(2));
    m_bounds = {*from, *to, false, isWholeInJob() && areWhole, m_known.asString() != nullptr};
    const QString how = range.captured(3).trimmed();
    const qsizetype howAt = range.capturedStart(3);
    if (how.isEmpty() && !range.captured(3).isNull()) {
        return wrong(u"sweep.bad-range"_s, 0, m_text.size());
    }
    const QString kind = how.section(u':', 0, 0).trimmed();
    m_bounds.isLog = kind == "log"_L1;
    if (m_bounds.isLog && *from <= 0) {
        return wrong(u"sweep.log-sign"_s, range.capturedStart(1), range.capturedLength(1));
    }
    if (kind != "log"_L1 && kind != "lin"_L1) {
        if (!how.isEmpty()) {
            return readSteps(how, howAt); // whose values alone are meant, also at random
        }
        m_axis.bounds = m_bounds;
        return m_bounds.isWhole ? readSteps(u"1"_s, howAt) : Result<SweepAxis>(m_axis);
    }
    m_axis.bounds = m_bounds;
    const qsizetype colon = how.indexOf(u':');
    return colon < 0 ? Result<SweepAxis>(m_axis) : readCount(how.sliced(colon + 1).trimmed(), howAt + colon + 1);
}

Result<SweepAxis> SweepReader::read()
{
    if (m_known.asList() || m_known.asMap()) {
        return wrong(u"sweep.not-scalar"_s, 0, 0);
    }
    if (m_text.trimmed().isEmpty()) {
        return wrong(u"sweep.no-values"_s, 0, 0);
    }
    static const QString number(u"[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?"_s);
    static const QRegularExpression range(
        u"\\A\\s*("_s + number + u")\\s*\\.\\.\\s*("_s + number + u")\\s*(?::(.*))?\\z"_s);
    if (const QRegularExpressionMatch match = range.match(m_text); match.hasMatch()) {
        return readRange(match);
    }
    // Of a whole number, nothing else can be meant.
    static const QRegularExpression dash(u"\\A\\s*(\\d+)\\s*-\\s*(\\d+)\\s*\\z"_s);
    if (const QRegularExpressionMatch match = dash.match(m_text); m_known.asInt() && match.hasMatch()) {
        return readRange(match);
    }
    if (isNumber() && m_text.contains(".."_L1)) {
        return wrong(u"sweep.bad-range"_s, 0, m_text.size());
    }
    return readList();
}

} // namespace

std::optional<Error> otherType(const QString &name, const Value &known, const QString &text)
{
    const Value given = typedPlain(text.toUtf8()).value;
    const bool isNumber = given.asInt() || given.asDouble() || sweepNumber(text);
    const QString code = (known.asInt() || known.asDouble()) && !isNumber ? u"sweep.not-number"_s
        : known.asBool() && !given.asBool()                               ? u"sweep.not-boolean"_s
        : known.asList() || known.asMap()                                 ? u"sweep.not-one-value"_s
                                                                          : QString();
    return code.isEmpty() ? std::nullopt : std::optional(Error{code, {{u"name"_s, name}, {u"value"_s, text}}});
}

double roundedToDigits(double value, int digits)
{
    std::array<char, 64> buffer{};
    const auto written
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, digits - 1);
    double rounded = value;
    std::from_chars(buffer.data(), written.ptr, rounded);
    return rounded;
}

Result<SweepAxis> sweepAxis(const QString &name, const Value &known, const QString &text, SweepRepeats repeats)
{
    return SweepReader(name, known, text, repeats).read();
}

} // namespace trainyard
