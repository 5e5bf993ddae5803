// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/chaosledger.h"

ChaosLedger::ChaosLedger(const QByteArray &text)
{
    const QByteArrayList lines = text.trimmed().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("begin ")) {
            ++m_begins[line.mid(6)];
        } else if (line.startsWith("end ")) {
            ++m_ends[line.mid(4)];
        } else if (line.startsWith("overlap")) {
            m_overlaps.append(line);
        }
    }
}

QByteArray ChaosLedger::complaint() const
{
    QByteArrayList all = m_overlaps;
    for (auto it = m_begins.cbegin(); it != m_begins.cend(); ++it) {
        if (it.value() > 1) {
            all.append(it.key() + " began " + QByteArray::number(it.value()) + " times");
        }
    }
    return all.join('\n');
}

QByteArray ChaosLedger::take(const QByteArray &tryUuid, Ran ran)
{
    const int begins = m_begins.take(tryUuid);
    const int ends = m_ends.take(tryUuid);
    bool fits = begins <= 1 && ends <= begins;
    if (ran == Ran::ToItsEnd) {
        fits = begins == 1 && ends == 1;
        ++m_whole;
    } else if (ran == Ran::Never) {
        fits = begins == 0 && ends == 0;
    }
    return fits ? QByteArray()
                : "try " + tryUuid + " began " + QByteArray::number(begins) + " and ended " + QByteArray::number(ends)
            + " times";
}

int ChaosLedger::counted(const QByteArrayList &lines, char stream, bool mayBeCut)
{
    int last = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines.at(i).startsWith(stream)) {
            const QByteArray wanted = QByteArray(1, stream) + ' ' + QByteArray::number(last + 1);
            if (lines.at(i) == wanted) {
                ++last;
            } else if (!mayBeCut || i != lines.size() - 1 || !wanted.startsWith(lines.at(i))) {
                return -1;
            }
        }
    }
    return last;
}
