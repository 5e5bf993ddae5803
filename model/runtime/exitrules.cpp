// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/exitrules.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QResource>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

tl::unexpected<Error> invalid(const QString &what, const QString &entry)
{
    return fail(u"exitrules.invalid"_s, QJsonObject{{u"what"_s, what}, {u"entry"_s, entry}});
}

Result<ExitSpecEntry> readEntry(const QJsonObject &json, const QString &name)
{
    if (!json.value("code"_L1).isDouble()) {
        return invalid(u"code"_s, name);
    }
    ExitSpecEntry entry;
    entry.code = json.value("code"_L1).toInt();
    entry.phrase = json.value("phrase"_L1).toString();
    entry.issuer = json.value("issuer"_L1).toString();
    entry.causer = json.value("causer"_L1).toString();
    entry.type = json.value("type"_L1).toString();
    entry.stage = json.value("stage"_L1).toString();
    entry.behavior = json.value("behavior"_L1).toString();
    entry.reaction = json.value("reaction"_L1).toString();
    entry.reason = json.value("reason"_L1).toString();
    entry.repair = json.value("repair"_L1).toString();
    return entry;
}

Result<ExitRule> readRule(const QJsonObject &json, const QString &name)
{
    if (!json.value("code"_L1).isDouble()) {
        return invalid(u"code"_s, name);
    }
    ExitRule rule;
    rule.code = json.value("code"_L1).toInt();
    const QJsonArray exits = json.value("exits"_L1).toArray();
    for (const QJsonValue &exit : exits) {
        rule.exits.append(exit.toInt());
    }
    rule.hint = json.value("hint"_L1).toString().toUtf8();
    const QString pattern = json.value("pattern"_L1).toString();
    if (!pattern.isEmpty()) {
        rule.pattern.setPattern(pattern);
        if (!rule.pattern.isValid()) {
            return invalid(rule.pattern.errorString(), name);
        }
        rule.pattern.optimize();
    }
    if (!pattern.isEmpty() && rule.hint.isEmpty()) {
        return invalid(u"hint"_s, name); // without one every line of the log would be tried
    }
    if (rule.exits.isEmpty() && rule.hint.isEmpty()) {
        return invalid(u"exits"_s, name); // would match everything
    }
    return rule;
}

// One entry says its words once, and may be shown by lines of several kinds.
Result<QList<ExitFinding>> readFindings(const QJsonObject &json, const QString &name)
{
    ExitFinding finding;
    finding.name = json.value("name"_L1).toString();
    finding.reason = json.value("reason"_L1).toString();
    finding.solution = json.value("solution"_L1).toString();
    if (finding.name.isEmpty() || finding.reason.isEmpty()) {
        return invalid(finding.name.isEmpty() ? u"name"_s : u"reason"_s, name);
    }
    QList<ExitFinding> result;
    const QJsonArray lines = json.value("lines"_L1).toArray();
    for (const QJsonValue &line : lines) {
        finding.hint = line["hint"_L1].toString().toUtf8();
        finding.pattern = QRegularExpression(line["pattern"_L1].toString());
        if (finding.hint.isEmpty()) {
            return invalid(u"hint"_s, name);
        }
        if (!finding.pattern.isValid()) {
            return invalid(finding.pattern.errorString(), name);
        }
        result.append(finding);
    }
    return result.isEmpty() ? invalid(u"lines"_s, name) : Result<QList<ExitFinding>>(result);
}

} // namespace

QJsonObject ExitSpecEntry::toJson() const
{
    return QJsonObject{
        {u"code"_s, code},
        {u"phrase"_s, phrase},
        {u"issuer"_s, issuer},
        {u"causer"_s, causer},
        {u"type"_s, type},
        {u"stage"_s, stage},
        {u"behavior"_s, behavior},
        {u"reaction"_s, reaction},
        {u"reason"_s, reason},
        {u"repair"_s, repair},
    };
}

Result<ExitRules> ExitRules::parse(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject()) {
        return invalid(error.errorString(), {});
    }
    ExitRules result;
    const QJsonArray entries = document.object().value("entries"_L1).toArray();
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const Result<ExitSpecEntry> entry = readEntry(entries.at(i).toObject(), u"entries/%1"_s.arg(i));
        if (!entry) {
            return tl::unexpected(entry.error());
        }
        if (result.m_byCode.contains(entry->code)) {
            return invalid(u"twice"_s, QString::number(entry->code));
        }
        result.m_byCode.insert(entry->code, int(i));
        result.m_entries.append(*entry);
    }
    const QJsonArray rules = document.object().value("rules"_L1).toArray();
    for (qsizetype i = 0; i < rules.size(); ++i) {
        const Result<ExitRule> rule = readRule(rules.at(i).toObject(), u"rules/%1"_s.arg(i));
        if (!rule) {
            return tl::unexpected(rule.error());
        }
        result.m_rules.append(*rule);
    }
    const QJsonArray findings = document.object().value("findings"_L1).toArray();
    for (qsizetype i = 0; i < findings.size(); ++i) {
        const Result<QList<ExitFinding>> read = readFindings(findings.at(i).toObject(), u"findings/%1"_s.arg(i));
        if (!read) {
            return tl::unexpected(read.error());
        }
        result.m_findings += *read;
    }
    return result;
}

const ExitRules &ExitRules::bundled()
{
    static const ExitRules rules = [] {
        // Carried inside the program (":/"), so this reads no file of the computer.
        const QResource resource(u":/trainyard/exit-rules.json"_s);
        Q_ASSERT(resource.isValid());
        const Result<ExitRules> parsed = parse(resource.uncompressedData());
        Q_ASSERT(parsed);
        return parsed ? *parsed : ExitRules();
    }();
    return rules;
}

const ExitSpecEntry *ExitRules::find(int code) const
{
    const auto it = m_byCode.constFind(code);
    return it == m_byCode.constEnd() ? nullptr : &m_entries.at(*it);
}

ExitSpecEntry ExitRules::entryFor(int code) const
{
    const ExitSpecEntry *entry = find(code);
    if (!entry) {
        entry = find(code < 0 ? -8000 : 256);
    }
    ExitSpecEntry result = entry ? *entry : ExitSpecEntry();
    result.code = code;
    return result;
}

} // namespace trainyard
