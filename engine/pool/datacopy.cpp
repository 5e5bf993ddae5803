// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/datacopy.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/passingerrors.h"
#include "engine/pool/sharedfolder.h"

#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cerrno>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int mostDataRounds = 1000, mostDataSnapshots = 5, mostVainRounds = 2, mostBusyData = 30;
constexpr int busyDataPauseMs = 1000;
constexpr qint64 treePieceBytes = 256 << 10;

// The messages to users when contents cannot be copied.
Error dataError(const Error &why)
{
    const QString reason = why.args.value("reason"_L1).toString();
    if (why.code == "results.no-room"_L1) {
        return {u"data.no-room"_s, {}};
    }
    if (why.code == "results.unreadable"_L1) {
        return {u"data.unreadable"_s, why.args};
    }
    if (why.code == "results.folder-unwritable"_L1) {
        return {u"data.unwritable"_s, {{u"path"_s, why.args.value("folder"_L1)}, {u"reason"_s, reason}}};
    }
    if (why.code == "results.not-writable"_L1) {
        return {u"data.unwritable"_s, why.args};
    }
    if (why.code == "results.host-failed"_L1) {
        return {u"data.host-failed"_s, why.args};
    }
    return why;
}

Error failedAt(const std::string &path, int error)
{
    return {
        u"data.host-failed"_s, {{u"path"_s, QFile::decodeName(path.c_str())}, {u"reason"_s, qt_error_string(error)}}};
}

} // namespace

DataCopy::DataCopy(AgentConnection *here, AgentConnection *there, Wanted wanted, QObject *parent)
    : QObject(parent), m_here(here), m_there(there), m_wanted(std::move(wanted))
{
}

std::string DataCopy::root() const
{
    if (!m_wanted.cache.isEmpty()) {
        return pathBytes(m_wanted.cache);
    }
    return m_there ? m_there->hello().stateFolder : std::string();
}

QString DataCopy::tree() const { return m_snapshot ? QString::fromLatin1(m_snapshot->tree) : QString(); }

void DataCopy::request(const contract::Message &message, const std::function<void(const contract::Message &)> &answer,
    const std::string &payload)
{
    if (!m_there) {
        fail({u"host.gone"_s, {}});
        return;
    }
    m_there->request(
        message,
        [self = QPointer<DataCopy>(this), answer](const contract::Message &said) {
            if (!self || self->m_isOver) {
                return;
            }
            const auto *failure = std::get_if<contract::Failure>(&said);
            if (!failure) {
                answer(said);
            } else if (failure->code == "host.gone") {
                self->fail({u"host.gone"_s, {}});
            } else {
                self->fail(failedAt(failure->argument, failure->systemError));
            }
        },
        payload);
}

void DataCopy::start()
{
    if (m_isOver) {
        return;
    }
    if (!m_wanted.data.isCopied) {
        ask();
    } else if (!m_wanted.cache.isEmpty() && m_here == m_there) {
        askForPlace(true); // it may be large, and is not read for nothing
    } else {
        m_wanted.take();
    }
}

void DataCopy::cancel(Part part)
{
    m_isOver = true;
    if (m_bringer) {
        m_bringer->disconnect(this);
        m_bringer->cancel(part == Part::Drop ? FileBringer::Part::Drop : FileBringer::Part::Keep);
    }
}

void DataCopy::finish(const QString &place)
{
    m_isOver = true;
    Q_EMIT done(place);
}

void DataCopy::fail(const Error &why)
{
    if (!m_isOver) {
        cancel(Part::Keep);
        Q_EMIT failed(why);
    }
}

void DataCopy::setSnapshot(const Snapshot &snapshot)
{
    m_snapshot = snapshot;
    m_isTreeSent = false;
    m_missingBytes = -1;
    m_sources.clear();
    if (const QString &sum = m_wanted.data.sum; !sum.isEmpty() && snapshot->sum != sum) {
        fail({u"data.wrong-sum"_s,
            {{u"path"_s, m_wanted.data.path}, {u"sum"_s, snapshot->sum}, {u"wanted"_s, sum}, {u"isHere"_s, true}}});
        return;
    }
    if (m_snapshots++ == 0) {
        probe();
    } else {
        ask();
    }
}

void DataCopy::askForPlace(bool isCounted)
{
    contract::Data look;
    look.path = pathBytes(m_wanted.data.path);
    look.cache = pathBytes(m_wanted.cache);
    look.sum = isCounted ? m_wanted.data.sum.toStdString() : std::string();
    request(look, [this](const contract::Message &said) {
        const auto *reply = std::get_if<contract::DataReply>(&said);
        if (reply && reply->state == "ready") {
            m_snapshot.reset(); // nothing of it is held there
            finish(m_wanted.data.path);
        } else if (!m_snapshot) {
            m_wanted.take(); // which finds out what is wrong with it, too
        } else {
            ask();
        }
    });
}

