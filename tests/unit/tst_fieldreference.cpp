// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/fieldreference.h"
#include "model/protocol/fieldwalk.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/plugins.h"
#include "model/protocol/readerrules.h"
#include "model/runtime/environment.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstFieldReference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void data();
    void examples();
    void readerKnowsEveryField();
    void tablesOfTheReader();
    void wrongRows();
    void everyVariable();
    void everyEvent();
    void lookup();
    void kinds();
    void children();
    void search();
    void kindsOfADocument();
    void badData_data();
    void badData();
    void quick();
};

namespace
{

const FieldReference &reference() { return FieldReference::bundled(); }

QStringList names(const QList<const ReferenceField *> &fields)
{
    QStringList result;
    for (const ReferenceField *field : fields) {
        result.append(field->name());
    }
    return result;
}

QJsonValue sampleOf(const ReferenceField &field)
{
    if (!field.values.isEmpty()) {
        const QString first = field.values.first().value;
        return field.type == FieldType::Version ? QJsonValue(2)
            : field.type == FieldType::List     ? QJsonValue(QJsonArray{first})
                                                : QJsonValue(first);
    }
    switch (field.type) {
    case FieldType::Integer:
        return 1;
    case FieldType::Boolean:
        return true;
    case FieldType::List:
        return QJsonArray();
    case FieldType::Map:
        return QJsonObject();
    default:
        return u"x"_s;
    }
}

// A document that holds nothing but the field, at its place. `at` gets that place.
QJsonValue around(const ReferenceField &field, qsizetype level, YamlPath &at)
{
    if (level == field.pattern.size()) {
        return sampleOf(field);
    }
    YamlPath parent;
    for (qsizetype i = 0; i < level; ++i) {
        parent = parent.child(field.pattern.at(i));
    }
    const QString key = field.pattern.at(level);
    const ReferenceField *above = parent.isEmpty() ? nullptr : reference().find(parent, field.kinds.value(0));
    if (above && above->type == FieldType::List) {
        at = at.child(qsizetype(0));
        return QJsonArray{around(field, level + 1, at)};
    }
    const QString used = key == "*"_L1 ? u"x"_s : key;
    at = at.child(used);
    QJsonObject map{{used, around(field, level + 1, at)}};
    if (level == 2 && field.pattern.first() == "prerequisites"_L1 && used != "type"_L1) {
        map.insert(u"type"_s, field.kinds.value(0, u"script"_s));
    }
    if (level == 3 && field.pattern.at(1) == pluginPrefix() && used != "plugin"_L1) {
        map.insert(u"plugin"_s, field.kinds.value(0, u"cmd"_s));
    }
    return map;
}

} // namespace

void TstFieldReference::data()
{
    int enums = 0;
    for (const ReferenceField &field : reference().fields()) {
        const QString where = field.pointer();
        QVERIFY2(field.brief.endsWith(u'.'), qPrintable(where));
        QVERIFY2(field.help.isEmpty() || field.help.endsWith(u'.'), qPrintable(where));
        for (const QString &text : {field.server, field.portal, field.here}) {
            QVERIFY2(text.isEmpty() || text.endsWith(u'.'), qPrintable(where));
        }
        QVERIFY2(!field.since.isEmpty(), qPrintable(where));
        enums += !field.values.isEmpty();
        for (const ReferenceValue &value : field.values) {
            QVERIFY2(!value.value.isEmpty() && !value.text.isEmpty(), qPrintable(where));
        }
        if (!field.defaultValue.isUndefined()) {
            QVERIFY2(!field.defaultText().isEmpty(), qPrintable(where));
            QCOMPARE(field.defaultValue.isDouble(), field.type == FieldType::Integer);
            QCOMPARE(field.defaultValue.isBool(), field.type == FieldType::Boolean);
        }
        QVERIFY2(field.minimum.isUndefined() || field.type == FieldType::Integer, qPrintable(where));
        QVERIFY2(
            field.minItems == 0 || field.type == FieldType::List || field.type == FieldType::Map, qPrintable(where));
        QVERIFY2(
            field.keyPattern.isEmpty() || field.isPlaceholder() || field.type == FieldType::Map, qPrintable(where));
        const QStringList known{u"script"_s, u"data"_s, u"output"_s, u"dockerimage"_s, u"cmd"_s, u"ssh"_s, u"git"_s,
            u"tensorboard"_s, u"teamwise_storage"_s};
        for (const QString &kind : field.kinds) {
            QVERIFY2(known.contains(kind), qPrintable(where + u' ' + kind));
        }
        const QStringList references{
            u"role"_s, u"deployment"_s, u"prerequisite"_s, u"script"_s, u"data"_s, u"output"_s, u"dockerimage"_s};
        QVERIFY2(field.reference.isEmpty() || references.contains(field.reference), qPrintable(where));
    }
    qInfo("%d fields, %d of them with a list of values; %d variables; %d events", int(reference().fields().size()),
        enums, int(reference().variables().size()), int(reference().events().size()));
}

