// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmmark.h"

#include <QString>

#include <map>
#include <vector>

namespace trainyard
{

// Notes of leads that may start, or have started, a try that is not recorded yet: the core knows that the previous try
// has ended, but has not decided yet whether there is another one. Each note is a file of this computer and outlives
// the engine, so that the next start finds each such try again, even when its job has ended.
class SlurmLedBook
{
public:
    explicit SlurmLedBook(const QString &folder); // reads what a former engine has left there

    struct Note {
        QString allocation; // its folder
        int position = -1; // of the task in its plan
        QString id; // at the cluster, with the number of an element
        slurm::JobMark mark; // without names in notes of older versions
    };
    void add(const Note &note); // adding one twice has no effect; call it before the end is reported
    // To be called when the core has taken over the try, or when the cluster has been asked to end it and has answered.
    void remove(const QString &allocation, int position);
    std::vector<Note> notes() const;

private:
    using Key = std::pair<QString, int>;
    QString fileOf(const Key &key) const;

    QString m_folder;
    std::map<Key, Note> m_notes;
};

} // namespace trainyard
