// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"
#include "tests/program/quickstart.h"

using namespace Qt::StringLiterals;

class TstQuickstartGui : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // The file is opened, Run is clicked, the log of a worker is read.
    void succeeds()
    {
        ProgramsFixture f;
        DrivenGui gui(f, {quickstart::file(f)});
        QVERIFY(gui.click(u"runButton"_s));
        QTRY_COMPARE_WITH_TIMEOUT(gui.rows(u"tasksView"_s).size(), 2 + 4, 30000); // roles and tasks
        const auto stateOf = [&gui](const QString &task) { return gui.row(u"tasksView"_s, task).value(1); };
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(u"worker/1"_s), u"Running"_s, 30000);
        // While it runs: what is there grows.
        QVERIFY(gui.clickRow(u"tasksView"_s, u"worker/1"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!quickstart::losses(gui.log()).isEmpty(), 30000);
        QCOMPARE(stateOf(u"worker/1"_s), u"Running"_s);
        for (int worker = 0; worker < 3; ++worker) {
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(u"worker/%1"_s.arg(worker)), u"Succeeded"_s, quickstart::patienceMs);
        }
        QTRY_COMPARE_WITH_TIMEOUT(
            gui.row(u"jobsView"_s, u"parameter_server"_s).value(0), u"Done/parameter_server"_s, 15000);
        QCOMPARE(f.ctl({u"wait"_s, u"parameter_server"_s}).status, 0); // and it has succeeded
        QTRY_VERIFY_WITH_TIMEOUT(quickstart::fell(quickstart::losses(gui.log())), 15000);
        QVERIFY(gui.log().contains(u"worker 1 has finished"_s));
        QCOMPARE(stateOf(u"ps/0"_s), u"Stopped"_s); // ended with the job
        QVERIFY(gui.clickRow(u"tasksView"_s, u"ps/0"_s));
        QTRY_VERIFY_WITH_TIMEOUT(gui.log().contains(u"parameter server: 13 weights"_s), 15000);
    }
};

TRAINYARD_TEST(TstQuickstartGui)
#include "tst_quickstartgui.moc"
