// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/rules.h"

#include "model/protocol/imagename.h"
#include "model/protocol/plugins.h"
#include "model/template/render.h"
#include "model/yaml/yamlscalar.h"

#include <QRegularExpression>
#include <QSet>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// The rules between the fields of a job. Large because each rule is a method of its own.
class JobRules
{
public:
    JobRules(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings);
    void run();

private:
    void checkPrerequisite(const Prerequisite &item, const YamlPath &path);
    void checkPlugin(const QString &plugin, const QString &name, const YamlPath &path);
    void checkRequire(const Prerequisite &item, const YamlPath &path);
    void checkImage(const Prerequisite &item, const YamlPath &path);
    void checkRole(const TaskRole &role, const YamlPath &path);
    void checkRoleName(const TaskRole &role, const YamlPath &path);
    void checkReferences(const TaskRole &role, const YamlPath &path);
    void checkReference(const TaskRole &role, const YamlPath &path, const QString &type, const QString &name);
    void checkEmptyName(const YamlPath &path, const QString &field);
    bool needsImage() const;
    void noImage(const TaskRole &role, const YamlPath &path);
    void undefinedImage(const TaskRole &role, const YamlPath &path);
    void checkLimits(const TaskRole &role, const YamlPath &path);
    void checkCommands(const TaskRole &role, const YamlPath &path);
    void checkDeployments();
    void checkPlugins();
    void checkCycles();
    bool mentions(const QString &text) const;

    void suggestName(Diagnostic &d, const QString &name, const YamlPath &at); // the nearest of the prerequisites
    bool isInCatalogue(const QString &name, const YamlPath &path, ServerVerdict server);
    void checkOrder();

    const JobSpec &m_job;
    const CatalogueLookup &m_catalogue;
    Findings &m_out;
    QSet<QString> m_names; // of prerequisites
    QSet<std::pair<QString, QString>> m_typedNames;
    QSet<QString> m_roleNames;
    QStringList m_nameList, m_roleList; // in file order, for suggestions
    QSet<QString> m_used; // prerequisites that something names
    QHash<QString, QStringList> m_namesByType;
};

JobRules::JobRules(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings)
    : m_job(job), m_catalogue(catalogue), m_out(findings)
{
    for (const Prerequisite &item : job.prerequisites) {
        m_names.insert(item.name);
        m_nameList.append(item.name);
        m_typedNames.insert({item.type, item.name});
        m_namesByType[item.type].append(item.name);
        for (const QString &name : item.require) {
            m_used.insert(name);
        }
    }
    for (const TaskRole &role : job.taskRoles) {
        m_roleNames.insert(role.name);
        m_roleList.append(role.name);
        m_used.insert(role.dockerImage);
        m_used.insert(role.data);
        m_used.insert(role.script);
        m_used.insert(role.output);
        for (const QString &name : role.prerequisites) {
            m_used.insert(name);
        }
    }
}

void JobRules::run()
{
    const YamlPath prerequisites{u"prerequisites"_s};
    for (qsizetype i = 0; i < m_job.prerequisites.size(); ++i) {
        checkPrerequisite(m_job.prerequisites.at(i), prerequisites.child(i));
    }
    checkCycles();
    checkOrder();
    QHash<QString, QString> squeezed;
    for (const TaskRole &role : m_job.taskRoles) {
        const YamlPath path = YamlPath{u"taskRoles"_s}.child(role.name);
        QString squeezedName;
        for (const QChar c : role.name.toLower()) {
            if (c.isLetterOrNumber() && c.unicode() < 128) {
                squeezedName += c;
            }
        }
        if (squeezed.contains(squeezedName)) {
            m_out.add(u"role.name.collision"_s, Severity::Warning, ServerVerdict::Accepts, path,
                {{u"name"_s, role.name}, {u"other"_s, squeezed.value(squeezedName)}}, Point::Key);
        }
        squeezed.insert(squeezedName, role.name);
        checkRole(role, path);
    }
    checkDeployments();
    checkPlugins();
}

bool JobRules::mentions(const QString &text) const
{
    for (const TaskRole &role : m_job.taskRoles) {
        for (const QString &command : role.commands) {
            if (command.contains(text)) {
                return true;
            }
        }
    }
    return false;
}

