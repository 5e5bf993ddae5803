// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codesyncs.h"

#include "engine/client/paths.h"
#include "engine/pool/codeplaces.h"
#include "engine/pool/hostanswer.h"
#include "engine/pool/sharedfolder.h"
#include "model/base/threads.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype askedAtOnce = 200; // paths, which a message has room for
constexpr int mostAsked = 8; // messages without an answer

} // namespace

struct CodeSyncs::Lacking {
    api::FolderToSync wanted;
    QPointer<QObject> context;
    QPointer<AgentConnection> agent;
    Answer answer;
    api::FolderSynced found;
    CodeFiles code;
    QList<std::pair<QString, qint64>> contents; // paths there and sizes, each once
    qsizetype next = 0;
    int open = 0;
    bool isOver = false;

    void end(const Result<api::FolderSynced> &result)
    {
        if (!std::exchange(isOver, true) && context) {
            answer(result);
        }
    }
};

CodeSyncs::CodeSyncs(const AgentFolders &folders, const HostPool &hosts, CodeService &code)
    : m_folders(folders), m_hosts(hosts), m_code(code)
{
    m_threads.setMaxThreadCount(1); // it is the disk that counts
    connect(&m_code, &CodeService::aheadEnded, this, &CodeSyncs::ended);
}

CodeSyncs::~CodeSyncs()
{
    m_isClosing = true;
    m_threads.clear();
    m_threads.waitForDone();
}

Result<PoolHost *> CodeSyncs::hostOf(const api::FolderToSync &wanted) const
{
    PoolHost *host = m_hosts.find(wanted.host);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, wanted.host}});
    }
    if (host->isLocal()) {
        return fail(u"code.is-here"_s);
    }
    if (!host->agent->isOnline()) {
        return fail(u"code.host-away"_s, {{u"host"_s, host->id}});
    }
    if (!wanted.folder.startsWith(u'/') || !QFileInfo(wanted.folder).isDir()) {
        return fail(u"code.folder-missing"_s, {{u"folder"_s, wanted.folder}});
    }
    if (!mayBeCopied(wanted.folder, {m_folders.local().state(), paths::runtimeFolder(), paths::configFolder()})) {
        return fail(u"code.not-copied"_s, {{u"folder"_s, wanted.folder}});
    }
    return host;
}

void CodeSyncs::sync(const api::FolderToSync &given, QObject *context, const Answer &answer)
{
    api::FolderToSync wanted = given;
    wanted.folder = QDir::cleanPath(wanted.folder);
    if (const Result<PoolHost *> host = hostOf(wanted); !host) {
        answer(tl::unexpected<Error>(host.error()));
        return;
    }
    if (wanted.isDry) {
        compare(wanted, context, answer);
        return;
    }
    const QUuid copy = m_code.copyAhead({wanted.folder, wanted.host, wanted.without, wanted.isAllowed});
    m_running[copy] = {wanted, context, answer};
    connect(context, &QObject::destroyed, this, [this, copy] {
        if (m_running.erase(copy) > 0) {
            m_code.forget(copy); // what has arrived stays there, and is not sent again
        }
    });
}

api::SyncProgress CodeSyncs::progress(const QString &id) const
{
    for (const auto &[copy, running] : m_running) {
        if (running.wanted.id == id) {
            const CodeService::Part part = m_code.progressOf(copy, running.wanted.host);
            return {part.bytes, part.ofBytes};
        }
    }
    return {};
}

void CodeSyncs::ended(const QUuid &copy, const Result<CodeService::AheadDone> &done)
{
    const auto found = m_running.find(copy);
    if (found == m_running.end()) {
        return;
    }
    const Running running = std::move(found->second);
    m_running.erase(found);
    if (!running.context) {
        return;
    }
    if (!done) {
        running.answer(tl::unexpected<Error>(done.error()));
        return;
    }
    api::FolderSynced synced;
    synced.folder = done->folder;
    synced.bytes = done->bytes;
    synced.files = done->files;
    synced.isOfGit = done->isOfGit;
    synced.isShared = !done->shared.isEmpty();
    synced.sentBytes = done->sentBytes;
    running.answer(synced);
}

