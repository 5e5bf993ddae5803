// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/template/mustache.h"
#include "model/template/render.h"
#include "model/template/tags.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

namespace
{

// By name alone; of several types the later item wins, as in JobSpec::prerequisite, but in one pass for all.
QHash<QString, const Prerequisite *> byName(const JobSpec &job)
{
    QHash<QString, const Prerequisite *> table;
    for (const Prerequisite &item : job.prerequisites) {
        table.insert(item.name, &item);
    }
    return table;
}

QString trimmedLines(const QStringList &commands)
{
    QStringList lines;
    lines.reserve(commands.size());
    for (const QString &command : commands) {
        lines.append(command.trimmed());
    }
    return lines.join(QLatin1Char('\n'));
}

QStringList commandsOf(const JobSpec &job, const TaskRole &role)
{
    const DeploymentCommands *deployment = job.activeDeployment(role.name);
    return deployment ? deployment->preCommands + role.commands + deployment->postCommands : role.commands;
}

// What `this` is inside a prerequisite: its own keys, then those of what it requires, in order.
Value selfScope(const Prerequisite &item, const QHash<QString, const Prerequisite *> &table)
{
    Value::Map keys = item.all.asMap() ? *item.all.asMap() : Value::Map{};
    QSet<QString> known;
    for (const auto &[key, value] : std::as_const(keys)) {
        known.insert(key);
    }
    QSet<const Prerequisite *> visited{&item};
    QStringList pending = item.require;
    while (!pending.isEmpty()) {
        const Prerequisite *required = table.value(pending.takeFirst());
        if (!required || visited.contains(required)) {
            continue;
        }
        visited.insert(required);
        const Value::Map entries = required->all.asMap() ? *required->all.asMap() : Value::Map{};
        for (const auto &entry : entries) {
            if (!known.contains(entry.first)) {
                known.insert(entry.first);
                keys.append(entry);
            }
        }
        pending += required->require;
    }
    return Value(keys);
}

// One entry of the list of things that run around the user's commands.
struct Step {
    QString name;
    Value parameters;
    FailurePolicy failurePolicy = FailurePolicy::Fail;
    std::optional<Value> self;
};

QString header(FailurePolicy policy)
{
    return policy == FailurePolicy::Ignore ? QStringLiteral("set +o errexit\n") : QStringLiteral("set -o errexit\n");
}

// The last line makes the status of an ignored script 0.
QString footer(FailurePolicy policy)
{
    return policy == FailurePolicy::Ignore ? QStringLiteral("set -o errexit\n") : QString();
}

class Composer
{
public:
    Composer(const JobSpec &job, const TaskRole &role, const ComposeOptions &options);
    Result<ComposedRole> compose();

private:
    Result<QString> fillSecrets(const QString &text, bool &usesSecret) const;
    Result<QString> userScript(bool &usesSecret) const;
    Result<QList<Step>> steps(ComposedRole &result) const;
    Result<std::optional<PluginScript>> script(const Step &step, const QStringList &commands) const;
    std::optional<Error> missingSecret(const QString &key) const;

