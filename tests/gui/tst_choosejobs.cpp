// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"
#include "engine/api/foreignid.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/jobs/filterfield.h"

#include <QCheckBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The dialog that asks which runs are compared.
class TstChooseJobs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filter_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("shown");
        QTest::newRow("nothing") << QString() << QList<int>{0, 1, 2};
        QTest::newRow("word of the name") << u"VIT"_s << QList<int>{2};
        QTest::newRow("word of the group") << u"sweep"_s << QList<int>{1};
        QTest::newRow("word of a parameter") << u"cosine"_s << QList<int>{0};
        QTest::newRow("comparison") << u"lr<=0.1"_s << QList<int>{1, 2};
        QTest::newRow("state") << u"state:failed"_s << QList<int>{2};
        QTest::newRow("all of several") << u"net lr<=0.1"_s << QList<int>{1};
    }
    void filter()
    {
        QFETCH(QString, text);
        QFETCH(QList<int>, shown);
        QList<JobSummary> jobs(3);
        for (int i = 0; i < jobs.size(); ++i) {
            jobs[i].id = i + 1;
            jobs[i].uuid = u"uuid-%1"_s.arg(i);
            jobs[i].name = i == 2 ? u"vit"_s : u"net"_s;
            jobs[i].state = i == 2 ? State::Failed : State::Succeeded;
            jobs[i].parameters = {{u"lr"_s, i == 0 ? 0.5 : 0.1}, {u"plan"_s, i == 0 ? u"cosine"_s : u"flat"_s}};
        }
        jobs[1].group = u"sweep"_s;
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList(), 2, nullptr);
        dialog->field()->setText(text);
        QCOMPARE(dialog->field()->errorText(), QString());
        QList<int> seen;
        for (int row = 0; row < dialog->list()->count(); ++row) {
            if (!dialog->list()->item(row)->isHidden()) {
                seen.append(row);
            }
        }
        QCOMPARE(seen, shown);
    }
    // Runs of one name differ in where they were.
    void saysWhereRunsWere()
    {
        QList<JobSummary> jobs(4);
        for (JobSummary &job : jobs) {
            job.name = u"net"_s;
            job.target = u"pool"_s;
        }
        jobs[0].hosts = {u"local"_s};
        jobs[1].hosts = {u"lab1"_s, u"lab2"_s};
        jobs[2].target = u"slurm:lab"_s;
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList(), 2, nullptr);
        const auto textOf = [&dialog](int row) { return dialog->list()->item(row)->text(); };
        QVERIFY2(textOf(0).endsWith(u", this computer"_s), qPrintable(textOf(0)));
        QVERIFY2(textOf(1).endsWith(u", lab1, lab2"_s), qPrintable(textOf(1)));
        QVERIFY2(textOf(2).endsWith(u", slurm:lab"_s), qPrintable(textOf(2)));
        QVERIFY2(!textOf(3).endsWith(u", "_s), qPrintable(textOf(3)));
    }
    // Why there is nothing to choose from, and the way out.
    void saysWhyItIsEmpty()
    {
        const auto textOf = [](const EmptyState *empty) {
            QStringList words;
            const auto labels = empty->findChildren<QLabel *>();
            for (const QLabel *label : labels) {
                words.append(label->text());
            }
            return words.join(u' ').trimmed();
        };
        const ChooseJobs none({}, {}, 2, nullptr);
        const auto *empty = none.findChild<EmptyState *>();
        QVERIFY(empty->isVisibleTo(&none) && !none.list()->isVisibleTo(&none));
        QVERIFY2(textOf(empty).startsWith(u"There are no runs yet."_s), qPrintable(textOf(empty)));
        QVERIFY(!empty->action()->isVisibleTo(&none));
        QList<JobSummary> jobs(2);
        jobs[0].name = jobs[1].name = u"net"_s;
        const ChooseJobs some(jobs, {}, 2, nullptr);
        empty = some.findChild<EmptyState *>();
        QVERIFY(!empty->isVisibleTo(&some) && some.list()->isVisibleTo(&some));
        some.field()->setText(u"vit"_s);
        QVERIFY(empty->isVisibleTo(&some) && !some.list()->isVisibleTo(&some));
        QCOMPARE(textOf(empty), u"No run matches the filter."_s);
        QVERIFY(!some.findChild<QCheckBox *>(u"chooseAll"_s)->isEnabled());
        empty->action()->click();
        QVERIFY(!empty->isVisibleTo(&some) && some.list()->isVisibleTo(&some));
        QVERIFY(some.field()->text().isEmpty());
    }
    // As in the list of jobs: that the files of a run do not say how it ended is nothing to worry about.
    void runsFromFilesHaveNoMarkOfAState()
    {
        QList<JobSummary> jobs(2);
        for (JobSummary &job : jobs) {
            job.name = u"metrics.csv"_s;
            job.state = State::Unknown;
        }
        jobs[0].uuid = foreignPrefix + u"1"_s;
        jobs[1].uuid = u"uuid-1"_s;
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList(), 2, nullptr);
        const auto markOf = [&](int row) { return dialog->list()->item(row)->icon().pixmap(16).toImage(); };
        QCOMPARE(markOf(0), icon(u"chart"_s, Colour::Muted).pixmap(16).toImage());
        QCOMPARE(markOf(1), stateIcon(StateShape::Lost).pixmap(16).toImage());
        QVERIFY(markOf(0) != markOf(1));
    }
    // Each key does what it does in any dialog, and what is compared is said, also where the filter hides it.
    void keysAndCount()
    {
        QList<JobSummary> jobs(3);
        for (int i = 0; i < jobs.size(); ++i) {
            jobs[i].id = i + 1;
            jobs[i].uuid = u"uuid-%1"_s.arg(i);
            jobs[i].name = i == 2 ? u"vit"_s : u"net"_s;
        }
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList{jobs.at(2).uuid}, 2, nullptr);
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog->show();
        dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
        SearchField *field = dialog->field()->field();
        auto *all = dialog->findChild<QCheckBox *>(u"chooseAll"_s);
        const auto buttons = dialog->findChildren<QPushButton *>();
        const auto compare = std::find_if(buttons.cbegin(), buttons.cend(),
            [](const QPushButton *button) { return button->text().startsWith(u"Compare"_s); });
        QVERIFY(field->hasFocus() && all && compare != buttons.cend());
        QTest::keyClick(field, Qt::Key_Tab);
        QVERIFY(all->hasFocus());
        QTest::keyClick(all, Qt::Key_Tab);
        QVERIFY(dialog->list()->hasFocus());

        dialog->field()->setText(u"net"_s);
        QVERIFY(!(*compare)->isEnabled());
        QCOMPARE((*compare)->text(), u"Compare 1, 1 of them hidden"_s);
        all->setChecked(true);
        QCOMPARE((*compare)->text(), u"Compare 3, 1 of them hidden"_s);
        dialog->field()->setText({});
        QCOMPARE((*compare)->text(), u"Compare 3"_s);

        field->setFocus();
        dialog->field()->setText(u"net"_s);
        QTest::keyClick(field, Qt::Key_Escape); // takes the filter away first
        QVERIFY(dialog->isVisible() && field->text().isEmpty());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }
    // Thousands are counted once when all are marked, not once for each of them.
    void allOfThousands()
    {
        QList<JobSummary> jobs(5000);
        for (int i = 0; i < jobs.size(); ++i) {
            jobs[i].id = jobs.size() - i;
            jobs[i].uuid = u"uuid-%1"_s.arg(i);
            jobs[i].name = u"net"_s;
        }
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList(), 2, nullptr);
        auto *all = dialog->findChild<QCheckBox *>(u"chooseAll"_s);
        QElapsedTimer timer;
        timer.start();
        all->setChecked(true);
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        const auto buttons = dialog->findChildren<QPushButton *>();
        QVERIFY(std::any_of(buttons.cbegin(), buttons.cend(),
            [&](const QPushButton *button) { return button->isEnabled() && button->text() == u"Compare 5000"_s; }));
    }
};

TRAINYARD_GUI_TEST(TstChooseJobs)
#include "tst_choosejobs.moc"