// ---- what would go ----

void CodeSyncs::compare(const api::FolderToSync &wanted, QObject *context, const Answer &answer)
{
    auto lacking = std::make_shared<Lacking>();
    lacking->wanted = wanted;
    lacking->context = context;
    lacking->agent = m_hosts.find(wanted.host)->agent.get();
    lacking->answer = answer;
    threads::runOnPool(
        [this, lacking, folder = wanted.folder, without = wanted.without] {
            auto made = std::make_shared<Result<CodeSnapshot>>(
                snapshotOf(folder, {0, 0, without}, m_code.names(), &m_isClosing));
            threads::callLater(this, [this, lacking, made] {
                if (!*made) {
                    lacking->end(tl::unexpected<Error>(made->error()));
                    return;
                }
                const CodeSnapshot &snapshot = **made;
                lacking->code = snapshot.code;
                lacking->found.folder = snapshot.code.folder;
                lacking->found.bytes = snapshot.code.bytes;
                lacking->found.files = snapshot.code.files.size();
                lacking->found.isOfGit = snapshot.code.isOfGit;
                QSet<QString> known;
                const PoolHost *host = m_hosts.find(lacking->wanted.host);
                const std::string state = host ? host->agent->hello().stateFolder : std::string();
                for (const contract::CodeEntry &entry : snapshot.entries) {
                    const QString path = QString::fromStdString(contract::codeContentPath(state, entry.content));
                    if (!entry.content.empty() && !known.contains(path)) {
                        known.insert(path);
                        lacking->contents.append({path, qint64(entry.bytes)});
                    }
                }
                probe(lacking);
            });
        },
        &m_threads);
}

void CodeSyncs::probe(const std::shared_ptr<Lacking> &lacking)
{
    if (!lacking->agent) {
        lacking->end(fail(u"host.gone"_s));
        return;
    }
    const sharedfolder::Probe shared(probedPaths(lacking->code));
    lacking->agent->request(
        shared.look(), [this, lacking, shared, here = QPointer<CodeSyncs>(this)](const contract::Message &said) {
            if (!here || !std::holds_alternative<contract::Seen>(said)) {
                lacking->end(tl::unexpected<Error>(untoldBy(lacking->wanted.host, said)));
                return;
            }
            lacking->found.isShared = shared.isSameHere(said);
            if (lacking->found.isShared || lacking->contents.isEmpty()) {
                lacking->end(lacking->found);
            } else {
                askMore(lacking);
            }
        });
}

void CodeSyncs::askMore(const std::shared_ptr<Lacking> &lacking)
{
    while (
        !lacking->isOver && lacking->agent && lacking->open < mostAsked && lacking->next < lacking->contents.size()) {
        const qsizetype first = lacking->next;
        lacking->next = std::min(first + askedAtOnce, lacking->contents.size());
        QStringList paths;
        for (qsizetype i = first; i < lacking->next; ++i) {
            paths.append(lacking->contents.at(i).first);
        }
        ++lacking->open;
        lacking->agent->request(sharedfolder::lookFor(paths),
            [this, lacking, first, here = QPointer<CodeSyncs>(this), count = paths.size()](
                const contract::Message &said) {
                const auto *seen = std::get_if<contract::Seen>(&said);
                if (!here || lacking->isOver) {
                    return;
                }
                if (!seen) {
                    lacking->end(tl::unexpected<Error>(untoldBy(lacking->wanted.host, said)));
                    return;
                }
                if (seen->inodes.size() != std::size_t(count)) { // its disk does not answer
                    lacking->end(fail(u"files.silent"_s, {{u"host"_s, lacking->wanted.host}}));
                    return;
                }
                for (qsizetype i = 0; i < count; ++i) {
                    if (seen->inodes[std::size_t(i)] == 0) {
                        ++lacking->found.missingFiles;
                        lacking->found.missingBytes += lacking->contents.at(first + i).second;
                    }
                }
                --lacking->open;
                if (lacking->open == 0 && lacking->next == lacking->contents.size()) {
                    lacking->end(lacking->found);
                } else {
                    askMore(lacking);
                }
            });
    }
}

} // namespace trainyard
