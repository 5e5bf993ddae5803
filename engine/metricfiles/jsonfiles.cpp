// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/jsonfiles.h"

#include "engine/metricfiles/json.h"
#include "engine/metricfiles/jsondocument.h"
#include "engine/metrics/settingslist.h"

#include <optional>
#include <string>

namespace trainyard::metricfiles
{

namespace
{

using Token = JsonScanner::Token;

// "config/lr": how a program was set up, which some say again in each row
bool isOfSettings(std::string_view name)
{
    constexpr std::size_t longest = 16;
    const std::size_t end = name.find('/');
    return end <= longest && metrics::isKeyOfSettings(name.substr(0, end));
}

// The numbers of a text that is one object and nothing else.
Token readObject(std::string_view text, Row &row)
{
    row.clear();
    JsonScanner scanner(text);
    const Token first = scanner.next();
    if (first != Token::ObjectBegin) {
        return first == Token::Cut ? first : Token::Broken;
    }
    const Token token = forEachNumber(scanner, [&row](std::string_view name, double value) {
        if (!isOfSettings(name)) {
            row.add(name, value);
        }
    });
    return token != Token::ObjectEnd ? token : scanner.next() == Token::End ? Token::End : Token::Broken;
}

constexpr std::string_view historyKey = "log_history";

// Calls `take` before each entry of the history, and `fact` for each number beside it.
template <typename Take, typename Fact> Token readState(std::string_view text, Take take, Fact fact)
{
    JsonScanner scanner(text);
    if (const Token first = scanner.next(); first != Token::ObjectBegin) {
        return first == Token::Cut ? first : Token::Broken;
    }
    for (;;) {
        Token token = scanner.next();
        if (token == Token::ObjectEnd) {
            return scanner.next() == Token::End ? Token::End : Token::Broken;
        }
        if (token != Token::Key) {
            return token == Token::Cut ? token : Token::Broken;
        }
        const std::string_view key = scanner.raw();
        token = scanner.next();
        if (key == historyKey && token == Token::ArrayBegin) {
            for (token = scanner.next(); token != Token::ArrayEnd; token = scanner.next()) {
                token = token == Token::ObjectBegin ? take(scanner) : scanner.skip(token);
                if (token == Token::Cut || token == Token::Broken) {
                    return token;
                }
            }
            continue;
        }
        if (token == Token::Number || token == Token::Text) {
            fact(key, scanner.raw());
        }
        token = scanner.skip(token);
        if (token == Token::Cut || token == Token::Broken) {
            return token;
        }
    }
}

} // namespace

JsonLine jsonLine(std::string_view line)
{
    Row row;
    int counters = 0, others = 0;
    JsonScanner scanner(line);
    if (scanner.next() != Token::ObjectBegin
        || forEachNumber(scanner, [&](std::string_view name, double) { ++(counterName(name) ? counters : others); })
            != Token::ObjectEnd
        || scanner.next() != Token::End) {
        return JsonLine::None;
    }
    return counters > 0 && others > 0 ? JsonLine::Row : JsonLine::Object;
}

bool isJsonResults(std::string_view text)
{
    int values = 0, numbers = 0;
    JsonScanner scanner(text);
    if (scanner.next() != Token::ObjectBegin) {
        return false;
    }
    for (;;) {
        const Token token = scanner.next();
        if (token == Token::ObjectEnd) {
            if (scanner.depth() == 0) {
                return scanner.next() == Token::End && numbers > 0 && numbers * 2 >= values;
            }
            continue;
        }
        if (token != Token::Key) {
            return false; // it is broken, or goes on where this ends
        }
        const bool isMetric = !counterName(scanner.raw()) && !isTimeName(scanner.raw());
        const Token value = scanner.next();
        if (value == Token::ObjectBegin) {
            continue;
        }
        if (value != Token::Number && value != Token::Text && value != Token::Other) {
            return false;
        }
        values += isMetric ? 1 : 0; // a step and a time say nothing of the others
        numbers += isMetric && value == Token::Number ? 1 : 0;
    }
}

State JsonLinesFile::decode(Source &source, Output &output, std::size_t budget)
{
    const std::uint64_t readBefore = source.bytesRead();
    do {
        const std::uint64_t at = source.position();
        std::string_view line;
        const Lines::Found found = m_lines.next(source, output, line);
        if (found == Lines::Found::Skipped) {
            continue;
        }
        if (found == Lines::Found::End) {
            return State::UpToDate;
        }
        const Token read = readObject(line, m_row);
        if (found == Lines::Found::Cut) {
            if (read != Token::End) { // an object says itself where it ends
                output.note(note::cut, at);
                return State::Waiting;
            }
            source.moveTo(at + line.size());
        }
        if (read == Token::End) {
            ++m_rows;
            m_row.give(m_rows, at, output);
        } else if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            output.note(note::badRecord, at);
        }
    } while (source.bytesRead() - readBefore < budget);
    return State::More;
}

// It is read twice: what is still being written gives nothing, and does not take away what was there before.
State TrainerStateFile::decode(Source &source, Output &output, std::size_t /*budget*/)
{
    const std::optional<std::string_view> document = documentOf(source, output);
    const std::string_view text = document.value_or("");
    if (text.empty()) {
        return document ? State::UpToDate : State::Damaged;
    }
    const auto pass = [](JsonScanner &scanner) { return scanner.skip(Token::ObjectBegin); };
    const Token checked = readState(text, pass, [](std::string_view, std::string_view) {});
    if (checked != Token::End) {
        return unreadable(checked, text.size(), output);
    }
    if (m_wasGiven) {
        output.startOver();
    }
    m_wasGiven = true;
    Row row;
    std::uint64_t rows = 0;
    readState(
        text,
        [&](JsonScanner &scanner) {
            row.clear();
            const Token end
                = forEachNumber(scanner, [&row](std::string_view name, double value) { row.add(name, value); });
            row.give(++rows, 0, output);
            return end;
        },
        [&](std::string_view key, std::string_view value) { output.fact(key, value); });
    source.moveTo(text.size());
    source.forgetBuffer();
    return State::UpToDate;
}

State JsonResultsFile::decode(Source &source, Output &output, std::size_t /*budget*/)
{
    const std::optional<std::string_view> document = documentOf(source, output);
    const std::string_view text = document.value_or("");
    if (text.empty()) {
        return document ? State::UpToDate : State::Damaged;
    }
    Row row;
    if (const Token read = readObject(text, row); read != Token::End) {
        return unreadable(read, text.size(), output);
    }
    if (m_wasGiven) {
        output.startOver();
    }
    m_wasGiven = true;
    row.give(1, 0, output);
    source.moveTo(text.size());
    source.forgetBuffer();
    return State::UpToDate;
}

} // namespace trainyard::metricfiles
