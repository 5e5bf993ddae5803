// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whymemory.h"

#include "engine/core/why/whystatus.h"
#include "model/base/memorytext.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

bool isNear(qint64 usedMiB, qint64 mostMiB) { return mostMiB > 0 && usedMiB * 10 >= mostMiB * 8; }

bool isNearALimit(qint64 usedMiB, const UsedMemory &memory)
{
    return isNear(usedMiB, memory.limitMiB) || isNear(usedMiB, memory.hostMiB);
}

// The system refused to give memory to a process that lives on. The heaps of Java and JavaScript have limits of their
// own, which grow with the memory of the task.
bool isRefusal(const FailureFacts &facts)
{
    static const QRegularExpression refused(
        u"(?<!Of)MemoryError|bad_alloc|allocat|virtual memory exhausted|runtime: out of memory|OutOfMemoryError\\(\\)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression ofHeap(u"java\\.lang|heap"_s, QRegularExpression::CaseInsensitiveOption);
    return refused.match(facts.text).hasMatch() && !ofHeap.match(facts.text).hasMatch();
}

// What it would have used with what it asked for in vain, as far as it says how much that was.
qint64 neededMiB(const FailureFacts &facts, qint64 usedMiB)
{
    const QString size = facts.args.value("size"_L1).toString();
    static const QRegularExpression inBytes(u"\\A(\\d+) bytes\\z"_s);
    if (const QRegularExpressionMatch bytes = inBytes.match(size); bytes.hasMatch()) {
        return usedMiB + qint64(bytes.captured(1).toDouble() / 1048576);
    }
    return usedMiB + parseMemory(size, false).value_or(0);
}

void insertFigures(FailureFacts &facts, const UsedMemory &memory)
{
    const qint64 most = memory.limitMiB > 0 ? memory.limitMiB : memory.hostMiB;
    facts.args.insert(u"used"_s, u"%1 MiB"_s.arg(memory.usedMiB));
    facts.args.insert(u"limit"_s, u"%1 MiB"_s.arg(most));
}

} // namespace

void considerMemory(FailureFacts &facts, const UsedMemory &memory)
{
    if (facts.cause != "host-oom"_L1 || isNearALimit(memory.usedMiB, memory)) {
        return;
    }
    const bool isMeasured = memory.usedMiB > 0 && (memory.limitMiB > 0 || memory.hostMiB > 0);
    if (!facts.args.contains("killed"_L1)) {
        if (isMeasured && isRefusal(facts) && !isNearALimit(neededMiB(facts, memory.usedMiB), memory)) {
            facts.cause = u"memory-refused"_s;
            insertFigures(facts, memory);
        } else if (!isMeasured && isRefusal(facts) && facts.certainty == whystatus::certain) {
            facts.certainty = whystatus::likely; // it may have asked for more than there can be
        }
        return;
    }
    const bool saysMemory = facts.text.contains("memory"_L1, Qt::CaseInsensitive) || facts.text.contains("OOM"_L1);
    if (saysMemory) {
        facts.onlyLast = false;
        return;
    }
    facts.cause = u"killed"_s;
    facts.certainty = whystatus::likely;
    facts.transient.reset();
    if (isMeasured) {
        insertFigures(facts, memory);
    }
}

} // namespace trainyard::core
