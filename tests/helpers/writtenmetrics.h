// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

// A try's folder with what an agent has read of its files of metrics, as the agent writes it.
struct WrittenMetrics {
    QTemporaryDir dir;
    std::unique_ptr<trainyard::series::Writer> writer;
    std::string book;

    WrittenMetrics()
    {
        trainyard::series::Error error;
        writer = trainyard::series::Writer::open(
            dir.path().toStdString() + '/' + trainyard::contract::file::metrics, error);
    }
    void say(const std::string &line)
    {
        book += line;
        QFile file(dir.path() + QLatin1Char('/') + QLatin1String(trainyard::contract::file::metricBook));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(book));
    }
    void put(int run, const char *metric, const QList<QPair<double, double>> &points, qint64 time = 1000)
    {
        trainyard::series::Info info;
        info.name = trainyard::contract::metricSeries(run, metric);
        const auto id = writer->define(info);
        QVERIFY(id);
        for (const auto &[x, value] : points) {
            writer->append(*id, {x, time, value});
        }
        writer->flush();
    }
};