// Examples are YAML of the field itself, and hold no key that the reference does not know.
void TstFieldReference::examples()
{
    int count = 0;
    for (const ReferenceField &field : reference().fields()) {
        if (field.example.isEmpty()) {
            continue;
        }
        const QByteArray where = field.pointer().toUtf8() + ": " + field.example.toUtf8();
        const YamlDocument document = YamlDocument::parse(field.example.toUtf8());
        QVERIFY2(document.isWellFormed() && document.root(), where.constData());
        const YamlNode *root = document.root();
        if (field.listItem) {
            QVERIFY2(root->isSequence() && root->entries.size() == 1, where.constData());
        } else {
            QVERIFY2(root->isMap() && root->entries.size() == 1, where.constData());
            const QString key = QString::fromUtf8(root->entries.first().key->scalar);
            QVERIFY2(field.isPlaceholder() || key == field.name(), where.constData());
            QVERIFY2(field.keyPattern.isEmpty() || !field.isPlaceholder()
                    || QRegularExpression(field.keyPattern).match(key).hasMatch(),
                where.constData());
        }
        const YamlNode *value = root->entries.first().value;
        const bool structured = field.type == FieldType::Map || field.type == FieldType::List;
        if (structured || field.type != FieldType::Any) {
            QCOMPARE(value->isMap(), field.type == FieldType::Map);
            QCOMPARE(value->isSequence(), field.type == FieldType::List);
        }
        ++count;
    }
    qInfo("%d examples", count);
}

// What the data says exists is no surprise to whatever reads a job.
void TstFieldReference::readerKnowsEveryField()
{
    int count = 0;
    for (const ReferenceField &field : reference().fields()) {
        YamlPath at;
        const QJsonValue document = around(field, 0, at);
        const ParseOutcome outcome = parseJob(QJsonDocument(document.toObject()).toJson());
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            const bool surprise = diagnostic.code == "field.unknown"_L1 || diagnostic.code == "field.ignored"_L1
                || diagnostic.code == "prerequisite.image.extra-key"_L1 || diagnostic.code.startsWith("yaml."_L1);
            // The name of a role that the job has not is one.
            const bool isOtherRole = field.isPlaceholder() && field.reference == "role"_L1;
            QVERIFY2(!surprise || isOtherRole || diagnostic.path != at,
                qPrintable(field.pointer() + u": "_s + diagnostic.code + u" at "_s + diagnostic.path.toPointer()));
        }
        const ReferenceField *found = reference().find(at, field.kinds.value(0));
        QVERIFY2(found && found->pattern == field.pattern, qPrintable(field.pointer()));
        ++count;
    }
    qInfo("%d fields read", count);
}

// Every key that the reader takes from a map is in the data, by name or as an old name.
// The rows of the reader name fields of the reference, fill members of their types, and leave its defaults.
void TstFieldReference::tablesOfTheReader() { QCOMPARE(readerrules::tableProblems(), QStringList()); }

void TstFieldReference::wrongRows()
{
    struct Limits {
        qint64 minFailed = 7;
        QString minSucceeded;
        qint64 sum = 0;
    };
    const FieldSection<Limits> section("/taskRoles/*/completion",
        {
            {"minFailedInstances", member(&Limits::minFailed)},
            {"minSucceededInstances", member(&Limits::minSucceeded)},
            {"minSum", member(&Limits::sum)},
        });
    QCOMPARE(section.problems(),
        QStringList({u"/taskRoles/*/completion/minSucceededInstances is of type integer in the field reference, and "
                     u"the "
                     "reader fills a member of another type."_s,
            u"The reader reads /taskRoles/*/completion/minSum, and the field reference has no such field."_s,
            u"/taskRoles/*/completion/minFailedInstances is 1 in the field reference when it is left out, and 7 in a "
            "job."_s}));
}

