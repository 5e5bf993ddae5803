// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/exitrules.h"

#include "model/base/bundled.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QSet>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

tl::unexpected<Error> invalid(const QString &what, const QString &entry)
{
    return fail(u"exitrules.invalid"_s, QJsonObject{{u"what"_s, what}, {u"entry"_s, entry}});
}

tl::unexpected<Error> badPattern(const QRegularExpression &pattern, const QString &entry)
{
    return fail(u"exitrules.pattern"_s, QJsonObject{{u"message"_s, pattern.errorString()}, {u"entry"_s, entry}});
}

bool isCode(const QJsonValue &value) { return value.isDouble() && value.toDouble() == double(value.toInt()); }

Result<ExitSpecEntry> readEntry(const QJsonObject &json, const QString &name, ExitSpecEntry entry = {})
{
    if (!isCode(json.value("code"_L1))) {
        return invalid(u"code"_s, name);
    }
    entry.code = json.value("code"_L1).toInt();
    const std::initializer_list<std::pair<QLatin1StringView, QString *>> texts{{"phrase"_L1, &entry.phrase},
        {"issuer"_L1, &entry.issuer}, {"causer"_L1, &entry.causer}, {"type"_L1, &entry.type},
        {"stage"_L1, &entry.stage}, {"behavior"_L1, &entry.behavior}, {"reaction"_L1, &entry.reaction},
        {"reason"_L1, &entry.reason}, {"repair"_L1, &entry.repair}};
    for (const auto &[key, text] : texts) {
        const QJsonValue value = json.value(key);
        if (!value.isUndefined() && !value.isString()) {
            return invalid(key, name);
        }
        *text = value.toString(*text);
    }
    return entry;
}

// The effect of each behavior on the engine.
const QMap<QString, QString> &reactions()
{
    static const QMap<QString, QString> table{{u"TRANSIENT_NORMAL"_s, u"ALWAYS_RETRY"_s},
        {u"TRANSIENT_CONFLICT"_s, u"ALWAYS_BACKOFF_RETRY"_s}, {u"PERMANENT"_s, u"NEVER_RETRY"_s},
        {u"UNKNOWN"_s, u"RETRY_TO_MAX"_s}};
    return table;
}

// Success and the stops are what the engine itself says; a table cannot make a failure of them, or the other way round.
bool isReserved(int code) { return code == 0 || code == -210 || code == -220 || code == -230; }

Result<QList<QJsonObject>> objectsOf(const QJsonObject &json, QLatin1StringView key)
{
    const QJsonValue value = json.value(key);
    if (!value.isUndefined() && !value.isArray()) {
        return invalid(key, u"exit-rules.json"_s);
    }
    QList<QJsonObject> list;
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i) {
        if (!array.at(i).isObject()) {
            return invalid(key, u"%1/%2"_s.arg(key).arg(i));
        }
        list.append(array.at(i).toObject());
    }
    return list;
}

