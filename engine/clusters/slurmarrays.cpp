// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmrefusal.h"

#include <QPointer>

#include <algorithm>

// Equal jobs of a group as one array of the cluster. Each of them stays a submission with a folder, a plan and a lead
// of its own; only what the cluster is asked is about several at once.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// A group is stopped job by job: so long the cluster is not asked, to be asked once.
constexpr int cancelMs = 300;

std::vector<QString> foldersOfMembers(const auto &members)
{
    std::vector<QString> folders;
    for (const auto *each : members) {
        folders.push_back(each->allocation.folder());
    }
    return folders;
}

} // namespace

SlurmBackend::Members SlurmBackend::membersOf(const std::vector<QString> &folders) const
{
    Members members;
    for (const QString &folder : folders) {
        if (const auto it = m_allocations.find(folder); it != m_allocations.end()) {
            members.push_back(it->second.get());
        }
    }
    return members;
}

QString SlurmBackend::arrayKeyOf(const Submission &submission) const
{
    const ActiveJob &job = *submission.job;
    if (job.listed.group.isEmpty() || submission.allocation.plan().isArray || m_arraySizes.most() < 2) {
        return {};
    }
    const slurm::ScriptInput input = inputOf(submission);
    return slurm::arrayKey({job.listed.group, job.document.groupLimit, foldersThere(job.uuid()).state(), input.layout,
        input.limitMs, input.graceMs});
}

// ---- submission ----

void SlurmBackend::sendHeld()
{
    const std::vector<slurm::ArrayHold::Batch> due = m_hold.takeDue(steadyMs(), m_arraySizes.most());
    for (const slurm::ArrayHold::Batch &batch : due) {
        Members members = membersOf(batch.folders);
        std::erase_if(members, [this](Submission *each) {
            // A job that waits for its time was sent meanwhile, or is handled again later.
            const bool isNothing
                = each->isAsking || each->isRefused || each->retryAt > 0 || !each->allocation.id().isEmpty();
            if (!isNothing && !each->allocation.wasSent() && isAllStopped(*each)) {
                endStopped(*each);
                return true;
            }
            return isNothing;
        });
        // The order is that of the sweep, which the cluster follows, too.
        std::stable_sort(members.begin(), members.end(),
            [](const Submission *a, const Submission *b) { return a->job->state.meta.id < b->job->state.meta.id; });
        if (!members.empty()) {
            sendHeld(members);
        }
    }
}

void SlurmBackend::sendHeld(const Members &members)
{
    // To stop a job, it has to be known whether it is there.
    const bool isUrgent
        = std::any_of(members.begin(), members.end(), [](const Submission *each) { return !each->stopped.empty(); });
    if (!isUrgent && !m_pause.mayTry(steadyMs())) {
        for (Submission *each : members) {
            each->retryAt = m_pause.until();
            each->trouble = m_refusal;
            Q_EMIT described(each->job, std::nullopt);
        }
        return;
    }
    if (members.front()->allocation.wasSent()) {
        askForArray(members);
    } else if (members.size() > 1) {
        beginArray(members);
    } else {
        members.front()->isAsking = true;
        send(members.front()->allocation.folder());
    }
}

// The answer was lost, with an engine or on the way: the cluster may have it.
void SlurmBackend::askForArray(const Members &members)
{
    for (Submission *each : members) {
        each->isAsking = true;
    }
    const Submission &first = *members.front();
    m_queue.find(nameAtCluster(first), first.allocation.comment(), first.allocation.sentAt(),
        [this, folders = foldersOfMembers(members), places = placesOf(members), mark = markOf(first)](
            const std::optional<QString> &id) {
            const Members asked = membersOf(folders);
            if (id && !id->isEmpty()) {
                endGivenUp(*id, mark, places);
            }
            if (!id) {
                arrayLater(asked, {u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}});
            } else if (!id->isEmpty()) {
                arrayAccepted(asked, *id);
            } else {
                for (Submission *each : asked) {
                    each->allocation.noteFormerArray();
                }
                splitArray(asked, slurm::ArraySizes::Split::AtOnce); // it is not there: another one is begun
            }
        });
}

SlurmBackend::Places SlurmBackend::placesOf(const Members &members)
{
    Places places;
    for (const Submission *each : members) {
        const auto &array = each->allocation.array();
        places.emplace_back(each->allocation.folder(), array ? array->index : 0);
    }
    return places;
}

