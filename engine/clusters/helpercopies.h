// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <atomic>
#include <map>
#include <optional>
#include <set>

namespace trainyard
{

// Why a copy of so many bytes could not be written to a folder that has this room, by errno. Codes: slurm.folder-full
// {folder, message, neededMiB, freeMiB}, slurm.folder {folder, message}.
Error helperCopyError(const QString &folder, int error, qint64 bytes, qint64 room);

// The helper's program in folders that the nodes of a cluster see, as they may not have what is installed here. Another
// version of it gets another name. It has many MiB, and the folder may be far away: reading, naming and writing it
// happens on another thread. After the first search for one, old ones that are no longer needed are removed, also on
// another thread (contract/oldhelpers.h).
class HelperCopies : public QObject
{
    Q_OBJECT
public:
    HelperCopies() = default;
    ~HelperCopies() override; // waits for what is being written, and removes no more
    // The copy of `program` in `folder`. Nothing: it is being made, and made() says when to ask again. Why one could
    // not be made is told during made(); a question after that tries again. Codes: those of helperCopyError().
    std::optional<Result<QString>> in(const QString &folder, const QString &program);

Q_SIGNALS:
    void made(); // or failed

private:
    using Place = std::pair<QString, QString>; // folder and program

    QThreadPool m_threads;
    std::atomic<bool> m_isEnding = false;
    std::map<QString, QString> m_names; // of copies, by what they are copies of
    std::set<Place> m_underWay;
    std::map<Place, Result<QString>> m_results; // while made() is emitted
};

} // namespace trainyard