    const JobSpec &m_job;
    const TaskRole &m_role;
    ComposeOptions m_options;
    TemplateScopes m_scopes; // without secrets
    QHash<QString, const Prerequisite *> m_byName;
};

Composer::Composer(const JobSpec &job, const TaskRole &role, const ComposeOptions &options)
    : m_job(job), m_role(role), m_options(options), m_byName(byName(job))
{
    const auto scope = [&](const QString &type, const QString &name) -> const Value * {
        const Prerequisite *item = name.isEmpty() ? nullptr : job.prerequisite(type, name);
        return item ? &item->all : nullptr;
    };
    m_scopes.parameters = &job.parameters;
    m_scopes.script = scope(QStringLiteral("script"), role.script);
    m_scopes.output = scope(QStringLiteral("output"), role.output);
    m_scopes.data = scope(QStringLiteral("data"), role.data);
}

// A secret whose value was taken out of the text and not given since.
std::optional<Error> Composer::missingSecret(const QString &key) const
{
    const TemplateReference reference = templateReference(key);
    if (reference.scope != QLatin1String("$secrets")) {
        return std::nullopt;
    }
    TemplateScopes secrets;
    secrets.secrets = &m_job.secrets;
    const Value *value = lookUp(secrets, key);
    const bool masked = value ? value->asString() && *value->asString() == maskedText() : m_job.secretsMasked;
    if (!masked) {
        return std::nullopt;
    }
    return Error{QStringLiteral("secret.missing"),
        {{QStringLiteral("name"), reference.path.value(0)}, {QStringLiteral("role"), m_role.name}}};
}

// The second pass, as on a cluster: the first one has put values in, and a parameter may name a secret.
Result<QString> Composer::fillSecrets(const QString &text, bool &usesSecret) const
{
    const Result<QList<TemplateTag>> tags = templateTags(text);
    if (!tags) {
        return text; // an inserted value opens a tag; what the job itself wrote has been checked before
    }
    for (const TemplateTag &tag : *tags) {
        if (templateReference(tag.key).scope != QLatin1String("$secrets")) {
            continue;
        }
        usesSecret = true;
        if (m_options.fillSecrets) {
            if (const std::optional<Error> missing = missingSecret(tag.key)) {
                return tl::unexpected(*missing);
            }
        }
    }
    if (!m_options.fillSecrets) {
        return text;
    }
    TemplateScopes secrets;
    secrets.secrets = &m_job.secrets;
    const Result<Rendered> rendered = renderTemplate(text, secrets);
    return rendered ? rendered->text : text;
}

Result<QString> Composer::userScript(bool &usesSecret) const
{
    const QString joined = trimmedLines(commandsOf(m_job, m_role));
    const Result<Rendered> rendered
        = m_options.asServer ? renderAsServer(joined, m_scopes) : renderTemplate(joined, m_scopes);
    if (!rendered) {
        Error error = rendered.error();
        error.args.insert(QStringLiteral("role"), m_role.name);
        return tl::unexpected(error);
    }
    return fillSecrets(rendered->text.trimmed(), usesSecret);
}

Result<QList<Step>> Composer::steps(ComposedRole &result) const
{
    if (m_options.asServer) {
        result.prerequisiteOrder = m_role.prerequisites;
    } else {
        const Result<QStringList> order = expandPrerequisites(m_job, m_role);
        if (!order) {
            return tl::unexpected(order.error());
        }
        result.prerequisiteOrder = *order;
    }
    QList<Step> list;
    for (const QString &name : std::as_const(result.prerequisiteOrder)) {
        const Prerequisite *item = m_byName.value(name);
        if (!item || item->type == QLatin1String("dockerimage")) {
            continue;
        }
        const std::optional<QString> plugin = pluginOf(*item, m_options.asServer);
        if (plugin == QLatin1String("cmd")) {
            list.append({name, item->all, item->failurePolicy,
                m_options.asServer ? std::nullopt : std::optional(selfScope(*item, m_byName))});
        }
    }
    for (const PluginEntry &entry : m_job.plugins) {
        const bool applies = !entry.taskRoles || entry.taskRoles->contains(m_role.name);
        if (applies && entry.plugin == QLatin1String("cmd")) {
            list.append({entry.plugin, entry.parameters, entry.failurePolicy, std::nullopt});
        }
    }
    return list;
}

Result<std::optional<PluginScript>> Composer::script(const Step &step, const QStringList &commands) const
{
    if (commands.isEmpty()) {
        return std::nullopt;
    }
    TemplateScopes scopes = m_scopes;
    scopes.self = step.self ? &*step.self : nullptr;
    scopes.secrets = m_options.fillSecrets ? &m_job.secrets : nullptr;
    PluginScript result{step.name, header(step.failurePolicy), step.failurePolicy, false};
    for (const QString &command : commands) {
        const Result<Rendered> rendered = renderTemplate(command, scopes);
        if (!rendered) {
            Error error = rendered.error();
            error.args.insert(QStringLiteral("prerequisite"), step.name);
            return tl::unexpected(error);
        }
        result.usesSecret = result.usesSecret || rendered->usesSecret;
        const Result<QList<TemplateTag>> tags = templateTags(command);
        for (const TemplateTag &tag : *tags) {
            if (m_options.fillSecrets) {
                if (const std::optional<Error> missing = missingSecret(tag.key)) {
                    return tl::unexpected(*missing);
                }
            }
            // A cluster fails the task here; so do we, before it starts.
            if (!m_options.asServer && rendered->unresolved.contains(tag.key) && isKnownScope(tag.key)
                && (m_options.fillSecrets || templateReference(tag.key).scope != QLatin1String("$secrets"))) {
                return fail(QStringLiteral("template.unresolved"),
                    {{QStringLiteral("reference"), tag.key}, {QStringLiteral("prerequisite"), step.name}});
            }
        }
        result.script += rendered->text;
        if (!result.script.endsWith(QLatin1Char('\n'))) {
            result.script += QLatin1Char('\n');
        }
    }
    result.script += footer(step.failurePolicy);
    return result;
}

Result<ComposedRole> Composer::compose()
{
    ComposedRole result;
    const Result<QString> user = userScript(result.usesSecret);
    if (!user) {
        return tl::unexpected(user.error());
    }
    result.userScript = *user;
    const Result<QList<Step>> list = steps(result);
    if (!list) {
        return tl::unexpected(list.error());
    }
    for (const Step &step : *list) {
        const PluginCommands commands = pluginCommands(step.parameters, m_options.asServer);
        const auto before = script(step, commands.before);
        const auto after = script(step, commands.after);
        if (!before || !after) {
            return tl::unexpected(before ? after.error() : before.error());
        }
        if (*before) {
            result.usesSecret = result.usesSecret || (*before)->usesSecret;
            result.before.append(**before);
        }
        if (*after) {
            result.usesSecret = result.usesSecret || (*after)->usesSecret;
            result.after.prepend(**after);
        }
    }
    return result;
}

} // namespace

