// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/legacy.h"
#include "model/protocol/scalar.h"

// Jobs of version 1 for the tests of what becomes of them.
namespace oldjobs
{

using namespace trainyard;
using namespace Qt::StringLiterals;

inline QString codes(const JobImport &result)
{
    QStringList list;
    for (const Diagnostic &d : result.report) {
        list.append(d.code);
    }
    list.removeDuplicates();
    return list.join(u' ');
}

inline Value parsed(const QByteArray &yaml) { return toValue(YamlDocument::parse(yaml).root()); }

inline const Value *partAt(const Value &value, const QStringList &path)
{
    const Value *here = &value;
    for (const QString &key : path) {
        if (!here) {
            return nullptr;
        }
        const Value::List *list = here->asList();
        const qsizetype index = key.toLongLong();
        here = list ? (index < list->size() ? &list->at(index) : nullptr) : here->find(key);
    }
    return here;
}

inline QString textAt(const Value &value, const QStringList &path)
{
    const Value *found = partAt(value, path);
    return found ? found->toText() : u"(none)"_s;
}

inline const char v1Role[] = R"({"name": "w", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 1024, "gpuNumber": 0,
    "command": "echo x"})";

inline QByteArray oldJob(const QByteArray &fields, const QByteArray &roles = v1Role)
{
    return R"({"jobName": "j", "image": "i", "taskRoles": [)" + roles + "]" + (fields.isEmpty() ? "" : ", ") + fields
        + "}";
}

} // namespace oldjobs
