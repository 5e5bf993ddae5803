// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/prefix.h"

#include "engine/metrics/lineowner.h"
#include "engine/metrics/loggerparts.h"
#include "engine/metrics/names.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

std::size_t pastJoints(std::string_view text, std::size_t i)
{
    for (;;) {
        i = skipBlanks(text, i);
        const char c = at(text, i);
        if ((c == '-' || c == '|' || c == ':' || c == '>' || c == ']') && !isDigit(at(text, i + 1))
            && at(text, i + 1) != '.') {
            ++i;
        } else {
            return i;
        }
    }
}

bool isIdentifier(std::string_view text)
{
    for (const char c : text) {
        if (!isWord(c) && c != '.' && c != '-' && c != ':' && c != '/' && c != '\\') {
            return false;
        }
    }
    return !text.empty();
}

// "loss:0.5", "epoch:3", "val_loss": no place in the source
bool isNamedValue(std::string_view text)
{
    if (text.find(':') != text.rfind(':')) {
        return false; // "package.loss:forward:12"
    }
    const std::string_view name = text.substr(0, text.find(':'));
    const NameKind kind = kindOf(name);
    return kind == NameKind::Metric || kind == NameKind::Faint || (name.size() < text.size() && stepName(name));
}

// What rich puts at the right edge: the place in the source, "trainer.py:604".
std::string_view withoutSource(std::string_view line)
{
    constexpr std::size_t longest = 60;
    if (line.empty() || !isDigit(line.back())) {
        return line;
    }
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank < 1 || line[blank - 1] != ' ' || line.size() - blank > longest) {
        return line;
    }
    const std::string_view last = line.substr(blank + 1);
    const std::size_t colon = last.rfind(':');
    const bool isPlace = colon != std::string_view::npos && last.substr(0, colon).ends_with(".py")
        && last.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
    if (!isPlace) {
        return line;
    }
    line = line.substr(0, blank);
    while (!line.empty() && isBlank(line.back())) {
        line.remove_suffix(1);
    }
    return line;
}

class Stripper
{
public:
    explicit Stripper(std::string_view line) : m_rest(line) { }
    std::string_view strip()
    {
        for (int i = 0; i < 10; ++i) {
            m_rest.remove_prefix(skipBlanks(m_rest, 0));
            if (m_rest.empty() || !one()) {
                break;
            }
        }
        return m_rest;
    }

private:
    bool drop(std::size_t size)
    {
        m_rest.remove_prefix(pastJoints(m_rest, size));
        return true;
    }

    bool one()
    {
        const char c = m_rest.front();
        if (c == '[') {
            return bracket();
        }
        if (c == '(') {
            return parenthesis();
        }
        if (const std::size_t blank = m_rest.find(' '); c == '@' && m_seen && isLetter(at(m_rest, 1)) && blank < 24) {
            return drop(blank); // "INFO: @tracker [0]"
        }
        if (m_rest.starts_with("#> ")) { // what knitr puts before an output
            return drop(3);
        }
        if (isDigit(c)) {
            return digits();
        }
        if (m_seen && (m_rest.starts_with("AM ") || m_rest.starts_with("PM "))) { // "03/07 02:15:10 PM"
            return drop(2);
        }
        if (isLetter(c)) {
            return word();
        }
        return false;
    }

    bool bracket()
    {
        const std::size_t close = m_rest.find(']');
        if (close == std::string_view::npos || close > 200) {
            return false;
        }
        const std::string_view inside = trimmed(m_rest.substr(1, close - 1));
        const std::string_view behind = m_rest.substr(close + 1);
        if (behind.starts_with("<std")) { // "[1,0]<stdout>:"
            const std::size_t colon = behind.find(':');
            if (colon != std::string_view::npos && colon < 24) {
                return drop(close + 1 + colon + 1);
            }
        }
        if (inside.empty()) {
            return false;
        }
        if (inside == "1" && behind.starts_with(" \"") && behind.size() > 3 && behind.back() == '"') {
            m_rest.remove_suffix(1); // R prints a string: [1] "epoch 3 loss: 0.5"
            m_rest.remove_prefix(close + 3);
            return true;
        }
        const std::string lower = lowered(inside.substr(0, 9));
        for (const std::string_view rank : {"rank"sv, "default"sv, "worker"sv, "gpu"sv, "proc"sv}) {
            if (lower.starts_with(rank) && inside.find_first_of(",=:") == std::string_view::npos
                && (isDigit(inside.back()) || behind.starts_with(":"))) {
                return drop(close + (behind.starts_with(":") ? 2 : 1)); // "[rank0]:2024-05-01 10:00:00"
            }
        }
        // "[12/23 19:36:46]", "[2024-01-01 10:00:00,123 INFO]", "[21:45:53.33]"
        if (stampAt(inside) > 0 || (shortDateAt(inside) > 0 && !looksLikeBar(inside))) {
            m_seen = true;
            return drop(close + 1);
        }
        for (const std::string_view name : calendar) {
            if (inside.starts_with(name) && inside.find(':') != std::string_view::npos) {
                m_seen = true;
                return drop(close + 1);
            }
        }
        // "[INFO]", "[INFO|trainer.py:12]", "[NeMo I 2024-01-01 ... file:123]"
        if (levelAt(inside) > 0 || inside.starts_with("NeMo ")) {
            m_seen = true;
            return drop(close + 1);
        }
        if (namesSource(inside) || (m_seen && namesLine(inside))
            || (m_seen && isIdentifier(inside) && !isDigit(inside.front()) && !stepName(inside)
                && inside.find_first_of("0123456789") == std::string_view::npos)) {
            return drop(close + 1);
        }
        return false;
    }

