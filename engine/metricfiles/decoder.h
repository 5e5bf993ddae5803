// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/note.h"
#include "engine/metricfiles/output.h"
#include "engine/metricfiles/source.h"

#include <cstddef>

namespace trainyard::metricfiles
{

// Reads one format. It continues at the position of the source and moves it behind each record that it has read; at
// least one record is read in a call, more while no more than `budget` bytes were read.
class Decoder
{
public:
    virtual ~Decoder() = default;
    virtual State decode(Source &source, Output &output, std::size_t budget) = 0;
    // Such a file is one document: it is read as a whole whenever it has changed.
    virtual bool isDocument() const { return false; }
};

} // namespace trainyard::metricfiles
