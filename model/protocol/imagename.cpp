// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/imagename.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

std::optional<ImageName> clusterImageName(const QString &uri)
{
    const qsizetype slash = uri.indexOf(u'/');
    const QString first = slash < 0 ? QString() : uri.left(slash);
    const bool hasRegistry = first.contains(u'.') || first.contains(u':');
    const QString rest = hasRegistry ? uri.mid(slash + 1) : uri;
    const qsizetype colon = rest.lastIndexOf(u':');
    const bool hasTag = colon > rest.lastIndexOf(u'/');
    ImageName name;
    name.registry = u"https://"_s + (hasRegistry ? first : u"index.docker.io"_s) + u"/v2/"_s;
    name.repository = hasTag ? rest.left(colon) : rest;
    name.tag = hasTag ? rest.mid(colon + 1) : u"latest"_s;
    static const QRegularExpression repository(u"^[a-z\\-_.0-9]+[/a-z\\-_.0-9]*\\z"_s);
    static const QRegularExpression tag(u"^[a-z\\-_.0-9]+\\z"_s);
    if (!repository.match(name.repository).hasMatch() || !tag.match(name.tag).hasMatch()) {
        return std::nullopt;
    }
    if (!hasRegistry && !name.repository.contains(u'/')) {
        name.repository.prepend(u"library/"_s);
    }
    return name;
}

} // namespace trainyard
