// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmallocation.h"

#include "engine/client/settings.h"
#include "engine/contract/taskfolder.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr std::size_t mostPlanBytes = std::size_t(64) << 20;
constexpr char linkFile[] = "/allocation";
constexpr qint64 lastWordsBytes = 2000;

std::string bytesOf(const QString &path) { return QFile::encodeName(path).toStdString(); }

Result<void> failedAt(const QString &folder, int error)
{
    return fail(
        u"slurm.folder"_s, {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

} // namespace

SlurmAllocation::SlurmAllocation(const QString &folder, contract::LeadPlan plan)
    : m_folder(folder), m_plan(std::move(plan))
{
}

std::optional<SlurmAllocation> SlurmAllocation::load(const QString &folder)
{
    const std::optional<std::string> text
        = contract::readWhole(bytesOf(folder + u'/' + QLatin1StringView(contract::leadfile::plan)), mostPlanBytes);
    std::optional<contract::LeadPlan> plan = text ? contract::LeadPlan::parse(*text) : std::nullopt;
    if (!plan) {
        return std::nullopt;
    }
    SlurmAllocation allocation(folder, std::move(*plan));
    if (const std::optional<std::string> id = contract::readWhole(bytesOf(folder + u"/submitted"_s))) {
        allocation.m_id = QString::fromStdString(*id).trimmed();
    }
    return allocation;
}

std::optional<SlurmAllocation::Link> SlurmAllocation::linkOf(const QString &tryFolder)
{
    const std::optional<std::string> text = contract::readWhole(bytesOf(tryFolder) + linkFile);
    const QStringList lines = text ? QString::fromStdString(*text).split(u'\n') : QStringList();
    if (lines.size() < 2 || !lines.first().startsWith(u'/')) {
        return std::nullopt;
    }
    return Link{lines.first(), lines.at(1).toInt()};
}

std::optional<contract::LeadPlaces::Place> SlurmAllocation::placeOfTry(const QString &tryFolder)
{
    const std::optional<Link> link = linkOf(tryFolder);
    if (!link || link->position < 0) {
        return std::nullopt;
    }
    // One of them is there: the element of an array has its own.
    for (const int element : {-1, link->position}) {
        const std::string file = bytesOf(link->folder) + '/' + contract::ofElement(contract::leadfile::placed, element);
        const std::optional<std::string> text = contract::readWhole(file, mostPlanBytes);
        const std::optional<contract::LeadPlaces> places = text ? contract::LeadPlaces::parse(*text) : std::nullopt;
        if (places && std::size_t(link->position) < places->tasks.size()) {
            return places->tasks[std::size_t(link->position)];
        }
    }
    return std::nullopt;
}

Result<void> SlurmAllocation::write(const QByteArray &script, const std::vector<contract::Launch> &launches) const
{
    if (const int error = contract::makeFolders(bytesOf(m_folder))) {
        return failedAt(m_folder, error);
    }
    for (std::size_t i = 0; i < launches.size(); ++i) {
        contract::Envelope envelope;
        envelope.id = qint64(i) + 1;
        envelope.message = launches[i];
        const std::optional<std::string> bytes = contract::encode(envelope);
        if (!bytes) {
            return failedAt(m_folder, E2BIG);
        }
        const std::string file = bytesOf(m_folder) + '/' + contract::leadfile::launch + std::to_string(i);
        if (const int error = contract::writeAtomically(file, *bytes, false)) {
            return failedAt(m_folder, error);
        }
    }
    if (const int error = contract::writeAtomically(bytesOf(scriptFile()), script.toStdString(), false)) {
        return failedAt(m_folder, error);
    }
    for (std::size_t i = 0; i < m_plan.tasks.size(); ++i) {
        const std::string &folder = m_plan.tasks[i].folder;
        int error = contract::makeFolders(folder);
        error = error != 0
            ? error
            : contract::writeAtomically(folder + linkFile, bytesOf(m_folder) + '\n' + std::to_string(i) + '\n', false);
        if (error != 0) {
            return failedAt(QString::fromStdString(folder), error);
        }
    }
    // Last: with the plan it is whole.
    const std::string plan = bytesOf(m_folder) + '/' + contract::leadfile::plan;
    if (const int error = contract::writeAtomically(plan, m_plan.toText(), true)) {
        return failedAt(m_folder, error);
    }
    return {};
}

void SlurmAllocation::removeLaunches() const
{
    QDir folder(m_folder);
    const QStringList files = folder.entryList({QLatin1StringView(contract::leadfile::launch) + u'*'}, QDir::Files);
    for (const QString &file : files) {
        folder.remove(file);
    }
}

void SlurmAllocation::removeLaunches(const QString &jobFolder)
{
    const QString folder = allocationsOf(jobFolder);
    const QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        SlurmAllocation(folder + u'/' + name, {}).removeLaunches();
    }
}

QString SlurmAllocation::allocationsOf(const QString &jobFolder) { return jobFolder + u"/allocations"_s; }

QString SlurmAllocation::scriptFile() const { return m_folder + u"/job.sh"_s; }

QString SlurmAllocation::comment() const { return u"trainyard:"_s + QString::fromStdString(m_plan.allocation); }

QUuid SlurmAllocation::tryAt(int position) const
{
    return QUuid::fromString(QString::fromStdString(m_plan.tasks[std::size_t(position)].tryUuid));
}

QString SlurmAllocation::idOf(int position) const
{
    return m_id.isEmpty() || !m_plan.isArray ? m_id : m_id + u'_' + QString::number(position);
}

bool SlurmAllocation::wasSent() const { return QFile::exists(m_folder + u"/sent"_s); }

qint64 SlurmAllocation::sentAt() const
{
    const QFileInfo sent(m_folder + u"/sent"_s);
    return sent.exists() ? sent.lastModified().toMSecsSinceEpoch() : 0;
}

Result<void> SlurmAllocation::noteSent() const
{
    const int error = contract::writeAtomically(bytesOf(m_folder + u"/sent"_s), "", true);
    return error == 0 ? Result<void>() : failedAt(m_folder, error);
}

void SlurmAllocation::setId(const QString &id)
{
    m_id = id;
    // When that fails, the cluster is asked by the comment after a restart.
    contract::writeAtomically(bytesOf(m_folder + u"/submitted"_s), id.toStdString() + '\n', true);
}

QString SlurmAllocation::idOfLead()
{
    for (int position = 0; position < int(m_plan.tasks.size()); ++position) {
        if (const contract::LeadPlaces *known = places(position)) {
            return QString::fromStdString(known->clusterId);
        }
        if (!m_plan.isArray) {
            break; // one lead has all
        }
    }
    return {};
}

void SlurmAllocation::refresh(int position) const
{
    contract::refreshFolder(bytesOf(m_folder));
    contract::refreshFolder(m_plan.tasks[std::size_t(position)].folder);
}

QString SlurmAllocation::pathOf(const char *name, int position) const
{
    return m_folder + u'/' + QString::fromStdString(contract::ofElement(name, elementOf(position)));
}

const contract::LeadPlaces *SlurmAllocation::places(int position)
{
    const int element = elementOf(position);
    if (const auto it = m_places.find(element); it != m_places.end()) {
        return &it->second;
    }
    const std::optional<std::string> text
        = contract::readWhole(bytesOf(pathOf(contract::leadfile::placed, position)), mostPlanBytes);
    std::optional<contract::LeadPlaces> places = text ? contract::LeadPlaces::parse(*text) : std::nullopt;
    if (!places || places->tasks.size() != m_plan.tasks.size()) {
        return nullptr;
    }
    return &m_places.emplace(element, std::move(*places)).first->second;
}

std::optional<contract::LeadEnd> SlurmAllocation::stopping(int position) const
{
    const std::optional<std::string> text
        = contract::readWhole(bytesOf(pathOf(contract::leadfile::stopping, position)));
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

std::optional<contract::LeadEnd> SlurmAllocation::end(int position) const
{
    const std::optional<std::string> text = contract::readWhole(bytesOf(pathOf(contract::leadfile::end, position)));
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

QString SlurmAllocation::lastWords(int position) const
{
    QFile log(m_plan.isArray ? m_folder + u"/lead-%1.log"_s.arg(position) : m_folder + u"/lead.log"_s);
    if (!log.open(QIODevice::ReadOnly)) {
        return {};
    }
    log.seek(std::max<qint64>(0, log.size() - lastWordsBytes));
    return QString::fromUtf8(log.readAll().trimmed().split('\n').last());
}

} // namespace trainyard