void SlurmBackend::endGivenUp(const QString &id, const slurm::JobMark &mark, const Places &places)
{
    QStringList unwanted;
    for (const auto &[folder, index] : places) {
        if (!m_allocations.contains(folder)) {
            unwanted.append(slurm::elementId(id, index));
        }
    }
    if (!unwanted.isEmpty()) {
        endUnwanted({{}, unwanted, mark});
    }
}

void SlurmBackend::beginArray(const Members &members)
{
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    for (std::size_t i = 0; i < members.size(); ++i) {
        members[i]->allocation.setArray({name, int(i), int(members.size())});
        members[i]->isAsking = true;
    }
    putArray(foldersOfMembers(members));
}

// Its script, where the cluster reads it: in the folder of the first of them.
void SlurmBackend::putArray(const std::vector<QString> &folders)
{
    const Members all = membersOf(folders);
    std::vector<QString> foldersOnNodes;
    for (const Submission *each : all) {
        foldersOnNodes.push_back(there(each->job->uuid(), each->allocation.folder()));
    }
    const Submission &first = *all.front();
    const QByteArray script = slurm::arrayScript(inputOf(first), foldersOnNodes);
    const auto then = [self = QPointer(this), folders](const Result<void> &done) {
        if (!self) {
            return;
        }
        if (done) {
            self->noteArray(folders);
        } else {
            const Members members = self->membersOf(folders);
            splitArray(members, slurm::ArraySizes::Split::None);
            self->arrayLater(
                members, done.error().code == "host.gone"_L1 && self->m_site ? self->m_site->absence() : done.error());
        }
    };
    if (m_site) {
        const QString job = first.job->uuid();
        m_site->deliver(foldersThere(job).state(), {{there(job, first.allocation.arrayScriptFile()), script}}, then);
    } else {
        then(first.allocation.writeArrayScript(script));
    }
}

// In each of the folders, before it is sent.
void SlurmBackend::noteArray(const std::vector<QString> &folders)
{
    std::vector<NoteWriter::Note> notes;
    const Members all = membersOf(folders);
    for (const Submission *each : all) {
        notes.push_back(each->allocation.sentNote());
    }
    m_notes.write(std::move(notes), [this, folders](const Result<void> &noted) {
        if (noted) {
            sendArray(folders);
            return;
        }
        const Members members = membersOf(folders);
        splitArray(members, slurm::ArraySizes::Split::None);
        arrayLater(members, noted.error());
    });
}

void SlurmBackend::sendArray(const std::vector<QString> &folders)
{
    const Members members = membersOf(folders);
    if (members.size() != folders.size()) { // some have ended meanwhile, perhaps the one with the script
        splitArray(members, slurm::ArraySizes::Split::AtOnce);
        return;
    }
    const Submission &first = *members.front();
    slurm::ScriptInput input = inputOf(first);
    input.elements = slurm::elementsText(int(members.size()), first.job->document.groupLimit);
    QStringList arguments = slurm::submitArguments(input, nameAtCluster(first), first.allocation.comment());
    arguments.append(there(first.job->uuid(), first.allocation.arrayScriptFile()));
    m_commands.run(u"sbatch"_s, arguments, [this, folders, mark = markOf(first)](const SlurmCommands::Answer &answer) {
        arraySent(folders, mark, answer);
    });
}

void SlurmBackend::arraySent(
    const std::vector<QString> &folders, const slurm::JobMark &mark, const SlurmCommands::Answer &answer)
{
    const Members members = membersOf(folders);
    const QString id = answer.isGood() ? slurm::submittedId(answer.out) : QString();
    if (id.isEmpty()) {
        arrayRefused(members, answer);
        return;
    }
    Places places;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        places.emplace_back(folders[i], int(i));
    }
    endGivenUp(id, mark, places);
    m_arraySizes.taken(folders.size());
    arrayAccepted(members, id);
}

void SlurmBackend::arrayAccepted(const Members &members, const QString &id)
{
    std::vector<NoteWriter::Note> notes;
    for (Submission *each : members) {
        each->isAsking = false;
        each->allocation.setId(slurm::elementId(id, each->allocation.array()->index));
        notes.push_back(each->allocation.idNote());
        taken(*each, each->allocation.id());
    }
    m_notes.write(std::move(notes), [](const Result<void> &) {}); // as keepId()
}

