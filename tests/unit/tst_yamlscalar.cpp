// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlpath.h"
#include "model/yaml/yamlscalar.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <limits>

using namespace trainyard;

class TstYamlScalar : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void types_data();
    void types();
    void tags_data();
    void tags();
    void looksLikeSomethingElse_data();
    void looksLikeSomethingElse();
    void pointers_data();
    void pointers();
    void pathParts();
};

Q_DECLARE_METATYPE(trainyard::ScalarType)

void TstYamlScalar::types_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ScalarType>("type");
    QTest::addColumn<QString>("value"); // as a template inserts it
    const auto row = [](const char *text, ScalarType type, const char *value) {
        QTest::newRow(*text ? text : "empty") << QByteArray(text) << type << QString::fromLatin1(value);
    };
    using enum ScalarType;
    for (const char *null : {"", "~", "null", "Null", "NULL"}) {
        row(null, Null, "null");
    }
    row("true", Bool, "true");
    row("TRUE", Bool, "true");
    row("False", Bool, "false");
    for (const char *string : {"yes", "no", "on", "off", "y", "nULL", "tRue", "0o12", "08", "1.0.0", "1_", "_1", "0x",
             "0b2", "+", "-", ".", "1:60:", "1e", "e3", "--1", "1.2.3", "abc", "=", "0x_", "1 2", "12:", ".inf.",
             "2020-1-1", "2020-01-01x", "1,000"}) {
        row(string, String, string);
    }
    row("0", Int, "0");
    row("-0", Int, "0");
    row("12", Int, "12");
    row("+12", Int, "12");
    row("-12", Int, "-12");
    row("012", Int, "10");
    row("0_1", Int, "1");
    row("0x1F", Int, "31");
    row("-0x1f", Int, "-31");
    row("0b11", Int, "3");
    row("1_000", Int, "1000");
    row("12:30", Int, "750");
    row("1:30:00", Int, "5400");
    row("9223372036854775807", Int, "9223372036854776000");
    row("9223372036854775808", Float, "9223372036854776000");
    row("1e3", Float, "1000");
    row("1e-7", Float, "1e-7");
    row("1.0", Float, "1");
    row("1.", Float, "1");
    row(".5", Float, "0.5");
    row("-1.5", Float, "-1.5");
    row("1_0.5", Float, "10.5");
    row("190:20:30.15", Float, "685230.15");
    row(".inf", Float, "Infinity");
    row("-.INF", Float, "-Infinity");
    row(".nan", Float, "NaN");
    row("2020-01-01", Timestamp, "2020-01-01");
    row("2001-12-14t21:59:43.10-05:00", Timestamp, "2001-12-14t21:59:43.10-05:00");
    row("<<", Merge, "<<");
}

void TstYamlScalar::types()
{
    QFETCH(QByteArray, text);
    QFETCH(ScalarType, type);
    QFETCH(QString, value);
    const TypedScalar typed = typedPlain(text);
    QCOMPARE(typed.type, type);
    QCOMPARE(typed.value.toText(), value);
}

void TstYamlScalar::tags_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<ScalarType>("type");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *yaml, ScalarType type, const char *value) {
        QTest::newRow(yaml) << QByteArray(yaml) << type << QString::fromLatin1(value);
    };
    using enum ScalarType;
    row("'5'", String, "5");
    row("\"true\"", String, "true");
    row("!!str 5", String, "5");
    row("! 5", String, "5");
    row("!", Null, "null");
    row("! ''", String, "");
    row("!!str", String, "");
    row("!!int '5'", Int, "5");
    row("!!int x", Invalid, "x");
    row("!!float 1", Float, "1");
    row("!!float x", Invalid, "x");
    row("!!bool true", Bool, "true");
    row("!!bool yes", Invalid, "yes");
    row("!!null ~", Null, "null");
    row("!!null x", Invalid, "x");
    row("!!null", Null, "null");
    row("!!null '~'", Null, "null");
    row("!!null ''", Invalid, "");
    row("!!binary aGk=", Binary, "aGk=");
    row("!!binary ''", Binary, "");
    row("!!binary", Invalid, "");
    row("!!binary aGk", Invalid, "aGk");
    row("!!binary a-k=", Invalid, "a-k=");
    row("!!binary |\n  aG\n  k=", Binary, "aG\nk=\n");
    row("!mine 5", Invalid, "5");
    row("!<tag:yaml.org,2002:int> 5", Int, "5");
    row("|\n  5", String, "5\n");
}

