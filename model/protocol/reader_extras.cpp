// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

void JobReader::readExtras(const Place &place, JobSpec &job)
{
    if (!m_fields.map(place, u"extras"_s)) {
        return;
    }
    job.extras = m_fields.values().value(place.node);
    MapFields fields(m_fields, place);
    if (const auto gang = fields.take(u"gangAllocation"_s)) {
        const Value value = m_fields.values().value(gang->node);
        job.gangAllocation = !(value.asBool() && !*value.asBool());
        if (!value.asBool()) {
            Diagnostic &d
                = m_findings.add(u"extras.gang-not-boolean"_s, Severity::Warning, Server::Accepts, gang->path);
            for (const bool wanted : {false, true}) {
                const QString text = wanted ? u"true"_s : u"false"_s;
                m_findings.fix(d, u"fix.set"_s, {{u"value"_s, text}}, {edit::SetValue{gang->path, text.toUtf8()}});
            }
        }
    }
    if (const auto plugins = fields.take(pluginPrefix())) {
        readPlugins(*plugins, job);
    }
    if (const auto storages = fields.take(u"storages"_s)) {
        readStorages(*storages);
    }
    if (const auto notifications = fields.take(u"jobStatusChangeNotification"_s)) {
        readNotifications(*notifications);
    }
    if (const auto hived = fields.take(u"hivedScheduler"_s)) {
        readHived(*hived, job);
    }
    if (const auto own = fields.take(u"trainyard"_s)) {
        readTrainyard(*own, job);
    }
    if (const auto typo = fields.take(u"hivedscheduler"_s); typo && !fields.has(u"hivedScheduler"_s)) {
        Diagnostic &d = m_findings.add(
            u"extras.hived-spelling"_s, Severity::Warning, Server::Accepts, typo->path, {}, Point::Key);
        m_findings.fix(d, u"fix.rename-key"_s, {{u"name"_s, u"hivedScheduler"_s}},
            {edit::RenameKey{typo->path, u"hivedScheduler"_s}});
    }
    // Any other key is somebody's own, unless it looks like one of these.
    const QStringList known{u"gangAllocation"_s, u"storages"_s, u"jobStatusChangeNotification"_s, u"hivedScheduler"_s,
        u"trainyard"_s, pluginPrefix()};
    const QStringList others{u"submitFrom"_s, u"tensorBoard"_s, u"hivedscheduler"_s};
    for (const QString &key : fields.keys()) {
        const QString similar = known.contains(key) || others.contains(key) ? QString() : nearest(key, known);
        if (similar.isEmpty() || fields.has(similar)) {
            continue;
        }
        const YamlPath path = place.path.child(key);
        Diagnostic &d = m_findings.add(u"extras.key-similar"_s, Severity::Warning, Server::Accepts, path,
            {{u"field"_s, key}, {u"similar"_s, similar}}, Point::Key);
        m_findings.fix(d, u"fix.rename-key"_s, {{u"name"_s, similar}}, {edit::RenameKey{path, similar}});
    }
}

FailurePolicy JobReader::readFailurePolicy(const Place &place)
{
    const Value value = m_fields.values().value(place.node);
    const QString text = value.asString() ? *value.asString() : QString();
    if (text == u"ignore"_s) {
        return FailurePolicy::Ignore;
    }
    if (text != u"fail"_s && !value.isNull()) {
        Diagnostic &d = m_findings.add(u"plugin.failure-policy"_s, Severity::Error, Server::Accepts, place.path,
            {{u"value"_s, value.asMap() || value.asList() ? QString() : value.toText()}});
        for (const auto &policy : {u"fail"_s, u"ignore"_s}) {
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, policy}}, {edit::SetText{place.path, policy}});
        }
    }
    return FailurePolicy::Fail;
}

