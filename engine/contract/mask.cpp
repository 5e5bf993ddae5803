// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/mask.h"

#include "engine/contract/spellings.h"

#include <algorithm>

namespace trainyard::contract
{

Secrets::Secrets(const std::vector<std::string> &values)
{
    std::vector<std::string> all;
    const auto add = [&all](std::string_view value) {
        if (value.size() < shortest) {
            return;
        }
        all.emplace_back(value);
        for (std::string &spelling : spellingsOf(value)) {
            all.push_back(std::move(spelling));
        }
    };
    for (const std::string &value : values) {
        add(value);
        std::string_view rest = value;
        while (rest.find('\n') != std::string_view::npos) {
            const std::size_t newline = rest.find('\n');
            std::string_view line = rest.substr(0, newline);
            add(line);
            if (!line.empty() && line.back() == '\r') {
                line.remove_suffix(1);
                add(line);
            }
            rest.remove_prefix(newline + 1);
            if (rest.find('\n') == std::string_view::npos) {
                add(rest);
            }
        }
    }
    // The longest come first, so that the first hit is the longest.
    std::sort(all.begin(), all.end(),
        [](const std::string &a, const std::string &b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (std::string &value : all) {
        m_longest = std::max(m_longest, value.size());
        m_byFirst[static_cast<unsigned char>(value[0])].push_back(std::move(value));
    }
}

std::size_t Secrets::matchEnd(std::string_view text, std::size_t at) const
{
    const std::string_view rest = text.substr(at);
    for (const std::string &value : m_byFirst[static_cast<unsigned char>(text[at])]) {
        if (rest.starts_with(value)) {
            return at + value.size();
        }
    }
    return at;
}

std::size_t Secrets::holdFrom(std::string_view text) const
{
    const std::size_t longestHeld = m_longest > 0 ? m_longest - 1 : 0;
    for (std::size_t at = text.size() - std::min(text.size(), longestHeld); at < text.size(); ++at) {
        const std::string_view end = text.substr(at);
        for (const std::string &value : m_byFirst[static_cast<unsigned char>(text[at])]) {
            if (value.size() > end.size() && std::string_view(value).starts_with(end)) {
                return at;
            }
        }
    }
    return text.size();
}

void Masker::run(std::string_view bytes, bool last, std::string &out)
{
    m_held += bytes;
    const std::string_view text = m_held;
    const std::size_t border = last ? text.size() : m_secrets.holdFrom(text);
    std::size_t shown = std::min(m_covered, border); // all before is written or masked
    std::size_t maskEnd = m_covered; // the newest mask reaches to here
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = m_secrets.matchEnd(text, at);
        if (end == at) {
            continue;
        }
        if (at < maskEnd) {
            maskEnd = std::max(maskEnd, end);
        } else if (at < border) {
            const std::size_t from = std::max(shown, maskEnd);
            out += text.substr(from, at - from);
            out += "******";
            ++m_count;
            shown = at;
            maskEnd = end;
        } else {
            break; // wholly inside what is held: seen again next time
        }
    }
    const std::size_t from = std::max(shown, maskEnd);
    if (from < border) {
        out += text.substr(from, border - from);
    }
    m_covered = maskEnd > border ? maskEnd - border : 0;
    m_held.erase(0, border);
}

std::string masked(const Secrets &secrets, std::string_view text)
{
    if (secrets.isEmpty()) {
        return std::string(text);
    }
    Masker masker(secrets);
    std::string shown;
    masker.push(text, shown);
    masker.finish(shown);
    return shown;
}

} // namespace trainyard::contract
