// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/protocol/commandquoting.h"
#include "model/protocol/keptbyshell.h"
#include "model/protocol/plugins.h"
#include "model/protocol/rules.h"
#include "model/runtime/environment.h"
#include "model/template/render.h"
#include "model/template/tags.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 manyTasks = 500; // of jobs with more, the variables of single tasks are not looked at

// Findings in the users' shell commands that need no shell: variables that no task gets, templates with an unintended
// text, secrets in the list of processes.
class CommandRules
{
public:
    CommandRules(const JobSpec &job, Findings &findings) : m_job(job), m_out(findings) { }
    void run();

private:
    void checkList(const QStringList &commands, const YamlPath &path, const TaskRole &role);
    void checkFolded(const YamlNode *node, const YamlPath &path, const TaskRole &role);
    void checkTags(const QString &command, const YamlPath &path, const TaskRole &role);
    void checkShellOfSteps();
    void checkShell(const QString &command, const YamlPath &path);
    void checkSecretsInClear(const QString &command, const YamlPath &path);
    void checkVariables(const QString &command, const YamlPath &path, const TaskRole &role);
    const QSet<QString> &variablesOf(const TaskRole &role);
    ByteRange locate(const QString &written, const YamlPath &path) const;
    ByteRange rangeOfTag(const QString &command, const TemplateTag &tag, const YamlPath &path) const;

    const JobSpec &m_job;
    Findings &m_out;
    QSet<QString> m_assigned; // variables that some command sets
    QHash<QString, QSet<QString>> m_variables;
    QList<QPair<QString, QString>> m_longSecrets; // name and value
    bool m_knowsVariables = false;
};

void CommandRules::run()
{
    checkShellOfSteps();
    static const QRegularExpression assignment(
        u"\\b((?:PAI|SLURM_ARRAY)_[A-Za-z0-9_]+)=|"
        "\\b(?:for|read|local|declare)\\s+(?:-\\w+\\s+)*((?:PAI|SLURM_ARRAY)_[A-Za-z0-9_]+)"_s);
    qint64 tasks = 0;
    for (const TaskRole &role : m_job.taskRoles) {
        tasks += role.instances;
    }
    m_knowsVariables = tasks <= manyTasks;
    const QString all = textFromUtf8(m_out.document().bytes());
    auto matches = assignment.globalMatch(all);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        m_assigned.insert(match.captured(1) + match.captured(2));
    }
    const Value::Map none, *secrets = m_job.secrets.asMap();
    for (const auto &[name, secret] : secrets ? *secrets : none) {
        const QString value = secret.asString() ? *secret.asString() : QString();
        if (value != maskedText() && value.toUtf8().size() >= shortestMaskedSecret) {
            m_longSecrets.append({name, value});
        }
    }
    for (const TaskRole &role : m_job.taskRoles) {
        const YamlPath commands = YamlPath{u"taskRoles"_s}.child(role.name).child(u"commands"_s);
        checkList(role.commands, commands, role);
        const auto isBlank = [](const QString &command) { return QStringView(command).trimmed().isEmpty(); };
        // One that is not a text has an error of its own, and no blank in its place is meant.
        const YamlNode *list = m_out.document().find(commands);
        list = list ? list->resolved() : nullptr;
        const bool areTexts
            = list && std::all_of(list->entries.cbegin(), list->entries.cend(), [](const YamlNode::Entry &entry) {
                  return entry.value && entry.value->resolved()->kind == YamlNode::Kind::Scalar;
              });
        if (areTexts && !role.commands.isEmpty()
            && std::all_of(role.commands.cbegin(), role.commands.cend(), isBlank)) {
            m_out.add(u"role.commands-blank"_s, Severity::Warning, ServerVerdict::Accepts, commands,
                {{u"role"_s, role.name}}, Point::Key);
        }
    }
    for (qsizetype i = 0; i < m_job.deployments.size(); ++i) {
        const Deployment &deployment = m_job.deployments.at(i);
        if (deployment.name != m_job.defaultDeployment) {
            continue;
        }
        for (const DeploymentCommands &commands : deployment.roles) {
            const TaskRole *role = m_job.role(commands.role);
            const YamlPath at = YamlPath{u"deployments"_s}.child(i).child(u"taskRoles"_s).child(commands.role);
            for (const auto &[key, list] : {std::pair{u"preCommands"_s, &commands.preCommands},
                     std::pair{u"postCommands"_s, &commands.postCommands}}) {
                if (role) {
                    checkList(*list, at.child(key), *role);
                }
            }
        }
    }
}

