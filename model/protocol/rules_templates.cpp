// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/rules.h"
#include "model/protocol/scalarrules.h"
#include "model/protocol/templaterules.h"
#include "model/template/mustache.h"
#include "model/template/tags.h"

#include <QSet>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

QList<TemplateText> texts(const YamlDocument &document, const QStringList &values, const YamlPath &path)
{
    QList<TemplateText> list;
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (hasTag(values.at(i))) {
            list.append({values.at(i), itemPath(document, path, i)});
        }
    }
    return list;
}

} // namespace

TemplateScopes TemplateRules::scopesOf(const TaskRole &role) const
{
    const auto scope = [&](const QString &type, const QString &name) -> const Value * {
        const Prerequisite *item = name.isEmpty() ? nullptr : m_job.prerequisite(type, name);
        return item ? &item->all : nullptr;
    };
    TemplateScopes scopes;
    scopes.parameters = &m_job.parameters;
    scopes.secrets = &m_job.secrets;
    scopes.script = scope(u"script"_s, role.script);
    scopes.output = scope(u"output"_s, role.output);
    scopes.data = scope(u"data"_s, role.data);
    return scopes;
}

ByteRange TemplateRules::locate(const TemplateText &text, const TemplateTag &tag) const
{
    return rangeOfPart(m_out.document(), text.path, text.value, tag.begin, tag.end);
}

void TemplateRules::run()
{
    readUses();
    for (const TaskRole &role : m_job.taskRoles) {
        checkRole(role);
    }
    constexpr qsizetype maxExpanded = 200; // roles with thousands of prerequisites each are not a job
    qsizetype expanded = 0;
    for (const TaskRole &role : m_job.taskRoles) {
        if (role.prerequisites.isEmpty() || ++expanded > maxExpanded) {
            continue;
        }
        const Result<QStringList> order = expandPrerequisites(m_job, role);
        for (const QString &name : order ? *order : role.prerequisites) {
            m_users[name].append(&role);
        }
    }
    for (qsizetype i = 0; i < m_job.prerequisites.size(); ++i) {
        checkCallbacks(i);
    }
    const YamlPath plugins = YamlPath{u"extras"_s}.child(pluginPrefix());
    for (qsizetype i = 0; i < m_job.plugins.size(); ++i) {
        const PluginEntry &entry = m_job.plugins.at(i);
        if (entry.plugin != u"cmd"_s) {
            continue;
        }
        const YamlPath parameters = plugins.child(i).child(u"parameters"_s);
        const auto checkList = [&](const Value *list, const YamlPath &path) {
            const Value::List items = list && list->asList() ? *list->asList() : Value::List{};
            for (qsizetype j = 0; j < items.size(); ++j) {
                if (const QString *text = items.at(j).asString(); text && hasTag(*text)) {
                    checkStepText({*text, path.child(j)}, entry.plugin, nullptr, {});
                }
            }
        };
        for (const QString &key : {u"preCommands"_s, u"postCommands"_s}) {
            checkList(entry.parameters.find(key), parameters.child(key));
        }
        const Value *callbacks = entry.parameters.find(u"callbacks"_s);
        const Value::List events = callbacks && callbacks->asList() ? *callbacks->asList() : Value::List{};
        for (qsizetype j = 0; j < events.size(); ++j) {
            checkList(events.at(j).find(u"commands"_s), parameters.child(u"callbacks"_s).child(j).child(u"commands"_s));
        }
    }
    checkParameterTemplates();
    checkUnusedParameters();
    for (const QString &key : {u"parameters"_s, u"secrets"_s}) {
        const YamlNode *node = m_out.document().find(YamlPath{key});
        if (node && node->resolved()->isMap()) {
            sayReaderDifferencesBelow(m_out, node->resolved(), YamlPath{key}, QString(), key == u"secrets"_s);
        }
    }
}

void TemplateRules::checkRole(const TaskRole &role)
{
    QList<TemplateText> parts;
    QStringList all;
    for (qsizetype i = 0; i < m_job.deployments.size(); ++i) {
        const Deployment &deployment = m_job.deployments.at(i);
        const YamlPath at = YamlPath{u"deployments"_s}.child(i).child(u"taskRoles"_s).child(role.name);
        const bool active = deployment.name == m_job.defaultDeployment && !deployment.name.isEmpty();
        for (const DeploymentCommands &commands : deployment.roles) {
            if (commands.role == role.name && active) {
                parts += texts(m_out.document(), commands.preCommands, at.child(u"preCommands"_s));
                parts += texts(
                    m_out.document(), role.commands, YamlPath{u"taskRoles"_s}.child(role.name).child(u"commands"_s));
                parts += texts(m_out.document(), commands.postCommands, at.child(u"postCommands"_s));
                all = commands.preCommands + role.commands + commands.postCommands;
            }
        }
    }
    if (all.isEmpty()) {
        parts = texts(m_out.document(), role.commands, YamlPath{u"taskRoles"_s}.child(role.name).child(u"commands"_s));
        all = role.commands;
    }
    if (parts.isEmpty()) {
        return;
    }
    checkSyntax(role, parts, all);
    const TemplateScopes scopes = scopesOf(role);
    for (const TemplateText &part : std::as_const(parts)) {
        checkCommand(role, part, scopes);
    }
}

