// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/texts.h"

#include "engine/api/reasons.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/sentences.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QSet>

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

QString diagnosticBrief(const Diagnostic &diagnostic)
{
    const QString brief = diagnostic.code + QLatin1String(".short");
    return hasSentence(brief) ? sentence(brief, diagnostic.args) : diagnosticText(diagnostic);
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
        // It stands after a sentence, and others may follow; what a program said has no full stop.
        const Error inner{why.value(QLatin1String("code")).toString(), why.value(QLatin1String("args")).toObject()};
        all.insert(QStringLiteral("why"), withFullStop(errorText(inner)));
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
        } else if (resource == QLatin1String("cpu")) {
            figure = value == QLatin1String("1") ? QCoreApplication::translate("Texts", "1 CPU core")
                                                 : QCoreApplication::translate("Texts", "%1 CPU cores").arg(value);
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

QStringList hostNotes(const HostInfo &host)
{
    QStringList notes;
    if (host.state == HostState::Online && !host.error.isEmpty()) {
        notes.append(reasonText(host.error, host.errorArgs));
    }
    if (const QString check = checkText(host); !check.isEmpty()) {
        notes.append(check);
    }
    if (host.drained) {
        notes.append(host.tasks > 0 ? sentence(QStringLiteral("host.draining"), {{QStringLiteral("tasks"), host.tasks}})
                                    : sentence(QStringLiteral("host.drained")));
    } else if (host.hold == reason::WaitClosed::code) {
        notes.append(sentence(QStringLiteral("host.closed"), host.holdArgs));
    }
    if (host.state == HostState::Online && host.hold == reason::WaitDisk::code) {
        notes.append(reasonText(host.hold, host.holdArgs));
    }
    for (const Quarantine &quarantine : host.quarantines) {
        notes.append(quarantineText(quarantine));
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
