// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>

// What a bash that runs commands as a task of a job with that index writes: its output, then its errors.
inline QByteArray runInTask(int index, const QString &commands)
{
    QProcess bash;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PAI_TASK_INDEX"), QString::number(index));
    bash.setProcessEnvironment(environment);
    bash.start(QStringLiteral("bash"), {QStringLiteral("-c"), commands});
    bash.waitForFinished();
    return bash.readAllStandardOutput() + bash.readAllStandardError();
}