// The server renders the joined text: a tag may even close in a later command.
void TemplateRules::checkSyntax(const TaskRole &role, const QList<TemplateText> &parts, const QStringList &all)
{
    // Names that are closed where they are opened give a good text however they are joined, as in nearly every job.
    const auto isPlain = [](const TemplateText &part) {
        return part.tags && std::all_of(part.tags->cbegin(), part.tags->cend(), [](const TemplateTag &tag) {
            return tag.kind == TemplateTag::Kind::Name && !tag.key.isEmpty();
        });
    };
    if (std::all_of(parts.cbegin(), parts.cend(), isPlain)) {
        return;
    }
    const Result<Rendered> rendered = renderAsServer(all.join(u'\n'), {});
    if (rendered) {
        for (const TemplateText &part : parts) {
            if (!part.tags && part.tags.error().code == "template.unclosed"_L1) {
                TemplateTag open;
                open.begin = part.tags.error().args.value(u"offset"_s).toInteger();
                open.end = std::min(open.begin + 2, part.value.size());
                m_out.addAt(u"template.closed-later"_s, Severity::Warning, ServerVerdict::Accepts, part.path,
                    locate(part, open), {{u"role"_s, role.name}});
            }
        }
        return;
    }
    const TemplateText *where = &parts.first();
    TemplateTag tag;
    for (const TemplateText &part : parts) {
        if (!part.tags) {
            where = &part;
            tag.begin = part.tags.error().args.value(u"offset"_s).toInteger();
            tag.end = std::min(tag.begin + 2, part.value.size());
        }
    }
    const bool unclosed = rendered.error().code == u"template.unclosed"_s;
    const YamlNode *node = m_out.document().find(where->path);
    const ByteRange whole = node ? node->at : ByteRange{};
    m_out.addAt(unclosed ? u"template.unclosed-tag"_s : u"template.bad-section"_s,
        unclosed ? Severity::Error : Severity::Warning, ServerVerdict::Refuses, where->path,
        tag.end > tag.begin ? locate(*where, tag) : whole, {{u"role"_s, role.name}});
}

void TemplateRules::checkCommand(const TaskRole &role, const TemplateText &text, const TemplateScopes &scopes)
{
    if (!text.tags) {
        return;
    }
    for (const TemplateTag &tag : *text.tags) {
        if (m_out.isFull()) {
            return;
        }
        if (tag.kind == TemplateTag::Kind::Name && lookUp(scopes, tag.key)) {
            continue;
        }
        const TemplateReference reference = templateReference(tag.key);
        if (tag.kind == TemplateTag::Kind::Other) {
            m_out.addAt(u"template.not-a-name"_s, Severity::Warning, ServerVerdict::Accepts, text.path,
                locate(text, tag), {{u"tag"_s, text.value.mid(tag.begin, tag.end - tag.begin)}});
            continue;
        }
        if (reference.scope == u"$secrets"_s && m_job.secretsMasked) {
            continue;
        }
        const bool selection
            = reference.scope == u"$script"_s || reference.scope == u"$output"_s || reference.scope == u"$data"_s;
        const QString field = reference.scope.mid(1);
        const QString chosen = field == u"script"_s ? role.script : field == u"output"_s ? role.output : role.data;
        if (selection && chosen.isEmpty()) {
            Diagnostic &d
                = m_out.addAt(u"template.nothing-selected"_s, Severity::Warning, ServerVerdict::Accepts, text.path,
                    locate(text, tag), {{u"scope"_s, reference.scope}, {u"field"_s, field}, {u"role"_s, role.name}});
            for (const Prerequisite &item : m_job.prerequisites) {
                if (item.type == field && d.fixes.size() < 3) {
                    m_out.fix(d, u"fix.select"_s, {{u"field"_s, field}, {u"name"_s, item.name}},
                        {edit::SetText{YamlPath{u"taskRoles"_s}.child(role.name).child(field), item.name}});
                }
            }
            continue;
        }
        unresolved(text, tag, reference, Severity::Warning, role.name, locate(text, tag));
    }
}

QList<const TaskRole *> TemplateRules::rolesUsing(const QString &prerequisite) const
{
    return m_users.value(prerequisite);
}