void TstFieldReference::everyVariable()
{
    JobSpec job;
    TaskRole role;
    role.name = u"worker"_s;
    role.instances = 2;
    role.resources.ports = {{u"nccl"_s, 2}};
    job.taskRoles = {role};
    const JobIdentity identity{u"ada"_s, u"job"_s, u"uuid"_s, 0};
    const QList<std::pair<QString, QList<int>>> ports{{u"nccl"_s, {1, 2}}, {u"ssh"_s, {3}}, {u"http"_s, {4}}};
    const TaskEnvironment environment(
        job, identity, {{u"worker"_s, 0, u"10.0.0.1"_s, ports}, {u"worker"_s, 1, u"10.0.0.2"_s, ports}});
    QSet<QString> found;
    for (const auto &[name, value] : environment.forTask(u"worker"_s, 0, 0, u"/work"_s)) {
        const QList<const ReferenceVariable *> rows = reference().searchVariables(name);
        QVERIFY2(!rows.isEmpty(), qPrintable(name));
        for (const ReferenceVariable *row : rows) {
            found.insert(row->name);
        }
    }
    const QSet<QString> ofTheLaunch{u"CUDA_VISIBLE_DEVICES"_s, u"CUDA_DEVICE_ORDER"_s, u"NVIDIA_VISIBLE_DEVICES"_s,
        u"TRAINYARD_TRY"_s, u"TRAINYARD_TASK_FOLDER"_s, u"TRAINYARD_CHECKPOINT_DIR"_s, u"PYTHONUNBUFFERED"_s,
        u"TRAINYARD_DATA_<name>"_s, u"OMP_NUM_THREADS"_s, u"TRAINYARD_GPU_MEMORY_MB"_s};
    for (const ReferenceVariable &variable : reference().variables()) {
        QVERIFY2(!variable.text.isEmpty(), qPrintable(variable.name));
        QVERIFY2(found.contains(variable.name) != ofTheLaunch.contains(variable.name), qPrintable(variable.name));
    }
    const auto only = reference().searchVariables(u"PAI_HOST_IP_worker_0"_s);
    QCOMPARE(only.size(), 1);
    QCOMPARE(only.first()->name, u"PAI_HOST_IP_<role>_<index>"_s);
    QVERIFY(reference().searchVariables(u"PAI_NOTHING"_s).isEmpty());
}

void TstFieldReference::everyEvent()
{
    for (const ReferenceEvent &event : reference().events()) {
        QCOMPARE(canonicalEvent(event.name), event.use.isEmpty() ? event.name : event.use);
        QVERIFY(!event.text.isEmpty());
    }
}

void TstFieldReference::lookup()
{
    const auto pointer = [](const YamlPath &path) {
        const ReferenceField *field = reference().find(path);
        return field ? field->pointer() : QString();
    };
    QCOMPARE(pointer({u"name"_s}), u"/name"_s);
    QCOMPARE(pointer({u"taskRoles"_s, u"worker"_s}), u"/taskRoles/*"_s);
    QCOMPARE(pointer({u"taskRoles"_s, u"name"_s}), u"/taskRoles/*"_s); // a role may be called so
    QCOMPARE(pointer({u"taskRoles"_s, u"w"_s, u"commands"_s, qsizetype(3)}), u"/taskRoles/*/commands/*"_s);
    QCOMPARE(pointer({u"taskRoles"_s, u"w"_s, u"commands"_s, u"3"_s}), u"/taskRoles/*/commands/*"_s);
    QCOMPARE(pointer({u"extras"_s, u"gangAllocation"_s}), u"/extras/gangAllocation"_s);
    QCOMPARE(pointer({u"extras"_s, u"mine"_s}), u"/extras/*"_s);
    QCOMPARE(pointer({u"extras"_s, u"mine"_s, u"deeper"_s}), QString());
    QCOMPARE(pointer({}), QString());
    QCOMPARE(pointer({u"nam"_s}), QString());
    const ReferenceField *retries = reference().find({u"taskRoles"_s, u"w"_s, u"taskRetryCount"_s});
    QCOMPARE(retries->defaultText(), u"0"_s);
    QCOMPARE(retries->rangeText(), u"0 or more"_s);
    QCOMPARE(reference().find({u"prerequisites"_s, qsizetype(0)})->listItem, true);
    QCOMPARE(reference().find({u"taskRoles"_s, u"w"_s})->listItem, false);
    QCOMPARE(reference().itemOf({u"parameters"_s})->pointer(), u"/parameters/*"_s);
    QVERIFY(!reference().itemOf({u"defaults"_s}));
    QCOMPARE(reference().find({u"extras"_s, u"trainyard"_s, u"runIn"_s})->values.size(), 4);
    for (const QString &name : reference().find({u"extras"_s, u"trainyard"_s, u"stop"_s, u"signal"_s})->valueNames()) {
        QVERIFY2(stopSignalOf(name) > 0, qPrintable(name));
    }
}

