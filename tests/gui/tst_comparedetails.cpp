// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/pages/comparetab.h"
#include "engine/api/foreignid.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/runpick.h"
#include "widgets/compare/scatterview.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 detailsStart = 1'700'000'000'000;

JobSummary detailsJob(qint64 id, State state, std::optional<qint64> launched)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-%1"_s.arg(id);
    job.name = u"net"_s;
    job.state = state;
    job.submitted = detailsStart;
    job.launched = launched;
    if (isFinal(state)) {
        job.completed = detailsStart + 60'000;
    }
    job.parameters = {{u"seconds"_s, 7 + id}};
    return job;
}

QJsonObject detailsRecord(const QString &commit)
{
    return {{u"git"_s, QJsonObject{{u"commit"_s, commit}}},
        {u"python"_s, QJsonObject{{u"packages"_s, QJsonObject{{u"numpy"_s, u"1.26"_s}}}}}};
}

QStringList detailsRows(const QTreeWidget *facts)
{
    QStringList rows;
    for (int i = 0; i < facts->topLevelItemCount(); ++i) {
        rows.append(facts->topLevelItem(i)->text(0));
    }
    return rows;
}

} // namespace

// Two runs of a comparison beside each other.
class TstCompareDetails : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }
    void whatIsNotKnownDoesNotDiffer_data();
    void whatIsNotKnownDoesNotDiffer();
    void equalTimesAreLeftOut();
    void aStartChangesWhatIsTold();
    void timesAreThoseOfAllAttempts();
    void runFromFilesIsOverAndHasNoText();
    void runsWithoutTheParameterAreCounted();
    void captionsKeepTheNumber_data();
    void captionsKeepTheNumber();
    void fieldsShowWhichRunTheyMean();
    void columnsShareTheRoom();
    void surroundingsOfLaterRunsAreRead();

private:
    WindowFixture m_fixture;
};

void TstCompareDetails::whatIsNotKnownDoesNotDiffer_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<bool>("hasStarted");
    QTest::addColumn<QString>("told");
    QTest::newRow("waits") << State::Waiting << false << u"Not started yet: #2."_s;
    QTest::newRow("stopped before") << State::Stopped << false << u"Never started: #2."_s;
    QTest::newRow("has just started") << State::Running << true
                                      << u"Nothing has been recorded yet about git, packages, driver and GPUs of #2"_s;
    QTest::newRow("nothing captured") << State::Succeeded << true
                                      << u"Nothing was recorded about git, packages, driver and GPUs of #2"_s;
}

void TstCompareDetails::whatIsNotKnownDoesNotDiffer()
{
    QFETCH(State, state);
    QFETCH(bool, hasStarted);
    QFETCH(QString, told);
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs({detailsJob(1, State::Succeeded, detailsStart),
        detailsJob(2, state, hasStarted ? std::optional(detailsStart) : std::nullopt)});
    runs.setEnvironment(u"uuid-1"_s, detailsRecord(u"abc"_s));
    QTRY_COMPARE(runs.table().of(CompareFact::Kind::Environment, true).size(), 2);
    details.showTab(CompareDetails::ElseTab);
    const QStringList rows = detailsRows(details.surroundings());
    QVERIFY2(rows.first().startsWith(told), qPrintable(rows.first()));
    // Both were submitted at the same time.
    const bool isOver = state == State::Succeeded;
    QCOMPARE(rows.sliced(1),
        isOver           ? QStringList()
            : hasStarted ? QStringList{u"Took"_s}
                         : (QStringList{u"Started"_s, u"Took"_s}));
    // When it is known, it is compared.
    runs.setEnvironment(u"uuid-2"_s, detailsRecord(u"def"_s));
    QTRY_VERIFY(detailsRows(details.surroundings()).contains(u"git.commit"_s));
    QCOMPARE(details.surroundings()->topLevelItemCount(), rows.size());
    details.findChild<QCheckBox *>()->setChecked(true); // equal ones, too
    const QStringList all = detailsRows(details.surroundings());
    QVERIFY2(all.contains(u"Submitted"_s) && all.contains(u"Started"_s), qPrintable(all.join(u' ')));
}

