// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/runpage.h"

#include <QLabel>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the page of a run says of its rehearsal, or of what was submitted after it.
class TstRehearsalLine : public QObject
{
    Q_OBJECT

    static JobDetail detail()
    {
        JobDetail detail;
        detail.summary.id = 41;
        detail.summary.uuid = u"u"_s;
        detail.summary.name = u"train"_s;
        detail.summary.state = State::Running;
        detail.attempts = {AttemptInfo()};
        detail.yaml = "name: train\n";
        return detail;
    }

private Q_SLOTS:
    void numberHasIt()
    {
        RunPage page;
        JobDetail job = detail();
        page.setDetail(job);
        const auto *number = page.findChild<QLabel *>(u"runPageNumber"_s);
        QVERIFY(number);
        QCOMPARE(number->text(), u"#41"_s);
        QVERIFY(number->toolTip().isEmpty());
        job.rehearsal = OtherJob{40, u"r"_s, u"train-rehearsal"_s, State::Running};
        page.setDetail(job);
        QCOMPARE(number->toolTip(), u"Its rehearsal: #40 train-rehearsal, Running"_s);
        job.rehearsal.reset();
        job.original = "name: train\n";
        page.setDetail(job);
        QCOMPARE(number->accessibleDescription(), u"A rehearsal; its original has not been submitted yet"_s);
        job.promoted = OtherJob{0, u"p"_s, {}};
        page.setDetail(job);
        QCOMPARE(number->toolTip(), u"A rehearsal; submitted as a job that has been removed"_s);
    }
};

TRAINYARD_GUI_TEST(TstRehearsalLine)
#include "tst_rehearsalline.moc"
