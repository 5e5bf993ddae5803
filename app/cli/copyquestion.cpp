// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/copyquestion.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/api/jobfacts.h"
#include "widgets/text/texts.h"

#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString howToAnswerCopy(const JobSummary &job)
{
    return tr("'trainyardctl sync --allow %1' copies it, 'trainyardctl sync --refuse %1' lets the job fail.")
        .arg(job.id);
}

bool CopyAsker::canAsk() { return stderrIsTerminal() && hasTerminal(); }

CopyAsker::CopyAsker(Session &session, bool isOwnEngine, const std::function<void()> &before)
    : m_session(session), m_isOwnEngine(isOwnEngine), m_before(before)
{
}

void CopyAsker::look(const JobSummary &job)
{
    if (!asksToCopy(job)) {
        m_asking.remove(job.uuid);
    } else if (!m_asking.contains(job.uuid) && (canAsk() || m_isOwnEngine)) {
        m_asking.insert(job.uuid);
        // It waits for keys, which is nothing for a signal.
        QTimer::singleShot(0, this, [this, job] { ask(job); });
    }
}

void CopyAsker::ask(const JobSummary &job)
{
    if (m_isInterrupted) {
        return;
    }
    QJsonObject about = job.reasonArgs;
    about.remove("host"_L1);
    const auto known = std::find_if(
        m_answers.cbegin(), m_answers.cend(), [&about](const auto &answer) { return answer.first == about; });
    bool isCopied = known != m_answers.cend() && known->second;
    if (known == m_answers.cend() && canAsk()) {
        m_before();
        plainErrorLine(reasonText(job.reason, job.reasonArgs));
        const std::optional<QString> said = askOnTerminal(tr("Copy it? [y/N] "), true);
        if (!said) {
            m_isInterrupted = true; // Ctrl+C, which ends the command
            return;
        }
        isCopied = isYes(*said);
    }
    if (known == m_answers.cend()) {
        m_answers.append({about, isCopied});
    }
    // It may have been answered elsewhere meanwhile, which is as good.
    m_session.client().call<api::AnswerCopy>({job.uuid, isCopied}, this, [](const Result<bool> &) {});
}

} // namespace trainyard::cli
