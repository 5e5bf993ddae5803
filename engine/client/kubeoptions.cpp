// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/kubeoptions.h"

#include "engine/api/clusters.h"

#include <QProcess>
#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

QString kubeTargetId(const QString &name) { return kubernetesKind + u':' + name; }

QString kubeOptionsKey(const QString &name) { return u"kubernetes."_s + name; }

QString kubeQueueKey(const QString &name) { return u"kubernetesQueue."_s + name; }

Result<QStringList> kubeOptions(const QString &line)
{
    static const QStringList known{u"context"_s, u"namespace"_s, u"kubeconfig"_s, u"as"_s, u"request-timeout"_s};
    QStringList options;
    const QStringList typed = line == noKubeOptions ? QStringList() : QProcess::splitCommand(line);
    for (qsizetype i = 0; i < typed.size(); ++i) {
        const QString &word = typed.at(i);
        QString name = word.section(u'=', 0, 0).mid(2), value = word.section(u'=', 1);
        bool hasValue = word.contains(u'=');
        if (word.startsWith("-n"_L1)) {
            name = u"namespace"_s;
            value = word.mid(2);
            hasValue = !value.isEmpty();
        } else if (!word.startsWith("--"_L1)) {
            name.clear();
        }
        if (!known.contains(name)) {
            return fail(u"kubernetes.option"_s, {{u"option"_s, word}});
        }
        if (!hasValue && i + 1 < typed.size()) {
            value = typed.at(++i);
        }
        static const QRegularExpression odd(u"[\\x00-\\x1f]"_s);
        if (value.isEmpty() || value.startsWith(u'-') || value.contains(odd)) {
            return fail(u"kubernetes.option-value"_s, {{u"option"_s, QString(u"--"_s + name)}});
        }
        options.append(u"--"_s + name + u'=' + value);
    }
    return options;
}

Result<void> checkQueueName(const QString &name)
{
    static const QRegularExpression pattern(u"\\A[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\z"_s);
    if (!pattern.match(name).hasMatch()) {
        return fail(u"kubernetes.queue-name"_s, {{u"name"_s, name}});
    }
    return {};
}

} // namespace trainyard
