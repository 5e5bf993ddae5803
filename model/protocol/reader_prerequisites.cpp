// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

#include <QJsonArray>
#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

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

struct PrerequisiteReading {
    Prerequisite item;
    QString kind = u"script"_s; // which entries of the reference count: what is of no known type is taken as a script
    RegistryAuth auth;
};

// The type that is meant by "docker", "image" or "dataset"; empty where it is not certain.
QString meantType(const QString &written, const QStringList &types)
{
    constexpr qsizetype shortest = 3;
    const QString similar = nearest(written, types);
    if (!similar.isEmpty() || written.size() < shortest) {
        return similar;
    }
    QStringList like;
    for (const QString &type : types) {
        if (type.contains(written, Qt::CaseInsensitive) || written.contains(type, Qt::CaseInsensitive)) {
            like.append(type);
        }
    }
    return like.size() == 1 ? like.constFirst() : QString();
}

void checkType(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    Prerequisite &item = reading.item;
    const QStringList types = taken.field.valueNames();
    if (types.contains(item.type)) {
        reading.kind = item.type;
        return;
    }
    Diagnostic &d
        = reader.findings().add(u"prerequisite.type"_s, Severity::Error, ServerVerdict::Refuses, taken.place.path,
            {{u"type"_s, item.type}, {u"name"_s, item.name}, {u"known"_s, QJsonArray::fromStringList(types)}});
    const QString similar = meantType(item.type, types);
    if (!similar.isEmpty()) {
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, similar}}, {edit::SetText{taken.place.path, similar}});
    }
}

void readUri(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    const Place &place = taken.place;
    Prerequisite &item = reading.item;
    if (item.type == u"data"_s) {
        if (place.isScalar() && !place.isNull()) {
            const QString text = textFromUtf8(place.resolved()->scalar);
            item.uri = {text};
            setKey(item.all, u"uri"_s, Value(Value::List{Value(text)})); // so that $data.uri[0] works
            Diagnostic &d = reader.findings().add(u"prerequisite.uri.not-list"_s, Severity::Warning,
                ServerVerdict::Refuses, place.path, {{u"name"_s, item.name}});
            reader.findings().fix(d, u"fix.make-list"_s, {{u"field"_s, u"uri"_s}},
                {edit::SetValue{place.path, "[]"}, edit::InsertText{place.path.child(qsizetype(0)), text}});
            return;
        }
        item.uri = reader.fields().texts(place, u"uri"_s).value_or(QStringList());
        return;
    }
    if (place.isSequence()) {
        const Value value = reader.fields().values().value(place.node);
        const Value::List list = value.asList() ? *value.asList() : Value::List{};
        if (list.size() == 1 && list.first().asString()) {
            item.uri = {*list.first().asString()};
            setKey(item.all, u"uri"_s, list.first());
            Diagnostic &d = reader.findings().add(u"prerequisite.uri.not-text"_s, Severity::Warning,
                ServerVerdict::Refuses, place.path, {{u"name"_s, item.name}});
            reader.findings().fix(
                d, u"fix.set"_s, {{u"value"_s, item.uri.first()}}, {edit::SetText{place.path, item.uri.first()}});
            return;
        }
    }
    if (const auto text = reader.fields().text(place, u"uri"_s)) {
        item.uri = {*text};
    }
}

// The text of an entry of a login; a finding where it is none, for which a server refuses the job.
std::optional<QString> authText(JobReader &reader, const Place &place, const QString &name, const QString &image)
{
    const TypedScalar typed = place.isScalar() ? typedScalar(*place.resolved()) : TypedScalar{};
    if (place.isScalar() && typed.type == ScalarType::String) {
        return *typed.value.asString();
    }
    // The value stays out of the arguments: it may be the password itself.
    Diagnostic &d = reader.findings().add(u"prerequisite.auth-not-text"_s, Severity::Warning, ServerVerdict::Refuses,
        place.path, {{u"field"_s, name}, {u"name"_s, image}});
    if (!place.isScalar() || typed.type == ScalarType::Null) {
        return std::nullopt;
    }
    const QString written = textFromUtf8(place.resolved()->scalar);
    reader.findings().fix(d, u"fix.quote-value"_s, {{u"field"_s, name}}, {edit::SetText{place.path, written}});
    return written;
}

void readAuthText(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    taken.text = authText(reader, taken.place, taken.name, reading.item.name);
}