// Most commands are plain text, of which nothing is to be said: what is asked of all of them costs next to nothing.
void CommandRules::checkList(const QStringList &commands, const YamlPath &path, const TaskRole &role)
{
    const YamlNode *list = m_out.document().find(path);
    list = list ? list->resolved() : nullptr;
    const bool isText = list && list->kind == YamlNode::Kind::Scalar; // in place of the list
    for (qsizetype i = 0; i < commands.size() && !m_out.isFull(); ++i) {
        const QString &command = commands.at(i);
        const YamlPath place = isText ? path : path.child(i);
        const YamlNode *node = list && i < list->entries.size() ? list->entries.at(i).value : nullptr;
        if (node && node->kind == YamlNode::Kind::Scalar && node->style == YamlNode::Style::Folded) {
            checkFolded(node, place, role);
        }
        if (!m_longSecrets.isEmpty()) {
            checkSecretsInClear(command, place);
        }
        if (hasTag(command)) {
            checkTags(command, place, role);
            checkShell(command, place);
        }
        if (m_knowsVariables && (command.contains(u"PAI_"_s) || command.contains(u"SLURM_ARRAY_"_s))) {
            checkVariables(command, place, role);
        }
    }
}

// The commands of steps are those of a shell, too.
void CommandRules::checkShellOfSteps()
{
    const auto check = [this](const QString &command, const YamlPath &path) {
        if (hasTag(command) && !m_out.isFull()) {
            checkShell(command, path);
        }
    };
    for (qsizetype i = 0; i < m_job.prerequisites.size(); ++i) {
        const QList<Callback> &callbacks = m_job.prerequisites.at(i).callbacks;
        const YamlPath at = YamlPath{u"prerequisites"_s}.child(i).child(u"callbacks"_s);
        for (qsizetype j = 0; j < callbacks.size(); ++j) {
            const QStringList &commands = callbacks.at(j).commands;
            for (qsizetype k = 0; k < commands.size(); ++k) {
                check(commands.at(k), itemPath(m_out.document(), at.child(j).child(u"commands"_s), k));
            }
        }
    }
    const auto checkValue = [&check](const Value *commands, const YamlPath &at) {
        const Value::List *list = commands ? commands->asList() : nullptr;
        for (qsizetype k = 0; list && k < list->size(); ++k) {
            if (const QString *command = list->at(k).asString()) {
                check(*command, at.child(k));
            }
        }
    };
    for (qsizetype i = 0; i < m_job.plugins.size(); ++i) {
        const Value &parameters = m_job.plugins.at(i).parameters;
        const YamlPath at = YamlPath{u"extras"_s}.child(pluginPrefix()).child(i).child(u"parameters"_s);
        for (const QString &key : {u"preCommands"_s, u"postCommands"_s}) {
            checkValue(parameters.find(key), at.child(key));
        }
        const Value *callbacks = parameters.find(u"callbacks"_s);
        const Value::List *list = callbacks ? callbacks->asList() : nullptr;
        for (qsizetype j = 0; list && j < list->size(); ++j) {
            checkValue(list->at(j).find(u"commands"_s), at.child(u"callbacks"_s).child(j).child(u"commands"_s));
        }
    }
}

// A secret is put into the text of a command, where the shell reads it as it reads the rest.
void CommandRules::checkShell(const QString &command, const YamlPath &path)
{
    const Result<QList<TemplateTag>> tags = templateTags(command);
    TemplateScopes scopes;
    scopes.secrets = &m_job.secrets;
    for (const TemplateTag &tag : tags && !command.contains(u"<<"_s) ? *tags : QList<TemplateTag>{}) {
        const TemplateReference reference = templateReference(tag.key);
        const Value *value = tag.kind == TemplateTag::Kind::Name && reference.scope == u"$secrets"_s
            ? lookUp(scopes, tag.key)
            : nullptr;
        const QString *secret = value ? value->asString() : nullptr;
        const bool isAsked = m_job.secretsMasked && reference.scope == u"$secrets"_s; // all of them are
        const Quoting quoting = secret || isAsked ? quotingAt(command, tag.begin) : Quoting::None;
        if (!secret || *secret == maskedText()) {
            if ((secret || isAsked) && quoting != Quoting::Comment) {
                m_out.addAt(quoting == Quoting::None ? u"secrets.shell-unquoted"_s : u"secrets.shell-asked"_s,
                    Severity::Note, ServerVerdict::Accepts, path, rangeOfTag(command, tag, path),
                    {{u"name"_s, reference.path.value(0)}});
            }
            continue;
        }
        const QString kept = withoutBlanksBehind(*secret);
        if (isChangedByShell(kept, quoting)) {
            const QString code = kept.contains(u'\'') ? u"secrets.shell-quote"_s : u"secrets.shell"_s;
            m_out.addAt(code, Severity::Warning, ServerVerdict::Accepts, path, rangeOfTag(command, tag, path),
                {{u"name"_s, reference.path.value(0)}});
        }
    }
}

