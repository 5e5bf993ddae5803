// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/documentchecks.h"

#include "widgets/common/aside.h"

#include <utility>

namespace trainyard
{

void DocumentChecks::ask(QObject *asker, const DocumentQuestion &question, const Tell &tell)
{
    drop(asker);
    m_waiting.append({asker, question, tell});
    lookForNext();
}

void DocumentChecks::drop(const QObject *asker)
{
    m_waiting.removeIf([asker](const Wish &wish) { return wish.asker == asker; });
    if (m_current && m_current->asker == asker) {
        m_current->asker.clear();
    }
}

void DocumentChecks::lookForNext()
{
    m_waiting.removeIf([](const Wish &wish) { return !wish.asker; });
    if (m_current || m_waiting.isEmpty()) {
        return;
    }
    m_current = m_waiting.takeFirst();
    const DocumentAnswer former = m_answers.value(m_current->question.job.summary.uuid);
    runAside(this, [this, question = m_current->question, former]() -> std::function<void()> {
        return [this, answer = answerOf(question, former)] { take(answer); };
    });
}

void DocumentChecks::take(const DocumentAnswer &answer)
{
    const std::optional<Wish> done = std::exchange(m_current, std::nullopt);
    m_answers.insert(done->question.job.summary.uuid, answer);
    if (done->asker) {
        done->tell(answer.differs);
    }
    lookForNext();
}

} // namespace trainyard
