// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/commanumbers.h"

#include "engine/metrics/names.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t lookedBack = 64; // characters before a number that are looked at

enum class Writing {
    Other, // a list, a version, a date, or no comma and no point
    Point, // 0.5
    Groups, // 1,234,567 and 12,345.6
    OneGroup, // 12,345: a group of thousands, or a decimal comma
    Comma, // 0,345 and 1,5 and 2,30258
    PointGroups // 1.234,5: as Comma with groups, or a number and another one behind it
};

// The digits between the signs, and the signs.
struct Parts {
    std::vector<std::string_view> digits;
    std::string signs;
};

Parts partsOf(std::string_view run)
{
    Parts parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = digitsEnd(run, begin);
        parts.digits.push_back(run.substr(begin, end - begin));
        if (end >= run.size()) {
            return parts;
        }
        parts.signs += run[end];
        begin = end + 1;
    }
}

// Whether the first `count` signs part groups of thousands.
bool hasGroups(const Parts &parts, std::size_t count)
{
    constexpr std::size_t group = 3;
    const std::string_view first = parts.digits.front();
    return count > 0 && first.size() <= group && first.front() != '0'
        && std::all_of(parts.digits.begin() + 1, parts.digits.begin() + 1 + static_cast<std::ptrdiff_t>(count),
            [](std::string_view digits) { return digits.size() == group; });
}

Writing writingOf(std::string_view run)
{
    if (run.find(',') == npos) { // as nearly all are
        const std::size_t point = run.find('.');
        return point != npos && run.find('.', point + 1) == npos ? Writing::Point : Writing::Other;
    }
    const Parts parts = partsOf(run);
    const std::string_view signs = parts.signs;
    const bool endsWithOther = signs.size() > 1 && signs.find(signs.back()) == signs.size() - 1;
    const std::size_t groups = endsWithOther ? signs.size() - 1 : signs.size();
    const bool isAlike = signs.find_first_not_of(signs.substr(0, 1)) >= groups;
    if (signs.empty() || !isAlike) {
        return Writing::Other;
    }
    if (signs.front() == ',' && hasGroups(parts, groups)) {
        return signs == "," ? Writing::OneGroup : Writing::Groups;
    }
    if (signs == ",") {
        const std::string_view whole = parts.digits.front();
        return whole.size() > 1 && whole.front() == '0' ? Writing::Other : Writing::Comma;
    }
    return signs.front() == '.' && endsWithOther && hasGroups(parts, groups) ? Writing::PointGroups : Writing::Other;
}

// The place before the number and its sign.
std::size_t signAt(std::string_view line, std::size_t begin)
{
    return begin > 0 && (line[begin - 1] == '-' || line[begin - 1] == '+') ? begin - 1 : begin;
}

// In a list or a row with commas between its cells, a comma parts values.
bool isInList(std::string_view line, std::size_t begin, std::size_t end)
{
    std::size_t i = signAt(line, begin);
    if (i == 0) {
        return !isBlank(at(line, end)) && at(line, end) != ';' && at(line, end) != '|';
    }
    const char before = line[i - 1];
    if (before == ':') {
        return i > 1 && isDigit(line[i - 2]); // a time
    }
    const bool isApart = before == '=' || before == '|' || before == ';' || before == '"' || before == '\''
        || before == '~' || static_cast<unsigned char>(before) >= 0x80;
    if (!isBlank(before)) {
        return !isApart;
    }
    const std::size_t from = i - std::min(i, lookedBack);
    while (i > from && (isBlank(line[i - 1]) || isDigit(line[i - 1]) || line[i - 1] == '.' || line[i - 1] == '-')) {
        --i;
    }
    const bool isInNumber = isDigit(at(line, i)); // the comma of the column before: "0,345   0,5"
    return i > from && ((line[i - 1] == ',' && !isInNumber) || line[i - 1] == '[' || line[i - 1] == '(');
}