// A folded scalar is one line for the shell: a comment in it swallows all that follows.
void CommandRules::checkFolded(const YamlNode *node, const YamlPath &path, const TaskRole &role)
{
    const QByteArray source = m_out.document().bytes().mid(node->at.begin, node->at.length());
    const QList<QByteArray> lines = source.split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QByteArray line = lines.at(i).trimmed();
        // On lines of its own a comment still ends the command, when text follows in the same paragraph.
        const bool more = i + 1 < lines.size() && !lines.at(i + 1).trimmed().isEmpty();
        if (line.startsWith('#') && !line.startsWith("#!") && more) {
            const qsizetype at = m_out.document().bytes().indexOf(line, node->at.begin);
            m_out.addAt(u"role.command-folded-comment"_s, Severity::Warning, ServerVerdict::Accepts, path,
                {at, at + line.size()}, {{u"role"_s, role.name}});
            return;
        }
    }
}

// Values that the record of a job and each edited copy keep: only those below 'secrets' are removed.
void CommandRules::checkSecretsInClear(const QString &command, const YamlPath &path)
{
    for (const auto &[name, value] : std::as_const(m_longSecrets)) {
        if (command.contains(value)) {
            m_out.addAt(u"secrets.in-command"_s, Severity::Warning, ServerVerdict::Accepts, path, locate(value, path),
                {{u"name"_s, name}});
        }
    }
}

void CommandRules::checkTags(const QString &command, const YamlPath &path, const TaskRole &role)
{
    const Result<QList<TemplateTag>> tags = templateTags(command);
    TemplateScopes scopes;
    scopes.parameters = &m_job.parameters;
    scopes.secrets = &m_job.secrets;
    for (const auto &[target, type, name] : {std::tuple{&scopes.script, u"script"_s, role.script},
             std::tuple{&scopes.output, u"output"_s, role.output}, std::tuple{&scopes.data, u"data"_s, role.data}}) {
        const Prerequisite *item = name.isEmpty() ? nullptr : m_job.prerequisite(type, name);
        *target = item ? &item->all : nullptr;
    }
    for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>{}) {
        if (tag.kind != TemplateTag::Kind::Name) {
            continue;
        }
        const TemplateReference reference = templateReference(tag.key);
        const Value *value = lookUp(scopes, tag.key);
        if (value && value->asMap()) {
            m_out.addAt(u"template.map-as-text"_s, Severity::Warning, ServerVerdict::Accepts, path,
                rangeOfTag(command, tag, path), {{u"reference"_s, tag.key}});
        } else if (value && value->asList() && value->asList()->size() > 1) {
            m_out.addAt(u"template.list-as-text"_s, Severity::Note, ServerVerdict::Accepts, path,
                rangeOfTag(command, tag, path), {{u"reference"_s, tag.key}});
        }
        if (reference.scope != u"$secrets"_s) {
            continue;
        }
        // Everyone on the host can read the arguments of programs; what the shell keeps to itself is fine.
        if (!isKeptByShell(command, tag.begin) && !command.contains(u"<<"_s)) {
            m_out.addAt(u"secrets.in-argument"_s, Severity::Note, ServerVerdict::Accepts, path,
                rangeOfTag(command, tag, path), {{u"name"_s, reference.path.value(0)}, {u"role"_s, role.name}});
        }
    }
}

const QSet<QString> &CommandRules::variablesOf(const TaskRole &role)
{
    const auto known = m_variables.constFind(role.name);
    if (known != m_variables.constEnd()) {
        return known.value();
    }
    QList<TaskPlacement> placements;
    for (const TaskRole &each : m_job.taskRoles) {
        for (qint64 i = 0; i < each.instances; ++i) {
            TaskPlacement placement{each.name, int(i), u"0.0.0.0"_s, {}};
            for (const Port &port : each.effectivePorts()) {
                placement.ports.append({port.label, {1}});
            }
            placements.append(placement);
        }
    }
    const TaskEnvironment environment(m_job, {}, placements);
    for (const TaskRole &each : m_job.taskRoles) {
        QSet<QString> &names = m_variables[each.name];
        for (const auto &variable : environment.forTask(each.name, 0, 0, QString())) {
            names.insert(variable.first);
        }
    }
    return m_variables[role.name];
}

