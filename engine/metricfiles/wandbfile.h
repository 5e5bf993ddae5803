// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/wandbrecord.h"

#include <string>

namespace trainyard::metricfiles
{

// W&B's local files: a log of LevelDB's form, blocks of 32 KiB with chunks of records, with another checksum.
class WandbFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;

private:
    enum class Chunk { Taken, Wait, Bad, Cut };
    Chunk takeChunk(Source &source, Output &output);
    void take(std::string_view record, std::uint64_t offset, Output &output);

    std::uint64_t m_at = 0; // behind the last chunk; the position of the source is behind the last whole record
    std::string m_record; // its chunks so far
    bool m_isInside = false, m_isTooLong = false;
    WandbRecords m_records;
};

bool beginsAsWandbFile(std::string_view bytes);

} // namespace trainyard::metricfiles
