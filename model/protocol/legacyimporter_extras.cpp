// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
#include "model/base/utf8.h"
#include "model/protocol/legacyimporter.h"
#include "model/yaml/yamldocument.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

// Variables that are exported before the commands, and values for which version 2 has no field.
namespace trainyard::legacy
{

namespace
{

YamlWriter toYaml(const Node &node)
{
    switch (node.kind) {
    case Node::Kind::Null:
        return YamlWriter::plain("null");
    case Node::Kind::Bool:
        return YamlWriter::plain(node.boolean ? "true" : "false");
    case Node::Kind::Number:
        return YamlWriter::plain(node.text.toLatin1());
    case Node::Kind::Text:
        return YamlWriter::text(node.text);
    case Node::Kind::List: {
        YamlWriter list = YamlWriter::list();
        for (const Member &item : node.members) {
            list.append(toYaml(item.value), item.comments);
        }
        return list;
    }
    case Node::Kind::Map: {
        YamlWriter map = YamlWriter::map();
        for (const Member &item : node.members) {
            map.add(item.key, toYaml(item.value), item.comments);
        }
        return map;
    }
    }
    return {};
}

// A value inside double quotes of a shell, where its variables are to be replaced: nothing else in it may act.
bool safeInDoubleQuotes(const QString &text)
{
    static const QRegularExpression bad(u"[\"`\\\\\\n]|\\$[^A-Za-z_{]|\\$$|\\$\\{[^A-Za-z_]"_s);
    return !bad.match(text).hasMatch();
}

} // namespace

QStringList Importer::exports()
{
    QStringList commands;
    // Every path went into the environment after its variables were replaced, and so does it in double quotes.
    struct Variable {
        QString name, scope, uri;
    };
    for (const Variable &variable : {Variable{u"PAI_DATA_DIR"_s, u"<% $data.uri[0] %>"_s, m_data},
             Variable{u"PAI_OUTPUT_DIR"_s, u"<% $output.uri %>"_s, m_output},
             Variable{u"PAI_CODE_DIR"_s, u"<% $script.uri %>"_s, m_code}}) {
        if (variable.uri.isEmpty()) {
            continue;
        }
        const QString value = safeInDoubleQuotes(variable.uri) ? QString(u'"' + variable.scope + u'"')
                                                               : textFromUtf8(shellQuote(variable.uri.toUtf8()));
        commands.append(u"export "_s + variable.name + u'=' + value);
    }
    if (!m_code.isEmpty()) {
        // Version 1 put a copy of the folder into the working directory, under its own name however its path ends.
        // Tasks that share one copy aside first: what stands under the name is whole.
        commands.append(u"if [ -d \"$PAI_CODE_DIR\" ]; then __from=$PAI_CODE_DIR; "
                        "while [[ $__from == */ || $__from == */. ]]; do __from=${__from%/*}; done; "
                        "__code=${__from##*/}; "
                        "if [ -n \"$__code\" ] && [ ! -e \"$__code\" ]; then "
                        "__copy=$(mktemp -d ./.code.XXXXXX) && cp -rH -- \"$__from\" \"$__copy/\" "
                        "&& mv -nT -- \"$__copy/$__code\" \"$__code\" 2>/dev/null; rm -rf -- \"$__copy\"; fi; fi"_s);
    }
    const Member *variables = m_root.find(u"jobEnvs"_s);
    if (variables && !variables->value.isMap() && variables->value.kind != Node::Kind::Null) {
        say("legacy.wrong-type", Severity::Warning, *variables, {{u"where"_s, u"job"_s}});
    }
    if (!variables || !variables->value.isMap()) {
        return commands;
    }
    m_loose += variables->comments;
    static const QRegularExpression shellName(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    for (const Member &member : variables->value.members) {
        const Node &value = member.value;
        m_loose += member.comments;
        if (!shellName.match(member.key).hasMatch()) {
            say("legacy.env-name", Severity::Warning, member, {{u"name"_s, member.key}});
            m_unknown.add(QString(u"jobEnvs."_s + member.key), toYaml(value));
            continue;
        }
        if (value.isMap() || value.isList()) {
            say("legacy.env-value", Severity::Warning, member, {{u"name"_s, member.key}});
            m_unknown.add(QString(u"jobEnvs."_s + member.key), toYaml(value));
            continue;
        }
        if (member.key == "isDebug"_L1 || member.key == "paiAzRDMA"_L1) {
            say("legacy.env-meaning", Severity::Warning, member, {{u"name"_s, member.key}});
        }
        const QString text = value.kind == Node::Kind::Bool ? (value.boolean ? u"true"_s : u"false"_s)
            : value.kind == Node::Kind::Null                ? QString()
                                                            : value.text;
        if (text.contains(QChar(0))) {
            say("legacy.env-value", Severity::Warning, member, {{u"name"_s, member.key}});
            continue;
        }
        commands.append(u"export "_s + member.key + u'=' + textFromUtf8(shellQuote(text.toUtf8())));
    }
    return commands;
}

// Scripts in the image may read variables by the old name of a role. One that no shell can say has _ for what does not
// fit; as it was written it can only stand in the environment of a process, where our engine puts it.
QString Importer::aliasCommand() const
{
    QStringList cases;
    QSet<QString> taken;
    for (const Role &role : m_roles) {
        taken.insert(role.name);
    }
    static const QRegularExpression notWord(u"[^A-Za-z0-9_]"_s);
    for (const Role &role : m_roles) {
        QString alias = role.oldName;
        alias.replace(notWord, u"_"_s);
        if (role.name == role.oldName || taken.contains(alias)) {
            continue;
        }
        taken.insert(alias);
        cases.append(u"    *_%1 | *_%1_*) export \"${name/_%1/_%2}=${!name}\" ;;"_s.arg(role.name, alias));
    }
    if (cases.isEmpty()) {
        return {};
    }
    return u"for name in \"${!PAI_@}\"; do\n  case $name in\n"_s + cases.join(u'\n') + u"\n  esac\ndone"_s;
}

void Importer::addDeployment(YamlWriter &job)
{
    QStringList commands{u"set +o errexit +o nounset +o pipefail"_s};
    say("legacy.shell", Severity::Note, ByteRange{0, 0}, {{u"to"_s, u"/deployments/0"_s}});
    const QString alias = aliasCommand();
    if (!alias.isEmpty()) {
        commands.append(alias);
    }
    commands += exports();
    // Each role has them all.
    if (commands.join(QString()).size() * m_roles.size() > maxCheckedBytes) {
        m_tooLarge = true;
        return;
    }
    YamlWriter pre = YamlWriter::list();
    for (const QString &command : std::as_const(commands)) {
        pre.append(YamlWriter::text(command));
    }
    YamlWriter roles = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        YamlWriter entry = YamlWriter::map();
        entry.add(u"preCommands"_s, pre);
        roles.add(role.name, entry);
    }
    YamlWriter deployment = YamlWriter::map();
    deployment.add(u"name"_s, YamlWriter::text(u"default"_s));
    deployment.add(u"taskRoles"_s, roles);
    YamlWriter list = YamlWriter::list();
    list.append(deployment);
    if (!m_roles.isEmpty()) {
        job.add(u"deployments"_s, list);
    }
    QStringList comments;
    const QString cluster = text(m_root, u"virtualCluster"_s, u"job"_s, &comments);
    YamlWriter defaults = YamlWriter::map();
    defaults.add(u"virtualCluster"_s, YamlWriter::text(cluster.isEmpty() ? u"default"_s : cluster), comments);
    if (!m_roles.isEmpty()) {
        defaults.add(u"deployment"_s, YamlWriter::text(u"default"_s));
    }
    job.add(u"defaults"_s, defaults);
}

void Importer::unknownFields()
{
    // The name that a field of the reference had in version 1.
    QSet<QString> top;
    QSet<QString> ofRole;
    for (const ReferenceField &field : FieldReference::bundled().fields()) {
        QSet<QString> &names = field.pattern.value(0) == "taskRoles"_L1 && field.pattern.size() > 1 ? ofRole : top;
        names.unite({field.v1Names.begin(), field.v1Names.end()});
    }
    for (const Member &member : m_root.members) {
        if (!top.contains(member.key)) {
            say("legacy.unknown-field", Severity::Warning, member, {{u"where"_s, u"job"_s}});
            m_unknown.add(member.key, toYaml(member.value), member.comments);
        }
    }
    for (Role &role : m_roles) {
        YamlWriter unknown = YamlWriter::map();
        for (const Member &member : role.node->members) {
            if (!ofRole.contains(member.key)) {
                say("legacy.unknown-field", Severity::Warning, member, {{u"where"_s, role.oldName}});
                unknown.add(member.key, toYaml(member.value), member.comments);
            }
        }
        if (!unknown.isEmpty()) {
            role.kept.add(u"unknown"_s, unknown);
        }
    }
}

void Importer::addExtras(YamlWriter &job)
{
    unknownFields();
    YamlWriter extras = YamlWriter::map();
    const Member *old = m_root.find(u"extras"_s);
    if (old && old->value.isMap()) {
        for (const Member &member : old->value.members) {
            if (member.key != "trainyard"_L1) {
                extras.add(member.key, toYaml(member.value), member.comments);
            } else {
                m_unknown.add(u"extras/trainyard"_s, toYaml(member.value));
            }
        }
    } else if (old && old->value.kind != Node::Kind::Null) {
        say("legacy.wrong-type", Severity::Warning, *old, {{u"where"_s, u"job"_s}});
    }
    const Member *killAll = m_root.find(u"killAllOnCompletedTaskNumber"_s);
    if (killAll && !m_kept.has(killAll->key)) {
        const qint64 number = *integer(*killAll, u"job"_s, 0);
        if (number > 0) {
            say("legacy.kill-all-kept", Severity::Warning, *killAll, {{u"number"_s, number}});
            m_kept.add(killAll->key, YamlWriter::number(number), killAll->comments);
        } else {
            m_loose += killAll->comments;
        }
    }
    const Member *gpu = m_root.find(u"gpuType"_s);
    if (const QString type = text(m_root, u"gpuType"_s, u"job"_s); !type.isEmpty()) {
        say("legacy.gpu-type", Severity::Warning, *gpu, {{u"type"_s, type}, {u"to"_s, u"/extras/hivedScheduler"_s}});
        m_kept.add(u"gpuType"_s, YamlWriter::text(type), gpu->comments);
        if (!extras.has(u"hivedScheduler"_s) && !m_roles.isEmpty()) {
            YamlWriter roles = YamlWriter::map();
            for (const Role &role : std::as_const(m_roles)) {
                YamlWriter sku = YamlWriter::map();
                sku.add(u"skuType"_s, YamlWriter::text(type));
                roles.add(role.name, sku);
            }
            YamlWriter hived = YamlWriter::map();
            hived.add(u"taskRoles"_s, roles);
            extras.add(u"hivedScheduler"_s, hived);
        }
    }
    YamlWriter keptRoles = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        if (!role.kept.isEmpty()) {
            keptRoles.add(role.name, role.kept);
        }
    }
    if (!keptRoles.isEmpty()) {
        m_kept.add(u"roles"_s, keptRoles);
    }
    if (!m_unknown.isEmpty()) {
        m_kept.add(u"unknown"_s, m_unknown);
    }
    if (!m_kept.isEmpty()) {
        YamlWriter own = YamlWriter::map();
        own.add(u"legacy"_s, m_kept);
        extras.add(u"trainyard"_s, own);
    }
    if (!extras.isEmpty()) {
        job.add(u"extras"_s, extras, old ? old->comments : QStringList());
    } else if (old) {
        m_loose += old->comments;
    }
}

} // namespace trainyard::legacy
