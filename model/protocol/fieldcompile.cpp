// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of fields of a section, made of its rows and of the field reference.
#include "model/protocol/fieldwalk.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

bool fits(const ReferenceField &entry, const fieldwalk::Target &target)
{
    switch (target.index()) {
    case 0:
        return true;
    case 1:
    case 2:
        return entry.type == FieldType::Integer;
    case 3:
        return entry.type == FieldType::Text || entry.type == FieldType::TextOrNumber;
    case 4:
        return entry.type == FieldType::List;
    case 5:
        return entry.type == FieldType::Boolean;
    default:
        return entry.type == FieldType::Map || entry.type == FieldType::Any;
    }
}

} // namespace

namespace fieldwalk
{

Field compile(const QString &section, const std::vector<Row> &rows, QStringList &problems)
{
    Field root;
    const FieldReference &reference = FieldReference::bundled();
    std::vector<bool> used(rows.size());
    const auto orderOf = [&](const QString &path) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row &each) { return each.path == path; });
        return row - rows.begin();
    };
    const std::function<void(Field &, const QString &)> fill = [&](Field &map, const QString &below) {
        std::vector<std::pair<std::ptrdiff_t, Field>> found;
        for (const ReferenceField *entry : reference.entriesBelow(section + u'/' + below)) {
            if (entry->isPlaceholder()) {
                map.open = map.open || entry->kinds.isEmpty();
                continue;
            }
            Field field;
            field.entry = entry;
            field.name = entry->name();
            const QString path = below + field.name;
            const std::ptrdiff_t at = orderOf(path);
            if (at < std::ptrdiff_t(rows.size())) {
                const Row &row = rows.at(size_t(at));
                used[size_t(at)] = true;
                field.target = row.target;
                field.rule = row.rule;
                field.own = row.own;
                field.always = row.always;
                if (!row.own && !fits(*entry, row.target)) {
                    problems.append(
                        u"%1 is of type %2 in the field reference, and the reader fills a member of another type."_s
                            .arg(entry->pointer(), entry->typeText()));
                }
            }
            if (entry->type == FieldType::Map && !field.own && !entry->reading.unread && !entry->reserved) {
                fill(field, path + u'/');
            }
            found.emplace_back(at, field);
        }
        std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (auto &[at, field] : found) {
            map.fields.push_back(field);
        }
    };
    const QList<const ReferenceField *> here
        = reference.entriesBelow(section.section(u'/', 0, -2)); // of the section itself, and those beside it
    for (const ReferenceField *entry : here) {
        if (entry->pointer() == section) {
            root.entry = entry;
        }
    }
    fill(root, {});
    for (size_t i = 0; i < rows.size(); ++i) {
        if (!used.at(i)) {
            problems.append(
                u"The reader reads %1/%2, and the field reference has no such field."_s.arg(section, rows.at(i).path));
        }
    }
    return root;
}

void compareDefaults(const Field &section, void *owner, QStringList &problems)
{
    for (const Field &field : section.fields) {
        const QJsonValue usual = field.entry->defaultValue;
        QJsonValue left;
        if (const auto *number = std::get_if<Access<qint64>>(&field.target)) {
            left = (*number)(owner);
        } else if (const auto *flag = std::get_if<Access<bool>>(&field.target)) {
            left = (*flag)(owner);
        }
        if (!left.isNull() && !usual.isUndefined() && left != usual) {
            problems.append(u"%1 is %2 in the field reference when it is left out, and %3 in a job."_s.arg(
                field.entry->pointer(), field.entry->defaultText(), left.toVariant().toString()));
        }
        compareDefaults(field, owner, problems);
    }
}

} // namespace fieldwalk

} // namespace trainyard
