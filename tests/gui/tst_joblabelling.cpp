// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/tablejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/labelactions.h"
#include "widgets/jobs/labelsdialog.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;
using namespace tablejobs;

// Giving tags and notes to jobs, and moving them into the archive.
class TstJobLabelling : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void labelsOfOneAndOfSeveral();
    void tagsKeepTheirCapitals();
    void archivesWhatIsNotInTheArchive_data();
    void archivesWhatIsNotInTheArchive();
    void archivesNothingThatRuns();
};

void TstJobLabelling::labelsOfOneAndOfSeveral()
{
    JobSummary one = tableJob(1);
    one.labels = {{u"a"_s, u"b"_s}, u"old"_s, false, false};
    JobSummary other = tableJob(2);
    other.labels.tags = {u"b"_s, u"c"_s};
    {
        LabelsDialog dialog({one}, {}, LabelsDialog::Begin::Note);
        auto *tags = dialog.findChild<QLineEdit *>();
        QCOMPARE(tags->text(), u"a, b"_s);
        QVERIFY(dialog.change().addTags.isEmpty() && dialog.change().removeTags.isEmpty() && !dialog.change().note);
        tags->setText(u" b ,new one,, "_s);
        dialog.findChild<QPlainTextEdit *>()->setPlainText(u"new"_s);
        const api::LabelChange change = dialog.change();
        QCOMPARE(change.ids, QStringList{u"uuid-1"_s});
        QCOMPARE(change.addTags, QStringList{u"new one"_s});
        QCOMPARE(change.removeTags, QStringList{u"a"_s});
        QCOMPARE(change.note, u"new"_s);
        // By key from the note, where Enter alone begins a line.
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *buttons = dialog.findChild<QDialogButtonBox *>();
        QVERIFY(buttons && buttons->button(QDialogButtonBox::Save)->isDefault());
        QSignalSpy saved(&dialog, &QDialog::accepted);
        auto *note = dialog.findChild<QPlainTextEdit *>();
        note->setFocus();
        QTest::keyClick(note, Qt::Key_Return);
        QCOMPARE(saved.size(), 0);
        QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(saved.size(), 1);
    }
    LabelsDialog dialog({one, other}, {}, LabelsDialog::Begin::Tags);
    auto *tags = dialog.findChild<QLineEdit *>();
    QCOMPARE(tags->text(), u"b"_s); // that both have
    const auto *several = dialog.findChild<QLabel *>(u"labelsOfSeveral"_s);
    QVERIFY(several);
    QVERIFY2(several->text().contains(u"their other tags stay"_s), qPrintable(several->text()));
    QVERIFY2(several->text().endsWith(u"Only some of them have: a, c"_s), qPrintable(several->text()));
    tags->setText(u"x"_s);
    const api::LabelChange change = dialog.change();
    QCOMPARE(change.ids.size(), 2);
    QCOMPARE(change.addTags, QStringList{u"x"_s});
    QCOMPARE(change.removeTags, QStringList{u"b"_s});
    QVERIFY(!change.note);
}

// What is typed stays as it is typed, whatever the list below the field offers.
void TstJobLabelling::tagsKeepTheirCapitals()
{
    JobSummary one = tableJob(1);
    one.labels.tags = {u"paper"_s};
    JobSummary other = tableJob(2);
    other.labels.tags = {u"Paper"_s};
    QCOMPARE(filterWords({one, other}).tags, QStringList{u"Paper"_s}); // one tag, however it is spelled
    LabelsDialog dialog({one, other}, {u"baseline"_s, u"baseline-2"_s}, LabelsDialog::Begin::Tags);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *tags = dialog.findChild<QLineEdit *>();
    auto *completer = dialog.findChild<QCompleter *>();
    QCOMPARE(tags->text(), u"paper"_s); // both have it
    tags->clear();
    QTest::keyClicks(tags, u"Paper,Baseline"_s);
    QTRY_VERIFY(completer->popup()->isVisible());
    QCOMPARE(completer->popup()->model()->rowCount(), 1); // what is typed already is not offered
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QTRY_VERIFY(!completer->popup()->isVisible());
    QCOMPARE(tags->text(), u"Paper,Baseline"_s);
    QCOMPARE(dialog.change().addTags, (QStringList{u"Baseline"_s, u"Paper"_s}));
    QCOMPARE(dialog.change().removeTags, QStringList()); // another spelling takes the place of the old one
    // One that is chosen is taken.
    QTest::keyClicks(tags, u",base"_s);
    QTRY_VERIFY(completer->popup()->isVisible());
    QTest::keyClick(completer->popup(), Qt::Key_Down);
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QCOMPARE(tags->text(), u"Paper,Baseline, baseline"_s);
    QCOMPARE(dialog.change().addTags, (QStringList{u"Baseline"_s, u"Paper"_s})); // the same tag once more
}

void TstJobLabelling::archivesWhatIsNotInTheArchive_data()
{
    QTest::addColumn<QList<bool>>("archived");
    QTest::addColumn<QStringList>("asked");
    QTest::addColumn<bool>("isOn");
    QTest::newRow("none is") << QList<bool>{false, false} << QStringList{u"uuid-1"_s, u"uuid-2"_s} << true;
    QTest::newRow("one is") << QList<bool>{true, false} << QStringList{u"uuid-2"_s} << true;
    QTest::newRow("all are") << QList<bool>{true, true} << QStringList{u"uuid-1"_s, u"uuid-2"_s} << false;
}

// A job that runs stays in the lists: it is left out, and alone it cannot be archived.
void TstJobLabelling::archivesNothingThatRuns()
{
    QStringList asked;
    const LabelRequests requests{[](const QStringList &, bool) {}, [](const QStringList &, bool) {},
        [&asked](const QStringList &uuids, bool) { asked = uuids; }};
    QMenu mixed, active;
    addLabelActions(&mixed, this, {tableJob(1, State::Running), tableJob(2, State::Failed)}, requests);
    mixed.actions().last()->trigger();
    QCOMPARE(asked, QStringList{u"uuid-2"_s});
    addLabelActions(&active, this, {tableJob(1, State::Running), tableJob(2, State::Waiting)}, requests);
    QVERIFY(!active.actions().last()->isEnabled());
    QCOMPARE(active.actions().last()->toolTip(), u"A job can be archived when it has ended."_s);
}

// Whoever takes it back gets what was there before: what was archived already stays so.
void TstJobLabelling::archivesWhatIsNotInTheArchive()
{
    QFETCH(const QList<bool>, archived);
    QList<JobSummary> jobs;
    for (const bool isArchived : archived) {
        jobs.append(tableJob(jobs.size() + 1));
        jobs.last().labels.isArchived = isArchived;
    }
    QMenu menu;
    QStringList asked;
    bool isOn = false;
    addLabelActions(&menu, this, jobs,
        {[](const QStringList &, bool) {}, [](const QStringList &, bool) {},
            [&](const QStringList &uuids, bool on) {
                asked = uuids;
                isOn = on;
            }});
    menu.actions().last()->trigger();
    QTEST(asked, "asked");
    QTEST(isOn, "isOn");
}

TRAINYARD_GUI_TEST(TstJobLabelling)
#include "tst_joblabelling.moc"
