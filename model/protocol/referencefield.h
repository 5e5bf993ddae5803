// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/fieldreference.h"

#include <QJsonObject>

// One field of the reference, from its JSON. Errors: as FieldReference::parse().
namespace trainyard::fieldjson
{

tl::unexpected<Error> invalid(const QString &what, const QString &entry);

// The first key that is not read: a misspelt one would be lost without a word.
QString unknownKey(const QJsonObject &json, std::initializer_list<QLatin1StringView> known);

Result<ReferenceField> readField(const QJsonObject &json, const QString &generation);

} // namespace trainyard::fieldjson
