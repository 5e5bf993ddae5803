// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/diff/diffview.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/whytexts.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the page of a failed run offers to change.
class TstJobChangeOffers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void memoryThatRanOut();
    void goesWithTheFailure();
    void dialogShowsTheDifference();
    void settingsAreLinks();
};

namespace
{

const QByteArray bertText = R"(protocolVersion: 2
name: bert
type: job
prerequisites:
  - {type: dockerimage, name: torch, uri: pytorch/pytorch}
taskRoles:
  worker:
    dockerImage: torch
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 1}
    commands:
      - python train.py --batch-size 64
)";

JobDetail failedWith(const QString &cause)
{
    JobDetail detail;
    detail.summary.uuid = u"u"_s;
    detail.summary.name = u"bert"_s;
    detail.summary.state = State::Failed;
    detail.summary.reason = u"exit.user"_s;
    FailureFacts facts;
    facts.cause = cause;
    facts.certainty = u"certain"_s;
    detail.summary.reasonArgs = {{u"role"_s, u"worker"_s}, {u"index"_s, 0}, {failureKey, facts.toJson()}};
    detail.attempts = {AttemptInfo()};
    detail.yaml = bertText;
    return detail;
}

} // namespace

void TstJobChangeOffers::memoryThatRanOut()
{
    RunPage page;
    page.setDetail(failedWith(u"host-oom"_s));
    const auto *raise = page.findChild<QPushButton *>(u"change.memory.raise"_s);
    QVERIFY(raise);
    QVERIFY(raise->isVisibleTo(&page));
    QCOMPARE(raise->accessibleDescription(), u"Raise the memory of worker to 16 GiB"_s);
    QVERIFY(page.findChild<QPushButton *>(u"change.batch.halve"_s));
    QSignalSpy asked(&page, &RunPage::changeRequested);
    QTest::mouseClick(page.findChild<QPushButton *>(u"change.memory.raise"_s), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    const auto change = asked.constFirst().constFirst().value<JobChange>();
    QVERIFY(changedText(YamlDocument::parse(bertText), change).contains("memoryMB: 16384"));
    QVERIFY(!asked.constFirst().constLast().toBool());
    const auto *andRun = page.findChild<QPushButton *>(u"changeRun.memory.raise"_s);
    QVERIFY(andRun && andRun->isVisibleTo(&page));
    QTest::mouseClick(page.findChild<QPushButton *>(u"changeRun.memory.raise"_s), Qt::LeftButton);
    QCOMPARE(asked.size(), 2);
    QVERIFY(asked.constLast().constLast().toBool());
}

// What no longer helps is not offered, and without a change the other offers stand out as before.
void TstJobChangeOffers::goesWithTheFailure()
{
    RunPage page;
    page.setDetail(failedWith(u"gpu-oom"_s));
    const auto *halve = page.findChild<QPushButton *>(u"change.batch.halve"_s);
    QVERIFY(halve);
    QVERIFY(!page.findChild<QPushButton *>(u"change.memory.raise"_s));
    page.setDetail(failedWith(u"user-code-error"_s));
    QVERIFY(!page.findChild<QPushButton *>(u"change.batch.halve"_s));
}

void TstJobChangeOffers::dialogShowsTheDifference()
{
    auto *dialog = new ChangeDialog(u"Raise the memory of worker to 16 GiB"_s, bertText,
        QByteArray(bertText).replace("memoryMB: 8192", "memoryMB: 16384"));
    dialog->show();
    QCOMPARE(dialog->findChild<DiffView *>()->changeCount(), 1);
    QSignalSpy accepted(dialog, &QDialog::accepted);
    QTest::keyClick(dialog, Qt::Key_Return);
    QCOMPARE(accepted.size(), 1);

    auto *running = new ChangeDialog(u"Raise the memory"_s, bertText, bertText + "# more\n", ChangeDialog::Run);
    running->show();
    QSignalSpy finished(running, &QDialog::finished);
    QTest::keyClick(running, Qt::Key_Return);
    QCOMPARE(finished.size(), 1);
    QCOMPARE(finished.constFirst().constFirst().toInt(), int(ChangeDialog::Run));
}

// A reason to wait that names a setting leads to it; other words with points are none.
void TstJobChangeOffers::settingsAreLinks()
{
    InfoBar bar;
    bar.setJobLinks(true);
    bar.show(
        InfoBar::Kind::Waiting, u"Waits for #41, until the hours of gpu.keepHours are over: train.py on lab1.local."_s);
    auto *text = bar.findChild<QLabel *>();
    QVERIFY(text->text().contains("<a href=\"setting:gpu.keepHours\">gpu.keepHours</a>"_L1));
    QCOMPARE(text->text().count("<a "_L1), 2); // the other one is the job
    QSignalSpy setting(&bar, &InfoBar::settingClicked);
    QSignalSpy job(&bar, &InfoBar::jobClicked);
    Q_EMIT text->linkActivated(u"setting:gpu.keepHours"_s);
    Q_EMIT text->linkActivated(u"job:41"_s);
    QCOMPARE(setting.size(), 1);
    QCOMPARE(setting.constFirst().constFirst().toString(), u"gpu.keepHours"_s);
    QCOMPARE(job.size(), 1);
}

TRAINYARD_GUI_TEST(TstJobChangeOffers)
#include "tst_jobchangeoffers.moc"
