// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

QJsonObject FailureFacts::toJson() const
{
    QJsonObject json{{u"cause"_s, cause}, {u"certainty"_s, certainty}, {u"line"_s, line}, {u"text"_s, text}};
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

} // namespace trainyard
