// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/clock.h"
#include "engine/clusters/openpaiclient.h"

#include <QTimer>

#include <functional>
#include <map>

namespace trainyard
{

// Jobs that an OpenPAI cluster may have, or still get, although they are no longer needed: a call whose answer was lost
// can reach it late. For a while, the cluster is asked for them by name, and those that are there are stopped. Each has
// a file, so that the next engine continues. The names are those of this engine's jobs, and a name is never used again.
// A cluster that does not accept the token is not asked again until goOn().
class OpenPaiLate : public QObject
{
    Q_OBJECT
public:
    struct With {
        QString folder; // of the files
        std::function<QString()> place; // "user@address" that the client leads to now
        std::function<bool(const QString &name)> isWanted; // an engine that was killed has noted it, and goes on
        std::function<void()> changed; // trouble() has changed
        std::function<void()> emptied; // isEmpty() from now on
    };
    OpenPaiLate(OpenPaiClient &client, const With &with);
    void watch(const QString &name, const QString &place);
    void drop(const QString &name); // it is wanted
    void goOn(); // there is a token, the client leads elsewhere, or it is asked for
    bool isEmpty() const { return m_entries.empty(); }
    const Error &trouble() const { return m_trouble; } // why it does not ask, or nothing

private:
    struct Entry {
        QString place;
        qint64 since = 0; // UTC ms
        qint64 heldSince = steadyMs(); // by this engine
        qint64 askAt = 0, pauseMs = 0; // steady ms
        bool isAsking = false;
    };
    QString fileOf(const QString &name) const;
    void look();
    void dropOld();
    void plan();
    void ask(const QString &name);
    void stop(const QString &name);
    void later(const QString &name, const openpai::Failure &why, int round);
    bool mayAsk(const Entry &entry) const;
    void setTrouble(const Error &why);

    OpenPaiClient &m_client;
    With m_with;
    std::map<QString, Entry> m_entries; // by name
    Error m_trouble;
    int m_round = 0; // how often goOn() was called
    QTimer m_timer;
};

} // namespace trainyard
