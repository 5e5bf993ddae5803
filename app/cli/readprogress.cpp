// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/readprogress.h"

#include "app/cli/console.h"
#include "widgets/text/formats.h"

#include <algorithm>

namespace trainyard::cli
{

ReadProgress::ReadProgress(qint64 total, bool printsValues) : m_total(total)
{
    if (!printsValues || !stdoutIsTerminal()) {
        m_progress.emplace(tr("Reading the output ..."));
    }
    // An assistant takes what stands there for a complaint.
    if (m_progress && !canDraw(Stream::Error) && !qEnvironmentVariableIsSet(readsOnlyVariable)) {
        m_since.start();
    }
}

bool isLineDue(qint64 elapsedMs, int lines)
{
    constexpr qint64 firstMs = 5000, everyMs = 30'000;
    return elapsedMs >= firstMs + lines * everyMs;
}

QString ReadProgress::textOf(qint64 bytes) const
{
    return m_total > 0
        ? tr("Reading the output: %1 of %2 ...").arg(formatBytes(bytes), formatBytes(std::max(bytes, m_total)))
        : tr("Reading the output: %1 ...").arg(formatBytes(bytes));
}

void ReadProgress::setRead(qint64 bytes)
{
    if (!m_progress) {
        return;
    }
    m_progress->setText(textOf(bytes));
    m_progress->keepUp();
    if (m_since.isValid() && isLineDue(m_since.elapsed(), m_lines)) {
        ++m_lines;
        plainErrorLine(textOf(bytes));
    }
}

void ReadProgress::hide()
{
    if (m_progress) {
        m_progress->hide();
    }
}

} // namespace trainyard::cli
