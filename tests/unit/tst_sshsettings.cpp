// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/sshsettings.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which settings an ssh gets that runs a command: those that it knows.
class TstSshSettings : public QObject
{
    Q_OBJECT

    static QStringList namesOf(const SshSettings &settings)
    {
        QStringList names;
        const QStringList words = settings.words();
        for (const QString &word : words) {
            if (word != "-o"_L1) {
                names.append(word.section(u'=', 0, 0));
            }
        }
        return names;
    }

private Q_SLOTS:
    void refusals_data()
    {
        QTest::addColumn<QByteArray>("complaints");
        QTest::addColumn<QString>("leftOut");
        QTest::newRow("ssh 7.4") << QByteArray("OpenSSH_7.4p1\ncommand-line: line 0: Bad configuration option: "
                                               "remotecommand\r\n")
                                 << u"RemoteCommand"_s;
        QTest::newRow("ssh 8.4") << QByteArray("command-line: line 0: Bad configuration option: sessiontype\n")
                                 << u"SessionType"_s;
        QTest::newRow("a file of the user's")
            << QByteArray("/home/me/.ssh/config: line 3: Bad configuration option: sessiontype\n"
                          "/home/me/.ssh/config: terminating, 1 bad configuration options\n")
            << QString();
        QTest::newRow("another setting") << QByteArray("command-line: line 0: Bad configuration option: x\n")
                                         << QString();
        QTest::newRow("something else") << QByteArray("ssh: connect to host lab port 22: No route to host\n")
                                        << QString();
        QTest::newRow("nothing") << QByteArray() << QString();
    }

    void refusals()
    {
        QFETCH(QByteArray, complaints);
        QFETCH(QString, leftOut);
        SshSettings settings;
        QStringList names = namesOf(settings);
        QCOMPARE(names.size(), 4);
        QCOMPARE(settings.leaveOutRefused(complaints), !leftOut.isEmpty());
        names.removeAll(leftOut);
        QCOMPARE(namesOf(settings), names);
        QVERIFY(!settings.leaveOutRefused(complaints)); // it would be tried again for ever
    }

    void programs_data()
    {
        QTest::addColumn<QByteArray>("refused");
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QStringList>("known");
        const QStringList all = namesOf({});
        QTest::newRow("of today") << QByteArray("none-of-these") << QByteArray("exit 0") << all;
        QTest::newRow("before 8.7") << QByteArray("SessionType=*|StdinNull=*|ForkAfter*") << QByteArray("exit 0")
                                    << QStringList{u"RemoteCommand"_s};
        QTest::newRow("before 6.8, without -G")
            << QByteArray("RemoteCommand=*|SessionType=*|StdinNull=*|ForkAfter*")
            << QByteArray("echo 'unknown option -- G' >&2; exit 255") << QStringList();
    }

    // They complain of the first one that they do not know.
    void programs()
    {
        QFETCH(QByteArray, refused);
        QFETCH(QByteArray, answer);
        QFETCH(QStringList, known);
        const QTemporaryDir folder;
        QFile program(folder.filePath(u"ssh"_s));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\nfor word; do case $word in " + refused
            + ") echo \"command-line: line 0: Bad configuration option: ${word%%=*}\" >&2; exit 255;; esac; done\n"
            + answer + '\n');
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
        qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
        SshSettings settings;
        settings.leaveOutUnknown();
        QCOMPARE(namesOf(settings), known);
    }
};
TRAINYARD_TEST(TstSshSettings)

#include "tst_sshsettings.moc"