void TstFieldReference::kinds()
{
    const YamlPath uri{u"prerequisites"_s, qsizetype(0), u"uri"_s};
    QCOMPARE(reference().find(uri, u"data"_s)->type, FieldType::List);
    QCOMPARE(reference().find(uri, u"script"_s)->type, FieldType::Text);
    QCOMPARE(reference().find(uri, u"dockerimage"_s)->required, true);
    QCOMPARE(reference().find(uri, u"dockerimage"_s)->requiredWhere, QString());
    const ReferenceField *image = reference().find({u"taskRoles"_s, u"worker"_s, u"dockerImage"_s});
    QVERIFY(image->required && image->requiredWhere.contains(u"OpenPAI")); // and not in the shell of a host
    QVERIFY(reference().find(uri));
    const YamlPath auth{u"prerequisites"_s, qsizetype(0), u"auth"_s};
    QCOMPARE(reference().find(auth, u"dockerimage"_s)->name(), u"auth"_s);
    QCOMPARE(reference().find(auth, u"script"_s)->pointer(), u"/prerequisites/*/*"_s);
    const YamlPath port{u"extras"_s, pluginPrefix(), qsizetype(0), u"parameters"_s, u"port"_s};
    QVERIFY(reference().find(port, u"tensorboard"_s));
    QVERIFY(!reference().find(port, u"ssh"_s));
}

void TstFieldReference::children()
{
    const QStringList top = names(reference().childrenOf({}));
    QCOMPARE(top.mid(0, 4), QStringList({u"protocolVersion"_s, u"name"_s, u"type"_s, u"taskRoles"_s}));
    QCOMPARE(top.size(), 14);
    const QStringList role = names(reference().childrenOf({u"taskRoles"_s, u"w"_s}));
    QCOMPARE(role.mid(0, 3), QStringList({u"dockerImage"_s, u"resourcePerInstance"_s, u"commands"_s}));
    QVERIFY(role.contains(u"completion"_s) && !role.contains(u"*"_s));
    QCOMPARE(names(reference().childrenOf({u"taskRoles"_s, u"w"_s, u"resourcePerInstance"_s})),
        QStringList({u"gpu"_s, u"cpu"_s, u"memoryMB"_s, u"ports"_s}));
    QCOMPARE(names(reference().childrenOf({u"taskRoles"_s, u"w"_s, u"extraContainerOptions"_s})),
        QStringList({u"shmMB"_s, u"infiniband"_s}));
    const YamlPath item{u"prerequisites"_s, qsizetype(2)};
    const QStringList image = names(reference().childrenOf(item, u"dockerimage"_s));
    QVERIFY(image.contains(u"auth"_s) && !image.contains(u"callbacks"_s));
    const QStringList script = names(reference().childrenOf(item, u"script"_s));
    QVERIFY(!script.contains(u"auth"_s) && script.contains(u"callbacks"_s));
    const QStringList any = names(reference().childrenOf(item));
    QCOMPARE(any.count(u"uri"_s), 1);
    QCOMPARE(names(reference().childrenOf({u"extras"_s, pluginPrefix(), qsizetype(0), u"parameters"_s}, u"git"_s)),
        QStringList({u"repo_uri"_s, u"options"_s, u"clone_dir"_s}));
    QVERIFY(!names(reference().childrenOf({u"extras"_s, u"trainyard"_s})).contains(u"sweep"_s)); // reserved
    QVERIFY(reference().childrenOf({u"name"_s}).isEmpty());
    QVERIFY(reference().childrenOf({u"nowhere"_s}).isEmpty());
}

void TstFieldReference::search()
{
    const auto found = [](const QString &text) {
        QStringList pointers;
        for (const ReferenceField *field : reference().search(text)) {
            pointers.append(field->pointer());
        }
        return pointers.join(u' ');
    };
    QCOMPARE(found(u"taskRoles.worker.taskRetryCount"_s), u"/taskRoles/*/taskRetryCount"_s);
    QCOMPARE(found(u"taskRoles.*.taskRetryCount"_s), u"/taskRoles/*/taskRetryCount"_s);
    QCOMPARE(found(u"/taskRoles/worker/taskRetryCount"_s), u"/taskRoles/*/taskRetryCount"_s);
    QCOMPARE(found(u"taskRetryCount"_s), u"/taskRoles/*/taskRetryCount"_s);
    QCOMPARE(found(u"taskretrycount"_s), u"/taskRoles/*/taskRetryCount"_s);
    QCOMPARE(found(u"minSucceededTaskCount"_s), u"/taskRoles/*/completion/minSucceededInstances"_s);
    QCOMPARE(found(u"name"_s), u"/name"_s);
    // What every job has comes first: the commands of a role, not those of a callback.
    QCOMPARE(found(u"commands"_s),
        u"/taskRoles/*/commands /prerequisites/*/callbacks/*/commands "
        "/extras/com.microsoft.pai.runtimeplugin/*/parameters/callbacks/*/commands"_s);
    QCOMPARE(found(u"prerequisites[0].callbacks[1].event"_s), u"/prerequisites/*/callbacks/*/event"_s);
    QCOMPARE(found(u"extras.com.microsoft.pai.runtimeplugin.0.plugin"_s),
        u"/extras/com.microsoft.pai.runtimeplugin/*/plugin"_s);
    QCOMPARE(found(u"prerequisites.x.uri"_s).count(u' '), 2);
    QCOMPARE(found(u"nothing.of.that"_s), QString());
    QCOMPARE(found(QString()), QString());
}

