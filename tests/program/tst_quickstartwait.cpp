// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/quickstart.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace Qt::StringLiterals;

class TstQuickstartWait : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void succeeds()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"--wait"_s, quickstart::file(f)}, {}, quickstart::patienceMs);
        QVERIFY2(run.status == 0, run.err.constData());
        const QJsonObject job = f.ctl({u"show"_s, u"parameter_server"_s, u"--json"_s}).json().object();
        QCOMPARE(job.value("jobStatus"_L1).toObject().value("state"_L1).toString(), u"SUCCEEDED"_s);
        for (int worker = 0; worker < 3; ++worker) {
            const auto log = f.ctl({u"logs"_s, u"parameter_server"_s, u"worker/%1"_s.arg(worker)});
            QCOMPARE(log.status, 0);
            QVERIFY2(quickstart::fell(quickstart::losses(QString::fromUtf8(log.out))), log.out.constData());
            QVERIFY(log.out.contains(QByteArray("worker " + QByteArray::number(worker) + " has finished")));
        }
        QVERIFY(
            f.ctl({u"logs"_s, u"parameter_server"_s, u"ps/0"_s, u"--stdout"_s}).out.contains("parameter server: 13"));
    }
};

TRAINYARD_TEST(TstQuickstartWait)
#include "tst_quickstartwait.moc"
