// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/secretkeeper.h"
#include "engine/pool/livetry.h"
#include "engine/pool/sshkeys.h"

#include <QSet>

namespace trainyard
{

// The keys of jobs whose tasks log in to each other: while one is made, the tasks of its job wait. It is kept like a
// secret of the job, so that tasks which start after a restart of the engine have the same.
class JobSshKeys : public QObject
{
    Q_OBJECT
public:
    JobSshKeys(SecretKeeper &secrets, const QString &runtimeFolder) : m_secrets(secrets), m_runtimeFolder(runtimeFolder)
    {
    }
    // Whether the try cannot be launched yet; made() names it again.
    bool isAwaited(const ActiveJob &job, const QUuid &tryUuid);
    struct Pair {
        QByteArray privateKey, publicKey;
        QString problem; // code: why there is none
    };
    Pair pairOf(const QUuid &job);
    void forget(const QUuid &job);

Q_SIGNALS:
    void made(const QUuid &job, const QSet<QUuid> &tries); // or it cannot be made: pairOf() says why

private:
    struct Wait {
        std::unique_ptr<SshKeyMaker> maker;
        QSet<QUuid> tries; // that wait for it
        std::optional<Value> pair;
        QString problem;
    };
    void keyMade(const QUuid &job, const Result<SshKeyPair> &pair);

    SecretKeeper &m_secrets;
    QString m_runtimeFolder;
    std::unordered_map<QUuid, Wait, UuidHash> m_waits; // by job
};

} // namespace trainyard
