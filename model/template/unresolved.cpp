// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/unresolved.h"

#include "model/protocol/findings.h"
#include "model/protocol/plugins.h"
#include "model/template/render.h"
#include "model/template/tags.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

QStringList keysOf(const Value &map)
{
    QStringList names;
    for (const auto &entry : map.asMap() ? *map.asMap() : Value::Map{}) {
        names.append(entry.first);
    }
    return names;
}

// The token of the shell with which "%>" leaves it without a file to write into; empty: there is none.
QString tokenBehind(const QString &text, const TemplateTag &tag)
{
    static const QString operators[] = {u"<<<"_s, u"<<-"_s, u"&>>"_s, u"&&"_s, u"||"_s, u"|&"_s, u";;"_s, u">>"_s,
        u">&"_s, u">|"_s, u"&>"_s, u"<<"_s, u"<&"_s, u"<>"_s, u"|"_s, u"&"_s, u";"_s, u"("_s, u")"_s, u"<"_s, u">"_s};
    qsizetype at = tag.end;
    if (at < text.size() && u">&|("_s.contains(text.at(at))) {
        return {}; // another operator than ">" begins with that of the reference
    }
    while (at < text.size() && (text.at(at) == u' ' || text.at(at) == u'\t')) {
        ++at;
    }
    if (at == text.size() || text.at(at) == u'\n' || (text.at(at) == u'#' && at > tag.end)) {
        return u"newline"_s;
    }
    const QStringView rest = QStringView(text).sliced(at);
    const auto found = std::find_if(
        std::begin(operators), std::end(operators), [rest](const QString &each) { return rest.startsWith(each); });
    return found == std::end(operators) ? QString() : *found;
}

class UnresolvedIn
{
public:
    UnresolvedIn(const JobSpec &job, const TaskRole &role) : m_job(job)
    {
        const auto chosen = [&job](const QString &type, const QString &name) -> const Value * {
            const Prerequisite *item = name.isEmpty() ? nullptr : job.prerequisite(type, name);
            return item ? &item->all : nullptr;
        };
        m_scopes.parameters = &job.parameters;
        m_scopes.secrets = &job.secrets;
        m_scopes.script = chosen(u"script"_s, role.script);
        m_scopes.output = chosen(u"output"_s, role.output);
        m_scopes.data = chosen(u"data"_s, role.data);
    }

    void look(const QString &text, QList<UnresolvedReference> &found) const
    {
        const Result<QList<TemplateTag>> tags = templateTags(text);
        for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>()) {
            if (tag.kind != TemplateTag::Kind::Name) {
                continue;
            }
            auto known = std::find_if(
                found.begin(), found.end(), [&tag](const UnresolvedReference &each) { return each.key == tag.key; });
            if (known == found.end()) {
                if (!tag.key.startsWith(u'$') || !isKnownScope(tag.key) || isFilled(tag.key)) {
                    continue;
                }
                known = found.insert(found.end(), described(tag.key));
            }
            if (const QString token = tokenBehind(text, tag); !token.isEmpty() && !known->before.contains(token)) {
                known->before.append(token);
            }
        }
    }

private:
    bool isFilled(const QString &key) const
    {
        const TemplateReference reference = templateReference(key);
        if (reference.scope != u"$secrets"_s) {
            return lookUp(m_scopes, key) != nullptr;
        }
        // The values of secrets are not always at hand; their names are.
        const bool isWhole = reference.path.size() == 1 && m_job.secrets.find(reference.path.constFirst());
        return m_job.secretsMasked || isWhole || lookUp(m_scopes, key)
            || m_job.askedSecrets.contains(reference.path.value(0));
    }

    UnresolvedReference described(const QString &key) const
    {
        const TemplateReference reference = templateReference(key);
        UnresolvedReference found{key, reference.scope, reference.path.value(0), {}, false};
        if (found.isParameter() || found.isSecret()) {
            const Value &map = found.isSecret() ? m_job.secrets : m_job.parameters;
            found.isNameKnown = map.find(found.name) != nullptr;
            found.near = found.isNameKnown || found.name.isEmpty() ? QString() : nearest(found.name, keysOf(map));
        }
        return found;
    }

    const JobSpec &m_job;
    TemplateScopes m_scopes;
};

} // namespace

QList<UnresolvedReference> unresolvedReferences(const JobSpec &job, const TaskRole &role)
{
    const QStringList commands = shellCommandsOf(job, role);
    QList<UnresolvedReference> found;
    const UnresolvedIn in(job, role);
    for (const QString &command : commands) {
        if (hasTag(command)) {
            in.look(command, found);
        }
    }
    return found;
}

QList<UnresolvedReference> unresolvedReferences(const JobSpec &job)
{
    QList<UnresolvedReference> all;
    for (const TaskRole &role : job.taskRoles) {
        const QList<UnresolvedReference> ofRole = unresolvedReferences(job, role);
        for (const UnresolvedReference &each : ofRole) {
            const bool isKnown = std::any_of(
                all.cbegin(), all.cend(), [&each](const UnresolvedReference &other) { return other.key == each.key; });
            if (!isKnown) {
                all.append(each);
            }
        }
    }
    return all;
}

} // namespace trainyard
