// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/protocol/plugins.h"
#include "model/protocol/rules.h"
#include "model/template/render.h"
#include "model/template/tags.h"

#include <QRegularExpression>
#include <QSet>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// A command of a step that runs before or after the user's commands.
struct StepText {
    QString text;
    YamlPath path;
    QString name; // of the prerequisite or plugin
};

QList<TemplateTag> namesIn(const QString &text)
{
    const Result<QList<TemplateTag>> tags = hasTag(text) ? templateTags(text) : QList<TemplateTag>{};
    QList<TemplateTag> names = tags ? *tags : QList<TemplateTag>{};
    names.removeIf([](const TemplateTag &tag) { return tag.kind != TemplateTag::Kind::Name; });
    return names;
}

// Findings about jobs that run here but would behave differently elsewhere: the points where a cluster's three
// renderers and two YAML readers treat a job differently.
class PortableRules
{
public:
    PortableRules(const JobSpec &job, Findings &findings) : m_job(job), m_out(findings) { }
    void run();

private:
    void collectSteps();
    void addSteps(const Value &parameters, const YamlPath &at, const QString &name);
    void checkStep(const StepText &step);
    void checkStepTags(const StepText &step);
    void checkUnrendered();
    void checkSecrets();
    void checkParameterKeys();
    void checkSelected();

    const JobSpec &m_job;
    Findings &m_out;
    QList<StepText> m_steps;
};

void PortableRules::run()
{
    collectSteps();
    for (const StepText &step : std::as_const(m_steps)) {
        if (m_out.isFull()) {
            return;
        }
        checkStep(step);
        checkStepTags(step);
    }
    checkUnrendered();
    checkSecrets();
    checkParameterKeys();
    checkSelected();
}

void PortableRules::collectSteps()
{
    const YamlPath list{u"prerequisites"_s};
    for (qsizetype i = 0; i < m_job.prerequisites.size(); ++i) {
        const Prerequisite &item = m_job.prerequisites.at(i);
        if (item.type == u"dockerimage"_s || pluginOf(item, false) != u"cmd"_s) {
            continue;
        }
        const qsizetype before = m_steps.size();
        addSteps(item.all, list.child(i), item.name);
        if (m_steps.size() == before && !item.plugin.isEmpty()) {
            m_out.add(u"prerequisite.nothing-to-do"_s, Severity::Note, ServerVerdict::Accepts,
                list.child(i).child(u"name"_s), {{u"name"_s, item.name}});
        }
    }
    const YamlPath plugins = YamlPath{u"extras"_s}.child(pluginPrefix());
    for (qsizetype i = 0; i < m_job.plugins.size(); ++i) {
        const PluginEntry &entry = m_job.plugins.at(i);
        if (entry.plugin == u"cmd"_s) {
            addSteps(entry.parameters, plugins.child(i).child(u"parameters"_s), entry.plugin);
        }
    }
}

void PortableRules::addSteps(const Value &parameters, const YamlPath &at, const QString &name)
{
    const auto addList = [&](const Value *list, const YamlPath &path) {
        const Value::List items = list && list->asList() ? *list->asList() : Value::List{};
        for (qsizetype i = 0; i < items.size(); ++i) {
            if (const QString *text = items.at(i).asString()) {
                m_steps.append({*text, path.child(i), name});
            }
        }
    };
    const Value *callbacks = parameters.find(u"callbacks"_s);
    const Value::List items = callbacks && callbacks->asList() ? *callbacks->asList() : Value::List{};
    for (qsizetype i = 0; i < items.size(); ++i) {
        addList(items.at(i).find(u"commands"_s), at.child(u"callbacks"_s).child(i).child(u"commands"_s));
    }
    for (const QString &key : {u"preCommands"_s, u"postCommands"_s}) {
        addList(parameters.find(key), at.child(key));
    }
}

// A cluster's runtime writes all parameters of a step in Python's notation and reads that as YAML: what needs quotes
// of both kinds is not read back, and inside of single quotes line breaks and backslashes come back as other text.
void PortableRules::checkStep(const StepText &step)
{
    const QString text = step.text;
    const bool single = text.contains(u'\'');
    const bool both = single && text.contains(u'"');
    if (both) {
        m_out.add(u"prerequisite.command-breaks"_s, Severity::Note, ServerVerdict::Accepts, step.path,
            {{u"name"_s, step.name}});
        return;
    }
    const bool lines = text.trimmed().contains(u'\n');
    if (!single && (lines || text.contains(u'\\'))) {
        m_out.add(u"prerequisite.command-damaged"_s, Severity::Note, ServerVerdict::Accepts, step.path,
            {{u"name"_s, step.name}, {u"what"_s, lines ? u"lines"_s : u"backslashes"_s}});
    }
}

