// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretinfo.h"

#include "model/base/utf8.h"
#include "model/protocol/commandpath.h"
#include "model/protocol/plugins.h"
#include "model/runtime/environment.h"
#include "model/template/render.h"
#include "model/template/tags.h"
#include "model/yaml/yamllex.h"

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// The whole of a plain or quoted scalar around the caret, so that the pointer may be anywhere in it.
CaretPlace placeAround(const QByteArray &text, qsizetype caret)
{
    CaretPlace place = caretPlaceAt(text, caret);
    // In front of the text of a line one is at what stands there.
    if (place.kind == CaretPlace::Kind::Nothing) {
        qsizetype first = yamllex::skipBlanks(text, yamllex::lineBegin(text, caret));
        while (yamllex::at(text, first) == '-' && yamllex::isBlankOrEnd(text, first + 1)) {
            first = yamllex::skipBlanks(text, first + 1);
        }
        if (first > caret && first < yamllex::lineEnd(text, caret)) {
            place = caretPlaceAt(text, first);
        }
    }
    return place;
}

std::optional<ByteRange> keyRange(const YamlDocument &document, YamlPath path)
{
    while (path.size() > 0) {
        if (const auto range = document.keyRange(path)) {
            return range;
        }
        if (const YamlNode *node = document.find(path)) {
            return node->at;
        }
        path = path.parent();
    }
    return {};
}

std::optional<ByteRange> itemNamed(
    const YamlDocument &document, const QString &list, const QString &name, const QString &type)
{
    const YamlNode *node = document.find({list});
    node = node ? node->resolved() : nullptr;
    std::optional<ByteRange> found;
    if (!node || !node->isSequence()) {
        return found;
    }
    for (const YamlNode::Entry &entry : node->entries) {
        const YamlNode *item = entry.value->resolved();
        const YamlNode *itemName = item->find("name");
        const YamlNode *itemType = item->find("type");
        const bool fits = type.isEmpty() || (itemType && itemType->resolved()->scalar == type.toUtf8());
        if (itemName && fits && itemName->resolved()->scalar == name.toUtf8()) {
            found = itemName->at; // the later one wins
        }
    }
    return found;
}

} // namespace

CaretInfo caretInfoAt(const QByteArray &text, qsizetype caret, const SuggestionSources &sources)
{
    const FieldReference &fields = sources.fields ? *sources.fields : FieldReference::bundled();
    const CaretPlace place = placeAround(text, caret);
    CaretInfo info;
    if (place.kind == CaretPlace::Kind::Nothing) {
        return info;
    }
    info.kind = CaretInfo::Kind::Field;
    info.at = place.token;
    info.path = place.path;
    if (place.kind == CaretPlace::Kind::Key) {
        info.path = place.path.child(textFromUtf8(text.mid(place.token.begin, place.token.length())));
    }
    const QString kind = kindAt(info.path, [&](const YamlPath &path) { return scalarAt(text, path); });
    info.field = fields.find(info.path, kind);
    const JobSpec *job = sources.job;
    const QString role = roleOf(info.path);

    if (place.kind == CaretPlace::Kind::Key) {
        const ReferenceField *any = fields.itemOf(place.path, kind);
        if (any && any->reference == "role"_L1 && info.field == any) {
            info.kind = CaretInfo::Kind::Name;
            info.name = info.path.keyAt(info.path.size() - 1);
            info.resolved = !job || job->role(info.name);
        }
        return info.field ? info : CaretInfo();
    }
    if (const auto inside = templateAt(text, caret); inside && inside->key.length() > 0) {
        info.kind = CaretInfo::Kind::Template;
        info.at = inside->key;
        info.name = textFromUtf8(text.mid(inside->key.begin, inside->key.length()));
        info.field = nullptr;
        const TemplateReference reference = templateReference(QString(info.name).replace(u'[', u'.').remove(u']'));
        info.secret = reference.scope == "$secrets"_L1;
        if (reference.scope == "$parameters"_L1 || info.secret) {
            const QString map = info.secret ? u"secrets"_s : u"parameters"_s;
            info.field = fields.find({map, u"*"_s});
        }
        if (job) {
            TemplateScopes scopes;
            scopes.parameters = &job->parameters;
            scopes.secrets = &job->secrets;
            const TaskRole *of = job->role(role);
            const auto all = [&](const QString &type, const QString &name) -> const Value * {
                const Prerequisite *item = name.isEmpty() ? nullptr : job->prerequisite(type, name);
                return item ? &item->all : nullptr;
            };
            if (of) {
                scopes.script = all(u"script"_s, of->script);
                scopes.output = all(u"output"_s, of->output);
                scopes.data = all(u"data"_s, of->data);
            }
            const Value *value = lookUp(scopes, QString(info.name).replace(u'[', u'.').remove(u']'));
            info.resolved = value != nullptr || reference.scope == "this"_L1;
            if (value && !info.secret) {
                info.value = shortText(*value, 200);
            }
        }
        return info;
    }
    if (isCommandPath(info.path)) {
        if (const auto variable = variableAt(text, caret); variable && variable->name.length() > 0) {
            const QString name = textFromUtf8(text.mid(variable->name.begin, variable->name.length()));
            const auto found = fields.searchVariables(name);
            if (!found.isEmpty()) {
                info.kind = CaretInfo::Kind::Variable;
                info.at = variable->name;
                info.name = name;
                info.variable = found.first();
                if (job) {
                    info.value = variableValues(*job, role).value(name);
                    bool known = false;
                    for (const ReferenceVariable *one : found) {
                        known = known || variableNames(*one, *job, {}).contains(name) || !one->name.contains(u'<');
                    }
                    info.resolved = known;
                }
                return info;
            }
        }
    }
    const QString target = info.field ? info.field->reference : QString();
    if (!target.isEmpty() && place.kind == CaretPlace::Kind::Value && place.token.length() > 0
        && (!info.field || info.field->type != FieldType::List)) {
        info.kind = CaretInfo::Kind::Name;
        info.name = textFromUtf8(text.mid(place.token.begin, place.token.length())).trimmed();
        if (job) {
            if (target == "role"_L1) {
                info.resolved = job->role(info.name);
            } else if (target == "prerequisite"_L1) {
                const Prerequisite *item = job->prerequisite(info.name);
                info.resolved = item;
                info.value = item ? item->type : QString();
            } else if (target != "deployment"_L1) {
                const Prerequisite *item = job->prerequisite(target, info.name);
                info.resolved = item;
                info.value = item ? item->uri.value(0) : QString();
            }
        }
        return info;
    }
    return info.field ? info : CaretInfo();
}

