// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/networkwatch.h"
#include "engine/pool/hostquestions.h"
#include "engine/pool/poolhost.h"

#include <QMap>

#include <functional>

namespace trainyard
{

// The hosts on which tasks run, this computer first: their connections, what they report about themselves, and the file
// that lists them. HostFigures works out what a host offers.
class HostPool : public QObject
{
    Q_OBJECT
public:
    struct Options {
        QString stateFolder, configFolder, runtimeFolder, agentProgram;
        // How the agent of a host is reached; null: of this computer by a pipe, of others by ssh.
        std::function<std::unique_ptr<Transport>(const QString &host)> makeTransport;
        // The sentence of an error, for programs whose connection to a forwarded port fails; null: its code.
        std::function<QString(const Error &)> words = {};
    };
    using List = std::vector<std::unique_ptr<PoolHost>>;
    HostPool(const Options &options, const Settings &settings);
    ~HostPool() override;

    Result<bool> load(); // hosts.json: the errors of HostsFile::load()
    void start(); // makes all and connects them
    PoolHost *find(const QString &id) const;
    const List &all() const { return m_hosts; }
    // This computer's inventory is known, or was not available within 5 s.
    bool isReady() const { return m_isReady; }
    int cpus() const; // of all

    // Each writes the file first; nothing changes when that fails (HostsFile).
    Result<PoolHost *> add(const QString &id, const QString &target);
    Result<void> setTarget(PoolHost &host, const QString &target);
    Result<void> setUse(PoolHost &host, const HostUse &use);
    Result<void> remove(PoolHost &host); // after the return it is gone

    // Tests with a separate connection whether a new connection to a connected host can be made; PoolHost::check and
    // progressed() report it. A test that is running already serves all callers.
    void check(PoolHost &host);
    // The host is needed now, so that the questions of ssh are passed to the user; a host that waits for an answer is
    // tried again.
    void want(PoolHost &host);

    // SSH_AUTH_SOCK and so on of the newest client; hosts that need it connect again.
    void setClientEnvironment(const QMap<QString, QString> &environment);
    const QMap<QString, QString> &clientEnvironment() const { return m_clientEnvironment; }
    void setCanAsk(bool on);
    void settingsChanged(); // they count from the next connection on
    HostQuestions &questions() { return m_questions; }
    // Whether something of ours is on a host of which nothing is known here, such as results that have not come yet.
    void setIsNeeded(const std::function<bool(const QString &host)> &isNeeded) { m_isNeeded = isNeeded; }

Q_SIGNALS:
    void made(trainyard::PoolHost *host); // right before it is connected
    void stateChanged(trainyard::PoolHost *host);
    void progressed(trainyard::PoolHost *host); // on the way to it
    void useChanged(trainyard::PoolHost *host); // or the addresses at which others may reach it
    void sampled(trainyard::PoolHost *host, const trainyard::contract::Sample &sample);
    void exited(const QUuid &tryUuid, const trainyard::contract::ExitRecord &exit);
    void mirrored(const QUuid &tryUuid, qint64 bytes); // so much of its output is here
    void mirrorMoved(const QUuid &tryUuid); // something of it has come here
    void mirrorCompleted(const QUuid &tryUuid);
    void mirrorLacksRoom(const QUuid &tryUuid, bool lacks); // on the disk of this computer
    void ready();

private:
    PoolHost &make(const QString &id, const QString &target);
    void takeSettings(PoolHost &host);
    std::unique_ptr<SshTransport> makeSsh(const PoolHost &host);
    bool asksFor(const PoolHost &host) const { return m_questions.canAsk() && host.mayAsk && host.isWanted; }
    void askLater(const PoolHost &host); // outside of what has just happened to it
    QString mirrorBook(const QString &id) const { return m_options.stateFolder + QStringLiteral("/mirror/") + id; }
    void changed(PoolHost &host);
    // Two names of one account would count it twice: the later one of the list is refused, unless it has something of
    // ours already. True: `host` is that one.
    bool refuseTwin(PoolHost &host);
    void takeSample(PoolHost &host, const contract::Sample &sample);
    void lookAtDisk(PoolHost &local) const;
    void becomeReady();

    Options m_options;
    const Settings &m_settings;
    HostsFile m_file;
    List m_hosts;
    HostQuestions m_questions;
    NetworkWatch m_network;
    std::function<bool(const QString &host)> m_isNeeded;
    QMap<QString, QString> m_clientEnvironment;
    bool m_isReady = false;
};

} // namespace trainyard
