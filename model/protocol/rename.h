// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"

namespace trainyard
{

// The kind of thing that a name in a job denotes. Other is any other key of a map: nothing refers to it.
enum class NameKind { None, Role, Prerequisite, Parameter, Secret, Deployment, Other };

// The kind of the name at `path`. The path of a role, a parameter or a secret leads to its key
// ("/taskRoles/worker", "/parameters/lr", also "/parameters/model/layers"), that of a prerequisite or deployment to its
// item or the item's name ("/prerequisites/0", "/prerequisites/0/name"). None when nothing there has a name.
NameKind nameKindAt(const YamlDocument &document, const YamlPath &path);
// The present name at such a path; empty when there is none.
QString nameAt(const YamlDocument &document, const YamlPath &path);

// A place that refers to the name.
struct NameReference {
    enum class How {
        Key, // the key of a map: a deployment's or a scheduler's role
        Name, // a text that is the name: dockerImage, prerequisites, require, taskroles, defaults.deployment
        Template, // <% $parameters.x %> or <% $secrets.x %> inside of a text
        Variable, // PAI_HOST_IP_x_0 and its like inside of a text, or a comparison with the task's role name
        Mention // looks like the name in a text, but need not mean it ("ssh worker-0"): left as it is
    };
    How how = How::Name;
    YamlPath path;
    int count = 1; // occurrences in this text
};

struct RenamePlan {
    NameKind kind = NameKind::None;
    QString from;
    QString to;
    // All edits of the renaming. They must be planned together: planEdits() makes one undo step of them or refuses them
    // all.
    QList<edit::Op> ops;
    QList<NameReference> references; // what `ops` change in addition to the name itself
    QList<NameReference> mentions; // what a person should look at; not changed
};

// Renames what stands at `path` and everything that refers to it, also inside of commands of any style, where all other
// bytes stay. Errors, all with {path}:
// rename.no-name     nothing at the path has a name
// rename.bad-name    (name, kind) not a name of that kind, or one that a template cannot reach
// rename.taken       (name, kind) something else of that kind has it already
// edit.*             as planEdits(), once the operations are planned
Result<RenamePlan> planRename(const YamlDocument &document, const YamlPath &path, const QString &to);

} // namespace trainyard
