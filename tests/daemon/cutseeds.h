// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/fullform.h"

#include <QFile>
#include <QList>
#include <QRandomGenerator>

// Seeds of tests that do harm at random moments. One that fails is kept in tests/data/linkcutseeds.txt, and each run
// of the suite begins with those. `kind`: the word before the number in that file; none for the first test of them.
class CutSeeds
{
public:
    CutSeeds(const QByteArray &kind, const char *seedVariable, const char *roundsVariable)
        : m_kind(kind.isEmpty() ? kind : kind + ' '), m_seedVariable(seedVariable), m_roundsVariable(roundsVariable)
    {
    }

    // What a run has to try: one seed or a number of random ones when variables say so; else the kept ones and, in the
    // suite, `fixed` that stay the same, so that a red run means a change; in the full suite `full` that are new.
    QList<quint32> wanted(const QList<quint32> &fixed, int full) const
    {
        if (qEnvironmentVariableIsSet(m_seedVariable)) {
            return {qEnvironmentVariable(m_seedVariable).toUInt()};
        }
        QList<quint32> seeds = kept();
        bool isNumber = false;
        const int given = qEnvironmentVariableIntValue(m_roundsVariable, &isNumber);
        const int rounds = isNumber ? given : isFullForm() ? full : 0;
        if (rounds == 0) {
            seeds += fixed;
        }
        for (int i = 0; i < rounds; ++i) {
            seeds.append(QRandomGenerator::global()->generate());
        }
        return seeds;
    }

    void keep(quint32 seed) const
    {
        QFile file(fileName());
        if (!kept().contains(seed) && file.open(QIODevice::WriteOnly | QIODevice::Append)) {
            file.write(m_kind + QByteArray::number(seed) + '\n');
        }
    }

private:
    static QString fileName()
    {
        return qEnvironmentVariable("TRAINYARD_SOURCE") + QStringLiteral("/tests/data/linkcutseeds.txt");
    }
    QList<quint32> kept() const
    {
        QList<quint32> seeds;
        QFile file(fileName());
        const QByteArrayList lines = file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
        for (const QByteArray &line : lines) {
            bool isNumber = false;
            const quint32 seed = line.startsWith(m_kind) ? line.mid(m_kind.size()).trimmed().toUInt(&isNumber) : 0;
            if (isNumber) {
                seeds.append(seed);
            }
        }
        return seeds;
    }

    QByteArray m_kind;
    const char *m_seedVariable;
    const char *m_roundsVariable;
};
