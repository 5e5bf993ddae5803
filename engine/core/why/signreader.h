// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/otherstacks.h"
#include "engine/core/why/whysigns.h"

#include <QHash>
#include <QSet>

namespace trainyard::core
{

// Reads the lines of an output for signs. Large because which line a sign is read from depends on those around it, and
// each kind of neighbour is looked at by a method of its own.
class SignReader
{
public:
    SignReader(
        const FailureCauses &causes, QByteArrayView text, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks)
        : m_causes(causes), m_text(text), m_lines(lines), m_blocks(blocks), m_stacks(otherStacksIn(lines))
    {
    }
    WhySigns signsOf();

private:
    static constexpr qsizetype longestWords = 4096;

    bool isInBlock(qsizetype index) const;
    bool isHeadOfFrames(qsizetype index) const;
    // The words around a place of the text: long lines are cut.
    QByteArrayView wordsAround(const WhyLine &line, qsizetype at) const;
    // What stands between the words of the sign of a line and a place behind them.
    QByteArrayView textBetween(qsizetype index, qsizetype at) const;
    template <class Take> void eachPlace(QByteArrayView hint, Take take) const;
    bool standsAbove(QByteArrayView text, qsizetype index) const;
    void quoteLaterFailures();
    void readCauses();
    void readReports();
    void readExceptions();
    void readStacks();
    void addPlaces();
    void believeLastLine(QList<WhySign> &signs) const;
    void readShells();
    void readGeneric();
    qsizetype wordsBelow(qsizetype head) const;
    qsizetype wordsOfR(qsizetype head) const;
    void forgetReportAbove(qsizetype index);

    const FailureCauses &m_causes;
    QByteArrayView m_text;
    const QList<WhyLine> &m_lines;
    const QList<PythonBlock> &m_blocks;
    const QList<OtherStack> m_stacks;
    QHash<qsizetype, WhySign> m_signs; // by line
    QHash<qsizetype, std::pair<qsizetype, qsizetype>> m_places; // of the words that a sign was found by, by line
    QSet<qsizetype> m_quoted; // lines that belong to the sign of another
};

} // namespace trainyard::core