    bool parenthesis()
    {
        const std::size_t close = m_rest.find(')');
        if (close == std::string_view::npos || close > 120) {
            return false;
        }
        const std::string_view inside = m_rest.substr(1, close - 1);
        const std::string lower = lowered(inside.substr(0, 12));
        if (inside.find("pid=") != std::string_view::npos || lower.starts_with("rank") || stampAt(inside) > 0
            || (m_seen && namesSource(inside))) {
            return drop(close + 1);
        }
        return false;
    }

    bool digits()
    {
        if (const std::size_t stamp = std::max(stampAt(m_rest), shortDateAt(m_rest))) {
            m_seen = true;
            return drop(stamp);
        }
        // The number of a process between the time and the logger: "10:00:00 - 0 - lib.callbacks - INFO - "
        if (m_seen) {
            const std::size_t dash = std::min(m_rest.find_first_not_of("0123456789"), m_rest.size());
            const std::string_view behind = m_rest.substr(dash);
            if (behind.starts_with(" - ")) {
                const std::string_view logger = behind.substr(3, std::min(behind.find(' ', 3), behind.size()) - 3);
                if (isLetter(at(logger, 0)) && isIdentifier(logger) && logger.find('.') != std::string_view::npos
                    && behind.substr(3 + logger.size()).starts_with(" - ")) {
                    return drop(dash + 3 + logger.size());
                }
            }
        }
        // Nanoseconds or a process behind the time, up to the place in the source: "655 solver.cpp:280] ..."
        if (m_seen) {
            std::size_t i = 0;
            while (isDigit(at(m_rest, i))) {
                ++i;
            }
            if (isBlank(at(m_rest, i))) {
                i = skipBlanks(m_rest, i);
                const std::size_t close = m_rest.find(']');
                if (close != std::string_view::npos && close < 120 && close > i
                    && namesSource(m_rest.substr(i, close - i))) {
                    return drop(close + 1);
                }
            }
        }
        return false;
    }

    bool word()
    {
        // glog and absl: "I0224 00:32:03.396482   655 solver.cpp:280] "
        if (std::string_view("IWEFDC").find(m_rest.front()) != std::string_view::npos && isDigit(at(m_rest, 1))) {
            std::size_t i = 1;
            while (isDigit(at(m_rest, i))) {
                ++i;
            }
            if ((i == 5 || i == 9) && at(m_rest, i) == ' ' && stampAt(m_rest.substr(i + 1)) > 0) {
                m_seen = true;
                m_rest.remove_prefix(i + 1);
                return true;
            }
        }
        // TensorFlow behind its time: "I tensorflow/core/gpu_device.cc:1356] "
        if (m_seen && std::string_view("IWEFD").find(m_rest.front()) != std::string_view::npos
            && at(m_rest, 1) == ' ') {
            const std::size_t close = m_rest.find(']');
            if (close != std::string_view::npos && close < 160 && namesSource(m_rest.substr(0, close))) {
                return drop(close + 1);
            }
        }
        if (const std::size_t size = levelWithPlaceAt(m_rest)) {
            m_seen = true;
            return drop(size);
        }
        if (const std::size_t size = levelAt(m_rest)) {
            const char next = at(m_rest, size);
            if (isLower(m_rest.front()) && (!m_seen || skipBlanks(m_rest, size + 1) >= m_rest.size())) {
                return false; // "error rate: 0.3", "info:"
            }
            if (next == ':' && isWord(at(m_rest, size + 1))
                && !isDigit(at(m_rest, size + 1))) { // "INFO:root:", "INFO:tensorflow:"
                std::size_t i = size + 1;
                while (i < m_rest.size() && (isWord(m_rest[i]) || m_rest[i] == '.' || m_rest[i] == '-')) {
                    ++i;
                }
                if (at(m_rest, i) == ':') {
                    m_seen = true;
                    m_rest.remove_prefix(i + 1);
                    return true;
                }
            }
            if (next == ':' || next == ']' || isBlank(next) || next == '|') {
                m_seen = true;
                return drop(size);
            }
            return false;
        }
        // What a node keeps of a container: "2024-03-01T10:11:12.1Z stdout F step 1"
        for (const std::string_view stream : {"stdout "sv, "stderr "sv}) {
            if (m_seen && m_rest.starts_with(stream) && isUpper(at(m_rest, stream.size()))
                && isBlank(at(m_rest, stream.size() + 1))) {
                return drop(stream.size() + 2);
            }
        }
        // "Sun Feb 20 09:49:17 2022", "Nov 23 21:22:01 host python[12]:"
        for (const std::string_view name : calendar) {
            if (m_rest.front() != name.front() || !m_rest.starts_with(name) || !isBlank(at(m_rest, 3))) {
                continue;
            }
            for (std::size_t i = 4; i < 16 && i < m_rest.size(); ++i) {
                if (isDigit(m_rest[i]) && isBlank(m_rest[i - 1])) {
                    if (const std::size_t stamp = stampAt(m_rest.substr(i))) {
                        m_seen = true;
                        m_rest.remove_prefix(i + stamp);
                        const std::size_t bracket = m_rest.find("]: ");
                        if (bracket != std::string_view::npos && bracket < 60) {
                            m_rest.remove_prefix(bracket + 3);
                        }
                        return drop(0);
                    }
                }
            }
        }
        return named();
    }

