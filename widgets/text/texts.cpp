// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/texts.h"

#include "widgets/text/sentences.h"

#include <QCoreApplication>

namespace trainyard
{

QString diagnosticText(const Diagnostic &diagnostic)
{
    // Each of the parser's reasons has a sentence.
    const QString precise = diagnostic.code + u'.' + diagnostic.args.value(QStringLiteral("reason")).toString();
    return sentence(hasSentence(precise) ? precise : diagnostic.code, diagnostic.args);
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

QString errorText(const Error &error) { return sentence(error.code, error.args); }

QString reasonText(const QString &code, const QJsonObject &args)
{
    return code.isEmpty() ? QString() : sentence(code, args);
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
