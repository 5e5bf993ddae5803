// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// Finds a sequence of bytes as fast as memory gives them: sixteen positions at a time are compared in the two bytes of
// the sequence that are rarest in logs, and only where both fit is the whole looked at. Pure, and safe on any thread.
class ByteFinder
{
public:
    enum class Case { Exact, AnyAscii }; // AnyAscii: A to Z equal a to z, and nothing else does
    // `wanted` is not empty.
    ByteFinder(const QByteArray &wanted, Case matching);

    qsizetype size() const { return m_wanted.size(); }
    // The first position at or after `from`, -1 when there is none.
    qsizetype indexIn(const QByteArray &text, qsizetype from = 0) const;

private:
    bool isAt(const char *at) const;

    QByteArray m_wanted; // in lower case for AnyAscii
    Case m_case;
    qsizetype m_first = 0, m_second = 0; // positions of its rarest bytes
};

// How many bytes from `begin` to `end` are `wanted`.
qint64 countOf(char wanted, const char *begin, const char *end);

} // namespace trainyard
