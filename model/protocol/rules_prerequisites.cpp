// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/imagename.h"
#include "model/protocol/jobrules.h"
#include "model/protocol/plugins.h"
#include "model/protocol/rules.h"
#include "model/template/render.h"

#include <QRegularExpression>
#include <QSet>

namespace trainyard
{

using namespace Qt::StringLiterals;

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

} // namespace trainyard
