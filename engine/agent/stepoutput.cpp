// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/stepoutput.h"

#include "engine/agent/detach.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace trainyard::agent
{

using contract::Stream;

namespace
{

constexpr const char *ownSource = "trainyard";
constexpr const char *runtimeSource = "openpai-runtime";

// The text behind the head of a mark, without its newline: a letter, a number, perhaps a blank, a source and a text.
Mark markOf(std::string_view text)
{
    Mark mark;
    mark.kind = text.empty() ? 'I' : text.front();
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
    const auto number = std::from_chars(text.data(), text.data() + text.size(), mark.number);
    text.remove_prefix(static_cast<std::size_t>(number.ptr - text.data()));
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
    const std::size_t blank = text.find(' ');
    mark.source = text.substr(0, blank);
    if (blank != std::string_view::npos) {
        mark.text = text.substr(blank + 1);
    }
    return mark;
}

void addText(std::deque<MarkedItem> &items, std::string_view text)
{
    if (!text.empty()) {
        items.push_back({std::string(text), std::nullopt});
    }
}

// The keeper's own lines have no level: one of a script cannot be taken for them.
bool hasLevel(std::string_view text)
{
    return text.starts_with("[INFO] ") || text.starts_with("[WARNING] ") || text.starts_with("[ERROR] ");
}

} // namespace

std::string newMarkWord()
{
    unsigned char bytes[16] = {};
    static_cast<void>(!::getrandom(bytes, sizeof bytes, 0));
    std::string word;
    for (const unsigned char byte : bytes) {
        char text[3];
        std::snprintf(text, sizeof text, "%02x", byte);
        word += text;
    }
    return word;
}

bool MarkReader::isPlain(std::string_view bytes) const
{
    return m_held.empty() && bytes.find(m_head.front()) == std::string_view::npos;
}

void MarkReader::push(std::string_view bytes, std::deque<MarkedItem> &items)
{
    m_held += bytes;
    std::string_view rest = m_held;
    std::size_t shown = 0; // so much of `rest` is output
    for (std::size_t at = 0; (at = rest.find(m_head.front(), at)) != std::string_view::npos;) {
        const std::string_view here = rest.substr(at);
        if (!here.starts_with(m_head)) {
            if (std::string_view(m_head).starts_with(here)) {
                break; // may become one
            }
            ++at;
            continue;
        }
        const std::size_t newline = here.find('\n');
        if (newline == std::string_view::npos && here.size() < longest) {
            break;
        }
        if (newline == std::string_view::npos || newline > longest) {
            ++at;
            continue;
        }
        addText(items, rest.substr(0, at));
        items.push_back({{}, markOf(here.substr(m_head.size(), newline - m_head.size()))});
        rest.remove_prefix(at + newline + 1);
        at = 0;
    }
    // Held is what begins at the first place that may still become a mark.
    shown = rest.size();
    for (std::size_t at = 0; (at = rest.find(m_head.front(), at)) != std::string_view::npos; ++at) {
        const std::string_view here = rest.substr(at);
        const bool mayBecome = std::string_view(m_head).starts_with(here)
            || (here.starts_with(m_head) && here.find('\n') == std::string_view::npos && here.size() < longest);
        if (mayBecome) {
            shown = at;
            break;
        }
    }
    addText(items, rest.substr(0, shown));
    m_held = std::string(rest.substr(shown));
}

void MarkReader::finish(std::deque<MarkedItem> &items)
{
    addText(items, m_held);
    m_held.clear();
}

StepOutput::StepOutput(const std::string &word, const contract::Secrets &secrets, Show show, Fetch fetch)
    : m_secrets(secrets), m_show(std::move(show)),
      m_fetch(std::move(fetch)), m_lanes{Lane(word, secrets), Lane(word, secrets)}
{
}

void StepOutput::take(Stream stream, std::string_view bytes)
{
    Lane &lane = m_lanes[stream == Stream::Err ? 1 : 0];
    const bool isAhead = stream == Stream::Err && m_passed > m_acted;
    if (!isAhead && lane.items.empty() && lane.reader.isPlain(bytes)) {
        show(stream, bytes);
        return;
    }
    lane.reader.push(bytes, lane.items);
    if (isAhead) { // what stands behind a mark was written after the same mark on standard output
        m_lanes[0].reader.push(m_fetch(Stream::Out), m_lanes[0].items);
    }
    work();
}

void StepOutput::finish(Stream stream)
{
    Lane &lane = m_lanes[stream == Stream::Err ? 1 : 0];
    lane.reader.finish(lane.items);
    work();
    copy(lane, {}, true);
}

// A mark on standard output follows everything on standard error before the same mark, and text after a mark on
// standard error follows the same mark on standard output. Nothing waits for marks: one that does not arrive (the
// script was killed, or its output is not ours any more) changes only the order of runtime.log.
void StepOutput::work()
{
    Lane &out = m_lanes[0];
    Lane &err = m_lanes[1];
    for (;;) {
        if (!out.items.empty()) {
            const MarkedItem item = std::move(out.items.front());
            out.items.pop_front();
            if (!item.mark) {
                show(Stream::Out, item.text);
                continue;
            }
            if (item.mark->number > 0) {
                passErrorsUpTo(item.mark->number);
                setStep(out, *item.mark);
                m_acted = std::max(m_acted, item.mark->number);
            }
            act(*item.mark);
            continue;
        }
        if (err.items.empty()) {
            return;
        }
        const std::optional<Mark> &next = err.items.front().mark;
        if (next && next->number > m_acted && next->number > m_fetchedFor) {
            m_fetchedFor = next->number;
            out.reader.push(m_fetch(Stream::Out), out.items);
            continue;
        }
        const MarkedItem item = std::move(err.items.front());
        err.items.pop_front();
        item.mark ? setStep(err, *item.mark) : show(Stream::Err, item.text);
    }
}

void StepOutput::passErrorsUpTo(std::uint64_t number)
{
    if (m_passed >= number) {
        return; // what comes now stands behind it
    }
    Lane &err = m_lanes[1];
    const auto isThere = [&err, number] {
        return std::any_of(err.items.begin(), err.items.end(),
            [number](const MarkedItem &item) { return item.mark && item.mark->number >= number; });
    };
    if (!isThere()) {
        err.reader.push(m_fetch(Stream::Err), err.items);
    }
    const bool hasMark = isThere();
    while (!err.items.empty()) {
        const MarkedItem item = std::move(err.items.front());
        err.items.pop_front();
        if (!item.mark) {
            show(Stream::Err, item.text);
            continue;
        }
        setStep(err, *item.mark);
        if (hasMark && item.mark->number >= number) {
            return;
        }
    }
}

void StepOutput::show(Stream stream, std::string_view bytes)
{
    Lane &lane = m_lanes[stream == Stream::Err ? 1 : 0];
    m_show(stream, bytes);
    if (lane.isStep) {
        copy(lane, bytes, false);
    }
}

void StepOutput::setStep(Lane &lane, const Mark &mark)
{
    if (&lane == &m_lanes[1]) {
        m_passed = std::max(m_passed, mark.number);
    }
    if (mark.kind == marks::begin) {
        lane.isStep = true;
    } else if (mark.kind == marks::end || mark.kind == marks::handOver) {
        copy(lane, {}, true);
        lane.isStep = false;
    }
}

void StepOutput::act(const Mark &mark)
{
    m_isHandedOver = m_isHandedOver || mark.kind == marks::handOver;
    const bool isOwn = mark.source == ownSource && hasLevel(mark.text);
    std::string text;
    contract::Masker masker(m_secrets);
    masker.push(mark.text, text);
    masker.finish(text);
    appendTextToRuntimeLog(runtimeLogHead(isOwn ? ownSource : runtimeSource) + text + '\n');
}

void StepOutput::copy(Lane &lane, std::string_view bytes, bool last)
{
    lane.masker.push(bytes, lane.line);
    if (last) {
        lane.masker.finish(lane.line);
        if (!lane.line.empty()) {
            lane.line += '\n';
        }
    }
    if (lane.line.find('\n') == std::string::npos && lane.line.size() < longestLine) {
        return;
    }
    const std::string head = runtimeLogHead(runtimeSource);
    std::string lines;
    std::string_view rest = lane.line;
    while (!rest.empty()) {
        const std::size_t newline = rest.find('\n');
        if (newline == std::string_view::npos && rest.size() < longestLine) {
            break;
        }
        const std::size_t length = std::min({newline, rest.size(), longestLine});
        std::string_view line = rest.substr(0, length);
        rest.remove_prefix(length == newline ? length + 1 : length);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        // A terminal would show only the last state of a progress bar.
        if (const std::size_t back = line.rfind('\r'); back != std::string_view::npos) {
            line.remove_prefix(back + 1);
        }
        lines.append(head).append(line) += '\n';
    }
    lane.line = std::string(rest);
    if (m_copied > mostCopied) {
        return;
    }
    m_copied += lines.size();
    if (m_copied > mostCopied) {
        lines += runtimeLogHead(ownSource) + "[WARNING] What else the steps print is only in the output of the task.\n";
    }
    appendTextToRuntimeLog(lines);
}

} // namespace trainyard::agent
