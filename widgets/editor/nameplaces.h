// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

namespace trainyard
{

// The positions of a name as a word within the value at a path, in the order of the text, except where it is spelled
// with an escape.
QList<ByteRange> namePlaces(const YamlDocument &document, const YamlPath &path, const QString &name);

// A place where a name is used, as a list of uses shows it.
struct NameUse {
    ByteRange at;
    bool certain = true; // false: a word that may mean it
};
struct NameUses {
    QString name;
    QList<NameUse> uses; // the definition first, the others in the order of the text
};
// The uses of what has its name at the path (see rename.h). Empty when nothing has.
NameUses usesOf(const YamlDocument &document, const YamlPath &named);

} // namespace trainyard
