// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglines.h"

#include <QStringList>

#include <atomic>
#include <optional>

namespace trainyard
{

// Lines of a log that show why its task failed.
struct LogEvidence {
    qint64 firstLine = 0; // from 0
    QStringList lines; // none: they are not known
    std::optional<qint64> root; // the line that says why; nothing: these are the last ones
    bool isWhole = false; // nothing more will be written
    friend bool operator==(const LogEvidence &, const LogEvidence &) = default;
};

// Finds in a log of any size the lines around the one that a finding names or, where there is no finding, the last
// ones. It reads the log independently, block by block, and stores only where its lines begin. One thread
// at a time.
class EvidenceReader
{
public:
    struct Wanted {
        qint64 line = -1; // that the finding names, from 0; below 0: there is no finding
        QString text; // what the line says, if it is the one
        qint64 lines = 4; // in all
        friend bool operator==(const Wanted &, const Wanted &) = default;
    };
    EvidenceReader(const LogSourceFactory &log, const Wanted &wanted) : m_log(log), m_wanted(wanted) { }

    // Reads what has arrived since the last call. The named line may not have arrived yet: then there are no lines.
    LogEvidence read();
    void cancel() { m_isCancelled = true; } // from any thread: read() returns soon, with no lines

private:
    bool readAll(); // true: nothing more will be written
    std::optional<qint64> root();
    const LogSourceFactory m_log;
    const Wanted m_wanted;
    std::atomic_bool m_isCancelled = false;
    LogLines m_lines;
    LogIndex m_index;
    quint64 m_restarts = 0;
};

} // namespace trainyard
