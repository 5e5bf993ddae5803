// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskpull.h"

#include "engine/api/calls.h"
#include "engine/client/engineclient.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Apart from the engine, which may bring the same files, and from other copies of this process.
QString nextWriter()
{
    static int copies = 0;
    return u'p' + QString::number(QCoreApplication::applicationPid()) + u'x' + QString::number(++copies);
}

// The engine knew the job when this began.
Error whyEnded(const Error &why) { return why.code == "job.unknown"_L1 ? Error{u"results.job-removed"_s, {}} : why; }

} // namespace

TaskPull::TaskPull(EngineClient &client, Wanted wanted, QObject *parent)
    : QObject(parent), m_client(client), m_wanted(std::move(wanted)), m_disk(std::make_unique<BringDisk>())
{
}

TaskPull::~TaskPull()
{
    m_bringer.reset();
    m_disk.reset();
}

void TaskPull::look()
{
    m_client.call<api::ListTaskFiles>(
        {m_wanted.job, m_wanted.role, m_wanted.index, m_wanted.globs, m_wanted.madeOnly, m_wanted.attempt}, this,
        [this](const Result<api::TaskFileList> &found) {
            if (m_isOver) {
                return;
            }
            if (!found) {
                m_isOver = true;
                Q_EMIT ended(whyEnded(found.error()));
                return;
            }
            take(*found);
        });
}

std::optional<Error> TaskPull::unreadable() const
{
    return m_found.unreadable.isEmpty() ? std::nullopt
                                        : std::optional(Error{u"results.unreadable"_s,
                                            {{u"path"_s, m_found.unreadable}, {u"reason"_s, m_found.unreadableWhy}}});
}

void TaskPull::take(const api::TaskFileList &found)
{
    m_found = found;
    QList<BringFile> files;
    for (const api::TaskFile &file : found.files) {
        files.append({file.path, file.bytes, file.changedNs, file.isExecutable});
    }
    m_disk->run(this, [this, files, to = m_wanted.to] {
        BringBook book = bringing::readBook(to);
        bringing::dropMissing(to, book);
        bringing::addFound(to, files, book);
        return [this, files, book, hadBook = QFileInfo::exists(bringing::bookFile(to))] {
            if (m_isOver) {
                return;
            }
            m_hadBook = hadBook;
            m_book = book;
            m_plan = planOf(files, m_wanted.globs, book, m_wanted.order, {});
            Q_EMIT looked();
        };
    });
}

QString TaskPull::newBook() const
{
    const QString file = bringing::bookFile(m_wanted.to);
    return !m_hadBook && m_filesDone > 0 && QFileInfo::exists(file) ? file : QString();
}

void TaskPull::bring()
{
    auto read = [this](const QString &path, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
        m_client.call<api::ReadTaskFile>(
            {m_wanted.job, m_wanted.role, m_wanted.index, path, offset, bytes, m_wanted.attempt}, this,
            [answer](const Result<api::FilePiece> &piece) {
                if (piece) {
                    answer(BringPiece{QByteArray::fromBase64(piece->base64.toLatin1()), piece->size, piece->changedNs});
                } else {
                    answer(tl::unexpected<Error>(piece.error()));
                }
            });
    };
    if (m_wanted.isOurs) {
        m_disk->run(this, [folder = QFileInfo(m_wanted.to).path()] {
            bringing::hideFromGit(folder);
            return [] {};
        });
    }
    m_bringer = std::make_unique<FileBringer>(*m_disk,
        FileBringer::Wanted{
            read, m_wanted.to, m_plan.files, m_book, m_wanted.order, 0, -1, nextWriter(), m_found.host});
    connect(m_bringer.get(), &FileBringer::progressed, this, &TaskPull::progressed);
    connect(m_bringer.get(), &FileBringer::failed, this, &TaskPull::leftOut);
    connect(m_bringer.get(), &FileBringer::brought, this,
        [this](const QString &path, const KnownFile &known, bool isBeside) {
            ++m_filesDone;
            const bool isNewlyKept = !known.kept.isEmpty() && known.kept != m_book.value(path).kept;
            m_book.insert(path, known);
            Q_EMIT brought(path, known.name, isBeside);
            if (isNewlyKept) {
                Q_EMIT kept(path, known.kept.constLast());
            }
        });
    connect(m_bringer.get(), &FileBringer::ended, this, [this](const Error &ending) {
        const Error why = whyEnded(ending);
        m_isOver = true;
        if (!why.code.isEmpty()) {
            m_bringer->dropPart(); // another copy would not know it
        }
        if (m_filesDone == 0) {
            Q_EMIT ended(why);
            return;
        }
        m_disk->run(this, [this, why, to = m_wanted.to, book = m_book] {
            bringing::writeBook(to, book);
            return [this, why] { Q_EMIT ended(why); };
        });
    });
    m_bringer->start();
}

void TaskPull::cancel()
{
    if (m_bringer && !m_isOver) {
        m_bringer->disconnect(this);
        m_bringer->cancel(FileBringer::Part::Drop);
        if (m_filesDone > 0) {
            m_disk->run(this, [to = m_wanted.to, book = m_book] {
                bringing::writeBook(to, book);
                return [] {};
            });
        }
    }
    m_isOver = true;
}

void TaskPull::retire()
{
    cancel();
    m_disk->run(this, [this] { return [this] { deleteLater(); }; });
}

} // namespace trainyard
