// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/kubeoptions.h"

#include "engine/api/clusters.h"
#include "engine/client/slurmoptions.h"

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

KubeOptionParts kubeOptionParts(const QString &line)
{
    const Result<QStringList> options = kubeOptions(line);
    if (!options) {
        return {{}, {}, line};
    }
    KubeOptionParts parts;
    QStringList more;
    for (const QString &option : *options) {
        const QString name = option.section(u'=', 0, 0), value = option.section(u'=', 1);
        if (name == "--context"_L1) {
            parts.context = value;
        } else if (name == "--namespace"_L1) {
            parts.namespaceName = value;
        } else {
            more.append(slurmOptionWord(option));
        }
    }
    parts.more = more.join(u' ');
    return parts;
}

QString kubeOptionLine(const KubeOptionParts &parts)
{
    QStringList words;
    if (!parts.context.isEmpty()) {
        words.append(slurmOptionWord(u"--context="_s + parts.context));
    }
    if (!parts.namespaceName.isEmpty()) {
        words.append(slurmOptionWord(u"--namespace="_s + parts.namespaceName));
    }
    if (!parts.more.isEmpty()) {
        words.append(parts.more);
    }
    return words.join(u' ');
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
