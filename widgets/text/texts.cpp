// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/texts.h"

#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/sentences.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QSet>

#include <algorithm>

namespace trainyard
{

QString diagnosticText(const Diagnostic &diagnostic)
{
    // Each of the parser's reasons has a sentence, and each of its limits.
    for (const QLatin1String key : {QLatin1String("reason"), QLatin1String("what")}) {
        const QString precise = diagnostic.code + u'.' + diagnostic.args.value(key).toString();
        if (hasSentence(precise)) {
            return sentence(precise, diagnostic.args);
        }
    }
    return sentence(diagnostic.code, diagnostic.args);
}

QString fixTitle(const Fix &fix) { return sentence(fix.title, fix.args); }

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QCoreApplication::translate("Texts", "error");
    case Severity::Warning:
        return QCoreApplication::translate("Texts", "warning");
    case Severity::Note:
        break;
    }
    return QCoreApplication::translate("Texts", "note");
}

QString errorText(const Error &error)
{
    if (error.args.value(QLatin1String("error")).isObject()) {
        const QJsonObject why = error.args.value(QLatin1String("error")).toObject();
        QJsonObject all = error.args;
        all.insert(QStringLiteral("why"),
            errorText({why.value(QLatin1String("code")).toString(), why.value(QLatin1String("args")).toObject()}));
        return sentence(error.code, all);
    }
    return error.code.isEmpty() ? sentence(error.code, error.args) : reasonText(error.code, error.args);
}

QString refusalFixText(const Error &refusal)
{
    const QJsonArray edits = refusal.args.value(QStringLiteral("fix")).toArray();
    QSet<QString> roles;
    for (const QJsonValue &edit : edits) {
        roles.insert(edit[QStringLiteral("role")].toString());
    }
    roles.remove(QString());
    QStringList wanted;
    QString together;
    for (const QJsonValue &edit : edits) {
        const QString resource = edit[QStringLiteral("resource")].toString();
        const QString value = edit[QStringLiteral("value")].toString();
        QString figure;
        if (resource == QLatin1String("gpu")) {
            figure = value == QLatin1String("1") ? QCoreApplication::translate("Texts", "1 GPU")
                                                 : QCoreApplication::translate("Texts", "%1 GPUs").arg(value);
        } else if (resource == QLatin1String("memoryMB")) {
            figure = QCoreApplication::translate("Texts", "%1 MiB of memory").arg(value);
        } else {
            together = QCoreApplication::translate("Texts", "Let tasks start as there is room");
            continue;
        }
        wanted.append(roles.size() > 1
                ? QCoreApplication::translate("Texts", "%1 for %2").arg(figure, edit[QStringLiteral("role")].toString())
                : figure);
    }
    if (wanted.isEmpty()) {
        return together;
    }
    const QString ask = QCoreApplication::translate("Texts", "Ask for %1").arg(wanted.join(QStringLiteral(", ")));
    return together.isEmpty()
        ? ask
        : QCoreApplication::translate("Texts", "%1 and let tasks start as there is room").arg(ask);
}

