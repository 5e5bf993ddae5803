// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codecopy.h"

#include "engine/contract/datatree.h"
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
// A larger one is worth the round trips and the reading by which its part is continued.
constexpr qint64 continuedBytes = 1 << 20;
constexpr int mostParts = 3; // of one entry
constexpr int mostTrees = 3; // one that another engine has removed before it was used is sent again
constexpr int mostRounds = 1000;
constexpr int mostSnapshots = 5; // of a folder that changes while it is sent

// A part of a small file vanishes when another engine tidies up there meanwhile.
bool isOfBusyHost(const contract::Failure &why)
{
    const bool isSwept = why.code == "put.failed" && why.systemError == ENOENT;
    return why.code == "code.host-failed" || isSwept || contract::isPassing(why.systemError);
}

// The part of a large one is not what it was: it was removed, or something else is in its place.
bool isOfLostPart(int error) { return error == ENOENT || error == EINVAL || error == EBADMSG; }

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
    m_treesSent = 0;
    m_isOriginSent = false;
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
    } else if (reply.state == "unknown" && m_treesSent < mostTrees) {
        ++m_treesSent;
        m_missing = {ofTree};
        sendMore();
    } else if (reply.state == "missing" && !reply.missing.empty()) {
        m_treesSent = 0; // a removal meanwhile makes it unknown again
        takeMissing(reply.missing);
    } else {
        failOnHost(reply.about, reply.systemError != 0 ? reply.systemError : EIO);
    }
}

