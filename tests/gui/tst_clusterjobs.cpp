// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/hosts/clusterjobsdialog.h"
#include "widgets/hosts/clusterview.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The jobs that a cluster has, of which one is opened as a new job.
class TstClusterJobs : public QObject
{
    Q_OBJECT

    template <typename T> static T *part(const QObject *of, const char *name)
    {
        return of->findChild<T *>(QLatin1StringView(name));
    }
    static ClusterJobs jobs()
    {
        return {{{u"resnet_1"_s, u"RUNNING"_s, u"vision"_s, 3000, 4, 1}, {u"bert"_s, u"FAILED"_s, u"nlp"_s, 2000, 8, 2},
                    {u"resnet_0"_s, u"SUCCEEDED"_s, u"vision"_s, 1000, 4, 1}},
            40};
    }
    static QStringList shownIn(const QTreeWidget *list)
    {
        QStringList names;
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            if (!list->topLevelItem(i)->isHidden()) {
                names.append(list->topLevelItem(i)->text(0));
            }
        }
        return names;
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<QWidget>();
        m_dialog = new ClusterJobsDialog(u"openpai:lab"_s, m_window.get());
    }
    void cleanup() { m_window.reset(); }

    void asksAndShows()
    {
        QSignalSpy wanted(m_dialog, &ClusterJobsDialog::listWanted);
        m_dialog->show();
        auto *open = part<QPushButton>(m_dialog, "clusterJobsOpen");
        QVERIFY(!open->isEnabled());
        QVERIFY(wanted.wait());
        m_dialog->setJobs(jobs());
        auto *list = part<QTreeWidget>(m_dialog, "clusterJobsList");
        QCOMPARE(shownIn(list), (QStringList{u"resnet_1"_s, u"bert"_s, u"resnet_0"_s}));
        QCOMPARE(list->topLevelItem(1)->text(1), u"Failed"_s);
        QCOMPARE(list->currentItem()->text(0), u"resnet_1"_s);
        QVERIFY(open->isEnabled());
    }

    void aFilterChoosesWhatItShows()
    {
        m_dialog->show();
        m_dialog->setJobs(jobs());
        auto *list = part<QTreeWidget>(m_dialog, "clusterJobsList");
        auto *field = part<QLineEdit>(m_dialog, "clusterJobsFilter");
        auto *open = part<QPushButton>(m_dialog, "clusterJobsOpen");
        field->setText(u"RESNET succ"_s);
        QCOMPARE(shownIn(list), QStringList{u"resnet_0"_s});
        QCOMPARE(list->currentItem()->text(0), u"resnet_0"_s);
        field->setText(u"nothing of it"_s);
        QVERIFY(shownIn(list).isEmpty());
        QVERIFY(!open->isEnabled());
        field->setText(u"nlp"_s);
        QSignalSpy opened(m_dialog, &ClusterJobsDialog::openWanted);
        QTest::keyClick(field, Qt::Key_Return); // the button is the default one
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().toString(), u"bert"_s);
    }

    void anErrorLeavesItOpen()
    {
        m_dialog->show();
        m_dialog->setJobs(jobs());
        auto *open = part<QPushButton>(m_dialog, "clusterJobsOpen");
        QSignalSpy opened(m_dialog, &ClusterJobsDialog::openWanted);
        open->click();
        QVERIFY(!open->isEnabled());
        open->click();
        QCOMPARE(opened.size(), 1); // once, while it is on its way
        m_dialog->setOpenError(u"It <b>does not</b> know the job."_s);
        QVERIFY(open->isEnabled());
        auto *bar = m_dialog->findChild<InfoBar *>();
        QVERIFY(bar->isVisible());
        open->click();
        QVERIFY(!bar->isVisible());
        m_dialog->setOpened();
        QTRY_VERIFY(m_dialog.isNull());
    }

    void tagsOfTheChosenOne()
    {
        m_dialog->show();
        QSignalSpy wanted(m_dialog, &ClusterJobsDialog::tagsWanted);
        QSignalSpy changed(m_dialog, &ClusterJobsDialog::tagsChangeWanted);
        QSignalSpy opened(m_dialog, &ClusterJobsDialog::openWanted);
        m_dialog->setJobs(jobs());
        auto *field = part<QLineEdit>(m_dialog, "clusterJobTags");
        auto *save = part<QPushButton>(m_dialog, "clusterJobSaveTags");
        QVERIFY(!field->isEnabled() && !save->isEnabled());
        QVERIFY(wanted.wait());
        QCOMPARE(wanted.last().first().toString(), u"resnet_1"_s);
        m_dialog->setTags(u"bert"_s, {u"late"_s}); // of one that is not chosen any more
        QVERIFY(!field->isEnabled());
        m_dialog->setTags(u"resnet_1"_s, {u"draft"_s, u"paper"_s});
        QCOMPARE(field->text(), u"draft, paper"_s);
        QVERIFY(field->isEnabled() && !save->isEnabled());
        field->setText(u"paper,  best of all , ,paper"_s);
        QVERIFY(save->isEnabled());
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return); // what was typed is meant, not the job
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.first().at(0).toString(), u"resnet_1"_s);
        QCOMPARE(changed.first().at(1).toStringList(), QStringList{u"best of all"_s});
        QCOMPARE(changed.first().at(2).toStringList(), QStringList{u"draft"_s});
        QCOMPARE(opened.size(), 0);
        m_dialog->setTagsError(u"resnet_1"_s, u"It <b>does not</b> allow that."_s);
        QVERIFY(m_dialog->findChild<InfoBar *>()->isVisible());
        QCOMPARE(field->text(), u"paper,  best of all , ,paper"_s); // nothing that was typed is lost
        // One with a comma in it cannot be typed.
        m_dialog->setTags(u"resnet_1"_s, {u"a,b"_s});
        QVERIFY(!field->isEnabled());
        // Another job, other tags.
        auto *list = part<QTreeWidget>(m_dialog, "clusterJobsList");
        list->setCurrentItem(list->topLevelItem(1));
        QVERIFY(field->text().isEmpty() && !field->isEnabled());
        QVERIFY(wanted.wait());
        QCOMPARE(wanted.last().first().toString(), u"bert"_s);
    }

    void noList()
    {
        m_dialog->show();
        QSignalSpy wanted(m_dialog, &ClusterJobsDialog::listWanted);
        QVERIFY(wanted.wait());
        m_dialog->setListError(u"The cluster does not answer."_s);
        QVERIFY(!part<QTreeWidget>(m_dialog, "clusterJobsList")->isVisible());
        for (QPushButton *button : m_dialog->findChildren<QPushButton *>()) {
            if (button->text() == "Ask again"_L1) {
                button->click();
            }
        }
        QCOMPARE(wanted.size(), 2);
        m_dialog->setJobs({});
        QVERIFY(!part<QPushButton>(m_dialog, "clusterJobsOpen")->isEnabled());
        QVERIFY(part<QWidget>(m_dialog, "clusterJobsEmpty")->isVisible());
    }

    void onlyOfClustersThatKeepDocuments()
    {
        ClusterView view;
        ShownCluster shown;
        shown.info.id = u"openpai:lab"_s;
        shown.info.kind = u"openpai"_s;
        view.setCluster(shown);
        auto *button = part<QPushButton>(&view, "clusterJobs");
        QVERIFY(button->isVisibleTo(&view));
        QSignalSpy wanted(&view, &ClusterView::jobsRequested);
        button->click();
        QCOMPARE(wanted.value(0).value(0).toString(), u"openpai:lab"_s);
        shown.info.isNamed = false;
        view.setCluster(shown);
        QVERIFY(!button->isVisibleTo(&view));
        shown.info = {};
        shown.info.kind = u"slurm"_s;
        view.setCluster(shown);
        QVERIFY(!button->isVisibleTo(&view));
    }

private:
    std::unique_ptr<QWidget> m_window;
    QPointer<ClusterJobsDialog> m_dialog;
};

TRAINYARD_GUI_TEST(TstClusterJobs)
#include "tst_clusterjobs.moc"