// "Waits to try again (2 of 10), in 0:12, because w-0 ended with exit code 137 (Killed)."
static QString retryReason(const QJsonObject &args)
{
    const QJsonObject why = args.value(QLatin1String("why")).toObject();
    const QString reason = why.value(QLatin1String("code")).toString();
    const QJsonObject reasonArgs = why.value(QLatin1String("args")).toObject();
    const int code = args.value(QLatin1String("code")).toInt();
    const QString phrase = exitPhrase(code);
    const QString number = QString::number(shownExit(code, reason, reasonArgs));
    QJsonObject all = args;
    const qint64 left = args.value(QLatin1String("due")).toInteger() - QDateTime::currentMSecsSinceEpoch();
    const qint64 seconds = std::max<qint64>(1, (left + 999) / 1000);
    all.insert(QStringLiteral("in"),
        seconds >= 3600 ? formatDuration(seconds * 1000)
                        : QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
    all.insert(QStringLiteral("exit"),
        phrase.isEmpty() ? number : QCoreApplication::translate("Texts", "%1 (%2)").arg(number, phrase));
    QString precise = QStringLiteral("wait.retry");
    precise += args.contains(QLatin1String("role")) ? QStringLiteral(".task") : QString();
    precise += args.value(QLatin1String("limit")).toInteger() > 0 ? QString() : QStringLiteral(".endless");
    const QString text = sentence(precise, all);
    const QString more = reason.isEmpty() ? QString() : reasonText(reason, reasonArgs);
    return more.isEmpty() ? text : text + QLatin1Char(' ') + more;
}

QString reasonText(const QString &code, const QJsonObject &args)
{
    if (code == QLatin1String("wait.retry")) {
        return retryReason(args);
    }
    const bool completed = code == QLatin1String("job.completedTasks");
    if (completed || code == QLatin1String("job.minFailed")) {
        QJsonObject all = args;
        const int exit = args.value(QLatin1String("code")).toInt();
        const QString phrase = exitPhrase(exit);
        all.insert(QStringLiteral("exit"),
            phrase.isEmpty() ? QCoreApplication::translate("Texts", "code %1").arg(exit)
                             : QCoreApplication::translate("Texts", "%1 (code %2)").arg(phrase, QString::number(exit)));
        const bool many = !completed && args.value(QLatin1String("count")).toInt() > 1;
        return sentence(many ? code + QStringLiteral(".many") : code, all);
    }
    if (code == QLatin1String("host.not-answering")) {
        QJsonObject all = args;
        all.insert(QStringLiteral("time"),
            formatTime(args.value(QLatin1String("since")).toInteger(), QDateTime::currentMSecsSinceEpoch()));
        return sentence(code, all);
    }
    if (code == QLatin1String("wait.host") && !args.value(QLatin1String("host")).toString().isEmpty()) {
        return sentence(QStringLiteral("wait.host.named"), args);
    }
    if (code == QLatin1String("wait.queue") && args.value(QLatin1String("ahead")).toInt() == 1) {
        return sentence(QStringLiteral("wait.queue.one"), args);
    }
    if (code == QLatin1String("wait.gpu-memory") && args.value(QLatin1String("wanted")).toInt() > 1) {
        return sentence(QStringLiteral("wait.gpu-memory.many"), args);
    }
    if (code == QLatin1String("refuse.gpu") && args.value(QLatin1String("excluded")).toInt() > 0) {
        return sentence(QStringLiteral("refuse.gpu.excluded"), args);
    }
    if (code == QLatin1String("settings.bad-value") && args.value(QLatin1String("type")) == QLatin1String("int")) {
        return sentence(QStringLiteral("settings.bad-value.int"), args);
    }
    const QString resource = code + QLatin1Char('.') + args.value(QLatin1String("resource")).toString();
    if (code == QLatin1String("refuse.gang") && hasSentence(resource)) {
        return sentence(resource, args);
    }
    return code.isEmpty() ? QString() : sentence(code, args);
}

QStringList hostNotes(const HostInfo &host)
{
    QStringList notes;
    if (host.state == HostState::Online && !host.error.isEmpty()) {
        notes.append(reasonText(host.error, host.errorArgs));
    }
    for (const GpuInfo &gpu : host.gpus) {
        const QString code = gpu.kept == QLatin1String("lost") ? QStringLiteral("gpu.lost")
            : gpu.kept == QLatin1String("missing")             ? QStringLiteral("gpu.missing")
            : gpu.kept == QLatin1String("mig")                 ? QStringLiteral("gpu.mig-empty")
                                                               : QString();
        if (!code.isEmpty()) {
            notes.append(sentence(code, {{QStringLiteral("gpu"), gpu.index}}));
        }
    }
    return notes;
}

QString stateText(State state)
{
    switch (state) {
    case State::Waiting:
        return QCoreApplication::translate("Texts", "Waiting");
    case State::Running:
        return QCoreApplication::translate("Texts", "Running");
    case State::Stopping:
        return QCoreApplication::translate("Texts", "Stopping");
    case State::Succeeded:
        return QCoreApplication::translate("Texts", "Succeeded");
    case State::Failed:
        return QCoreApplication::translate("Texts", "Failed");
    case State::Stopped:
        return QCoreApplication::translate("Texts", "Stopped");
    case State::Unknown:
        break;
    }
    return QCoreApplication::translate("Texts", "Unknown");
}

} // namespace trainyard
