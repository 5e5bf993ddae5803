// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

// The blocks of extras that clusters read: storages, the hived scheduler. They are kept as they are; a cluster checks
// them late or not at all, so that what it would trip over is said here.

namespace
{

struct StorageReading {
    QString name;
    YamlPath path; // of the item
    QHash<QString, QString> *mounts = nullptr; // the names of the storages before it, by where they are mounted
};

void checkStorageName(JobReader &reader, TakenField &taken, StorageReading &storage)
{
    const Value name = taken.present ? reader.values().value(taken.place.node) : Value();
    if (name.asString()) {
        storage.name = *name.asString();
    }
    if (storage.name.isEmpty()) {
        reader.findings().add(u"extras.storage-unnamed"_s, Severity::Warning, ServerVerdict::Accepts, taken.place.path);
    }
}

void checkMountPath(JobReader &reader, TakenField &taken, StorageReading &storage)
{
    const QString mount = taken.text.value_or(QString(u"/mnt/"_s + storage.name));
    if (taken.text && !mount.startsWith(u'/')) {
        Diagnostic &d = reader.findings().add(u"extras.storage-mount-path"_s, Severity::Warning, ServerVerdict::Accepts,
            taken.place.path, {{u"value"_s, mount}});
        const QString absolute = u'/' + mount;
        if (!mount.isEmpty()) {
            reader.findings().fix(
                d, u"fix.set"_s, {{u"value"_s, absolute}}, {edit::SetText{taken.place.path, absolute}});
        }
    }
    if (!storage.name.isEmpty() && storage.mounts->contains(mount)) {
        reader.findings().add(u"extras.storage-same-mount"_s, Severity::Warning, ServerVerdict::Accepts,
            taken.place.path,
            {{u"name"_s, storage.name}, {u"other"_s, storage.mounts->value(mount)}, {u"path"_s, mount}});
    }
    storage.mounts->insert(mount, storage.name);
}

const FieldSection<StorageReading> &storageSection()
{
    using Row = FieldSection<StorageReading>::Row;
    static const FieldSection<StorageReading> section("/extras/storages/*",
        {
            Row("name", checkStorageName).readsItself().evenMissing(),
            Row("mountPath", checkMountPath).evenMissing(),
        });
    return section;
}

struct HivedRole {
    QString sku, pinnedCell, affinityGroup;
};

const FieldSection<HivedRole> &hivedRoleSection()
{
    static const FieldSection<HivedRole> section("/extras/hivedScheduler/taskRoles/*",
        {
            {"skuType", member(&HivedRole::sku)},
            {"pinnedCellId", member(&HivedRole::pinnedCell)},
            {"affinityGroupName", member(&HivedRole::affinityGroup)},
        });
    return section;
}

} // namespace

void readerrules::readStorages(JobReader &reader, TakenField &taken, JobSpec &)
{
    QHash<QString, QString> mounts;
    for (const Place &item : taken.items.value_or(QList<Place>())) {
        if (reader.fields().map(item, u"storage"_s, ServerVerdict::Accepts)) {
            StorageReading storage{{}, item.path, &mounts};
            MapFields fields(reader.fields(), item);
            storageSection().read(reader, fields, storage, u"storages"_s);
        }
    }
}

void readerrules::readHivedRoles(JobReader &reader, TakenField &taken, JobSpec &job)
{
    const MapFields &roles = *taken.inside;
    QStringList roleNames;
    for (const TaskRole &role : job.taskRoles) {
        roleNames.append(role.name);
    }
    struct Group {
        QString role, cells;
    };
    QHash<QString, Group> groups;
    for (const MapEntry &entry : roles.entries()) {
        const Place role{entry.value, taken.place.path.child(entry.key)};
        if (!roleNames.contains(entry.key)) {
            Diagnostic &d = reader.findings().add(u"extras.hived-role"_s, Severity::Warning, ServerVerdict::Accepts,
                role.path, {{u"name"_s, entry.key}}, Point::Key);
            const QString similar = nearest(entry.key, roleNames);
            if (!similar.isEmpty() && !roles.has(similar)) {
                reader.findings().fix(
                    d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::RenameKey{role.path, similar}});
            }
        }
        if (!reader.fields().map(role, entry.key, ServerVerdict::Accepts)) {
            continue;
        }
        HivedRole cells;
        MapFields fields(reader.fields(), role);
        hivedRoleSection().read(reader, fields, cells, entry.key);
        const QString &sku = cells.sku;
        const QString &cell = cells.pinnedCell;
        if (!sku.isEmpty() && !cell.isEmpty()) {
            Diagnostic &d = reader.findings().add(u"extras.hived-both"_s, Severity::Warning, ServerVerdict::Accepts,
                role.path.child(u"pinnedCellId"_s), {{u"role"_s, entry.key}}, Point::Key);
            for (const auto &key : {u"pinnedCellId"_s, u"skuType"_s}) {
                reader.findings().fix(d, u"fix.remove"_s, {{u"field"_s, key}}, {edit::Remove{role.path.child(key)}});
            }
        }
        const QString &group = cells.affinityGroup;
        const QString wanted = sku + u'\n' + cell;
        if (!group.isEmpty() && groups.contains(group) && groups.value(group).cells != wanted) {
            reader.findings().add(u"extras.hived-affinity"_s, Severity::Warning, ServerVerdict::Accepts,
                role.path.child(u"affinityGroupName"_s),
                {{u"group"_s, group}, {u"role"_s, entry.key}, {u"other"_s, groups.value(group).role}});
        }
        groups.insert(group, {entry.key, wanted});
    }
}

void readerrules::checkOtherExtras(JobReader &reader, TakenField &taken, JobSpec &)
{
    if (const auto typo = taken.inside->take(u"hivedscheduler"_s); typo && !taken.inside->has(u"hivedScheduler"_s)) {
        Diagnostic &d = reader.findings().add(
            u"extras.hived-spelling"_s, Severity::Warning, ServerVerdict::Accepts, typo->path, {}, Point::Key);
        reader.findings().fix(d, u"fix.rename-key"_s, {{u"name"_s, u"hivedScheduler"_s}},
            {edit::RenameKey{typo->path, u"hivedScheduler"_s}});
    }
    // Any other key is the user's own, unless it looks like one of these.
    const QStringList known{u"gangAllocation"_s, u"storages"_s, u"jobStatusChangeNotification"_s, u"hivedScheduler"_s,
        u"trainyard"_s, pluginPrefix()};
    const QStringList others{u"submitFrom"_s, u"tensorBoard"_s, u"hivedscheduler"_s};
    for (const QString &key : taken.inside->keys()) {
        const QString similar = known.contains(key) || others.contains(key) ? QString() : nearest(key, known);
        if (similar.isEmpty() || taken.inside->has(similar)) {
            continue;
        }
        const YamlPath path = taken.place.path.child(key);
        Diagnostic &d = reader.findings().add(u"extras.key-similar"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"field"_s, key}, {u"similar"_s, similar}}, Point::Key);
        reader.findings().fix(d, u"fix.rename-key"_s, {{u"name"_s, similar}}, {edit::RenameKey{path, similar}});
    }
}

QStringList readerrules::extrasProblems() { return storageSection().problems() + hivedRoleSection().problems(); }

} // namespace trainyard
