// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fields.h"

#include "model/base/memorytext.h"
#include "model/base/utf8.h"
#include "model/protocol/fieldrename.h"
#include "model/protocol/scalarrules.h"
#include "model/yaml/yamlcolon.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace trainyard
{

namespace
{

constexpr qint64 maxInteger = 1'000'000'000'000;
constexpr qsizetype maxShownValue = 60;

QString shown(const QString &text)
{
    return text.size() > maxShownValue ? text.left(maxShownValue) + QStringLiteral("…") : text;
}

bool isText(const TypedScalar &typed) { return typed.type == ScalarType::String || typed.type == ScalarType::Merge; }

// A whole number that is written as text.
std::optional<qint64> integerInText(const QString &text)
{
    bool ok = false;
    const qint64 number = text.trimmed().toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

// A command such as "echo loss: 3", which is read as a map for its colon: its bytes, as it is written on one line.
std::optional<ByteRange> lineReadAsMap(const QByteArray &bytes, const YamlNode &node)
{
    if (!node.isMap() || node.style == YamlNode::Style::Flow || node.entries.size() != 1 || !node.anchor.isEmpty()
        || !node.tag.isEmpty()) {
        return std::nullopt;
    }
    const YamlNode::Entry &entry = node.entries.constFirst();
    const qsizetype colon = entry.key ? bytes.indexOf(':', entry.key->at.end) : -1;
    if (colon < 0) {
        return std::nullopt;
    }
    const ByteRange line{entry.key->at.begin, std::max(colon + 1, entry.value->at.end)};
    const QByteArrayView text = QByteArrayView(bytes).sliced(line.begin, line.length());
    return text.startsWith('?') || text.contains('\n') || text.contains('\r') ? std::nullopt : std::optional(line);
}

} // namespace

Diagnostic &Fields::wrong(
    const char *code, const Place &place, const QString &field, Severity severity, ServerVerdict server)
{
    QJsonObject args{{QStringLiteral("field"), field}};
    if (place.isScalar()) {
        args.insert(QStringLiteral("value"), shown(textFromUtf8(place.resolved()->scalar)));
    } else if (place.node) {
        // As it is written, on one line.
        const QByteArray text = m_findings.document().bytes().mid(place.node->at.begin, place.node->at.length());
        args.insert(QStringLiteral("value"), shown(textFromUtf8(text).simplified()));
    }
    return m_findings.add(QString::fromLatin1(code), severity, server, place.path, args);
}

bool Fields::nullAsAbsent(const Place &place, const QString &field, ServerVerdict server)
{
    if (!place.isNull()) {
        return false;
    }
    Diagnostic &d = m_findings.add(
        QStringLiteral("field.null"), Severity::Warning, server, place.path, {{QStringLiteral("field"), field}});
    m_findings.fix(d, QStringLiteral("fix.remove"), {{QStringLiteral("field"), field}}, {edit::Remove{place.path}});
    return true;
}

std::optional<QString> Fields::text(const Place &place, const QString &field)
{
    if (place.isBroken() || nullAsAbsent(place, field, ServerVerdict::Refuses)) {
        return std::nullopt;
    }
    if (!place.isScalar()) {
        wrong("field.not-text", place, field, Severity::Error, ServerVerdict::Refuses);
        return std::nullopt;
    }
    const YamlNode &node = *place.resolved();
    const TypedScalar typed = typedScalar(node);
    if (isText(typed)) {
        sayTextDifference(m_findings, node, place.path, field);
        return *typed.value.asString();
    }
    const QString written = textFromUtf8(node.scalar);
    Diagnostic &d = wrong("field.text-unquoted", place, field, Severity::Warning, ServerVerdict::Refuses);
    m_findings.fix(d, QStringLiteral("fix.quote"), {{QStringLiteral("value"), shown(written)}},
        {edit::SetText{place.path, written}});
    return written;
}

std::optional<QString> Fields::textOrNumber(const Place &place, const QString &field)
{
    if (place.isScalar()) {
        const TypedScalar typed = typedScalar(*place.resolved());
        if (typed.type == ScalarType::Int || typed.type == ScalarType::Float) {
            return textFromUtf8(place.resolved()->scalar);
        }
    }
    return text(place, field);
}

std::optional<qint64> Fields::integer(const Place &place, const QString &field, std::optional<qint64> minimum,
    Null null, ServerVerdict belowMinimum, Amount amount)
{
    if (place.isBroken() || (place.isNull() && null == Null::Accepted)) {
        return std::nullopt;
    }
    if (nullAsAbsent(place, field, ServerVerdict::Refuses)) {
        return std::nullopt;
    }
    if (!place.isScalar()) {
        wrong("field.not-integer", place, field, Severity::Error, ServerVerdict::Refuses);
        return std::nullopt;
    }
    const TypedScalar typed = typedScalar(*place.resolved());
    std::optional<qint64> number;
    if (const qint64 *integer = typed.value.asInt()) {
        number = *integer;
        sayIntegerDifference(m_findings, *place.resolved(), place.path, field, *integer);
    } else if (const double *real = typed.value.asDouble(); real && !std::isnan(*real)) {
        if (!std::isfinite(*real) || std::fabs(*real) > double(maxInteger)) {
            wrong("field.too-large", place, field, Severity::Error, ServerVerdict::Accepts)
                .args.insert(QStringLiteral("maximum"), maxInteger);
            return std::nullopt;
        }
        number = qint64(std::ceil(*real));
        if (double(*number) != *real) {
            Diagnostic &d = wrong("field.not-whole", place, field, Severity::Warning, ServerVerdict::Refuses);
            d.args.insert(QStringLiteral("used"), *number);
            m_findings.fix(d, QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(*number)}},
                {edit::SetValue{place.path, QByteArray::number(*number)}});
        }
    } else if (const QString *string = typed.value.asString(); string && isText(typed)) {
        number = integerInText(*string);
        if (!number) {
            Diagnostic &d = wrong("field.not-integer", place, field, Severity::Error, ServerVerdict::Refuses);
            const std::optional<qint64> mebibytes = amount == Amount::MiB ? parseMemory(*string, false) : std::nullopt;
            if (mebibytes && *mebibytes >= std::max<qint64>(1, minimum.value_or(1)) && *mebibytes <= maxInteger) {
                const QString written = QString::number(*mebibytes);
                m_findings.fix(d, QStringLiteral("fix.set"), {{QStringLiteral("value"), written}},
                    {edit::SetValue{place.path, written.toUtf8()}});
            }
            return std::nullopt;
        }
        Diagnostic &d = wrong("field.integer-as-text", place, field, Severity::Warning, ServerVerdict::Refuses);
        m_findings.fix(d, QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(*number)}},
            {edit::SetValue{place.path, QByteArray::number(*number)}});
    } else {
        wrong("field.not-integer", place, field, Severity::Error, ServerVerdict::Refuses);
        return std::nullopt;
    }
    if (minimum && *number < *minimum) {
        Diagnostic &d = wrong("field.too-small", place, field, Severity::Error, belowMinimum);
        d.args.insert(QStringLiteral("minimum"), *minimum);
        m_findings.fix(d, QStringLiteral("fix.set"), {{QStringLiteral("value"), QString::number(*minimum)}},
            {edit::SetValue{place.path, QByteArray::number(*minimum)}});
        return std::nullopt;
    }
    if (std::abs(*number) > maxInteger) {
        wrong("field.too-large", place, field, Severity::Error, ServerVerdict::Accepts)
            .args.insert(QStringLiteral("maximum"), maxInteger);
        return std::nullopt;
    }
    return number;
}

