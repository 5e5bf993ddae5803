// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/namesinanycase.h"

namespace trainyard
{

QString nameInAnyCase(const QStringList &names, const QString &name)
{
    if (names.contains(name)) {
        return name;
    }
    QStringList alike;
    for (const QString &each : names) {
        if (each.compare(name, Qt::CaseInsensitive) == 0) {
            alike.append(each);
        }
    }
    return alike.size() == 1 ? alike.constFirst() : QString();
}

QJsonValue memberInAnyCase(const QJsonObject &object, const QString &name)
{
    const QJsonValue exact = object.value(name);
    if (!exact.isUndefined()) {
        return exact;
    }
    QJsonValue found = QJsonValue::Undefined;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key().compare(name, Qt::CaseInsensitive) == 0) {
            if (!found.isUndefined()) {
                return QJsonValue::Undefined; // which of them is meant?
            }
            found = *it;
        }
    }
    return found;
}

} // namespace trainyard
