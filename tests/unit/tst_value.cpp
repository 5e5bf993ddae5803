// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/value.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace trainyard;

class TstValue : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void text_data();
    void text();
    void keepsOrderAndFinds();
    void json_data();
    void json();
    void jsonKeepsLargeIntegers();
};

void TstValue::text_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<QString>("expected");
    const auto number
        = [](double d, const char *text) { QTest::newRow(text) << Value(d) << QString::fromLatin1(text); };
    // Column two is what `String(x)` gives in JavaScript.
    number(1.0, "1");
    number(-0.0, "0");
    number(0.01, "0.01");
    number(1e-6, "0.000001");
    number(1e-7, "1e-7");
    number(1.5e-10, "1.5e-10");
    number(123456789.125, "123456789.125");
    number(1e20, "100000000000000000000");
    number(1e21, "1e+21");
    number(1.25e22, "1.25e+22");
    number(-2.5, "-2.5");
    number(0.1 + 0.2, "0.30000000000000004");
    number(5e-324, "5e-324");
    number(1.7976931348623157e308, "1.7976931348623157e+308");
    number(1.0 / 3, "0.3333333333333333");
    number(std::numeric_limits<double>::quiet_NaN(), "NaN");
    number(std::numeric_limits<double>::infinity(), "Infinity");
    number(-std::numeric_limits<double>::infinity(), "-Infinity");
    const auto row = [](const char *name, const Value &value, const char *text) {
        QTest::newRow(name) << value << QString::fromLatin1(text);
    };
    row("int", Value(qint64(42)), "42");
    row("negative int", Value(qint64(-7)), "-7");
    row("2^53", Value(qint64(9007199254740992)), "9007199254740992");
    row("2^53+1", Value(qint64(9007199254740993)), "9007199254740992");
    row("true", Value(true), "true");
    row("false", Value(false), "false");
    row("null", Value(), "null");
    row("string", Value(QStringLiteral("a b")), "a b");
    row("empty list", Value(Value::List{}), "");
    row("list", Value(Value::List{Value(qint64(1)), Value(QStringLiteral("b")), Value(true)}), "1,b,true");
    row("list with null", Value(Value::List{Value(qint64(1)), Value(), Value(qint64(2))}), "1,,2");
    row("nested list", Value(Value::List{Value(qint64(1)), Value(Value::List{Value(qint64(2)), Value(qint64(3))})}),
        "1,2,3");
    row("map", Value(Value::Map{{QStringLiteral("a"), Value(qint64(1))}}), "[object Object]");
}

void TstValue::text()
{
    QFETCH(Value, value);
    QFETCH(QString, expected);
    QCOMPARE(value.toText(), expected);
}

void TstValue::keepsOrderAndFinds()
{
    const Value map(Value::Map{{QStringLiteral("z"), Value(qint64(1))}, {QStringLiteral("a"), Value(qint64(2))}});
    QCOMPARE(map.asMap()->first().first, QStringLiteral("z"));
    QVERIFY(map.find(QStringLiteral("a")));
    QCOMPARE(*map.find(QStringLiteral("a")), Value(qint64(2)));
    QVERIFY(!map.find(QStringLiteral("b")));
    QVERIFY(!Value(qint64(1)).find(QStringLiteral("a")));
    QVERIFY(Value(qint64(1)) != Value(1.0));
}

void TstValue::json_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *text : {"null", "true", "1", "-5", "1.5", "\"x\"", "[]", "{}", "[1,[2,{\"a\":null}],\"b\"]",
             "{\"a\":{\"b\":[true,false]},\"c\":1e-7}"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TstValue::json()
{
    QFETCH(QByteArray, json);
    const QJsonValue parsed = QJsonDocument::fromJson('[' + json + ']').array().first();
    QCOMPARE(Value::fromJson(parsed).toJson(), parsed);
}

void TstValue::jsonKeepsLargeIntegers()
{
    const qint64 large = 9007199254740993;
    const QJsonArray array{Value(large).toJson()};
    const QByteArray text = QJsonDocument(array).toJson(QJsonDocument::Compact);
    QCOMPARE(text, QByteArray("[9007199254740993]"));
    QCOMPARE(Value::fromJson(QJsonDocument::fromJson(text).array().first()), Value(large));
}

TRAINYARD_TEST(TstValue)
#include "tst_value.moc"