void JobReader::readPlugins(const Place &place, JobSpec &job)
{
    const auto items = m_fields.list(place, u"com.microsoft.pai.runtimeplugin"_s, Server::Accepts);
    if (!items) {
        return;
    }
    for (const Place &item : *items) {
        if (!item.isMap()) {
            m_findings.add(
                u"field.not-map"_s, Severity::Error, Server::Accepts, item.path, {{u"field"_s, u"plugin"_s}});
            job.plugins.append(PluginEntry{}); // positions here are those in the text
            continue;
        }
        PluginEntry entry;
        MapFields fields(m_fields, item);
        const auto plugin = fields.take(u"plugin"_s);
        if (!plugin || !plugin->isScalar() || plugin->isNull()) {
            m_findings.add(u"plugin.unnamed"_s, Severity::Error, Server::Accepts, item.path);
        } else {
            entry.plugin = m_fields.values().value(plugin->node).toText();
            if (entry.plugin.startsWith(pluginPrefix())) {
                const QString shortName = shortPluginName(entry.plugin);
                Diagnostic &d = m_findings.add(u"plugin.prefix"_s, Severity::Warning, Server::Accepts, plugin->path,
                    {{u"plugin"_s, entry.plugin}, {u"name"_s, shortName}});
                m_findings.fix(d, u"fix.set"_s, {{u"value"_s, shortName}}, {edit::SetText{plugin->path, shortName}});
                entry.plugin = shortName;
            }
        }
        if (const auto parameters = fields.take(u"parameters"_s);
            parameters && m_fields.map(*parameters, u"parameters"_s, Server::Accepts)) {
            entry.parameters = m_fields.values().value(parameters->node);
            readPluginParameters(*parameters, entry.plugin, job);
        }
        if (const auto policy = fields.take(u"failurePolicy"_s)) {
            entry.failurePolicy = readFailurePolicy(*policy);
        }
        auto roles = fields.take(u"taskroles"_s);
        if (const auto renamed = fields.takeRenamed(u"taskRoles"_s, u"taskroles"_s, Server::Accepts);
            renamed && !roles) {
            roles = renamed;
        }
        if (roles) {
            entry.taskRoles = m_fields.texts(*roles, u"taskroles"_s, Server::Accepts);
        }
        if (const auto hook = fields.take(u"hook"_s)) {
            m_findings.add(u"plugin.hook"_s, Severity::Note, Server::Accepts, hook->path, {}, Point::Key);
        }
        fields.unknown(u"plugin"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
        job.plugins.append(entry);
    }
}

void JobReader::readTrainyard(const Place &place, JobSpec &job)
{
    if (!m_fields.map(place, u"trainyard"_s, Server::Accepts)) {
        return;
    }
    MapFields fields(m_fields, place);
    if (const auto runIn = fields.take(u"runIn"_s)) {
        const QStringList known{u"host"_s, u"podman"_s, u"docker"_s, u"apptainer"_s};
        const Value value = m_fields.values().value(runIn->node);
        const QString text = value.asString() ? *value.asString() : QString();
        if (known.contains(text)) {
            job.trainyard.runIn = text;
        } else {
            Diagnostic &d = m_findings.add(u"extras.run-in"_s, Severity::Error, Server::Accepts, runIn->path,
                {{u"value"_s, text}, {u"known"_s, QJsonArray::fromStringList(known)}});
            const QString similar = nearest(text, known);
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, similar.isEmpty() ? u"host"_s : similar}},
                {edit::SetText{runIn->path, similar.isEmpty() ? u"host"_s : similar}});
        }
    }
    if (const auto work = fields.take(u"work"_s)) {
        const Value value = m_fields.values().value(work->node);
        if (value.asString()) {
            job.trainyard.work = *value.asString();
        } else {
            m_findings.add(
                u"field.not-text"_s, Severity::Error, Server::Accepts, work->path, {{u"field"_s, u"work"_s}});
        }
    }
    if (const auto strict = fields.take(u"strict"_s)) {
        checkBoolean(*strict, u"strict"_s);
    }
    readOwnQueue(fields, job);
    // Read by other parts of the program.
    for (const auto &key : {u"environment"_s, u"holdAfterFailureMinutes"_s, u"sweep"_s, u"tags"_s, u"legacy"_s}) {
        fields.take(key);
    }
    fields.unknown(u"trainyard"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

} // namespace trainyard
