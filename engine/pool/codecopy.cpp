// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codecopy.h"

#include "engine/contract/passingerrors.h"
#include "engine/pool/codeplaces.h"
#include "engine/pool/sharedfolder.h"
#include "engine/pool/tryanswers.h"

#include <QBuffer>
#include <QFile>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 codePieceBytes = 32 << 10; // on a slow line a stop waits for no more than a few of them
constexpr int mostRounds = 1000;
constexpr int mostSnapshots = 5; // of a folder that changes while it is sent

bool isOfBusyHost(const contract::Failure &why)
{
    return why.code == "code.host-failed" || contract::isPassing(why.systemError);
}

} // namespace

CodeCopy::CodeCopy(AgentConnection &agent, Wanted wanted, QObject *parent)
    : QObject(parent), m_agent(&agent), m_wanted(std::move(wanted))
{
    m_clock.start();
}

void CodeCopy::request(const contract::Message &message, const std::function<void(const contract::Message &)> &answer,
    const std::string &payload)
{
    if (!m_agent) {
        fail({u"host.gone"_s, {}});
        return;
    }
    const QPointer<CodeCopy> self(this);
    m_agent->request(
        message,
        [self, answer](const contract::Message &said) {
            if (!self || self->m_isOver) {
                return;
            }
            if (const auto *failure = std::get_if<contract::Failure>(&said)) {
                if (failure->code == "host.gone") {
                    self->fail({u"host.gone"_s, {}});
                } else {
                    const bool isAway = failure->code == pool::notThere;
                    self->m_passing = isAway ? Passing::Away : isOfBusyHost(*failure) ? Passing::Busy : Passing::No;
                    self->failOnHost(failure->argument, failure->systemError);
                }
                return;
            }
            answer(said);
        },
        payload);
}

void CodeCopy::failOnHost(const std::string &path, int systemError)
{
    fail({u"code.host-failed"_s,
        {{u"path"_s, QString::fromStdString(path)}, {u"reason"_s, qt_error_string(systemError)}}});
}

void CodeCopy::fail(const Error &why)
{
    m_isOver = true;
    Q_EMIT failed(why);
}

void CodeCopy::start()
{
    if (m_wanted.folder.isEmpty()) {
        m_wanted.take(false);
        return;
    }
    // A folder that is there belongs to the job, whatever has become of the files here.
    request(contract::Code{{}, m_wanted.folder.toStdString()}, [this](const contract::Message &said) {
        const auto *reply = std::get_if<contract::CodeReply>(&said);
        if (reply && reply->state == "unknown") {
            m_wanted.take(false);
        } else if (reply && reply->state == "ready") {
            takeReply(*reply);
        } else {
            failOnHost(reply ? reply->about : std::string(), reply ? reply->systemError : EPROTO);
        }
    });
}

void CodeCopy::setSnapshot(const Snapshot &snapshot)
{
    m_snapshot = snapshot;
    m_isTreeSent = m_isOriginSent = false;
    ++m_snapshots;
    // Also of a later one: what has changed since the one before may have hidden that the folder is shared.
    lookForShared(probedPaths(m_snapshot->code), m_snapshot->code.folder, [this] { ask(); });
}

void CodeCopy::lookForShared(const QStringList &paths, const QString &folder, const std::function<void()> &isElsewhere)
{
    const sharedfolder::Probe probe(paths);
    request(probe.look(), [this, probe, folder, isElsewhere](const contract::Message &said) {
        if (probe.isSameHere(said)) {
            m_isOver = true;
            Q_EMIT done(folder);
        } else {
            isElsewhere();
        }
    });
}

void CodeCopy::ask()
{
    if (++m_rounds > mostRounds) {
        failOnHost(m_wanted.folder.toStdString(), EIO);
        return;
    }
    m_isRestarting = false;
    // Before the folder is there: after a cut, a folder that exists is not asked for.
    if (!std::exchange(m_isOriginSent, true) && !m_snapshot->origin.isEmpty() && !m_wanted.folder.isEmpty()) {
        m_missing = {ofOrigin};
        sendMore();
        return;
    }
    m_isAsking = true;
    request(
        contract::Code{m_snapshot->tree.toStdString(), m_wanted.folder.toStdString(), m_wanted.engine.toStdString()},
        [this](const contract::Message &said) {
            if (const auto *reply = std::get_if<contract::CodeReply>(&said)) {
                takeReply(*reply);
            }
        });
}

void CodeCopy::takeReply(const contract::CodeReply &reply)
{
    m_isAsking = false;
    if (reply.state == "ready") {
        m_isOver = true;
        Q_EMIT done(m_wanted.folder);
    } else if (reply.state == "unknown" && !m_isTreeSent) {
        m_isTreeSent = true;
        m_missing = {ofTree};
        sendMore();
    } else if (reply.state == "missing" && !reply.missing.empty()) {
        takeMissing(reply.missing);
    } else {
        failOnHost(reply.about, reply.systemError);
    }
}

