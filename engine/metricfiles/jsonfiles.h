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

// What the first line of a file is, read as JSON.
enum class JsonLine {
    None, // no object
    Object,
    Row // an object with something that counts and a number besides
};
JsonLine jsonLine(std::string_view line);

} // namespace trainyard::metricfiles