void CommandRules::checkVariables(const QString &command, const YamlPath &path, const TaskRole &role)
{
    // Not where something follows that gives a default or goes on with the name.
    static const QRegularExpression use(
        u"\\$(?:\\{!?)?((?:PAI|SLURM_ARRAY)_[A-Za-z0-9_]*[A-Za-z0-9])(?![A-Za-z0-9_$]|:?[-=+?])"_s);
    QSet<QString> said;
    auto matches = use.globalMatch(command);
    while (matches.hasNext() && !m_out.isFull()) {
        const QRegularExpressionMatch match = matches.next();
        const QString name = match.captured(1);
        if (said.contains(name) || m_assigned.contains(name) || variablesOf(role).contains(name)) {
            continue;
        }
        said.insert(name);
        if (name.startsWith(u"SLURM_"_s)) { // a script that ran in an array of Slurm
            m_out.addAt(u"role.variable-array"_s, Severity::Warning, ServerVerdict::Accepts, path,
                locate(match.captured(0), path), {{u"name"_s, name}, {u"role"_s, role.name}});
            continue;
        }
        QStringList candidates;
        for (const QString &known : variablesOf(role)) {
            if (known.startsWith(u"PAI_"_s) && std::abs(known.size() - name.size()) < 4) {
                candidates.append(known);
            }
        }
        candidates.sort();
        const QString similar = nearest(name, candidates);
        Diagnostic &d = m_out.addAt(u"role.variable-unknown"_s, Severity::Warning, ServerVerdict::Accepts, path,
            locate(match.captured(0), path), {{u"name"_s, name}, {u"role"_s, role.name}});
        if (!similar.isEmpty()) {
            d.args.insert(u"similar"_s, similar);
            QString fixed = command;
            fixed.replace(match.capturedStart(1), name.size(), similar);
            m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{path, fixed}});
        }
    }
}

ByteRange CommandRules::rangeOfTag(const QString &command, const TemplateTag &tag, const YamlPath &path) const
{
    return rangeOfPart(m_out.document(), path, command, tag.begin, tag.end);
}

// The bytes of the first such piece of a command, or all of it where folding or escapes write it otherwise.
ByteRange CommandRules::locate(const QString &written, const YamlPath &path) const
{
    const YamlNode *node = m_out.document().find(path);
    if (!node) {
        return {};
    }
    const QByteArray text = written.toUtf8();
    const qsizetype at = m_out.document().bytes().indexOf(text, node->at.begin);
    return at < 0 || at + text.size() > node->at.end ? node->at : ByteRange{at, at + text.size()};
}

} // namespace

QList<Diagnostic> findingsOfGivenSecrets(
    const YamlDocument &document, const JobSpec &job, const QMap<QString, QString> &values)
{
    JobSpec given = job;
    given.secretsMasked = false;
    Value::Map secrets;
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        secrets.append({it.key(), Value(it.value())});
    }
    given.secrets = Value(secrets);
    Findings findings(document);
    checkCommands(given, findings);
    QList<Diagnostic> found = findings.take();
    found.removeIf([](const Diagnostic &each) {
        return each.code != u"secrets.shell"_s && each.code != u"secrets.shell-quote"_s;
    });
    return found;
}

QStringList secretsTakenApart(const QStringList &commands, const Value &secrets)
{
    static const QRegularExpression toAnother(u"\\beval\\b|\\bssh\\b|\\bxargs\\b|\\s-\\w*c\\s"_s);
    TemplateScopes scopes;
    scopes.secrets = &secrets;
    QStringList names;
    for (const QString &command : commands) {
        const Result<QList<TemplateTag>> tags = templateTags(command);
        for (const TemplateTag &tag : tags && !command.contains("<<"_L1) ? *tags : QList<TemplateTag>()) {
            const TemplateReference reference = templateReference(tag.key);
            const bool isSecret = tag.kind == TemplateTag::Kind::Name && reference.scope == u"$secrets"_s;
            const Value *value = isSecret ? lookUp(scopes, tag.key) : nullptr;
            const QString name = reference.path.value(0);
            if (!value || names.contains(name)) {
                continue;
            }
            const bool isForAnother = toAnother.match(command).hasMatch();
            if (isChangedByShell(withoutBlanksBehind(value->toText()),
                    isForAnother ? Quoting::None : quotingAt(command, tag.begin))) {
                names.append(name);
            }
        }
    }
    return names;
}

void checkCommands(const JobSpec &job, Findings &findings) { CommandRules(job, findings).run(); }

} // namespace trainyard
