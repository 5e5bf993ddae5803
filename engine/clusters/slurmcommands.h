// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// Runs the commands of Slurm that are on this computer, each in a process of its own; several may run at once. The
// environment is the engine's without what would change what they do or say.
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
    void run(const QString &program, const QStringList &arguments, const std::function<void(const Answer &)> &then);
};

} // namespace trainyard
