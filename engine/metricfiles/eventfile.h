// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/event.h"

namespace trainyard::metricfiles
{

// TensorBoard's event files: records of a length, its checksum, the data and their checksum.
class EventFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;

private:
    bool takeLarge(Source &source, Output &output, std::uint64_t begin, std::uint64_t length);

    EventReader m_events;
};

// Whether the bytes begin as such a file does.
bool beginsAsEventFile(std::string_view bytes);

} // namespace trainyard::metricfiles
