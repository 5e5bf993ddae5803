// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/wandbrecord.h"

#include "engine/metricfiles/json.h"
#include "engine/metricfiles/protobuf.h"
#include "engine/metricfiles/values.h"

#include <string>

namespace trainyard::metricfiles
{

namespace
{

using Wire = Fields::Wire;

// Numbers of fields in wandb_internal.proto.
namespace wandb
{
constexpr std::uint32_t history = 2, config = 5, stats = 7, run = 17, exit = 18; // Record
constexpr std::uint32_t historyItem = 1, historyStep = 2; // HistoryRecord
constexpr std::uint32_t stepNumber = 1; // HistoryStep
constexpr std::uint32_t key = 1, nestedKey = 2, json = 16; // HistoryItem, ConfigItem, StatsItem
constexpr std::uint32_t statsTime = 2, statsItem = 3; // StatsRecord
constexpr std::uint32_t seconds = 1, nanoseconds = 2; // Timestamp
constexpr std::uint32_t update = 1; // ConfigRecord
constexpr std::uint32_t id = 1, project = 3, runConfig = 4, group = 6, name = 8, tag = 10; // RunRecord
constexpr std::uint32_t exitCode = 1; // RunExitRecord
} // namespace wandb

struct Item {
    std::string key;
    std::string_view json;
};

bool readItem(std::string_view message, Item &item)
{
    item.key.clear();
    item.json = {};
    std::string nested;
    Fields fields(message);
    while (fields.next()) {
        if (fields.is(wandb::key, Wire::Bytes)) {
            item.key = fields.bytes;
        } else if (fields.is(wandb::nestedKey, Wire::Bytes)) {
            if (nested.size() + fields.bytes.size() < 4096) {
                nested += (nested.empty() ? "" : ".") + std::string(fields.bytes); // joined as W&B shows it
            }
        } else if (fields.is(wandb::json, Wire::Bytes)) {
            item.json = fields.bytes;
        }
    }
    if (item.key.empty()) {
        item.key = std::move(nested);
    }
    return !fields.isBroken();
}

// A number, or a text that says that it is not finite.
std::optional<double> itemNumber(std::string_view json)
{
    if (json.size() > 2 && json.front() == '"' && json.back() == '"') {
        const std::optional<double> number = numberOf(json.substr(1, json.size() - 2));
        return number && !(*number - *number == 0) ? number : std::nullopt;
    }
    return numberOf(json);
}

} // namespace

bool WandbRecords::history(std::string_view message, std::uint64_t offset, Output &output)
{
    m_row.clear();
    bool hasStep = false;
    std::optional<double> step;
    Item item;
    Fields fields(message);
    while (fields.next()) {
        if (fields.is(wandb::historyStep, Wire::Bytes)) {
            Fields parts(fields.bytes);
            while (parts.next()) {
                if (parts.is(wandb::stepNumber, Wire::Varint)) {
                    step = static_cast<double>(parts.asSigned());
                }
            }
        } else if (fields.is(wandb::historyItem, Wire::Bytes)) {
            if (!readItem(fields.bytes, item)) {
                return false;
            }
            hasStep = hasStep || item.key == "_step";
            const bool isInner = item.key.starts_with('_') && item.key != "_step" && item.key != "_timestamp";
            if (const std::optional<double> number = isInner ? std::nullopt : itemNumber(item.json)) {
                m_row.add(item.key, *number);
            }
        }
    }
    if (!hasStep && !m_row.isEmpty()) {
        m_row.add("_step", step.value_or(static_cast<double>(m_rows)));
    }
    ++m_rows;
    m_row.give(m_rows, offset, output);
    return !fields.isBroken();
}

bool WandbRecords::stats(std::string_view message, std::uint64_t offset, Output &output)
{
    Point point;
    point.axis = Axis::Time;
    Fields fields(message);
    while (fields.next()) {
        if (!fields.is(wandb::statsTime, Wire::Bytes)) {
            continue;
        }
        Fields parts(fields.bytes);
        double at = 0;
        while (parts.next()) {
            if (parts.is(wandb::seconds, Wire::Varint)) {
                at += static_cast<double>(parts.asSigned());
            } else if (parts.is(wandb::nanoseconds, Wire::Varint)) {
                at += static_cast<double>(static_cast<std::int32_t>(parts.asSigned())) * 1e-9;
            }
        }
        point.x = at;
        point.time = timeOfSeconds(at);
    }
    if (fields.isBroken()) {
        return false;
    }
    Item item;
    for (Fields items(message); items.next();) {
        if (!items.is(wandb::statsItem, Wire::Bytes)) {
            continue;
        }
        if (!readItem(items.bytes, item)) {
            return false;
        }
        const std::optional<double> number = itemNumber(item.json);
        const std::optional<std::uint32_t> series
            = number ? output.series("system/" + item.key, offset, SeriesKind::Machine) : std::nullopt;
        if (series) {
            point.series = *series;
            point.value = *number;
            output.point(point);
        }
    }
    return true;
}

bool WandbRecords::config(std::string_view message, Output &output)
{
    Item item;
    Fields fields(message);
    while (fields.next()) {
        if (fields.is(wandb::update, Wire::Bytes)) {
            if (!readItem(fields.bytes, item)) {
                return false;
            }
            if (!item.key.starts_with('_')) { // W&B's own
                output.fact("config/" + item.key, item.json);
            }
        }
    }
    return !fields.isBroken();
}

bool WandbRecords::run(std::string_view message, Output &output)
{
    Fields fields(message);
    while (fields.next()) {
        if (fields.wire != Wire::Bytes) {
            continue;
        }
        switch (fields.number) {
        case wandb::id:
            output.fact("id", fields.bytes);
            break;
        case wandb::project:
            output.fact("project", fields.bytes);
            break;
        case wandb::runConfig:
            if (!config(fields.bytes, output)) {
                return false;
            }
            break;
        case wandb::group:
            output.fact("group", fields.bytes);
            break;
        case wandb::name:
            output.fact("name", fields.bytes);
            break;
        case wandb::tag:
            output.fact("tag/" + std::string(fields.bytes.substr(0, 200)), "true");
            break;
        default:
            break;
        }
    }
    return !fields.isBroken();
}

bool WandbRecords::read(std::string_view record, std::uint64_t offset, Output &output)
{
    Fields fields(record);
    while (fields.next()) {
        if (fields.wire != Wire::Bytes) {
            continue;
        }
        bool isRight = true;
        switch (fields.number) {
        case wandb::history:
            isRight = history(fields.bytes, offset, output);
            break;
        case wandb::config:
            isRight = config(fields.bytes, output);
            break;
        case wandb::stats:
            isRight = stats(fields.bytes, offset, output);
            break;
        case wandb::run:
            isRight = run(fields.bytes, output);
            break;
        case wandb::exit: {
            std::int32_t code = 0; // protobuf leaves zeros out
            Fields parts(fields.bytes);
            while (parts.next()) {
                if (parts.is(wandb::exitCode, Wire::Varint)) {
                    code = static_cast<std::int32_t>(parts.asSigned());
                }
            }
            output.fact("exit-code", std::to_string(code));
            isRight = !parts.isBroken();
            break;
        }
        default:
            break;
        }
        if (!isRight) {
            return false;
        }
    }
    return !fields.isBroken();
}

} // namespace trainyard::metricfiles
