// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/drivengui.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

// Settings that change beside the running programs: the window and the engine follow.
class TstMistakes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saidUntilCorrected()
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

    // A change counts from the moment at which the engine has read the file, also while it still opens its store.
    void changedWhileTheEngineStarts()
    {
        const ProgramsFixture f;
        const QString settings = u"config/trainyard/engine.json"_s;
        f.setSettings({{u"stop.graceSeconds"_s, 3}});
        const int watch = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
        QVERIFY(::inotify_add_watch(watch, QFile::encodeName(f.path(settings)).constData(), IN_CLOSE_NOWRITE) >= 0);
        QProcess daemon;
        daemon.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        daemon.start(f.program(u"trainyardd"_s), {u"--foreground"_s});
        pollfd wasRead{watch, POLLIN, 0};
        QCOMPARE(::poll(&wasRead, 1, 20000), 1);
        f.setSettings({{u"stop.graceSeconds"_s, 4}});
        ::close(watch);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"settings"_s, u"stop.graceSeconds"_s}).out, QByteArray("4\n"), 5000);
        daemon.kill();
        QVERIFY(daemon.waitForFinished());
    }
};

TRAINYARD_TEST(TstMistakes)
#include "tst_mistakes.moc"
