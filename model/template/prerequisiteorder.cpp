// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/prerequisiteorder.h"

#include "model/template/render.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace trainyard
{

PrerequisitesByName prerequisitesByName(const JobSpec &job)
{
    PrerequisitesByName table;
    for (const Prerequisite &item : job.prerequisites) {
        table.insert(item.name, &item);
    }
    return table;
}

Value selfScope(const Prerequisite &item, const PrerequisitesByName &table)
{
    Value::Map keys = item.all.asMap() ? *item.all.asMap() : Value::Map{};
    QSet<QString> known;
    for (const auto &[key, value] : std::as_const(keys)) {
        known.insert(key);
    }
    QSet<const Prerequisite *> visited{&item};
    QStringList pending = item.require;
    while (!pending.isEmpty()) {
        const Prerequisite *required = table.value(pending.takeFirst());
        if (!required || visited.contains(required)) {
            continue;
        }
        visited.insert(required);
        const Value::Map entries = required->all.asMap() ? *required->all.asMap() : Value::Map{};
        for (const auto &entry : entries) {
            if (!known.contains(entry.first)) {
                known.insert(entry.first);
                keys.append(entry);
            }
        }
        pending += required->require;
    }
    return Value(keys);
}

bool mentionsItself(const Value &item)
{
    const Value::Map keys = item.asMap() ? *item.asMap() : Value::Map{};
    return std::any_of(keys.cbegin(), keys.cend(), [](const auto &entry) {
        const Value::List list = entry.second.asList() ? *entry.second.asList() : Value::List{entry.second};
        return std::any_of(list.cbegin(), list.cend(), [](const Value &value) {
            return value.asString() && value.asString()->contains(QLatin1String("<%"))
                && value.asString()->contains(QLatin1String("this."));
        });
    });
}

Value filledKeys(const Value &self)
{
    if (!mentionsItself(self)) {
        return self;
    }
    TemplateScopes scopes;
    scopes.self = &self;
    const auto filled = [&scopes](const Value &value) {
        const Result<Rendered> rendered
            = value.asString() ? renderTemplate(*value.asString(), scopes) : Result<Rendered>(Rendered{});
        return value.asString() && rendered ? Value(rendered->text) : value;
    };
    Value::Map keys = *self.asMap();
    for (auto &[key, value] : keys) {
        if (value.asString()) {
            value = filled(value);
        } else if (value.asList()) {
            Value::List list = *value.asList();
            for (Value &each : list) {
                each = filled(each);
            }
            value = Value(list);
        }
    }
    return Value(keys);
}

Result<QStringList> expandPrerequisites(const JobSpec &job, const TaskRole &role)
{
    const PrerequisitesByName table = prerequisitesByName(job);
    QStringList order;
    QSet<QString> done;
    struct Frame {
        QString name;
        QStringList pending;
    };
    for (const QString &top : role.prerequisites) {
        // An explicit stack: a chain may be as long as the file.
        QList<Frame> stack;
        QSet<QString> onStack;
        QString wanted = top;
        QString wantedBy = role.name;
        while (true) {
            if (!wanted.isNull() && !done.contains(wanted)) {
                if (onStack.contains(wanted)) {
                    QStringList cycle;
                    for (const Frame &frame : std::as_const(stack)) {
                        if (!cycle.isEmpty() || frame.name == wanted) {
                            cycle.append(frame.name);
                        }
                    }
                    cycle.append(wanted);
                    return fail(QStringLiteral("require.cycle"),
                        {{QStringLiteral("cycle"), cycle.join(QStringLiteral(" → "))}});
                }
                const Prerequisite *item = table.value(wanted);
                if (!item) {
                    return fail(QStringLiteral("require.unknown"),
                        {{QStringLiteral("name"), wanted}, {QStringLiteral("by"), wantedBy}});
                }
                onStack.insert(wanted);
                stack.append({wanted, item->require});
            }
            if (stack.isEmpty()) {
                break;
            }
            Frame &frame = stack.last();
            if (frame.pending.isEmpty()) {
                done.insert(frame.name);
                onStack.remove(frame.name);
                order.append(frame.name);
                stack.removeLast();
                wanted = QString();
            } else {
                wanted = frame.pending.takeFirst();
                wantedBy = frame.name;
            }
        }
    }
    return order;
}

} // namespace trainyard
