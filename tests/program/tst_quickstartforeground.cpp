// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/quickstart.h"

using namespace Qt::StringLiterals;

class TstQuickstartForeground : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void succeeds()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"--foreground"_s, quickstart::file(f)}, {}, quickstart::patienceMs);
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(f.daemonPid(), 0);
        for (int worker = 0; worker < 3; ++worker) {
            QString own;
            const QStringList lines = QString::fromUtf8(run.out).split(u'\n');
            for (const QString &line : lines) {
                if (line.startsWith(u"worker/%1 "_s.arg(worker))) {
                    own += line + u'\n';
                }
            }
            QVERIFY2(quickstart::fell(quickstart::losses(own)), qPrintable(own));
        }
        QTRY_VERIFY(f.pidsOf(u"trainyard-agent"_s).isEmpty()); // nothing stays behind
    }
};

TRAINYARD_TEST(TstQuickstartForeground)
#include "tst_quickstartforeground.moc"
