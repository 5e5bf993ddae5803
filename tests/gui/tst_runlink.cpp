// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/refreshpace.h"
#include "app/gui/pages/runlink.h"
#include "engine/api/reasons.h"
#include "engine/client/engineclient.h"
#include "tests/daemon/fakeengine.h"
#include "tests/gui/runpagetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/runpage.h"

#include <QJsonArray>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

using namespace trainyard;

namespace
{

constexpr RefreshPace::Times hourApart{0, 3'600'000, 36'000'000};

// When the next question is due, in ms; nothing while none is planned.
std::optional<int> plannedOf(const QObject &owner)
{
    const auto timers = owner.findChildren<QTimer *>();
    for (const QTimer *each : timers) {
        if (each->isActive()) {
            return each->remainingTime();
        }
    }
    return std::nullopt;
}

// A page of a run beside an engine that counts how often its job is asked for.
class LinkedRun
{
public:
    explicit LinkedRun(const JobDetail &told) : detail(told), m_engine(m_folder.filePath(QStringLiteral("s")))
    {
        m_engine.onQuestion = [this](const QString &method, const QJsonObject &) -> std::optional<QJsonValue> {
            if (method != api::GetJob::name) {
                return std::nullopt;
            }
            ++asked;
            return detail.toJson();
        };
        auto socket = std::make_unique<QLocalSocket>();
        socket->connectToServer(m_folder.filePath(QStringLiteral("s")));
        QVERIFY(socket->waitForConnected());
        m_client.startWith(std::make_unique<LocalSocketConnection>(std::move(socket)));
        QTRY_COMPARE(m_client.status(), EngineClient::Status::Ready);
        link = new RunLink(&m_client, detail.summary.uuid, &page);
        settle();
    }

    // Until all that was told before has arrived, and what was asked for because of it.
    void settle()
    {
        for (int round = 0; round < 2; ++round) {
            bool isAnswered = false;
            m_client.call<api::GetJob>({detail.summary.uuid}, &page,
                [&isAnswered](const Result<JobDetail> &answer) { isAnswered = bool(answer); });
            QTRY_VERIFY(isAnswered);
            --asked;
        }
    }

    void tell(const TaskInfo &task)
    {
        m_engine.tell(QStringLiteral("tasks"),
            {{QStringLiteral("id"), detail.summary.uuid}, {QStringLiteral("tasks"), QJsonArray{task.toJson()}}});
        settle();
    }

    void tell(State state)
    {
        detail.summary.state = state;
        m_engine.tell(QStringLiteral("job"), {{QStringLiteral("job"), detail.summary.toJson()}});
        settle();
    }

    JobDetail detail;
    int asked = 0;
    RunPage page;
    RunLink *link = nullptr;

private:
    QTemporaryDir m_folder;
    FakeEngine m_engine;
    EngineClient m_client;
};

} // namespace

// How often the page of a run asks the engine about its job.
class TstRunLink : public RunPageTests
{
    Q_OBJECT

private Q_SLOTS:
    void changesOfAMomentAreOneQuestion();
    void changeDuringAQuestionIsAskedForAfterIt();
    void hiddenPageAsksWhenItIsShown();
    void minimizedPageAsksSeldom();
    void progressIsNotAskedFor();
    void endIsReadBehindOtherPages();

private:
    static JobDetail keeping()
    {
        JobDetail detail = detailOf(State::Running);
        detail.yaml = "extras:\n  trainyard:\n    holdAfterFailureMinutes: 30\n";
        return detail;
    }

    static TaskInfo running(int index)
    {
        TaskInfo task;
        task.role = QStringLiteral("worker");
        task.index = index;
        task.state = State::Running;
        return task;
    }
};

void TstRunLink::changesOfAMomentAreOneQuestion()
{
    QWidget page;
    page.show();
    RefreshPace pace(&page, hourApart);
    QSignalSpy due(&pace, &RefreshPace::due);
    connect(&pace, &RefreshPace::due, &pace, &RefreshPace::asked);
    for (int i = 0; i < 100; ++i) {
        pace.noteChange();
    }
    QTRY_COMPARE(due.size(), 1);
    pace.answered();
    QVERIFY(!plannedOf(pace));
    for (int i = 0; i < 100; ++i) {
        pace.noteChange();
    }
    QVERIFY(plannedOf(pace) && *plannedOf(pace) > hourApart.pauseMs / 2); // not lost, and not at once
    QCOMPARE(due.size(), 1);
}

void TstRunLink::changeDuringAQuestionIsAskedForAfterIt()
{
    QWidget page;
    page.show();
    RefreshPace pace(&page, {0, 0, 0});
    QSignalSpy due(&pace, &RefreshPace::due);
    pace.asked();
    pace.asked(); // such as by hand
    pace.noteChange();
    pace.answered();
    QVERIFY(!plannedOf(pace));
    pace.answered();
    QTRY_COMPARE(due.size(), 1);
}

void TstRunLink::hiddenPageAsksWhenItIsShown()
{
    QWidget page;
    RefreshPace pace(&page, {3'600'000, 0, 0});
    QSignalSpy due(&pace, &RefreshPace::due);
    connect(&pace, &RefreshPace::due, &pace, &RefreshPace::asked);
    pace.noteChange();
    QVERIFY(!plannedOf(pace));
    page.show();
    QTRY_COMPARE(due.size(), 1); // at once: it has waited
    pace.answered();
    pace.noteChange();
    QVERIFY(plannedOf(pace));
    page.hide();
    QVERIFY(!plannedOf(pace));
    page.show();
    QTRY_COMPARE(due.size(), 2);
    pace.answered();
    page.hide();
    page.show();
    QVERIFY(!plannedOf(pace)); // nothing has changed
}

void TstRunLink::minimizedPageAsksSeldom()
{
    QWidget page;
    page.showMinimized();
    RefreshPace pace(&page, hourApart);
    pace.asked();
    pace.answered();
    pace.noteChange();
    QVERIFY(plannedOf(pace) && *plannedOf(pace) > hourApart.pauseMs);
    page.showNormal();
    QTRY_VERIFY(plannedOf(pace) && *plannedOf(pace) <= hourApart.pauseMs);
}

// The page asks when a task is kept after its commands failed, and not for the progress of a task.
void TstRunLink::progressIsNotAskedFor()
{
    LinkedRun run(keeping());
    run.page.show();
    TaskInfo task = running(0);
    run.tell(task);
    QTRY_COMPARE(run.asked, 2); // with the one of the beginning
    run.settle();
    task.progress = 0.5;
    task.usage.gpuPercent = 1;
    run.tell(task);
    QVERIFY(!plannedOf(*run.page.findChild<RefreshPace *>()));
    task.reason = reason::TaskKept::code;
    run.tell(task);
    QVERIFY(plannedOf(*run.page.findChild<RefreshPace *>()));
    QTRY_COMPARE(run.asked, 3);
}

// The engine may be gone when the page is shown.
void TstRunLink::endIsReadBehindOtherPages()
{
    LinkedRun run(keeping());
    QVERIFY(!run.page.isVisible());
    run.tell(running(0));
    run.tell(State::Stopping);
    QCOMPARE(run.asked, 1);
    run.tell(State::Failed);
    QCOMPARE(run.asked, 2);
    run.page.show();
    run.settle();
    QVERIFY(!plannedOf(*run.page.findChild<RefreshPace *>())); // all is known
}

TRAINYARD_GUI_TEST(TstRunLink)
#include "tst_runlink.moc"
