// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/oldnames.h"

#include "model/protocol/fieldreference.h"

#include <algorithm>

namespace trainyard
{
namespace
{

// The old name under which the last field of a path is written, or nothing. `at` is the parent as it is written.
std::optional<QString> oldFieldNameOf(const YamlDocument &document, const YamlPath &path, const YamlPath &at)
{
    const auto *name = std::get_if<QString>(&path.last());
    if (!name || document.find(at.child(*name))) {
        return {};
    }
    const ReferenceField *field = FieldReference::bundled().find(path);
    const auto isWritten = [&](const QString &old) { return document.find(at.child(old)) != nullptr; };
    const QStringList names = field ? field->oldNames : QStringList();
    const auto old = std::find_if(names.cbegin(), names.cend(), isWritten);
    return old == names.cend() ? std::nullopt : std::optional(*old);
}

} // namespace

YamlPath writtenPath(const YamlDocument &document, const YamlPath &path)
{
    if (path.isEmpty() || document.find(path)) {
        return path;
    }
    const YamlPath at = writtenPath(document, path.parent());
    if (const std::optional<QString> old = oldFieldNameOf(document, path, at)) {
        return at.child(*old);
    }
    const YamlPath::Element &last = path.last();
    return std::holds_alternative<QString>(last) ? at.child(std::get<QString>(last))
                                                 : at.child(std::get<qsizetype>(last));
}

void renameOldFields(const YamlDocument &document, const YamlPath &path, QList<edit::Op> &ops)
{
    if (path.isEmpty() || document.find(path)) {
        return;
    }
    renameOldFields(document, path.parent(), ops);
    if (const auto old = oldFieldNameOf(document, path, writtenPath(document, path.parent()))) {
        ops.append(edit::RenameKey{path.parent().child(*old), std::get<QString>(path.last())});
    }
}

} // namespace trainyard
