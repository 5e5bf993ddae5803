// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/metrics/steptrack.h"
#include "engine/results/earliertries.h"
#include "engine/results/outputreading.h"
#include "engine/results/outputresults.h"
#include "engine/series/reader.h"

#include <QElapsedTimer>
#include <QString>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard
{

// What one try says, read piece by piece: what it prints, what the tries before it have printed, its files of metrics,
// and its health by these and by what it uses of its host. For one thread.
class WatchedOutput
{
public:
    static constexpr int lookEveryMs = 1000; // at its files, also where it is followed more closely

    WatchedOutput(const QString &folder, const OutputRules &rules);

    // What is so after one piece.
    struct Piece {
        bool hasMore = false; // to be read at once
        bool hasSaid = false; // it has printed something
        bool isFollowed = false; // a client shows it, and it goes on
        bool isOver = false; // nothing more comes
    };
    Piece readPiece(bool isFollowed);
    bool hasMore() const { return m_hasMore; } // of what it prints, at once
    bool hasNews() const { return m_hasNews; } // since takeReading()
    OutputReading takeReading(const Piece &piece); // the last one
    bool hasAdvanced() const { return m_hasAdvanced; } // since it was told how far it is
    const ProgressRate &takeProgress();
    void pause() { m_log.pause(); } // it is not read for a while

private:
    bool readLog();
    bool readEarlier();
    void readFiles();
    void examine(bool isOver);
    OutputResults printedResults() const;
    bool isCurveOfFile(const std::string &name, bool counts) const;

    QString m_folder;
    LogMetrics m_log;
    FileMetrics m_files;
    series::Reader m_figures;
    std::vector<series::Reader::Place> m_places; // in the figures, by their ids
    health::TryHealth m_health;
    std::vector<health::Finding> m_findings;
    QElapsedTimer m_sinceHealth;
    metrics::StepTrack m_track; // of what it prints
    std::optional<EarlierTries> m_earlier; // until they are in the results
    OutputResults m_ofEarlier; // until then
    OutputResults m_results, m_ofFiles;
    std::set<std::string> m_inFiles; // names of metrics
    metrics::Progress m_known;
    ProgressRate m_progress;
    bool m_hasNews = true, m_isCaughtUp = false;
    bool m_hasMore = false;
    bool m_hasAdvanced = false;
    QElapsedTimer m_sinceFiles;
};

} // namespace trainyard