    // Names of loggers, hosts and containers.
    bool named()
    {
        std::size_t end = 0;
        while (end < m_rest.size() && !isBlank(m_rest[end])) {
            ++end;
        }
        if (const std::size_t owner = ownerAt(m_rest)) {
            return drop(owner);
        }
        const std::string_view first = m_rest.substr(0, end);
        if (end == 0 || end > 120 || end >= m_rest.size()) {
            return false;
        }
        const std::size_t next = skipBlanks(m_rest, end);
        // "rank0:", "Rank 0:", "worker-0: ", "algo-1: "
        const std::string lower = lowered(first);
        const bool host = lower.starts_with("rank") || lower.starts_with("worker") || lower.starts_with("node")
            || lower.starts_with("algo") || lower.starts_with("host") || lower.starts_with("ip-")
            || lower.starts_with("gpu") || lower.starts_with("pod");
        if (host && first.back() == ':' && isDigit(at(first, first.size() - 2))) {
            return drop(end);
        }
        if (host && (lower == "rank" || lower == "worker" || lower == "gpu") && isDigit(at(m_rest, next))) {
            std::size_t i = next;
            while (isDigit(at(m_rest, i))) {
                ++i;
            }
            if (at(m_rest, i) == ':' || at(m_rest, i) == '|' || at(m_rest, i) == ']') {
                return drop(i + 1);
            }
        }
        // docker compose and kubetail: "trainer-1  | "
        if (at(m_rest, next) == '|' && at(m_rest, next + 1) == ' ' && isIdentifier(first) && isDigit(first.back())
            && first.find_first_of("-_") != std::string_view::npos && kindOf(first) == NameKind::Unknown
            && !stepName(first.substr(0, first.find_first_of("-_")))) {
            return drop(next + 1);
        }
        if (m_seen) {
            // "d2.utils.events INFO: ", "mmengine - INFO - ", "log\train.log - INFO - "
            std::string_view behind = m_rest.substr(next);
            std::size_t joint = next;
            if (behind.starts_with("- ") || behind.starts_with("| ")) {
                joint = next + 2;
                behind = m_rest.substr(joint);
            }
            if (at(behind, 0) == '[') {
                behind.remove_prefix(1);
            }
            if (levelAt(behind) > 0 && isIdentifier(first)) {
                m_rest.remove_prefix(joint);
                return true;
            }
            if (const std::size_t size = functionWithLineAt(m_rest)) {
                return drop(size);
            }
            // loguru: "package.module:function:123 - "
            if (first.find(':') != std::string_view::npos && isIdentifier(first) && isDigit(first.back())
                && !isNamedValue(first) && at(m_rest, next) == '-' && isBlank(at(m_rest, next + 1))) {
                return drop(next + 1);
            }
            if (isNameOfLogger(first) && at(m_rest, next) == '-' && isBlank(at(m_rest, next + 1))) {
                return drop(next + 1);
            }
            if (const std::size_t size = std::max(loggerBeforeStepAt(m_rest), threadAt(m_rest))) {
                return drop(size);
            }
            if (namesSource(first) && (first.back() == ']' || first.back() == ':' || at(m_rest, next) == '-')) {
                return drop(end);
            }
            // fairseq: "| INFO | train_inner | epoch 001: ..."
            if (at(m_rest, next) == '|' && isIdentifier(first) && !stepName(first) && !isNamedValue(first)
                && first.find_first_of(".:_") != std::string_view::npos) {
                return drop(next + 1);
            }
        } else if (stampAt(m_rest.substr(next)) > 0 && isIdentifier(first)
            && kindOf(first.substr(0, first.find(':'))) != NameKind::TimeLeft) {
            m_rest.remove_prefix(next); // a word before the time: "DLL 2021-10-07 09:47:10"; not so in "ETA: 00:12:30"
            return true;
        }
        return false;
    }

    std::string_view m_rest;
    bool m_seen = false; // something that only loggers write, so that a name of a logger may follow
};

} // namespace

std::string_view withoutPrefix(std::string_view line) { return Stripper(withoutSource(line)).strip(); }

} // namespace trainyard::metrics
