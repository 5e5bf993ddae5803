// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobrules.h"
#include "model/protocol/plugins.h"
#include "model/protocol/rules.h"
#include "model/yaml/yamlscalar.h"

#include <QRegularExpression>
#include <QSet>

namespace trainyard
{

using namespace Qt::StringLiterals;

void JobRules::checkRole(const TaskRole &role, const YamlPath &path)
{
    checkRoleName(role, path);
    checkReferences(role, path);
    checkLimits(role, path);
    checkCommands(role, path);
    if (role.taskRetryCount != 0 && m_job.gangAllocation) {
        Diagnostic &d = m_out.add(u"role.task-retry-ineffective"_s, Severity::Warning, ServerVerdict::Accepts,
            path.child(u"taskRetryCount"_s), {{u"role"_s, role.name}});
        m_out.fix(d, u"fix.gang-off"_s, {}, {edit::SetValue{YamlPath{u"extras"_s, u"gangAllocation"_s}, "false"}});
        m_out.fix(
            d, u"fix.remove"_s, {{u"field"_s, u"taskRetryCount"_s}}, {edit::Remove{path.child(u"taskRetryCount"_s)}});
    }
    if (role.shmMiB && *role.shmMiB > role.resources.memoryMiB && role.resources.memoryMiB > 0) {
        m_out.add(u"role.shm-above-memory"_s, Severity::Note, ServerVerdict::Accepts,
            path.child(u"extraContainerOptions"_s).child(u"shmMB"_s),
            {{u"shm"_s, *role.shmMiB}, {u"memory"_s, role.resources.memoryMiB}});
    }
}

void JobRules::checkRoleName(const TaskRole &role, const YamlPath &path)
{
    if (isPortableRoleName(role.name) || !isRoleName(role.name)) {
        return;
    }
    static const QRegularExpression bad(u"[^a-z0-9]+"_s);
    const QString better = role.name.toLower().replace(bad, QString()).left(63);
    Diagnostic &d = m_out.add(u"role.name.not-portable"_s, Severity::Note, ServerVerdict::Accepts, path,
        {{u"name"_s, role.name}, {u"better"_s, better}}, Point::Key);
    if (better.isEmpty() || m_roleNames.contains(better) || m_out.isFull()) {
        return;
    }
    // Commands may spell the name in variables; then renaming the key alone would break them.
    QList<edit::Op> ops;
    if (!mentions(role.name)) {
        ops.append(edit::RenameKey{path, better});
        for (qsizetype i = 0; i < m_job.deployments.size(); ++i) {
            const YamlPath other = YamlPath{u"deployments"_s}.child(i).child(u"taskRoles"_s).child(role.name);
            if (m_out.document().find(other)) {
                ops.append(edit::RenameKey{other, better});
            }
        }
    }
    m_out.fixRename(d, path, role.name, better, ops);
}

void JobRules::checkReferences(const TaskRole &role, const YamlPath &path)
{
    QSet<QString> seen;
    const YamlPath list = path.child(u"prerequisites"_s);
    for (qsizetype i = 0; i < role.prerequisites.size() && !m_out.isSettled(); ++i) {
        const QString &name = role.prerequisites.at(i);
        if (seen.contains(name) && !m_out.isFull()) {
            const YamlPath at = itemPath(m_out.document(), list, i);
            Diagnostic &d = m_out.add(u"role.prerequisite-repeated"_s, Severity::Warning, ServerVerdict::Accepts, at,
                {{u"name"_s, name}, {u"role"_s, role.name}});
            m_out.fix(d, u"fix.remove-item"_s, {}, {edit::Remove{at}});
        }
        seen.insert(name);
        if (m_names.contains(name) && !name.isEmpty()) {
            continue;
        }
        const YamlPath at = itemPath(m_out.document(), list, i);
        if (name.isEmpty()) {
            m_out.add(u"role.reference-empty"_s, Severity::Error, ServerVerdict::Refuses, at,
                {{u"field"_s, u"prerequisites"_s}, {u"role"_s, role.name}});
            continue;
        }
        if (isInCatalogue(name, at, ServerVerdict::Refuses)) {
            continue;
        }
        Diagnostic &d = m_out.add(u"role.prerequisite-undefined"_s, Severity::Error, ServerVerdict::Refuses, at,
            {{u"name"_s, name}, {u"role"_s, role.name}});
        suggestName(d, name, at);
        m_out.fix(d, u"fix.remove-item"_s, {}, {edit::Remove{at}});
    }
    checkReference(role, path.child(u"script"_s), u"script"_s, role.script);
    checkReference(role, path.child(u"output"_s), u"output"_s, role.output);
    checkReference(role, path.child(u"data"_s), u"data"_s, role.data);
    const YamlPath image = path.child(u"dockerImage"_s);
    const YamlNode *imageNode = m_out.document().find(image);
    if (!imageNode) {
        if (role.dockerImage.isEmpty()) { // else it came in by a merge
            noImage(role, path);
        }
    } else if (!m_typedNames.contains({u"dockerimage"_s, role.dockerImage})
        && imageNode->resolved()->kind == YamlNode::Kind::Scalar && !imageNode->resolved()->isNull()
        && !isInCatalogue(role.dockerImage, image, ServerVerdict::Refuses)) {
        undefinedImage(role, image);
    }
}

void JobRules::checkReference(const TaskRole &role, const YamlPath &path, const QString &type, const QString &name)
{
    if (name.isEmpty()) {
        checkEmptyName(path, type);
        return;
    }
    if (m_typedNames.contains({type, name}) || isInCatalogue(name, path, ServerVerdict::Refuses)) {
        return;
    }
    const bool otherType = m_names.contains(name);
    Diagnostic &d = m_out.add(otherType ? u"role.reference-other-type"_s : u"role.reference-undefined"_s,
        Severity::Error, ServerVerdict::Refuses, path, {{u"field"_s, type}, {u"name"_s, name}, {u"role"_s, role.name}});
    const QStringList candidates = m_namesByType.value(type);
    const QString similar = candidates.size() == 1 ? candidates.first() : nearest(name, candidates);
    if (!similar.isEmpty()) {
        m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{path, similar}});
    }
}