void JobRules::checkPrerequisite(const Prerequisite &item, const YamlPath &path)
{
    if (item.type == u"dockerimage"_s) {
        checkImage(item, path);
    } else {
        if (item.plugin.isEmpty() && pluginOf(item, false)) {
            Diagnostic &d = m_out.add(u"prerequisite.no-plugin"_s, Severity::Warning, ServerVerdict::Accepts,
                path.child(u"name"_s), {{u"name"_s, item.name}});
            const QString cmd = pluginPrefix() + u".cmd"_s;
            m_out.fix(d, u"fix.add"_s, {{u"field"_s, QString(u"plugin: "_s + cmd)}},
                {edit::SetText{path.child(u"plugin"_s), cmd}});
        } else if (!item.plugin.isEmpty()) {
            checkPlugin(item.plugin, item.name, path.child(u"plugin"_s));
        }
        checkRequire(item, path);
        static const QRegularExpression exports(u"(?:^|[;&\\n])\\s*export\\s+([A-Za-z_][A-Za-z0-9_]*)"_s);
        for (qsizetype i = 0; i < item.callbacks.size(); ++i) {
            const Callback &callback = item.callbacks.at(i);
            for (qsizetype j = 0; j < callback.commands.size(); ++j) {
                const QRegularExpressionMatch match = exports.match(callback.commands.at(j));
                if (callback.event == u"taskStarts"_s && match.hasMatch()) {
                    m_out.add(u"prerequisite.export"_s, Severity::Note, ServerVerdict::Accepts,
                        path.child(u"callbacks"_s).child(i).child(u"commands"_s).child(j),
                        {{u"name"_s, item.name}, {u"variable"_s, match.captured(1)}});
                }
            }
        }
    }
    if (!item.name.isEmpty() && !m_used.contains(item.name)) {
        m_out.add(u"prerequisite.unused"_s, Severity::Note, ServerVerdict::Accepts, path.child(u"name"_s),
            {{u"name"_s, item.name}});
    }
}

void JobRules::checkPlugin(const QString &plugin, const QString &name, const YamlPath &path)
{
    const QString shortName = shortPluginName(plugin);
    if (!plugin.startsWith(pluginPrefix())) {
        Diagnostic &d = m_out.add(u"prerequisite.plugin-prefix"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"plugin"_s, plugin}, {u"name"_s, name}});
        if (shortName == u"cmd"_s) {
            const QString full = pluginPrefix() + u".cmd"_s;
            m_out.fix(d, u"fix.set"_s, {{u"value"_s, full}}, {edit::SetText{path, full}});
        }
    } else if (!QStringList{u"cmd"_s, u"git"_s, u"ssh"_s, u"tensorboard"_s}.contains(shortName)) {
        m_out.add(u"prerequisite.plugin-unsupported"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"plugin"_s, shortName}, {u"name"_s, name}});
    }
}

void JobRules::checkRequire(const Prerequisite &item, const YamlPath &path)
{
    if (item.require.isEmpty()) {
        return;
    }
    for (qsizetype i = 0; i < item.require.size(); ++i) {
        const QString &name = item.require.at(i);
        if (m_names.contains(name)) {
            continue;
        }
        const YamlPath at = path.child(u"require"_s).child(i);
        if (isInCatalogue(name, at, ServerVerdict::Accepts)) {
            continue;
        }
        Diagnostic &d = m_out.add(u"prerequisite.require-unknown"_s, Severity::Error, ServerVerdict::Accepts, at,
            {{u"name"_s, name}, {u"by"_s, item.name}});
        suggestName(d, name, at);
    }
}

// Says what is to be said about a name of a catalogue; false for any other name.
void JobRules::suggestName(Diagnostic &d, const QString &name, const YamlPath &at)
{
    const QString similar = nearest(name, m_nameList);
    if (!similar.isEmpty()) {
        m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{at, similar}});
    }
}

bool JobRules::isInCatalogue(const QString &name, const YamlPath &path, ServerVerdict server)
{
    if (!name.startsWith(u"marketplace://"_s)) {
        return false;
    }
    const QString item = catalogueItem(name);
    const bool here = !item.isEmpty() && m_catalogue && m_catalogue(item);
    m_out.add(here ? u"prerequisite.catalogue"_s : u"prerequisite.marketplace"_s,
        here ? Severity::Warning : Severity::Error, server, path, {{u"name"_s, name}});
    return true;
}

