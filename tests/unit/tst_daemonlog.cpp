// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/daemonlog.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The lines of the daemon's log.
class TstDaemonLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesStayOneLine_data()
    {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << u"The host gpu1 answers \"no\"."_s << QByteArray("The host gpu1 answers \"no\".");
        QTest::newRow("letters") << u"Größe\t日本"_s << QByteArray("Größe\t日本");
        QTest::newRow("a message inside")
            << u"name\n2026-01-01 1 error: forged"_s << QByteArray("name\\n2026-01-01 1 error: forged");
        QTest::newRow("a terminal") << u"\x1b[2Jx\r\x7f"_s << QByteArray("\\x1b[2Jx\\x0d\\x7f");
        QTest::newRow("nothing") << QString() << QByteArray();
    }
    void messagesStayOneLine()
    {
        QFETCH(QString, message);
        QFETCH(QByteArray, shown);
        QCOMPARE(DaemonLog::escaped(message), shown);
    }
};

TRAINYARD_TEST(TstDaemonLog)
#include "tst_daemonlog.moc"
