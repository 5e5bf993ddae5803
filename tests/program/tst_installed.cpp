// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

// What a package holds is enough to run a job: the programs find each other where they are installed, not only in the
// build folder.
class TstInstalled : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void runsAJob()
    {
        ProgramsFixture f;
        const QString prefix = f.path(u"pre fix"_s);
        QProcess install;
        install.start(qEnvironmentVariable("TRAINYARD_CMAKE"),
            {u"--install"_s, qEnvironmentVariable("TRAINYARD_BUILD"), u"--prefix"_s, prefix});
        QVERIFY(install.waitForFinished(60000));
        QVERIFY2(install.exitCode() == 0, install.readAllStandardError().constData());

        const QString job = f.write(u"work/hi.pai.yaml"_s,
            "protocolVersion: 2\nname: hi\ntype: job\ntaskRoles:\n  w:\n    instances: 2\n"
            "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands: [echo hello]\n");
        for (const QString &how : {u"--foreground"_s, u"--wait"_s}) {
            QProcess run;
            run.setWorkingDirectory(f.path(u"work"_s));
            run.start(prefix + u"/bin/trainyardctl"_s, {u"run"_s, how, job});
            QVERIFY(run.waitForFinished(60000));
            QVERIFY2(run.exitCode() == 0, run.readAllStandardError().constData());
        }
        // The daemon in use is the installed one.
        const qint64 daemon = f.daemonPid();
        QVERIFY(daemon > 0);
        QCOMPARE(QFileInfo(u"/proc/%1/exe"_s.arg(daemon)).symLinkTarget(), prefix + u"/bin/trainyardd"_s);

        // A window starts from there too, and a menu entry names it.
        QProcess window;
        window.start(prefix + u"/bin/trainyard"_s, {u"--version"_s});
        QVERIFY(window.waitForFinished(60000));
        QCOMPARE(window.exitCode(), 0);
        QFile entry(prefix + u"/share/applications/trainyard.desktop"_s);
        QVERIFY(entry.open(QIODevice::ReadOnly));
        QVERIFY(entry.readAll().contains("\nExec=trainyard "));
        QVERIFY(QFileInfo::exists(prefix + u"/share/man/man1/trainyardctl.1.gz"_s)
            || QFileInfo::exists(prefix + u"/share/man/man1/trainyardctl.1"_s));
    }
};

TRAINYARD_TEST(TstInstalled)
#include "tst_installed.moc"
