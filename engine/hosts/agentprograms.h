// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace trainyard
{

// The helper's program for hosts: the one of this computer, and those for other processors, which are beside it as
// "trainyard-agent-PROCESSOR". Machines are named as `uname -sm` says it ("Linux aarch64"). The files are read once in
// the life of a process.
class AgentPrograms
{
public:
    struct Program {
        QByteArray processor; // as `uname -m` says it
        QByteArray bytes;
        QByteArray hash; // of the bytes; its name on a host
    };
    AgentPrograms() = default;
    explicit AgentPrograms(const QString &own);
    const Program &own() const { return m_programs.constFirst(); }
    // The own one first. Its bytes are empty when it cannot be read.
    const QList<Program> &all() const { return m_programs; }
    // Null when no program runs on such a machine.
    const Program *forMachine(const QString &machine) const;
    // The machines for which there is one.
    QStringList machines() const;

    static QString machineHere();

private:
    QList<Program> m_programs{{}};
};

} // namespace trainyard
