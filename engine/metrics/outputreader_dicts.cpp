// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/dictline.h"
#include "engine/metrics/dictsurroundings.h"
#include "engine/metrics/outputreader_p.h"
#include "engine/metrics/prefix.h"
#include "engine/metrics/settingslist.h"
#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"
#include "engine/metrics/writtenforms.h"

#include <algorithm>
#include <string>
#include <utility>

namespace trainyard::metrics
{
namespace
{

constexpr std::size_t longestDict = 64 * 1024; // over several lines

} // namespace

void OutputReader::Private::closeDict()
{
    const std::string lines = m_dict.take();
    std::size_t begin = 0;
    const std::uint64_t line = m_line;
    m_line = m_dict.line();
    while (begin < lines.size()) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        plain(std::string_view(lines).substr(begin, end - begin));
        begin = end + 1;
        ++m_line;
    }
    m_line = line;
}

bool OutputReader::Private::message(std::string_view object)
{
    const std::optional<std::string> text = m_inMessage ? std::nullopt : messageIn(object);
    if (text) {
        m_inMessage = true;
        state(*text, m_line, true);
        m_inMessage = false;
    }
    return text.has_value();
}

bool OutputReader::Private::dict(std::string_view text)
{
    const std::size_t brace = text.find('{');
    if (brace == std::string_view::npos) {
        return false;
    }
    const std::string_view before = trimmed(text.substr(0, brace));
    const bool isOfSettings = before.empty() ? m_isBelowHeading : introducesSettings(before);
    Record record;
    std::size_t end = 0;
    switch (readDict(text, brace, record, end)) {
    case DictRead::None:
        return isOfSettings && looksLikeDict(text, brace);
    case DictRead::Open:
        if (before.size() < 60 && text.size() < longestDict) {
            m_dict.begin(text, brace, m_line, isOfSettings);
            return true;
        }
        return isOfSettings && looksLikeDict(text, brace);
    case DictRead::Whole:
        break;
    }
    if (isOfSettings) {
        if (before.find('%') != std::string_view::npos) {
            bar(before); // that of a search, with the settings of its best try behind it
        } else {
            Record outside = recordAround(before, text.substr(std::min(end, text.size())));
            if (!outside.steps.empty() && !outside.mayBeRank && !outside.pairs.empty()) {
                m_collector.take(std::move(outside), m_line);
            }
        }
        return true;
    }
    // "step 10: {...}", "Epoch 3 - {...}": the step may stand before it.
    if (before.find('%') != std::string_view::npos && bar(before)) {
        m_collector.take(std::move(record), m_line);
        return true;
    }
    m_evaluations.mark(record, m_line);
    addIntroduction(before, record);
    if (record.pairs.empty() && message(text)) {
        return true;
    }
    const std::vector<StepMark> steps = record.steps;
    m_collector.take(std::move(record), m_line);
    dictsBehind(text.substr(std::min(end, text.size())), steps);
    return true;
}

// "Epoch 1 | Train: {'loss': 0.5} | Val: {'loss': 0.75}": those behind the first one are of the same step.
void OutputReader::Private::dictsBehind(std::string_view text, const std::vector<StepMark> &steps)
{
    std::string_view lead;
    for (std::size_t brace = text.find('{'); brace != std::string_view::npos; brace = text.find('{')) {
        lead = trimmed(text.substr(0, brace));
        while (!lead.empty() && (lead.front() == '|' || lead.front() == ',' || lead.front() == ';')) {
            lead = trimmed(lead.substr(1));
        }
        const std::string_view name = lead.substr(0, lead.find_first_of(":= "));
        Record record;
        std::size_t end = 0;
        if (!isPartName(name) || readDict(text, brace, record, end) != DictRead::Whole) {
            return;
        }
        addIntroduction(lead, record);
        if (record.steps.empty()) {
            record.steps = steps;
        }
        m_collector.take(std::move(record), m_line);
        text = text.substr(std::min(end, text.size()));
    }
}

void OutputReader::Private::goOnWithDict(std::string_view text)
{
    const std::string_view body = withoutPrefix(text);
    const std::optional<std::string> written = m_commas.withPoints(body);
    m_dict.add(written ? *written : body);
    const bool isTooLong = m_dict.text().size() > longestDict;
    const bool mayBeWhole = text.find('}') != std::string_view::npos && m_dict.mayBeWhole();
    if (!mayBeWhole && !isTooLong) {
        return;
    }
    Record record;
    std::size_t end = 0;
    const DictRead read = readDict(m_dict.text(), m_dict.brace(), record, end);
    if (read == DictRead::Whole) {
        const std::string whole = m_dict.take();
        if (m_dict.isOfSettings()) {
            return;
        }
        Record outside;
        readText(trimmed(std::string_view(whole).substr(0, m_dict.brace())), outside);
        m_evaluations.mark(record, m_line);
        if (record.steps.empty()) {
            record.steps = std::move(outside.steps);
        }
        m_collector.take(std::move(record), m_line);
    } else if (read == DictRead::None && m_dict.isOfSettings()) {
        m_dict.take();
    } else if (read == DictRead::None || isTooLong) {
        closeDict();
    }
}

} // namespace trainyard::metrics
