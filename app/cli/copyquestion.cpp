// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/copyquestion.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/api/jobfacts.h"
#include "widgets/text/texts.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString howToAnswerCopy(const JobSummary &job)
{
    return tr("'trainyardctl sync --allow %1' copies it, 'trainyardctl sync --refuse %1' lets the job fail.")
        .arg(job.id);
}

bool CopyAsker::canAsk() { return stderrIsTerminal() && hasTerminal(); }

CopyAsker::CopyAsker(Session &session, const JobWatcher &watcher, bool isOwnEngine, const std::function<void()> &before)
    : m_session(session), m_watcher(watcher), m_isOwnEngine(isOwnEngine), m_before(before)
{
    connect(&watcher, &JobWatcher::changed, this, &CopyAsker::look);
}

void CopyAsker::look()
{
    const bool asks = asksToCopy(m_watcher.job());
    if (!asks) {
        m_isAsked = false;
    } else if (!std::exchange(m_isAsked, true) && (canAsk() || m_isOwnEngine)) {
        QTimer::singleShot(0, this, &CopyAsker::ask); // it waits for keys, which is nothing for a signal
    }
}

void CopyAsker::ask()
{
    const JobSummary &job = m_watcher.job();
    bool isCopied = false;
    if (canAsk()) {
        m_before();
        plainErrorLine(reasonText(job.reason, job.reasonArgs));
        const std::optional<QString> said = askOnTerminal(tr("Copy it? [y/N] "), true);
        if (!said) {
            return; // Ctrl+C, which ends the command
        }
        isCopied = isYes(*said);
    }
    // It may have been answered elsewhere meanwhile, which is as good.
    m_session.client().call<api::AnswerCopy>({job.uuid, isCopied}, this, [](const Result<bool> &) {});
}

} // namespace trainyard::cli
