// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const char *const oneLine = R"({"protocolVersion": 2, "name": "j", "type": "job", "prerequisites": [], )"
                            R"("taskRoles": {"w": {"instances": 1, "commands": ["true", "echo \"x\" \u00e9"], )"
                            R"("resourcePerInstance": {"cpu": 1, "memoryMB": 1e3, "gpu": 0}}}, "extras": {}})";

const char *const manyLines = R"({
  "protocolVersion": "2",
  "name": "j",
  "taskRoles": {
    "w": {
      "instances": 1,
      "commands": [
        "true",
        "false"
      ],
      "completion": { "minFailedInstances": null, "on": true }
    }
  },
  "last": [1, -2.5]
}
)";

const char *const tight = "{\"a\":1,\"b\":[1,2,{\"c\":\"d\"}],\"e\":{\"f\":null}}";

// `at` by value: it is mostly one of the paths, and these move. NOLINTNEXTLINE(performance-unnecessary-value-param)
void listPaths(const QJsonValue &value, QString at, QStringList &paths)
{
    const auto escaped = [](QString key) { return key.replace(u'~', u"~0"_s).replace(u'/', u"~1"_s); };
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            paths.append(at + u'/' + escaped(it.key()));
            listPaths(it.value(), paths.constLast(), paths);
        }
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i) {
            paths.append(at + u'/' + QString::number(i));
            listPaths(array.at(i), paths.constLast(), paths);
        }
    }
}

QJsonValue valueAt(const QByteArray &json, const QString &pointer)
{
    QJsonValue value = QJsonDocument::fromJson(json).object();
    const QStringList keys = pointer.split(u'/').mid(1);
    for (const QString &key : keys) {
        value = value.isArray() ? value.toArray().at(key.toInt()) : value.toObject().value(key);
    }
    return value;
}

} // namespace

// A job that is JSON stays JSON, whatever is changed in it.
class TstYamlJson : public QObject
{
    Q_OBJECT

    static QByteArray edited(const QByteArray &json, const edit::Op &op)
    {
        const Result<TextEdits> edits = planEdit(YamlDocument::parse(json), op);
        return edits ? applyEdits(json, *edits) : QByteArray("refused: ") + edits.error().code.toUtf8();
    }
    static YamlPath path(const QString &pointer) { return *YamlPath::fromPointer(pointer); }

    static void rows()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("one line") << QByteArray(oneLine);
        QTest::newRow("many lines") << QByteArray(manyLines);
        QTest::newRow("tight") << QByteArray(tight);
    }

private Q_SLOTS:
    void texts_data() { rows(); }
    void texts()
    {
        QFETCH(const QByteArray, json);
        QStringList paths{u"/new"_s, u"/new~1 \"key\"/deep/0"_s};
        listPaths(QJsonDocument::fromJson(json).object(), {}, paths);
        const QStringList values{u"y"_s, u"plain words"_s, u"a \"b\" \\ c/"_s, u"two\nlines\n\ttab\r"_s, u"é 中 🚂"_s,
            u"\x01\x7f\u0085\u2028\ufeff"_s, u""_s, u"true"_s, u"'"_s, u"{a: b}"_s};
        for (const QString &at : std::as_const(paths)) {
            for (const QString &text : values) {
                const QByteArray now = edited(json, edit::SetText{path(at), text});
                QVERIFY2(!QJsonDocument::fromJson(now).isNull(), now.constData());
                if (!at.contains(u'~')) {
                    QCOMPARE(valueAt(now, at), QJsonValue(text));
                }
            }
        }
    }

    void values_data() { rows(); }
    void values()
    {
        QFETCH(const QByteArray, json);
        QStringList paths{u"/new"_s};
        listPaths(QJsonDocument::fromJson(json).object(), {}, paths);
        const QList<std::pair<QByteArray, QJsonValue>> values{{"x", u"x"_s}, {"'it''s'", u"it's"_s}, {"1", 1},
            {"-0.5e3", -500}, {"0x10", 16}, {"1_000", 1000}, {"012", 10}, {".5", 0.5}, {"~", QJsonValue()},
            {"Null", QJsonValue()}, {"TRUE", true}, {".inf", u".inf"_s}, {"2020-01-01", u"2020-01-01"_s},
            {"[a, {b: 'c', 1: ~}]", QJsonArray{u"a"_s, QJsonObject{{u"b"_s, u"c"_s}, {u"1"_s, QJsonValue()}}}},
            {"{}", QJsonObject()}, {"[]", QJsonArray()}, {R"({"k":"v"})", QJsonObject{{u"k"_s, u"v"_s}}},
            {"!!str 5", u"5"_s}};
        for (const QString &at : std::as_const(paths)) {
            for (const auto &[yaml, expected] : values) {
                const QByteArray now = edited(json, edit::SetValue{path(at), yaml});
                QVERIFY2(!QJsonDocument::fromJson(now).isNull(), QByteArray(yaml + " -> " + now).constData());
                QCOMPARE(valueAt(now, at), expected);
            }
        }
    }

    void everythingElse_data() { rows(); }
    void everythingElse()
    {
        QFETCH(const QByteArray, json);
        QStringList paths;
        listPaths(QJsonDocument::fromJson(json).object(), {}, paths);
        for (const QString &at : std::as_const(paths)) {
            const QList<edit::Op> ops{edit::Remove{path(at)}, edit::Duplicate{path(at), u"a 'copy'"_s},
                edit::Insert{path(at), "{x: y}"}, edit::InsertText{path(at), u"it's"_s}, edit::Move{path(at), 0},
                edit::RenameKey{path(at), u"re\tnamed"_s}, edit::ReplaceText{path(at), {{0, 1, u"\x01'"_s}}},
                edit::ReplaceText{path(at), {{0, 1, u"x"_s}}}};
            for (const edit::Op &op : ops) {
                const QByteArray now = edited(json, op);
                if (now.startsWith("refused: ")) { // what cannot be done: a key of a list, a text in a map
                    QVERIFY2(!std::holds_alternative<edit::Remove>(op), now.constData());
                    continue;
                }
                QVERIFY2(!QJsonDocument::fromJson(now).isNull(), now.constData());
            }
        }
    }

    // Until nothing is left but the brackets.
    void removesAll_data() { rows(); }
    void removesAll()
    {
        QFETCH(QByteArray, json);
        for (int round = 0; round < 100; ++round) {
            QStringList paths;
            listPaths(QJsonDocument::fromJson(json).object(), {}, paths);
            if (paths.isEmpty()) {
                break;
            }
            json = edited(json, edit::Remove{path(paths.constLast())});
            QVERIFY2(!QJsonDocument::fromJson(json).isNull(), json.constData());
        }
        QCOMPARE(QJsonDocument::fromJson(json), QJsonDocument(QJsonObject()));
    }

    // YAML with brackets is no JSON.
    void yamlStaysYaml()
    {
        QCOMPARE(
            edited("{a: 1, \"b\": 2}", edit::SetText{path(u"/c"_s), u"y"_s}), QByteArray("{a: 1, \"b\": 2, c: 'y'}"));
        QCOMPARE(edited("{\"a\": 'x'}", edit::SetText{path(u"/c"_s), u"z"_s}), QByteArray("{\"a\": 'x', c: z}"));
    }
};

TRAINYARD_TEST(TstYamlJson)
#include "tst_yamljson.moc"
