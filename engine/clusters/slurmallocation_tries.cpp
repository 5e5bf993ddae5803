// SPDX-License-Identifier: GPL-3.0-or-later
// The tries at each position of an allocation, and their folders.
#include "engine/client/pathbytes.h"
#include "engine/clusters/slurmallocation.h"

#include <QFileInfo>

namespace trainyard
{

int SlurmAllocation::newestOf(int position) const
{
    const auto it = m_newest.find(position);
    return it == m_newest.end() ? 0 : it->second;
}

QUuid SlurmAllocation::tryAt(int position) const
{
    const contract::LeadTask &task = m_plan.tasks[std::size_t(position)];
    return QUuid::fromString(QString::fromStdString(contract::uuidOfTry(task, std::size_t(newestOf(position)))));
}

bool SlurmAllocation::takeUp(int position, const QUuid &tryUuid)
{
    const contract::LeadTask &task = m_plan.tasks[std::size_t(position)];
    const std::string uuid = tryUuid.toString(QUuid::WithoutBraces).toStdString();
    for (int again = 0; again <= int(task.furtherTries.size()); ++again) {
        if (contract::uuidOfTry(task, std::size_t(again)) == uuid) {
            m_newest[position] = again;
            return true;
        }
    }
    return false;
}

bool SlurmAllocation::mayBeFollowed(int position) const
{
    return m_plan.retries && newestOf(position) < int(m_plan.tasks[std::size_t(position)].furtherTries.size());
}

bool SlurmAllocation::isFollowed(int position) const
{
    const std::optional<std::string> text = contract::readWhole(pathBytes(pathOf(contract::leadfile::again, position)));
    const std::optional<contract::LeadAgain> again = text ? contract::LeadAgain::parse(*text) : std::nullopt;
    return mayBeFollowed(position) && again && again->count > newestOf(position);
}

bool SlurmAllocation::isUndecided(int position) const
{
    return mayBeFollowed(position) && !isFollowed(position) && !end(position);
}

bool SlurmAllocation::mayStartAnother(int position) const
{
    return mayBeFollowed(position) && !stopping(position) && !end(position);
}

std::optional<QUuid> SlurmAllocation::linkNext(int position) const
{
    const contract::LeadTask &task = m_plan.tasks[std::size_t(position)];
    const int next = newestOf(position) + 1;
    const std::string &uuid = contract::uuidOfTry(task, std::size_t(next));
    if (uuid.empty() || linkFolder(folderOf(position, next), position) != 0) {
        return std::nullopt;
    }
    return QUuid::fromString(QString::fromStdString(uuid));
}

std::optional<SlurmAllocation::Follower> SlurmAllocation::followerOf(int position, const QUuid &former)
{
    const bool fits = position >= 0 && std::size_t(position) < m_plan.tasks.size() && takeUp(position, former);
    const std::optional<QUuid> next = fits && isFollowed(position) ? linkNext(position) : std::nullopt;
    if (!next) {
        return std::nullopt;
    }
    Follower follower{*next, {}};
    for (const auto &[label, numbers] : m_plan.tasks[std::size_t(position)].ports) {
        follower.ports.append({QString::fromStdString(label), QList<int>(numbers.begin(), numbers.end())});
    }
    return follower;
}

std::vector<QUuid> SlurmAllocation::triesOf(int position) const
{
    const contract::LeadTask &task = m_plan.tasks[std::size_t(position)];
    std::vector<QUuid> tries;
    for (std::size_t again = 0; again <= task.furtherTries.size(); ++again) {
        tries.push_back(QUuid::fromString(QString::fromStdString(contract::uuidOfTry(task, again))));
    }
    return tries;
}

// The plan has the folder as the nodes have it, which may be another one above that of the job.
QString SlurmAllocation::folderOf(int position, int again) const
{
    constexpr int partsBelowJob = 3; // RunFolders::ofTry()
    const contract::LeadTask &task = m_plan.tasks[std::size_t(position)];
    const QString folder = QString::fromStdString(contract::folderOfTry(task, std::size_t(again)));
    return QFileInfo(QFileInfo(m_folder).path()).path() + u'/' + folder.section(u'/', -partsBelowJob);
}

QString SlurmAllocation::tryFolder(int position) const { return folderOf(position, newestOf(position)); }

SlurmAllocation::Part SlurmAllocation::stopPart(int position) const
{
    const contract::LeadEnd request{"signal", {}, QDateTime::currentMSecsSinceEpoch()};
    return {QString::fromStdString(contract::ofElement(contract::leadfile::stop, elementOf(position))),
        QByteArray::fromStdString(request.toText())};
}

// Where it cannot be written, the signal of the cluster, which is repeated, has to do.
void SlurmAllocation::noteStop(int position) const
{
    const Part part = stopPart(position);
    contract::writeAtomically(pathBytes(m_folder + u'/' + part.name), part.bytes.toStdString(), false);
}

} // namespace trainyard
