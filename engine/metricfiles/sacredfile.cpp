// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/sacredfile.h"

#include "engine/metricfiles/format.h"
#include "engine/metricfiles/json.h"
#include "engine/metricfiles/jsondocument.h"
#include "engine/metricfiles/values.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::metricfiles
{

namespace
{

using Token = JsonScanner::Token;

struct SacredMetric {
    std::vector<std::optional<double>> steps, values;
    std::vector<std::optional<std::int64_t>> times;
};

bool isOver(Token token) { return token == Token::Cut || token == Token::Broken; }

// A list whose ArrayBegin was read. A number of NumPy is an object that has it as its "value".
template <typename Take> Token readList(JsonScanner &scanner, Take take)
{
    for (Token token = scanner.next(); token != Token::ArrayEnd; token = scanner.next()) {
        std::optional<double> number;
        double value = 0;
        if (isOver(token)) {
            return token;
        }
        if (jsonNumber(token, scanner, value)) {
            number = value;
        }
        const std::string text = token == Token::Text ? scanner.text() : std::string();
        if (token == Token::ObjectBegin) {
            token = forEachNumber(scanner, [&number](std::string_view name, double each) {
                if (name == "value") {
                    number = each;
                }
            });
        } else {
            token = scanner.skip(token);
        }
        if (isOver(token)) {
            return token;
        }
        take(number, text);
    }
    return Token::ArrayEnd;
}

// A metric whose ObjectBegin was read.
Token readMetric(JsonScanner &scanner, SacredMetric &metric)
{
    for (Token token = scanner.next(); token != Token::ObjectEnd; token = scanner.next()) {
        if (token != Token::Key) {
            return token == Token::Cut ? token : Token::Broken;
        }
        const std::string_view key = scanner.raw();
        token = scanner.next();
        if (token != Token::ArrayBegin) {
            token = scanner.skip(token);
        } else if (key == "timestamps") {
            token = readList(scanner, [&metric](const std::optional<double> &, const std::string &text) {
                metric.times.push_back(timeOfIso(text));
            });
        } else if (key == "steps" || key == "values") {
            auto &list = key == "steps" ? metric.steps : metric.values;
            token = readList(
                scanner, [&list](const std::optional<double> &number, const std::string &) { list.push_back(number); });
        } else {
            token = scanner.skip(token);
        }
        if (isOver(token)) {
            return token;
        }
    }
    return Token::ObjectEnd;
}

// Calls `take(name, metric)` for each metric of the document.
template <typename Take> Token readMetrics(std::string_view text, Take take)
{
    JsonScanner scanner(text);
    if (const Token first = scanner.next(); first != Token::ObjectBegin) {
        return first == Token::Cut ? first : Token::Broken;
    }
    for (Token token = scanner.next(); token != Token::ObjectEnd; token = scanner.next()) {
        if (token != Token::Key) {
            return token == Token::Cut ? token : Token::Broken;
        }
        const std::string name = scanner.text();
        token = scanner.next();
        SacredMetric metric;
        const bool isMetric = token == Token::ObjectBegin;
        token = isMetric ? readMetric(scanner, metric) : scanner.skip(token);
        if (isOver(token)) {
            return token;
        }
        if (isMetric) {
            take(name, metric);
        }
    }
    return scanner.next() == Token::End ? Token::End : Token::Broken;
}

void giveMetric(std::string_view name, const SacredMetric &metric, Output &output)
{
    const bool hasSteps = metric.steps.size() >= metric.values.size()
        && std::all_of(metric.steps.begin(), metric.steps.end(), [](const auto &step) { return step.has_value(); });
    const std::optional<std::uint32_t> series
        = metric.values.empty() ? std::optional<std::uint32_t>() : output.series(name, 0);
    for (std::size_t i = 0; series && i < metric.values.size(); ++i) {
        if (!metric.values[i]) {
            continue;
        }
        Point point;
        point.series = *series;
        point.axis = hasSteps ? Axis::Step : Axis::Row;
        point.x = hasSteps ? *metric.steps[i] : static_cast<double>(i + 1);
        point.time = i < metric.times.size() ? metric.times[i] : std::optional<std::int64_t>();
        point.value = *metric.values[i];
        output.point(point);
    }
}

} // namespace

// The keys are sorted.
bool beginsAsSacredFile(std::string_view head)
{
    JsonScanner scanner(head);
    return scanner.next() == Token::ObjectBegin && scanner.next() == Token::Key && scanner.next() == Token::ObjectBegin
        && scanner.next() == Token::Key && scanner.raw() == "steps" && scanner.next() == Token::ArrayBegin
        && (head.find("\"timestamps\"") != std::string_view::npos || head.size() >= recognizedHead);
}

// It is read twice, like any document: what is still being written gives nothing, and takes nothing away.
State SacredFile::decode(Source &source, Output &output, std::size_t /*budget*/)
{
    const std::optional<std::string_view> document = documentOf(source, output);
    const std::string_view text = document.value_or("");
    if (text.empty()) {
        return document ? State::UpToDate : State::Damaged;
    }
    const Token checked = readMetrics(text, [](std::string_view, const SacredMetric &) {});
    if (checked != Token::End) {
        return unreadable(checked, text.size(), output);
    }
    if (m_wasGiven) {
        output.startOver();
    }
    m_wasGiven = true;
    readMetrics(
        text, [&output](std::string_view name, const SacredMetric &metric) { giveMetric(name, metric, output); });
    source.moveTo(text.size());
    source.forgetBuffer();
    return State::UpToDate;
}

} // namespace trainyard::metricfiles
