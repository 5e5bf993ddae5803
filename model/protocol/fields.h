// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/findings.h"
#include "model/protocol/scalar.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

// The position of the reader: a node (perhaps an alias) and its path.
struct Place {
    const YamlNode *node = nullptr;
    YamlPath path;
    const YamlNode *resolved() const { return node ? node->resolved() : nullptr; }
    // An alias that could not be followed, which the parser has reported.
    bool isBroken() const { return !node || node->resolved()->kind == YamlNode::Kind::Alias; }
    bool isMap() const { return node && node->resolved()->isMap(); }
    bool isSequence() const { return node && node->resolved()->isSequence(); }
    bool isScalar() const { return node && node->resolved()->kind == YamlNode::Kind::Scalar; }
    bool isNull() const { return isScalar() && typedScalar(*node->resolved()).type == ScalarType::Null; }
};

// Reads fields with one rule for each kind of value: what a server refuses is reported, and what can be understood
// anyway is used. Every function returns nothing when the value cannot be used, and reports that.
class Fields
{
public:
    explicit Fields(Findings &findings) : m_findings(findings) { }
    Findings &findings() { return m_findings; }
    ValueReader &values() { return m_values; }
    bool exhausted() const { return m_values.exhausted(); }

    enum class Null { Absent, Accepted }; // a null: refused by the server but taken as absent, or allowed there
    std::optional<QString> text(const Place &place, const QString &field);
    std::optional<QString> textOrNumber(const Place &place, const QString &field);
    enum class Amount { Count, MiB }; // of MiB, "8 GB" is an error with the number as its fix
    std::optional<qint64> integer(const Place &place, const QString &field, std::optional<qint64> minimum,
        Null null = Null::Absent, ServerVerdict belowMinimum = ServerVerdict::Refuses, Amount amount = Amount::Count);
    std::optional<QStringList> texts(
        const Place &place, const QString &field, ServerVerdict server = ServerVerdict::Refuses);
    std::optional<QList<Place>> list(
        const Place &place, const QString &field, ServerVerdict server = ServerVerdict::Refuses);
    bool map(const Place &place, const QString &field, ServerVerdict server = ServerVerdict::Refuses);
    void protocolVersion(const Place &place);
    // [a-zA-Z0-9_-]+, at most 255.
    void checkName(const QString &name, const Place &place, const QString &field);

    // The fix writes `usual`; without it there is no fix.
    Diagnostic &missing(const Place &parent, const QString &field, const QString &where, const QString &usual = {});

private:
    Diagnostic &wrong(
        const char *code, const Place &place, const QString &field, Severity severity, ServerVerdict server);
    bool nullAsAbsent(const Place &place, const QString &field, ServerVerdict server);
    // Whether the value is a list. Reports any other value.
    bool isList(const Place &place, const QString &field, ServerVerdict server);

    Findings &m_findings;
    ValueReader m_values;
};

// The entries of one map; each known key is taken once, and what is left over is unknown.
class MapFields
{
public:
    MapFields(Fields &fields, const Place &place);
    const Place &place() const { return m_place; }
    // Takes the value of a key, which then counts as known. Returns nothing if there is no such key.
    std::optional<Place> take(const QString &key);
    // The same for an old or misspelt name that is understood; reports it and offers the right name.
    std::optional<Place> takeRenamed(const QString &oldKey, const QString &key, ServerVerdict server);
    bool has(const QString &key) const { return m_index.contains(key); }
    QStringList keys() const;
    QList<MapEntry> entries() const { return m_entries; }
    // Reports the keys that were not taken. `furtherIn`: the map below this one that has a field of such a name.
    void unknown(const QString &where, Severity severity, ServerVerdict server,
        const QString &code = QStringLiteral("field.unknown"), const QHash<QString, QString> &furtherIn = {});

private:
    QList<edit::Op> moveInto(const QString &map, const MapEntry &entry) const;

    Fields &m_fields;
    Place m_place;
    QList<MapEntry> m_entries;
    QHash<QString, qsizetype> m_index;
    QSet<QString> m_known;
};

} // namespace trainyard
