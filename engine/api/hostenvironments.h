// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::api
{

// An environment that the tasks of a job can activate on a host.
struct HostEnvironment {
    QString kind; // conda, venv, pyenv
    QString name, path;
    QString version; // of its Python; empty: not known
    QString command; // that activates it: what a job says as extras.trainyard.environment
};
template <typename Io> void fields(Io &io, Of<Io, HostEnvironment> &m)
{
    members(io, "kind", m.kind, "name", m.name, "path", m.path, "version", m.version, "command", m.command);
}

struct HostEnvironments {
    QString host; // id
    QList<HostEnvironment> environments; // by kind and name
    QStringList modules; // for `module load`, sorted
    bool isWhole = true; // false: there are more
};
template <typename Io> void fields(Io &io, Of<Io, HostEnvironments> &m)
{
    members(io, "host", m.host, "environments", m.environments, "modules", m.modules, "isWhole", m.isWhole);
}

} // namespace trainyard::api
