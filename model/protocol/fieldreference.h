// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/yaml/yamldocument.h"

#include <QJsonValue>
#include <QStringList>

#include <memory>

namespace trainyard
{

enum class FieldType { Text, Integer, Boolean, List, Map, Any, TextOrNumber, Version };

// One of the words that a field may hold.
struct ReferenceValue {
    QString value, text;
};

// What the reference says of one field of a job.
struct ReferenceField {
    QStringList pattern; // "taskRoles", "*", "instances"; a "*" is any key of a map or any item of a list
    FieldType type = FieldType::Any;
    FieldType itemType = FieldType::Any; // of lists
    bool listItem = false; // its parent is a list
    bool required = false;
    bool nullable = false; // an empty value counts as absent, also for a server
    bool secret = false; // never to be shown
    bool reserved = false; // accepted, and without effect yet
    bool forbidden = false; // no field at all: a key that a server refuses
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
    QStringList kinds; // only for prerequisites of these types, or for plugin entries of these plugins; empty: all

    QString name() const { return pattern.isEmpty() ? QString() : pattern.last(); }
    QString pointer() const; // "/taskRoles/*/instances"
    bool isPlaceholder() const { return name() == QLatin1String("*"); }
    QString typeText() const; // "integer", "list of text", "map": English words of the data, not translated
    QString defaultText() const; // as YAML; empty: none
    QString rangeText() const; // "0 or more", "1 to 65535"; empty: none
};

// A variable that tasks see. <role>, <index>, <label> and <number> in the name stand for what they say.
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

    // The field at a place of a job, or null. An exact key goes before "*". `kind` is what kindAt() gives; empty: not
    // known, and the first of several entries is taken.
    const ReferenceField *find(const YamlPath &path, const QString &kind = {}) const;
    // The keys that a map may have, for completion: required ones first, then in the order of the data, each name
    // once. Without placeholders, reserved and forbidden ones. The root is {}.
    QList<const ReferenceField *> childrenOf(const YamlPath &path, const QString &kind = {}) const;
    // What keys that the user invents, or items of a list, are: the field with "*" below `path`. Null: there are none.
    const ReferenceField *itemOf(const YamlPath &path, const QString &kind = {}) const;
    QList<ReferenceValue> valuesOf(const YamlPath &path, const QString &kind = {}) const;

    // Reads what people write: a JSON pointer, or keys with dots ("taskRoles.worker.commands", "prerequisites[0].uri").
    // Keys that hold dots themselves are recognised.
    YamlPath pathFromText(const QString &text) const;
    // All fields at such a place; for a single word that is no key of a job, those with that name anywhere.
    QList<const ReferenceField *> search(const QString &text) const;
    QList<const ReferenceVariable *> searchVariables(const QString &name) const; // PAI_HOST_IP_worker_0 finds its row

private:
    struct Data;
    std::shared_ptr<const Data> d;
};

// The type of the prerequisite, or the plugin (without its prefix) of the plugin entry, that a place of a document is
// in; empty elsewhere, and where the document does not say.
QString kindAt(const YamlDocument &document, const YamlPath &path);

} // namespace trainyard
