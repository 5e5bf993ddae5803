// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/shared.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace trainyard::agent
{

void SharedTexts::take(contract::Share &&share)
{
    if (share.drop) {
        m_texts.erase(share.key);
        const std::string below = share.key + '/';
        const auto first = m_texts.lower_bound(below);
        m_texts.erase(first, std::find_if(first, m_texts.end(), [&below](const auto &entry) {
            return !entry.first.starts_with(below);
        }));
        return;
    }
    std::shared_ptr<SharedText> &text = m_texts[share.key];
    if (!text) {
        text = std::make_shared<SharedText>();
    }
    if (!share.script.empty()) {
        text->script = std::move(share.script);
    }
    for (const contract::Variable &variable : share.env) {
        if (text->places.emplace(variable.name, text->environment.size()).second) {
            text->environment.push_back(variable.name + '=' + variable.value);
        }
    }
}

std::shared_ptr<const SharedText> SharedTexts::find(const std::string &key) const
{
    const auto it = m_texts.find(key);
    return it == m_texts.end() ? nullptr : it->second;
}

ComposedEnvironment composeEnvironment(
    std::vector<std::string> base, const SharedText *shared, const std::vector<contract::Variable> &own)
{
    static const SharedText nothing;
    const SharedText &common = shared ? *shared : nothing;
    ComposedEnvironment composed;
    std::vector<std::string> &texts = composed.texts;
    texts = std::move(base);
    const std::size_t baseSize = texts.size();

    // Variables of the base, and shared ones with another value: the position among the shared ones, and the text.
    std::unordered_map<std::size_t, std::size_t> replaced;
    for (std::size_t i = 0; i < baseSize; ++i) {
        const auto place = common.places.find(texts[i].substr(0, texts[i].find('=')));
        if (place != common.places.end()) {
            texts[i] = common.environment[place->second];
            replaced.emplace(place->second, i);
        }
    }
    std::unordered_set<std::size_t> moved; // texts that stand among the shared ones
    for (const contract::Variable &variable : own) {
        std::string entry = variable.name + '=';
        const std::size_t prefix = entry.size();
        entry += variable.value;
        if (const auto place = common.places.find(variable.name); place != common.places.end()) {
            if (const auto known = replaced.find(place->second); known != replaced.end()) {
                texts[known->second] = std::move(entry);
            } else {
                replaced.emplace(place->second, texts.size());
                moved.insert(texts.size());
                texts.push_back(std::move(entry));
            }
            continue;
        }
        const auto present = std::find_if(texts.begin(), texts.end(), [&](const std::string &text) {
            // Most names differ here already.
            const bool canBe = text.size() >= prefix && text[prefix - 1] == '=';
            return canBe && text.compare(0, prefix, entry, 0, prefix) == 0;
        });
        if (present != texts.end()) {
            *present = std::move(entry);
        } else {
            texts.push_back(std::move(entry));
        }
    }

    composed.pointers.reserve(texts.size() + common.environment.size() + 1);
    const auto add = [&composed](const std::string &text) {
        composed.pointers.push_back(const_cast<char *>(text.c_str())); // execve() changes nothing
    };
    for (std::size_t i = 0; i < baseSize; ++i) {
        add(texts[i]);
    }
    for (std::size_t i = 0; i < common.environment.size(); ++i) {
        const auto other = replaced.find(i);
        if (other == replaced.end()) {
            add(common.environment[i]);
        } else if (other->second >= baseSize) {
            add(texts[other->second]);
        }
    }
    for (std::size_t i = baseSize; i < texts.size(); ++i) {
        if (!moved.contains(i)) {
            add(texts[i]);
        }
    }
    composed.pointers.push_back(nullptr);
    return composed;
}

} // namespace trainyard::agent
