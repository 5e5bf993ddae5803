// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamledit.h"

#include <QByteArray>

// The jobs that tests of rules are about.
namespace trainyard::ruletexts
{

// A job that is right, with room for what a row wants to add.
struct Parts {
    QByteArray head = "protocolVersion: 2\nname: t\ntype: job\n";
    QByteArray prerequisites = "  - {name: img, type: dockerimage, uri: a/b}\n";
    QByteArray role = "w";
    QByteArray resources = "{cpu: 1, memoryMB: 64, gpu: 0}";
    QByteArray commands = "[a]";
    QByteArray inRole;
    QByteArray tail;
};

inline QByteArray text(const Parts &parts)
{
    return parts.head + "prerequisites:\n" + parts.prerequisites + "taskRoles:\n  " + parts.role
        + ":\n    dockerImage: img\n    resourcePerInstance: " + parts.resources + "\n    commands: " + parts.commands
        + '\n' + parts.inRole + parts.tail;
}

inline QByteArray head(const QByteArray &lines)
{
    Parts parts;
    parts.head = lines;
    return text(parts);
}

inline QByteArray tail(const QByteArray &lines)
{
    Parts parts;
    parts.tail = lines;
    return text(parts);
}

inline QByteArray inRole(const QByteArray &lines)
{
    Parts parts;
    parts.inRole = lines;
    return text(parts);
}

inline QByteArray prerequisite(const QByteArray &lines, const QByteArray &role = {})
{
    Parts parts;
    parts.prerequisites += lines;
    parts.inRole = role;
    return text(parts);
}

inline QByteArray resources(const QByteArray &flow)
{
    Parts parts;
    parts.resources = flow;
    return text(parts);
}

inline QByteArray commands(const QByteArray &flow, const QByteArray &more = {})
{
    Parts parts;
    parts.commands = flow;
    parts.tail = more;
    return text(parts);
}

inline QByteArray role(const QByteArray &name, const QByteArray &more = {})
{
    Parts parts;
    parts.role = name;
    parts.inRole = more;
    return text(parts);
}

inline QByteArray step(const QByteArray &callback, const QByteArray &keys = {})
{
    return prerequisite("  - name: s\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n" + keys
            + "    callbacks:\n      - " + callback + "\n",
        "    prerequisites: [s]\n");
}

inline QByteArray applied(const QByteArray &bytes, const Fix &fix)
{
    const Result<TextEdits> edits = planFix(YamlDocument::parse(bytes), fix);
    return edits && !edits->isEmpty() ? applyEdits(bytes, *edits) : QByteArray("*refused");
}

} // namespace trainyard::ruletexts
