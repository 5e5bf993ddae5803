// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"

#include <QFile>

using namespace Qt::StringLiterals;

// A job that asks for more than there is: the window says the figures, and one click asks for what there is.
class TstRefusal : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void oneClickMakesItRun()
    {
        ProgramsFixture f;
        const QByteArray yaml = "protocolVersion: 2\nname: greedy\ntype: job\nprerequisites:\n"
                                "  - {name: img, type: dockerimage, uri: x}\ntaskRoles:\n  w:\n    instances: 1\n"
                                "    dockerImage: img\n    resourcePerInstance:\n      cpu: 1 # enough\n"
                                "      memoryMB: 999999999 # a lot\n      gpu: 0\n    commands: [echo enough]\n";
        DrivenGui gui(f, {f.write(u"work/greedy.pai.yaml"_s, yaml)});
        QVERIFY(gui.click(u"runButton"_s));
        QTRY_VERIFY_WITH_TIMEOUT(gui.texts().join(u'\n').contains(u"asks for 999999999 MiB"_s), 20000);
        QVERIFY(gui.click(u"refusalFix"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!gui.texts().join(u'\n').contains(u"asks for 999999999 MiB"_s), 20000);
        QVERIFY(gui.click(u"runButton"_s));
        const auto state = [&gui] { return gui.row(u"tasksView"_s, u"w/0"_s).value(1); };
        QTRY_COMPARE_WITH_TIMEOUT(state(), u"Succeeded"_s, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(gui.log(), u"enough"_s, 10000);
    }
};

TRAINYARD_TEST(TstRefusal)
#include "tst_refusal.moc"
