// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <pwd.h>
#include <unistd.h>

using namespace trainyard;

class TstHomeFolder : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void withoutHome_data()
    {
        QTest::addColumn<QByteArray>("home");
        QTest::newRow("unset") << QByteArray();
        QTest::newRow("empty") << QByteArray("");
    }

    // What cron or the system starts has no HOME, and its files are where those of the same user's terminal are.
    void withoutHome()
    {
        QFETCH(const QByteArray, home);
        const passwd *account = ::getpwuid(::getuid());
        if (!account || !account->pw_dir || *account->pw_dir != '/') {
            QSKIP("This user has no account with a home folder: run it as a user whom getent passwd knows.");
        }
        const QByteArray expected = account->pw_dir;
        if (home.isNull()) {
            qunsetenv("HOME");
        } else {
            qputenv("HOME", home);
        }
        paths::useHomeOfAccount();
        QCOMPARE(qgetenv("HOME"), expected);
        QCOMPARE(QDir::homePath(), QDir::cleanPath(QFile::decodeName(expected)));
        const QString below = QDir::cleanPath(QDir::homePath() + QLatin1Char('/'));
        QVERIFY2(paths::configFolder().startsWith(below), qPrintable(paths::configFolder()));
    }

    void aHomeThatIsSetStays()
    {
        qputenv("HOME", "/somewhere/else");
        paths::useHomeOfAccount();
        QCOMPARE(qgetenv("HOME"), QByteArray("/somewhere/else"));
        QCOMPARE(paths::configFolder(), QStringLiteral("/somewhere/else/.config/trainyard"));
    }

    // An account without a home folder.
    void theRootIsNamedWithOneSlash()
    {
        qputenv("HOME", "/");
        QCOMPARE(paths::configFolder(), QStringLiteral("/.config/trainyard"));
    }

    void init()
    {
        m_before = qgetenv("HOME");
        m_config = qgetenv("XDG_CONFIG_HOME");
        qunsetenv("XDG_CONFIG_HOME");
    }
    void cleanup()
    {
        qputenv("HOME", m_before);
        if (!m_config.isEmpty()) {
            qputenv("XDG_CONFIG_HOME", m_config);
        }
    }

private:
    QByteArray m_before, m_config;
};

TRAINYARD_TEST(TstHomeFolder)
#include "tst_homefolder.moc"
