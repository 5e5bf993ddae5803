// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/rehearsedialog.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/diff/diffview.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/runpage.h"

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the window says of a rehearsal and of what was submitted after it, how the original is opened, and what is
// handed over once more.
class TstRehearsalLine : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;

    // Of the engine of the window; empty where the job was refused.
    static QString submitted(MainWindow &window, const SubmitRequest &request)
    {
        std::optional<Result<SubmitReply>> reply;
        window.client()->call<api::Submit>(
            request, &window, [&reply](const Result<SubmitReply> &result) { reply = result; });
        return QTest::qWaitFor([&reply] { return reply.has_value(); }, 20'000) && *reply ? (*reply)->uuid : QString();
    }

    static JobDetail detailOfRun()
    {
        JobDetail made;
        made.summary.id = 41;
        made.summary.uuid = u"u"_s;
        made.summary.name = u"train"_s;
        made.summary.state = State::Running;
        made.attempts = {AttemptInfo()};
        made.yaml = "name: train\n";
        return made;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    // What was given to the submission beside the text.
    void runAgainKeepsTheName()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 20'000);
        SubmitRequest request;
        request.yaml = sampleJob;
        request.name = u"of_my_own"_s;
        const QString first = submitted(*window, request);
        QVERIFY(!first.isEmpty());
        Q_EMIT window->jobsPane()->openRequested(first);
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(window->action("runAgain")->isEnabled(), 20'000);
        const RunPage *run = window->currentRun();
        window->action("runAgain")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != run, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().name, u"of_my_own"_s, 20'000);
    }

    // One flow: the job at a small size, and then, from its page, the whole job.
    void rehearsesTheDocument()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 20'000);
        QVERIFY(!window->action("rehearse")->isEnabled());
        QByteArray job = sampleJob;
        job.replace("from_the_window", "tried_out");
        job += "parameters: {epochs: 100, data: {a: 1}}\njobRetryCount: 3\n";
        window->newDocument(job, u"tried.yaml"_s);
        QTRY_VERIFY(window->action("rehearse")->isEnabled());
        window->action("rehearse")->trigger();
        auto *dialog = window->findChild<RehearseDialog *>();
        QVERIFY(dialog);
        QVERIFY(!dialog->gpus()); // there are none
        QVERIFY(!dialog->parameter(u"data"_s)); // it is no value of one line
        auto *epochs = dialog->parameter(u"epochs"_s);
        QVERIFY(epochs);
        QCOMPARE(epochs->placeholderText(), u"100"_s);
        QPushButton *run = nullptr;
        for (QPushButton *each : dialog->findChildren<QPushButton *>()) {
            run = each->text() == "Rehearse"_L1 ? each : run;
        }
        QVERIFY(run && run->isEnabled());
        QTest::keyClicks(epochs, u"many"_s); // it is a whole number in the document
        QVERIFY(!run->isEnabled());
        epochs->clear();
        QTest::keyClicks(epochs, u"2"_s);
        QVERIFY(run->isEnabled());
        QVERIFY2(dialog->changes().filter(u"epochs: 2 instead of 100"_s).size() == 1,
            qPrintable(dialog->changes().join(u'\n')));
        QVERIFY(dialog->changes().filter(u"10 min"_s).size() == 1);
        run->click();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().name, u"tried_out-rehearsal"_s, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 20'000);
        QCOMPARE(window->currentRun()->summary().state, State::Succeeded);
        QCOMPARE(window->currentRun()->summary().parameters.value(u"epochs"_s).toInt(), 2);
        // Its page leads on, and what differs is to be seen before the whole job runs.
        const auto offer = [&window] { // the page shows it when it knows that this is a rehearsal
            const RunPage *page = window->currentRun();
            auto *button = page ? page->findChild<QPushButton *>(u"submitOriginal"_s) : nullptr;
            return button && button->isVisible() ? button : nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(offer(), 20'000);
        offer()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 20'000);
        QCOMPARE(window->currentDesigner()->bytes(), job);
        QTRY_VERIFY_WITH_TIMEOUT(window->action("run")->isEnabled(), 20'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QDialog *>(u"originalDialog"_s), 20'000);
        auto *asking = window->findChild<QDialog *>(u"originalDialog"_s);
        const auto *view = asking->findChild<DiffView *>();
        QVERIFY(view && view->changeCount() > 0);
        asking->reject();
        QTRY_VERIFY(!window->findChild<QDialog *>(u"originalDialog"_s));
        QVERIFY(window->currentDesigner()); // nothing runs
    }

    // The job is for a machine with more GPUs: it stays as it is, and the rehearsal has as many as there are here.
    void offersARehearsalWithFewerGpus()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 20'000);
        QByteArray job = sampleJob;
        QVERIFY(job.contains("gpu: 0"));
        job.replace("from_the_window", "large").replace("gpu: 0", "gpu: 99");
        window->newDocument(job, u"large.yaml"_s);
        DesignerPage *designer = window->currentDesigner();
        QTRY_VERIFY(window->action("rehearse")->isEnabled());
        window->action("rehearse")->trigger();
        auto *dialog = window->findChild<RehearseDialog *>();
        QVERIFY(dialog && dialog->gpus());
        const auto buttons = dialog->findChildren<QPushButton *>();
        const auto run = std::find_if(
            buttons.cbegin(), buttons.cend(), [](const QPushButton *each) { return each->text() == "Rehearse"_L1; });
        QVERIFY(run != buttons.cend());
        (*run)->click();
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QPushButton *>(u"fewerGpus"_s), 20'000);
        QVERIFY(!window->findChild<QPushButton *>(u"refusalFix"_s));
        auto *fewer = window->findChild<QPushButton *>(u"fewerGpus"_s);
        QVERIFY2(fewer->text().startsWith("Rehearse with"_L1), qPrintable(fewer->text()));
        QTRY_VERIFY(fewer->isVisible());
        fewer->click();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().name, u"large-rehearsal"_s, 20'000);
        QCOMPARE(designer->bytes(), job);
    }

    // The file where it has that text, and the text where the file has become another one.
    void opensTheOriginal()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 20'000);
        SubmitRequest request;
        request.file = m_fixture.write(u"original.pai.yaml"_s, sampleJob);
        request.original = sampleJob;
        request.yaml = QByteArray(sampleJob).replace("from_the_window", "from_the_window-rehearsal");
        const QString rehearsal = submitted(*window, request);
        QVERIFY(!rehearsal.isEmpty());
        request.original.clear();
        const QString plain = submitted(*window, request);
        QVERIFY(!plain.isEmpty());

        QAction *open = window->action("submitOriginal");
        QVERIFY(!open->isEnabled());
        Q_EMIT window->jobsPane()->openRequested(plain);
        QTRY_VERIFY_WITH_TIMEOUT(window->action("editAsNew")->isEnabled(), 20'000);
        QVERIFY(!open->isEnabled());
        Q_EMIT window->jobsPane()->openRequested(rehearsal);
        QTRY_VERIFY_WITH_TIMEOUT(open->isEnabled(), 20'000);
        open->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 20'000);
        QCOMPARE(window->currentDesigner()->displayName(), u"original.pai.yaml"_s);
        QCOMPARE(window->currentDesigner()->bytes(), sampleJob);

        m_fixture.write(u"original.pai.yaml"_s, QByteArray(sampleJob).replace("hello", "goodbye"));
        Q_EMIT window->jobsPane()->openRequested(rehearsal);
        QTRY_VERIFY_WITH_TIMEOUT(open->isEnabled(), 20'000);
        DesignerPage *before = window->currentDesigner();
        open->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner() && window->currentDesigner() != before, 20'000);
        QCOMPARE(window->currentDesigner()->displayName(), u"from_the_window.pai.yaml"_s);
        QCOMPARE(window->currentDesigner()->bytes(), sampleJob);
    }

    // As of a job that was submitted by promote.
    void theRunHasItsRehearsal()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 20'000);
        SubmitRequest request;
        request.original = sampleJob;
        request.yaml = QByteArray(sampleJob).replace("from_the_window", "from_the_window-rehearsal");
        const QString rehearsal = submitted(*window, request);
        QVERIFY(!rehearsal.isEmpty());
        Q_EMIT window->jobsPane()->openRequested(rehearsal);
        QTRY_VERIFY_WITH_TIMEOUT(window->action("submitOriginal")->isEnabled(), 20'000);
        window->action("submitOriginal")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 20'000);

        const auto newest = [&window](const QString &unlike) {
            const QList<JobSummary> jobs = window->client()->jobs();
            const auto found = std::find_if(jobs.cbegin(), jobs.cend(),
                [&unlike](const JobSummary &job) { return job.name == "from_the_window"_L1 && job.uuid != unlike; });
            return found == jobs.cend() ? QString() : found->uuid;
        };
        const auto detailOf = [&window](const QString &uuid) {
            std::optional<Result<JobDetail>> reply;
            window->client()->call<api::GetJob>(
                {uuid}, window.get(), [&reply](const Result<JobDetail> &result) { reply = result; });
            return QTest::qWaitFor([&reply] { return reply.has_value(); }, 20'000) && *reply ? **reply : JobDetail();
        };
        const QString before = newest({}); // of another test
        QTRY_VERIFY_WITH_TIMEOUT(window->action("run")->isEnabled(), 20'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QPushButton *>(u"originalAccept"_s), 20'000);
        QVERIFY(newest(before).isEmpty());
        window->findChild<QPushButton *>(u"originalAccept"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!newest(before).isEmpty(), 20'000);
        const QString first = newest(before);
        const JobDetail run = detailOf(first);
        QVERIFY(run.rehearsal);
        QCOMPARE(run.rehearsal->uuid, rehearsal);
        const JobDetail tried = detailOf(rehearsal);
        QVERIFY(tried.promoted);
        QCOMPARE(tried.promoted->uuid, first);
    }

    void numberHasIt()
    {
        RunPage page;
        JobDetail job = detailOfRun();
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
