// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QString>

namespace trainyard
{

// Where a task has its checkpoints: on the host where it ran last.
struct CheckpointPlace {
    QString host, folder;
    friend bool operator==(const CheckpointPlace &, const CheckpointPlace &) = default;
};
using CheckpointPlaces = QHash<QString, CheckpointPlace>; // by task, as people name it; of others nothing is known

QJsonObject toJson(const CheckpointPlaces &places);
CheckpointPlaces checkpointPlacesFromJson(const QJsonObject &json);

// They are kept in the folder of the job, so that no restart forgets them.
CheckpointPlaces readCheckpointPlaces(const QString &jobFolder);
void writeCheckpointPlaces(const QString &jobFolder, const CheckpointPlaces &places);

} // namespace trainyard
