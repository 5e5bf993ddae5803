// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formops.h"

#include "widgets/form/formcontext.h"

#include <QRegularExpression>

namespace trainyard
{
namespace
{

QString k(const char *key) { return QString::fromLatin1(key); }

void replaceIn(
    const FormContext &context, const YamlPath &list, const QString &from, const QString &to, QList<edit::Op> *ops)
{
    const QStringList names = context.texts(list);
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (names.at(i) == from) {
            ops->append(edit::SetText{list.child(i), to});
        }
    }
}

} // namespace

QList<edit::Op> renameRole(const FormContext &context, const QString &from, const QString &to)
{
    QList<edit::Op> ops;
    ops.append(edit::RenameKey{{k("taskRoles"), from}, to});
    const YamlPath deployments{k("deployments")};
    for (qsizetype i = 0; i < context.count(deployments); ++i) {
        const YamlPath roles = deployments.child(i).child(k("taskRoles"));
        if (context.keys(roles).contains(from)) {
            ops.append(edit::RenameKey{roles.child(from), to});
        }
    }
    const YamlPath extras{k("extras")};
    const YamlPath sku = extras.child(k("hivedScheduler")).child(k("taskRoles"));
    if (context.keys(sku).contains(from)) {
        ops.append(edit::RenameKey{sku.child(from), to});
    }
    const YamlPath plugins = extras.child(k("com.microsoft.pai.runtimeplugin"));
    for (qsizetype i = 0; i < context.count(plugins); ++i) {
        for (const char *key : {"taskroles", "taskRoles"}) {
            replaceIn(context, plugins.child(i).child(k(key)), from, to, &ops);
        }
    }
    return ops;
}

QList<edit::Op> renamePrerequisite(const FormContext &context, const YamlPath &item, const QString &to)
{
    const QString from = context.text(item.child(k("name"))).value_or(QString());
    const QString type = context.text(item.child(k("type"))).value_or(QString());
    QList<edit::Op> ops{edit::SetText{item.child(k("name")), to}};
    int same = 0; // of this name, of any type
    int twins = 0; // of the type too
    const YamlPath list{k("prerequisites")};
    for (qsizetype i = 0; i < context.count(list); ++i) {
        const bool isSame = context.text(list.child(i).child(k("name"))) == from;
        same += isSame ? 1 : 0;
        twins += isSame && context.text(list.child(i).child(k("type"))) == type ? 1 : 0;
        if (context.text(list.child(i).child(k("name"))) == to
            && context.text(list.child(i).child(k("type"))) == type) {
            return {}; // it would be another one's
        }
    }
    if (from.isEmpty() || twins > 1) {
        return ops; // what refers to it is not known
    }
    const QString key = type == u"dockerimage" ? k("dockerImage") : type;
    for (const QString &role : context.keys({k("taskRoles")})) {
        const YamlPath at{k("taskRoles"), role};
        if (!key.isEmpty() && context.text(at.child(key)) == from) {
            ops.append(edit::SetText{at.child(key), to});
        }
        if (same == 1) {
            replaceIn(context, at.child(k("prerequisites")), from, to, &ops);
        }
    }
    for (qsizetype i = 0; i < context.count(list) && same == 1; ++i) {
        replaceIn(context, list.child(i).child(k("require")), from, to, &ops);
    }
    return ops;
}

QList<edit::Op> renameDeployment(const FormContext &context, const YamlPath &item, const QString &to)
{
    QList<edit::Op> ops{edit::SetText{item.child(k("name")), to}};
    const YamlPath active{k("defaults"), k("deployment")};
    const auto from = context.text(item.child(k("name")));
    if (from && context.text(active) == from) {
        ops.append(edit::SetText{active, to});
    }
    return ops;
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