void CodeCopy::takeMissing(const std::vector<int> &missing)
{
    m_missing.clear();
    for (const int index : missing) {
        if (index < 0 || std::size_t(index) >= m_snapshot->entries.size()) {
            failOnHost({}, EBADMSG);
            return;
        }
        m_missing.append(index);
        m_wantedBytes += m_snapshot->code.files.at(index).bytes;
    }
    Q_EMIT progressed();
    sendMore();
}

// Opens the next one that is to be sent. False: there is none, or the files here have changed.
bool CodeCopy::openNext()
{
    if (m_source || m_missing.isEmpty()) {
        return m_source != nullptr;
    }
    m_entry = m_missing.takeFirst();
    m_offset = 0;
    if (m_entry < 0) {
        auto text = std::make_unique<QBuffer>();
        text->setData(m_entry == ofTree ? m_snapshot->text : m_snapshot->origin);
        m_length = text->size();
        text->open(QIODevice::ReadOnly);
        m_source = std::move(text);
        return true;
    }
    const CodeFile &code = m_snapshot->code.files.at(m_entry);
    m_length = code.bytes;
    // By its bytes, which need not be text; what has become a pipe is not waited for.
    const int fd = ::open(pathOf(code).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    auto file = std::make_unique<QFile>();
    const bool isOpen = fd >= 0 && file->open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle);
    m_source = std::move(file);
    if (!isOpen || !isSame(code)) {
        restart();
        return false;
    }
    return true;
}

std::string CodeCopy::placeOf(int entry) const
{
    const std::string state = m_wanted.stateFolder.toStdString();
    if (entry == ofOrigin) {
        return contract::codeOriginPath(m_wanted.folder.toStdString());
    }
    return entry == ofTree ? contract::codeTreePath(state, m_snapshot->tree.toStdString())
                           : contract::codeContentPath(state, m_snapshot->entries[std::size_t(entry)].content);
}

QByteArray CodeCopy::pathOf(const CodeFile &file) const
{
    return QFile::encodeName(m_snapshot->code.folder) + '/' + file.path;
}

bool CodeCopy::isSame(const CodeFile &file) const
{
    CodeFile now;
    return now.readStatus(pathOf(file)) && now.isSameAs(file);
}

void CodeCopy::sendMore()
{
    if (m_isAsking || m_isRestarting) {
        return;
    }
    while (!m_isOver && m_open.size() < m_mostOpen && openNext()) {
        const QByteArray piece = m_source->read(std::min(codePieceBytes, m_length - m_offset));
        const bool isLast = m_offset + piece.size() == m_length;
        // A file that changes while it is read would be stored under the name of other contents.
        const bool isOld = isLast && m_entry >= 0 && !isSame(m_snapshot->code.files.at(m_entry));
        if ((piece.isEmpty() && !isLast) || isOld) {
            restart();
            return;
        }
        contract::Put put;
        put.path = placeOf(m_entry);
        put.offset = std::uint64_t(m_offset);
        put.last = isLast;
        put.isAnswered = true;
        m_offset += piece.size();
        m_open.push_back(m_clock.elapsed());
        const qint64 counted = m_entry < 0 ? 0 : piece.size();
        request(
            put,
            [this, counted](const contract::Message &) {
                m_sent += counted;
                noteAnswer();
            },
            piece.toStdString());
        if (isLast) {
            m_source.reset();
        }
    }
    if (!m_isOver && !m_isRestarting && !m_source && m_missing.isEmpty() && m_open.empty()) {
        ask();
    }
}

void CodeCopy::noteAnswer()
{
    constexpr qint64 fastMs = 250, slowMs = 1000;
    constexpr std::size_t most = 64;
    const qint64 took = m_clock.elapsed() - m_open.front();
    m_open.pop_front();
    if (took > slowMs) {
        m_mostOpen = std::max<std::size_t>(1, m_mostOpen / 2);
    } else if (took < fastMs) {
        m_mostOpen = std::min(most, m_mostOpen + 1);
    }
    Q_EMIT progressed();
    sendMore();
}

// Files have changed since the snapshot: what was sent of others does no harm.
void CodeCopy::restart()
{
    m_source.reset();
    m_missing.clear();
    m_wantedBytes = m_sent;
    if (m_snapshots >= mostSnapshots) {
        fail({u"code.changes"_s, {{u"folder"_s, m_snapshot->code.folder}}});
        return;
    }
    m_isRestarting = true;
    m_wanted.take(true);
}

} // namespace trainyard