void SlurmBackend::arrayRefused(const Members &members, const SlurmCommands::Answer &answer)
{
    const QString detail = slurm::refusal(answer.errors);
    const QJsonObject args = refusalArgs(detail);
    if (isCertainlyNotSent(answer)) { // as sent() has it
        splitArray(members, slurm::ArraySizes::Split::None);
        for (Submission *each : members) {
            if (isAllStopped(*each)) {
                endStopped(*each);
            }
        }
    }
    if (answer.kind == SlurmCommands::Answer::Kind::Missing) {
        const Error missing{u"slurm.no-commands"_s, args};
        arrayLater(members, m_site ? m_site->inItsWords(missing) : missing);
        return;
    }
    const bool isLate = answer.kind == SlurmCommands::Answer::Kind::TimedOut;
    const slurm::Refusal refusal = slurm::refusalOf(isLate ? -1 : answer.status, detail);
    const slurm::ArraySizes::Split split = m_arraySizes.refused(refusal, members.size());
    if (split == slurm::ArraySizes::Split::AtOnce) {
        splitArray(members, split);
        return;
    }
    if (split == slurm::ArraySizes::Split::Later) {
        splitArray(members, split);
        arrayLater(members, {u"wait.slurm-submit-limit"_s, args});
        return;
    }
    const int refusals = members.empty() ? 0 : members.front()->refusals;
    if (!slurm::isFinal(refusal, refusals + 1, isAnyTaken())) {
        arrayLater(members, {slurm::waitAfter(refusal, answer.errors, m_site != nullptr), args});
        return;
    }
    QStringList folders;
    for (const Submission *each : members) {
        folders.append(each->allocation.folder());
    }
    refused(folders, args);
}

// The cluster does not have it: they are as if they had not been sent.
void SlurmBackend::splitArray(const Members &members, slurm::ArraySizes::Split split)
{
    for (Submission *each : members) {
        each->allocation.leaveArray();
        each->isAsking = false;
        each->retryAt = split == slurm::ArraySizes::Split::AtOnce ? steadyMs() : each->retryAt;
    }
}

// As submitLater(), with one refusal for all of them.
void SlurmBackend::arrayLater(const Members &members, const Error &why)
{
    const qint64 now = steadyMs();
    m_pause.refused(now);
    m_refusal = why;
    for (Submission *each : members) {
        each->isAsking = false;
        each->retryAt = now + SlurmPause::msAfter(++each->refusals);
        each->trouble = why;
        Q_EMIT described(each->job, std::nullopt);
    }
}

// ---- the end that is asked for ----

void SlurmBackend::cancelSoon(const Submission &submission, bool isForced)
{
    if (m_cancelled.empty()) {
        QTimer::singleShot(cancelMs, this, &SlurmBackend::cancelTogether);
    }
    bool &isAtOnce = m_cancelled[submission.allocation.folder()];
    isAtOnce = isAtOnce || isForced;
}

void SlurmBackend::cancelTogether()
{
    std::map<std::pair<QString, bool>, Members> arrays; // by the id of the array, and whether they end at once
    for (const auto &[folder, isForced] : std::exchange(m_cancelled, {})) {
        const auto it = m_allocations.find(folder);
        if (it != m_allocations.end() && !it->second->allocation.id().isEmpty()) {
            arrays[{it->second->allocation.id().section(u'_', 0, 0), isForced}].push_back(it->second.get());
        }
    }
    for (const auto &[about, members] : arrays) {
        const auto &array = members.front()->allocation.array();
        if (!array || members.size() != std::size_t(array->count)) {
            cancelElements(members, about.second);
            continue;
        }
        Cancelling all;
        all.ids = QStringList{about.first};
        all.mark = markOf(*members.front());
        all.folders = foldersOfMembers(members);
        all.isForced = about.second;
        all.isPaused = std::any_of(
            members.begin(), members.end(), [](const Submission *each) { return each->job->state.pausedMs > 0; });
        cancelIds(all);
    }
}

// Others of the array go on: it has to be known which of them wait.
void SlurmBackend::cancelElements(const Members &members, bool isForced)
{
    Cancelling waiting, running;
    waiting.mayRun = running.mayWait = false;
    waiting.isForced = running.isForced = isForced;
    for (const Submission *each : members) {
        const QString id = each->allocation.id();
        const SlurmQueue::Known known = m_queue.known(id);
        if (known.state.isEmpty() && known.since == 0) { // no answer yet since it was submitted
            cancelSoon(*each, isForced);
            m_queue.refresh();
            continue;
        }
        const bool isWaiting = !known.state.isEmpty() && slurm::phaseOf(known.state) == slurm::Phase::Pending;
        Cancelling &what = isWaiting ? waiting : running;
        what.ids.append(id);
        what.mark = markOf(*each);
        what.folders.push_back(each->allocation.folder());
        what.isPaused = what.isPaused || each->job->state.pausedMs > 0;
    }
    cancelIds(waiting);
    cancelIds(running);
}

} // namespace trainyard
