// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formops.h"

#include "model/protocol/rename.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formkeys.h"

#include <QRegularExpression>

namespace trainyard
{
namespace
{

} // namespace

QList<edit::Op> renameOps(FormContext &context, const YamlPath &path, const QString &to)
{
    const Result<RenamePlan> plan = planRename(context.document(), path, to);
    if (plan) {
        context.expectRename(*plan, path);
        return plan->ops;
    }
    if (plan.error().code == u"rename.taken" || to.isEmpty()) {
        return {};
    }
    const YamlNode *node = path.size() == 1 ? context.document().root() : context.node(path.parent());
    if (node && node->isMap() && path.last() != YamlPath::Element(k("name"))) {
        return {edit::RenameKey{path, to}};
    }
    return {edit::SetText{path, to}};
}

QString freshName(const QString &stem, const QStringList &taken)
{
    if (!taken.contains(stem)) {
        return stem;
    }
    static const QRegularExpression number(QStringLiteral("\\d{1,6}$"));
    const QRegularExpressionMatch match = number.match(stem);
    const QString head = match.hasMatch() ? stem.left(match.capturedStart()) : stem;
    int n = match.hasMatch() ? match.captured().toInt() + 1 : 2;
    while (taken.contains(head + QString::number(n))) {
        ++n;
    }
    return head + QString::number(n);
}

QString secretIn(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^\\s*<%\\s*\\$secrets\\.([^\\s.%]+)\\s*%>\\s*$"));
    return form.match(text).captured(1);
}

QList<edit::Op> setPassword(const FormContext &context, const YamlPath &place, const QString &stem, const QString &text)
{
    const YamlPath secrets{k("secrets")};
    const YamlNode *node = context.node(secrets);
    const bool takenOut = node && node->kind == YamlNode::Kind::Scalar && !node->isNull();
    if (text.contains(u"<%") || takenOut) {
        return {edit::SetText{place, text}};
    }
    const QString known = secretIn(context.text(place).value_or(QString()));
    if (!known.isEmpty()) {
        return {edit::SetText{secrets.child(known), text}};
    }
    static const QRegularExpression odd(QStringLiteral("[^A-Za-z0-9_]+"));
    QString name = stem;
    name = freshName(name.replace(odd, k("_")), context.keys(secrets));
    return {
        edit::SetText{secrets.child(name), text}, edit::SetText{place, QStringLiteral("<% $secrets.%1 %>").arg(name)}};
}

} // namespace trainyard
