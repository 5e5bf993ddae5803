// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldwalk.h"

#include "model/protocol/reader.h"

#include <QHash>
#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using fieldwalk::Access;
using Server = FieldReading::Server;

bool saysElsewhere(const ReferenceField &entry, QLatin1StringView what)
{
    return entry.reading.elsewhere.contains(what);
}

bool fitsKind(const ReferenceField &entry, const QString &kind)
{
    return entry.kinds.isEmpty() || entry.kinds.contains(kind);
}

ServerVerdict verdictOfType(const ReferenceField &entry)
{
    const Server server = entry.reading.server;
    return server == Server::TakesAll || server == Server::TakesAnyType ? ServerVerdict::Accepts
                                                                        : ServerVerdict::Refuses;
}

ServerVerdict verdictOfRange(const ReferenceField &entry)
{
    const Server server = entry.reading.server;
    return server == Server::TakesAll || server == Server::TakesAnyRange ? ServerVerdict::Accepts
                                                                         : ServerVerdict::Refuses;
}

// The fields of the maps of a section, by their names: people write them beside the map that has them. Those of several
// maps are left out.
QHash<QString, QString> fieldsFurtherIn(const fieldwalk::Field &section)
{
    QHash<QString, QString> found;
    for (const fieldwalk::Field &map : section.fields) {
        for (const fieldwalk::Field &field : map.fields) {
            found.insert(field.name, found.contains(field.name) ? QString() : map.name);
        }
    }
    return found;
}

// Walks one map of the text along the fields of a section.
class Walk
{
public:
    Walk(JobReader &reader, void *owner, const QString &kind)
        : m_reader(reader), m_fields(reader.fields()), m_findings(reader.findings()), m_owner(owner), m_kind(kind)
    {
    }

    void map(const fieldwalk::Field &section, MapFields &fields, const QString &where)
    {
        for (const fieldwalk::Field &field : section.fields) {
            if (fitsKind(*field.entry, m_kind)) {
                take(field, fields, where);
            }
        }
    }