// Here it names nothing; a server looks for something of that name.
void JobRules::checkEmptyName(const YamlPath &path, const QString &field)
{
    const YamlNode *node = m_out.document().find(path);
    if (!node || node->resolved()->kind != YamlNode::Kind::Scalar || typedScalar(*node).type != ScalarType::String) {
        return; // left out, or something is said of it already
    }
    Diagnostic &d = m_out.add(u"field.empty"_s, Severity::Warning, ServerVerdict::Refuses, path, {{u"field"_s, field}});
    m_out.fix(d, u"fix.remove"_s, {{u"field"_s, field}}, {edit::Remove{path}});
}

// The host's shell needs none; a container does.
bool JobRules::needsImage() const
{
    const QString runIn = m_job.trainyard.runIn;
    return !runIn.isEmpty() && runIn != u"host"_s;
}

// The host's shell needs no image; a container and a server do. It is only a note: most jobs have no containers, and a
// warning in all of them would hide the useful ones.
void JobRules::noImage(const TaskRole &role, const YamlPath &path)
{
    Diagnostic &d = m_out.add(u"role.image.none"_s, needsImage() ? Severity::Error : Severity::Note,
        ServerVerdict::Refuses, path, {{u"role"_s, role.name}}, Point::Key);
    const QStringList images = m_namesByType.value(u"dockerimage"_s);
    if (images.size() == 1) {
        const QString field = u"dockerImage"_s;
        m_out.fix(d, u"fix.add"_s, {{u"field"_s, QString(field + u": "_s + images.first())}},
            {edit::SetText{path.child(field), images.first()}});
    }
}

