// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/removalbar.h"
#include "engine/client/engineclient.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace trainyard;

// What the window says of ended jobs that will be removed.
class TstRemovalBar : public QObject
{
    Q_OBJECT

    static JobSummary due(qint64 id)
    {
        constexpr qint64 day = 24 * 3'600'000;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        JobSummary job;
        job.id = id;
        job.uuid = QStringLiteral("uuid-%1").arg(id);
        job.state = State::Failed;
        job.removal = PlannedRemoval{now, now + day, QStringLiteral("jobs.keepDays"), qint64(3) << 30};
        return job;
    }

private Q_SLOTS:
    void saysAndKeeps()
    {
        EngineClient client; // never started
        RemovalBar bar(&client);
        QVERIFY(bar.isHidden());
        bar.setJobs({});
        QVERIFY(bar.isHidden());
        bar.setJobs({due(1), due(2)});
        QVERIFY(!bar.isHidden());
        QVERIFY2(bar.text().startsWith(QLatin1String("2 ended jobs (6 GiB) are removed from "))
                && bar.text().endsWith(QLatin1String("because of the setting jobs.keepDays.")),
            qPrintable(bar.text()));
        QSignalSpy listed(&bar, &RemovalBar::listRequested);
        bar.findChild<QPushButton *>(QStringLiteral("showDueJobs"))->click();
        QCOMPARE(listed.constFirst().constFirst().toString(), QStringLiteral("is:due with:archived"));
        QSignalSpy kept(&bar, &RemovalBar::keepRequested);
        bar.findChild<QPushButton *>(QStringLiteral("keepDueJobs"))->click();
        QCOMPARE(kept.constFirst().constFirst().toStringList(),
            (QStringList{QStringLiteral("uuid-1"), QStringLiteral("uuid-2")}));
        bar.setJobs({}); // they have a star now
        QVERIFY(bar.isHidden());
    }

    void closedUntilThereIsAnother()
    {
        EngineClient client;
        RemovalBar bar(&client);
        bar.setJobs({due(1), due(2)});
        bar.findChild<QToolButton *>()->click();
        QVERIFY(bar.isHidden());
        bar.setJobs({due(2)});
        QVERIFY(bar.isHidden());
        bar.setJobs({due(2), due(3)});
        QVERIFY(!bar.isHidden());
    }
};

TRAINYARD_GUI_TEST(TstRemovalBar)
#include "tst_removalbar.moc"
