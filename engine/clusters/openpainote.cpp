// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/pathbytes.h"
#include "engine/clusters/openpaibackend.h"
#include "engine/clusters/openpaidocument.h"
#include "engine/contract/taskfolder.h"

#include <QFileInfo>

#include <algorithm>
#include <cstring>

// The note of a job that was handed to an OpenPAI cluster, which outlives the engine: its name there, whether the
// cluster has it, and as whom and where it was handed over.
namespace trainyard
{

using namespace Qt::StringLiterals;

QString OpenPaiBackend::noteOf(const ActiveJob &job, int attempt) const
{
    return m_folders.ofJob(job.uuid()) + u"/openpai-%1"_s.arg(attempt);
}

Result<void> OpenPaiBackend::note(const Run &run, bool isTaken) const
{
    const QString file = noteOf(*run.job, run.attempt), folder = QFileInfo(file).path();
    const QString text = run.name + (isTaken ? u"\ntaken\n"_s : u"\nsent\n"_s) + run.place + u'\n';
    int error = contract::makeFolders(pathBytes(folder));
    error = error != 0 ? error : contract::writeAtomically(pathBytes(file), text.toStdString(), true);
    return error == 0 ? Result<void>()
                      : fail(u"openpai.folder"_s,
                          {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

OpenPaiBackend::Run &OpenPaiBackend::runOf(ActiveJob &job)
{
    std::unique_ptr<Run> &run = m_runs[&job];
    if (run && run->attempt == job.state.attempt()) {
        return *run;
    }
    run = std::make_unique<Run>();
    run->job = &job;
    run->attempt = job.state.attempt();
    run->name = openpai::nameThere(job.state.meta.runName, job.state.uuid, run->attempt);
    readNote(*run);
    if (run->unread != 0) {
        // It may have been handed over: the cluster is asked by its name, which is always the same.
        run->isSent = run->mayComeLate = true;
        run->isTaken = std::any_of(job.state.tasks.cbegin(), job.state.tasks.cend(),
            [](const core::Task &task) { return std::holds_alternative<core::Running>(task.state); });
    }
    return *run;
}

void OpenPaiBackend::readNote(Run &run) const
{
    const std::string file = pathBytes(noteOf(*run.job, run.attempt));
    const std::optional<std::string> noted = contract::readWhole(file);
    const QStringList lines = noted ? QString::fromStdString(*noted).split(u'\n') : QStringList();
    run.unread = lines.size() > 2 ? 0 : contract::unreadError(file);
    if (lines.size() > 2) {
        run.name = lines.at(0);
        run.isSent = true;
        run.isTaken = run.isTaken || lines.at(1) == "taken"_L1;
        run.mayComeLate = !run.isTaken;
        run.place = lines.at(2); // empty: of a version that did not write it
    }
}

QString OpenPaiBackend::placeNow() const { return m_target.user + u'@' + m_target.address; }

bool OpenPaiBackend::isElsewhere(const Run &run) const { return !run.place.isEmpty() && run.place != placeNow(); }

} // namespace trainyard
