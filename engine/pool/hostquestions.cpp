// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostquestions.h"

#include <QUuid>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

// Which of its connections asks makes no difference to the others: one that has been made waits for nothing.
static void setWaits(const PoolHost &of, bool waits)
{
    of.agent->setWaitsForPerson(waits);
    if (of.check) {
        of.check->setWaitsForPerson(waits);
    }
}

void HostQuestions::watch(SshTransport *transport, const QString &host)
{
    connect(transport, &SshTransport::asked, this,
        [this, host, transport](int id, const QString &prompt, const QString &kind, const QString &lockedKey) {
            if (PoolHost *of = m_find(host)) {
                ask(*of, transport, id,
                    {QUuid::createUuid().toString(QUuid::WithoutBraces), of->id, kind, prompt, lockedKey});
            } else {
                transport->refuse(id);
            }
        });
    connect(transport, &SshTransport::askedNoMore, this,
        [this, transport](int question) { askNoMore(transport, question); });
    connect(transport, &QObject::destroyed, this, [this] { askNoMore(nullptr, 0); });
}

void HostQuestions::ask(PoolHost &of, SshTransport *transport, int id, const Question &question)
{
    if (!m_canAsk) {
        transport->refuse(id);
        return;
    }
    m_open.push_back({question, transport, id});
    setWaits(of, true);
    Q_EMIT asked(question);
}

// Closes the question of this transport, or with null those of transports that are gone.
void HostQuestions::askNoMore(const SshTransport *transport, int id)
{
    QList<Question> over;
    std::erase_if(m_open, [&](const Open &open) {
        const bool isGone = open.transport.isNull() || (open.transport == transport && open.id == id);
        if (isGone) {
            over.append(open.question);
        }
        return isGone;
    });
    for (const Question &each : std::as_const(over)) {
        goOn(each.host);
        Q_EMIT gone(each.id);
    }
}

// The time that a host has to answer does not run while a person is asked: as long as one of its questions is open.
void HostQuestions::goOn(const QString &host)
{
    const bool isAsked
        = std::any_of(m_open.cbegin(), m_open.cend(), [&host](const Open &open) { return open.question.host == host; });
    const PoolHost *of = isAsked ? nullptr : m_find(host);
    if (of) {
        setWaits(*of, false);
    }
}

Result<bool> HostQuestions::answer(const QString &id, const std::optional<QString> &text)
{
    const auto it
        = std::find_if(m_open.begin(), m_open.end(), [&](const Open &open) { return open.question.id == id; });
    if (it == m_open.end()) {
        return fail(u"question.unknown"_s, {{u"id"_s, id}});
    }
    const Open open = *it;
    m_open.erase(it);
    goOn(open.question.host);
    if (PoolHost *of = m_find(open.question.host)) {
        // A question that needs no answer cannot be refused: ssh continues until the key is touched.
        of->mayAsk = of->mayAsk && (text.has_value() || open.question.kind == "touch"_L1);
        of->isAnswered = of->isAnswered || text.has_value();
    }
    if (open.transport && text) {
        open.transport->answer(open.id, *text);
    } else if (open.transport) {
        open.transport->refuse(open.id);
    }
    Q_EMIT gone(id);
    return true;
}

QList<Question> HostQuestions::all() const
{
    QList<Question> list;
    for (const Open &open : m_open) {
        list.append(open.question);
    }
    return list;
}

void HostQuestions::setCanAsk(bool on)
{
    m_canAsk = on;
    if (on) {
        return;
    }
    // No client is left that could answer; the next one is asked again.
    for (const Open &open : std::exchange(m_open, {})) {
        goOn(open.question.host);
        if (open.transport) {
            open.transport->refuse(open.id);
        }
    }
}

} // namespace trainyard