void TstYamlScalar::tags()
{
    QFETCH(QByteArray, yaml);
    QFETCH(ScalarType, type);
    QFETCH(QString, value);
    const YamlDocument document = YamlDocument::parse("a: " + yaml + "\n");
    const YamlNode *node = document.find({QStringLiteral("a")});
    QVERIFY(node);
    const TypedScalar typed = typedScalar(*node);
    QCOMPARE(typed.type, type);
    QCOMPARE(typed.value.toText(), value);
}

void TstYamlScalar::looksLikeSomethingElse_data()
{
    QTest::addColumn<bool>("expected");
    for (const char *text : {"", "~", "null", "yes", "No", "ON", "off", "y", "N", "true", "0777", "0o7", "0x1F", "0b1",
             "1_000", "1:30", "1e3", "1e-7", ".inf", "-.INF", ".NaN", "2020-01-01", "2020-1-1 1:2:3", "<<", "=", "012",
             "+1", "1.5", "1,000", "12:30:45.5"}) {
        QTest::newRow(*text ? text : "empty") << true;
    }
    for (const char *text : {"a", "yes sir", "v1.0", "ubuntu:22.04", "one", "1st", "x86", "-lah", "python3", "nullx"}) {
        QTest::newRow(text) << false;
    }
}

void TstYamlScalar::looksLikeSomethingElse()
{
    QFETCH(bool, expected);
    const QByteArray text = QTest::currentDataTag();
    QCOMPARE(looksTyped(text == "empty" ? QByteArray() : text), expected);
}

void TstYamlScalar::pointers_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<YamlPath>("path");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *pointer, const YamlPath &path, const char *error = "") {
        QTest::newRow(*pointer ? pointer : "root") << QString::fromUtf8(pointer) << path << QString::fromLatin1(error);
    };
    row("", {});
    row("/", {QString()});
    row("/a/b", {QStringLiteral("a"), QStringLiteral("b")});
    row("/a~1b/c~0d", {QStringLiteral("a/b"), QStringLiteral("c~d")});
    row("/~01", {QStringLiteral("~1")});
    row("/a/0", {QStringLiteral("a"), QStringLiteral("0")});
    row("a", {}, "path.no-slash");
    row("/a~2", {}, "path.bad-escape");
    row("/a~", {}, "path.bad-escape");
}

void TstYamlScalar::pointers()
{
    QFETCH(QString, pointer);
    QFETCH(YamlPath, path);
    QFETCH(QString, error);
    const Result<YamlPath> parsed = YamlPath::fromPointer(pointer);
    if (!error.isEmpty()) {
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, error);
        return;
    }
    QVERIFY(parsed);
    QCOMPARE(*parsed, path);
    QCOMPARE(parsed->toPointer(), pointer);
}

void TstYamlScalar::pathParts()
{
    const YamlPath path{QStringLiteral("a.b"), qsizetype(3)};
    QCOMPARE(path.toPointer(), QStringLiteral("/a.b/3"));
    QCOMPARE(path.parent(), YamlPath{QStringLiteral("a.b")});
    QCOMPARE(YamlPath().parent(), YamlPath());
    QCOMPARE(path.parent().child(3), path);
    QVERIFY(path.startsWith(path.parent()));
    QVERIFY(path.startsWith({}));
    QVERIFY(!path.parent().startsWith(path));
    QVERIFY(path != (YamlPath{QStringLiteral("a.b"), QStringLiteral("3")}));
    QCOMPARE(qHash(path), qHash(YamlPath().child(QStringLiteral("a.b")).child(3)));
}

TRAINYARD_TEST(TstYamlScalar)
#include "tst_yamlscalar.moc"
