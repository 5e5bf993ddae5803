// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/configurationfaults.h"

#include "engine/client/settings.h"
#include "model/protocol/findings.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

Error ignoredValue(const QString &key, const QString &file)
{
    const QJsonObject about = Settings::about(key);
    QJsonObject args{{u"file"_s, file}, {u"key"_s, key}};
    for (const QString &name : {u"min"_s, u"max"_s, u"default"_s, u"help"_s}) {
        args.insert(name, about.value(name));
    }
    const QString type = about.value("type"_L1).toString();
    return {type == "int"_L1    ? u"settings.ignored-int"_s
            : type == "bool"_L1 ? u"settings.ignored-bool"_s
            : type == "list"_L1 ? u"settings.ignored-list"_s
                                : u"settings.ignored-text"_s,
        args};
}

QStringList allKeys()
{
    QStringList keys;
    const QJsonArray table = Settings::table();
    for (const QJsonValue &entry : table) {
        keys.append(entry["key"_L1].toString());
    }
    return keys;
}

} // namespace

QStringList configurationFiles(const QString &configFolder)
{
    return {configFolder + u"/engine.json"_s, configFolder + u"/exit-rules.json"_s};
}

QList<Error> configurationFaults(const QString &configFolder, const Result<ExitRules> &exitRules)
{
    QList<Error> faults;
    const QString file = configurationFiles(configFolder).first();
    Settings settings(file);
    if (const Result<bool> read = settings.reload(); !read) {
        faults.append({u"settings.broken"_s, read.error().args});
    }
    const QStringList ignored = settings.ignored();
    for (const QString &key : ignored) {
        faults.append(ignoredValue(key, file));
    }
    const QList<Error> reversed = settings.reversed();
    for (const Error &each : reversed) {
        Error fault{u"settings.reversed-in-file"_s, each.args};
        fault.args.insert(u"file"_s, file);
        faults.append(fault);
    }
    // A key that is not close to any known one may be from a newer version and is not reported.
    const QStringList unknown = settings.unknown();
    for (const QString &key : unknown) {
        if (const QString similar = nearest(key, allKeys()); !similar.isEmpty()) {
            faults.append({u"settings.misspelt"_s, {{u"file"_s, file}, {u"key"_s, key}, {u"similar"_s, similar}}});
        }
    }
    if (!exitRules) {
        const Error &error = exitRules.error();
        faults.append({u"exitrules.not-used"_s,
            {{u"file"_s, error.args.value("file"_L1)},
                {u"error"_s, QJsonObject{{u"code"_s, error.code}, {u"args"_s, error.args}}}}});
    }
    return faults;
}

} // namespace trainyard
