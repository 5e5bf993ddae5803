// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmallocation.h"

#include "engine/client/pathbytes.h"
#include "engine/client/settings.h"
#include "engine/clusters/slurmmark.h"
#include "engine/contract/passingerrors.h"
#include "engine/contract/taskfolder.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr std::size_t mostPlanBytes = std::size_t(64) << 20;
constexpr char linkFile[] = "/allocation";
constexpr QLatin1StringView submittedFile{"/submitted"}; // the id at the cluster
constexpr char formerFile[] = "/former-arrays"; // a name a line
constexpr char splitFile[] = "/split"; // empty
constexpr char loginFile[] = "/login"; // the host whose helper has written the rest
constexpr qint64 lastWordsBytes = 2000;

constexpr QLatin1StringView passingError{"passes"}; // in the arguments of slurm.folder

Result<void> failedAt(const QString &folder, int error)
{
    QJsonObject args{{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}};
    if (contract::isPassing(error) || error == ENOSPC || error == EDQUOT) {
        args.insert(passingError, true);
    }
    return fail(u"slurm.folder"_s, args);
}

} // namespace

SlurmAllocation::SlurmAllocation(const QString &folder, contract::LeadPlan plan)
    : m_folder(folder), m_plan(std::move(plan))
{
}

std::optional<SlurmAllocation> SlurmAllocation::load(const QString &folder)
{
    const std::optional<std::string> text
        = contract::readWhole(pathBytes(folder + u'/' + QLatin1StringView(contract::leadfile::plan)), mostPlanBytes);
    std::optional<contract::LeadPlan> plan = text ? contract::LeadPlan::parse(*text) : std::nullopt;
    if (!plan) {
        return std::nullopt;
    }
    SlurmAllocation allocation(folder, std::move(*plan));
    if (const std::optional<std::string> id = contract::readWhole(pathBytes(folder + submittedFile))) {
        allocation.m_id = QString::fromStdString(*id).trimmed();
    }
    const std::optional<std::string> sent = contract::readWhole(pathBytes(folder + u"/sent"_s));
    if (const QStringList lines = QString::fromStdString(sent.value_or("")).split(u'\n'); lines.size() > 3) {
        allocation.m_array = ArrayPlace{lines.at(0), lines.at(1).toInt(), lines.at(2).toInt()};
    }
    const std::optional<std::string> former = contract::readWhole(pathBytes(folder) + formerFile);
    allocation.m_formerArrays = QString::fromStdString(former.value_or("")).split(u'\n', Qt::SkipEmptyParts);
    return allocation;
}

std::optional<SlurmAllocation::Link> SlurmAllocation::linkOf(const QString &tryFolder)
{
    const std::optional<std::string> text = contract::readWhole(pathBytes(tryFolder) + linkFile);
    const QStringList lines = text ? QString::fromStdString(*text).split(u'\n') : QStringList();
    if (lines.size() < 2 || !lines.first().startsWith(u'/')) {
        return std::nullopt;
    }
    return Link{lines.first(), lines.at(1).toInt()};
}

int SlurmAllocation::unreadError(const QString &tryFolder)
{
    if (const int error = contract::unreadError(pathBytes(tryFolder) + linkFile)) {
        return error;
    }
    const std::optional<Link> link = linkOf(tryFolder);
    return link ? contract::unreadError(pathBytes(link->folder + u'/' + QLatin1StringView(contract::leadfile::plan)))
                : 0;
}

std::optional<contract::LeadPlaces::Place> SlurmAllocation::placeOfTry(const QString &tryFolder)
{
    const std::optional<Link> link = linkOf(tryFolder);
    if (!link || link->position < 0) {
        return std::nullopt;
    }
    // One of them is there: the element of an array has its own.
    for (const int element : {-1, link->position}) {
        const std::string file
            = pathBytes(link->folder) + '/' + contract::ofElement(contract::leadfile::placed, element);
        const std::optional<std::string> text = contract::readWhole(file, mostPlanBytes);
        const std::optional<contract::LeadPlaces> places = text ? contract::LeadPlaces::parse(*text) : std::nullopt;
        if (places && std::size_t(link->position) < places->tasks.size()) {
            return places->tasks[std::size_t(link->position)];
        }
    }
    return std::nullopt;
}

