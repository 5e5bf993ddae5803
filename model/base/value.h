// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QList>
#include <QString>

#include <utility>
#include <variant>

namespace trainyard
{

// A YAML value as an OpenPAI server types it (docs/protocol.md). The order of keys is kept, and integers are distinct
// from other numbers.
class Value
{
public:
    struct Null {
        friend bool operator==(const Null &, const Null &) = default;
    };
    using List = QList<Value>;
    using Map = QList<std::pair<QString, Value>>;

    Value() = default;
    Value(bool b) : m_data(b) { }
    Value(qint64 i) : m_data(i) { }
    Value(double d) : m_data(d) { }
    Value(const QString &s) : m_data(s) { }
    Value(const List &l) : m_data(l) { }
    Value(const Map &m) : m_data(m) { }

    bool isNull() const { return std::holds_alternative<Null>(m_data); }
    const bool *asBool() const { return std::get_if<bool>(&m_data); }
    const qint64 *asInt() const { return std::get_if<qint64>(&m_data); }
    const double *asDouble() const { return std::get_if<double>(&m_data); }
    const QString *asString() const { return std::get_if<QString>(&m_data); }
    const List *asList() const { return std::get_if<List>(&m_data); }
    const Map *asMap() const { return std::get_if<Map>(&m_data); }

    const Value *find(const QString &key) const; // of a map; null when absent or not a map
    // The text that a template inserts for it, in JavaScript's spelling (docs/protocol.md, Templates).
    QString toText() const;
    QJsonValue toJson() const;
    static Value fromJson(const QJsonValue &json);

    friend bool operator==(const Value &, const Value &) = default;

private:
    std::variant<Null, bool, qint64, double, QString, List, Map> m_data;
};

} // namespace trainyard

// Compiled once, in the .cpp file: see model/base/lists.h.
extern template class QList<trainyard::Value>;
