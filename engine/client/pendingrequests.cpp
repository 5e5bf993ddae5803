// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/pendingrequests.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{

const PendingRequest *PendingRequests::find(qint64 id) const
{
    const auto found = m_sent.constFind(id);
    return found == m_sent.cend() ? nullptr : &*found;
}

bool PendingRequests::isAnyAwaited() const
{
    return std::any_of(m_sent.cbegin(), m_sent.cend(), [](const PendingRequest &each) { return !each.isOwn; });
}

void PendingRequests::dropOwn()
{
    m_sent.removeIf([](const QHash<qint64, PendingRequest>::iterator &it) { return it->isOwn; });
}

void PendingRequests::clear()
{
    m_sent.clear();
    m_queue.clear();
}

void PendingRequests::failAll(const Error &why, bool comesBack)
{
    QList<PendingRequest> all;
    for (auto it = m_sent.begin(); it != m_sent.end();) {
        if (it->isOwn) {
            ++it;
            continue;
        }
        all.append(it.value());
        it = m_sent.erase(it);
    }
    const qsizetype sent = all.size();
    if (why.code != "engine.gone"_L1 || !comesBack) {
        for (const Queued &each : std::as_const(m_queue)) {
            all.append(each.who);
        }
        m_queue.clear();
    }
    const QString ofSent = why.code == "engine.gone"_L1 ? u"engine.submit-unknown"_s
        : why.code == "engine.not-answering"_L1         ? u"engine.submit-unanswered"_s
                                                        : why.code;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const PendingRequest &each = all.at(i);
        if (each.context && each.reply) {
            each.reply(fail(each.isSubmission && i < sent ? ofSent : why.code, why.args));
        }
    }
}

} // namespace trainyard