Result<std::vector<SlurmAllocation::Part>> SlurmAllocation::parts(
    const QByteArray &script, const std::vector<contract::Launch> &launches) const
{
    std::vector<Part> parts;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        contract::Envelope envelope;
        envelope.id = qint64(i) + 1;
        envelope.message = launches[i];
        const std::optional<std::string> bytes = contract::encode(envelope);
        if (!bytes) {
            return tl::unexpected<Error>(failedAt(m_folder, E2BIG).error());
        }
        parts.push_back(
            {QLatin1StringView(contract::leadfile::launch) + QString::number(i), QByteArray::fromStdString(*bytes)});
    }
    parts.push_back({QFileInfo(scriptFile()).fileName(), script});
    parts.push_back({QString(QLatin1StringView(contract::leadfile::plan)), QByteArray::fromStdString(m_plan.toText())});
    return parts;
}

int SlurmAllocation::linkFolder(const QString &folder, int position) const
{
    const int error = contract::makeFolders(pathBytes(folder));
    return error != 0 ? error
                      : contract::writeAtomically(pathBytes(folder) + linkFile,
                          pathBytes(m_folder) + '\n' + std::to_string(position) + '\n', false);
}

Result<void> SlurmAllocation::writeLinksAndPlan() const
{
    for (int i = 0; i < int(m_plan.tasks.size()); ++i) {
        const QString folder = tryFolder(i);
        if (const int error = linkFolder(folder, i)) {
            return failedAt(folder, error);
        }
    }
    // Last: with the plan it is whole.
    const std::string plan = pathBytes(m_folder) + '/' + contract::leadfile::plan;
    if (const int error = contract::writeAtomically(plan, m_plan.toText(), true)) {
        return failedAt(m_folder, error);
    }
    return {};
}

Result<void> SlurmAllocation::write(const QByteArray &script, const std::vector<contract::Launch> &launches) const
{
    const Result<std::vector<Part>> all = parts(script, launches);
    if (!all) {
        return tl::unexpected<Error>(all.error());
    }
    if (const int error = contract::makeFolders(pathBytes(m_folder))) {
        return failedAt(m_folder, error);
    }
    for (std::size_t i = 0; i + 1 < all->size(); ++i) {
        const Part &part = all->at(i);
        if (const int error
            = contract::writeAtomically(pathBytes(m_folder + u'/' + part.name), part.bytes.toStdString(), false)) {
            return failedAt(m_folder, error);
        }
    }
    return writeLinksAndPlan();
}

Result<void> SlurmAllocation::writeKept(const QString &loginHost) const
{
    int error = contract::makeFolders(pathBytes(m_folder));
    error = error != 0 ? error
                       : contract::writeAtomically(pathBytes(m_folder) + loginFile, loginHost.toStdString(), false);
    return error == 0 ? writeLinksAndPlan() : failedAt(m_folder, error);
}

bool SlurmAllocation::mayWriteLater(const Error &why) { return why.args.value(passingError).toBool(); }

QString SlurmAllocation::loginHostOf(const QString &folder)
{
    return QString::fromStdString(contract::readWhole(pathBytes(folder) + loginFile).value_or(""));
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

QStringList SlurmAllocation::submittedIn(const QString &jobFolder)
{
    const QString folder = allocationsOf(jobFolder);
    std::vector<std::pair<QDateTime, QString>> ids;
    const QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const QString file = folder + u'/' + name + submittedFile;
        const QString id = QString::fromStdString(contract::readWhole(pathBytes(file)).value_or("")).trimmed();
        if (!id.isEmpty()) {
            ids.emplace_back(QFileInfo(file).lastModified(), id);
        }
    }
    std::sort(ids.begin(), ids.end());
    QStringList all;
    for (const auto &[at, id] : ids) {
        all.append(id);
    }
    return all;
}

QString SlurmAllocation::scriptFile() const { return m_folder + u"/job.sh"_s; }

QString SlurmAllocation::comment() const
{
    return slurm::commentHead + (m_array ? m_array->name : QString::fromStdString(m_plan.allocation));
}

QStringList SlurmAllocation::comments() const
{
    QStringList names = m_formerArrays;
    names.prepend(QString::fromStdString(m_plan.allocation));
    if (m_array) {
        names.append(m_array->name);
    }
    for (QString &name : names) {
        name.prepend(slurm::commentHead);
    }
    return names;
}

