// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
#include "model/export/jobscript.h"
#include "model/runtime/environment.h"
#include "model/template/render.h"
#include "model/template/tags.h"

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

std::optional<QString> SecretNames::variable(const QString &key)
{
    const TemplateReference reference = templateReference(key);
    if (reference.scope != u"$secrets"_s) {
        return std::nullopt;
    }
    TemplateScopes scopes;
    scopes.secrets = &m_job.secrets;
    if (!m_job.secretsMasked && !lookUp(scopes, key) && !m_job.askedSecrets.contains(reference.path.value(0))) {
        return std::nullopt;
    }
    if (const auto known = m_variables.constFind(key); known != m_variables.constEnd()) {
        return *known;
    }
    const QString word = u"SECRET_"_s + wordOfRole(reference.path.join(u'_')).toUpper();
    QString name = word;
    for (int i = 2; m_all.contains(name); ++i) {
        name = word + u'_' + QString::number(i);
    }
    m_variables.insert(key, name);
    m_all.append(name);
    m_keys.append(key);
    return name;
}

QByteArray textFunction(const QByteArray &name, const QString &text, SecretNames &secrets)
{
    QByteArray pieces; // in single quotes, with the variables of secrets between them
    qsizetype at = 0;
    bool hasSecret = false;
    const Result<QList<TemplateTag>> tags = templateTags(text);
    for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>()) {
        const std::optional<QString> variable
            = tag.kind == TemplateTag::Kind::Name ? secrets.variable(tag.key) : std::nullopt;
        if (variable) {
            hasSecret = true;
            pieces += shellQuote(text.mid(at, tag.begin - at).toUtf8()) + "\"$" + variable->toUtf8() + '"';
            at = tag.end;
        }
    }
    if (hasSecret) {
        pieces += shellQuote(text.mid(at).toUtf8());
        return name + "() {\n    printf '%s\\n' " + pieces + "\n}\n";
    }
    QByteArray body = text.toUtf8();
    if (!body.endsWith('\n')) {
        body += '\n';
    }
    QByteArray end = "END_OF_TEXT";
    while (body.startsWith(QByteArray(end + '\n')) || body.contains(QByteArray('\n' + end + '\n'))) {
        end += '_';
    }
    return name + "() {\n    cat <<'" + end + "'\n" + body + end + "\n}\n";
}

} // namespace trainyard::exporting
