// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pagebars.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/workbench.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/meters.h"

#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// How the engine and this computer are, in the status line.
class TstEngineStatus : public QObject
{
    Q_OBJECT

    static HostInfo computer()
    {
        HostInfo host;
        host.id = u"local"_s;
        host.state = HostState::Online;
        host.cpuPercent = 12;
        host.memoryMiB = 64'000;
        host.memoryUsedMiB = 8'000;
        host.gpus.resize(1);
        host.gpus[0].utilPercent = 97;
        return host;
    }
    static QStringList metersOf(const StatusLine &status)
    {
        QStringList shown;
        for (const Meter *meter : status.findChildren<Meter *>()) {
            if (!meter->isHidden()) {
                shown.append(meter->accessibleName());
            }
        }
        return shown;
    }

private Q_SLOTS:
    // A GPU that is not there any more, and a computer that nobody measures, have no value that stays.
    void metersTellOfNow()
    {
        StatusLine status;
        status.setEngine(EngineClient::Status::Ready, 0, {});
        HostInfo host = computer();
        status.setComputer(host);
        QCOMPARE(metersOf(status).size(), 3);
        QVERIFY2(metersOf(status).contains(u"GPU 97 %"_s), qPrintable(metersOf(status).join(u'|')));
        host.gpus.clear();
        status.setComputer(host);
        QCOMPARE(metersOf(status).size(), 2);
        host = computer();
        status.setComputer(host);
        status.setEngine(EngineClient::Status::Connecting, 0, {}); // for a moment
        QCOMPARE(metersOf(status).size(), 3);
        for (const auto without : {EngineClient::Status::Offline, EngineClient::Status::Failed}) {
            status.setEngine(EngineClient::Status::Ready, 0, {});
            status.setComputer(host);
            QCOMPARE(metersOf(status).size(), 3);
            status.setEngine(without, 0, {});
            QCOMPARE(metersOf(status), QStringList());
        }
    }

    // Thousands of jobs that change at once are counted once, and the change is not forgotten.
    void newsComeTogether()
    {
        QMainWindow window;
        auto *actions = new ActionRegistry(&window);
        auto *status = new StatusLine(&window);
        auto *workbench = new Workbench(&window, actions, new TabArea(&window), new PageBars(&window), status);
        EngineClient client; // never started
        EngineController engine(workbench, actions, &client, status);
        QSignalSpy changed(&engine, &EngineController::changed);
        for (int i = 0; i < 1000; ++i) {
            JobSummary job;
            job.id = i;
            Q_EMIT client.jobChanged(job);
        }
        QTRY_VERIFY(!changed.isEmpty());
        QVERIFY2(changed.size() < 20, qPrintable(QString::number(changed.size())));
        const qsizetype before = changed.size();
        Q_EMIT client.statusChanged(EngineClient::Status::Connecting);
        QVERIFY(changed.size() > before); // at once
    }
};

TRAINYARD_GUI_TEST(TstEngineStatus)
#include "tst_enginestatus.moc"
