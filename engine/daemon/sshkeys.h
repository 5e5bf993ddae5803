// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QUuid>

#include <optional>

namespace trainyard
{

struct SshKeyPair {
    QByteArray privateKey, publicKey;
};

// A new pair for the tasks of one job, made by ssh-keygen in `folder` (private, better in memory), where nothing of it
// stays. Nothing when the program is missing or fails.
std::optional<SshKeyPair> makeSshKeyPair(const QString &folder);

// Under which the SecretKeeper has the pair of a job.
QUuid sshKeyId(const QUuid &job);

} // namespace trainyard
