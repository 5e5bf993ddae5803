// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/bytescan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trainyard
{
namespace
{

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// How often a byte stands in the output of programs, roughly: 0 hardly ever.
int commonness(char c)
{
    constexpr QByteArrayView most = "etaoinsrld0123456789 .:-";
    constexpr QByteArrayView often = "chumpgfwb,=[]/_\"";
    return most.contains(c) ? 3 : often.contains(c) ? 2 : isLetter(c) ? 1 : 0;
}

#ifdef __SSE2__
constexpr qsizetype width = 16;

__m128i bytesAt(const char *at) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(at)); }

// A bit for each of sixteen bytes that equals `wanted` after `fold` is set in it.
__m128i equal(const char *at, __m128i wanted, __m128i fold)
{
    return _mm_cmpeq_epi8(_mm_or_si128(bytesAt(at), fold), wanted);
}
#endif

} // namespace

ByteFinder::ByteFinder(const QByteArray &wanted, Case matching) : m_wanted(wanted), m_case(matching)
{
    if (m_case == Case::AnyAscii) {
        std::transform(m_wanted.cbegin(), m_wanted.cend(), m_wanted.begin(), folded);
    }
    const auto rarer = [this](qsizetype one, qsizetype other) {
        return commonness(m_wanted.at(one)) < commonness(m_wanted.at(other));
    };
    for (qsizetype i = 1; i < m_wanted.size(); ++i) {
        m_first = rarer(i, m_first) ? i : m_first;
    }
    m_second = m_first == 0 ? m_wanted.size() - 1 : 0;
    for (qsizetype i = 0; i < m_wanted.size(); ++i) {
        m_second = i != m_first && rarer(i, m_second) ? i : m_second;
    }
}

bool ByteFinder::isAt(const char *at) const
{
    if (m_case == Case::Exact) {
        return std::memcmp(at, m_wanted.constData(), size_t(m_wanted.size())) == 0;
    }
    return std::equal(
        m_wanted.cbegin(), m_wanted.cend(), at, [](char one, char other) { return one == folded(other); });
}

qsizetype ByteFinder::indexIn(const QByteArray &text, qsizetype from) const
{
    const char *const begin = text.constData();
    const char *const last = begin + text.size() - m_wanted.size(); // where it may begin at the latest
    const char *at = begin + from;
#ifdef __SSE2__
    const auto foldOf = [this](qsizetype i) {
        return _mm_set1_epi8(m_case == Case::AnyAscii && isLetter(m_wanted.at(i)) ? 0x20 : 0);
    };
    const __m128i firstWanted = _mm_set1_epi8(m_wanted.at(m_first));
    const __m128i secondWanted = _mm_set1_epi8(m_wanted.at(m_second));
    const __m128i firstFold = foldOf(m_first);
    const __m128i secondFold = foldOf(m_second);
    for (; at + (width - 1) <= last; at += width) {
        const __m128i both = _mm_and_si128(
            equal(at + m_first, firstWanted, firstFold), equal(at + m_second, secondWanted, secondFold));
        for (auto bits = static_cast<unsigned>(_mm_movemask_epi8(both)); bits != 0; bits &= bits - 1) {
            const char *candidate = at + std::countr_zero(bits);
            if (isAt(candidate)) {
                return candidate - begin;
            }
        }
    }
#endif
    for (; at <= last; ++at) {
        if (isAt(at)) {
            return at - begin;
        }
    }
    return -1;
}

qint64 countOf(char wanted, const char *begin, const char *end)
{
    qint64 count = 0;
    const char *at = begin;
#ifdef __SSE2__
    const __m128i all = _mm_set1_epi8(wanted);
    while (end - at >= width) {
        // Each of sixteen sums has room for 255.
        const qsizetype steps = std::min<qsizetype>((end - at) / width, 255);
        __m128i sums = _mm_setzero_si128();
        for (qsizetype i = 0; i < steps; ++i, at += width) {
            sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(bytesAt(at), all));
        }
        const __m128i halves = _mm_sad_epu8(sums, _mm_setzero_si128());
        count += _mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves));
    }
#endif
    return count + std::count(at, end, wanted);
}

} // namespace trainyard