void JobRules::undefinedImage(const TaskRole &role, const YamlPath &path)
{
    Diagnostic &d = m_out.add(u"role.image.undefined"_s, Severity::Error, ServerVerdict::Refuses, path,
        {{u"name"_s, role.dockerImage}, {u"role"_s, role.name}});
    // A word for no image is not the name of one; a container, however, cannot do without.
    static const QStringList noImages{u"none"_s, u"no"_s, u"null"_s, u"nil"_s, u"false"_s, u"host"_s, u"-"_s};
    const bool isNone = noImages.contains(role.dockerImage.trimmed(), Qt::CaseInsensitive);
    if ((isNone || role.dockerImage.trimmed().isEmpty()) && !needsImage()) {
        m_out.fix(d, u"fix.no-image"_s, {}, {edit::Remove{path}});
    }
    const QStringList images = m_namesByType.value(u"dockerimage"_s);
    const QString similar = images.size() == 1 ? images.first() : nearest(role.dockerImage, images);
    if (!similar.isEmpty()) {
        m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{path, similar}});
    }
    if (isNone) {
        return;
    }
    static const QRegularExpression bad(u"[^A-Za-z0-9_-]+"_s);
    QString name = QString(role.dockerImage).replace(bad, u"_"_s).left(255);
    if (name.isEmpty()) {
        name = u"image"_s;
    }
    if (m_typedNames.contains({u"dockerimage"_s, name})) {
        return;
    }
    // The value there is often the image itself.
    QList<edit::Op> ops;
    const YamlPath list{u"prerequisites"_s};
    const YamlNode *node = m_out.document().find(list);
    const QString uri = role.dockerImage.isEmpty() ? u"python:3"_s : role.dockerImage;
    if (!node || !node->resolved()->isSequence()) {
        ops.append(edit::SetValue{list, "[]"});
    }
    const YamlPath item = list.child(node && node->resolved()->isSequence() ? node->resolved()->entries.size() : 0);
    ops.append(edit::SetText{item.child(u"name"_s), name});
    ops.append(edit::SetText{item.child(u"type"_s), u"dockerimage"_s});
    ops.append(edit::SetText{item.child(u"uri"_s), uri});
    if (name != role.dockerImage) {
        ops.append(edit::SetText{path, name});
    }
    m_out.fix(d, u"fix.define-image"_s, {{u"name"_s, name}}, ops);
}

void JobRules::checkLimits(const TaskRole &role, const YamlPath &path)
{
    const YamlPath completion = path.child(u"completion"_s);
    for (const auto &[key, limit] : {std::pair{u"minFailedInstances"_s, role.completion.minFailedInstances},
             std::pair{u"minSucceededInstances"_s, role.completion.minSucceededInstances}}) {
        if (!limit || *limit <= role.instances) {
            continue;
        }
        Diagnostic &d
            = m_out.add(u"role.limit.unreachable"_s, Severity::Warning, ServerVerdict::Accepts, completion.child(key),
                {{u"field"_s, key}, {u"value"_s, *limit}, {u"instances"_s, role.instances}, {u"role"_s, role.name}});
        for (const qint64 value : {role.instances, qint64(-1)}) {
            m_out.fix(d, u"fix.set"_s, {{u"value"_s, QString::number(value)}},
                {edit::SetValue{completion.child(key), QByteArray::number(value)}});
        }
    }
    if (m_job.taskRoles.size() > 1 && !role.completion.minSucceededInstances) {
        const YamlPath key = completion.child(u"minSucceededInstances"_s);
        Diagnostic &d = m_out.add(u"role.limit.implicit"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"role"_s, role.name}, {u"instances"_s, role.instances}}, Point::Key);
        m_out.fix(d, u"fix.wait-for-all"_s, {{u"role"_s, role.name}}, {edit::SetValue{key, "-1"}});
        m_out.fix(d, u"fix.as-server"_s, {{u"role"_s, role.name}, {u"value"_s, role.instances}},
            {edit::SetValue{key, QByteArray::number(role.instances)}});
    }
}

void JobRules::checkCommands(const TaskRole &role, const YamlPath &path)
{
    for (qsizetype i = 0; i + 1 < role.commands.size(); ++i) {
        if (role.commands.at(i).trimmed().endsWith(u'\\')) {
            m_out.add(u"role.command-continues"_s, Severity::Warning, ServerVerdict::Accepts,
                path.child(u"commands"_s).child(i), {{u"role"_s, role.name}});
        }
    }
}

} // namespace trainyard