// A cluster runs what a role lists, in that order, and nothing that is required besides.
void JobRules::checkOrder()
{
    constexpr qsizetype maxRoles = 200;
    QSet<QString> said;
    for (const TaskRole &role : m_job.taskRoles.mid(0, maxRoles)) {
        if (role.prerequisites.isEmpty() || m_out.isFull()) {
            continue;
        }
        const Result<QStringList> order = expandPrerequisites(m_job, role);
        if (!order || *order == role.prerequisites) {
            continue;
        }
        QByteArrayList quoted;
        for (const QString &name : *order) {
            quoted.append('"' + name.toUtf8() + '"');
        }
        const QByteArray written = '[' + quoted.join(", ") + ']';
        const QSet<QString> runs(order->cbegin(), order->cend());
        const YamlPath list = YamlPath{u"taskRoles"_s}.child(role.name).child(u"prerequisites"_s);
        for (qsizetype i = 0; i < m_job.prerequisites.size() && !m_out.isFull(); ++i) {
            const Prerequisite &item = m_job.prerequisites.at(i);
            if (item.require.isEmpty() || !runs.contains(item.name) || said.contains(item.name)) {
                continue;
            }
            said.insert(item.name);
            Diagnostic &d = m_out.add(u"prerequisite.require-here-only"_s, Severity::Warning, ServerVerdict::Accepts,
                YamlPath{u"prerequisites"_s}.child(i).child(u"require"_s),
                {{u"name"_s, item.name}, {u"role"_s, role.name}}, Point::Key);
            m_out.fix(d, u"fix.write-order"_s, {{u"role"_s, role.name}}, {edit::SetValue{list, written}});
        }
    }
}

void JobRules::checkCycles()
{
    // Without the unknown names, which have been said. Each cycle found is cut, so that the next one shows.
    JobSpec known;
    TaskRole all;
    for (const Prerequisite &item : m_job.prerequisites) {
        Prerequisite &copy = known.prerequisites.emplaceBack();
        copy.name = item.name;
        std::copy_if(item.require.cbegin(), item.require.cend(), std::back_inserter(copy.require),
            [this](const QString &name) { return m_names.contains(name); });
        all.prerequisites.append(item.name);
    }
    constexpr int maxCycles = 20;
    for (int i = 0; i < maxCycles; ++i) {
        const Result<QStringList> order = expandPrerequisites(known, all);
        if (order || order.error().code != u"require.cycle"_s) {
            return;
        }
        const QString cycle = order.error().args.value(u"cycle"_s).toString();
        const QString first = cycle.section(u" → "_s, 0, 0);
        const auto item = std::find_if(known.prerequisites.rbegin(), known.prerequisites.rend(),
            [&](const Prerequisite &each) { return each.name == first; });
        if (item == known.prerequisites.rend()) {
            return;
        }
        m_out.add(u"prerequisite.require-cycle"_s, Severity::Error, ServerVerdict::Accepts,
            YamlPath{u"prerequisites"_s}.child(qsizetype(known.prerequisites.rend() - item) - 1).child(u"require"_s),
            {{u"cycle"_s, cycle}}, Point::Key);
        item->require.removeAll(cycle.section(u" → "_s, 1, 1));
    }
}

void JobRules::checkImage(const Prerequisite &item, const YamlPath &path)
{
    const QString uri = item.uri.value(0);
    if (item.uri.isEmpty()) {
        return;
    }
    // A first part with a dot or a colon is a registry; the repository is lower case.
    const qsizetype slash = uri.indexOf(u'/');
    const QString first = slash < 0 ? QString() : uri.left(slash);
    const bool registry = first.contains(u'.') || first.contains(u':') || first == u"localhost"_s;
    const QString rest = registry ? uri.mid(slash + 1) : uri;
    static const QRegularExpression name(
        u"^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?(?:@sha256:[0-9a-f]{64})?\\z"_s);
    if (uri.contains(u"<%"_s)) {
        return;
    }
    if (!name.match(rest).hasMatch()) {
        m_out.add(u"prerequisite.image.bad-name"_s, Severity::Warning, ServerVerdict::Accepts, path.child(u"uri"_s),
            {{u"uri"_s, uri}});
    } else if (!clusterImageName(uri)) {
        m_out.add(u"prerequisite.image.not-portable"_s, Severity::Warning, ServerVerdict::Accepts, path.child(u"uri"_s),
            {{u"uri"_s, uri}});
    }
}

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

// The host's shell needs no image; a container and a server do. It is no more than a note: jobs without containers are
// the usual ones, and a warning that all of them have would hide those that tell something.
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
    // What stands there is often the image itself.
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

