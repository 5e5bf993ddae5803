// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QString>

namespace trainyard
{

// The user's settings for the use of a host, and the failures that the engine has found there.
struct HostUse {
    QStringList labels; // which jobs may ask for
    bool drained = false; // nothing new starts there
    QString hours; // in which nothing new starts there (engine/core/weekhours.h); empty: none
    QList<Quarantine> quarantines;
    QString address = {}; // for tasks on other hosts: an address, or the name of an interface; empty: chosen
    const Quarantine *quarantineOf(const QString &gpu) const; // a UUID; empty: of the host
    friend bool operator==(const HostUse &, const HostUse &) = default;
};

struct KnownHost {
    QString id; // the user's name for it
    QString target; // as ssh has it
    QJsonObject extra; // keys of a newer version, kept
    HostUse use = {};
};

// hosts.json in the config folder: the ssh hosts that the user has added, and the use of these and of this computer
// ("local"). Unknown keys are kept, and entries that are not understood.
class HostsFile
{
public:
    explicit HostsFile(const QString &file = {}) : m_file(file) { }
    // A missing file is an empty list. "hosts.unreadable" {file, message}.
    Result<bool> load();
    const QList<KnownHost> &hosts() const { return m_hosts; }
    bool contains(const QString &id) const;
    HostUse use(const QString &id) const;
    // Each function writes the file, and changes nothing if that fails ("hosts.cannot-write" {file, message}, or
    // "hosts.unreadable"). Changes that another engine has written since, such as that of a run in the foreground, are
    // kept.
    Result<bool> add(const KnownHost &host);
    Result<bool> remove(const QString &id);
    Result<bool> setTarget(const QString &id, const QString &target);
    Result<bool> setUse(const QString &id, const HostUse &use);

    // Whether this is user@host, an alias or ssh://user@host:port: one argument of ssh that is not an option.
    static bool isTarget(const QString &target);
    static QString nameFor(const QString &target); // "gpu1" of "me@gpu1.lab.org"
    // The command that a user types to log in there: "ssh -p 2222 me@gpu1".
    static QString sshCommand(const QString &target);
    static QString computerOf(const QString &target); // "gpu1.lab.org" of "me@gpu1.lab.org:2222"
    static QString portOf(const QString &target); // "2222" of the same; empty: none is named
    static bool isName(const QString &name); // letters, digits, dot, dash, underscore; not "local"

private:
    Result<bool> refresh();
    Result<bool> write(const QList<KnownHost> &hosts) { return write(hosts, m_local); }
    Result<bool> write(const QList<KnownHost> &hosts, const KnownHost &local);
    QString m_file;
    QJsonObject m_rest;
    QJsonArray m_others; // entries that are not hosts, such as one with a typing error: they stay in the file
    QList<KnownHost> m_hosts;
    KnownHost m_local; // only its use, and unknown keys
};

} // namespace trainyard
