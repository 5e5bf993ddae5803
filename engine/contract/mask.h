// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/secretmatch.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// The texts to hide: values of at least 6 bytes and each such line of a value with several lines, but for brackets and
// rulers, also of those that a program decodes from JSON, if they say something (decodedlines.h): as they are, in the
// spellings of programs (spelledtext.h), encoded (encodedtexts.h), and in the parts that a shell makes of them
// (shellparts.h).
class Secrets
{
public:
    static constexpr std::size_t shortest = 6;

    explicit Secrets(const std::vector<std::string> &values = {});
    bool isEmpty() const { return m_known == nullptr; }
    // The secret that begins at `at`; `before` are the two bytes in front of the text.
    SecretMatch find(std::string_view text, std::size_t at, const std::array<char, 2> &before) const
    {
        return m_known ? findKnown(text, at, before) : SecretMatch{at, false};
    }

private:
    struct Known;
    // Null when there is nothing to hide. Most tasks have no secrets, and the tables take some pages of memory.
    std::shared_ptr<const Known> m_known;

    SecretMatch findKnown(std::string_view text, std::size_t at, const std::array<char, 2> &before) const;
};

// Hides secrets in one stream. What could become a secret is held back for as long as needed, so that one that is split
// over two writes does not show. Overlapping secrets become one mask.
class Masker
{
public:
    explicit Masker(const Secrets &secrets) : m_secrets(secrets) { }
    // Appends to `out` what may be shown now.
    void push(std::string_view bytes, std::string &out) { run(bytes, false, out); }
    void finish(std::string &out) { run({}, true, out); }
    std::uint64_t count() const { return m_count; }
    std::string_view held() const { return m_held; } // the end that is held back, as what follows decides what it is

private:
    const Secrets &m_secrets;
    std::string m_held;
    std::array<char, 2> m_before = {'\n', '\n'}; // in front of m_held
    std::size_t m_covered = 0; // so many bytes of m_held belong to a mask already written
    std::uint64_t m_count = 0;

    void run(std::string_view bytes, bool last, std::string &out);
};

// A whole text, as a Masker shows it.
std::string masked(const Secrets &secrets, std::string_view text);

} // namespace trainyard::contract
