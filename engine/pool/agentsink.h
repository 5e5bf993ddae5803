// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringsink.h"
#include "engine/contract/bytesum.h"
#include "engine/hosts/agentconnection.h"

namespace trainyard
{

// A folder on a host, into which its agent writes the files that come. Before a file gets its name there, its sum is
// compared with that of the file where it comes from.
class AgentSink : public QObject, public BringSink
{
    Q_OBJECT
public:
    // Asks the host that has the file for its sum.
    using SumOf = std::function<void(const BringFile &file, const Answer<quint64> &answer)>;
    // `sumOf` is asked for files of which a part was there already; results.mismatch: it is another file by now.
    AgentSink(AgentConnection *agent, const QString &folder, SumOf sumOf);
    void tidy(const QList<BringFile> &) override { } // parts go with the folder of their job
    void begin(const BringFile &file, const Answer<qint64> &answer) override;
    void add(const BringFile &file, qint64 offset, const QByteArray &bytes, const Answer<void> &answer) override;
    void drop(const BringFile &file) override;
    void place(
        const BringFile &file, const std::optional<KnownFile> &former, const Answer<bringing::Placed> &answer) override;
    void link(const QString &path, const QString &target);

private:
    contract::StorePiece stepOf(const char *step, const BringFile &file) const;
    void send(const contract::StorePiece &request, const QString &path, const Answer<quint64> &answer);
    void placeWith(quint64 sum, const BringFile &file, const Answer<bringing::Placed> &answer);

    const QPointer<AgentConnection> m_agent; // null: the host was removed
    const QString m_folder;
    const SumOf m_sumOf;
    contract::ByteSum m_sum; // of what was sent of the file, from its beginning on
};

} // namespace trainyard