// "0,5:1", "2,5-3", "0,345.ckpt"
bool goesOn(std::string_view line, std::size_t end)
{
    const char next = at(line, end), behind = at(line, end + 1);
    return next == '_' || ((next == ':' || next == '-' || next == '/') && isDigit(behind))
        || (next == '.' && isLetter(behind));
}

// The words before the number, without the sign that joins them to it.
std::string_view nameBefore(std::string_view line, std::size_t begin)
{
    std::string_view text = line.substr(0, signAt(line, begin));
    text.remove_prefix(text.size() - std::min(text.size(), lookedBack));
    const std::size_t behind = text.find_last_not_of(" \t:=\"'#|");
    text = text.substr(0, behind == npos ? 0 : behind + 1);
    const std::size_t border = text.find_last_of(",;|{}([");
    return trimmed(border == npos ? text : text.substr(border + 1));
}

bool isExponentAt(std::string_view line, std::size_t i)
{
    const std::size_t digits = at(line, i + 1) == '-' || at(line, i + 1) == '+' ? i + 2 : i + 1;
    return (at(line, i) == 'e' || at(line, i) == 'E') && isDigit(at(line, digits));
}

// Steps are whole numbers, and so is everything that is counted up to a total.
bool isCount(std::string_view line, std::size_t begin, std::size_t end)
{
    const std::string_view name = nameBefore(line, begin);
    const std::size_t word = name.find_last_of(" \t");
    return signAt(line, begin) == 0 || at(line, skipBlanks(line, end)) == '/' || line.substr(end).starts_with(" of ")
        || stepName(name) || stepName(word == npos ? name : name.substr(word + 1));
}

bool hasLetter(std::string_view line)
{
    return std::any_of(
        line.begin(), line.end(), [](char c) { return isLetter(c) || static_cast<unsigned char>(c) >= 0x80; });
}

// Whether a comma or a point stands between digits.
bool hasBetweenDigits(std::string_view line, char sign)
{
    for (std::size_t i = line.find(sign, 1); i != npos; i = line.find(sign, i + 1)) {
        if (isDigit(line[i - 1]) && isDigit(at(line, i + 1))) {
            return true;
        }
    }
    return false;
}

} // namespace

// Digits with points and commas between them.
struct CommaNumbers::Run {
    std::size_t begin = 0, end = 0;
    Writing writing = Writing::Other;
    bool isOfMetric = false;
    bool isCount = false;
    bool isSure = false; // "0,52" and "2,30258" are not a pair of whole numbers

    // The next number at or behind `from`.
    static std::optional<Run> next(std::string_view line, std::size_t from)
    {
        for (std::size_t i = from; i < line.size(); ++i) {
            if (!isDigit(line[i])) {
                continue;
            }
            Run run;
            run.begin = i;
            while (isDigit(at(line, i)) || ((at(line, i) == ',' || at(line, i) == '.') && isDigit(at(line, i + 1)))) {
                ++i;
            }
            run.end = i;
            if (run.begin > 0 && (isWord(line[run.begin - 1]) || line[run.begin - 1] == '.')) {
                continue; // part of a name
            }
            const std::string_view text = line.substr(run.begin, run.end - run.begin);
            run.writing = writingOf(text);
            const bool hasComma = run.writing != Writing::Point && run.writing != Writing::Other;
            if (hasComma && (isInList(line, run.begin, run.end) || goesOn(line, run.end))) {
                run.writing = Writing::Other;
            }
            if (run.writing == Writing::OneGroup && isExponentAt(line, run.end)) {
                run.writing = Writing::Comma;
            }
            if (run.writing == Writing::Other) {
                continue;
            }
            constexpr std::size_t fewDigits = 2, manyDigits = 4;
            const std::size_t behind = text.size() - text.find_last_of(",.") - 1;
            run.isSure = run.writing == Writing::Comma
                && ((text.starts_with("0,") && behind >= fewDigits) || behind >= manyDigits);
            run.isOfMetric = endsAsMetric(nameBefore(line, run.begin));
            run.isCount = run.writing != Writing::Point && metrics::isCount(line, run.begin, run.end);
            return run;
        }
        return {};
    }
};

