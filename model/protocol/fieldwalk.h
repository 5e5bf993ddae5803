// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"
#include "model/protocol/fieldreference.h"
#include "model/protocol/fields.h"

#include <functional>
#include <vector>

namespace trainyard
{

class JobReader;

// The value that was read for one field, for the rule that checks it further.
struct TakenField {
    const ReferenceField &field;
    QString name;
    bool present = true; // false only for rules that also check missing fields
    Place place; // of the value; of the map where it is missing
    MapFields &siblings;
    const QString &where; // what the map is called in messages
    std::optional<QString> text = {}; // what could be read, by the type of the field
    std::optional<qint64> number = {};
    std::optional<bool> flag = {};
    std::optional<QStringList> texts = {};
    std::optional<QList<Place>> items = {};
    std::optional<Value> value = {};
    MapFields *inside = nullptr; // of maps
};

namespace fieldwalk
{

template <typename T> using Access = std::function<T &(void *)>;
// The member that a field fills; none for fields that are only checked.
using Target = std::variant<std::monostate, Access<qint64>, Access<std::optional<qint64>>, Access<QString>,
    Access<QStringList>, Access<bool>, Access<Value>>;
using Rule = std::function<void(JobReader &, TakenField &, void *)>;

// One field of the reference together with what is done with it.
struct Field {
    const ReferenceField *entry = nullptr;
    QString name;
    Target target;
    Rule rule;
    bool own = false; // its rule reads it
    bool always = false; // its rule also runs when it is missing
    bool open = false; // of maps: it has keys that the user invents
    std::vector<Field> fields; // of maps, in the order in which they are read
};

struct Row {
    QString path; // below the section, "resourcePerInstance/cpu"
    Target target;
    Rule rule;
    bool own = false;
    bool always = false;
};

// The tree of one section of the reference ("/taskRoles/*"). Rows come first, in their order; fields without a row are
// only checked. Rows that fit no entry or no type are listed in `problems`.
Field compile(const QString &section, const std::vector<Row> &rows, QStringList &problems);
// Compares what a section leaves in a new owner with the defaults of the reference.
void compareDefaults(const Field &section, void *owner, QStringList &problems);

} // namespace fieldwalk

// One section of the reference as it fills an Owner: a table of rows that name a field, the member that it fills and
// the rule that looks at it. Type, range, old names, verdicts and fixes are those of the reference.
template <typename Owner> class FieldSection
{
public:
    using Rule = void (*)(JobReader &, TakenField &, Owner &);

    class Row : public fieldwalk::Row
    {
    public:
        Row(const char *fieldPath, const fieldwalk::Target &member = {}, Rule looksAt = nullptr)
        {
            path = QString::fromLatin1(fieldPath);
            target = member;
            if (looksAt) {
                rule = [looksAt](JobReader &reader, TakenField &taken, void *owner) {
                    looksAt(reader, taken, *static_cast<Owner *>(owner));
                };
            }
        }
        Row(const char *fieldPath, Rule looksAt) : Row(fieldPath, fieldwalk::Target{}, looksAt) { }
        Row &&readsItself() &&
        {
            own = true;
            return std::move(*this);
        }
        Row &&evenMissing() &&
        {
            always = true;
            return std::move(*this);
        }
    };

    FieldSection(const char *section, const std::vector<Row> &rows)
        : m_root(fieldwalk::compile(QString::fromLatin1(section), {rows.begin(), rows.end()}, m_problems))
    {
    }

    // `kind` decides between entries for types of prerequisites or for plugins; rules may set it meanwhile.
    void read(JobReader &reader, MapFields &fields, Owner &owner, const QString &where, const QString &kind = {}) const
    {
        readSection(reader, m_root, fields, &owner, where, kind);
    }

    QStringList problems() const
    {
        QStringList all = m_problems;
        Owner owner;
        fieldwalk::compareDefaults(m_root, &owner, all);
        return all;
    }

private:
    QStringList m_problems;
    fieldwalk::Field m_root;
};

// The members that rows name, also of a member, and of a member of that.
template <typename Owner, typename T> fieldwalk::Target member(T Owner::*m)
{
    return fieldwalk::Access<T>([m](void *owner) -> T & { return static_cast<Owner *>(owner)->*m; });
}
template <typename Owner, typename Part, typename T> fieldwalk::Target member(Part Owner::*p, T Part::*m)
{
    return fieldwalk::Access<T>([p, m](void *owner) -> T & { return static_cast<Owner *>(owner)->*p.*m; });
}
template <typename Owner, typename Part, typename Inner, typename T>
fieldwalk::Target member(Part Owner::*p, Inner Part::*i, T Inner::*m)
{
    return fieldwalk::Access<T>([p, i, m](void *owner) -> T & { return static_cast<Owner *>(owner)->*p.*i.*m; });
}

// Reports that a field holds none of its words, in the way that its entry says.
void sayWrongWord(Findings &findings, const ReferenceField &entry, const YamlPath &path, const QString &word);

void readSection(JobReader &reader, const fieldwalk::Field &section, MapFields &fields, void *owner,
    const QString &where, const QString &kind);

} // namespace trainyard
