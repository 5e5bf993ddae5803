// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/point.h"
#include "model/base/result.h"

#include <QList>
#include <QString>

#include <memory>

class QSqlDatabase;
class QTemporaryDir;

namespace trainyard
{

// A database of MLflow or Trackio, read while their programs write to it and never written to: no lock is kept, and no
// file is made beside it. Belongs to one thread; every call waits for the disk, and up to two seconds for a lock.
class MetricDatabase
{
public:
    // Whether it is one by its name: mlflow.db, mlruns.db, and the databases in a folder "trackio".
    static bool hasName(const QString &path);
    // Whether it is one by how it begins.
    static bool isDatabase(const QString &path);
    // "metricdatabase.unreadable" {file, reason}, "metricdatabase.locked" {file}, "metricdatabase.unknown" {file}: it
    // is not of either program.
    static Result<std::unique_ptr<MetricDatabase>> open(const QString &path);
    ~MetricDatabase();
    MetricDatabase(const MetricDatabase &) = delete;
    MetricDatabase &operator=(const MetricDatabase &) = delete;

    struct Run {
        QString id, name;
    };
    Result<QList<Run>> runs() const; // in the order in which they began
    // Gives series, points and facts: "config/lr", "state", "name".
    Result<void> read(const Run &run, metricfiles::Sink &sink) const;

private:
    enum class Kind { Mlflow, Trackio };
    explicit MetricDatabase(const QString &path);
    Result<void> connect();
    Error errorOf(const QString &reason) const;
    Result<void> readMlflow(const Run &run, metricfiles::Sink &sink) const;
    Result<void> readTrackio(const Run &run, metricfiles::Sink &sink) const;

    QString m_path, m_connection;
    std::unique_ptr<QTemporaryDir> m_copy; // of a database that could only be read with its own files beside it
    std::unique_ptr<QSqlDatabase> m_database;
    Kind m_kind = Kind::Mlflow;
};

} // namespace trainyard
