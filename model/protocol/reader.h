// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/fields.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// Reads a parsed text as a job, liberally: it uses what was meant, and reports what is wrong or not portable. Returns
// nothing when the text is not a job at all. Fields are read by their entries in the field reference (fieldwalk.h); the
// tables of the reader_*.cpp name the members that they fill, and the rules that no entry can say.
class JobReader
{
public:
    explicit JobReader(Findings &findings) : m_findings(findings), m_fields(findings) { }
    std::optional<JobSpec> read();
    // The aliases of the text expand to too much: not all of it was read, and only this is reported.
    bool tooComplex() const { return m_fields.exhausted(); }

    // For the rules:
    Findings &findings() { return m_findings; }
    Fields &fields() { return m_fields; }
    ValueReader &values() { return m_fields.values(); }
    const JobSpec &job() const { return m_job; } // as far as it has been read

private:
    bool looksLikeOldFormat(const Place &root);

    Findings &m_findings;
    Fields m_fields;
    JobSpec m_job;
};

} // namespace trainyard