// Jobs of one sweep are submitted within a second: rows that say the same twice show no difference.
void TstCompareDetails::equalTimesAreLeftOut()
{
    JobSummary one = detailsJob(1, State::Succeeded, detailsStart), other = one;
    other.id = 2;
    other.uuid = u"uuid-2"_s;
    other.submitted += 5;
    *other.launched += 7;
    *other.completed += 9;
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs({one, other});
    for (const QString &uuid : {u"uuid-1"_s, u"uuid-2"_s}) {
        runs.setEnvironment(uuid, detailsRecord(u"abc"_s));
    }
    details.showTab(CompareDetails::ElseTab);
    QTRY_COMPARE(detailsRows(details.surroundings()), QStringList());
    details.findChild<QCheckBox *>()->setChecked(true);
    QVERIFY(detailsRows(details.surroundings()).contains(u"Took"_s));
}

// As the list of jobs shows them.
void TstCompareDetails::timesAreThoseOfAllAttempts()
{
    JobSummary retried = detailsJob(1, State::Succeeded, detailsStart);
    retried.formerMs = 60'000;
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs({retried, detailsJob(2, State::Succeeded, detailsStart)});
    details.showTab(CompareDetails::ElseTab);
    const qsizetype took = detailsRows(details.surroundings()).indexOf(u"Took"_s);
    QVERIFY(took >= 0);
    const QTreeWidgetItem *row = details.surroundings()->topLevelItem(int(took));
    QCOMPARE(row->text(1), clockText(120'000));
    QCOMPARE(row->text(2), clockText(60'000));
}

void TstCompareDetails::aStartChangesWhatIsTold()
{
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs({detailsJob(1, State::Succeeded, detailsStart), detailsJob(2, State::Waiting, std::nullopt)});
    details.showTab(CompareDetails::ElseTab);
    QVERIFY(detailsRows(details.surroundings()).first().contains(u"Not started yet: #2"_s));
    runs.apply(detailsJob(2, State::Running, detailsStart));
    QTRY_VERIFY(detailsRows(details.surroundings()).filter(u"Not started"_s).isEmpty());
    QVERIFY(!detailsRows(details.surroundings())
                 .filter(u"Nothing has been recorded yet about git, packages, driver and GPUs of #2"_s)
                 .isEmpty());
}

// Also where its files do not say how it ended.
void TstCompareDetails::runFromFilesIsOverAndHasNoText()
{
    JobSummary foreign = detailsJob(0, State::Unknown, detailsStart);
    foreign.uuid = foreignPrefix + u"1"_s;
    foreign.name = u"metrics.csv"_s;
    foreign.completed = detailsStart;
    JobSummary ours = detailsJob(1, State::Succeeded, detailsStart);
    ours.target = u"pool"_s;
    ComparePage page;
    page.show();
    page.runs()->setJobs({ours, foreign});
    page.runs()->setText(ours.uuid, "a: 1\nb: 2\n");
    QTRY_COMPARE(page.runs()->table().of(CompareFact::Kind::Configuration, true).size(), 2);
    const auto says = [&page](const QString &text) {
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [&text](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    };
    QVERIFY(says(u"metrics.csv was read from files"_s));
    QVERIFY(!says(u"not been read yet"_s));
    QVERIFY(!says(u"50 %"_s));
    const auto *bar = page.findChild<ProgressBar *>();
    QVERIFY(bar && !bar->isVisible());
    const auto buttons = page.table()->findChildren<QAbstractButton *>();
    for (const QAbstractButton *button : buttons) {
        QVERIFY2(!button->isVisible() || !button->text().contains(u"setting"_s), qPrintable(button->text()));
    }
    // What its files do not say is no state and no time.
    const QAbstractItemModel *table = page.table()->filter();
    for (int row = 0; row < table->rowCount(); ++row) {
        const bool isOurs = table->index(row, int(CompareModel::Part::Run)).data().toString().contains(u"#1"_s);
        for (int column = 0; column < table->columnCount(); ++column) {
            const QModelIndex at = table->index(row, column);
            const CompareModel::Part part = CompareModel::partOf(at);
            if (part == CompareModel::Part::State || part == CompareModel::Part::Time) {
                QVERIFY2((at.data().toString() == u"–"_s) != isOurs, qPrintable(at.data().toString()));
            }
        }
    }
    auto *details = page.findChild<CompareDetails *>();
    QVERIFY(details);
    details->showTab(CompareDetails::ElseTab);
    const QStringList rows = detailsRows(details->surroundings());
    QVERIFY2(rows.filter(u"Never started"_s).isEmpty(), qPrintable(rows.join(u'\n')));
    QVERIFY2(rows.filter(u"Sent to"_s).isEmpty(), qPrintable(rows.join(u'\n')));
}

// By a parameter that only some have, the others have no point: how many these are is said, and whether the best one
// is.
void TstCompareDetails::runsWithoutTheParameterAreCounted()
{
    QList<JobSummary> jobs;
    for (int i = 1; i <= 4; ++i) {
        JobSummary job = detailsJob(i, State::Succeeded, detailsStart);
        job.parameters.insert(u"lr"_s, 0.1 * i);
        if (i > 2) {
            job.parameters.remove(u"seconds"_s);
        }
        job.results
            = {{u"acc"_s, QJsonObject{{u"last"_s, 0.1 * i}, {u"most"_s, 0.1 * i}, {u"least"_s, 0}, {u"step"_s, 9}}}};
        jobs.append(job);
    }
    ComparePage page;
    page.runs()->setJobs(jobs);
    auto *told = page.findChild<ElidedLabel *>(u"compareWithoutParameter"_s);
    QVERIFY(told);
    page.scatter()->setParameter(u"lr"_s);
    QCOMPARE(told->text(), QString());
    QVERIFY(told->isHidden());
    page.scatter()->setParameter(u"seconds"_s);
    QCOMPARE(page.scatter()->withoutParameter(), (QList<qsizetype>{2, 3}));
    QCOMPARE(told->text(), u"2 runs without seconds are left out, the best one, #4, among them"_s);
    QVERIFY(!told->isHidden());
    page.runs()->setJobs(jobs.first(3));
    QCOMPARE(told->text(), u"Left out, as it has no seconds: the best run, #3"_s);
    told->resize(120, told->height());
    QVERIFY2(told->shownText().endsWith(u'…'), qPrintable(told->shownText())); // words without their middle say nothing
    page.runs()->setJobs(jobs.first(2));
    QCOMPARE(told->text(), QString());
}

void TstCompareDetails::captionsKeepTheNumber_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("detail");
    QTest::newRow("both") << u"one_script-3"_s << u"learning_rate 0.01, seconds 10"_s;
    QTest::newRow("long name") << u"a_very_long_experiment_name_resnet50_imagenet"_s << u"lr 1"_s;
    QTest::newRow("no name") << QString() << u"learning_rate 0.01, seconds 10, batch 256"_s;
    QTest::newRow("no parameter") << u"a_very_long_experiment_name_resnet50_imagenet"_s << QString();
}

void TstCompareDetails::captionsKeepTheNumber()
{
    QFETCH(QString, name);
    QFETCH(QString, detail);
    const RunCaption caption{name, u"#41"_s, detail};
    const QFontMetrics letters(QGuiApplication::font());
    const int whole = letters.horizontalAdvance(caption.text());
    QCOMPARE(caption.fitted(letters, whole), caption.text());
    for (int width = whole - 1; width > letters.horizontalAdvance(u"#41: "_s) + 20; width -= 7) {
        const QString shown = caption.fitted(letters, width);
        QVERIFY2(shown.contains(u"#41"_s) && shown != caption.text(), qPrintable(shown));
        QVERIFY2(letters.horizontalAdvance(shown) <= width + 3, qPrintable(shown));
    }
    // A part that is short stays whole while the other one gives way.
    const QString most = caption.fitted(letters, whole - 1);
    QVERIFY(name.isEmpty() || detail.isEmpty() || most.startsWith(name) || most.endsWith(detail));
}

void TstCompareDetails::fieldsShowWhichRunTheyMean()
{
    QList<JobSummary> jobs{
        detailsJob(41, State::Succeeded, detailsStart), detailsJob(42, State::Succeeded, detailsStart)};
    jobs.first().name = u"one_script_with_long_name-3"_s;
    jobs.last().name = u"one_script_with_long_name-4"_s;
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs(jobs);
    details.show();
    const auto picks = details.findChildren<RunPick *>();
    QCOMPARE(picks.size(), 2);
    for (const int width : {300, 500, 700, 1400}) {
        details.resize(width, 300);
        QTRY_VERIFY(details.width() >= width);
        const QString first = picks.first()->shownText(), second = picks.last()->shownText();
        QVERIFY2(first.contains(u"#41"_s) && second.contains(u"#42"_s), qPrintable(first + u" / "_s + second));
        QVERIFY(std::abs(picks.first()->width() - picks.last()->width()) <= 1);
    }
    // With room beside it, all of it is shown.
    QCOMPARE(picks.first()->shownText(), u"one_script_with_long_name-3 #41: seconds 48"_s);
}

void TstCompareDetails::columnsShareTheRoom()
{
    CompareRuns runs;
    CompareDetails details(&runs);
    runs.setJobs({detailsJob(1, State::Succeeded, detailsStart), detailsJob(2, State::Succeeded, detailsStart)});
    details.showTab(CompareDetails::SettingsTab);
    details.show();
    for (const int width : {500, 1400}) {
        details.resize(width, 300);
        const QTreeWidget *settings = details.settings();
        QTRY_VERIFY(settings->isVisible() && settings->columnWidth(1) > 0);
        QTRY_VERIFY(std::abs(settings->columnWidth(1) - settings->columnWidth(2)) <= 1);
        QTRY_VERIFY(settings->columnWidth(0) <= settings->viewport()->width() / 3 + 1);
    }
}

// The record of a run is written after its start: a page that was open before has it nevertheless.
void TstCompareDetails::surroundingsOfLaterRunsAreRead()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    CompareTab *tab = window->findChild<RunComparisons *>()->compareGroup(u"later"_s);
    const QByteArray waits = "until [ -e '" + m_fixture.path(u"go"_s).toUtf8() + "' ]; do sleep 0.05; done";
    SubmitRequest request;
    request.yaml
        = QByteArray(sampleJob).replace("for i in 1 2 3; do echo hello $i; done", waits) + "parameters: {lr: 0.5}\n";
    request.group = u"later"_s;
    int accepted = 0;
    for (const char *lr : {"0.5", "0.1"}) {
        request.parameters = {{u"lr"_s, QString::fromLatin1(lr)}};
        window->client()->call<api::Submit>(
            request, this, [&](const Result<SubmitReply> &reply) { accepted += reply ? 1 : 0; });
    }
    QTRY_COMPARE_WITH_TIMEOUT(accepted, 2, 15'000);
    const auto known = [tab] {
        const QList<CompareRun> &runs = tab->page()->runs()->runs();
        return std::count_if(
            runs.cbegin(), runs.cend(), [](const CompareRun &run) { return !run.environment.isEmpty(); });
    };
    QTRY_COMPARE_WITH_TIMEOUT(known(), 2, 20'000);
    for (const CompareRun &run : tab->page()->runs()->runs()) {
        QCOMPARE(run.job.state, State::Running);
    }
    QVERIFY(!m_fixture.write(u"go"_s, {}).isEmpty());
    const auto ended = [tab] {
        const QList<CompareRun> &runs = tab->page()->runs()->runs();
        return std::count_if(runs.cbegin(), runs.cend(), [](const CompareRun &run) { return isFinal(run.job.state); });
    };
    QTRY_COMPARE_WITH_TIMEOUT(ended(), 2, 20'000);
}

TRAINYARD_GUI_TEST(TstCompareDetails)
#include "tst_comparedetails.moc"