Result<ExitRule> readRule(const QJsonObject &json, const QString &name)
{
    if (!isCode(json.value("code"_L1))) {
        return invalid(u"code"_s, name);
    }
    ExitRule rule;
    rule.code = json.value("code"_L1).toInt();
    const QJsonValue given = json.value("exits"_L1);
    const QJsonArray exits = given.toArray();
    if (!given.isUndefined() && !given.isArray()) {
        return invalid(u"exits"_s, name);
    }
    for (const QJsonValue &exit : exits) {
        if (!isCode(exit)) {
            return invalid(u"exits"_s, name);
        }
        rule.exits.append(exit.toInt());
    }
    rule.wins = json.value("wins"_L1).toBool();
    rule.hint = json.value("hint"_L1).toString().toUtf8();
    const QString pattern = json.value("pattern"_L1).toString();
    if (!pattern.isEmpty()) {
        rule.pattern.setPattern(pattern);
        if (!rule.pattern.isValid()) {
            return badPattern(rule.pattern, name);
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
    finding.follows = json.value("follows"_L1).toBool();
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
            return badPattern(finding.pattern, name);
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

namespace
{

struct Parts {
    QList<QJsonObject> entries;
    QList<ExitRule> rules;
    QList<ExitFinding> findings;
    QJsonObject whole;
};

Result<Parts> partsOf(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError) {
        return fail(u"exitrules.json"_s, QJsonObject{{u"message"_s, error.errorString()}});
    }
    if (!document.isObject()) {
        return invalid(u"entries"_s, u"exit-rules.json"_s);
    }
    Parts parts;
    parts.whole = document.object();
    const Result<QList<QJsonObject>> entries = objectsOf(parts.whole, "entries"_L1);
    const Result<QList<QJsonObject>> rules = objectsOf(parts.whole, "rules"_L1);
    const Result<QList<QJsonObject>> findings = objectsOf(parts.whole, "findings"_L1);
    for (const Result<QList<QJsonObject>> *list : {&entries, &rules, &findings}) {
        if (!*list) {
            return tl::unexpected(list->error());
        }
    }
    parts.entries = *entries;
    for (qsizetype i = 0; i < rules->size(); ++i) {
        const Result<ExitRule> rule = readRule(rules->at(i), u"rules/%1"_s.arg(i));
        if (!rule) {
            return tl::unexpected(rule.error());
        }
        parts.rules.append(*rule);
    }
    for (qsizetype i = 0; i < findings->size(); ++i) {
        const Result<QList<ExitFinding>> read = readFindings(findings->at(i), u"findings/%1"_s.arg(i));
        if (!read) {
            return tl::unexpected(read.error());
        }
        parts.findings += *read;
    }
    return parts;
}

} // namespace

Result<ExitRules> ExitRules::parse(const QByteArray &json)
{
    const Result<Parts> parts = partsOf(json);
    if (!parts) {
        return tl::unexpected(parts.error());
    }
    ExitRules result;
    for (qsizetype i = 0; i < parts->entries.size(); ++i) {
        const Result<ExitSpecEntry> entry = readEntry(parts->entries.at(i), u"entries/%1"_s.arg(i));
        if (!entry) {
            return tl::unexpected(entry.error());
        }
        if (result.m_byCode.contains(entry->code)) {
            return fail(u"exitrules.twice"_s, QJsonObject{{u"code"_s, entry->code}});
        }
        result.m_byCode.insert(entry->code, int(i));
        result.m_entries.append(*entry);
    }
    result.m_rules = parts->rules;
    result.m_findings = parts->findings;
    return result;
}

Result<ExitRules> ExitRules::withOwn(const QByteArray &json) const
{
    const Result<Parts> parts = partsOf(json);
    if (!parts) {
        return tl::unexpected(parts.error());
    }
    // A misspelt name would do nothing without a word.
    static const QSet<QString> known{u"about"_s, u"entries"_s, u"rules"_s, u"findings"_s, u"onlyOwnRules"_s};
    const QStringList keys = parts->whole.keys();
    for (const QString &key : keys) {
        if (!known.contains(key)) {
            return fail(u"exitrules.unknown"_s, QJsonObject{{u"what"_s, key}});
        }
    }
    const QJsonValue only = parts->whole.value("onlyOwnRules"_L1);
    if (!only.isUndefined() && !only.isBool()) {
        return invalid(u"onlyOwnRules"_s, u"exit-rules.json"_s);
    }
    ExitRules result = *this;
    QSet<int> seen;
    for (qsizetype i = 0; i < parts->entries.size(); ++i) {
        const QJsonObject &given = parts->entries.at(i);
        const QString name = u"entries/%1"_s.arg(i);
        const int code = given.value("code"_L1).toInt();
        ExitSpecEntry base = entryFor(code);
        if (!find(code)) {
            base.phrase.clear(); // the fallback's words are not this code's
            base.reason.clear();
            base.repair.clear();
        }
        Result<ExitSpecEntry> entry = readEntry(given, name, base);
        if (!entry) {
            return tl::unexpected(entry.error());
        }
        if (entry->phrase.isEmpty() || entry->reason.isEmpty()) {
            return invalid(entry->phrase.isEmpty() ? u"phrase"_s : u"reason"_s, name);
        }
        if (isReserved(code)) {
            return fail(u"exitrules.reserved"_s, QJsonObject{{u"code"_s, code}, {u"entry"_s, name}});
        }
        if (seen.contains(code)) {
            return fail(u"exitrules.twice"_s, QJsonObject{{u"code"_s, code}});
        }
        seen.insert(code);
        if (!reactions().contains(entry->behavior)) {
            return invalid(u"behavior"_s, name);
        }
        entry->reaction = reactions().value(entry->behavior); // one follows from the other
        if (const auto it = result.m_byCode.constFind(code); it != result.m_byCode.cend()) {
            result.m_entries[*it] = *entry;
        } else {
            result.m_byCode.insert(code, int(result.m_entries.size()));
            result.m_entries.append(*entry);
        }
    }
    for (qsizetype i = 0; i < parts->rules.size(); ++i) {
        const int code = parts->rules.at(i).code;
        const QJsonObject about{{u"code"_s, code}, {u"entry"_s, u"rules/%1"_s.arg(i)}};
        if (isReserved(code)) {
            return fail(u"exitrules.reserved"_s, about);
        }
        if (!result.find(code)) {
            return fail(u"exitrules.no-entry"_s, about);
        }
    }
    QSet<QString> replaced;
    for (const ExitFinding &finding : parts->findings) {
        replaced.insert(finding.name);
    }
    result.m_rules = parts->rules;
    result.m_findings = parts->findings;
    for (ExitRule &rule : result.m_rules) {
        rule.own = true;
    }
    for (ExitFinding &finding : result.m_findings) {
        finding.own = true;
    }
    if (!only.toBool()) {
        result.m_rules += m_rules;
        for (const ExitFinding &finding : m_findings) {
            if (!replaced.contains(finding.name)) {
                result.m_findings.append(finding);
            }
        }
    }
    return result;
}

const ExitRules &ExitRules::bundled()
{
    static const auto rules = bundledValue<ExitRules>(u":/trainyard/exit-rules.json"_s);
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
