// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QString>

namespace trainyard
{

/** A key of the job language, written as in the protocol. */
inline QString k(const char *key) { return QString::fromLatin1(key); }

/** Where the task roles of a job are. */
inline const YamlPath &rolesPath()
{
    static const YamlPath path{QStringLiteral("taskRoles")};
    return path;
}

} // namespace trainyard