bool Fields::isList(const Place &place, const QString &field, ServerVerdict server)
{
    if (place.isBroken() || nullAsAbsent(place, field, server)) {
        return false;
    }
    if (!place.isSequence()) {
        wrong("field.not-list", place, field, Severity::Error, server);
        return false;
    }
    return true;
}

std::optional<QList<Place>> Fields::list(const Place &place, const QString &field, ServerVerdict server)
{
    if (!isList(place, field, server)) {
        return std::nullopt;
    }
    QList<Place> places;
    const QList<const YamlNode *> nodes = m_values.items(place.node);
    places.reserve(nodes.size());
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        places.append({nodes.at(i), place.path.child(i)});
    }
    return places;
}

std::optional<QStringList> Fields::texts(const Place &place, const QString &field, ServerVerdict server)
{
    if (place.isScalar() && !place.isNull()) {
        Diagnostic &d = wrong("field.text-not-list", place, field, Severity::Error, server);
        const QString written = textFromUtf8(place.resolved()->scalar);
        m_findings.fix(d, QStringLiteral("fix.make-list"), {{QStringLiteral("field"), field}},
            {edit::SetValue{place.path, "[]"}, edit::InsertText{place.path.child(qsizetype(0)), written}});
        return QStringList{written};
    }
    if (!isList(place, field, server)) {
        return std::nullopt;
    }
    const QList<const YamlNode *> nodes = m_values.items(place.node);
    QStringList result;
    result.reserve(nodes.size());
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        // Paths are made for what is wrong only: lists may be long.
        const YamlNode *node = nodes.at(i)->resolved();
        if (node->kind == YamlNode::Kind::Scalar) {
            const TypedScalar typedText = typedScalar(*node);
            if (isText(typedText)) {
                if (readerDifference(*node) != ReaderDifference::Agree) {
                    sayTextDifference(m_findings, *node, place.path.child(i), field);
                }
                result.append(*typedText.value.asString());
                continue;
            }
        }
        const Place item{nodes.at(i), place.path.child(i)};
        const TypedScalar typed = item.isScalar() ? typedScalar(*item.resolved()) : TypedScalar{};
        if (item.isScalar() && typed.type != ScalarType::Null) {
            const QString written = textFromUtf8(item.resolved()->scalar);
            Diagnostic &d = wrong("field.text-unquoted", item, field, Severity::Warning, server);
            m_findings.fix(d, QStringLiteral("fix.quote"), {{QStringLiteral("value"), shown(written)}},
                {edit::SetText{item.path, written}});
            result.append(written);
        } else if (item.isNull()) {
            Diagnostic &d = wrong("field.item-empty", item, field, Severity::Warning, server);
            m_findings.fix(d, QStringLiteral("fix.remove-item"), {}, {edit::Remove{item.path}});
            result.append(QString());
        } else {
            Diagnostic &d = wrong("field.item-not-text", item, field, Severity::Error, server);
            const QByteArray &bytes = m_findings.document().bytes();
            if (const auto line = lineReadAsMap(bytes, *item.node)) {
                QByteArray quoted = bytes.mid(line->begin, line->length());
                quoted = '\'' + quoted.replace('\'', "''") + '\'';
                m_findings.fixText(d, QStringLiteral("fix.quote-command"), {{*line, quoted}});
            }
            result.append(QString());
        }
    }
    return result;
}

