// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

const QStringList &prerequisiteTypes()
{
    static const QStringList types{u"dockerimage"_s, u"script"_s, u"data"_s, u"output"_s};
    return types;
}

void setKey(Value &map, const QString &key, const Value &value)
{
    Value::Map entries = map.asMap() ? *map.asMap() : Value::Map{};
    for (auto &entry : entries) {
        if (entry.first == key) {
            entry.second = value;
        }
    }
    map = Value(entries);
}

} // namespace

void JobReader::readPrerequisites(const Place &place, JobSpec &job)
{
    const auto items = m_fields.list(place, u"prerequisites"_s);
    if (!items) {
        return;
    }
    if (items->isEmpty()) {
        Diagnostic &d = m_findings.add(
            u"field.empty"_s, Severity::Warning, Server::Refuses, place.path, {{u"field"_s, u"prerequisites"_s}});
        m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"prerequisites"_s}}, {edit::Remove{place.path}});
    }
    QSet<std::pair<QString, QString>> seen;
    QSet<QString> names;
    for (const Place &item : *items) {
        const auto prerequisite = readPrerequisite(item);
        if (!prerequisite) {
            job.prerequisites.append(Prerequisite{}); // positions here are those in the text
            continue;
        }
        const QString &name = prerequisite->name;
        if (!name.isEmpty() && seen.contains({prerequisite->type, name})) {
            m_findings.add(u"prerequisite.duplicate"_s, Severity::Error, Server::Refuses, item.path.child(u"name"_s),
                {{u"type"_s, prerequisite->type}, {u"name"_s, name}});
        } else if (!name.isEmpty() && names.contains(name)) {
            m_findings.add(u"prerequisite.same-name"_s, Severity::Warning, Server::Accepts, item.path.child(u"name"_s),
                {{u"name"_s, name}});
        }
        seen.insert({prerequisite->type, name});
        names.insert(name);
        job.prerequisites.append(*prerequisite);
    }
}

std::optional<Prerequisite> JobReader::readPrerequisite(const Place &place)
{
    if (!place.isMap()) {
        m_findings.add(
            u"field.not-map"_s, Severity::Error, Server::Refuses, place.path, {{u"field"_s, u"prerequisite"_s}});
        return std::nullopt;
    }
    Prerequisite item;
    item.all = m_fields.values().value(place.node);
    MapFields fields(m_fields, place);
    if (const auto version = fields.take(u"protocolVersion"_s)) {
        m_fields.protocolVersion(*version);
    }
    if (const auto name = fields.take(u"name"_s)) {
        if (const auto text = m_fields.text(*name, u"name"_s)) {
            item.name = *text;
            m_fields.checkName(*text, *name, u"name"_s);
        }
    } else {
        m_fields.missing(place, u"name"_s, u"prerequisite"_s);
    }
    if (const auto type = fields.take(u"type"_s)) {
        item.type = m_fields.text(*type, u"type"_s).value_or(QString());
        if (!prerequisiteTypes().contains(item.type)) {
            Diagnostic &d = m_findings.add(u"prerequisite.type"_s, Severity::Error, Server::Refuses, type->path,
                {{u"type"_s, item.type}, {u"name"_s, item.name},
                    {u"known"_s, QJsonArray::fromStringList(prerequisiteTypes())}});
            const QString similar = nearest(item.type, prerequisiteTypes());
            if (!similar.isEmpty()) {
                m_findings.fix(d, u"fix.set"_s, {{u"value"_s, similar}}, {edit::SetText{type->path, similar}});
            }
        }
    } else {
        m_fields.missing(place, u"type"_s, u"prerequisite"_s);
    }
    if (const auto version = fields.take(u"version"_s)) {
        m_fields.textOrNumber(*version, u"version"_s);
    }
    for (const auto &key : {u"contributor"_s, u"description"_s}) {
        if (const auto text = fields.take(key)) {
            m_fields.text(*text, key);
        }
    }
    const auto uri = fields.take(u"uri"_s);
    if (uri) {
        readUri(*uri, item);
    }
    if (item.type == u"dockerimage"_s) {
        if (!uri) {
            m_fields.missing(place, u"uri"_s, u"prerequisite"_s);
        }
        if (const auto auth = fields.take(u"auth"_s)) {
            readAuth(*auth, item);
        }
        fields.unknown(item.name, Severity::Warning, Server::Refuses, u"prerequisite.image.extra-key"_s);
        return item; // what a plugin could do with an image, nobody does
    }
    if (const auto plugin = fields.take(u"plugin"_s)) {
        item.plugin = m_fields.text(*plugin, u"plugin"_s).value_or(QString());
    }
    if (const auto require = fields.take(u"require"_s)) {
        item.require = m_fields.texts(*require, u"require"_s).value_or(QStringList());
    }
    if (const auto callbacks = fields.take(u"callbacks"_s)) {
        readCallbacks(*callbacks, item);
    }
    if (const auto policy = fields.take(u"failurePolicy"_s)) {
        item.failurePolicy = readFailurePolicy(*policy);
    }
    for (const auto &key : {u"preCommands"_s, u"postCommands"_s}) {
        if (const auto commands = fields.take(key)) {
            m_fields.texts(*commands, key, Server::Accepts);
            if (fields.has(u"callbacks"_s)) {
                m_findings.add(u"prerequisite.mixed-commands"_s, Severity::Error, Server::Accepts, commands->path,
                    {{u"name"_s, item.name}, {u"field"_s, key}}, Point::Key);
            }
        }
    }
    return item; // any other key is the plugin's or the templates'
}

