// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/format.h"

#include "engine/metricfiles/eventfile.h"
#include "engine/metricfiles/jsonfiles.h"
#include "engine/metricfiles/mlflowfile.h"
#include "engine/metricfiles/ownexport.h"
#include "engine/metricfiles/sacredfile.h"
#include "engine/metricfiles/table.h"
#include "engine/metricfiles/wandbfile.h"
#include "engine/metrics/words.h"

#include <array>
#include <string>

namespace trainyard::metricfiles
{

namespace
{

std::string_view baseName(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view firstLine(std::string_view head)
{
    std::string_view line = head.substr(0, head.find('\n'));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// A checkpoint or a state may be one object with a step as well: only what follows says that these are lines. One that
// is being written is not an object yet.
bool hasSecondObject(std::string_view head)
{
    for (std::size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
        const std::string_view line = firstLine(head.substr(at + 1));
        if (line.find_first_not_of(" \t") != std::string_view::npos) {
            return jsonLine(line) != JsonLine::None;
        }
    }
    return false;
}

// These need no look at what is in them.
Format formatOfName(std::string_view base)
{
    if (base.find("tfevents") != std::string_view::npos) {
        return Format::EventFile;
    }
    if (base.ends_with(".wandb")) {
        return Format::WandbFile;
    }
    return base == "trainer_state.json" ? Format::TrainerState : Format::None;
}

bool isTableName(std::string_view base)
{
    return base.ends_with(".csv") || base.ends_with(".tsv") || base == "progress.txt";
}

// "log.txt": a line for each epoch, as many programs for research write it
bool isJsonName(std::string_view base)
{
    return base == "log.txt" || base.ends_with(".jsonl") || base.ends_with(".ndjson") || base.ends_with(".json");
}

// An object of numbers may be a configuration as well, so its name has to say what it is.
bool isResultsName(std::string_view base)
{
    const std::string lower = metrics::lowered(base);
    const auto has = [&lower](const char *word) { return lower.find(word) != std::string::npos; };
    return lower.ends_with(".json") && (has("result") || has("metric") || has("score") || has("summary"))
        && !has("config") && !has("args") && !has("param");
}

bool isMlflowPath(std::string_view path) { return path.find("/metrics/") != std::string_view::npos; }

// Names that the loggers of well-known libraries give.
constexpr std::array<std::string_view, 7> knownTables{
    "metrics.csv", "results.csv", "progress.csv", "progress.txt", "history.csv", "training.csv", "log.csv"};

} // namespace

Format recognize(std::string_view path, std::string_view head)
{
    const std::string_view base = baseName(path);
    if (const Format format = formatOfName(base); format != Format::None) {
        return format;
    }
    if (beginsAsEventFile(head)) {
        return Format::EventFile;
    }
    if (beginsAsWandbFile(head)) {
        return Format::WandbFile;
    }
    if (isTableName(base)) {
        return Format::Table;
    }
    if (base.ends_with(".jsonl") || base.ends_with(".ndjson")) {
        return Format::JsonLines;
    }
    const std::string_view line = firstLine(head);
    if (isMlflowPath(path) && isMlflowLine(line)) {
        return Format::MlflowMetric;
    }
    if (beginsAsSacredFile(head)) {
        return Format::SacredMetrics;
    }
    if (jsonLine(line) != JsonLine::None) {
        return Format::JsonLines;
    }
    const std::size_t history = head.starts_with('{') ? head.find("\"log_history\"") : std::string_view::npos;
    if (history != std::string_view::npos) {
        return Format::TrainerState;
    }
    if (isJsonResults(head)) {
        return Format::JsonResults;
    }
    const TableHead table = tableHead(head);
    return table.kind == TableHead::Kind::Table && table.names.size() > 1 && table.hasNumbers ? Format::Table
                                                                                              : Format::None;
}

bool canBeMetrics(std::string_view path)
{
    const std::string_view base = baseName(path);
    return formatOfName(base) != Format::None || isTableName(base) || isJsonName(base) || isMlflowPath(path);
}

Format recognizeFound(std::string_view path, std::string_view head)
{
    const std::string_view base = baseName(path);
    if (const Format format = formatOfName(base); format != Format::None) {
        return format;
    }
    if (isOwnExport(head)) {
        return Format::None;
    }
    const std::string_view line = firstLine(head);
    if (isTableName(base)) {
        const TableHead table = tableHead(head);
        bool isKnown = table.hasCounter;
        for (const std::string_view known : knownTables) {
            isKnown = isKnown || base == known;
        }
        return table.kind == TableHead::Kind::Table && isKnown && table.hasNumbers ? Format::Table : Format::None;
    }
    if (base == "metrics.json" && beginsAsSacredFile(head)) {
        return Format::SacredMetrics;
    }
    if (isJsonName(base)) {
        const bool saysLines = !(base.ends_with(".json") || base == "log.txt") || isResultsName(base);
        const bool isLines = jsonLine(line) == JsonLine::Row && (saysLines || hasSecondObject(head));
        return isLines                                   ? Format::JsonLines
            : isResultsName(base) && isJsonResults(head) ? Format::JsonResults
                                                         : Format::None;
    }
    return isMlflowPath(path) && isMlflowLine(line) ? Format::MlflowMetric : Format::None;
}

} // namespace trainyard::metricfiles