void CodeCopy::takeMissing(const std::vector<int> &missing)
{
    m_missing.clear();
    for (const int index : missing) {
        const bool isEntry = index >= 0 && std::size_t(index) < m_snapshot->entries.size();
        if (!isEntry || m_snapshot->entries[std::size_t(index)].content.empty()) {
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
    m_offset = m_ofPart = 0;
    m_parts = 0;
    m_isPart = m_isPartLost = false;
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
    m_isPart = m_length > continuedBytes;
    if (m_isPart) {
        beginPart();
    }
    return true;
}

contract::StorePiece CodeCopy::stepOf(const char *step) const
{
    const contract::CodeEntry &entry = m_snapshot->entries[std::size_t(m_entry)];
    const std::string place = placeOf(m_entry);
    contract::StorePiece request;
    request.step = step;
    request.path = contract::dataContentName(entry.content);
    request.dir = place.substr(0, place.size() - request.path.size() - 1);
    request.size = std::uint64_t(m_length);
    request.content = entry.content;
    request.writer = m_wanted.engine.toStdString();
    return request;
}

void CodeCopy::storeStep(const char *step, const std::function<void(const contract::Stored &)> &answer)
{
    m_isStepOpen = true;
    request(stepOf(step), [this, answer](const contract::Message &said) {
        m_isStepOpen = false;
        const auto *stored = std::get_if<contract::Stored>(&said);
        const int error = stored ? stored->systemError : EPROTO;
        if (error == 0) {
            answer(*stored);
        } else if (isOfLostPart(error)) {
            beginPartAnew();
        } else {
            failPart(error);
        }
    });
}

void CodeCopy::failPart(int error)
{
    if (error == ENOSPC || error == EDQUOT) {
        request(stepOf("drop"), [](const contract::Message &) {}); // others need the room until somebody has made some
    }
    if (!m_isOver) {
        m_passing = contract::isPassing(error) ? Passing::Busy : Passing::No;
        failOnHost(placeOf(m_entry), error);
    }
}

void CodeCopy::beginPart()
{
    ++m_parts;
    storeStep("begin", [this](const contract::Stored &there) {
        if (there.bytes > std::uint64_t(m_length)) {
            failOnHost(placeOf(m_entry), EBADMSG);
            return;
        }
        m_offset = m_ofPart = qint64(there.bytes);
        m_found += m_offset;
        if (!m_source->seek(m_offset)) {
            restart();
            return;
        }
        Q_EMIT progressed();
        sendMore();
    });
}

// Once all its pieces are answered. The host compares the whole with the name of the content.
void CodeCopy::placePart()
{
    if (!isSame(m_snapshot->code.files.at(m_entry))) {
        restart();
        return;
    }
    storeStep("place", [this](const contract::Stored &) {
        m_source.reset();
        sendMore();
    });
}

// What was there of it was not the beginning of this content, or has gone.
void CodeCopy::beginPartAnew()
{
    m_isPartLost = false;
    m_found -= std::exchange(m_ofPart, 0);
    if (m_parts >= mostParts) {
        failOnHost(placeOf(m_entry), EIO);
        return;
    }
    beginPart();
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
    // openNext() may open a part, which waits for an answer.
    while (!m_isAsking && !m_isRestarting && !m_isStepOpen && !m_isOver && m_open.size() < m_mostOpen && openNext()) {
        const bool isEnd = m_isPart && (m_isPartLost || m_offset == m_length);
        if (m_isStepOpen || (isEnd && !m_open.empty())) {
            return;
        }
        if (isEnd && m_isPartLost) {
            beginPartAnew();
        } else if (isEnd) {
            placePart();
        } else {
            sendPiece();
        }
    }
    const bool isWaiting = m_isAsking || m_isRestarting || m_isStepOpen || m_isOver;
    if (!isWaiting && !m_source && m_missing.isEmpty() && m_open.empty()) {
        ask();
    }
}

void CodeCopy::sendPiece()
{
    const QByteArray piece = m_source->read(std::min(codePieceBytes, m_length - m_offset));
    const bool isLast = m_offset + piece.size() == m_length;
    // A file that changes while it is read would be stored under the name of other contents.
    const bool isOld = isLast && m_entry >= 0 && !isSame(m_snapshot->code.files.at(m_entry));
    if ((piece.isEmpty() && !isLast) || isOld) {
        restart();
        return;
    }
    const qint64 bytes = m_entry < 0 ? 0 : piece.size();
    m_open.push_back(m_clock.elapsed());
    if (m_isPart) {
        contract::StorePiece part = stepOf("add");
        part.offset = std::uint64_t(m_offset);
        part.bytes = piece.toStdString();
        m_offset += piece.size();
        request(part, [this, bytes, entry = m_entry, snapshot = m_snapshots](const contract::Message &said) {
            const auto *stored = std::get_if<contract::Stored>(&said);
            const int error = stored ? stored->systemError : EPROTO;
            const bool isOfThis = m_entry == entry && m_snapshots == snapshot && m_source;
            if (isOfThis && isOfLostPart(error)) {
                m_isPartLost = true;
            } else if (error != 0 && isOfThis) {
                failPart(error);
                return;
            }
            m_sent += bytes;
            m_ofPart += isOfThis ? bytes : 0;
            noteAnswer();
        });
        return;
    }
    contract::Put put;
    put.path = placeOf(m_entry);
    put.offset = std::uint64_t(m_offset);
    put.last = isLast;
    put.isAnswered = true;
    m_offset += piece.size();
    request(
        put,
        [this, bytes](const contract::Message &) {
            m_sent += bytes;
            noteAnswer();
        },
        piece.toStdString());
    if (isLast) {
        m_source.reset();
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
    if (m_source && m_isPart) {
        m_found -= std::exchange(m_ofPart, 0);
        request(stepOf("drop"), [](const contract::Message &) {}); // of bytes of two versions
        if (m_isOver) {
            return; // the host was removed
        }
    }
    m_source.reset();
    m_missing.clear();
    m_wantedBytes = bytesDone();
    if (m_snapshots >= mostSnapshots) {
        fail({u"code.changes"_s, {{u"folder"_s, m_snapshot->code.folder}}});
        return;
    }
    m_isRestarting = true;
    m_wanted.take(true);
}

} // namespace trainyard
