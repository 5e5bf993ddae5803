// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QJsonArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// --secret NAME (asked), NAME=@FILE, NAME=@- (standard input, once) or NAME=env:VAR. A value on the command line could
// be seen by all users in the list of processes.
int readSecret(const QString &command, const QString &word, QMap<QString, QString> &secrets);
// After a refusal because of missing ones: asks on the terminal. False if it was another refusal, or if there was no
// answer. After the refusal of a job that lacks some, when the user could not be asked.
void sayHowToGiveSecrets(const Error &error);
bool askForMissingSecrets(const Error &error, QMap<QString, QString> &secrets);
// The names of those that a refusal says are missing; none of another refusal.
QStringList missingSecrets(const Error &error);
// The text that a job was submitted from may have the values, which the engine has forgotten. Takes those of these
// names, and says so. False when it has none that `secrets` lacks.
bool takeSecretsFromFile(const QStringList &names, const QString &file, QMap<QString, QString> &secrets);
// Writes the findings of a refusal because of errors in the text, one on a line.
void sayDiagnostics(const QString &file, const QJsonArray &diagnostics);

} // namespace trainyard::cli
