// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metricfiles
{

enum class Format {
    None,
    EventFile, // TensorBoard
    WandbFile,
    Table, // commas, semicolons or tabs
    JsonLines,
    TrainerState, // trainer_state.json of Hugging Face's Trainer
    MlflowMetric, // one file for each series
    SacredMetrics, // metrics.json of Sacred's FileStorageObserver
    JsonResults // one object of numbers, such as all_results.json: what a program ends with
};

// The part of the beginning of a file that recognize() needs.
inline constexpr std::size_t recognizedHead = 64U << 10;

// The kind of a file: by its name if that is sufficient, otherwise by its beginning.
Format recognize(std::string_view path, std::string_view head);

// The same for a file that was only found: tables and JSON lines must look like metrics, and an object of numbers must
// be called results, too, as must the only line of a file that is called JSON and not JSON lines.
Format recognizeFound(std::string_view path, std::string_view head);

// Whether the name alone allows that recognizeFound() finds a format.
bool canBeMetrics(std::string_view path);

} // namespace trainyard::metricfiles