    void unknown(const fieldwalk::Field &section, MapFields &fields, const QString &where)
    {
        const ReferenceField *entry = section.entry;
        if (section.open || (entry && saysElsewhere(*entry, "unknown"_L1))) {
            return;
        }
        if (entry && entry->reading.ignoresUnknown) {
            // Only one of our own settings is lost there, which no server uses.
            const bool isOurs = entry->pattern.value(0) == "extras"_L1 && entry->pattern.value(1) == "trainyard"_L1;
            fields.unknown(
                where, isOurs ? Severity::Warning : Severity::Note, ServerVerdict::Accepts, u"field.ignored"_s);
        } else {
            fields.unknown(
                where, Severity::Warning, ServerVerdict::Refuses, u"field.unknown"_s, fieldsFurtherIn(section));
        }
    }

private:
    void take(const fieldwalk::Field &field, MapFields &fields, const QString &where)
    {
        const ReferenceField &entry = *field.entry;
        std::optional<Place> place = fields.take(field.name);
        if (!saysElsewhere(entry, "old"_L1)) {
            for (const QString &old : entry.oldNames) {
                const auto renamed = fields.takeRenamed(old, field.name, verdictOfType(entry));
                place = place ? place : renamed;
            }
        }
        TakenField taken{entry, field.name, place.has_value(), place ? *place : fields.place(), fields, where};
        if (!place || (place->isNull() && !entry.reading.missingCode.isEmpty())) {
            missing(field, taken);
            if (field.always) {
                field.rule(m_reader, taken, m_owner);
            }
            return;
        }
        if (entry.reading.unread || entry.reserved) {
            return;
        }
        if (entry.forbidden) {
            Diagnostic &d = m_findings.add(u"role.option.forbidden"_s, Severity::Warning, ServerVerdict::Refuses,
                place->path, {{u"field"_s, field.name}}, Point::Key);
            m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, field.name}}, {edit::Remove{place->path}});
            return;
        }
        if (field.own) {
            field.rule(m_reader, taken, m_owner);
            store(field, taken);
            return;
        }
        if (entry.type == FieldType::Map) {
            inside(field, taken);
        } else {
            read(entry, taken);
            store(field, taken);
            if (field.rule) {
                field.rule(m_reader, taken, m_owner);
            }
        }
        if (entry.required && taken.place.isNull()) { // without the field the text is worse than with an empty one
            m_findings.takeBackFixes(u"field.null"_s, taken.place.path);
        }
    }

    void read(const ReferenceField &entry, TakenField &taken)
    {
        switch (entry.type) {
        case FieldType::Text:
            if (!entry.reading.wrongCode.isEmpty() && !entry.values.isEmpty()) {
                taken.text = choice(entry, taken);
            } else if (entry.reading.server == Server::TakesAll) {
                taken.text = plainText(entry, taken);
            } else {
                taken.text = m_fields.text(taken.place, taken.name);
            }
            break;
        case FieldType::TextOrNumber:
            taken.text = m_fields.textOrNumber(taken.place, taken.name);
            break;
        case FieldType::Integer:
            integer(entry, taken);
            break;
        case FieldType::Boolean:
            boolean(entry, taken);
            break;
        case FieldType::Version:
            m_fields.protocolVersion(taken.place);
            break;
        case FieldType::List:
            list(entry, taken);
            break;
        case FieldType::Map:
        case FieldType::Any:
            break;
        }
    }

    void integer(const ReferenceField &entry, TakenField &taken)
    {
        const FieldReading &reading = entry.reading;
        if (reading.server == Server::TakesAll) {
            // Whatever a cluster makes of it: only a count is one.
            const Value value = m_fields.values().value(taken.place.node);
            if (!taken.place.isBroken() && !(value.asInt() && *value.asInt() >= reading.minimum.value_or(0))) {
                m_findings.add(u"field.not-integer"_s, reading.wrong, ServerVerdict::Accepts, taken.place.path,
                    {{u"field"_s, taken.name}});
            }
            return;
        }
        taken.number = m_fields.integer(taken.place, taken.name, reading.minimum,
            entry.nullable ? Fields::Null::Accepted : Fields::Null::Absent, verdictOfRange(entry),
            entry.unit == "MiB"_L1 ? Fields::Amount::MiB : Fields::Amount::Count);
        if (taken.number && reading.least) {
            taken.number = std::max(*taken.number, *reading.least);
        }
        if (taken.number && reading.most) {
            taken.number = std::min(*taken.number, *reading.most);
        }
    }

    void boolean(const ReferenceField &entry, TakenField &taken)
    {
        const Value value = m_fields.values().value(taken.place.node);
        if (const bool *flag = value.asBool()) {
            taken.flag = *flag;
            return;
        }
        const bool ownCode = !entry.reading.wrongCode.isEmpty();
        if (taken.place.isBroken() && !entry.reading.offer) {
            return;
        }
        Diagnostic &d = m_findings.add(ownCode ? entry.reading.wrongCode : u"field.not-boolean"_s, entry.reading.wrong,
            ServerVerdict::Accepts, taken.place.path, ownCode ? QJsonObject{} : QJsonObject{{u"field"_s, taken.name}});
        if (!taken.place.isScalar() && !ownCode) {
            return;
        }
        for (const QString &word : entry.reading.offer.value_or(QStringList{u"true"_s, u"false"_s})) {
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, word}}, {edit::SetValue{taken.place.path, word.toUtf8()}});
        }
    }

    // A text that clusters check late or not at all.
    std::optional<QString> plainText(const ReferenceField &entry, const TakenField &taken)
    {
        const Value value = m_fields.values().value(taken.place.node);
        if (value.asString()) {
            return *value.asString();
        }
        if (!(entry.nullable && value.isNull())) {
            m_findings.add(u"field.not-text"_s, entry.reading.wrong, ServerVerdict::Accepts, taken.place.path,
                {{u"field"_s, taken.name}});
        }
        return std::nullopt;
    }

    // One of the words that the reference names.
    std::optional<QString> choice(const ReferenceField &entry, const TakenField &taken)
    {
        QString text;
        if (entry.reading.server == Server::TakesAll) {
            const Value value = m_fields.values().value(taken.place.node);
            text = value.asString() ? *value.asString() : QString();
        } else {
            text = m_fields.text(taken.place, taken.name).value_or(QString());
        }
        if (entry.valueNames().contains(text)) {
            return text;
        }
        sayWrongWord(m_findings, entry, taken.place.path, text);
        return std::nullopt;
    }

    void list(const ReferenceField &entry, TakenField &taken)
    {
        bool empty = false;
        if (entry.itemType == FieldType::Text) {
            taken.texts = m_fields.texts(taken.place, taken.name, verdictOfType(entry));
            empty = taken.texts && taken.texts->isEmpty();
        } else {
            taken.items = m_fields.list(taken.place, taken.name, verdictOfType(entry));
            empty = taken.items && taken.items->isEmpty();
        }
        if (empty) {
            sayEmpty(entry, taken);
        }
    }

    void inside(const fieldwalk::Field &field, TakenField &taken)
    {
        const ReferenceField &entry = *field.entry;
        if (!m_fields.map(taken.place, taken.name, verdictOfType(entry))) {
            return;
        }
        if (!std::holds_alternative<std::monostate>(field.target)) {
            taken.value = m_fields.values().value(taken.place.node);
            store(field, taken);
        }
        if (field.fields.empty() && entry.minItems == 0 && !field.rule) {
            return;
        }
        MapFields fields(m_fields, taken.place);
        if (fields.entries().isEmpty()) {
            sayEmpty(entry, taken);
        }
        map(field, fields, taken.name);
        if (field.rule) {
            taken.inside = &fields;
            field.rule(m_reader, taken, m_owner);
        }
        unknown(field, fields, taken.name);
    }

    void sayEmpty(const ReferenceField &entry, const TakenField &taken)
    {
        if (entry.minItems == 0 || saysElsewhere(entry, "empty"_L1)) {
            return;
        }
        const bool accepted = entry.reading.server == Server::TakesAll;
        Diagnostic &d = m_findings.add(u"field.empty"_s, Severity::Warning,
            accepted ? ServerVerdict::Accepts : ServerVerdict::Refuses, taken.place.path, {{u"field"_s, taken.name}});
        if (!entry.required) {
            m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, taken.name}}, {edit::Remove{taken.place.path}});
        }
    }

    void missing(const fieldwalk::Field &field, const TakenField &taken)
    {
        const ReferenceField &entry = *field.entry;
        const FieldReading &reading = entry.reading;
        if (!entry.required || saysElsewhere(entry, "missing"_L1)) {
            return;
        }
        if (!reading.missingCode.isEmpty()) {
            m_findings.add(reading.missingCode, reading.wrong, ServerVerdict::Accepts, taken.place.path,
                {{u"field"_s, field.name}, {u"plugin"_s, m_kind}}, Point::Key);
            return;
        }
        Diagnostic &d = m_findings.add(u"field.required"_s, reading.missing, ServerVerdict::Refuses, taken.place.path,
            {{u"field"_s, field.name}, {u"where"_s, taken.where}});
        const QList<edit::Op> ops = insertions(field, taken.place.path.child(field.name));
        if (!ops.isEmpty()) {
            const QString shown
                = reading.insert.isEmpty() ? field.name : QString(field.name + u": "_s + reading.insert);
            m_findings.fix(d, u"fix.add"_s, {{u"field"_s, shown}}, ops);
        }
    }

    // The operations that add a missing field: its usual value, or those of the fields in it.
    QList<edit::Op> insertions(const fieldwalk::Field &field, const YamlPath &path)
    {
        const QString &insert = field.entry->reading.insert;
        if (!insert.isEmpty()) {
            return {field.entry->type == FieldType::Text ? edit::Op(edit::SetText{path, insert})
                                                         : edit::Op(edit::SetValue{path, insert.toUtf8()})};
        }
        QList<edit::Op> ops;
        for (const fieldwalk::Field &inner : field.fields) {
            ops += insertions(inner, path.child(inner.name));
        }
        return ops;
    }

    void store(const fieldwalk::Field &field, const TakenField &taken)
    {
        const auto set = [&](const auto &member, const auto &read) {
            if (read) {
                member(m_owner) = *read;
            }
        };
        if (const auto *number = std::get_if<Access<qint64>>(&field.target)) {
            set(*number, taken.number);
        } else if (const auto *optional = std::get_if<Access<std::optional<qint64>>>(&field.target)) {
            set(*optional, taken.number);
        } else if (const auto *text = std::get_if<Access<QString>>(&field.target)) {
            set(*text, taken.text);
        } else if (const auto *texts = std::get_if<Access<QStringList>>(&field.target)) {
            set(*texts, taken.texts);
        } else if (const auto *flag = std::get_if<Access<bool>>(&field.target)) {
            set(*flag, taken.flag);
        } else if (const auto *value = std::get_if<Access<Value>>(&field.target)) {
            set(*value, taken.value);
        }
    }

    JobReader &m_reader;
    Fields &m_fields;
    Findings &m_findings;
    void *m_owner;
    const QString &m_kind;
};

} // namespace

void sayWrongWord(Findings &findings, const ReferenceField &entry, const YamlPath &path, const QString &word)
{
    const QStringList known = entry.valueNames();
    const QJsonObject all{
        {u"field"_s, entry.name()}, {u"value"_s, word}, {u"known"_s, QJsonArray::fromStringList(known)}};
    QJsonObject args;
    for (const QString &arg : entry.reading.wrongArgs) {
        args.insert(arg, all.value(arg));
    }
    Diagnostic &d = findings.add(entry.reading.wrongCode, entry.reading.wrong, ServerVerdict::Accepts, path, args);
    QString better = entry.reading.instead.value(word);
    better = better.isEmpty() ? nearest(word, known) : better;
    better = better.isEmpty() ? entry.reading.offer.value_or(QStringList()).value(0) : better;
    if (!better.isEmpty()) {
        findings.fix(d, u"fix.set"_s, {{u"value"_s, better}}, {edit::SetText{path, better}});
    }
}

void readSection(JobReader &reader, const fieldwalk::Field &section, MapFields &fields, void *owner,
    const QString &where, const QString &kind)
{
    Walk walk(reader, owner, kind);
    walk.map(section, fields, where);
    walk.unknown(section, fields, where);
}

} // namespace trainyard
