// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>

namespace trainyard
{

class AgentConnection;

// Runs the commands of Slurm, each in its own process: on this computer, or on a login node by its helper. Several
// run at once, but never so many that the cluster's controller suffers. The environment is the engine's, or that of the
// login shell there, without variables that would change their behaviour or output.
class SlurmCommands : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    using Helper = std::function<AgentConnection *()>; // of a login node; gives null while there is no such host
    explicit SlurmCommands(const Helper &helper, QObject *parent = nullptr) : QObject(parent), m_helper(helper) { }
    struct Answer {
        // Missing: the program is not there. Away: the login node is not connected, and perhaps it was not asked.
        enum class Kind { Done, Missing, TimedOut, Away } kind = Kind::Done;
        int status = 0;
        QByteArray out, errors;
        bool isUnasked = false; // the program was certainly not started
        bool isGood() const { return kind == Kind::Done && status == 0; }
    };
    // `then` is called later, and not at all when this object is gone.
    using Then = std::function<void(const Answer &)>;
    void run(const QString &program, const QStringList &arguments, const Then &then);

private:
    struct Wanted {
        QString program;
        QStringList arguments;
        Then then;
    };
    void startNext();
    void start(const Wanted &wanted);
    void startThere(const Wanted &wanted);
    void ended(const Then &then, const Answer &answer);

    Helper m_helper; // null: they run here
    std::deque<Wanted> m_submissions, m_others; // that wait: what asks and what ends goes before what submits
    int m_running = 0;
};

} // namespace trainyard
