// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/hosts/sshtransport.h"
#include "engine/pool/poolhost.h"

#include <QPointer>

#include <functional>

namespace trainyard
{

// The questions of ssh while hosts are being connected, for pass phrases and about keys of hosts, and the clients
// through which users answer them. `find` gives a host by its name, or null: a question may outlive it for a moment.
class HostQuestions : public QObject
{
    Q_OBJECT
public:
    explicit HostQuestions(std::function<PoolHost *(const QString &)> find) : m_find(std::move(find)) { }
    void watch(SshTransport *transport, const QString &host); // for what it asks, until it is gone
    bool canAsk() const { return m_canAsk; }
    void setCanAsk(bool on); // off: open questions are refused without informing a client
    // Without a text, the question is refused, and ssh does not ask about the host again. question.unknown {id}.
    Result<bool> answer(const QString &id, const std::optional<QString> &text);
    QList<Question> all() const;

Q_SIGNALS:
    void asked(const trainyard::Question &question);
    void gone(const QString &id); // answered, or the answer is no longer waited for

private:
    struct Open {
        Question question;
        QPointer<SshTransport> transport;
        int id = 0; // the transport's
    };
    void ask(PoolHost &host, SshTransport *transport, int id, const Question &question);
    void askNoMore(const SshTransport *transport, int id);
    void goOn(const QString &host); // one of its questions is no longer open

    std::function<PoolHost *(const QString &)> m_find;
    std::vector<Open> m_open;
    bool m_canAsk = false;
};

} // namespace trainyard
