// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/openpaitaskjson.h"

#include "model/base/numberlist.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard::openpai
{
namespace
{

// Bit i is GPU i, as OpenPAI has it; a mask of more than 52 bits would not survive JSON's numbers.
QJsonValue gpuMask(const QList<int> &gpus)
{
    qint64 mask = 0;
    for (const int gpu : gpus) {
        if (gpu < 0 || gpu > 51) {
            return QJsonValue::Null;
        }
        mask |= qint64(1) << gpu;
    }
    return mask;
}

} // namespace

QJsonObject taskJson(const JobSummary &job, const TaskInfo &task, ExitTexts &exits)
{
    QJsonObject ports;
    for (const auto &[label, numbers] : task.ports) {
        ports.insert(label, joinedNumbers(numbers, u","_s));
    }
    QJsonArray gpus;
    for (const int gpu : task.gpus) {
        gpus.append(gpu);
    }
    const QString uid = job.uuid + u'-' + task.role + u'-' + QString::number(task.index);
    const QJsonObject engine{
        {u"host"_s, task.host},
        {u"pid"_s, task.pid},
        {u"gpus"_s, gpus},
        {u"rawExitCode"_s, orNull(task.rawExit)},
        {u"reason"_s, task.reason},
        {u"reasonArgs"_s, task.reasonArgs},
        {u"subState"_s, task.subState},
        {u"logFolder"_s, task.logFolder},
        {u"progress"_s, orNull(task.progress)},
        {u"endExpected"_s, orNull(task.endExpected)},
        {u"usage"_s,
            QJsonObject{
                {u"peakMemoryMiB"_s, orNull(task.usage.peakMemoryMiB)},
                {u"cpuMs"_s, orNull(task.usage.cpuMs)},
                {u"peakGpuMemoryMiB"_s, orNull(task.usage.peakGpuMemoryMiB)},
                {u"gpuPercent"_s, orNull(task.usage.gpuPercent)},
                {u"left"_s, task.usage.left},
            }},
    };
    return {
        {u"taskIndex"_s, task.index},
        {u"taskUid"_s, uid},
        {u"taskState"_s, stateWord(task.state)},
        {u"retries"_s, task.tries},
        {u"accountableRetries"_s, task.chargedRetries},
        {u"createdTime"_s, orNull(task.created)},
        {u"launchedTime"_s, orNull(task.launched)},
        {u"completedTime"_s, isFinal(task.state) ? orNull(task.completed) : QJsonValue(QJsonValue::Null)},
        {u"attemptId"_s, task.tries},
        {u"attemptState"_s, stateWord(task.state)},
        // When a later try was requested is not recorded.
        {u"currentAttemptCreatedTime"_s, task.tries == 0 ? orNull(task.created) : QJsonValue(QJsonValue::Null)},
        {u"currentAttemptLaunchedTime"_s, orNull(task.tryLaunched)},
        {u"currentAttemptCompletedTime"_s, orNull(task.completed)},
        {u"containerId"_s, task.pid > 0 ? QJsonValue(QString::number(task.pid)) : QJsonValue(QJsonValue::Null)},
        {u"containerIp"_s, task.address},
        {u"containerNodeName"_s, task.host},
        {u"containerPorts"_s, ports},
        {u"containerGpus"_s, task.host.isEmpty() ? QJsonValue(QJsonValue::Null) : gpuMask(task.gpus)},
        {u"containerLog"_s, task.logFolder.isEmpty() ? QString() : QString(task.logFolder + "/output.log"_L1)},
        {u"containerExitCode"_s, orNull(task.exitCode)},
        {u"containerExitSpec"_s, exits.of(task.exitCode).spec},
        {u"containerExitDiagnostics"_s, exits.of(task.exitCode).phrase},
        {u"engine"_s, engine},
    };
}

QJsonObject tryJson(const JobSummary &job, const TaskInfo &one, ExitTexts &exits)
{
    QJsonObject json = taskJson(job, one, exits);
    for (const auto &ofTheTask : {u"taskIndex"_s, u"taskUid"_s, u"taskState"_s, u"retries"_s, u"accountableRetries"_s,
             u"createdTime"_s, u"launchedTime"_s, u"completedTime"_s}) {
        json.remove(ofTheTask);
    }
    return json;
}

} // namespace trainyard::openpai
