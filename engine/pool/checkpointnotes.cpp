// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/checkpointnotes.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr QLatin1StringView notesName{"/checkpoints.json"};

} // namespace

// Many tasks share few places.
QJsonObject toJson(const CheckpointPlaces &places)
{
    QList<CheckpointPlace> known;
    QJsonObject tasks;
    for (auto it = places.cbegin(); it != places.cend(); ++it) {
        qsizetype at = known.indexOf(*it);
        if (at < 0) {
            at = known.size();
            known.append(*it);
        }
        tasks.insert(it.key(), at);
    }
    QJsonArray list;
    for (const CheckpointPlace &place : std::as_const(known)) {
        list.append(QJsonObject{{u"host"_s, place.host}, {u"folder"_s, place.folder}});
    }
    return {{u"places"_s, list}, {u"tasks"_s, tasks}};
}

CheckpointPlaces checkpointPlacesFromJson(const QJsonObject &json)
{
    CheckpointPlaces places;
    const QJsonArray list = json.value("places"_L1).toArray();
    const QJsonObject tasks = json.value("tasks"_L1).toObject();
    for (auto it = tasks.constBegin(); it != tasks.constEnd(); ++it) {
        const QJsonObject place = list.at(it->toInt(-1)).toObject();
        const CheckpointPlace known{place.value("host"_L1).toString(), place.value("folder"_L1).toString()};
        if (!known.host.isEmpty() && known.folder.startsWith(u'/')) {
            places.insert(it.key(), known);
        }
    }
    return places;
}

CheckpointPlaces readCheckpointPlaces(const QString &jobFolder)
{
    QFile file(jobFolder + notesName);
    return file.open(QIODevice::ReadOnly) ? checkpointPlacesFromJson(QJsonDocument::fromJson(file.readAll()).object())
                                          : CheckpointPlaces();
}

void writeCheckpointPlaces(const QString &jobFolder, const CheckpointPlaces &places)
{
    // Notes that cannot be written are kept in memory until the engine ends.
    static_cast<void>(contract::makeFolders(pathBytes(jobFolder)));
    static_cast<void>(contract::writeAtomically(pathBytes(jobFolder + notesName),
        QJsonDocument(toJson(places)).toJson(QJsonDocument::Compact).toStdString(), true));
}

} // namespace trainyard
