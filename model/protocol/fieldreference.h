// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/result.h"
#include "model/yaml/yamldocument.h"

#include <QHash>
#include <QJsonValue>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

enum class FieldType { Text, Integer, Boolean, List, Map, Any, TextOrNumber, Version };

// One of the words that a field may hold.
struct ReferenceValue {
    QString value, text;
};

// How the reader treats a field when type and range do not say everything: "read" in the data.
struct FieldReading {
    enum class Server { ChecksAll, TakesAnyRange, TakesAnyType, TakesAll };
    Server server = Server::ChecksAll; // what an OpenPAI server does not refuse
    std::optional<qint64> minimum; // the least that is understood; may be below `min`
    std::optional<qint64> least, most; // what lies outside counts as the nearest of them
    Severity missing = Severity::Error; // of a required field that is not there
    QString missingCode; // instead of field.required
    QString insert; // what a fix writes where the field is missing
    Severity wrong = Severity::Warning; // of a value that is not one of its type or words
    QString wrongCode; // instead of the code of its type
    QStringList wrongArgs; // field, value, known
    std::optional<QStringList> offer; // what fixes write in place of a wrong value
    QHash<QString, QString> instead; // what fixes write in place of these words
    bool ignoresUnknown = false; // of maps: keys that the reference does not name have no effect; else a server refuses
    bool unread = false; // kept as it is; other parts read it
    QStringList elsewhere; // findings that code of the reader reports: missing, empty, old, unknown
};

// The control of the form for a field if it does not follow from the type: "control" in the data.
struct FieldControl {
    enum class Kind { Line, Number, Memory, Check, Name };
    Kind kind = Kind::Line;
    std::optional<qint64> least, most; // that it offers
    int characters = 0; // how wide it is; 0: as usual
};

// The entry of the reference for one field of a job.
struct ReferenceField {
    QStringList pattern; // "taskRoles", "*", "instances"; a "*" is any key of a map or any item of a list
    FieldType type = FieldType::Any;
    FieldType itemType = FieldType::Any; // of lists
    bool listItem = false; // its parent is a list
    bool required = false;
    QString requiredWhere; // "on OpenPAI clusters": elsewhere, it may be left out; empty: everywhere
    bool nullable = false; // an empty value counts as absent, also for a server
    bool secret = false; // never to be shown
    bool reserved = false; // accepted, and without effect yet
    bool forbidden = false; // not a field: a key that a server refuses
    QString brief; // one sentence
    QString help; // more; may be empty
    QList<ReferenceValue> values; // empty: anything of its type
    QString unit;
    QJsonValue defaultValue; // undefined: none
    QJsonValue minimum, maximum; // of integers; undefined: none
    int minItems = 0; // of lists and maps
    int maxLength = 0; // of texts; 0: none
    QString textPattern; // regular expression for texts; empty: none
    QString keyPattern; // the same for the key, where the last element is "*"
    QString example; // YAML of the field with its key, or of the item; may be empty
    QString since; // "protocol 2", "OpenPAI 1.5", "Trainyard 0.1"
    QString reference; // what it names: role, deployment, prerequisite, or a type of prerequisite; empty: nothing
    QString server, portal, here; // where an OpenPAI server, its portal, and Trainyard differ; may be empty
    QStringList oldNames; // other spellings that are understood, and reported
    FieldReading reading;
    FieldControl control;
    QStringList v1Names; // what held it in version 1, at the top of a job or in its role; several: for one type each
    std::optional<qint64> v1Default; // what version 1 took where it was left out
    QStringList kinds; // only for prerequisites of these types, or for plugin entries of these plugins; empty: all

    QString name() const { return pattern.isEmpty() ? QString() : pattern.last(); }
    QString pointer() const; // "/taskRoles/*/instances"
    QString dotted() const; // "taskRoles.*.instances"
    QStringList valueNames() const; // those of `values`
    bool isPlaceholder() const { return name() == QLatin1String("*"); }
    QString typeText() const; // "integer", "list of text", "map": English words of the data, not translated
    QString defaultText() const; // as YAML; empty: none
    QString rangeText() const; // "0 or more", "1 to 65535"; empty: none
};

// A variable that tasks see. <role>, <index>, <label> and <number> in the name are placeholders.
struct ReferenceVariable {
    QString name;
    QString scope; // job: the same in all tasks; role: the same in all tasks, one for each role; task: the task's own
    QString text;
    QString example;
    QString since;
    bool old = false; // of an older generation; there are newer names for it
};

// A name for `event` of a callback. Those with `use` are other names that are understood.
struct ReferenceEvent {
    QString name, text, use;
};

// The reference of the job language as data: resources/field-reference.json. Completion, hover, form help, explain and
// the manual are made from it.
class FieldReference
{
public:
    FieldReference();
    static Result<FieldReference> parse(const QByteArray &json); // Error "fieldreference.invalid" {what, entry}
    static const FieldReference &bundled();

    const QList<ReferenceField> &fields() const; // in the order of the data
    const QList<ReferenceVariable> &variables() const;
    const QList<ReferenceEvent> &events() const;

    // The field at a place of a job, or null. An exact key goes before "*". `kind` is what kindAt() gives; when it is
    // empty, the first of several entries is used.
    const ReferenceField *find(const YamlPath &path, const QString &kind = {}) const;
    // The keys that a map may have, for completion: required ones first, then in the order of the data, each name
    // once. Without placeholders, reserved and forbidden ones. The root is {}.
    QList<const ReferenceField *> childrenOf(const YamlPath &path, const QString &kind = {}) const;
    // The field of keys that the user chooses, or of items of a list: the one with "*" below `path`. Null when there is
    // none.
    const ReferenceField *itemOf(const YamlPath &path, const QString &kind = {}) const;
    // All entries directly below a pattern such as "/taskRoles/*", in the order of the data, placeholders too.
    QList<const ReferenceField *> entriesBelow(const QString &pointer) const;

    // Reads what users write: a JSON pointer, or keys with dots ("taskRoles.worker.commands", "prerequisites[0].uri").
    // Keys that hold dots themselves are recognised.
    YamlPath pathFromText(const QString &text) const;
    // All fields at such a place; without one, all fields whose path ends with these names, the names that users choose
    // left out ("taskRoles.resourcePerInstance.gpu", "shmMB"). Those of task roles come first, and what lies deeper
    // later.
    QList<const ReferenceField *> search(const QString &text) const;
    QList<const ReferenceVariable *> searchVariables(const QString &name) const; // PAI_HOST_IP_worker_0 finds its row

private:
    struct Data;
    std::shared_ptr<const Data> d;
};

// The type of the prerequisite, or the plugin (without its prefix) of the plugin entry, that a place of a document is
// in; empty elsewhere, and where the document does not say.
QString kindAt(const YamlDocument &document, const YamlPath &path);
// The same where `scalarAt` reads the text.
QString kindAt(const YamlPath &path, const std::function<QString(const YamlPath &)> &scalarAt);

} // namespace trainyard