QStringList SlurmAllocation::leadFiles(int position) const
{
    QStringList names{leadLog(position)};
    for (const char *name : {contract::leadfile::placed, contract::leadfile::again, contract::leadfile::stopping,
             contract::leadfile::end}) {
        names.append(QString::fromStdString(contract::ofElement(name, elementOf(position))));
    }
    return names;
}

QString SlurmAllocation::leadLog(int position) const
{
    return m_plan.isArray ? u"lead-%1.log"_s.arg(position) : u"lead.log"_s;
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

NoteWriter::Note SlurmAllocation::sentNote() const
{
    const QString text
        = m_array ? u"%1\n%2\n%3\n"_s.arg(m_array->name).arg(m_array->index).arg(m_array->count) : QString();
    return {m_folder + u"/sent"_s, text.toUtf8()};
}

Result<void> SlurmAllocation::noteSent() const
{
    const NoteWriter::Note note = sentNote();
    const int error = contract::writeAtomically(pathBytes(note.file), note.text.toStdString(), true);
    return error == 0 ? Result<void>() : failedAt(m_folder, error);
}

void SlurmAllocation::forgetSent() const { QFile::remove(m_folder + u"/sent"_s); }

// Where it cannot be written, a lead that comes from there after a restart is known by the name of its job only.
void SlurmAllocation::noteFormerArray()
{
    if (m_array && !m_formerArrays.contains(m_array->name)) {
        m_formerArrays.append(m_array->name);
        const QString text = m_formerArrays.join(u'\n') + u'\n';
        contract::writeAtomically(pathBytes(m_folder) + formerFile, text.toStdString(), false);
    }
}

bool SlurmAllocation::noteSplit() const
{
    // Nothing of it may be written yet: only the first part of an array is sent at once.
    return contract::makeFolders(pathBytes(m_folder)) == 0
        && contract::writeAtomically(pathBytes(m_folder) + splitFile, {}, true) == 0;
}

bool SlurmAllocation::isSplit(const QString &folder) { return QFile::exists(folder + QString::fromLatin1(splitFile)); }

void SlurmAllocation::leaveArray()
{
    forgetSent();
    m_array.reset();
}

// Its name is in the name of the file, by which the cluster knows the elements where it keeps nothing else.
QString SlurmAllocation::arrayScriptFile() const
{
    return m_folder + u"/array-%1.sh"_s.arg(m_array ? m_array->name : QString());
}

Result<void> SlurmAllocation::writeArrayScript(const QByteArray &script) const
{
    const int error = contract::writeAtomically(pathBytes(arrayScriptFile()), script.toStdString(), false);
    return error == 0 ? Result<void>() : failedAt(m_folder, error);
}

NoteWriter::Note SlurmAllocation::idNote() const { return {m_folder + submittedFile, m_id.toUtf8() + '\n'}; }

void SlurmAllocation::keepId() const
{
    const NoteWriter::Note note = idNote();
    contract::writeAtomically(pathBytes(note.file), note.text.toStdString(), true);
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
    contract::refreshFolder(pathBytes(m_folder));
    contract::refreshFolder(pathBytes(tryFolder(position)));
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
        = contract::readWhole(pathBytes(pathOf(contract::leadfile::placed, position)), mostPlanBytes);
    std::optional<contract::LeadPlaces> places = text ? contract::LeadPlaces::parse(*text) : std::nullopt;
    if (!places || places->tasks.size() != m_plan.tasks.size()) {
        return nullptr;
    }
    return &m_places.emplace(element, std::move(*places)).first->second;
}

std::optional<contract::LeadEnd> SlurmAllocation::stopping(int position) const
{
    const std::optional<std::string> text
        = contract::readWhole(pathBytes(pathOf(contract::leadfile::stopping, position)));
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

std::optional<contract::LeadEnd> SlurmAllocation::end(int position) const
{
    const std::optional<std::string> text = contract::readWhole(pathBytes(pathOf(contract::leadfile::end, position)));
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

QString SlurmAllocation::lastWords(int position) const
{
    QFile log(m_folder + u'/' + leadLog(position));
    if (!log.open(QIODevice::ReadOnly)) {
        return {};
    }
    log.seek(std::max<qint64>(0, log.size() - lastWordsBytes));
    return QString::fromUtf8(log.readAll().trimmed().split('\n').last());
}

} // namespace trainyard