void TemplateRules::checkCallbacks(qsizetype at)
{
    const Prerequisite &item = m_job.prerequisites.at(at);
    const YamlPath path = YamlPath{u"prerequisites"_s}.child(at);
    if (item.type == u"dockerimage"_s) {
        checkAuth(item, path);
        return;
    }
    if (pluginOf(item, false) != u"cmd"_s) {
        return;
    }
    // `this` also reaches what the item requires.
    Value::Map self = item.all.asMap() ? *item.all.asMap() : Value::Map{};
    QSet<QString> visited{item.name};
    QStringList pending = item.require;
    while (!pending.isEmpty()) {
        const QString name = pending.takeFirst();
        const Prerequisite *required = visited.contains(name) ? nullptr : m_job.prerequisite(name);
        visited.insert(name);
        if (required) {
            self += required->all.asMap() ? *required->all.asMap() : Value::Map{};
            pending += required->require;
        }
    }
    const Value selfValue(self);
    const QList<const TaskRole *> roles = rolesUsing(item.name);
    for (qsizetype i = 0; i < item.callbacks.size(); ++i) {
        const YamlPath commands = path.child(u"callbacks"_s).child(i).child(u"commands"_s);
        for (const TemplateText &text : texts(m_out.document(), item.callbacks.at(i).commands, commands)) {
            checkStepText(text, item.name, &selfValue, roles);
        }
    }
}

void TemplateRules::checkStepText(
    const TemplateText &text, const QString &name, const Value *self, const QList<const TaskRole *> &roles)
{
    const Result<QList<TemplateTag>> tags = templateTags(text.value);
    if (!tags) {
        TemplateTag tag;
        tag.begin = tags.error().args.value(u"offset"_s).toInteger();
        tag.end = tag.begin + 2;
        m_out.addAt(u"template.unclosed-in-step"_s, Severity::Error, ServerVerdict::Accepts, text.path,
            locate(text, tag), {{u"name"_s, name}});
        return;
    }
    for (const TemplateTag &tag : *tags) {
        if (m_out.isFull()) {
            return;
        }
        const TemplateReference reference = templateReference(tag.key);
        TemplateScopes scopes;
        scopes.parameters = &m_job.parameters;
        scopes.secrets = &m_job.secrets;
        scopes.self = self;
        if (tag.kind == TemplateTag::Kind::Other) {
            m_out.addAt(u"template.not-a-name"_s, Severity::Warning, ServerVerdict::Accepts, text.path,
                locate(text, tag), {{u"tag"_s, text.value.mid(tag.begin, tag.end - tag.begin)}});
            continue;
        }
        if (reference.scope == u"this"_s && lookUp(scopes, tag.key)) {
            m_out.addAt(u"template.this-here-only"_s, Severity::Note, ServerVerdict::Accepts, text.path,
                locate(text, tag), {{u"name"_s, name}});
            continue;
        }
        const bool selection
            = reference.scope == u"$script"_s || reference.scope == u"$output"_s || reference.scope == u"$data"_s;
        if (selection) {
            for (const TaskRole *role : roles) {
                if (!lookUp(scopesOf(*role), tag.key)) {
                    m_out.addAt(u"template.unresolved-for-role"_s, Severity::Error, ServerVerdict::Accepts, text.path,
                        locate(text, tag),
                        {{u"reference"_s, tag.key}, {u"role"_s, role->name}, {u"name"_s, name},
                            {u"field"_s, reference.scope.mid(1)}});
                    break;
                }
            }
            continue;
        }
        if (lookUp(scopes, tag.key) || (reference.scope == u"$secrets"_s && m_job.secretsMasked)) {
            continue;
        }
        unresolved(text, tag, reference, Severity::Error, name, locate(text, tag));
    }
}

void TemplateRules::checkAuth(const Prerequisite &item, const YamlPath &path)
{
    if (!item.auth) {
        return;
    }
    TemplateScopes scopes;
    scopes.secrets = &m_job.secrets;
    for (const auto &[key, value] : {std::pair{u"username"_s, item.auth->username},
             std::pair{u"password"_s, item.auth->password}, std::pair{u"registryuri"_s, item.auth->registryUri}}) {
        if (!hasTag(value)) {
            continue;
        }
        const TemplateText text{value, path.child(u"auth"_s).child(key)};
        const Result<QList<TemplateTag>> tags = templateTags(value);
        if (!tags) {
            m_out.add(u"template.unclosed-tag"_s, Severity::Error, ServerVerdict::Refuses, text.path,
                {{u"role"_s, item.name}});
            continue;
        }
        for (const TemplateTag &tag : *tags) {
            const TemplateReference reference = templateReference(tag.key);
            if (reference.scope != u"$secrets"_s) {
                m_out.addAt(u"template.auth-scope"_s, Severity::Warning, ServerVerdict::Accepts, text.path,
                    locate(text, tag), {{u"reference"_s, tag.key}});
            } else if (!m_job.secretsMasked && !lookUp(scopes, tag.key)) {
                unresolved(text, tag, reference, Severity::Warning, item.name, locate(text, tag));
            }
        }
    }
}

void checkTemplates(const JobSpec &job, Findings &findings) { TemplateRules(job, findings).run(); }

} // namespace trainyard
