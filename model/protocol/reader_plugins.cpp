// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// The parameters of a plugin are checked, too: on a cluster, errors in them appear minutes after the start, as a failed
// preparation.
struct PluginReading {
    PluginEntry entry;
    bool sshUser = false; // a user's key is wanted in the tasks
};

void checkPluginName(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    if (!taken.present || !taken.place.isScalar() || taken.place.isNull()) {
        const YamlPath &item = taken.siblings.place().path;
        reader.findings().add(u"plugin.unnamed"_s, Severity::Error, ServerVerdict::Accepts, item);
        return;
    }
    QString &plugin = reading.entry.plugin;
    plugin = reader.values().value(taken.place.node).toText();
    if (plugin.startsWith(pluginPrefix())) {
        const QString shortName = shortPluginName(plugin);
        Diagnostic &d = reader.findings().add(u"plugin.prefix"_s, Severity::Warning, ServerVerdict::Accepts,
            taken.place.path, {{u"plugin"_s, plugin}, {u"name"_s, shortName}});
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, shortName}}, {edit::SetText{taken.place.path, shortName}});
        plugin = shortName;
    }
}

void readPluginPolicy(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    reading.entry.failurePolicy = readerrules::readFailurePolicy(reader, taken.place);
}

void readPluginRoles(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    reading.entry.taskRoles = reader.fields().texts(taken.place, taken.name, ServerVerdict::Accepts);
}

void sayHook(JobReader &reader, TakenField &taken, PluginReading &)
{
    reader.findings().add(u"plugin.hook"_s, Severity::Note, ServerVerdict::Accepts, taken.place.path, {}, Point::Key);
}

bool isTrue(JobReader &reader, MapFields &parameters, const QString &key)
{
    const std::optional<Place> place = parameters.take(key);
    const Value value = place ? reader.values().value(place->node) : Value();
    return value.asBool() && *value.asBool();
}

// Behind both of these keys, whichever are there.
void checkSshGang(JobReader &reader, TakenField &taken, PluginReading &)
{
    if (taken.name == u"jobssh"_s && taken.siblings.has(u"sshbarrier"_s)) {
        return;
    }
    if (isTrue(reader, taken.siblings, u"jobssh"_s) && !reader.job().gangAllocation) {
        const YamlPath path = taken.siblings.place().path.child(u"jobssh"_s);
        Diagnostic &d
            = reader.findings().add(u"plugin.ssh-without-gang"_s, Severity::Warning, ServerVerdict::Accepts, path);
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"false"_s}}, {edit::SetValue{path, "false"}});
    }
}

void checkSshUserType(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    const Value value = reader.values().value(taken.place.node);
    const QString text = value.asString() ? *value.asString() : QString();
    const QStringList known = taken.field.valueNames();
    reading.sshUser = true;
    if (known.contains(text)) {
        return;
    }
    Diagnostic &d = reader.findings().add(
        u"plugin.ssh-user-type"_s, Severity::Warning, ServerVerdict::Accepts, taken.place.path, {{u"value"_s, text}});
    for (const QString &choice : known) {
        if (choice != u"none"_s) {
            reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, choice}}, {edit::SetText{taken.place.path, choice}});
        }
    }
}

void checkPluginCallbacks(JobReader &reader, TakenField &taken, PluginReading &)
{
    readerrules::readCallbacks(reader, taken.place, u"cmd"_s);
}

void checkLogFolders(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    if (taken.inside->entries().isEmpty()) {
        reader.findings().add(taken.field.reading.missingCode, Severity::Warning, ServerVerdict::Accepts,
            taken.place.path, {{u"field"_s, taken.name}, {u"plugin"_s, reading.entry.plugin}}, Point::Key);
    }
}

// The combined effect of the parameters.
void checkParameters(JobReader &reader, TakenField &taken, PluginReading &reading)
{
    const QString &plugin = reading.entry.plugin;
    MapFields &parameters = *taken.inside;
    const bool commands
        = parameters.has(u"callbacks"_s) || parameters.has(u"preCommands"_s) || parameters.has(u"postCommands"_s);
    const bool idle = plugin == u"cmd"_s
        ? !commands
        : plugin == u"ssh"_s && !reading.sshUser && !isTrue(reader, parameters, u"jobssh"_s);
    if (idle) {
        reader.findings().add(u"plugin.nothing-to-do"_s, Severity::Note, ServerVerdict::Accepts, taken.place.path,
            {{u"plugin"_s, plugin}}, Point::Key);
    }
    // Further keys of cmd may be for templates of its own, and what other plugins take is not known here.
    const QStringList closed{u"ssh"_s, u"git"_s, u"tensorboard"_s, u"teamwise_storage"_s};
    if (closed.contains(plugin)) {
        parameters.unknown(plugin, Severity::Note, ServerVerdict::Accepts, u"field.ignored"_s);
    }
}

const FieldSection<PluginReading> &pluginSection()
{
    using Row = FieldSection<PluginReading>::Row;
    static const FieldSection<PluginReading> section("/extras/com.microsoft.pai.runtimeplugin/*",
        {
            Row("plugin", checkPluginName).readsItself().evenMissing(),
            {"parameters", member(&PluginReading::entry, &PluginEntry::parameters), checkParameters},
            Row("parameters/callbacks", checkPluginCallbacks).readsItself(),
            {"parameters/jobssh", checkSshGang},
            {"parameters/sshbarrier", checkSshGang},
            Row("parameters/userssh/type", checkSshUserType).readsItself(),
            {"parameters/port"},
            {"parameters/logdir", checkLogFolders},
            Row("failurePolicy", readPluginPolicy).readsItself(),
            Row("taskroles", readPluginRoles).readsItself(),
            Row("hook", sayHook).readsItself(),
        });
    return section;
}

} // namespace

FailurePolicy readerrules::readFailurePolicy(JobReader &reader, const Place &place)
{
    const Value value = reader.values().value(place.node);
    const QString text = value.asString() ? *value.asString() : QString();
    if (text == u"ignore"_s) {
        return FailurePolicy::Ignore;
    }
    if (text != u"fail"_s && !value.isNull()) {
        Diagnostic &d = reader.findings().add(u"plugin.failure-policy"_s, Severity::Error, ServerVerdict::Accepts,
            place.path, {{u"value"_s, value.asMap() || value.asList() ? QString() : value.toText()}});
        for (const auto &policy : {u"fail"_s, u"ignore"_s}) {
            reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, policy}}, {edit::SetText{place.path, policy}});
        }
    }
    return FailurePolicy::Fail;
}

void readerrules::readPlugins(JobReader &reader, TakenField &taken, JobSpec &job)
{
    for (const Place &item : taken.items.value_or(QList<Place>())) {
        PluginReading reading;
        if (item.isMap()) {
            MapFields fields(reader.fields(), item);
            pluginSection().read(reader, fields, reading, u"plugin"_s, reading.entry.plugin);
        } else {
            reader.findings().add(
                u"field.not-map"_s, Severity::Error, ServerVerdict::Accepts, item.path, {{u"field"_s, u"plugin"_s}});
        }
        job.plugins.append(reading.entry); // also what cannot be read: positions here are those in the text
    }
}

QStringList readerrules::pluginProblems() { return pluginSection().problems(); }

} // namespace trainyard
