// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// The texts to hide: values of at least 6 bytes, each such line of a value with several lines, and the spellings of
// both (spellings.h).
class Secrets
{
public:
    static constexpr std::size_t shortest = 6;

    explicit Secrets(const std::vector<std::string> &values = {});
    bool isEmpty() const { return m_longest == 0; }
    // The end of the longest secret that begins at `at`, or `at` when none does.
    std::size_t matchEnd(std::string_view text, std::size_t at) const;
    // Where the longest tail of `text` begins that could be the start of a secret; text.size() when there is none.
    std::size_t holdFrom(std::string_view text) const;

private:
    std::array<std::vector<std::string>, 256> m_byFirst; // by their first bytes, the longest first
    std::size_t m_longest = 0;
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

private:
    const Secrets &m_secrets;
    std::string m_held;
    std::size_t m_covered = 0; // so many bytes of m_held belong to a mask already written
    std::uint64_t m_count = 0;

    void run(std::string_view bytes, bool last, std::string &out);
};

// A whole text, as a Masker shows it.
std::string masked(const Secrets &secrets, std::string_view text);

} // namespace trainyard::contract
