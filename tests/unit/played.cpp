// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/played.h"

#include "model/base/result.h"

using namespace Qt::StringLiterals;

namespace trainyard::core::played
{

QString describe(const JobState &job, const Effect &effect)
{
    const auto at = [](int attempt) { return QString('@'_L1 % QString::number(attempt)); };
    // Of the try that the UUID names, which may be the one before the current.
    const auto tryName = [&](TaskRef ref, const QUuid &uuid) {
        QString name = job.contains(ref) ? job.roleName(ref) : u"?"_s;
        int tryIndex = job.contains(ref) ? job.task(ref).tryIndex : 0;
        if (job.contains(ref)) {
            const QString &role = name;
            while (tryIndex > 0 && tryUuid(job.uuid, job.attempt(), role, ref.index, tryIndex) != uuid) {
                --tryIndex;
            }
        }
        return QString(
            name % '/'_L1 % QString::number(ref.index) % '#'_L1 % QString::number(tryIndex) % at(job.attempt()));
    };
    const auto taskName = [&](TaskRef ref) {
        return QString((job.contains(ref) ? job.roleName(ref) : u"?"_s) % '/'_L1 % QString::number(ref.index));
    };
    const auto list = [&](const std::vector<TaskRef> &tasks) {
        QStringList names;
        for (TaskRef ref : tasks) {
            names.append(taskName(ref));
        }
        return names.join(u' ');
    };
    return std::visit(
        Overloaded{
            [](const effect::SaveJob &e) { return e.durable ? u"SaveJob durable"_s : u"SaveJob"_s; },
            [&](const effect::SaveAttempt &e) { return QString("SaveAttempt "_L1 % at(e.attempt)); },
            [&](const effect::SaveTask &e) { return QString("SaveTask "_L1 % taskName(e.task)); },
            [&](const effect::SaveTry &e) {
                return QString("SaveTry "_L1 % taskName(e.task) % '#'_L1 % QString::number(e.over->tryIndex));
            },
            [&](const effect::SaveTasks &e) { return QString("SaveTasks "_L1 % at(e.attempt)); },
            [&](const effect::RequestPlacement &e) {
                return QString("RequestPlacement "_L1 % list(e.tasks) % at(e.attempt));
            },
            [&](const effect::CancelPlacement &e) { return QString("CancelPlacement "_L1 % at(e.attempt)); },
            [&](const effect::DrawPorts &e) { return QString("DrawPorts "_L1 % list(e.tasks) % at(e.attempt)); },
            [&](const effect::LaunchTry &e) { return QString("LaunchTry "_L1 % tryName(e.task, e.tryUuid)); },
            [&](const effect::ObserveTry &e) { return QString("ObserveTry "_L1 % tryName(e.task, e.tryUuid)); },
            [&](const effect::StopTry &e) { return QString("StopTry "_L1 % tryName(e.task, e.tryUuid)); },
            [&](const effect::PauseTry &e) {
                return QString((e.on ? "PauseTry "_L1 : "ResumeTry "_L1) % tryName(e.task, e.tryUuid));
            },
            [&](const effect::StartLimit &e) {
                return QString("StartLimit "_L1 % at(e.attempt) % ' '_L1 % QString::number(e.due));
            },
            [&](const effect::ReleaseTry &e) { return QString("ReleaseTry "_L1 % tryName(e.task, e.tryUuid)); },
            [&](const effect::StartTimer &e) {
                const QString who = e.task ? QString(taskName(*e.task) % at(e.attempt)) : at(e.attempt);
                return QString("StartTimer "_L1 % who % ' '_L1 % QString::number(e.due));
            },
            [&](const effect::AttemptOpened &e) { return QString("AttemptOpened "_L1 % at(e.attempt)); },
            [&](const effect::AttemptEnded &e) {
                return QString("AttemptEnded "_L1 % at(e.attempt) % ' '_L1 % QString::number(e.code)
                    % (e.retried ? " retried"_L1 : ""_L1));
            },
            [](const effect::JobEnded &e) {
                return QString("JobEnded "_L1 % QString::number(e.code) % ' '_L1 % stateWord(e.state));
            },
        },
        effect);
}

} // namespace trainyard::core::played
