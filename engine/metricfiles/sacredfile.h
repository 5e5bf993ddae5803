// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"

#include <string_view>

namespace trainyard::metricfiles
{

// metrics.json of Sacred's FileStorageObserver: one object, in which each metric has the lists "steps", "timestamps"
// and "values". Its program writes it anew each time.
class SacredFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;
    bool isDocument() const override { return true; }

private:
    bool m_wasGiven = false;
};

// Whether a text begins as such a file does.
bool beginsAsSacredFile(std::string_view head);

} // namespace trainyard::metricfiles
