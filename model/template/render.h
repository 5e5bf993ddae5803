// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobspec.h"

#include <QMap>
#include <QStringList>

namespace trainyard
{

// The values that <% $scope.path %> can refer to. Scopes: parameters, secrets, script, output, data; `self` for <%
// this.x %>.
struct TemplateScopes {
    const Value *parameters = nullptr;
    const Value *secrets = nullptr; // null: a reference to a secret stays as it is
    const Value *script = nullptr;
    const Value *output = nullptr;
    const Value *data = nullptr;
    const Value *self = nullptr;
};

// Where a reference has given way to its value, in the text that is the result: UTF-16 units.
struct FilledValue {
    qsizetype begin = 0;
    qsizetype length = 0;
    QString key; // "$parameters.lr"
    friend bool operator==(const FilledValue &, const FilledValue &) = default;
};

struct Rendered {
    QString text;
    QList<FilledValue> filled; // in order
    QStringList unresolved; // references that resolved to nothing and stay as text
    bool usesSecret = false;
};

// Fills in a text in one pass, without recursion or escaping. Error "template.unclosed" {offset}.
Result<Rendered> renderTemplate(const QString &text, const TemplateScopes &scopes);

// The value of "$parameters.a.0"; null when there is none or it is null.
const Value *lookUp(const TemplateScopes &scopes, const QString &key);
// Whether the path is there and null: it has a name and no value.
bool isNullAt(const Value &scope, const QStringList &path);

// The parameters of a job with overrides (`run --param k=v`), whose values are typed as YAML scalars, but
// for null and for whole numbers beyond 64 bits: these stay the text that was given.
Value overrideValue(const QString &text);
Value withOverrides(const Value &parameters, const QMap<QString, QString> &overrides);

struct ComposeOptions {
    bool fillSecrets = false; // true only for what is executed
    bool asServer = false; // the server's exact behaviour, for comparison
    bool strict = false; // the same for what is executed here; plugins other than cmd do what they do here
};

// One step that runs before or after the user's commands, in a separate bash.
struct PluginScript {
    QString name; // of the prerequisite or plugin
    QString script; // header and commands
    FailurePolicy failurePolicy = FailurePolicy::Fail;
    bool usesSecret = false;
    QString plugin = QStringLiteral("cmd"); // short name
    QList<FilledValue> filled = {}; // of `script`, where it is made of the job's commands
    friend bool operator==(const PluginScript &, const PluginScript &) = default;
};

// The script of one role: docs/execution.md, "What runs in a task".
struct ComposedRole {
    QString userScript; // pre + commands + post, each trimmed, joined by newlines, rendered, trimmed; no header
    QList<PluginScript> before; // taskStarts, in expanded order
    QList<PluginScript> after; // taskSucceeds, in reverse order
    QStringList prerequisiteOrder; // expanded by `require`, depth first, each once
    bool usesSecret = false;
    QList<FilledValue> filled; // of userScript; empty with secrets filled in and in a strict job
};

// The commands of a role, with those that its active deployment puts before and after them.
QStringList shellCommandsOf(const JobSpec &job, const TaskRole &role);

Result<ComposedRole> composeRole(const JobSpec &job, const TaskRole &role, const ComposeOptions &options = {});

// The login of an image's registry with its $secrets filled in. Errors: "secret.missing" {name}, "template.unclosed".
Result<RegistryAuth> renderAuth(const JobSpec &job, const RegistryAuth &auth);

// The names of the prerequisites of a role after expanding `require`. Errors: "require.unknown" {name, by},
// "require.cycle" {cycle}.
Result<QStringList> expandPrerequisites(const JobSpec &job, const TaskRole &role);

} // namespace trainyard
