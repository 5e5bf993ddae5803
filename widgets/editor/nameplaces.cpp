// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/nameplaces.h"

#include "model/base/ascii.h"
#include "model/protocol/rename.h"

#include <algorithm>

namespace trainyard
{
namespace
{

bool isNamePart(char c) { return ascii::isAlphanumeric(c) || (c & '\x80'); }

using How = NameReference::How;

// An underscore makes another word of a name, but for a variable: PAI_HOST_IP_worker_0. A tag reaches it by a dot.
bool isPlace(const QByteArray &bytes, qsizetype begin, qsizetype end, How how)
{
    const char before = begin > 0 ? bytes.at(begin - 1) : ' ';
    const char after = end < bytes.size() ? bytes.at(end) : ' ';
    if (isNamePart(before) || isNamePart(after)) {
        return false;
    }
    return how == How::Variable || (how == How::Template ? before == '.' : before != '_' && after != '_');
}

QList<ByteRange> placesIn(const YamlDocument &document, const YamlNode *node, const QByteArray &name, How how)
{
    QList<ByteRange> found;
    const QByteArray &bytes = document.bytes();
    for (qsizetype at = node && !name.isEmpty() ? bytes.indexOf(name, node->at.begin) : -1;
         at >= 0 && at < node->at.end; at = bytes.indexOf(name, at + 1)) {
        if (isPlace(bytes, at, at + name.size(), how)) {
            found.append({at, at + name.size()});
        }
    }
    return found;
}

} // namespace

QList<ByteRange> namePlaces(const YamlDocument &document, const YamlPath &path, const QString &name)
{
    return placesIn(document, document.find(path), name.toUtf8(), How::Mention);
}

NameUses usesOf(const YamlDocument &document, const YamlPath &named)
{
    NameUses all;
    all.name = nameAt(document, named);
    const YamlNode *item = document.find(named);
    const NameKind kind = nameKindAt(document, named);
    if (all.name.isEmpty() || !item || kind == NameKind::None || kind == NameKind::Other) {
        return {};
    }
    // The references are the places that a renaming would change.
    const Result<RenamePlan> plan = planRename(document, named, all.name + QStringLiteral("_other"));
    if (!plan) {
        return {};
    }
    const auto add = [&](ByteRange at, bool certain) {
        const auto same = [at](const NameUse &use) { return use.at == at; };
        if (std::none_of(all.uses.cbegin(), all.uses.cend(), same)) {
            all.uses.append({at, certain});
        }
    };
    // Items of lists say their name, everything else is a key.
    const bool isItem = kind == NameKind::Prerequisite || kind == NameKind::Deployment;
    const YamlNode *own = !isItem ? nullptr : item->isMap() ? item->find("name") : item;
    const std::optional<ByteRange> key = own ? std::nullopt : document.keyRange(named);
    add(own ? own->at : key ? *key : item->at, true);
    const auto addAll = [&](const QList<NameReference> &references, bool certain) {
        for (const NameReference &reference : references) {
            const YamlNode *node = document.find(reference.path);
            if (!node) {
                continue;
            }
            if (reference.how == How::Key) {
                const auto range = document.keyRange(reference.path);
                add(range ? *range : node->at, certain);
                continue;
            }
            const QList<ByteRange> places = placesIn(document, node, all.name.toUtf8(), reference.how);
            for (const ByteRange &place : places) {
                add(place, certain);
            }
            if (places.isEmpty()) {
                add({node->at.begin, node->at.begin}, certain);
            }
        }
    };
    addAll(plan->references, true);
    addAll(plan->mentions, false);
    std::stable_sort(all.uses.begin() + 1, all.uses.end(),
        [](const NameUse &a, const NameUse &b) { return a.at.begin < b.at.begin; });
    return all;
}

} // namespace trainyard
