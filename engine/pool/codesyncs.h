// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/codesync.h"
#include "engine/pool/codeservice.h"

#include <QThreadPool>

namespace trainyard
{

// Copies code to a host before a job runs there, at the user's request, and finds out what the host lacks. The clients
// that wait for it get the result; a copy ends when no client waits for it any longer.
class CodeSyncs : public QObject
{
    Q_OBJECT
public:
    CodeSyncs(const AgentFolders &folders, const HostPool &hosts, CodeService &code);
    ~CodeSyncs() override;

    using Answer = std::function<void(const Result<api::FolderSynced> &)>;
    void sync(const api::FolderToSync &wanted, QObject *context, const Answer &answer); // as Engine::syncCode()
    api::SyncProgress progress(const QString &id) const;

private:
    struct Running {
        api::FolderToSync wanted;
        QPointer<QObject> context;
        Answer answer;
    };
    struct Lacking; // what a host is being asked about
    Result<PoolHost *> hostOf(const api::FolderToSync &wanted) const;
    void ended(const QUuid &copy, const Result<CodeService::AheadDone> &done);
    void compare(const api::FolderToSync &wanted, QObject *context, const Answer &answer);
    void probe(const std::shared_ptr<Lacking> &lacking);
    void askMore(const std::shared_ptr<Lacking> &lacking);

    AgentFolders m_folders;
    const HostPool &m_hosts;
    CodeService &m_code;
    std::unordered_map<QUuid, Running, UuidHash> m_running; // by copy
    std::atomic<bool> m_isClosing = false;
    QThreadPool m_threads;
};

} // namespace trainyard