Result<QStringList> expandPrerequisites(const JobSpec &job, const TaskRole &role)
{
    const QHash<QString, const Prerequisite *> table = byName(job);
    QStringList order;
    QSet<QString> done;
    struct Frame {
        QString name;
        QStringList pending;
    };
    for (const QString &top : role.prerequisites) {
        // An explicit stack: a chain may be as long as the file.
        QList<Frame> stack;
        QSet<QString> onStack;
        QString wanted = top;
        QString wantedBy = role.name;
        while (true) {
            if (!wanted.isNull() && !done.contains(wanted)) {
                if (onStack.contains(wanted)) {
                    QStringList cycle;
                    for (const Frame &frame : std::as_const(stack)) {
                        if (!cycle.isEmpty() || frame.name == wanted) {
                            cycle.append(frame.name);
                        }
                    }
                    cycle.append(wanted);
                    return fail(QStringLiteral("require.cycle"),
                        {{QStringLiteral("cycle"), cycle.join(QStringLiteral(" → "))}});
                }
                const Prerequisite *item = table.value(wanted);
                if (!item) {
                    return fail(QStringLiteral("require.unknown"),
                        {{QStringLiteral("name"), wanted}, {QStringLiteral("by"), wantedBy}});
                }
                onStack.insert(wanted);
                stack.append({wanted, item->require});
            }
            if (stack.isEmpty()) {
                break;
            }
            Frame &frame = stack.last();
            if (frame.pending.isEmpty()) {
                done.insert(frame.name);
                onStack.remove(frame.name);
                order.append(frame.name);
                stack.removeLast();
                wanted = QString();
            } else {
                wanted = frame.pending.takeFirst();
                wantedBy = frame.name;
            }
        }
    }
    return order;
}

Result<ComposedRole> composeRole(const JobSpec &job, const TaskRole &role, const ComposeOptions &options)
{
    return Composer(job, role, options).compose();
}

} // namespace trainyard
