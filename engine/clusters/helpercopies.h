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

// Copies the helper's program to folders that the nodes of a cluster see, because the nodes may not have what is
// installed here. Each version has its own name. The program has many MiB, and the folder may be far away, so reading,
// naming and writing it happens on another thread. After the first search for one, old ones that are no longer needed
// are removed, also on another thread (contract/oldhelpers.h).
class HelperCopies : public QObject
{
    Q_OBJECT
public:
    HelperCopies() = default;
    ~HelperCopies() override; // waits for what is being written, and removes no more
    // The copy of `program` in `folder`. Nothing: it is being made, and made() says when to ask again. The error of a
    // copy that could not be made is returned during made(); a later call tries again. Code: slurm.folder {folder,
    // message}.
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
