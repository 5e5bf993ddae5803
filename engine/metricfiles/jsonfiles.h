// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/lines.h"
#include "engine/metricfiles/row.h"

namespace trainyard::metricfiles
{

// A JSON object on each line.
class JsonLinesFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;

private:
    Lines m_lines{false};
    Row m_row;
    std::uint64_t m_rows = 0;
};

// trainer_state.json of Hugging Face's Trainer: one object, in which log_history has all that was logged so far.
class TrainerStateFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;
    bool isDocument() const override { return true; }

private:
    bool m_wasGiven = false;
};

// One object whose numbers are the final results of a program: all_results.json of Hugging Face's Trainer, metrics.json
// and similar files. It is read again whenever it was written.
class JsonResultsFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;
    bool isDocument() const override { return true; }

private:
    bool m_wasGiven = false;
};

// Whether this is one whole object most of whose values are numbers, or objects of numbers, and none of them a list: a
// list of values is not a result, and belongs to a configuration.
bool isJsonResults(std::string_view text);

// The kind of the first line of a file, read as JSON.
enum class JsonLine {
    None, // not an object
    Object,
    Row // an object with a counter and another number
};
JsonLine jsonLine(std::string_view line);

} // namespace trainyard::metricfiles
