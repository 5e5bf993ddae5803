// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacy.h"
#include "model/protocol/legacyread.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{

using legacy::Member;
using legacy::Node;

namespace
{

enum class OldServer { First, Second, Third }; // v0.4, v0.8, v0.14

// The schema of one server, all problems at once.
class Schema
{
public:
    explicit Schema(OldServer server) : m_server(server) { }

    QList<Diagnostic> check(const Node &root)
    {
        m_where = u"job"_s;
        for (const Member &member : root.members) {
            topField(member);
        }
        for (const auto &field : {u"jobName"_s, u"image"_s, u"taskRoles"_s}) {
            require(root, field);
        }
        return m_found;
    }

private:
    bool since(OldServer server) const { return m_server >= server; }

    void add(const char *code, const Member &member, QJsonObject args = {})
    {
        args.insert(u"field"_s, member.key);
        args.insert(u"where"_s, m_where);
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.severity = Severity::Error;
        d.at = member.keyAt.end > member.keyAt.begin ? member.keyAt : member.value.at;
        d.args = args;
        d.strict = true;
        m_found.append(d);
    }

    void require(const Node &map, const QString &field)
    {
        if (!map.find(field)) {
            Member missing;
            missing.key = field;
            missing.value.at = {map.at.begin, map.at.begin};
            add("legacy.schema.missing", missing);
        }
    }

    void topField(const Member &member)
    {
        static const QSet<QString> optionalTexts{
            u"authFile"_s, u"dataDir"_s, u"outputDir"_s, u"codeDir"_s, u"virtualCluster"_s, u"gpuType"_s};
        const QString &key = member.key;
        if (key == "jobName"_L1) {
            static const QRegularExpression first(u"^[A-Za-z0-9\\-._~]+$"_s);
            static const QRegularExpression later(u"^[A-Za-z0-9\\-._]+$"_s);
            text(member, since(OldServer::Second) ? &later : &first);
        } else if (key == "image"_L1) {
            text(member, nullptr);
        } else if (optionalTexts.contains(key)) {
            if (!member.value.isText()) {
                add("legacy.schema.text", member);
            }
        } else if (key == "retryCount"_L1) {
            integer(member, since(OldServer::Second) ? std::optional<double>(-2) : std::nullopt);
        } else if (key == "killAllOnCompletedTaskNumber"_L1) {
            integer(member, std::nullopt);
        } else if (key == "taskRoles"_L1) {
            roles(member);
        } else if ((key == "jobEnvs"_L1 || key == "extras"_L1) && since(OldServer::Third)) {
            if (!member.value.isMap()) {
                add("legacy.schema.map", member);
            }
        } else {
            add("legacy.schema.unknown", member);
        }
    }

    void text(const Member &member, const QRegularExpression *pattern)
    {
        if (!member.value.isText()) {
            add("legacy.schema.text", member);
        } else if (member.value.text.isEmpty()) {
            add("legacy.schema.empty", member);
        } else if (pattern && !pattern->match(member.value.text).hasMatch()) {
            add("legacy.schema.characters", member, {{u"value"_s, member.value.text}});
        }
    }

    // Numbers in quotes count, as the servers converted them.
    std::optional<double> integer(const Member &member, std::optional<double> minimum)
    {
        bool good = false;
        const double number = member.value.kind == Node::Kind::Number || member.value.isText()
            ? member.value.text.trimmed().toDouble(&good)
            : 0;
        if (!good || !std::isfinite(number) || number != std::floor(number)) {
            add("legacy.schema.integer", member);
            return std::nullopt;
        }
        if (minimum && number < *minimum) {
            add("legacy.schema.minimum", member, {{u"minimum"_s, *minimum}, {u"value"_s, number}});
        }
        return number;
    }

    void roles(const Member &member)
    {
        if (!member.value.isList() || member.value.members.empty()) {
            add(member.value.isList() ? "legacy.schema.empty" : "legacy.schema.list", member);
            return;
        }
        QSet<QString> names;
        for (const Member &item : member.value.members) {
            if (!item.value.isMap()) {
                add("legacy.schema.map", item);
                continue;
            }
            const Member *name = item.value.find(u"name"_s);
            m_where = name && name->value.isText() ? name->value.text : u"taskRoles"_s;
            if (name && names.contains(name->value.text)) {
                add("legacy.schema.duplicate", *name, {{u"value"_s, name->value.text}});
            }
            names.insert(name ? name->value.text : QString());
            role(item.value);
            m_where = u"job"_s;
        }
    }