void PortableRules::checkStepTags(const StepText &step)
{
    for (const TemplateTag &tag : namesIn(step.text)) {
        const TemplateReference reference = templateReference(tag.key);
        TemplateScopes scopes;
        scopes.parameters = &m_job.parameters;
        const Value *value = reference.scope == u"$parameters"_s ? lookUp(scopes, tag.key) : nullptr;
        if (value && !value->asString()) {
            Diagnostic &d = m_out.add(u"template.not-text-in-step"_s, Severity::Warning, ServerVerdict::Accepts,
                step.path, {{u"reference"_s, tag.key}, {u"name"_s, step.name}});
            YamlPath at{u"parameters"_s};
            for (const QString &part : reference.path) {
                at = at.child(part);
            }
            const YamlNode *node = m_out.document().find(at);
            if (node && node->kind == YamlNode::Kind::Scalar) {
                m_out.fix(d, u"fix.quote-value"_s, {{u"field"_s, reference.path.last()}},
                    {edit::SetText{at, textFromUtf8(node->scalar)}});
            }
        }
        static const QRegularExpression dotIndex(u"\\.[0-9]+(?=[.\\s%\\[])"_s);
        const QString written = step.text.mid(tag.begin, tag.end - tag.begin);
        if (reference.scope.startsWith(u'$') && dotIndex.match(written).hasMatch()) {
            static const QRegularExpression index(u"\\.([0-9]+)(?=[.\\s%\\[])"_s);
            Diagnostic &d = m_out.add(u"template.dot-index"_s, Severity::Note, ServerVerdict::Accepts, step.path,
                {{u"reference"_s, tag.key}, {u"name"_s, step.name}});
            const QString whole
                = step.text.left(tag.begin) + QString(written).replace(index, u"[\\1]"_s) + step.text.mid(tag.end);
            m_out.fix(d, u"fix.index-brackets"_s, {}, {edit::SetText{step.path, whole}});
        }
    }
}

// Only commands, registry logins and the parameters of plugins are rendered.
void PortableRules::checkUnrendered()
{
    const auto check = [this](const QString &text, const YamlPath &path, const QString &field, bool self) {
        for (const TemplateTag &tag : namesIn(text)) {
            if (self && templateReference(tag.key).scope == u"this"_s) {
                continue; // works here
            }
            m_out.add(u"template.not-rendered"_s, Severity::Warning, ServerVerdict::Accepts, path,
                {{u"field"_s, field}, {u"reference"_s, tag.key}});
            return;
        }
    };
    const YamlPath list{u"prerequisites"_s};
    for (qsizetype i = 0; i < m_job.prerequisites.size() && !m_out.isFull(); ++i) {
        const Prerequisite &item = m_job.prerequisites.at(i);
        const YamlPath uri = list.child(i).child(u"uri"_s);
        const YamlNode *node = m_out.document().find(uri);
        const bool isList = node && node->resolved()->isSequence();
        for (qsizetype j = 0; j < item.uri.size(); ++j) {
            check(item.uri.at(j), isList ? uri.child(j) : uri, u"uri"_s, item.type != u"dockerimage"_s);
        }
    }
    const Value *storages = m_job.extras.find(u"storages"_s);
    const Value::List items = storages && storages->asList() ? *storages->asList() : Value::List{};
    for (qsizetype i = 0; i < items.size(); ++i) {
        const YamlPath at = YamlPath{u"extras"_s, u"storages"_s}.child(i);
        for (const QString &key : {u"name"_s, u"mountPath"_s}) {
            const Value *value = items.at(i).find(key);
            if (value && value->asString()) {
                check(*value->asString(), at.child(key), key, false);
            }
        }
    }
}

