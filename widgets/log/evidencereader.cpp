// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/evidencereader.h"

#include "model/base/shellecho.h"
#include "widgets/text/scriptnames.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 evidenceBlock = 4 << 20; // a cancel waits for one at most
} // namespace

bool EvidenceReader::readAll()
{
    if (!m_lines.source()) {
        m_lines.setSource(m_log());
        m_restarts = m_lines.source()->restarts();
    }
    LogSource &source = *m_lines.source();
    bool isComplete = false, hasMore = true;
    while (hasMore && !m_isCancelled) {
        isComplete = source.isComplete(); // asked first: the size after it is final then
        const qint64 size = source.size();
        if (size < m_index.size() || m_restarts != source.restarts()) {
            m_restarts = source.restarts();
            m_index.reset(); // replaced: from the start
        }
        const qint64 wanted = std::min(evidenceBlock, size - m_index.size());
        const QByteArray block = wanted > 0 ? source.read(m_index.size(), wanted) : QByteArray();
        m_index.append(block);
        hasMore = source.hasMore() || (!block.isEmpty() && m_index.size() < size);
        isComplete = isComplete && m_index.size() >= size;
    }
    m_lines.apply(m_index.takeDelta(), source.liveLines());
    return isComplete && !m_isCancelled;
}

// The finding may be of another try, or of a log that was replaced: it counts only if its line says what was found.
std::optional<qint64> EvidenceReader::root()
{
    if (m_wanted.line < 0 || m_wanted.line >= m_lines.count() || m_wanted.text.isEmpty()) {
        return {};
    }
    const QString shown = m_lines.text(m_wanted.line); // without the folder of a script of ours
    const bool isIt = shown.contains(m_wanted.text)
        || shown.contains(QString::fromUtf8(withShortScriptName(m_wanted.text.toUtf8())));
    return isIt ? std::optional(m_wanted.line) : std::nullopt;
}

LogEvidence EvidenceReader::read()
{
    LogEvidence found;
    found.isWhole = readAll();
    const qint64 count = m_lines.count();
    const bool isToCome = !found.isWhole && m_wanted.line >= count;
    if (m_isCancelled || count == 0 || isToCome) {
        return found;
    }
    found.root = root();
    // What the program itself wrote last is in front of a command that bash repeats.
    const std::optional<qint64> echo = found.root
        ? std::nullopt
        : commandEchoAtEnd(count, [this](qint64 line) { return m_isCancelled ? QString() : m_lines.text(line); });
    const qint64 end = std::max<qint64>(0, (echo ? *echo + 1 : count) - m_wanted.lines);
    found.firstLine = found.root ? std::clamp<qint64>(*found.root - m_wanted.lines / 2, 0, end) : end;
    const qint64 shown = echo ? std::min(m_wanted.lines, *echo + 1) : m_wanted.lines;
    found.lines = m_lines.text(found.firstLine, shown).split(QLatin1Char('\n'));
    return found;
}

} // namespace trainyard