// A server fills in the templates of every entry of a login, also of unknown ones, and fails if one is not text.
void keepAuth(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    const QStringList known{u"username"_s, u"password"_s, u"registryuri"_s};
    for (const MapEntry &entry : taken.inside->entries()) {
        if (!known.contains(entry.key)) {
            authText(reader, {entry.value, taken.place.path.child(entry.key)}, entry.key, reading.item.name);
        }
    }
    reading.item.auth = reading.auth;
}

void readItsCallbacks(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    reading.item.callbacks = readerrules::readCallbacks(reader, taken.place, reading.item.name);
}

void readItsPolicy(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    reading.item.failurePolicy = readerrules::readFailurePolicy(reader, taken.place);
}

void checkMixedCommands(JobReader &reader, TakenField &taken, PrerequisiteReading &reading)
{
    if (taken.siblings.has(u"callbacks"_s)) {
        reader.findings().add(u"prerequisite.mixed-commands"_s, Severity::Error, ServerVerdict::Accepts,
            taken.place.path, {{u"name"_s, reading.item.name}, {u"field"_s, taken.name}}, Point::Key);
    }
}

const FieldSection<PrerequisiteReading> &prerequisiteSection()
{
    using Row = FieldSection<PrerequisiteReading>::Row;
    using Reading = PrerequisiteReading;
    static const FieldSection<Reading> section("/prerequisites/*",
        {
            {"protocolVersion"},
            {"name", member(&Reading::item, &Prerequisite::name), readerrules::checkName<Reading>},
            {"type", member(&Reading::item, &Prerequisite::type), checkType},
            {"version"},
            {"contributor"},
            {"description"},
            Row("uri", readUri).readsItself(),
            {"auth", keepAuth},
            Row("auth/username", member(&Reading::auth, &RegistryAuth::username), readAuthText).readsItself(),
            Row("auth/password", member(&Reading::auth, &RegistryAuth::password), readAuthText).readsItself(),
            Row("auth/registryuri", member(&Reading::auth, &RegistryAuth::registryUri), readAuthText).readsItself(),
            {"plugin", member(&Reading::item, &Prerequisite::plugin)},
            {"require", member(&Reading::item, &Prerequisite::require)},
            Row("callbacks", readItsCallbacks).readsItself(),
            Row("failurePolicy", readItsPolicy).readsItself(),
            {"preCommands", checkMixedCommands},
            {"postCommands", checkMixedCommands},
        });
    return section;
}

// The types that an item without one can have: what its uri says, else those that take any.
QStringList typesFor(const Value &item)
{
    const Value *uri = item.find(u"uri"_s);
    const QString *text = uri ? uri->asString() : nullptr;
    // As "library/debian:12": with a path or a tag, and no address, folder or reference.
    static const QRegularExpression image(u"^(?![^/]*//)(?=.*[/:])[a-z0-9][\\w.-]*(?::\\d+(?=/))?(?:/[\\w.-]+)*"
                                          "(?::[\\w.-]+)?(?:@sha256:[0-9a-f]+)?$"_s);
    if (uri && uri->asList()) {
        return {u"data"_s};
    }
    QStringList types{u"data"_s, u"script"_s, u"output"_s};
    if (text && image.match(*text).hasMatch()) {
        types = text->contains(u':') ? QStringList() : types; // without a tag it may be a folder as well
        types.prepend(u"dockerimage"_s);
    }
    return types;
}

void offerTypes(JobReader &reader, const Place &place)
{
    const QString field = u"type"_s;
    const std::optional<Severity> severity = reader.findings().takeBackMissing(place.path, field);
    if (!severity) {
        return;
    }
    Diagnostic &d = reader.findings().add(u"field.required"_s, *severity, ServerVerdict::Refuses, place.path,
        {{u"field"_s, field}, {u"where"_s, u"prerequisite"_s}});
    const Value written = reader.values().value(place.node); // and not as it was read without a type
    for (const QString &type : typesFor(written)) {
        reader.findings().fix(d, u"fix.add"_s, {{u"field"_s, QString(u"type: "_s + type)}},
            {edit::SetText{place.path.child(field), type}});
    }
}

std::optional<Prerequisite> readPrerequisite(JobReader &reader, const Place &place)
{
    if (!place.isMap()) {
        reader.findings().add(
            u"field.not-map"_s, Severity::Error, ServerVerdict::Refuses, place.path, {{u"field"_s, u"prerequisite"_s}});
        return std::nullopt;
    }
    PrerequisiteReading reading;
    reading.item.all = reader.values().value(place.node);
    MapFields fields(reader.fields(), place);
    prerequisiteSection().read(reader, fields, reading, u"prerequisite"_s, reading.kind);
    offerTypes(reader, place);
    if (reading.kind == u"dockerimage"_s) { // no plugin does anything with an image
        fields.unknown(reading.item.name, Severity::Warning, ServerVerdict::Refuses, u"prerequisite.image.extra-key"_s);
    }
    return reading.item;
}