// Whether the host has the same data by a shared file system, and may read it.
void DataCopy::probe()
{
    if (m_here == m_there) {
        ask(); // it was asked before
        return;
    }
    std::vector<contract::DataFile> files = m_snapshot->files.files;
    std::erase_if(files, [](const contract::DataFile &file) { return !file.target.empty(); });
    const auto count = std::ptrdiff_t(std::min(std::size_t(sharedfolder::probedFiles), files.size()));
    std::partial_sort(files.begin(), files.begin() + count, files.end(),
        [](const contract::DataFile &a, const contract::DataFile &b) { return a.changedNs > b.changedNs; });
    QStringList paths;
    for (auto file = files.begin(); file != files.begin() + count; ++file) {
        paths.append(QFile::decodeName((m_snapshot->files.folder + '/' + file->path).c_str()));
    }
    if (paths.isEmpty()) {
        ask();
        return;
    }
    const sharedfolder::Probe shared(paths);
    request(shared.look(), [this, shared](const contract::Message &seen) {
        if (!shared.isSameHere(seen)) {
            ask();
            return;
        }
        askForPlace(false); // its sum has been compared
    });
}

void DataCopy::ask()
{
    if (++m_rounds > mostDataRounds) {
        fail(failedAt(contract::dataFolder(root()), EIO));
        return;
    }
    contract::Data question;
    question.limitBytes = m_wanted.limitBytes;
    if (m_wanted.data.isCopied) {
        question.tree = m_snapshot->tree.toStdString();
        question.cache = pathBytes(m_wanted.cache);
        question.job = m_wanted.job.toStdString();
        question.engine = m_wanted.engine.toStdString();
    } else {
        question.path = pathBytes(m_wanted.data.path);
        question.sum = m_wanted.data.sum.toStdString();
    }
    request(question, [this](const contract::Message &said) {
        if (const auto *reply = std::get_if<contract::DataReply>(&said)) {
            takeReply(*reply);
        }
    });
}

void DataCopy::takeReply(const contract::DataReply &reply)
{
    const QString &path = m_wanted.data.path;
    const bool isElsewhere = m_wanted.data.isCopied && !reply.place.starts_with(root() + '/');
    if (reply.state == "ready" && isElsewhere) { // a helper of a former version, which knows no shared copies
        fail(failedAt(reply.place, EPROTO));
    } else if (reply.state == "ready") {
        const bool isInside = m_wanted.data.isCopied && m_snapshot->files.isFile;
        finish(
            QFile::decodeName((isInside ? reply.place + '/' + m_snapshot->entries.front().path : reply.place).c_str()));
    } else if (reply.state == "busy" && ++m_busyAnswers <= mostBusyData) {
        QTimer::singleShot(busyDataPauseMs, this, [this] {
            if (!m_isOver) {
                ask();
            }
        });
    } else if (reply.state == "unknown" && m_wanted.data.isCopied && !m_isTreeSent) {
        m_isTreeSent = true;
        putTree(0);
    } else if (reply.state == "missing" && m_wanted.data.isCopied && !reply.missing.empty()) {
        m_isTreeSent = false; // a removal meanwhile makes it unknown again
        bring(reply);
    } else if (reply.state == "absent") {
        fail({u"data.missing"_s, {{u"path"_s, path}}});
    } else if (reply.state == "unreadable" && contract::isPassing(reply.systemError)) {
        fail(failedAt(reply.about, reply.systemError));
    } else if (reply.state == "unreadable") {
        fail({u"data.unreadable"_s,
            {{u"path"_s, QFile::decodeName(reply.about.c_str())}, {u"reason"_s, qt_error_string(reply.systemError)}}});
    } else if (reply.state == "other") {
        fail({u"data.wrong-sum"_s,
            {{u"path"_s, path}, {u"sum"_s, QString::fromStdString(reply.sum)}, {u"wanted"_s, m_wanted.data.sum}}});
    } else if (reply.state == "full") {
        fail({u"data.too-big"_s, {{u"bytes"_s, qint64(reply.bytes)}, {u"limitBytes"_s, m_wanted.limitBytes}}});
    } else if (reply.state == "no-room") {
        fail({u"data.no-room"_s, {{u"bytes"_s, qint64(reply.bytes)}}});
    } else {
        fail(failedAt(reply.about, reply.systemError != 0 ? reply.systemError : EBUSY));
    }
}