// What the line says about how its numbers are written.
void CommaNumbers::learn(std::string_view line, bool hasCommas)
{
    m_hasPointsHere = m_hasCommasHere = false;
    bool isOfMetric = false, hasGroups = false, hasSure = false, hasComma = false;
    constexpr int fewNumbers = 8;
    const int most = hasCommas ? std::numeric_limits<int>::max() : fewNumbers; // else any number may tell
    int count = 0;
    for (std::optional<Run> run = Run::next(line, 0); run && count < most; run = Run::next(line, run->end), ++count) {
        const bool isPoint = run->writing == Writing::Point
            || (run->writing == Writing::Groups && line.substr(run->begin, run->end - run->begin).find('.') != npos);
        m_hasPointsHere = m_hasPointsHere || isPoint;
        isOfMetric = isOfMetric || (isPoint && run->isOfMetric);
        hasGroups = hasGroups || run->writing == Writing::Groups;
        hasSure = hasSure || (run->isSure && (run->isOfMetric || !hasLetter(line)));
        hasComma = hasComma || (run->writing == Writing::Comma && run->isOfMetric);
    }
    m_usesPoints = m_usesPoints || isOfMetric || hasGroups;
    m_hasCommasHere = !m_hasPointsHere && (hasSure || (hasComma && (m_usesCommas || !m_usesPoints)));
    m_usesCommas = m_usesCommas || m_hasCommasHere;
}

bool CommaNumbers::isDecimal(const Run &run) const
{
    switch (run.writing) {
    case Writing::Comma:
        return !m_hasPointsHere && m_usesCommas;
    case Writing::OneGroup:
    case Writing::PointGroups:
        return !run.isCount && !m_hasPointsHere && (m_hasCommasHere || (m_usesCommas && !m_usesPoints));
    default:
        return false;
    }
}

std::optional<std::string> CommaNumbers::rewritten(std::string_view line, const Run &run) const
{
    std::string text(line.substr(run.begin, run.end - run.begin));
    if (isDecimal(run)) {
        std::erase(text, '.');
        text[text.find(',')] = '.';
        return text;
    }
    const bool isWithPoints = (m_hasPointsHere || m_usesPoints) && !m_usesCommas;
    if (run.writing == Writing::PointGroups && isWithPoints) {
        return text.insert(text.find(',') + 1, 1, ' '); // a number and another one
    }
    if (run.writing == Writing::Groups || (run.writing == Writing::OneGroup && isWithPoints)) {
        std::erase(text, ',');
        return text;
    }
    return {};
}

std::optional<std::string> CommaNumbers::withPoints(std::string_view line)
{
    const bool hasComma = hasBetweenDigits(line, ',');
    if (hasComma || (!m_usesPoints && hasBetweenDigits(line, '.'))) {
        learn(line, hasComma);
    }
    if (!hasComma) {
        return {};
    }
    std::string result;
    std::size_t from = 0;
    for (std::optional<Run> run = Run::next(line, 0); run; run = Run::next(line, run->end)) {
        const std::optional<std::string> text = rewritten(line, *run);
        if (!text) {
            continue;
        }
        // What stands behind it stays where it is: columns may be told by their places.
        const std::size_t begin = signAt(line, run->begin), size = run->end - run->begin;
        result += line.substr(from, begin - from);
        if (text->size() < size && begin > 1 && isBlank(line[begin - 1]) && isBlank(line[begin - 2])) {
            result.append(size - text->size(), ' ');
        }
        result += line.substr(begin, run->begin - begin);
        result += *text;
        from = run->end;
    }
    if (from == 0) {
        return {};
    }
    result += line.substr(from);
    return result;
}

} // namespace trainyard::metrics
