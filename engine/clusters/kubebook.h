// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QList>
#include <QMap>
#include <QUuid>

namespace trainyard
{

// A JobSet that this engine makes, from before it is sent to the cluster until it is deleted there.
struct KubeEntry {
    struct Task {
        QUuid tryUuid;
        QString job; // the replicated job that it is in ...
        int number = 0; // ... and which one of it
        friend bool operator==(const Task &, const Task &) = default;
    };
    QString name;
    QString job; // UUID
    bool isTaken = false; // the cluster has said that it has it
    QList<Task> tasks = {};
    QStringList place = {}; // options that say where it was handed over, in addition to those of the target
    friend bool operator==(const KubeEntry &, const KubeEntry &) = default;
};

// One small file for each JobSet of a target: what has been handed over is known to every run of the engine.
class KubeBook
{
public:
    explicit KubeBook(const QString &folder) : m_folder(folder) { }
    struct Notes {
        QMap<QString, KubeEntry> entries; // by name; what is not whole is left out
        QStringList unread; // files that cannot be read now, as on a file server that is away
        int error = 0; // errno: of one of these, or of the folder, of which nothing is known then
        bool areAllRead() const { return error == 0; }
    };
    Notes read() const;
    const QString &folder() const { return m_folder; }
    Result<void> write(const KubeEntry &entry) const; // Code: kubernetes.book {folder, message}
    void remove(const QString &name) const;

private:
    QString fileOf(const QString &name) const;
    QString m_folder;
};

// The same for the same try: applying it again makes nothing new.
QString kubeSetName(const QUuid &firstTry);

} // namespace trainyard
