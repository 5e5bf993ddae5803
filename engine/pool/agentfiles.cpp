// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/agentfiles.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/passingerrors.h"

#include <QPointer>

#include <cerrno>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

struct Listing {
    QPointer<AgentConnection> agent;
    QPointer<QObject> context;
    contract::ListFiles request;
    QString folder;
    qsizetype most = 0;
    std::function<void(const Result<AgentFileList> &)> answer;
    std::vector<std::string> globs; // of which there are too many for one request; none: the request has them
    AgentFileList found;
};

constexpr std::size_t mostGlobBytes = contract::maxHeader / 2;

// It has no process or memory to spare, or its disk does not answer: that passes.
Error busyHost(const QString &path, int error)
{
    return {u"results.host-failed"_s, {{u"path"_s, path}, {u"reason"_s, qt_error_string(error)}}};
}

// Its file system is perhaps not mounted: what is not seen there may be there.
Error awayOnHost(const QString &path)
{
    Error why = busyHost(path, ESTALE);
    why.args.insert(agentfiles::away, true);
    return why;
}

Error failureOf(const contract::Message &said, const QString &path)
{
    const auto *failure = std::get_if<contract::Failure>(&said);
    if (failure && failure->code == "host.gone") {
        return {u"host.gone"_s, {}};
    }
    const int error = failure && failure->systemError != 0 ? failure->systemError : EPROTO;
    if (failure && failure->code == "code.host-failed") {
        return busyHost(path, error);
    }
    return {u"results.unreadable"_s, {{u"path"_s, path}, {u"reason"_s, qt_error_string(error)}}};
}

Result<contract::Piece> pieceOf(const contract::Message &said, const QString &path)
{
    const auto *piece = std::get_if<contract::Piece>(&said);
    if (!piece) {
        return tl::unexpected<Error>(failureOf(said, path));
    }
    if (piece->systemError == ENOENT) {
        return fail(u"results.vanished"_s, {{u"path"_s, path}});
    }
    if (piece->systemError == ESTALE) {
        return tl::unexpected<Error>(awayOnHost(path));
    }
    if (contract::isPassing(piece->systemError)) {
        return tl::unexpected<Error>(busyHost(path, piece->systemError));
    }
    if (piece->systemError != 0) {
        return fail(u"results.unreadable"_s, {{u"path"_s, path}, {u"reason"_s, qt_error_string(piece->systemError)}});
    }
    return *piece;
}

// Page by page, each behind the last path of the one before.
void askForPage(const std::shared_ptr<Listing> &listing)
{
    if (!listing->agent) {
        listing->answer(fail(u"host.gone"_s));
        return;
    }
    listing->agent->request(listing->request, [listing](const contract::Message &said) {
        if (!listing->context) {
            return;
        }
        const auto *page = std::get_if<contract::FileList>(&said);
        if (!page) {
            listing->answer(tl::unexpected<Error>(failureOf(said, listing->folder)));
            return;
        }
        if (page->systemError == ENOENT || page->systemError == ENOTDIR) {
            listing->answer(fail(u"results.no-folder"_s, {{u"folder"_s, listing->folder}}));
            return;
        }
        if (page->systemError == ESTALE) {
            listing->answer(tl::unexpected<Error>(awayOnHost(listing->folder)));
            return;
        }
        if (contract::isPassing(page->systemError)) {
            listing->answer(tl::unexpected<Error>(busyHost(listing->folder, page->systemError)));
            return;
        }
        if (page->systemError != 0) {
            listing->answer(fail(u"results.unreadable"_s,
                {{u"path"_s, listing->folder}, {u"reason"_s, qt_error_string(page->systemError)}}));
            return;
        }
        AgentFileList &found = listing->found;
        found.isWhole = found.isWhole && page->isWhole;
        found.links = page->links; // each page counts all
        found.others = page->others;
        found.oddNames = page->oddNames;
        found.sent = page->sent;
        found.unreadable = QString::fromStdString(page->unreadable);
        found.unreadableWhy = page->unreadableError == 0 ? QString() : qt_error_string(page->unreadableError);
        found.isUnreadableNow = contract::isPassing(page->unreadableError);
        found.inner.clear();
        for (std::size_t i = 0; i < std::min(page->linkPaths.size(), page->linkTargets.size()); ++i) {
            found.inner.append(
                {QString::fromStdString(page->linkPaths[i]), QString::fromStdString(page->linkTargets[i])});
        }
        for (const contract::FileEntry &file : page->files) {
            if (!listing->globs.empty() && !contract::matchesAnyGlob(listing->globs, file.path)) {
                continue;
            }
            found.files.append(
                {QString::fromStdString(file.path), qint64(file.bytes), qint64(file.changedNs), file.isExecutable});
        }
        const bool goesOn = page->isCut && !page->files.empty() && page->files.back().path > listing->request.after;
        if (goesOn && found.files.size() < listing->most) {
            listing->request.after = page->files.back().path;
            askForPage(listing);
            return;
        }
        if (found.files.size() > listing->most) {
            found.files.resize(listing->most);
            found.isWhole = false;
        }
        found.isWhole = found.isWhole && !page->isCut;
        listing->answer(found);
    });
}