void TstFieldReference::kindsOfADocument()
{
    const YamlDocument document = YamlDocument::parse("prerequisites:\n  - {name: a, type: data}\n  - {name: b}\n"
                                                      "extras:\n  com.microsoft.pai.runtimeplugin:\n"
                                                      "    - {plugin: ssh, parameters: {jobssh: true}}\n");
    QCOMPARE(kindAt(document, {u"prerequisites"_s, qsizetype(0), u"uri"_s}), u"data"_s);
    QCOMPARE(kindAt(document, {u"prerequisites"_s, u"0"_s}), u"data"_s);
    QCOMPARE(kindAt(document, {u"prerequisites"_s, qsizetype(1)}), QString());
    QCOMPARE(kindAt(document, {u"prerequisites"_s}), QString());
    QCOMPARE(kindAt(document, {u"extras"_s, pluginPrefix(), qsizetype(0), u"parameters"_s}), u"ssh"_s);
    QCOMPARE(kindAt(document, {u"name"_s}), QString());
}

void TstFieldReference::badData_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("what");
    QTest::newRow("no JSON") << QByteArray("[") << QString();
    QTest::newRow("no path") << QByteArray(R"({"fields": [{"type": "text", "short": "x"}]})") << u"path"_s;
    QTest::newRow("type") << QByteArray(R"({"fields": [{"path": "/a", "type": "txt", "short": "x"}]})") << u"type"_s;
    QTest::newRow("no text") << QByteArray(R"({"fields": [{"path": "/a", "type": "text"}]})") << u"short"_s;
    QTest::newRow("misspelt") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "sort": "x"}]})")
                              << u"sort"_s;
    QTest::newRow("no parent") << QByteArray(R"({"fields": [{"path": "/a/b", "type": "text", "short": "x"}]})")
                               << u"parent"_s;
    QTest::newRow("twice") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x"},
        {"path": "/a", "type": "map", "short": "y"}]})")
                           << u"twice"_s;
    QTest::newRow("pattern") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x",
        "pattern": "["}]})") << u"["_s;
    QTest::newRow("reading") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x",
        "read": {"minn": 1}}]})")
                             << u"minn"_s;
    QTest::newRow("what a server takes") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x",
        "read": {"server": "nothing"}}]})")
                                         << u"nothing"_s;
    QTest::newRow("severity") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x",
        "read": {"missing": "bad"}}]})")
                              << u"missing"_s;
    QTest::newRow("elsewhere") << QByteArray(R"({"fields": [{"path": "/a", "type": "text", "short": "x",
        "read": {"elsewhere": ["mising"]}}]})")
                               << u"mising"_s;
    QTest::newRow("scope") << QByteArray(R"({"variables": [{"name": "A", "scope": "x"}]})") << u"scope"_s;
}

void TstFieldReference::badData()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, what);
    const auto parsed = FieldReference::parse(json);
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, u"fieldreference.invalid"_s);
    if (!what.isEmpty()) {
        QCOMPARE(parsed.error().args.value("what"_L1).toString(), what);
    }
}

// Hover and completion ask while somebody types.
void TstFieldReference::quick()
{
    QElapsedTimer timer;
    timer.start();
    int found = 0;
    for (int i = 0; i < 10'000; ++i) {
        found += reference().find({u"taskRoles"_s, u"w"_s, u"resourcePerInstance"_s, u"gpu"_s}) != nullptr;
        found += reference().childrenOf({u"taskRoles"_s, u"w"_s}).isEmpty() ? 0 : 1;
    }
    QCOMPARE(found, 20'000);
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
}

TRAINYARD_TEST(TstFieldReference)
#include "tst_fieldreference.moc"
