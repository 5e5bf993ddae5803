// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <QString>
#include <QUuid>

#include <map>
#include <vector>

namespace trainyard
{

// Tries that are given up although they may run on a host, or their launch may still be on its way to it: what runs
// there is to be stopped, and the launch is to find that they have ended. Each has a file, so that the next engine sees
// to it where this one was killed before its host knew.
class LaunchBars
{
public:
    explicit LaunchBars(const QString &folder); // of the files
    void add(const QUuid &tryUuid, const QString &host, const contract::Stop &stop);
    void setDue(const QUuid &tryUuid); // it is written down that it is over
    void setBegun(const QUuid &tryUuid); // it was seen to run
    void setNoted(const QUuid &tryUuid, bool on); // the agent that is there now has taken its stop, while it runs
    void drop(const QUuid &tryUuid); // the host knows, or it is launched after all

    struct Bar {
        QString host;
        contract::Stop stop; // of its folder there, also whether it has begun
        bool isDue = false;
        bool isNoted = false; // see setNoted()
    };
    const Bar *find(const QUuid &tryUuid) const;
    std::vector<QUuid> dueOn(const QString &host) const;

private:
    QString fileOf(const QUuid &tryUuid) const;
    void write(const QUuid &tryUuid, const Bar &bar) const;
    QString m_folder;
    std::map<QUuid, Bar> m_bars;
};

} // namespace trainyard
