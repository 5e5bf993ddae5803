// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of ssh while it connects, and the answers.
#include "engine/hosts/sshtransport.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr std::chrono::milliseconds complaintsDue(50);

// The file in "Enter passphrase for key '/home/me/.ssh/id': ".
QString keyInQuestion(const QString &prompt)
{
    const qsizetype begin = prompt.indexOf(u'\'') + 1, end = prompt.lastIndexOf(u'\'');
    return begin > 0 && end > begin ? prompt.sliced(begin, end - begin) : QString();
}

} // namespace

void SshTransport::takeQuestion(int id, const QString &prompt, const QString &kind)
{
    const auto known = m_answers.constFind(prompt);
    const bool again = m_askedBefore.contains(prompt), isFirst = m_askedBefore.isEmpty();
    m_askedBefore.insert(prompt);
    m_usedAgain = known != m_answers.cend() && !again;
    if (kind == "passphrase"_L1) {
        m_phrase = {keyInQuestion(prompt), false};
    }
    if (m_usedAgain) {
        noteAnswer(kind);
        m_askPass->answer(id, *known);
        return;
    }
    m_open.insert(id, {prompt, kind, AskPass::isLasting(kind)});
    if (isFirst) {
        Q_EMIT asked(id, prompt, kind, {});
        return;
    }
    // The result of the previous answer is in ssh's messages, which arrive separately at about the same time.
    QTimer::singleShot(complaintsDue, this, [this, id, prompt, kind] {
        if (m_open.contains(id)) {
            Q_EMIT asked(id, prompt, kind, m_trail.lockedKey());
        }
    });
}

void SshTransport::noteAnswer(const QString &kind)
{
    if (kind == "passphrase"_L1) {
        m_phrase.isGiven = true;
    } else {
        m_isPasswordGiven = m_isPasswordGiven || kind != "hostKey"_L1;
    }
}

void SshTransport::answer(int id, const QString &text)
{
    if (m_open.contains(id)) {
        const Asked question = m_open.take(id);
        noteAnswer(question.kind);
        if (question.isLasting) {
            m_answers.insert(question.prompt, text);
        }
        m_askPass->answer(id, text);
    }
}

void SshTransport::refuse(int id)
{
    if (m_open.remove(id)) {
        m_askPass->refuse(id);
    }
}

} // namespace trainyard
