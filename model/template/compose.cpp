// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/template/mustache.h"
#include "model/template/pluginsteps.h"
#include "model/template/prerequisiteorder.h"
#include "model/template/render.h"
#include "model/template/serverplugins.h"
#include "model/template/tags.h"

#include <QHash>

#include <memory>

namespace trainyard
{

namespace
{

QString trimmedLines(const QStringList &commands)
{
    QStringList lines;
    lines.reserve(commands.size());
    for (const QString &command : commands) {
        lines.append(trimmedAsServer(command));
    }
    return lines.join(QLatin1Char('\n'));
}

// One entry of the list of things that run around the user's commands.
struct Step {
    QString name;
    Value parameters;
    FailurePolicy failurePolicy = FailurePolicy::Fail;
    std::optional<Value> self;
    QString plugin = QStringLiteral("cmd");
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

// Values of a text that is now part of another one, `by` further on; what is cut off there is cut off here too.
QList<FilledValue> movedWithin(const QList<FilledValue> &values, qsizetype by, qsizetype size)
{
    QList<FilledValue> moved;
    for (const FilledValue &value : values) {
        const qsizetype begin = std::max<qsizetype>(0, value.begin + by);
        const qsizetype end = std::min(size, value.begin + value.length + by);
        if (begin < end) {
            moved.append({begin, end - begin, value.key});
        }
    }
    return moved;
}

class Composer
{
public:
    Composer(const JobSpec &job, const TaskRole &role, const ComposeOptions &options);
    Result<ComposedRole> compose();

private:
    Result<QString> fillSecrets(const QString &text, bool &usesSecret) const;
    Result<QString> userScript(ComposedRole &result) const;
    Result<QList<Step>> steps(ComposedRole &result) const;
    Result<std::optional<PluginScript>> script(const Step &step, const QStringList &commands) const;
    Result<Rendered> filledText(const QString &text, const Step &step, bool &usesSecret) const;
    Result<Value> filledValue(const Value &value, const Step &step, bool &usesSecret) const;
    Result<std::optional<PluginScript>> pluginScript(const Step &step) const;
    bool hasTheBoard(const Step &step) const;
    std::optional<Error> missingSecret(const QString &key) const;
    PluginCommands commandsOf(const Step &step) const;
    bool isExact() const { return m_options.asServer || m_options.strict; }