std::optional<ByteRange> definitionOf(const YamlDocument &document, const CaretInfo &info)
{
    std::optional<ByteRange> found;
    if (info.kind == CaretInfo::Kind::Template) {
        const TemplateReference reference = templateReference(QString(info.name).replace(u'[', u'.').remove(u']'));
        if (reference.scope == "$parameters"_L1 || reference.scope == "$secrets"_L1) {
            YamlPath path{reference.scope.mid(1)};
            for (const QString &key : reference.path) {
                const YamlNode *node = document.find(path);
                bool isIndex = false;
                const qsizetype index = key.toLongLong(&isIndex);
                path = node && node->resolved()->isSequence() && isIndex ? path.child(index) : path.child(key);
            }
            found = keyRange(document, path);
            if (found && path.size() > 1 && !document.find(YamlPath{reference.scope.mid(1), reference.path.value(0)})) {
                found.reset();
            }
        } else if (reference.scope.startsWith(u'$')) {
            // The prerequisite that the role names in this field.
            const QString type = reference.scope.mid(1);
            const YamlNode *node = document.find(YamlPath{u"taskRoles"_s, roleOf(info.path), type});
            if (node) {
                found = itemNamed(document, u"prerequisites"_s, textFromUtf8(node->resolved()->scalar), type);
            }
        }
    } else if (info.kind == CaretInfo::Kind::Name) {
        const QString target = info.field ? info.field->reference : QString();
        if (target == "role"_L1) {
            const YamlPath path{u"taskRoles"_s, info.name};
            found = document.find(path) ? keyRange(document, path) : std::nullopt;
        } else if (target == "deployment"_L1) {
            found = itemNamed(document, u"deployments"_s, info.name, {});
        } else {
            found
                = itemNamed(document, u"prerequisites"_s, info.name, target == "prerequisite"_L1 ? QString() : target);
        }
    } else if (info.kind == CaretInfo::Kind::Variable) {
        // The role that the variable is about.
        const YamlNode *roles = document.find({u"taskRoles"_s});
        qsizetype longest = 0;
        if (roles && roles->resolved()->isMap()) {
            for (const YamlNode::Entry &entry : roles->resolved()->entries) {
                const QString role = textFromUtf8(entry.key->scalar);
                for (const QString &spelt : {role, squeezedRoleName(role)}) {
                    const bool named = QString(info.name + u'_').contains(QString(u'_' + spelt + u'_'));
                    if (named && !spelt.isEmpty() && spelt.size() > longest) {
                        longest = spelt.size();
                        found = entry.key->at;
                    }
                }
            }
        }
    }
    if (found && found->begin <= info.at.begin && info.at.end <= found->end) {
        return {};
    }
    return found;
}

} // namespace trainyard
