// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <string>
#include <utility>

// The copy of a file that may be written anew while it is followed: what takes its place is collected beside it.
class FollowedFile
{
public:
    explicit FollowedFile(std::string text) : m_text(std::move(text)) { }
    const std::string &text() const { return m_text; }
    int replaced() const { return m_replaced; } // so many times

    // Where this chunk has to begin.
    std::uint64_t expectedOffset(const trainyard::contract::Chunk &chunk) const
    {
        return chunk.replaces == 0 ? m_text.size() : chunk.offset == 0 ? 0 : m_beside.size();
    }
    // Whether the other file has taken the place of the one of before.
    bool take(const trainyard::contract::Chunk &chunk)
    {
        if (chunk.replaces == 0) {
            m_text += chunk.bytes;
            return false;
        }
        if (chunk.offset == 0) {
            m_beside.clear();
        }
        m_beside += chunk.bytes;
        if (m_beside.size() < chunk.replaces) {
            return false;
        }
        m_text = m_beside;
        ++m_replaced;
        return true;
    }

private:
    std::string m_text, m_beside;
    int m_replaced = 0;
};
