// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/queueplace.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Where jobs stand in the queue.
class TstQueuePlaces : public QObject
{
    Q_OBJECT

    static JobSummary waiting(qint64 id, int priority = 0, double order = 0)
    {
        JobSummary job;
        job.id = id;
        job.uuid = QString::number(id);
        job.state = State::Waiting;
        job.priority = priority;
        job.order = order;
        job.target = u"pool"_s;
        return job;
    }
    static QString order(const QList<JobSummary> &jobs)
    {
        const QHash<QString, QueuePlace> places = queuePlaces(jobs);
        QStringList names(places.size());
        for (auto it = places.cbegin(); it != places.cend(); ++it) {
            names[it->position - 1] = it->length == places.size() ? it.key() : u"?"_s;
        }
        return names.join(u' ');
    }

private Q_SLOTS:
    void places()
    {
        QCOMPARE(order({}), QString());
        QCOMPARE(order({waiting(3), waiting(2), waiting(1)}), u"1 2 3"_s);
        QCOMPARE(order({waiting(3, 1), waiting(2), waiting(1)}), u"3 1 2"_s);
        QCOMPARE(order({waiting(3, 0, -1), waiting(2), waiting(1)}), u"3 1 2"_s); // moved by hand
        JobSummary running = waiting(1), paused = waiting(2), away = waiting(3), ended = waiting(4);
        running.state = State::Running;
        paused.paused = true;
        away.target = u"slurm1"_s;
        ended.state = State::Succeeded;
        QCOMPARE(order({waiting(5), ended, away, paused, running}), u"5"_s);
        QCOMPARE(queuePlaces({paused}).value(u"2"_s), QueuePlace());
    }
};
TRAINYARD_TEST(TstQueuePlaces)
#include "tst_queueplaces.moc"
