// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/causematch.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// The groups of a pattern have different names; these mean the same.
QString argumentName(const QString &group)
{
    static const QHash<QString, QString> same{{u"file2"_s, u"file"_s}, {u"file3"_s, u"file"_s}, {u"host2"_s, u"host"_s},
        {u"port2"_s, u"port"_s}, {u"port3"_s, u"port"_s}, {u"total2"_s, u"total"_s}, {u"image2"_s, u"image"_s},
        {u"shape3"_s, u"shape"_s}};
    return same.value(group, group);
}

} // namespace

std::optional<QJsonObject> argumentsOf(const FailureCause::Line &line, const QString &text)
{
    if (line.pattern.pattern().isEmpty()) {
        return QJsonObject();
    }
    const QRegularExpressionMatch match = line.pattern.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    QJsonObject args;
    const QStringList groups = line.pattern.namedCaptureGroups();
    for (const QString &group : groups) {
        const QString value = group.isEmpty() ? QString() : match.captured(group).trimmed().left(longestArgument);
        if (!value.isEmpty()) {
            args.insert(argumentName(group), value);
        }
    }
    return args;
}

std::optional<CauseMatch> causeOfError(const FailureCauses &causes, const WhyError &error)
{
    const QString text = error.message.isEmpty() ? error.type
        : error.type.isEmpty()                   ? error.message
                                                 : error.type + u": "_s + error.message;
    const QByteArray bytes = text.toUtf8();
    for (const FailureCause &cause : causes.causes()) {
        for (const FailureCause::Line &line : cause.lines) {
            if (line.where == FailureCause::Where::Text || bytes.indexOf(line.hint) < 0) {
                continue;
            }
            if (const std::optional<QJsonObject> args = argumentsOf(line, text)) {
                return CauseMatch{&cause, &line, *args};
            }
        }
    }
    // The EOFError of a pipe has no message.
    const bool isOfInput = error.type == "EOFError"_L1 && !error.message.isEmpty();
    if (const FailureCause *cause = isOfInput ? nullptr : causes.ofType(error.type)) {
        return CauseMatch{cause, nullptr, {}};
    }
    return std::nullopt;
}

bool isReportOf(const FailureCauses &causes, const WhyError &error)
{
    // A program that ends itself with a status of its own has said why before.
    static const QRegularExpression number(u"\\A-?\\d+\\z"_s);
    return causes.isReport(error.type, error.message.section(u'\n', 0, 0)) || error.type.contains("RayTaskError("_L1)
        || (error.type == "SystemExit"_L1 && number.match(error.message).hasMatch());
}

WhySign signOfCause(const CauseMatch &match)
{
    WhySign sign;
    sign.cause = match.cause->name;
    sign.role = match.cause->role;
    sign.likely = match.cause->likely || (match.line && match.line->likely);
    sign.transient = match.cause->transient;
    sign.after = match.cause->after;
    sign.order = match.line ? int(match.line - match.cause->lines.constData()) : 0;
    sign.args = match.args;
    if (sign.role == FailureCause::Role::Crash && sign.cause == "host-oom"_L1) {
        sign.args.insert(u"killed"_s, u"SIGKILL"_s);
    }
    return sign;
}

void insertText(QJsonObject &args, const QString &name, const QString &value)
{
    if (!value.isEmpty() && !args.contains(name)) {
        args.insert(name, value.left(longestArgument));
    }
}

WhySign signOfError(const FailureCauses &causes, const WhyError &error)
{
    const std::optional<CauseMatch> found = causeOfError(causes, error);
    WhySign sign = found ? signOfCause(*found) : WhySign();
    if (!found && isReportOf(causes, error)) {
        sign.role = FailureCause::Role::Report;
        sign.likely = true;
    } else if (!found) {
        sign.cause = u"uncaught-exception"_s;
        sign.transient = false;
    }
    sign.line = error.line;
    insertText(sign.args, u"type"_s, error.type);
    insertText(sign.args, u"said"_s,
        error.message.isEmpty()         ? error.type
            : error.type.contains(u'.') ? error.type.section(u'.', -1) + u": "_s + error.message
                                        : error.message);
    return sign;
}

} // namespace trainyard::core