std::shared_ptr<Listing> listingOf(AgentConnection *agent, const QString &folder, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer)
{
    auto listing = std::make_shared<Listing>();
    listing->agent = agent;
    listing->context = context;
    listing->folder = folder;
    listing->most = most;
    listing->answer = answer;
    listing->request.dir = pathBytes(folder);
    return listing;
}

// Too many globs for one request are matched here.
void setGlobs(Listing &listing, const QStringList &globs)
{
    std::size_t bytes = 0;
    for (const QString &glob : globs) {
        listing.request.globs.push_back(glob.toStdString());
        bytes += listing.request.globs.back().size() + 4;
    }
    if (bytes > mostGlobBytes) {
        listing.globs = std::exchange(listing.request.globs, {"**"});
    }
}

} // namespace

void agentfiles::list(AgentConnection *agent, const QString &folder, const QStringList &globs, qsizetype most,
    QObject *context, const std::function<void(const Result<AgentFileList> &)> &answer)
{
    const std::shared_ptr<Listing> listing = listingOf(agent, folder, most, context, answer);
    setGlobs(*listing, globs);
    askForPage(listing);
}

void agentfiles::listMade(AgentConnection *agent, const QString &folder, const QStringList &globs, qsizetype most,
    QObject *context, const std::function<void(const Result<AgentFileList> &)> &answer)
{
    const std::shared_ptr<Listing> listing = listingOf(agent, folder, most, context, answer);
    setGlobs(*listing, globs);
    listing->request.madeOnly = true;
    askForPage(listing);
}

void agentfiles::listAll(AgentConnection *agent, const QString &folder, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer)
{
    const std::shared_ptr<Listing> listing = listingOf(agent, folder, most, context, answer);
    listing->request.everything = true;
    askForPage(listing);
}

void agentfiles::sum(AgentConnection *agent, const QString &folder, const BringFile &file, QObject *context,
    const std::function<void(const Result<quint64> &)> &answer)
{
    if (!agent) {
        answer(fail(u"host.gone"_s));
        return;
    }
    contract::ReadPiece request;
    request.dir = pathBytes(folder);
    request.path = file.path.toStdString();
    request.sumOnly = true;
    agent->request(request, [here = QPointer<QObject>(context), file, answer](const contract::Message &said) {
        if (!here) {
            return;
        }
        const Result<contract::Piece> piece = pieceOf(said, file.path);
        if (!piece) {
            answer(tl::unexpected<Error>(piece.error()));
        } else if (qint64(piece->size) != file.bytes || qint64(piece->changedNs) != file.changedNs) {
            answer(fail(u"results.mismatch"_s, {{u"path"_s, file.path}}));
        } else {
            answer(quint64(piece->sum));
        }
    });
}

void agentfiles::read(AgentConnection *agent, const QString &folder, const QString &path, qint64 offset, qint64 bytes,
    QObject *context, const FileBringer::Answer &answer)
{
    if (!agent) {
        answer(fail(u"host.gone"_s));
        return;
    }
    const contract::ReadPiece request{
        pathBytes(folder), path.toStdString(), std::uint64_t(std::max<qint64>(0, offset)), bytes};
    agent->request(request, [here = QPointer<QObject>(context), path, answer](const contract::Message &said) {
        if (!here) {
            return;
        }
        const Result<contract::Piece> piece = pieceOf(said, path);
        if (piece) {
            answer(BringPiece{QByteArray::fromStdString(piece->bytes), qint64(piece->size), qint64(piece->changedNs)});
        } else {
            answer(tl::unexpected<Error>(piece.error()));
        }
    });
}

} // namespace trainyard
