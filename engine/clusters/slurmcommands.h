// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>

namespace trainyard
{

// Runs the commands of Slurm that are on this computer, each in a process of its own; several run at once, but never so
// many that the cluster's controller suffers. The environment is the engine's without what would change what they do or
// say.
class SlurmCommands : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    struct Answer {
        enum class Kind { Done, Missing, TimedOut } kind = Kind::Done; // Missing: the program is not there
        int status = 0;
        QByteArray out, errors;
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
    void ended(const Then &then, const Answer &answer);

    std::deque<Wanted> m_submissions, m_others; // that wait: what asks and what ends goes before what submits
    int m_running = 0;
};

} // namespace trainyard