bool Fields::map(const Place &place, const QString &field, ServerVerdict server)
{
    if (place.isMap()) {
        return true;
    }
    if (!place.isBroken() && !nullAsAbsent(place, field, server)) {
        Diagnostic &d = wrong("field.not-map", place, field, Severity::Error, server);
        const auto blanks = place.isScalar() && place.node
            ? yamltree::blanksAfterColons(m_findings.document().bytes(), place.node->at)
            : std::nullopt;
        if (blanks) {
            m_findings.fixText(d, QStringLiteral("fix.add-blank"), *blanks);
        }
    }
    return false;
}

void Fields::protocolVersion(const Place &place)
{
    const TypedScalar typed = place.isScalar() ? typedScalar(*place.resolved()) : TypedScalar{};
    const qint64 *number = typed.value.asInt();
    const double *real = typed.value.asDouble();
    const QString *string = typed.value.asString();
    if ((number && *number == 2) || (real && *real == 2.0) || (string && *string == QLatin1String("2"))) {
        return;
    }
    const bool meant = string && *string == QLatin1String("2.0");
    Diagnostic &d = wrong(meant ? "job.version-spelling" : "job.version-unknown", place,
        QStringLiteral("protocolVersion"), meant ? Severity::Warning : Severity::Error, ServerVerdict::Refuses);
    m_findings.fix(d, QStringLiteral("fix.set"), {{QStringLiteral("value"), QStringLiteral("2")}},
        {edit::SetValue{place.path, "2"}});
}

void Fields::checkName(const QString &name, const Place &place, const QString &field)
{
    static const QRegularExpression pattern(QStringLiteral("^[a-zA-Z0-9_-]+\\z"));
    constexpr qsizetype maxName = 255;
    const bool valid = pattern.match(name).hasMatch();
    if (valid && name.size() <= maxName) {
        return;
    }
    static const QRegularExpression bad(QStringLiteral("[^a-zA-Z0-9_-]+"));
    const QString better = QString(name).replace(bad, QStringLiteral("_")).left(maxName);
    const char *code = name.isEmpty() ? "name.empty" : valid ? "name.too-long" : "name.invalid";
    QJsonObject args{{QStringLiteral("field"), field}, {QStringLiteral("name"), shown(name)},
        {QStringLiteral("length"), name.size()}, {QStringLiteral("maximum"), maxName}};
    if (const QRegularExpressionMatch found = bad.match(name); found.hasMatch()) {
        // The first one: of a long name, the sentence may show neither it nor its neighbours.
        const qsizetype at = found.capturedStart();
        args.insert(QStringLiteral("character"),
            shown(name.sliced(at, name.at(at).isHighSurrogate() && at + 1 < name.size() ? 2 : 1)));
    }
    Diagnostic &d
        = m_findings.add(QString::fromLatin1(code), Severity::Error, ServerVerdict::Refuses, place.path, args);
    if (!better.isEmpty()) {
        m_findings.fixRename(d, place.path, name, better, {edit::SetText{place.path, better}});
    }
}