void DataCopy::putTree(qint64 offset)
{
    const QByteArray piece = m_snapshot->text.mid(offset, treePieceBytes);
    contract::Put put;
    put.path = contract::dataTreePath(root(), m_snapshot->tree.toStdString());
    put.offset = std::uint64_t(offset);
    put.last = offset + piece.size() == m_snapshot->text.size();
    put.isAnswered = true;
    request(
        put,
        [this, next = offset + piece.size(), isLast = put.last](const contract::Message &) {
            if (isLast) {
                ask();
            } else {
                putTree(next);
            }
        },
        piece.toStdString());
}

BringFile DataCopy::sourceOf(const QString &contentName) const
{
    const auto found = m_sources.constFind(contentName);
    if (found == m_sources.cend()) {
        return {};
    }
    const contract::DataFile &file = m_snapshot->files.files[std::size_t(*found)];
    return {QString::fromStdString(file.path), qint64(file.bytes), file.changedNs};
}

// A content by the file here that has it: another one by now is not that content.
FileBringer::Read DataCopy::reading()
{
    const QString folder = QFile::decodeName(m_snapshot->files.folder.c_str());
    return [this, folder](const QString &name, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
        const BringFile source = sourceOf(name);
        agentfiles::read(
            m_here, folder, source.path, offset, bytes, this, [source, answer](const Result<BringPiece> &piece) {
                const bool isVanished = !piece && piece.error().code == "results.vanished"_L1;
                if (isVanished || (piece && (piece->size != source.bytes || piece->changedNs != source.changedNs))) {
                    answer(trainyard::fail(u"data.changes"_s, {{u"path"_s, source.path}}));
                } else if (piece) {
                    answer(BringPiece{piece->bytes, piece->size, contract::dataChangedNs});
                } else {
                    answer(piece);
                }
            });
    };
}

void DataCopy::dropBringer(FileBringer::Part part)
{
    if (m_bringer) {
        m_doneBefore += m_bringer->bytesDone();
        m_bringer->disconnect(this);
        m_bringer->cancel(part);
        m_bringer.release()->deleteLater(); // it may be the caller of this
    }
}

void DataCopy::bring(const contract::DataReply &reply)
{
    // A file system that does not keep its data would get the same data forever.
    if (m_missingBytes >= 0 && reply.bytes >= m_missingBytes && ++m_vainRounds > mostVainRounds) {
        fail(failedAt(contract::dataContentsFolder(root()), EIO));
        return;
    }
    m_missingBytes = reply.bytes;
    FileBringer::Wanted wanted;
    for (const int index : reply.missing) {
        if (index < 0 || std::size_t(index) >= m_snapshot->entries.size()) {
            fail(failedAt(contract::dataFolder(root()), EBADMSG));
            return;
        }
        const contract::CodeEntry &entry = m_snapshot->entries[std::size_t(index)];
        const QString name = QString::fromStdString(contract::dataContentName(entry.content));
        m_sources.insert(name, index);
        wanted.files.append({name, qint64(entry.bytes), contract::dataChangedNs});
    }
    wanted.read = reading();
    const QString folder = QFile::decodeName(m_snapshot->files.folder.c_str());
    auto sink = std::make_unique<AgentSink>(m_there, QFile::decodeName(contract::dataContentsFolder(root()).c_str()),
        [this, folder](const BringFile &file, const BringSink::Answer<quint64> &answer) {
            agentfiles::sum(m_here, folder, sourceOf(file.path), this, answer);
        });
    dropBringer(FileBringer::Part::Keep); // of the round before
    m_wantedBytes = m_doneBefore + reply.bytes;
    m_bringer = std::make_unique<FileBringer>(std::move(sink), std::move(wanted));
    connect(m_bringer.get(), &FileBringer::progressed, this, &DataCopy::progressed);
    connect(m_bringer.get(), &FileBringer::failed, this, [this](const Error &why) {
        if (why.code == "results.changes"_L1) { // its sums differed again and again
            restart();
        } else {
            fail(dataError(why));
        }
    });
    connect(m_bringer.get(), &FileBringer::ended, this, [this](const Error &why) {
        if (why.code.isEmpty()) {
            ask();
        } else if (why.code == "data.changes"_L1) {
            restart();
        } else {
            fail(dataError(why));
        }
    });
    m_bringer->start();
}

// The data has changed since the snapshot: what was sent of others does no harm.
void DataCopy::restart()
{
    if (m_snapshots >= mostDataSnapshots) {
        fail({u"data.changes"_s, {{u"path"_s, m_wanted.data.path}}});
        return;
    }
    dropBringer(FileBringer::Part::Drop);
    m_wanted.take();
}

} // namespace trainyard