struct CallbackReading {
    Callback callback;
    QString name;
};

void readEvent(JobReader &reader, TakenField &taken, CallbackReading &reading)
{
    const Value written = taken.present ? reader.values().value(taken.place.node) : Value();
    if (!written.asString()) {
        reader.findings().add(u"prerequisite.event.missing"_s, Severity::Error, ServerVerdict::Accepts,
            taken.place.path, {{u"name"_s, reading.name}});
        return;
    }
    const QStringList events = taken.field.valueNames();
    QString &event = reading.callback.event;
    event = canonicalEvent(*written.asString());
    if (event == *written.asString()) {
        return;
    }
    const bool unknown = event.isEmpty();
    const QString use = unknown ? nearest(*written.asString(), events) : event;
    Diagnostic &d = reader.findings().add(unknown ? u"prerequisite.event.unknown"_s : u"prerequisite.event.alias"_s,
        Severity::Warning, ServerVerdict::Accepts, taken.place.path,
        {{u"event"_s, *written.asString()}, {u"name"_s, reading.name}, {u"use"_s, use}});
    for (const QString &choice : use.isEmpty() ? events : QStringList{use}) {
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, choice}}, {edit::SetText{taken.place.path, choice}});
    }
}

void checkCallbackCommands(JobReader &reader, TakenField &taken, CallbackReading &reading)
{
    if (!taken.present) {
        reader.findings().add(u"prerequisite.callback-without-commands"_s, Severity::Warning, ServerVerdict::Accepts,
            taken.place.path, {{u"name"_s, reading.name}});
    }
}

const FieldSection<CallbackReading> &callbackSection()
{
    using Row = FieldSection<CallbackReading>::Row;
    static const FieldSection<CallbackReading> section("/prerequisites/*/callbacks/*",
        {
            Row("event", readEvent).readsItself().evenMissing(),
            Row("commands", member(&CallbackReading::callback, &Callback::commands), checkCallbackCommands)
                .evenMissing(),
        });
    return section;
}

} // namespace

void readerrules::readPrerequisites(JobReader &reader, TakenField &taken, JobSpec &job)
{
    QSet<std::pair<QString, QString>> seen;
    QSet<QString> names;
    for (const Place &item : taken.items.value_or(QList<Place>())) {
        const auto prerequisite = readPrerequisite(reader, item);
        if (!prerequisite) {
            job.prerequisites.append(Prerequisite{}); // positions here are those in the text
            continue;
        }
        const QString &name = prerequisite->name;
        if (!name.isEmpty() && seen.contains({prerequisite->type, name})) {
            reader.findings().add(u"prerequisite.duplicate"_s, Severity::Error, ServerVerdict::Refuses,
                item.path.child(u"name"_s), {{u"type"_s, prerequisite->type}, {u"name"_s, name}});
        } else if (!name.isEmpty() && names.contains(name)) {
            reader.findings().add(u"prerequisite.same-name"_s, Severity::Warning, ServerVerdict::Accepts,
                item.path.child(u"name"_s), {{u"name"_s, name}});
        }
        seen.insert({prerequisite->type, name});
        names.insert(name);
        job.prerequisites.append(*prerequisite);
    }
}

QList<Callback> readerrules::readCallbacks(JobReader &reader, const Place &place, const QString &name)
{
    QList<Callback> callbacks;
    const auto items = reader.fields().list(place, u"callbacks"_s, ServerVerdict::Accepts);
    for (const Place &item : items.value_or(QList<Place>())) {
        CallbackReading reading{{}, name};
        if (item.isMap()) {
            MapFields fields(reader.fields(), item);
            callbackSection().read(reader, fields, reading, u"callback"_s, u"script"_s);
        } else {
            reader.findings().add(
                u"field.not-map"_s, Severity::Error, ServerVerdict::Accepts, item.path, {{u"field"_s, u"callback"_s}});
        }
        callbacks.append(reading.callback);
    }
    return callbacks;
}

QStringList readerrules::prerequisiteProblems()
{
    return prerequisiteSection().problems() + callbackSection().problems();
}

} // namespace trainyard