void PortableRules::checkSecrets()
{
    const Value::Map secrets = m_job.secrets.asMap() ? *m_job.secrets.asMap() : Value::Map{};
    if (secrets.isEmpty()) {
        return;
    }
    // In all of the text, comments too: rather miss one than call a used one unused.
    const QByteArray &bytes = m_out.document().bytes();
    static const QRegularExpression reference(u"\\$secrets\\.([^\\s.\\[%\"']+)"_s);
    QSet<QString> named;
    auto matches = reference.globalMatch(textFromUtf8(bytes));
    while (matches.hasNext()) {
        named.insert(matches.next().captured(1));
    }
    QSet<QString> inCommands;
    const auto collect = [&inCommands](const QStringList &commands) {
        for (const QString &command : commands) {
            for (const TemplateTag &tag : namesIn(command)) {
                const TemplateReference found = templateReference(tag.key);
                if (found.scope == u"$secrets"_s) {
                    inCommands.insert(found.path.value(0));
                }
            }
        }
    };
    for (const TaskRole &role : m_job.taskRoles) {
        collect(role.commands);
        if (const DeploymentCommands *deployment = m_job.activeDeployment(role.name)) {
            collect(deployment->preCommands + deployment->postCommands);
        }
    }
    static const QRegularExpression escaped(u"[&<>\"']"_s);
    for (const auto &[name, value] : secrets) {
        const YamlPath at = YamlPath{u"secrets"_s}.child(name);
        if (!named.contains(name) && !name.contains(u'.')) {
            m_out.add(u"secrets.unused"_s, Severity::Note, ServerVerdict::Accepts, at, {{u"name"_s, name}}, Point::Key);
        }
        if (inCommands.contains(name) && value.asString() && escaped.match(*value.asString()).hasMatch()) {
            m_out.add(
                u"secrets.escaped"_s, Severity::Warning, ServerVerdict::Accepts, at, {{u"name"_s, name}}, Point::Key);
        }
    }
}

// A reference is cut at its dots and holds no blanks, so that such a name cannot be reached.
void PortableRules::checkParameterKeys()
{
    static const QRegularExpression reachable(u"^[^\\s.\\[\\]%]+\\z"_s);
    for (const auto &[section, map] :
        {std::pair{u"parameters"_s, &m_job.parameters}, std::pair{u"secrets"_s, &m_job.secrets}}) {
        const Value::Map entries = map->asMap() ? *map->asMap() : Value::Map{};
        for (const auto &entry : entries) {
            if (reachable.match(entry.first).hasMatch() || entry.first.isEmpty()) {
                continue;
            }
            static const QRegularExpression bad(u"[\\s.\\[\\]%]+"_s);
            const QString better = QString(entry.first).replace(bad, u"_"_s);
            const YamlPath at = YamlPath{section}.child(entry.first);
            Diagnostic &d = m_out.add(u"parameter.unreachable-name"_s, Severity::Warning, ServerVerdict::Accepts, at,
                {{u"name"_s, entry.first}, {u"section"_s, section}}, Point::Key);
            if (!map->find(better)) {
                m_out.fixRename(d, at, entry.first, better, {edit::RenameKey{at, better}});
            }
        }
    }
}

// Items that a role lists without effect.
void PortableRules::checkSelected()
{
    QHash<QString, const Prerequisite *> table;
    for (const Prerequisite &item : m_job.prerequisites) {
        table.insert(item.name, &item);
    }
    for (const TaskRole &role : m_job.taskRoles) {
        const YamlPath list = YamlPath{u"taskRoles"_s}.child(role.name).child(u"prerequisites"_s);
        for (qsizetype i = 0; i < role.prerequisites.size() && !m_out.isFull(); ++i) {
            const Prerequisite *item = table.value(role.prerequisites.at(i));
            const bool image = item && item->type == u"dockerimage"_s;
            if (!image && !(item && !pluginOf(*item, false) && item->plugin.isEmpty() && item->require.isEmpty())) {
                continue;
            }
            Diagnostic &d = m_out.add(u"role.prerequisite-idle"_s, Severity::Note, ServerVerdict::Accepts,
                list.child(i), {{u"name"_s, item->name}, {u"role"_s, role.name}, {u"type"_s, item->type}});
            m_out.fix(d, u"fix.remove-item"_s, {}, {edit::Remove{list.child(i)}});
        }
    }
}

} // namespace

void checkPortability(const JobSpec &job, Findings &findings) { PortableRules(job, findings).run(); }

} // namespace trainyard