Diagnostic &Fields::missing(const Place &parent, const QString &field, const QString &where, const QString &usual)
{
    Diagnostic &d = m_findings.add(QStringLiteral("field.required"), Severity::Error, ServerVerdict::Refuses,
        parent.path, {{QStringLiteral("field"), field}, {QStringLiteral("where"), where}});
    if (!usual.isEmpty()) {
        const QString shownText = field + QStringLiteral(": ") + usual;
        m_findings.fix(d, QStringLiteral("fix.add"), {{QStringLiteral("field"), shownText}},
            {edit::SetText{parent.path.child(field), usual}});
    }
    return d;
}

MapFields::MapFields(Fields &fields, const Place &place)
    : m_fields(fields), m_place(place), m_entries(fields.values().entries(place.node))
{
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        m_index.insert(m_entries.at(i).key, i);
    }
}

std::optional<Place> MapFields::take(const QString &key)
{
    m_known.insert(key);
    const auto at = m_index.constFind(key);
    if (at == m_index.constEnd()) {
        return std::nullopt;
    }
    return Place{m_entries.at(at.value()).value, m_place.path.child(key)};
}

std::optional<Place> MapFields::takeRenamed(const QString &oldKey, const QString &key, ServerVerdict server)
{
    if (!has(oldKey)) {
        return std::nullopt;
    }
    const std::optional<Place> found = take(oldKey);
    m_known.remove(oldKey);
    m_index.remove(oldKey);
    Findings &findings = m_fields.findings();
    Diagnostic &d = findings.add(QStringLiteral("field.renamed"), Severity::Warning, server, found->path,
        {{QStringLiteral("field"), oldKey}, {QStringLiteral("name"), key}}, Point::Key);
    if (!has(key)) {
        findings.fix(
            d, QStringLiteral("fix.rename-key"), {{QStringLiteral("name"), key}}, {edit::RenameKey{found->path, key}});
    }
    return found;
}

QStringList MapFields::keys() const
{
    QStringList names;
    for (const MapEntry &entry : m_entries) {
        names.append(entry.key);
    }
    return names;
}

// Nothing where the map has it already, or where the value is more than one that stands in a line.
QList<edit::Op> MapFields::moveInto(const QString &map, const MapEntry &entry) const
{
    const YamlDocument &document = m_fields.findings().document();
    const YamlNode *value = entry.value, *into = document.find(m_place.path.child(map));
    const YamlPath to = m_place.path.child(map).child(entry.key);
    if (map.isEmpty() || entry.merged || !value || value->kind != YamlNode::Kind::Scalar || !value->anchor.isEmpty()
        || (into && !into->isMap()) || document.find(to)) {
        return {};
    }
    const QByteArray written = document.bytes().mid(value->at.begin, value->at.length());
    if (written.isEmpty() || written.contains('\n')) {
        return {};
    }
    return {edit::SetValue{to, written}, edit::Remove{m_place.path.child(entry.key)}};
}

void MapFields::unknown(const QString &where, Severity severity, ServerVerdict server, const QString &code,
    const QHash<QString, QString> &furtherIn)
{
    Findings &findings = m_fields.findings();
    QStringList free;
    for (const QString &known : std::as_const(m_known)) {
        if (!has(known)) {
            free.append(known);
        }
    }
    free.sort();
    for (const MapEntry &entry : std::as_const(m_entries)) {
        if (m_known.contains(entry.key) || !m_index.contains(entry.key)) {
            continue;
        }
        const QString similar = nearest(entry.key, free);
        const YamlPath path = m_place.path.child(entry.key);
        QJsonObject args{{QStringLiteral("field"), shown(entry.key)}, {QStringLiteral("where"), where}};
        if (!similar.isEmpty()) {
            args.insert(QStringLiteral("similar"), similar);
        }
        // A required field under a misspelled name is one mistake.
        const Severity missing
            = similar.isEmpty() ? severity : findings.takeBackMissing(m_place.path, similar).value_or(severity);
        Diagnostic &d = findings.add(similar.isEmpty() ? code : code + QStringLiteral("-similar"),
            std::min(severity, missing), server, path, args, Point::Key);
        if (!similar.isEmpty()) {
            const FieldRename rename = fieldRename(path, entry.key, entry.value, similar);
            findings.fix(d, QStringLiteral("fix.rename-key"), {{QStringLiteral("name"), rename.words}}, rename.ops);
        }
        const QString map = furtherIn.value(entry.key);
        if (const QList<edit::Op> ops = moveInto(map, entry); !ops.isEmpty()) {
            findings.fix(d, QStringLiteral("fix.move-into"), {{QStringLiteral("name"), map}}, ops);
        }
        findings.fix(
            d, QStringLiteral("fix.remove"), {{QStringLiteral("field"), shown(entry.key)}}, {edit::Remove{path}});
    }
}

} // namespace trainyard
