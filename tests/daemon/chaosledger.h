// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QMap>

// What the tasks of a chaos test did, in a file outside of what the engine keeps: each try appends "begin UUID" and
// "end UUID", and "overlap WHO" when it finds another one where it must be alone. It is compared with what the engine
// says of each try.
class ChaosLedger
{
public:
    enum class Ran { ToItsEnd, Never, InPart };

    explicit ChaosLedger(const QByteArray &text);
    // Overlaps, and tries that began twice; empty: none.
    QByteArray complaint() const;
    int begins(const QByteArray &tryUuid) const { return m_begins.value(tryUuid); }
    // Takes a try out; returns what contradicts the engine's word, or nothing. A try that ran to its end has begun and
    // ended once, one that never ran has done nothing, and no other one has done anything twice.
    QByteArray take(const QByteArray &tryUuid, Ran ran);
    int whole() const { return m_whole; } // tries that were taken and ran to their end
    QByteArrayList left() const { return m_begins.keys() + m_ends.keys(); } // those of which the engine says nothing

    // The last number of the lines "o 1", "o 2", ... of a stream, in order; -1 when it has anything else. With
    // `mayBeCut` its last line may be a part of one.
    static int counted(const QByteArrayList &lines, char stream, bool mayBeCut);

private:
    QMap<QByteArray, int> m_begins, m_ends; // by try
    QByteArrayList m_overlaps;
    int m_whole = 0;
};
