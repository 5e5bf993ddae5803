// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/secrets.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "model/base/utf8.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/plugins.h"
#include "widgets/text/sentences.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>

#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 mostSecretBytes = 1 << 20;

// Asks again for an empty value, which is a slip: a task would run for hours before it is refused somewhere.
std::optional<QString> askSecret(const QString &name)
{
    for (;;) {
        std::optional<QString> value = askOnTerminal(tr("Secret %1: ").arg(name), false);
        if (!value || !value->isEmpty()) {
            return value;
        }
        errorLine(tr("The value is empty. Type the value of the secret %1, or give up with Ctrl+C.").arg(name));
    }
}

// With an end of a line. The end of what is larger is left out.
Result<QByteArray> contentOf(const QString &path)
{
    if (path == "-"_L1) {
        const Result<QByteArray> read = readInput(path);
        return read ? Result<QByteArray>(read->first(std::min<qsizetype>(read->size(), mostSecretBytes))) : read;
    }
    QFile file(path); // which need not be one that ends, such as /dev/random
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(u"file.unreadable"_s, {{u"file"_s, path}, {u"reason"_s, file.errorString()}});
    }
    return file.read(mostSecretBytes);
}

} // namespace

int readSecret(const QString &command, const QString &word, QMap<QString, QString> &secrets)
{
    const qsizetype equals = word.indexOf(u'=');
    const QString name = word.left(equals < 0 ? word.size() : equals);
    const QString from = equals < 0 ? QString() : word.mid(equals + 1);
    if (name.isEmpty()) {
        return usageError(command, tr("%1 needs the name of a secret.").arg(secretOption().shown()));
    }
    const QString file = from.startsWith(u'@') ? from.mid(1) : QString();
    const bool isInput = file == "-"_L1;
    // Text typed into standard input would be visible.
    if (equals < 0 || (isInput && !isInputRead() && ::isatty(STDIN_FILENO) == 1)) {
        const std::optional<QString> value = askSecret(name);
        if (!value && hasTerminal()) {
            errorLine(tr("No value was typed for the secret %1, so nothing is done.").arg(name));
            return exitUnusable;
        }
        if (!value) {
            return usageError(command,
                tr("There is no terminal to ask for the secret %1; use %2 %1=@FILE or %2 %1=env:VARIABLE.")
                    .arg(name, secretOption().shown()));
        }
        secrets.insert(name, *value);
        return exitOk;
    }
    if (from.startsWith(u'@')) {
        if (isInput && isInputRead()) {
            return usageError(command,
                tr("Standard input can be read only once, and is named before %1 %2=@-. Give one of them as a file.")
                    .arg(secretOption().shown(), name));
        }
        const Result<QByteArray> bytes = contentOf(file);
        if (!bytes) {
            return report(bytes.error());
        }
        QByteArray value = *bytes;
        if (value.endsWith('\n')) {
            value.chop(value.endsWith("\r\n") ? 2 : 1);
        }
        // It becomes a variable of the environment, and is found in the output to be masked there.
        if (value.contains('\0') || !value.isValidUtf8()) {
            return usageError(command,
                isInput
                    ? tr("Standard input is not text: it has a zero byte or is not UTF-8, so it cannot be the value "
                         "of the secret %1. Encode it, for example with base64.")
                          .arg(name)
                    : tr("The file %1 is not text: it has a zero byte or is not UTF-8, so it cannot be the value of "
                         "the secret %2. Encode it, for example with base64.")
                          .arg(file, name));
        }
        if (value.isEmpty()) {
            return usageError(command,
                isInput ? tr("Standard input is empty, so the secret %1 has no value.").arg(name)
                        : tr("The file %1 is empty, so the secret %2 has no value.").arg(file, name));
        }
        secrets.insert(name, textFromUtf8(value));
        return exitOk;
    }
    if (from.startsWith("env:"_L1)) {
        const QByteArray variable = from.mid(4).toLocal8Bit();
        if (!qEnvironmentVariableIsSet(variable.constData())) {
            return usageError(command, tr("The environment has no variable %1.").arg(from.mid(4)));
        }
        if (qEnvironmentVariableIsEmpty(variable.constData())) {
            return usageError(
                command, tr("The variable %1 is empty, so the secret %2 has no value.").arg(from.mid(4), name));
        }
        secrets.insert(name, qEnvironmentVariable(variable.constData()));
        return exitOk;
    }
    return usageError(command,
        tr("The value of a secret must not be in the command line, where every user can read it. "
           "Use %2 %1 to be asked for it, %2 %1=@FILE or %2 %1=env:VARIABLE.")
            .arg(name, secretOption().shown()));
}

void sayDiagnostics(const QString &file, const QJsonArray &diagnostics)
{
    for (const QJsonValue &item : diagnostics) {
        const QJsonObject json = item.toObject();
        QString where = file;
        if (json.contains("line"_L1)) {
            where += u':' + QString::number(json.value("line"_L1).toInteger()) + u':'
                + QString::number(json.value("column"_L1).toInteger());
        }
        const QString text = where + u": "_s + json.value("severity"_L1).toString(u"error"_s) + u": "_s
            + sentence(json.value("code"_L1).toString(), json.value("args"_L1).toObject());
        sentenceTo(Stream::Error, text);
    }
}

void sayHowToGiveSecrets(const Error &error)
{
    const QString name = error.args.value("names"_L1).toArray().at(0).toString();
    if (error.code == "job.secrets-missing"_L1 && !name.isEmpty() && hasTerminal()) {
        errorLine(
            tr("The question was ended without a value. Run the command again, or give each value with %2 %1=@FILE or "
               "%2 %1=env:VARIABLE.")
                .arg(name, secretOption().shown()));
    } else if (error.code == "job.secrets-missing"_L1 && !name.isEmpty()) {
        errorLine(
            tr("There is no terminal to ask for them. Give each with %2 %1=@FILE or %2 %1=env:VARIABLE; the value "
               "itself must not be in the command line.")
                .arg(name, secretOption().shown()));
    }
}

QStringList missingSecrets(const Error &error)
{
    QStringList names;
    if (error.code == "job.secrets-missing"_L1) {
        const QJsonArray missing = error.args.value("names"_L1).toArray();
        for (const QJsonValue &name : missing) {
            names.append(name.toString());
        }
    }
    return names;
}

bool takeSecretsFromFile(const QStringList &names, const QString &file, QMap<QString, QString> &secrets)
{
    if (names.isEmpty() || file.isEmpty()) {
        return false;
    }
    const Result<QByteArray> bytes = readInput(file);
    const ParseOutcome outcome = bytes ? parseJob(*bytes) : ParseOutcome();
    if (!outcome.spec) {
        return false;
    }
    QMap<QString, QString> found;
    for (const QString &name : names) {
        const Value *value = outcome.spec->secrets.find(name);
        const QString *text = value ? value->asString() : nullptr;
        if (text && !text->isEmpty() && *text != maskedText() && !secrets.contains(name)) {
            found.insert(name, *text);
        }
    }
    if (found.isEmpty()) {
        return false;
    }
    secrets.insert(found);
    errorLine(tr("The values of the secrets are taken from %1: %2.").arg(file, found.keys().join(u", "_s)));
    return true;
}

bool askForMissingSecrets(const Error &error, QMap<QString, QString> &secrets)
{
    bool asked = false;
    const QStringList names = missingSecrets(error);
    for (const QString &name : names) {
        const std::optional<QString> value = askSecret(name);
        if (!value || secrets.contains(name)) {
            return false;
        }
        secrets.insert(name, *value);
        asked = true;
    }
    return asked;
}

} // namespace trainyard::cli