    void role(const Node &role)
    {
        double tasks = 1;
        double memory = 100;
        for (const Member &member : role.members) {
            if (member.key == "taskNumber"_L1) {
                tasks = integer(member, std::nullopt).value_or(tasks);
            } else if (member.key == "memoryMB"_L1) {
                memory = integer(member, std::nullopt).value_or(memory);
            }
        }
        static const QRegularExpression withDash(u"^[A-Za-z0-9\\-._~]+$"_s);
        static const QRegularExpression withoutDash(u"^[A-Za-z0-9._~]+$"_s);
        const QRegularExpression *names = since(OldServer::Second) ? &withoutDash : &withDash;
        for (const Member &member : role.members) {
            const QString &key = member.key;
            if (key == "name"_L1) {
                text(member, names);
            } else if (key == "command"_L1) {
                text(member, nullptr);
            } else if (key == "cpuNumber"_L1 || key == "gpuNumber"_L1) {
                integer(member, std::nullopt);
            } else if (key == "shmMB"_L1 && since(OldServer::Second)) {
                if (const auto size = integer(member, std::nullopt); size && *size > memory) {
                    add("legacy.schema.maximum", member, {{u"maximum"_s, memory}, {u"value"_s, *size}});
                }
            } else if ((key == "minFailedTaskCount"_L1 || key == "minSucceededTaskCount"_L1)
                && since(OldServer::Second)) {
                if (member.value.kind == Node::Kind::Null) {
                    continue;
                }
                if (const auto count = integer(member, 1); count && *count > tasks) {
                    add("legacy.schema.maximum", member, {{u"maximum"_s, tasks}, {u"value"_s, *count}});
                }
            } else if (key == "portList"_L1) {
                ports(member, names);
            } else if (key != "taskNumber"_L1 && key != "memoryMB"_L1) {
                add("legacy.schema.unknown", member);
            }
        }
        require(role, u"name"_s);
        require(role, u"command"_s);
    }

    void ports(const Member &member, const QRegularExpression *labels)
    {
        if (!member.value.isList()) {
            add("legacy.schema.list", member);
            return;
        }
        for (const Member &item : member.value.members) {
            if (!item.value.isMap()) {
                add("legacy.schema.map", item);
                continue;
            }
            for (const Member &field : item.value.members) {
                if (field.key == "label"_L1) {
                    text(field, labels);
                } else if (field.key == "beginAt"_L1 || field.key == "portNumber"_L1) {
                    integer(field, std::nullopt);
                } else {
                    add("legacy.schema.unknown", field);
                }
            }
            require(item.value, u"label"_s);
        }
    }

    OldServer m_server;
    QString m_where;
    QList<Diagnostic> m_found;
};

} // namespace

namespace legacy
{

bool looksLegacy(const Text &text)
{
    const Member *roles = text.root.find(u"taskRoles"_s);
    const bool version = text.root.find(u"protocolVersion"_s) || text.root.find(u"protocol_version"_s);
    return text.root.isMap() && text.root.find(u"jobName"_s) && !version
        && (roles ? roles->value.isList() : !text.complete);
}

Text readEither(const QByteArray &bytes, bool *yaml)
{
    if (yaml) {
        *yaml = false;
    }
    Text json = readJson(bytes);
    if (json.complete || json.root.isMap()) {
        return json;
    }
    Text other = readYaml(bytes);
    if (!looksLegacy(other)) {
        return json;
    }
    if (yaml) {
        *yaml = true;
    }
    return other;
}

} // namespace legacy

bool isLegacyJob(const QByteArray &bytes) { return legacy::looksLegacy(legacy::readEither(bytes)); }

LegacyVerdict checkLegacyJob(const QByteArray &bytes)
{
    LegacyVerdict verdict;
    const legacy::Text text = legacy::readEither(bytes);
    verdict.syntax = text.diagnostics;
    if (!text.complete || !text.root.isMap()) {
        return verdict;
    }
    for (const auto &[server, name] : {std::pair{OldServer::First, u"v0.4"_s}, std::pair{OldServer::Second, u"v0.8"_s},
             std::pair{OldServer::Third, u"v0.14"_s}}) {
        const QList<Diagnostic> problems = Schema(server).check(text.root);
        if (problems.isEmpty()) {
            verdict.acceptedBy.append(name);
        } else if (server == OldServer::Third) {
            verdict.refusals = problems;
        }
    }
    return verdict;
}

} // namespace trainyard
