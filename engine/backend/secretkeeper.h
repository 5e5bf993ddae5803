// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"

#include <QMap>
#include <QSet>
#include <QString>
#include <QUuid>

#include <optional>

namespace trainyard
{

// Secrets of the jobs that are not final: in memory, and in a 0600 file on what statfs says is tmpfs, so that they
// outlive the daemon but never reach a disk. Without a tmpfs: memory only.
class SecretKeeper
{
public:
    explicit SecretKeeper(const QString &runtimeFolder = {});
    void keep(const QUuid &job, const Value &secrets);
    std::optional<Value> secretsOf(const QUuid &job);
    void forget(const QUuid &job);
    // Forgets what the folder has of any other: of jobs that ended just before a daemon was killed. Does nothing in a
    // folder that other daemons of this user may use as well.
    void forgetOthers(const QSet<QUuid> &jobs);
    QString folder() const { return m_folder; } // empty: memory only

private:
    QString fileOf(const QUuid &job) const;
    QString m_folder;
    bool m_isOwn = false; // no other daemon's
    QMap<QUuid, Value> m_known;
};

} // namespace trainyard