    const JobSpec &m_job;
    const TaskRole &m_role;
    ComposeOptions m_options;
    TemplateScopes m_scopes; // without secrets
    PrerequisitesByName m_byName;
    QList<std::shared_ptr<const Value>> m_filled; // items whose own <% this.x %> are filled in
};

Composer::Composer(const JobSpec &job, const TaskRole &role, const ComposeOptions &options)
    : m_job(job), m_role(role), m_options(options), m_byName(prerequisitesByName(job))
{
    const auto scope = [&](const QString &type, const QString &name) -> const Value * {
        const Prerequisite *item = name.isEmpty() ? nullptr : job.prerequisite(type, name);
        if (!item || isExact() || !mentionsItself(item->all)) {
            return item ? &item->all : nullptr;
        }
        // Its own keys come first; those of what it requires are `this`, not $data.
        const Value filled = filledKeys(selfScope(*item, m_byName));
        m_filled.append(std::make_shared<Value>(filled.asMap()->mid(0, item->all.asMap()->size())));
        return m_filled.last().get();
    };
    m_scopes.parameters = &job.parameters;
    m_scopes.script = scope(QStringLiteral("script"), role.script);
    m_scopes.output = scope(QStringLiteral("output"), role.output);
    m_scopes.data = scope(QStringLiteral("data"), role.data);
}

// A secret whose value was taken out of the text and not given since.
std::optional<Error> missingSecretOf(const JobSpec &job, const QString &key)
{
    const TemplateReference reference = templateReference(key);
    if (reference.scope != QLatin1String("$secrets")) {
        return std::nullopt;
    }
    TemplateScopes secrets;
    secrets.secrets = &job.secrets;
    const Value *value = lookUp(secrets, key);
    const bool masked = value ? value->asString() && *value->asString() == maskedText() : job.secretsMasked;
    if (!masked) {
        return std::nullopt;
    }
    return Error{QStringLiteral("secret.missing"), {{QStringLiteral("name"), reference.path.value(0)}}};
}

std::optional<Error> Composer::missingSecret(const QString &key) const
{
    std::optional<Error> error = missingSecretOf(m_job, key);
    if (error) {
        error->args.insert(QStringLiteral("role"), m_role.name);
    }
    return error;
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

Result<QString> Composer::userScript(ComposedRole &result) const
{
    const QString joined = trimmedLines(shellCommandsOf(m_job, m_role));
    const Result<Rendered> rendered = isExact() ? renderAsServer(joined, m_scopes) : renderTemplate(joined, m_scopes);
    if (!rendered) {
        Error error = rendered.error();
        error.args.insert(QStringLiteral("role"), m_role.name);
        return tl::unexpected(error);
    }
    const QString text = trimmedAsServer(rendered->text);
    if (!m_options.fillSecrets) {
        const qsizetype cut
            = std::find_if_not(rendered->text.cbegin(), rendered->text.cend(), isServerSpace) - rendered->text.cbegin();
        result.filled = movedWithin(rendered->filled, -cut, text.size());
    }
    return fillSecrets(text, result.usesSecret);
}

Result<QList<Step>> Composer::steps(ComposedRole &result) const
{
    if (isExact()) {
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
        const std::optional<QString> plugin = pluginOf(*item, isExact());
        if (plugin) {
            const std::optional<Value> self
                = isExact() ? std::nullopt : std::optional(filledKeys(selfScope(*item, m_byName)));
            list.append({name, item->all, item->failurePolicy, self, *plugin});
        }
    }
    // With several entries of one plugin the report must say which one failed: "cmd (2)", counted in the order of the
    // file.
    QHash<QString, int> all, seen;
    for (const PluginEntry &entry : m_job.plugins) {
        ++all[entry.plugin];
    }
    for (const PluginEntry &entry : m_job.plugins) {
        const int number = ++seen[entry.plugin];
        const bool applies = !entry.taskRoles || entry.taskRoles->contains(m_role.name);
        if (applies) {
            const bool isNumbered = all.value(entry.plugin) > 1 && !m_options.asServer;
            const QString name = isNumbered ? QStringLiteral("%1 (%2)").arg(entry.plugin).arg(number) : entry.plugin;
            list.append({name, entry.parameters, entry.failurePolicy, std::nullopt, entry.plugin});
        }
    }
    return list;
}

Result<std::optional<PluginScript>> Composer::script(const Step &step, const QStringList &commands) const
{
    if (commands.isEmpty()) {
        return std::nullopt;
    }
    PluginScript result{step.name, header(step.failurePolicy), step.failurePolicy, false, step.plugin};
    for (const QString &command : commands) {
        const Result<Rendered> rendered = filledText(command, step, result.usesSecret);
        if (!rendered) {
            return tl::unexpected(rendered.error());
        }
        const qsizetype at = result.script.size();
        result.script += rendered->text;
        result.filled += movedWithin(rendered->filled, at, result.script.size());
        // The runtime ends each command with a line break, also one that has its own.
        if (!result.script.endsWith(QLatin1Char('\n')) || step.plugin == QLatin1String("ssh")) {
            result.script += QLatin1Char('\n');
        }
    }
    result.script += footer(step.failurePolicy);
    return result;
}

// A text of a step with its templates filled in.
Result<Rendered> Composer::filledText(const QString &text, const Step &step, bool &usesSecret) const
{
    TemplateScopes scopes = m_scopes;
    scopes.self = step.self ? &*step.self : nullptr;
    scopes.secrets = m_options.fillSecrets ? &m_job.secrets : nullptr;
    const Result<Rendered> rendered = renderTemplate(text, scopes);
    if (!rendered && m_options.asServer && rendered.error().code == QLatin1String("template.unclosed")) {
        // A cluster replaces what is closed and leaves the rest as it is written.
        const qsizetype open = rendered.error().args.value(QStringLiteral("offset")).toInteger();
        Result<Rendered> closed = filledText(text.left(open), step, usesSecret);
        if (closed) {
            closed->text += QStringView(text).sliced(open);
        }
        return closed;
    }
    if (!rendered) {
        Error error = rendered.error();
        error.args.insert(QStringLiteral("prerequisite"), step.name);
        return tl::unexpected(error);
    }
    usesSecret = usesSecret || rendered->usesSecret;
    const Result<QList<TemplateTag>> tags = templateTags(text);
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
    return rendered;
}

Result<Value> Composer::filledValue(const Value &value, const Step &step, bool &usesSecret) const
{
    if (const QString *text = value.asString()) {
        const Result<Rendered> filled = filledText(*text, step, usesSecret);
        return filled ? Result<Value>(Value(filled->text)) : tl::unexpected(filled.error());
    }
    if (const Value::List *list = value.asList()) {
        Value::List items;
        for (const Value &item : *list) {
            const Result<Value> filled = filledValue(item, step, usesSecret);
            if (!filled) {
                return filled;
            }
            items.append(*filled);
        }
        return Value(items);
    }
    if (const Value::Map *map = value.asMap()) {
        Value::Map entries;
        for (const auto &[key, item] : *map) {
            const Result<Value> filled = filledValue(item, step, usesSecret);
            if (!filled) {
                return filled;
            }
            entries.append({key, *filled});
        }
        return Value(entries);
    }
    return value;
}

// The job has one TensorBoard: with the first role that asks for this one.
bool Composer::hasTheBoard(const Step &step) const
{
    for (const TaskRole &role : m_job.taskRoles) {
        bool asks = std::any_of(m_job.plugins.cbegin(), m_job.plugins.cend(), [&](const PluginEntry &entry) {
            return entry.plugin == step.plugin && entry.parameters == step.parameters
                && (!entry.taskRoles || entry.taskRoles->contains(role.name));
        });
        if (!asks && m_byName.contains(step.name)) {
            const Result<QStringList> order
                = isExact() ? Result<QStringList>(role.prerequisites) : expandPrerequisites(m_job, role);
            asks = order && order->contains(step.name);
        }
        if (asks) {
            return role.name == m_role.name;
        }
    }
    return false;
}

// The steps of a plugin other than cmd here: none if it is not one of ours.
Result<std::optional<PluginScript>> Composer::pluginScript(const Step &step) const
{
    const bool isBoard = step.plugin == QLatin1String("tensorboard");
    if (step.plugin != QLatin1String("ssh") && step.plugin != QLatin1String("git") && !isBoard) {
        return std::nullopt;
    }
    if (isBoard && !hasTheBoard(step)) {
        return std::nullopt;
    }
    PluginScript result{step.name, {}, step.failurePolicy, false, step.plugin};
    const Result<Value> parameters = filledValue(step.parameters, step, result.usesSecret);
    if (!parameters) {
        return tl::unexpected(parameters.error());
    }
    const QString text = isBoard              ? tensorboardStep(*parameters, step.parameters)
        : step.plugin == QLatin1String("ssh") ? sshStep(*parameters, m_job.gangAllocation, step.parameters)
                                              : gitStep(*parameters, step.parameters);
    if (text.isEmpty()) {
        return std::nullopt;
    }
    result.script = header(step.failurePolicy) + text + footer(step.failurePolicy);
    return result;
}

PluginCommands Composer::commandsOf(const Step &step) const
{
    if (!m_options.asServer && step.plugin != QLatin1String("cmd")) {
        return {};
    }
    if (step.plugin == QLatin1String("ssh")) {
        return {serverSshCommands(step.parameters, m_job.gangAllocation), {}};
    }
    if (step.plugin == QLatin1String("git")) {
        return {serverGitCommands(step.parameters), {}};
    }
    return step.plugin == QLatin1String("cmd") ? pluginCommands(step.parameters, isExact()) : PluginCommands{};
}

Result<ComposedRole> Composer::compose()
{
    ComposedRole result;
    const Result<QString> user = userScript(result);
    if (!user) {
        return tl::unexpected(user.error());
    }
    result.userScript = *user;
    const Result<QList<Step>> list = steps(result);
    if (!list) {
        return tl::unexpected(list.error());
    }
    for (const Step &step : *list) {
        const PluginCommands commands = commandsOf(step);
        const bool isOurs = !m_options.asServer && step.plugin != QLatin1String("cmd");
        const auto before = isOurs ? pluginScript(step) : script(step, commands.before);
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

Result<RegistryAuth> renderAuth(const JobSpec &job, const RegistryAuth &auth)
{
    TemplateScopes scopes;
    scopes.secrets = &job.secrets;
    RegistryAuth filled = auth;
    for (QString *text : {&filled.username, &filled.password, &filled.registryUri}) {
        const Result<QList<TemplateTag>> tags = templateTags(*text);
        if (!tags) {
            return tl::unexpected(tags.error());
        }
        for (const TemplateTag &tag : *tags) {
            if (const std::optional<Error> missing = missingSecretOf(job, tag.key)) {
                return tl::unexpected(*missing);
            }
        }
        const Result<Rendered> rendered = renderTemplate(*text, scopes);
        if (!rendered) {
            return tl::unexpected(rendered.error());
        }
        *text = rendered->text;
    }
    return filled;
}

QStringList shellCommandsOf(const JobSpec &job, const TaskRole &role)
{
    const DeploymentCommands *deployment = job.activeDeployment(role.name);
    return deployment ? deployment->preCommands + role.commands + deployment->postCommands : role.commands;
}

Result<ComposedRole> composeRole(const JobSpec &job, const TaskRole &role, const ComposeOptions &options)
{
    return Composer(job, role, options).compose();
}

} // namespace trainyard
