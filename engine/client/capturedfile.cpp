// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/capturedfile.h"

#include "engine/client/capturedenvironment.h"

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

QJsonObject byName(const QList<CapturedEnvironment::Named> &list)
{
    QJsonObject all;
    for (const CapturedEnvironment::Named &one : list) {
        all.insert(one.name, one.text);
    }
    return all;
}

// Without what is of its own in every run, so that a difference would say nothing.
QJsonObject telling(const QList<CapturedEnvironment::Named> &variables)
{
    QJsonObject all = byName(variables);
    for (const QString &name : all.keys()) {
        if (name.startsWith("PAI_"_L1) || name.startsWith("TRAINYARD_"_L1) || name.startsWith("FC_"_L1)
            || name == "APP_ID"_L1 || name == "FRAMEWORK_NAME"_L1) {
            all.remove(name);
        }
    }
    return all;
}

} // namespace

QJsonObject capturedEnvironmentIn(const QString &logFolder)
{
    const std::optional<CapturedEnvironment> captured
        = logFolder.isEmpty() ? std::nullopt : CapturedEnvironment::read(logFolder);
    if (!captured) {
        return {};
    }
    QJsonObject all{{u"host"_s, captured->host}, {u"kernel"_s, captured->kernel}, {u"os"_s, captured->os},
        {u"cpuModel"_s, captured->cpuModel}, {u"cpus"_s, captured->cpus}, {u"memoryMiB"_s, captured->memoryMiB},
        {u"gpuDriver"_s, captured->gpuDriver}, {u"gpus"_s, captured->gpus.join(", "_L1)},
        {u"workFolder"_s, captured->workFolder}, {u"variables"_s, telling(captured->variables)}};
    if (!captured->runtime.isEmpty()) {
        all.insert(u"container"_s, QJsonObject{{u"runtime"_s, captured->runtime}, {u"image"_s, captured->image}});
    }
    if (const auto &git = captured->git) {
        all.insert(u"git"_s,
            QJsonObject{{u"top"_s, git->top}, {u"commit"_s, git->commit}, {u"branch"_s, git->branch},
                {u"dirty"_s, git->isDirty}, {u"diff"_s, git->diff}, {u"untracked"_s, git->untracked.join(", "_L1)}});
    }
    if (const auto &python = captured->python) {
        all.insert(u"python"_s,
            QJsonObject{{u"executable"_s, python->resolved}, {u"version"_s, python->version},
                {u"packages"_s, byName(python->packages)}});
    }
    return all;
}

FailureFacts namingPython(FailureFacts facts, const QString &logFolder)
{
    if (facts.cause != "module-missing"_L1 || !facts.task.isEmpty() || logFolder.isEmpty()) {
        return facts; // the error of another task: its Python may be another one
    }
    const std::optional<CapturedEnvironment> captured = CapturedEnvironment::read(logFolder);
    if (captured && captured->python && !captured->python->executable.isEmpty()) {
        facts.args.insert(u"python"_s, captured->python->executable);
    }
    return facts;
}

} // namespace trainyard
