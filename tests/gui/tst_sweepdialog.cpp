// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a sweep, typed as a user types them, and what is handed over.
#include "app/gui/controllers/sweepcontroller.h"
#include "app/gui/secretsdialog.h"
#include "engine/api/formermetrics.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakevault.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparepage.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/sweep/sweepdialog.h"
#include "widgets/tasks/runpage.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSweepDialog : public QObject
{
    Q_OBJECT

    static QByteArray sweepJob()
    {
        QByteArray yaml = sampleJob;
        yaml.replace("taskRoles:", "parameters:\n  lr: 0.1\n  batch: 16\n  opt: adam\ntaskRoles:");
        yaml.replace("echo hello $i", "echo lr <% $parameters.lr %>");
        return yaml;
    }
    static std::unique_ptr<SweepDialog> dialogOf(const QByteArray &yaml)
    {
        auto dialog = std::make_unique<SweepDialog>(u"train"_s, sweepDraft(parseJob(yaml)));
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog->show();
        return dialog;
    }
    template <typename T> static T *child(const QWidget &parent, const QString &name)
    {
        return parent.findChild<T *>(name);
    }
    static void type(const QWidget &dialog, const QString &name, const QString &text)
    {
        auto *field = child<QLineEdit>(dialog, name);
        field->setFocus();
        field->clear();
        QTest::keyClicks(field, text);
    }
    static QStringList rowsOf(const QWidget &dialog)
    {
        const QAbstractItemModel *model = child<QTreeView>(dialog, u"sweepJobs"_s)->model();
        QStringList rows;
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column) {
                cells.append(model->index(row, column).data().toString());
            }
            rows.append(cells.join(u' '));
        }
        return rows;
    }
    // Under the fields.
    static QStringList notesOf(const QWidget &dialog)
    {
        QStringList texts;
        for (const ElidedLabel *note : dialog.findChildren<ElidedLabel *>()) {
            texts.append(note->text());
        }
        texts.append(child<QLabel>(dialog, u"sweepGroupNote"_s)->text());
        return texts;
    }
    static bool says(const QWidget &dialog, const QString &text)
    {
        const QList<QLabel *> labels = dialog.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folders.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    // A few parameters need no scroll bar beside them.
    void fewParametersAreAllInSight()
    {
        QByteArray yaml = "protocolVersion: 2\nname: j\ntype: job\nparameters:\n";
        for (int i = 0; i < 6; ++i) {
            yaml += "  p" + QByteArray::number(i) + ": 1\n";
        }
        yaml += "taskRoles: {w: {resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}, commands: [a]}}\n";
        SweepDialog dialog(u"j"_s, sweepDraft(parseJob(yaml)));
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto *scroll = dialog.findChild<QScrollArea *>();
        QVERIFY(scroll);
        QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
    }

    void jobsThatWereHandedOver()
    {
        QCOMPARE(SweepController::begunText(1, u"lr"_s),
            u"The first job of the group lr is submitted; Run submits the others."_s);
        QCOMPARE(SweepController::begunText(7, u"lr"_s),
            u"The first 7 jobs of the group lr are submitted; Run submits the others."_s);
    }

    void jobsAreShownAsTyped()
    {
        const auto dialog = dialogOf(sweepJob());
        auto *run = child<QPushButton>(*dialog, u"sweepRun"_s);
        QVERIFY(!run->isEnabled());
        QVERIFY(says(*dialog, u"Write values for at least one parameter"_s));
        QVERIFY(child<EmptyState>(*dialog, u"sweepNone"_s)->isVisible());
        type(*dialog, u"values-lr"_s, u"1e-3..1e-1:log:3"_s);
        QVERIFY(child<QCheckBox>(*dialog, u"sweep-lr"_s)->isChecked());
        type(*dialog, u"values-opt"_s, u"adam,sgd"_s);
        QVERIFY(!child<EmptyState>(*dialog, u"sweepNone"_s)->isVisible());
        QCOMPARE(rowsOf(*dialog).size(), 6);
        QCOMPARE(rowsOf(*dialog).first(), u"from_the_window-1 0.001 adam"_s);
        QCOMPARE(run->text(), u"Run 6 jobs"_s);
        QVERIFY(run->isEnabled());
        QVERIFY(says(*dialog, u"Each asks for 1 CPU core, 16 MiB of memory. At most 6 run"_s));
        child<QSpinBox>(*dialog, u"sweepLimit"_s)->setValue(2);
        QVERIFY(says(*dialog, u"At most 2 run at the same time, with 2 CPU cores, 32 MiB of memory."_s));
        QVERIFY(!says(*dialog, u"The hosts have"_s)); // it is not known
        // What is taken back is not lost.
        QTest::mouseClick(child<QCheckBox>(*dialog, u"sweep-opt"_s), Qt::LeftButton, {}, {5, 8});
        QCOMPARE(rowsOf(*dialog).size(), 3);
        QCOMPARE(child<QLineEdit>(*dialog, u"values-opt"_s)->text(), u"adam,sgd"_s);
    }

    // More at a time than there are cores for is said, not refused: cores are shared. What has no memory waits.
    void roomOfTheHostsIsSaid()
    {
        SweepDraft draft = sweepDraft(parseJob(sweepJob()));
        draft.room = 1;
        draft.placed = 2;
        SweepDialog dialog(u"train"_s, draft);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        type(dialog, u"values-lr"_s, u"0.1, 0.2, 0.3"_s);
        QVERIFY(says(dialog, u"3 jobs, 2 at a time"_s));
        QVERIFY(says(dialog, u"At most 2 run at the same time, with 2 CPU cores, 32 MiB of memory."_s));
        QVERIFY(says(dialog, u"The hosts have memory for 2 of them at a time; the others wait."_s));
        QVERIFY(says(dialog, u"The hosts have CPU cores for 1 of them; more share the cores"_s));
        child<QSpinBox>(dialog, u"sweepLimit"_s)->setValue(2);
        QVERIFY(!says(dialog, u"The hosts have memory"_s));
        child<QSpinBox>(dialog, u"sweepLimit"_s)->setValue(1);
        QVERIFY(!says(dialog, u"The hosts have"_s));
    }

    // Said of several jobs, and only where they work in one folder.
    void saysThatTheFolderIsShared()
    {
        SweepDraft draft = sweepDraft(parseJob(sweepJob()));
        draft.sharesFolder = true;
        SweepDialog dialog(u"train"_s, draft);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        type(dialog, u"values-lr"_s, u"0.1"_s);
        QVERIFY(!says(dialog, u"$TRAINYARD_JOB_ID"_s));
        type(dialog, u"values-lr"_s, u"0.1,0.2"_s);
        QVERIFY(says(dialog, u"$TRAINYARD_JOB_ID"_s));
        const auto own = dialogOf(sweepJob());
        type(*own, u"values-lr"_s, u"0.1,0.2"_s);
        QVERIFY(!says(*own, u"$TRAINYARD_JOB_ID"_s));
    }

    void valuesAreReadInFull()
    {
        const auto dialog = dialogOf(sweepJob());
        type(*dialog, u"values-lr"_s, u"0.1, 0.003, 0.00012"_s);
        const auto *table = child<QTreeView>(*dialog, u"sweepJobs"_s);
        const QFontMetrics text = table->fontMetrics();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                const QModelIndex at = table->model()->index(row, column);
                const int wanted = text.horizontalAdvance(at.data().toString()) + 2 * metrics::space2;
                QVERIFY2(table->columnWidth(column) >= wanted, qPrintable(at.data().toString()));
            }
        }
    }

    void mistakesStandUnderTheirFields()
    {
        const auto dialog = dialogOf(sweepJob());
        auto *run = child<QPushButton>(*dialog, u"sweepRun"_s);
        type(*dialog, u"values-lr"_s, u"0.003; 0.01 0.03"_s);
        QVERIFY(says(*dialog, u"Write commas between values."_s));
        QVERIFY(!run->isEnabled());
        type(*dialog, u"values-lr"_s, u"0.1,two"_s);
        QVERIFY(says(*dialog, u"'two' is not a number"_s));
        QVERIFY(!run->isEnabled());
        type(*dialog, u"values-lr"_s, u"0..1:lin:2000"_s);
        type(*dialog, u"values-batch"_s, u"1..10"_s);
        QVERIFY(says(*dialog, u"The sweep has 20000 jobs; at most 10000"_s));
        QVERIFY(!run->isEnabled());
        type(*dialog, u"values-batch"_s, u"16,32"_s);
        type(*dialog, u"values-lr"_s, u"0.1,0.2"_s);
        QVERIFY(run->isEnabled());
        type(*dialog, u"sweepRule"_s, u"loss"_s);
        QVERIFY(says(*dialog, u"is not a metric and a step"_s));
        QVERIFY(!run->isEnabled());
        type(*dialog, u"sweepRule"_s, u"loss@100"_s);
        QVERIFY(run->isEnabled());
        type(*dialog, u"sweepGroup"_s, u"my group"_s);
        QVERIFY(says(*dialog, u"is not a valid name for a group"_s));
        QVERIFY(!run->isEnabled());
    }

    // A rule that stops no job says so before anything is submitted.
    void rulesSayWhatTheyComeTo_data()
    {
        QTest::addColumn<QStringList>("known");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("note"); // under the field
        QTest::addColumn<QString>("right");
        const QStringList metrics{u"acc"_s, u"loss"_s};
        const QString three = u"0.1,0.2,0.3"_s, six = u"0.1,0.2,0.3,0.4,0.5,0.6"_s;
        const QString when = u" A job is judged once 5 others have reached step 3."_s;
        const QString judged = u"Of loss, less is better."_s + when;
        const QString few = u"Stops no job: it takes 6 jobs or more."_s;
        QTest::newRow("works") << metrics << u"loss@3"_s << six << judged << judged;
        QTest::newRow("more is better") << metrics << u"acc@3"_s << six << QString(u"Of acc, more is better."_s + when)
                                        << QString(u"Of acc, more is better."_s + when);
        QTest::newRow("as the rule says")
            << metrics << u"+loss@3"_s << six << QString(u"Of loss, more is better."_s + when)
            << QString(u"Of loss, more is better."_s + when);
        const QString misspelt = u"Of lss, more is better."_s + when;
        QTest::newRow("no former run") << QStringList() << u"lss@3"_s << six << misspelt << misspelt;
        QTest::newRow("too few") << metrics << u"loss@3"_s << three << few << QString(few + u' ' + judged);
        QTest::newRow("misspelt") << metrics << u"lss@3"_s << six
                                  << u"No former run has a metric lss; did you mean loss?"_s
                                  << u"No former run has a metric lss; did you mean loss? "_s + misspelt;
        QTest::newRow("unknown") << metrics << u"-perplexity@3"_s << three
                                 << u"No former run has a metric perplexity."_s
                                 << QString(u"No former run has a metric perplexity. "_s + few + u' '
                                        + u"Of perplexity, less is better."_s + when);
    }
    void rulesSayWhatTheyComeTo()
    {
        QFETCH(const QStringList, known);
        QFETCH(const QString, rule);
        QFETCH(const QString, values);
        QFETCH(const QString, note);
        QFETCH(const QString, right);
        SweepDraft draft = sweepDraft(parseJob(sweepJob()));
        for (const QString &metric : known) {
            draft.former.runs.insert(metric, 4);
        }
        draft.former.all = known.isEmpty() ? 0 : 4;
        draft.former.newest = known;
        SweepDialog dialog(u"train"_s, draft);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        type(dialog, u"values-lr"_s, values);
        QVERIFY(!child<QLabel>(dialog, u"sweepRuleNote"_s)->isVisible());
        type(dialog, u"sweepRule"_s, rule);
        QVERIFY2(notesOf(dialog).contains(note), qPrintable(notesOf(dialog).join(u'|')));
        QCOMPARE(child<QLabel>(dialog, u"sweepRuleNote"_s)->text(), right);
        QVERIFY(child<QPushButton>(dialog, u"sweepRun"_s)->isEnabled());
    }

    void metricsOfFormerRuns()
    {
        JobSummary ofFile, ofName, ofSweep, other;
        ofFile.file = u"/home/ada/train.pai.yaml"_s;
        ofFile.results = {{u"loss"_s, QJsonObject()}};
        ofName.name = u"train"_s;
        ofName.results = {{u"acc"_s, QJsonObject()}, {u"loss"_s, QJsonObject()}};
        ofSweep.name = u"train-1"_s;
        ofSweep.group = u"train"_s;
        ofSweep.results = {{u"f1"_s, QJsonObject()}};
        other.name = u"other"_s;
        other.results = {{u"bleu"_s, QJsonObject()}};
        const QList<JobSummary> jobs{ofFile, ofName, ofSweep, other};
        QCOMPARE(metricsOfRuns(jobs, ofFile.file, u"train"_s), (QStringList{u"acc"_s, u"f1"_s, u"loss"_s}));
        QCOMPARE(metricsOfRuns(jobs, {}, u"new"_s), QStringList());
    }

    // A few runs with another setting had it: a rule for it would likely stop none of these jobs.
    void rareMetricsAreTold()
    {
        QList<JobSummary> jobs;
        for (qint64 id = 1; id <= 6; ++id) {
            JobSummary job;
            job.id = id;
            job.name = u"train"_s;
            job.state = State::Succeeded;
            job.results = {{u"loss"_s, QJsonObject()}};
            jobs.append(job);
        }
        jobs[1].results.insert(u"val_loss"_s, QJsonObject());
        jobs[2].results.insert(u"val_loss"_s, QJsonObject());
        jobs[5].state = State::Failed; // before its first value of it
        jobs[4].results.insert(u"f1"_s, QJsonObject());
        SweepDraft draft = sweepDraft(parseJob(sweepJob()));
        draft.former = formerMetrics(jobs, {}, u"train"_s);
        QVERIFY(draft.former.isRare(u"val_loss"_s));
        QVERIFY(!draft.former.isRare(u"loss"_s));
        QVERIFY(!draft.former.isRare(u"f1"_s)); // the newest run that succeeded has it
        QVERIFY(!draft.former.isRare(u"bleu"_s)); // none has it, which is told otherwise
        SweepDialog dialog(u"train"_s, draft);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        type(dialog, u"values-lr"_s, u"0.1,0.2,0.3,0.4,0.5,0.6"_s);
        const QString note = u"Only 2 of 6 former runs have a metric val_loss."_s;
        type(dialog, u"sweepRule"_s, u"f1@60"_s);
        QVERIFY(!notesOf(dialog).contains(note));
        type(dialog, u"sweepRule"_s, u"val_loss@60"_s);
        QVERIFY2(notesOf(dialog).contains(note), qPrintable(notesOf(dialog).join(u'|')));
        QVERIFY(child<QLabel>(dialog, u"sweepRuleNote"_s)->text().startsWith(note));
        QVERIFY(child<QPushButton>(dialog, u"sweepRun"_s)->isEnabled());
    }

    // Under the field is what is wrong, and at the right the whole sentence; an empty value is called one.
    void notesAreWhole()
    {
        QByteArray yaml = sweepJob();
        yaml.replace("opt: adam", "opt: ''");
        const auto dialog = dialogOf(yaml);
        const auto notes = [&dialog] { return notesOf(*dialog); };
        QVERIFY2(notes().contains(u"Empty in the document"_s), qPrintable(notes().join(u'|')));
        type(*dialog, u"values-lr"_s, u"1e-2..1e-1:lg:3"_s);
        QVERIFY(says(*dialog, u"For lr, write a number greater than 0, or lin:N or log:N for N values."_s));
        QVERIFY2(notes().contains(u"'lg:3' is not the step of a range."_s), qPrintable(notes().join(u'|')));
    }

    // Whoever types into the next row finds it where it was, and the other rows are not said to be empty.
    void nothingMovesWhileOneTypes()
    {
        const auto dialog = dialogOf(sweepJob());
        const auto *batch = child<QLineEdit>(*dialog, u"values-batch"_s);
        const auto *rule = child<QLineEdit>(*dialog, u"sweepRule"_s);
        QVERIFY(batch->placeholderText().contains(u"16, 32"_s));
        QVERIFY(child<QLineEdit>(*dialog, u"values-lr"_s)->placeholderText().contains(u"1e-4..1e-1:log:4"_s));
        QTRY_VERIFY(batch->isVisible());
        const auto placeOf = [&](const QWidget *field) { return field->mapTo(dialog.get(), QPoint(0, 0)); };
        const QPoint before = placeOf(batch), ruleBefore = placeOf(rule);
        type(*dialog, u"values-opt"_s, u"adam,sgd"_s);
        type(*dialog, u"values-lr"_s, u"0.1,two"_s);
        QCoreApplication::processEvents();
        QCOMPARE(placeOf(batch), before);
        QCOMPARE(placeOf(rule), ruleBefore);
        const QString head = child<QLabel>(*dialog, u"sweepHead"_s)->text();
        QVERIFY2(head.contains("lr"_L1) && !head.contains("at least one"_L1), qPrintable(head));
    }

    void waysToCombine()
    {
        const auto dialog = dialogOf(sweepJob());
        type(*dialog, u"values-lr"_s, u"0.1,0.2"_s);
        type(*dialog, u"values-batch"_s, u"16,32"_s);
        auto *kind = child<SegmentedControl>(*dialog, u"sweepKind"_s);
        kind->setCurrentIndex(1);
        QCOMPARE(rowsOf(*dialog), (QStringList{u"from_the_window-1 0.1 16"_s, u"from_the_window-2 0.2 32"_s}));
        kind->setCurrentIndex(2);
        QVERIFY(child<QSpinBox>(*dialog, u"sweepSeed"_s)->isVisible());
        QVERIFY(says(*dialog, u"10 different jobs cannot be drawn: there are 4."_s));
        child<QSpinBox>(*dialog, u"sweepCount"_s)->setValue(3);
        const QStringList drawn = rowsOf(*dialog);
        QCOMPARE(drawn.size(), 3);
        child<QSpinBox>(*dialog, u"sweepSeed"_s)->setValue(77);
        QVERIFY(rowsOf(*dialog) != drawn);
        child<QSpinBox>(*dialog, u"sweepSeed"_s)->setValue(1);
        QCOMPARE(rowsOf(*dialog), drawn);
    }

    // A range with a count is one to draw from: its count is that of no jobs.
    void saysWhatRandomValuesAreDrawnFrom()
    {
        const auto dialog = dialogOf(sweepJob());
        type(*dialog, u"values-lr"_s, u"1e-4..1e-1:log:6"_s);
        type(*dialog, u"values-batch"_s, u"1..64"_s);
        type(*dialog, u"values-opt"_s, u"adam,sgd"_s);
        QVERIFY(notesOf(*dialog).contains(u"6 values"_s));
        child<SegmentedControl>(*dialog, u"sweepKind"_s)->setCurrentIndex(2);
        const QStringList notes = notesOf(*dialog);
        QVERIFY2(notes.contains(u"Any value from 1e-4 to 0.1, by magnitude"_s), qPrintable(notes.join(u'|')));
        QVERIFY(!notes.contains(u"6 values"_s));
        QVERIFY(notes.contains(u"2 values"_s)); // of which each is one of the list
        QCOMPARE(rowsOf(*dialog).size(), 10);
    }

    void opensWithTheFirstField()
    {
        const auto dialog = dialogOf(sweepJob());
        QCOMPARE(dialog->focusWidget(), child<QLineEdit>(*dialog, u"values-lr"_s));
    }

    void withoutParameters()
    {
        const auto dialog = dialogOf(sampleJob);
        QVERIFY(says(*dialog, u"The document has no parameters."_s));
        QVERIFY(!child<QPushButton>(*dialog, u"sweepRun"_s)->isEnabled());
    }

    void progressAndFailure()
    {
        const auto dialog = dialogOf(sweepJob());
        type(*dialog, u"values-lr"_s, u"0.1,0.2"_s);
        QSignalSpy stops(dialog.get(), &SweepDialog::stopRequested);
        dialog->setProgress(1, 2);
        QVERIFY(dialog->findChild<QProgressBar *>()->isVisible());
        QVERIFY(!child<QLineEdit>(*dialog, u"values-lr"_s)->isEnabled());
        dialog->reject(); // while jobs are on their way
        QCOMPARE(stops.size(), 1);
        QVERIFY(dialog->isVisible());
        dialog->setFailed(u"It was refused."_s);
        QVERIFY(dialog->findChild<InfoBar *>()->text().contains("It was refused."_L1));
        QVERIFY(child<QPushButton>(*dialog, u"sweepRun"_s)->isEnabled());
        dialog->reject();
        QVERIFY(!dialog->isVisible());
    }

    // What was written is there again, for its own document only.
    void valuesOutliveTheDialog()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        const auto open = [&window] {
            SweepDialog *dialog = nullptr;
            [&] { QTRY_VERIFY(window->action("runAsSweep")->isEnabled()); }();
            window->action("runAsSweep")->trigger();
            [&] { QTRY_VERIFY((dialog = window->findChild<SweepDialog *>())); }();
            return dialog;
        };
        const auto escape = [&window](SweepDialog *dialog) {
            QTest::keyClick(dialog, Qt::Key_Escape);
            QTRY_VERIFY(!window->findChild<SweepDialog *>());
        };
        window->openFile(m_folders.write(u"first.pai.yaml"_s, sweepJob()));
        SweepDialog *dialog = open();
        QVERIFY(dialog);
        const QString group = child<QLineEdit>(*dialog, u"sweepGroup"_s)->text();
        type(*dialog, u"values-lr"_s, u"0.1,0.2"_s);
        type(*dialog, u"values-batch"_s, u"16,32"_s);
        QTest::mouseClick(child<QCheckBox>(*dialog, u"sweep-batch"_s), Qt::LeftButton, {}, {5, 8});
        child<SegmentedControl>(*dialog, u"sweepKind"_s)->setCurrentIndex(2);
        child<QSpinBox>(*dialog, u"sweepCount"_s)->setValue(2);
        child<QSpinBox>(*dialog, u"sweepLimit"_s)->setValue(7);
        type(*dialog, u"sweepRule"_s, u"loss@100"_s);
        const QStringList jobs = rowsOf(*dialog);
        QCOMPARE(jobs.size(), 2);
        escape(dialog);

        dialog = open();
        QVERIFY(dialog);
        QCOMPARE(child<QLineEdit>(*dialog, u"values-lr"_s)->text(), u"0.1,0.2"_s);
        QCOMPARE(child<QLineEdit>(*dialog, u"values-batch"_s)->text(), u"16,32"_s);
        QVERIFY(child<QCheckBox>(*dialog, u"sweep-lr"_s)->isChecked());
        QVERIFY(!child<QCheckBox>(*dialog, u"sweep-batch"_s)->isChecked());
        QCOMPARE(child<SegmentedControl>(*dialog, u"sweepKind"_s)->currentIndex(), 2);
        QVERIFY(child<QSpinBox>(*dialog, u"sweepSeed"_s)->isVisible());
        QCOMPARE(child<QSpinBox>(*dialog, u"sweepLimit"_s)->value(), 7);
        QCOMPARE(child<QLineEdit>(*dialog, u"sweepRule"_s)->text(), u"loss@100"_s);
        QCOMPARE(child<QLineEdit>(*dialog, u"sweepGroup"_s)->text(), group);
        QCOMPARE(rowsOf(*dialog), jobs);
        QVERIFY(child<QPushButton>(*dialog, u"sweepRun"_s)->isEnabled());
        escape(dialog);

        window->openFile(m_folders.write(u"second.pai.yaml"_s, sweepJob()));
        dialog = open();
        QVERIFY(dialog);
        QVERIFY(child<QLineEdit>(*dialog, u"values-lr"_s)->text().isEmpty());
        QVERIFY(child<QLineEdit>(*dialog, u"sweepRule"_s)->text().isEmpty());
        escape(dialog);
    }

    // A document that has changed meanwhile: what is offered by itself follows it.
    void resumesInAChangedDocument()
    {
        const SweepDraft before = sweepDraft(parseJob(sweepJob()));
        SweepDraft written = before;
        written.rows[0].text = u"1,2"_s;
        written.rows[0].isSwept = true;
        const QString swept = written.rows[0].name;
        QByteArray yaml = sweepJob();
        yaml.replace("name: from_the_window", "name: renamed").replace("  lr: 0.1\n", "  warmup: 5\n  lr: 0.1\n");
        SweepDraft offered = sweepDraft(parseJob(yaml));
        offered.limit = 4;
        const SweepDraft resumed = resumedDraft(offered, before, written);
        QCOMPARE(resumed.rows.size(), before.rows.size() + 1);
        for (const SweepDraft::Row &row : resumed.rows) {
            QCOMPARE(row.isSwept, row.name == swept);
            QCOMPARE(row.text, row.name == swept ? u"1,2"_s : QString());
        }
        QCOMPARE(resumed.group, u"renamed"_s);
        QCOMPARE(resumed.limit, 4);
        written.group = u"mine"_s;
        written.limit = 2;
        QCOMPARE(resumedDraft(offered, before, written).group, u"mine"_s);
        QCOMPARE(resumedDraft(offered, before, written).limit, 2);
    }

    // From the menu to the jobs of the engine, which the list then shows.
    void aSweepIsRun()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->show();
        QVERIFY(!window->action("runAsSweep")->isEnabled());
        // A run has a job, too: what is missing is a document.
        QVERIFY2(window->action("runAsSweep")->toolTip().contains("is not a document"_L1),
            qPrintable(window->action("runAsSweep")->toolTip()));
        const auto *runButton = window->findChild<QToolButton *>(u"runButton"_s);
        QVERIFY(runButton && runButton->menu()->actions().contains(window->action("runAsSweep")));
        window->openFile(m_folders.write(u"sweep.pai.yaml"_s, sweepJob()));
        QTRY_VERIFY(window->action("runAsSweep")->isEnabled());
        window->action("runAsSweep")->trigger();
        SweepDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = window->findChild<SweepDialog *>()));
        type(*dialog, u"values-batch"_s, u"1..3"_s);
        QTest::mouseClick(child<QPushButton>(*dialog, u"sweepRun"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SweepDialog *>(), 30'000);
        EngineClient client;
        client.start(EngineClient::Start::Never);
        QList<JobSummary> jobs;
        const auto read = [&] {
            client.call<api::ListJobs>({u"group:from_the_window"_s, 0, 0}, &client,
                [&](const Result<QList<JobSummary>> &list) { jobs = list.value_or(QList<JobSummary>()); });
        };
        QTRY_COMPARE(client.status(), EngineClient::Status::Ready);
        read();
        QTRY_COMPARE(jobs.size(), 3);
        QCOMPARE(jobs.constLast().name, u"from_the_window-1"_s);
        QCOMPARE(jobs.constLast().parameters.value("batch"_L1).toInt(), 1);
        QVERIFY(window->findChild<ComparePage *>()); // of the group
        // Its row in the list is the one of the page in front.
        const QTreeView *list = window->jobsPane()->view();
        QTRY_COMPARE(list->currentIndex().data(JobsModel::SweepRole).toString(), u"from_the_window"_s);
        QCOMPARE(list->model()->rowCount(list->currentIndex()), 3);
        // The next sweep of the document shows the names that its jobs get, and gets them.
        window->openFile(m_folders.path(u"sweep.pai.yaml"_s));
        QTRY_VERIFY(window->action("runAsSweep")->isEnabled());
        window->action("runAsSweep")->trigger();
        QTRY_VERIFY((dialog = window->findChild<SweepDialog *>()));
        type(*dialog, u"values-batch"_s, u"1,2"_s);
        QTRY_COMPARE(rowsOf(*dialog), (QStringList{u"from_the_window-2-1 1"_s, u"from_the_window-2-2 2"_s}));
        const QStringList notes = notesOf(*dialog);
        QVERIFY2(notes.contains(u"from_the_window has jobs already: this one is from_the_window-2"_s),
            qPrintable(notes.join(u'|')));
        type(*dialog, u"sweepGroup"_s, u"fresh"_s);
        QTRY_COMPARE(rowsOf(*dialog).constFirst(), u"fresh-1 1"_s);
        type(*dialog, u"sweepGroup"_s, u"from_the_window"_s);
        QTRY_COMPARE(rowsOf(*dialog).constFirst(), u"from_the_window-2-1 1"_s);
        QTest::mouseClick(child<QPushButton>(*dialog, u"sweepRun"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SweepDialog *>(), 30'000);
        client.call<api::ListJobs>({u"group:from_the_window-2"_s, 0, 0}, &client,
            [&](const Result<QList<JobSummary>> &list) { jobs = list.value_or(QList<JobSummary>()); });
        QTRY_COMPARE(jobs.size(), 2);
        QCOMPARE(jobs.constLast().name, u"from_the_window-2-1"_s);
    }

    // The keyring has them under the name of the document, and the jobs are called otherwise.
    void runAgainFindsTheSecrets()
    {
        FakeVault vault;
        vault.kept = {{u"swept/token"_s, u"hush-hush-hush"_s}};
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QByteArray yaml = sweepJob();
        yaml.replace("name: from_the_window", "name: swept");
        yaml.replace("parameters:\n", "secrets: {token: '******'}\nparameters:\n");
        yaml.replace("echo lr", "test '<% $secrets.token %>' = hush-hush-hush && echo lr");
        window->openFile(m_folders.write(u"swept.pai.yaml"_s, yaml));
        QTRY_VERIFY(window->action("runAsSweep")->isEnabled());
        window->action("runAsSweep")->trigger();
        SweepDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = window->findChild<SweepDialog *>()));
        type(*dialog, u"sweepGroup"_s, u"another-word"_s);
        type(*dialog, u"values-lr"_s, u"0.1,0.2"_s);
        // While the keyring is read, the same is not asked for again.
        const int before = vault.asked;
        QTest::mouseClick(child<QPushButton>(*dialog, u"sweepRun"_s), Qt::LeftButton);
        QTest::mouseClick(child<QPushButton>(*dialog, u"sweepRun"_s), Qt::LeftButton);
        QCOMPARE(vault.asked, before + 1);
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SweepDialog *>(), 30'000);
        QList<JobSummary> jobs;
        window->client()->call<api::ListJobs>({u"group:another-word"_s, 0, 0}, window.get(),
            [&](const Result<QList<JobSummary>> &list) { jobs = list.value_or(QList<JobSummary>()); });
        QTRY_COMPARE(jobs.size(), 2);
        // And again what was run again.
        QString uuid = jobs.constFirst().uuid;
        for (int i = 0; i < 2; ++i) {
            Q_EMIT window->jobsPane()->openRequested(uuid);
            QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun()->summary().uuid == uuid, 20'000);
            QTRY_VERIFY_WITH_TIMEOUT(window->action("runAgain")->isEnabled(), 20'000);
            const RunPage *run = window->currentRun();
            window->action("runAgain")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != run, 20'000);
            QTRY_VERIFY_WITH_TIMEOUT(isFinal(window->currentRun()->summary().state), 30'000);
            QCOMPARE(window->currentRun()->summary().state, State::Succeeded);
            QVERIFY(!window->findChild<SecretsDialog *>());
            uuid = window->currentRun()->summary().uuid;
        }
    }

    // The keys go to the dialog in front, and after it to the one that it was opened from.
    void secretsAreAskedForOverTheSweep()
    {
        FakeVault vault;
        vault.there = false;
        const auto window = WindowFixture::makeWindow(true);
        window->setSecretVault(&vault);
        window->show();
        QByteArray yaml = sweepJob();
        yaml.replace("parameters:\n", "secrets: {token: '******'}\nparameters:\n");
        yaml.replace("echo lr", "test '<% $secrets.token %>' = hush-hush-hush && echo lr");
        window->openFile(m_folders.write(u"asked.pai.yaml"_s, yaml));
        QTRY_VERIFY(window->action("runAsSweep")->isEnabled());
        window->action("runAsSweep")->trigger();
        QPointer<SweepDialog> sweep;
        QTRY_VERIFY((sweep = window->findChild<SweepDialog *>()));
        type(*sweep, u"values-lr"_s, u"0.1,0.2"_s);
        QTest::mouseClick(child<QPushButton>(*sweep, u"sweepRun"_s), Qt::LeftButton);
        QPointer<SecretsDialog> asked;
        QTRY_VERIFY((asked = window->findChild<SecretsDialog *>()));
        QCOMPARE(asked->parentWidget(), sweep.data());
        QTRY_COMPARE(QApplication::activeWindow(), asked.data());
        QTest::keyClick(asked.data(), Qt::Key_Escape);
        QTRY_VERIFY(!asked);
        QTRY_COMPARE(QApplication::activeWindow(), sweep.data());
        QTest::keyClick(sweep.data(), Qt::Key_Escape);
        QTRY_VERIFY(!sweep);
    }

private:
    WindowFixture m_folders;
};

TRAINYARD_GUI_TEST(TstSweepDialog)
#include "tst_sweepdialog.moc"
