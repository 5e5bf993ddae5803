// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"

using namespace Qt::StringLiterals;

// A mistake in the settings, made and mended beside the running program: the window and the engine follow.
class TstMistakes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saidUntilMended()
    {
        const ProgramsFixture f;
        const QString settings = u"config/trainyard/engine.json"_s;
        f.write(settings, R"({"stop.graceSeconds": "soon"})");
        DrivenGui gui(f, {});
        const auto says = [&gui](const QString &text) { return gui.texts().join(u'\n').contains(text); };
        QTRY_VERIFY_WITH_TIMEOUT(says(u"The setting stop.graceSeconds in "_s + f.path(settings)), 20000);
        f.write(settings, "{ half");
        QTRY_VERIFY_WITH_TIMEOUT(says(u"Cannot read the settings "_s + f.path(settings)), 20000);
        QVERIFY(!says(u"stop.graceSeconds"_s));
        f.write(settings, R"({"stop.graceSeconds": 4})");
        QTRY_VERIFY_WITH_TIMEOUT(!says(u"Cannot read the settings"_s), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"settings"_s, u"stop.graceSeconds"_s}).out, QByteArray("4\n"), 20000);
    }
};

TRAINYARD_TEST(TstMistakes)
#include "tst_mistakes.moc"
