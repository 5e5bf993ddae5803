// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/agentsink.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/passingerrors.h"

#include <cerrno>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

Error failureThere(const QString &folder, const QString &path, int error)
{
    const QJsonObject ofPath{{u"path"_s, QString(folder + u'/' + path)}, {u"reason"_s, qt_error_string(error)}};
    if (contract::isPassing(error) || error == EPROTO) {
        return {u"results.host-failed"_s, ofPath};
    }
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return {u"results.no-room"_s, {{u"folder"_s, folder}}};
    case EROFS:
    case EIO:
        return {u"results.folder-unwritable"_s, {{u"folder"_s, folder}, {u"reason"_s, qt_error_string(error)}}};
    case EBADMSG:
        return {u"results.mismatch"_s, {{u"path"_s, path}}};
    default:
        return {u"results.not-writable"_s, ofPath};
    }
}

} // namespace

AgentSink::AgentSink(AgentConnection *agent, const QString &folder, SumOf sumOf)
    : m_agent(agent), m_folder(folder), m_sumOf(std::move(sumOf))
{
}

contract::StorePiece AgentSink::stepOf(const char *step, const BringFile &file) const
{
    contract::StorePiece request;
    request.step = step;
    request.dir = pathBytes(m_folder);
    request.path = file.path.toStdString();
    request.size = std::uint64_t(file.bytes);
    request.changedNs = file.changedNs;
    return request;
}

void AgentSink::send(const contract::StorePiece &request, const QString &path, const Answer<quint64> &answer)
{
    if (!m_agent) {
        answer(fail(u"host.gone"_s));
        return;
    }
    m_agent->request(request, [self = QPointer<AgentSink>(this), path, answer](const contract::Message &said) {
        if (!self) {
            return;
        }
        if (const auto *stored = std::get_if<contract::Stored>(&said)) {
            if (stored->systemError == 0) {
                answer(quint64(stored->bytes));
            } else {
                answer(tl::unexpected<Error>(failureThere(self->m_folder, path, stored->systemError)));
            }
            return;
        }
        const auto *failure = std::get_if<contract::Failure>(&said);
        const bool isGone = failure && failure->code == "host.gone";
        const int error = failure && failure->systemError != 0 ? failure->systemError : EPROTO;
        answer(tl::unexpected<Error>(isGone ? Error{u"host.gone"_s, {}} : failureThere(self->m_folder, path, error)));
    });
}

void AgentSink::begin(const BringFile &file, const Answer<qint64> &answer)
{
    m_sum = {};
    send(stepOf("begin", file), file.path, [answer](const Result<quint64> &there) {
        if (there) {
            answer(qint64(*there));
        } else {
            answer(tl::unexpected<Error>(there.error()));
        }
    });
}

void AgentSink::add(const BringFile &file, qint64 offset, const QByteArray &bytes, const Answer<void> &answer)
{
    if (std::uint64_t(offset) == m_sum.length()) {
        m_sum.add(std::string_view(bytes.constData(), std::size_t(bytes.size())));
    }
    contract::StorePiece request = stepOf("add", file);
    request.offset = std::uint64_t(offset);
    request.bytes = bytes.toStdString();
    send(request, file.path,
        [answer](const Result<quint64> &said) { answer(said ? Result<void>() : tl::unexpected<Error>(said.error())); });
}

void AgentSink::drop(const BringFile &file)
{
    if (m_agent) {
        m_agent->request(stepOf("drop", file));
    }
}

void AgentSink::place(const BringFile &file, const std::optional<KnownFile> &, const Answer<bringing::Placed> &answer)
{
    if (m_sum.length() == std::uint64_t(file.bytes)) {
        placeWith(m_sum.value(), file, answer);
        return;
    }
    m_sumOf(file, [self = QPointer<AgentSink>(this), file, answer](const Result<quint64> &sum) {
        if (self && sum) {
            self->placeWith(*sum, file, answer);
        } else if (self) {
            answer(tl::unexpected<Error>(sum.error()));
        }
    });
}

void AgentSink::placeWith(quint64 sum, const BringFile &file, const Answer<bringing::Placed> &answer)
{
    contract::StorePiece request = stepOf("place", file);
    request.sum = sum;
    send(request, file.path, [file, answer](const Result<quint64> &said) {
        if (!said) {
            answer(tl::unexpected<Error>(said.error()));
            return;
        }
        bringing::Placed placed;
        placed.known = {file.bytes, file.changedNs, 0, file.path, file.bytes, file.changedNs};
        answer(placed);
    });
}

void AgentSink::link(const QString &path, const QString &target)
{
    if (m_agent) {
        contract::StorePiece request = stepOf("link", {path, 0, 0});
        request.target = target.toStdString();
        m_agent->request(request);
    }
}

} // namespace trainyard