void JobRules::checkDeployments()
{
    QStringList names;
    for (qsizetype i = 0; i < m_job.deployments.size(); ++i) {
        const Deployment &deployment = m_job.deployments.at(i);
        names.append(deployment.name);
        for (const DeploymentCommands &commands : deployment.roles) {
            if (m_roleNames.contains(commands.role) || !isRoleName(commands.role)) {
                continue;
            }
            const YamlPath at = YamlPath{u"deployments"_s}.child(i).child(u"taskRoles"_s).child(commands.role);
            Diagnostic &d = m_out.add(u"deployment.role-unknown"_s, Severity::Warning, ServerVerdict::Accepts, at,
                {{u"name"_s, commands.role}, {u"deployment"_s, deployment.name}}, Point::Key);
            const QString similar = nearest(commands.role, m_roleList);
            if (!similar.isEmpty()) {
                m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::RenameKey{at, similar}});
            }
        }
    }
    const YamlPath chosen{u"defaults"_s, u"deployment"_s};
    if (m_job.defaultDeployment.isEmpty()) {
        checkEmptyName(chosen, u"deployment"_s);
    }
    if (!m_job.defaultDeployment.isEmpty() && !names.contains(m_job.defaultDeployment)) {
        Diagnostic &d = m_out.add(u"deployment.default-unknown"_s, Severity::Error, ServerVerdict::Refuses, chosen,
            {{u"name"_s, m_job.defaultDeployment}});
        const QString similar = names.size() == 1 ? names.first() : nearest(m_job.defaultDeployment, names);
        if (!similar.isEmpty()) {
            m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{chosen, similar}});
        }
    } else if (m_job.defaultDeployment.isEmpty() && !names.isEmpty()) {
        Diagnostic &d = m_out.add(u"deployment.none-chosen"_s, Severity::Warning, ServerVerdict::Accepts,
            YamlPath{u"deployments"_s}, {{u"name"_s, names.first()}}, Point::Key);
        m_out.fix(d, u"fix.choose-deployment"_s, {{u"name"_s, names.first()}}, {edit::SetText{chosen, names.first()}});
    }
}

void JobRules::checkPlugins()
{
    const YamlPath list = YamlPath{u"extras"_s}.child(pluginPrefix());
    for (qsizetype i = 0; i < m_job.plugins.size(); ++i) {
        const PluginEntry &entry = m_job.plugins.at(i);
        const YamlPath at = list.child(i);
        static const QStringList known{u"cmd"_s, u"ssh"_s, u"git"_s, u"tensorboard"_s, u"teamwise_storage"_s};
        if (entry.plugin == u"cmd"_s) {
            const bool mixed = entry.parameters.find(u"callbacks"_s)
                && (entry.parameters.find(u"preCommands"_s) || entry.parameters.find(u"postCommands"_s));
            if (mixed) {
                m_out.add(u"prerequisite.mixed-commands"_s, Severity::Error, ServerVerdict::Accepts,
                    at.child(u"parameters"_s), {{u"name"_s, u"cmd"_s}, {u"field"_s, u"preCommands"_s}}, Point::Key);
            }
        } else if (!entry.plugin.isEmpty() && !known.contains(entry.plugin)) {
            const QString similar = nearest(entry.plugin, known);
            Diagnostic &d = m_out.add(u"plugin.unknown"_s, Severity::Warning, ServerVerdict::Accepts,
                at.child(u"plugin"_s), {{u"plugin"_s, entry.plugin}});
            if (!similar.isEmpty()) {
                m_out.fix(
                    d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{at.child(u"plugin"_s), similar}});
            }
        }
        const QStringList roles = entry.taskRoles.value_or(QStringList());
        for (qsizetype j = 0; j < roles.size(); ++j) {
            if (m_roleNames.contains(roles.at(j))) {
                continue;
            }
            const YamlPath roleAt = itemPath(m_out.document(), at.child(u"taskroles"_s), j);
            Diagnostic &d = m_out.add(u"plugin.role-unknown"_s, Severity::Warning, ServerVerdict::Accepts, roleAt,
                {{u"name"_s, roles.at(j)}, {u"plugin"_s, entry.plugin}});
            const QString similar = nearest(roles.at(j), m_roleList);
            if (!similar.isEmpty()) {
                m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{roleAt, similar}});
            }
        }
    }
}

} // namespace

void checkJob(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings)
{
    JobRules(job, catalogue, findings).run();
}

} // namespace trainyard
