// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/checkpointnotes.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Where tasks have their checkpoints, over a restart.
class TstCheckpointNotes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thereAndBack()
    {
        const CheckpointPlaces places{{u"worker/0"_s, {u"lab1"_s, u"/home/a/checkpoint"_s}},
            {u"worker/1"_s, {u"lab1"_s, u"/home/a/checkpoint"_s}}, {u"ps/0"_s, {u"local"_s, u"/var/b"_s}}};
        QCOMPARE(checkpointPlacesFromJson(toJson(places)), places);
        QCOMPARE(toJson(places).value("places"_L1).toArray().size(), 2); // each once
        const QTemporaryDir folder;
        const QString job = folder.filePath(u"runs/job"_s);
        QVERIFY(readCheckpointPlaces(job).isEmpty());
        writeCheckpointPlaces(job, places);
        QCOMPARE(readCheckpointPlaces(job), places);
    }

    void damaged()
    {
        QJsonObject json = toJson({{u"w/0"_s, {u"lab1"_s, u"/a"_s}}});
        QJsonObject tasks = json.value("tasks"_L1).toObject();
        tasks.insert(u"w/1"_s, 7);
        tasks.insert(u"w/2"_s, -1);
        tasks.insert(u"w/3"_s, u"lab1"_s);
        json.insert(u"tasks"_s, tasks);
        QCOMPARE(checkpointPlacesFromJson(json).keys(), QStringList{u"w/0"_s});
        json.insert(u"places"_s, QJsonArray{QJsonObject{{u"host"_s, u"lab1"_s}, {u"folder"_s, u"relative"_s}}});
        QVERIFY(checkpointPlacesFromJson(json).isEmpty());
        QVERIFY(checkpointPlacesFromJson({}).isEmpty());
    }
};

TRAINYARD_TEST(TstCheckpointNotes)
#include "tst_checkpointnotes.moc"
