// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/values.h"

// The proposals of assistants, and the decisions of people about them (docs/assistants.md).
namespace trainyard::api
{

// What the tasks of a role would run.
struct ProposedCommands {
    QString role;
    QString text; // with the values of parameters; secrets masked
    bool isCut = false; // there is more
    friend bool operator==(const ProposedCommands &, const ProposedCommands &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ProposedCommands> &m)
{
    members(io, "role", m.role, "text", m.text, "isCut", m.isCut);
}

// A proposal of an assistant. It has no effect before a person has approved it.
struct Proposal {
    QString id; // a number, as people type it
    QString digest; // SHA-256 of all that it does: it is approved and submitted by this, and cannot change
    QString kind; // submit, stop
    QString state; // open, approved, refused, expired, done
    QString assistant; // as it calls itself
    QString name; // of the job
    QString job; // UUID of the job that is to be stopped, or that was submitted
    qint64 number = 0; // of that job
    qint64 proposed = 0, expires = 0; // ms UTC
    std::optional<qint64> decided;
    QString decidedBy; // window, terminal; empty before
    QByteArray yaml; // secrets masked
    QMap<QString, QString> parameters;
    QString target, work, runIn; // as in SubmitRequest
    QStringList hosts; // that would run its tasks now; empty: it would wait
    int tasks = 0, gpus = 0;
    QList<ProposedCommands> commands = {};
};
template <typename Io> void fields(Io &io, Of<Io, Proposal> &m)
{
    members(io, "id", m.id, "digest", m.digest, "kind", m.kind, "state", m.state, "assistant", m.assistant, "name",
        m.name, "job", m.job, "number", m.number, "proposed", m.proposed, "expires", m.expires, "decided", m.decided,
        "decidedBy", m.decidedBy, "yaml", m.yaml, "parameters", m.parameters, "target", m.target, "work", m.work,
        "runIn", m.runIn, "hosts", m.hosts, "tasks", m.tasks, "gpus", m.gpus, "commands", m.commands);
}

struct ProposedStop {
    QString id; // UUID
};
template <typename Io> void fields(Io &io, Of<Io, ProposedStop> &m) { members(io, "id", m.id); }

struct ApprovedPlan { // by the assistant that has proposed it
    QString id, digest;
};
template <typename Io> void fields(Io &io, Of<Io, ApprovedPlan> &m) { members(io, "id", m.id, "digest", m.digest); }

struct Approval {
    QString id, digest;
    QString by; // window, terminal
    QMap<QString, QString> secrets; // that the job needs; from the person, never from the assistant
};
template <typename Io> void fields(Io &io, Of<Io, Approval> &m)
{
    members(io, "id", m.id, "digest", m.digest, "by", m.by, "secrets", m.secrets);
}

struct ApprovalRefused {
    QString id;
    QString by; // window, terminal
};
template <typename Io> void fields(Io &io, Of<Io, ApprovalRefused> &m) { members(io, "id", m.id, "by", m.by); }

struct ToldApprovals {
    int open = 0; // proposals that wait for a person
};
template <typename Io> void fields(Io &io, Of<Io, ToldApprovals> &m) { members(io, "open", m.open); }

} // namespace trainyard::api
