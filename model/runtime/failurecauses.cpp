// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/failurecauses.h"

#include "model/base/bundled.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

tl::unexpected<Error> invalidCause(const QString &what, const QString &entry)
{
    return fail(u"exitrules.invalid"_s, QJsonObject{{u"what"_s, what}, {u"entry"_s, entry}});
}

std::optional<FailureCause::Role> roleOfWord(const QString &word)
{
    using Role = FailureCause::Role;
    static const QHash<QString, Role> roles{{QString(), Role::Cause}, {u"decisive"_s, Role::Decisive},
        {u"missing"_s, Role::Missing}, {u"crash"_s, Role::Crash}, {u"peer"_s, Role::Peer}, {u"abort"_s, Role::Abort},
        {u"cancel"_s, Role::Cancel}, {u"report"_s, Role::Report}};
    const auto found = roles.constFind(word);
    return found == roles.cend() ? std::nullopt : std::optional(*found);
}

Result<FailureCause::Line> readCauseLine(const QJsonObject &json, const QString &entry)
{
    FailureCause::Line line;
    line.hint = json.value("hint"_L1).toString().toUtf8();
    if (line.hint.isEmpty()) {
        return invalidCause(u"hint"_s, entry);
    }
    const QString where = json.value("in"_L1).toString();
    if (!where.isEmpty() && where != "text"_L1 && where != "python"_L1) {
        return invalidCause(u"in"_s, entry);
    }
    line.where = where.isEmpty() ? FailureCause::Where::Anywhere
        : where == "text"_L1     ? FailureCause::Where::Text
                                 : FailureCause::Where::Python;
    line.warning = json.value("warning"_L1).toBool();
    line.likely = json.value("certainty"_L1).toString() == "likely"_L1;
    line.above = json.value("above"_L1).toString().toUtf8();
    line.pattern.setPattern(json.value("pattern"_L1).toString());
    if (!line.pattern.isValid()) {
        return fail(
            u"exitrules.pattern"_s, QJsonObject{{u"message"_s, line.pattern.errorString()}, {u"entry"_s, entry}});
    }
    return line;
}

Result<FailureCause> readCause(const QJsonObject &json, const QString &entry)
{
    FailureCause cause;
    cause.name = json.value("name"_L1).toString();
    const std::optional<FailureCause::Role> role = roleOfWord(json.value("role"_L1).toString());
    if (cause.name.isEmpty() || !role) {
        return invalidCause(cause.name.isEmpty() ? u"name"_s : u"role"_s, entry);
    }
    cause.role = *role;
    cause.likely = json.value("certainty"_L1).toString() == "likely"_L1;
    const QJsonValue transient = json.value("transient"_L1);
    if (!transient.isNull()) {
        cause.transient = transient.toBool();
    }
    const QJsonArray after = json.value("after"_L1).toArray();
    for (const QJsonValue &name : after) {
        cause.after.insert(name.toString());
    }
    const QJsonArray lines = json.value("lines"_L1).toArray();
    for (const QJsonValue &each : lines) {
        const Result<FailureCause::Line> line = readCauseLine(each.toObject(), cause.name);
        if (!line) {
            return tl::unexpected(line.error());
        }
        cause.lines.append(*line);
    }
    return cause.lines.isEmpty() ? invalidCause(u"lines"_s, entry) : Result<FailureCause>(cause);
}

} // namespace

Result<FailureCauses> FailureCauses::parse(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError) {
        return fail(u"exitrules.json"_s, QJsonObject{{u"message"_s, error.errorString()}});
    }
    const QJsonObject root = document.object();
    FailureCauses result;
    const QJsonArray causes = root.value("causes"_L1).toArray();
    for (qsizetype i = 0; i < causes.size(); ++i) {
        const Result<FailureCause> cause = readCause(causes.at(i).toObject(), u"causes/%1"_s.arg(i));
        if (!cause) {
            return tl::unexpected(cause.error());
        }
        result.m_causes.append(*cause);
    }
    const QJsonObject types = root.value("types"_L1).toObject();
    for (auto it = types.begin(); it != types.end(); ++it) {
        if (!result.find(it.value().toString())) {
            return invalidCause(u"types"_s, it.key());
        }
        result.m_types.insert(it.key(), it.value().toString());
    }
    for (const QJsonValue &type : root.value("reportTypes"_L1).toArray()) {
        result.m_reportTypes.insert(type.toString());
    }
    for (const QJsonValue &message : root.value("reportMessages"_L1).toArray()) {
        result.m_reportMessages.append(message.toString());
    }
    for (const QJsonValue &pattern : root.value("reportPatterns"_L1).toArray()) {
        const QRegularExpression expression(pattern.toString());
        if (!expression.isValid()) {
            return fail(u"exitrules.pattern"_s,
                QJsonObject{{u"message"_s, expression.errorString()}, {u"entry"_s, u"reportPatterns"_s}});
        }
        result.m_reportPatterns.append(expression);
    }
    for (const QJsonValue &line : root.value("reports"_L1).toArray()) {
        result.m_reportLines.append(line.toString().toUtf8());
    }
    return result;
}

const FailureCauses &FailureCauses::bundled()
{
    static const auto causes = bundledValue<FailureCauses>(u":/trainyard/failure-causes.json"_s);
    return causes;
}

const FailureCause *FailureCauses::find(const QString &name) const
{
    const auto found = std::find_if(m_causes.cbegin(), m_causes.cend(),
        [&](const FailureCause &cause) { return cause.name == name && cause.role != FailureCause::Role::Report; });
    return found == m_causes.cend() ? nullptr : &*found;
}

const FailureCause *FailureCauses::ofType(const QString &type) const
{
    const QString name = type.section(u'.', -1);
    // "SyntaxErrorSyntaxError": two processes wrote at once.
    const auto found = m_types.constFind(name);
    if (found != m_types.cend()) {
        return find(*found);
    }
    return name.contains("SyntaxError"_L1) ? find(u"syntax-error"_s) : nullptr;
}

bool FailureCauses::isReport(const QString &type, const QString &message) const
{
    return isReportType(type)
        || std::any_of(m_reportMessages.cbegin(), m_reportMessages.cend(),
            [&](const QString &each) { return message.contains(each); })
        || std::any_of(m_reportPatterns.cbegin(), m_reportPatterns.cend(),
            [&](const QRegularExpression &each) { return each.match(message).hasMatch(); });
}

bool FailureCauses::isReportType(const QString &type) const { return m_reportTypes.contains(type.section(u'.', -1)); }

QStringList FailureCauses::names() const
{
    QStringList all;
    for (const FailureCause &cause : m_causes) {
        if (!all.contains(cause.name)) {
            all.append(cause.name);
        }
    }
    return all;
}

} // namespace trainyard
