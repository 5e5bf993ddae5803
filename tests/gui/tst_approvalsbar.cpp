// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/approvalsbar.h"
#include "engine/client/engineclient.h"
#include "tests/helpers/testregistry.h"

#include <QApplication>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace trainyard;

// What the window says of the proposals of assistants.
class TstApprovalsBar : public QObject
{
    Q_OBJECT

    static api::Proposal proposal(const QString &id, const QString &state = QStringLiteral("open"))
    {
        api::Proposal made;
        made.id = id;
        made.digest = QStringLiteral("digest-") + id;
        made.kind = QStringLiteral("submit");
        made.state = state;
        made.assistant = QStringLiteral("<b>editor</b>");
        made.name = QStringLiteral("sweep");
        made.tasks = 8;
        made.gpus = 4;
        made.yaml = "name: sweep # <img src=x>\n";
        return made;
    }
    static QPushButton *button(const QWidget &widget, const char *name)
    {
        return widget.findChild<QPushButton *>(QString::fromLatin1(name));
    }

private Q_SLOTS:
    void showsTheOldestOne()
    {
        EngineClient client; // never started
        ApprovalsBar bar(&client);
        QVERIFY(bar.isHidden());
        bar.setProposals({proposal(QStringLiteral("1"), QStringLiteral("refused"))});
        QVERIFY(bar.isHidden());
        bar.setProposals({proposal(QStringLiteral("3")), proposal(QStringLiteral("2"))});
        QVERIFY(!bar.isHidden());
        QVERIFY2(bar.text().contains(QLatin1String("8 tasks, 4 GPUs")), qPrintable(bar.text()));
        QVERIFY2(bar.text().endsWith(QLatin1String(" 1 more proposal waits.")), qPrintable(bar.text()));
        QVERIFY2(bar.text().contains(QLatin1String("&lt;b&gt;editor")), qPrintable(bar.text()));
        // What is approved is what was shown, by its digest.
        const QSignalSpy approved(&bar, &ApprovalsBar::approveRequested);
        button(bar, "approveProposal")->click();
        QCOMPARE(approved.constFirst(), (QVariantList{QStringLiteral("2"), QStringLiteral("digest-2")}));
    }

    // The next proposal takes the place of the one that was approved: it is not approved by the same double click.
    void doubleClickApprovesOne()
    {
        EngineClient client;
        ApprovalsBar bar(&client);
        bar.setProposals({proposal(QStringLiteral("2")), proposal(QStringLiteral("1"))});
        const QSignalSpy approved(&bar, &ApprovalsBar::approveRequested);
        QTest::mouseClick(button(bar, "approveProposal"), Qt::LeftButton);
        QCOMPARE(approved.size(), 1);
        QVERIFY(!button(bar, "approveProposal")->isEnabled() && !button(bar, "refuseProposal")->isEnabled());
        bar.setProposals({proposal(QStringLiteral("2"))});
        QPushButton *next = nullptr;
        const auto buttons = bar.findChildren<QPushButton *>(QStringLiteral("approveProposal"));
        for (QPushButton *each : buttons) {
            next = each->isEnabled() ? each : next;
        }
        QVERIFY(next);
        const QPointF at = next->rect().center();
        QMouseEvent second(QEvent::MouseButtonDblClick, at, next->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(next, &second);
        QTest::mouseRelease(next, Qt::LeftButton);
        QCOMPARE(approved.size(), 1);
        QTest::mouseClick(next, Qt::LeftButton);
        QCOMPARE(approved.size(), 2);
        QCOMPARE(approved.constLast().constFirst().toString(), QStringLiteral("2"));
    }

    void severalWait()
    {
        EngineClient client;
        ApprovalsBar bar(&client);
        bar.setProposals({proposal(QStringLiteral("3")), proposal(QStringLiteral("2")), proposal(QStringLiteral("1"))});
        QVERIFY2(bar.text().endsWith(QLatin1String(" 2 more proposals wait.")), qPrintable(bar.text()));
        QCOMPARE(button(bar, "showProposal")->text(), QStringLiteral("Show…"));
        bar.setProposals({proposal(QStringLiteral("1"))});
        QVERIFY2(!bar.text().contains(QLatin1String("more")), qPrintable(bar.text()));
    }

    void refusesAndCloses()
    {
        EngineClient client;
        ApprovalsBar bar(&client);
        bar.setProposals({proposal(QStringLiteral("1"))});
        const QSignalSpy refused(&bar, &ApprovalsBar::refuseRequested);
        button(bar, "refuseProposal")->click();
        QCOMPARE(refused.constFirst().constFirst().toString(), QStringLiteral("1"));
        bar.setProposals({proposal(QStringLiteral("1"))});
        bar.findChild<QToolButton *>()->click();
        QVERIFY(bar.isHidden());
        bar.setProposals({proposal(QStringLiteral("1"))}); // it was seen
        QVERIFY(bar.isHidden());
        bar.setProposals({proposal(QStringLiteral("2")), proposal(QStringLiteral("1"))});
        QVERIFY(!bar.isHidden());
        bar.setProposals({});
        QVERIFY(bar.isHidden());
    }

    void showsTheWholeText()
    {
        EngineClient client;
        ApprovalsBar bar(&client);
        bar.setProposals({proposal(QStringLiteral("1"))});
        button(bar, "showProposal")->click();
        auto *box = bar.findChild<QMessageBox *>(QStringLiteral("proposalBox"));
        QVERIFY(box);
        QCOMPARE(box->detailedText(), QStringLiteral("name: sweep # <img src=x>\n"));
        QVERIFY(box->defaultButton() == box->button(QMessageBox::Cancel)); // Enter approves nothing
        const QSignalSpy approved(&bar, &ApprovalsBar::approveRequested);
        box->button(QMessageBox::Yes)->click();
        QCOMPARE(approved.constFirst(), (QVariantList{QStringLiteral("1"), QStringLiteral("digest-1")}));
    }
};

TRAINYARD_GUI_TEST(TstApprovalsBar)
#include "tst_approvalsbar.moc"
