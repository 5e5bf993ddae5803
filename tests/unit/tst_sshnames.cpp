// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/sshlookup.h"
#include "engine/client/sshnames.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which hosts an ssh configuration offers.
class TstSshNames : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString &name) const { return m_folder.filePath(name); }
    void write(const QString &name, const QByteArray &bytes)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

private Q_SLOTS:
    void lines()
    {
        write(u"config"_s,
            "# Host commented\nHost lab1 lab2\n  HostName 10.0.0.1\n\nhost=\"lab 3\"\nHOST *.example.org gpu-? !x *\n"
            "Host lab1\nMatch host lab9\n  User ada\nHost\tlast\n");
        QCOMPARE(sshNames(path(u"config"_s)), (QStringList{u"lab1"_s, u"lab2"_s, u"lab 3"_s, u"last"_s}));
    }

    // What `ssh -G` prints says whether this computer has to know the name.
    void namesToLookUp()
    {
        QCOMPARE(nameToLookUp("user ada\nhostname lab1.example.org\nport 22\n"), u"lab1.example.org"_s);
        QCOMPARE(nameToLookUp("hostname lab1\nproxycommand none\nproxyjump none\n"), u"lab1"_s);
        QCOMPARE(nameToLookUp("hostname lab1\nproxyjump gate\n"), QString());
        QCOMPARE(nameToLookUp("proxycommand nc %h %p\nhostname lab1\n"), QString());
        QCOMPARE(nameToLookUp("hostname 10.0.0.7\n"), QString());
        QCOMPARE(nameToLookUp("hostname fe80::1\n"), QString());
        QCOMPARE(nameToLookUp(""), QString());
    }

    void notForGit()
    {
        write(u"git"_s, "Host github.com\n  HostName github.com\n  User git\nHost lab\n  User gitta\n");
        QCOMPARE(sshNames(path(u"git"_s)), QStringList{u"lab"_s});
    }

    void includes()
    {
        QDir(m_folder.path()).mkdir(u"d"_s);
        write(u"d/1.conf"_s, "Host one\n");
        write(u"d/2.conf"_s, "Host two\nInclude " + path(u"top"_s).toUtf8() + "\n"); // round and round
        write(u"top"_s, "Include " + path(u"d/*.conf"_s).toUtf8() + " " + path(u"none"_s).toUtf8() + "\nHost three\n");
        QCOMPARE(sshNames(path(u"top"_s)).mid(0, 2), (QStringList{u"one"_s, u"two"_s}));
        QCOMPARE(sshNames(path(u"top"_s)).size(), 3);
    }

    void nothing()
    {
        QCOMPARE(sshNames(path(u"absent"_s)), QStringList());
        QVERIFY(::mkfifo(QFile::encodeName(path(u"pipe"_s)).constData(), 0600) == 0);
        QCOMPARE(sshNames(path(u"pipe"_s)), QStringList());
        QCOMPARE(sshNames(m_folder.path()), QStringList());
        write(u"bytes"_s, QByteArray("Host a\xff\0b\nHost -oProxyCommand=x\nHost ok\n", 41));
        QVERIFY(sshNames(path(u"bytes"_s)).contains(u"ok"_s));
        QVERIFY(!sshNames(path(u"bytes"_s)).contains(u"-oProxyCommand=x"_s));
    }
};

TRAINYARD_TEST(TstSshNames)
#include "tst_sshnames.moc"
