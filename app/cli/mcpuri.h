// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard::cli::mcp
{

// The address of a resource that an assistant may read and subscribe to: trainyard://job/41/log/worker/0. Each has one
// spelling: no percent-encoding, no fragment, no capitals in the scheme, no number with a zero in front. A value.
struct ResourceUri {
    static constexpr qsizetype longest = 400; // characters of an address

    enum class Kind { Jobs, Job, Yaml, Why, Log, Metrics };
    Kind kind = Kind::Jobs;
    QString job = {}; // its number or the beginning of its UUID; never its name
    QString role = {}; // of the task; empty: all tasks, or the most informative one
    int index = -1;
    std::optional<qint64> from = {}; // the first row, from 0, or the first line, from 1

    static QString word(Kind kind); // by which an address has it: "jobs", "job", "yaml", ...
    QString text() const; // reads as itself again
    QString task() const; // "worker/0", or empty
    ResourceUri whole() const; // without its page: what changes

    // Nothing if it is none of the above.
    static std::optional<ResourceUri> parse(const QString &text);

    friend bool operator==(const ResourceUri &, const ResourceUri &) = default;
};

} // namespace trainyard::cli::mcp
