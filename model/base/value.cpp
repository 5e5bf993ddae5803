// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/value.h"

#include "model/base/result.h"

#include <QJsonArray>
#include <QJsonObject>

#include <array>
#include <charconv>
#include <cmath>

namespace trainyard
{

namespace
{
// ECMAScript's Number::toString: the shortest digits that read back as the same number, without an exponent for
// decimal points from 7 places before the first digit to 21 after it.
QString numberText(double number)
{
    if (std::isnan(number)) {
        return QStringLiteral("NaN");
    }
    if (std::isinf(number)) {
        return number < 0 ? QStringLiteral("-Infinity") : QStringLiteral("Infinity");
    }
    if (number == 0) {
        return QStringLiteral("0");
    }
    std::array<char, 64> buffer{};
    const auto written
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(number), std::chars_format::scientific);
    const QByteArray shortest(buffer.data(), written.ptr - buffer.data());
    const qsizetype e = shortest.indexOf('e');
    QByteArray digits = shortest.left(e);
    digits.replace(".", "");
    const int point = shortest.mid(e + 1).toInt() + 1; // the decimal point stands after that many digits
    const int count = int(digits.size());
    QByteArray text;
    if (count <= point && point <= 21) {
        text = digits + QByteArray(point - count, '0');
    } else if (0 < point && point <= 21) {
        text = digits.left(point) + '.' + digits.mid(point);
    } else if (-6 < point && point <= 0) {
        text = "0." + QByteArray(-point, '0') + digits;
    } else {
        text = digits.left(1);
        if (count > 1) {
            text += '.' + digits.mid(1);
        }
        const int exponent = point - 1;
        text += QByteArray("e") + (exponent < 0 ? '-' : '+') + QByteArray::number(std::abs(exponent));
    }
    return QString::fromLatin1(number < 0 ? '-' + text : text);
}

QString integerText(qint64 integer)
{
    // JavaScript has only doubles: beyond 2^53 its text is that of the nearest double.
    constexpr qint64 exact = qint64(1) << 53;
    return integer >= -exact && integer <= exact ? QString::number(integer) : numberText(double(integer));
}

QString listText(const Value::List &list)
{
    QString text;
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (i > 0) {
            text += u',';
        }
        if (!list.at(i).isNull()) {
            text += list.at(i).toText();
        }
    }
    return text;
}
} // namespace

const Value *Value::find(const QString &key) const
{
    if (const Map *map = asMap()) {
        for (const auto &[name, value] : *map) {
            if (name == key) {
                return &value;
            }
        }
    }
    return nullptr;
}

QString Value::toText() const
{
    return std::visit(Overloaded{
                          [](const Null &) { return QStringLiteral("null"); },
                          [](bool b) { return b ? QStringLiteral("true") : QStringLiteral("false"); },
                          [](qint64 i) { return integerText(i); },
                          [](double d) { return numberText(d); },
                          [](const QString &s) { return s; },
                          [](const List &l) { return listText(l); },
                          [](const Map &) { return QStringLiteral("[object Object]"); },
                      },
        m_data);
}

QJsonValue Value::toJson() const
{
    return std::visit(Overloaded{
                          [](const Null &) { return QJsonValue(QJsonValue::Null); },
                          [](bool b) { return QJsonValue(b); },
                          [](qint64 i) { return QJsonValue(i); },
                          [](double d) { return QJsonValue(d); },
                          [](const QString &s) { return QJsonValue(s); },
                          [](const List &l) {
                              QJsonArray array;
                              for (const Value &item : l) {
                                  array.append(item.toJson());
                              }
                              return QJsonValue(array);
                          },
                          [](const Map &m) {
                              QJsonObject object;
                              for (const auto &[key, value] : m) {
                                  object.insert(key, value.toJson());
                              }
                              return QJsonValue(object);
                          },
                      },
        m_data);
}

Value Value::fromJson(const QJsonValue &json)
{
    switch (json.type()) {
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        return {};
    case QJsonValue::Bool:
        return json.toBool();
    case QJsonValue::Double: {
        const QVariant number = json.toVariant();
        if (number.typeId() == QMetaType::LongLong) {
            return number.toLongLong();
        }
        return json.toDouble();
    }
    case QJsonValue::String:
        return json.toString();
    case QJsonValue::Array: {
        List list;
        const QJsonArray array = json.toArray();
        list.reserve(array.size());
        for (const auto &item : array) {
            list.append(fromJson(item));
        }
        return list;
    }
    case QJsonValue::Object: {
        Map map;
        const QJsonObject object = json.toObject();
        map.reserve(object.size());
        for (auto it = object.begin(); it != object.end(); ++it) {
            map.append({it.key(), fromJson(it.value())});
        }
        return map;
    }
    }
    return {};
}

} // namespace trainyard

template class QList<trainyard::Value>;
