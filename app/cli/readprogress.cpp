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
}

void ReadProgress::setRead(qint64 bytes)
{
    if (!m_progress) {
        return;
    }
    m_progress->setText(m_total > 0
            ? tr("Reading the output: %1 of %2 ...").arg(formatBytes(bytes), formatBytes(std::max(bytes, m_total)))
            : tr("Reading the output: %1 ...").arg(formatBytes(bytes)));
    m_progress->keepUp();
}

void ReadProgress::hide()
{
    if (m_progress) {
        m_progress->hide();
    }
}

} // namespace trainyard::cli
