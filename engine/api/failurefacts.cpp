// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

QJsonObject FailureFacts::toJson() const
{
    QJsonObject json{{u"cause"_s, cause}, {u"certainty"_s, certainty}, {u"line"_s, line}, {u"text"_s, text}};
    if (onlyLast) {
        json.insert(u"onlyLast"_s, true);
    }
    if (!file.isEmpty()) {
        json.insert(u"file"_s, file);
        json.insert(u"fileLine"_s, fileLine);
        json.insert(u"function"_s, function);
    }
    if (transient) {
        json.insert(u"transient"_s, *transient);
    }
    if (follows) {
        json.insert(u"follows"_s, true);
    }
    if (!task.isEmpty()) {
        json.insert(u"task"_s, task);
    }
    if (!args.isEmpty()) {
        json.insert(u"args"_s, args);
    }
    return json;
}

FailureFacts FailureFacts::fromJson(const QJsonObject &json)
{
    FailureFacts facts;
    facts.cause = json.value("cause"_L1).toString();
    facts.certainty = json.value("certainty"_L1).toString();
    facts.line = json.value("line"_L1).toInteger();
    facts.text = json.value("text"_L1).toString();
    facts.onlyLast = json.value("onlyLast"_L1).toBool();
    facts.file = json.value("file"_L1).toString();
    facts.fileLine = json.value("fileLine"_L1).toInt();
    facts.function = json.value("function"_L1).toString();
    if (json.value("transient"_L1).isBool()) {
        facts.transient = json.value("transient"_L1).toBool();
    }
    facts.follows = json.value("follows"_L1).toBool();
    facts.task = json.value("task"_L1).toString();
    facts.args = json.value("args"_L1).toObject();
    return facts;
}

FailureFacts unresolvedFacts(const UnresolvedReference &reference)
{
    FailureFacts facts;
    facts.cause = u"reference-unresolved"_s;
    facts.certainty = u"certain"_s;
    facts.transient = false;
    facts.args = {{u"name"_s, QString(u"<% "_s + reference.key + u" %>"_s)}};
    if (reference.isMissingName()) {
        facts.args.insert(reference.isParameter() ? u"parameter"_s : u"secret"_s, reference.name);
        if (!reference.near.isEmpty()) {
            facts.args.insert(u"near"_s, reference.near);
        }
    }
    return facts;
}

FailureFacts failureFacts(const QJsonObject &reasonArgs)
{
    return FailureFacts::fromJson(reasonArgs.value(failureKey).toObject());
}

JobPlace jobPlace(const FailureFacts &facts)
{
    const Result<YamlPath> path = YamlPath::fromPointer(facts.args.value("at"_L1).toString());
    return path ? JobPlace{*path, facts.args.value("atLine"_L1).toInt()} : JobPlace();
}

} // namespace trainyard