void JobReader::readUri(const Place &place, Prerequisite &item)
{
    if (item.type == u"data"_s) {
        if (place.isScalar() && !place.isNull()) {
            const QString text = QString::fromUtf8(place.resolved()->scalar);
            item.uri = {text};
            setKey(item.all, u"uri"_s, Value(Value::List{Value(text)})); // so that $data.uri[0] works
            Diagnostic &d = m_findings.add(u"prerequisite.uri.not-list"_s, Severity::Warning, Server::Refuses,
                place.path, {{u"name"_s, item.name}});
            m_findings.fix(d, u"fix.make-list"_s, {{u"field"_s, u"uri"_s}},
                {edit::SetValue{place.path, "[]"}, edit::InsertText{place.path.child(qsizetype(0)), text}});
            return;
        }
        item.uri = m_fields.texts(place, u"uri"_s).value_or(QStringList());
        return;
    }
    if (place.isSequence()) {
        const Value value = m_fields.values().value(place.node);
        const Value::List list = value.asList() ? *value.asList() : Value::List{};
        if (list.size() == 1 && list.first().asString()) {
            item.uri = {*list.first().asString()};
            setKey(item.all, u"uri"_s, list.first());
            Diagnostic &d = m_findings.add(u"prerequisite.uri.not-text"_s, Severity::Warning, Server::Refuses,
                place.path, {{u"name"_s, item.name}});
            m_findings.fix(
                d, u"fix.set"_s, {{u"value"_s, item.uri.first()}}, {edit::SetText{place.path, item.uri.first()}});
            return;
        }
    }
    if (const auto text = m_fields.text(place, u"uri"_s)) {
        item.uri = {*text};
    }
}

void JobReader::readAuth(const Place &place, Prerequisite &item)
{
    if (!m_fields.map(place, u"auth"_s)) {
        return;
    }
    RegistryAuth auth;
    MapFields fields(m_fields, place);
    for (const auto &[key, target] : {std::pair{u"username"_s, &auth.username},
             std::pair{u"password"_s, &auth.password}, std::pair{u"registryuri"_s, &auth.registryUri}}) {
        const auto value = fields.take(key);
        if (!value) {
            continue;
        }
        const TypedScalar typed = value->isScalar() ? typedScalar(*value->resolved()) : TypedScalar{};
        if (typed.value.asString() && typed.type == ScalarType::String) {
            *target = *typed.value.asString();
            continue;
        }
        // The value stays out of the arguments: it may be the password itself.
        Diagnostic &d = m_findings.add(u"prerequisite.auth-not-text"_s, Severity::Warning, Server::Refuses, value->path,
            {{u"field"_s, key}, {u"name"_s, item.name}});
        if (value->isScalar() && typed.type != ScalarType::Null) {
            *target = QString::fromUtf8(value->resolved()->scalar);
            m_findings.fix(d, u"fix.quote-value"_s, {{u"field"_s, key}}, {edit::SetText{value->path, *target}});
        }
    }
    // A server takes other keys and reads none of them.
    fields.unknown(u"auth"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
    item.auth = auth;
}

void JobReader::readCallbacks(const Place &place, Prerequisite &item)
{
    const auto callbacks = m_fields.list(place, u"callbacks"_s, Server::Accepts);
    if (!callbacks) {
        return;
    }
    const QStringList events{u"taskStarts"_s, u"taskSucceeds"_s};
    for (const Place &callbackPlace : *callbacks) {
        if (!callbackPlace.isMap()) {
            m_findings.add(u"field.not-map"_s, Severity::Error, Server::Accepts, callbackPlace.path,
                {{u"field"_s, u"callback"_s}});
            item.callbacks.append(Callback{});
            continue;
        }
        Callback callback;
        MapFields fields(m_fields, callbackPlace);
        const auto event = fields.take(u"event"_s);
        const Value written = event ? m_fields.values().value(event->node) : Value();
        if (!written.asString()) {
            m_findings.add(u"prerequisite.event.missing"_s, Severity::Error, Server::Accepts,
                event ? event->path : callbackPlace.path, {{u"name"_s, item.name}});
        } else {
            callback.event = canonicalEvent(*written.asString());
            if (callback.event != *written.asString()) {
                const bool unknown = callback.event.isEmpty();
                const QString use = unknown ? nearest(*written.asString(), events) : callback.event;
                QJsonObject args{{u"event"_s, *written.asString()}, {u"name"_s, item.name}, {u"use"_s, use}};
                Diagnostic &d
                    = m_findings.add(unknown ? u"prerequisite.event.unknown"_s : u"prerequisite.event.alias"_s,
                        Severity::Warning, Server::Accepts, event->path, args);
                for (const QString &choice : unknown &&use.isEmpty() ? events : QStringList{use}) {
                    m_findings.fix(d, u"fix.set"_s, {{u"value"_s, choice}}, {edit::SetText{event->path, choice}});
                }
            }
        }
        if (const auto commands = fields.take(u"commands"_s)) {
            callback.commands = m_fields.texts(*commands, u"commands"_s, Server::Accepts).value_or(QStringList());
        } else {
            m_findings.add(u"prerequisite.callback-without-commands"_s, Severity::Warning, Server::Accepts,
                callbackPlace.path, {{u"name"_s, item.name}});
        }
        fields.unknown(u"callback"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
        item.callbacks.append(callback);
    }
}

} // namespace trainyard
