// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/editor/helpcard.h"
#include "widgets/form/formhelp.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// What the form says beside its fields: what they mean, what they need, and what comes of them.
class TstDesignerWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsWhatRequiresWhat();
    void explainsFields();
    void saysWhatEndsAServer();
    void saysWhatItsWordsMean();

private:
    void show(const QByteArray &bytes);
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerWords::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerWords::cleanup() { page.reset(); }

void TstDesignerWords::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("full.pai.yaml"));
}

void TstDesignerWords::showsWhatRequiresWhat()
{
    show(fullText);
    openItem(page.get(), PrerequisitesTab, "prerequisitesList", 2);
    const QString order = find<QLabel>(page.get(), "prerequisiteOrder")->text().remove(QChar(0x200B));
    QVERIFY2(order.contains(QStringLiteral("install-git → cnn-benchmarks")), qPrintable(order));
    QVERIFY2(order.contains(QStringLiteral("worker")), qPrintable(order));
}

void TstDesignerWords::explainsFields()
{
    show(fullText);
    auto *box = find<QAbstractSpinBox>(page.get(), "roleInstances");
    focus(box);
    auto *brief = page->findChild<QWidget *>(QStringLiteral("fieldBrief"));
    QVERIFY(brief);
    QHelpEvent help(QEvent::ToolTip, QPoint(4, 4), box->mapToGlobal(QPoint(4, 4)));
    QCoreApplication::sendEvent(box, &help);
    const HelpCard *card = FormHelp::of(box)->card();
    QVERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>instances</b>")), qPrintable(card->text()));
    // It leaves the field to be read, and the next key takes it away.
    QVERIFY(!card->geometry().intersects(QRect(box->mapToGlobal(QPoint()), box->size())));
    QTest::keyClick(box, Qt::Key_Escape);
    QVERIFY(!card->isVisible());
    QTest::keyClick(box, Qt::Key_F1);
    QVERIFY(card->isVisible());
    QTest::mouseClick(page->findChild<QWidget *>(QStringLiteral("fieldBrief")), Qt::LeftButton);
    QVERIFY(!card->isVisible());
    // Nor does it cover what is wrong with a field.
    show("name: n\ntaskRoles:\n  worker:\n    dockerImage: none\n    commands: [a]\n");
    auto *image = find<QComboBox>(page.get(), "roleImage");
    const auto message = [&]() -> const QLabel * {
        const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
        const auto found = std::find_if(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->text().remove(QChar(0x200B)).contains(QStringLiteral("'none'")); });
        return found == labels.cend() ? nullptr : *found;
    };
    QTRY_VERIFY(message() && message()->isVisible());
    focus(image);
    QTest::keyClick(image, Qt::Key_F1);
    QVERIFY(card->isVisible());
    QVERIFY2(card->text().contains(QStringLiteral("<b>dockerImage</b>")), qPrintable(card->text()));
    QVERIFY(!card->geometry().intersects(QRect(message()->mapToGlobal(QPoint()), message()->size())));
    FormHelp::of(image)->hide();
}

// It never ends by itself, so nothing is said of the end of all tasks.
void TstDesignerWords::saysWhatEndsAServer()
{
    show("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  ps:\n    instances: 1\n    completion:\n"
         "      minSucceededInstances: -1\n    commands:\n      - echo\n  worker:\n    instances: 3\n"
         "    completion:\n      minSucceededInstances: 3\n    commands:\n      - echo\n");
    const auto said = [this] { return find<QLabel>(page.get(), "roleConsequence")->text().remove(QChar(0x200b)); };
    find<QTabBar>(page.get(), "roleTabs")->setCurrentIndex(0);
    QTRY_VERIFY2(said().contains(QStringLiteral("when enough tasks of worker have succeeded")), qPrintable(said()));
    QVERIFY2(!said().contains(QStringLiteral("all tasks have finished")), qPrintable(said()));
    // The number stands in a sentence: "Fail the job when 1 task of ps has failed".
    const auto words = find<QWidget>(page.get(), "roleCard")->findChildren<ElidedLabel *>();
    QVERIFY(std::any_of(words.cbegin(), words.cend(),
        [](const ElidedLabel *label) { return label->text() == QStringLiteral("task of ps has failed"); }));
    const auto *head = find<QLabel>(page.get(), "roleFailsWhen");
    QCOMPARE(head->text(), QStringLiteral("Fail the job when"));
    // And so does "never".
    page->applyEdits({edit::SetValue{{QStringLiteral("taskRoles"), QStringLiteral("ps"), QStringLiteral("completion"),
                                         QStringLiteral("minFailedInstances")},
        "-1"}});
    QTRY_COMPARE(head->text(), QStringLiteral("Fail the job:"));
    QCOMPARE(find<ElidedLabel>(page.get(), "roleFailsWhenTail")->text(),
        QStringLiteral("– failed tasks alone do not end it"));
}

// Not only to whoever rests the pointer on them.
void TstDesignerWords::saysWhatItsWordsMean()
{
    const auto said = [this] {
        QString all;
        const auto labels = find<QWidget>(page.get(), "roleCard")->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->isVisible() ? label->text() + u'|' : QString();
        }
        return all;
    };
    show(fullText);
    QVERIFY2(said().contains(QStringLiteral("4 cores and 8 GiB for each GPU")), qPrintable(said()));
    QVERIFY(!said().contains(QStringLiteral("setting of the host"))); // it runs in docker
    page->applyEdits({edit::Remove{{QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("runIn")}}});
    QTRY_VERIFY2(said().contains(QStringLiteral("setting of the host")), qPrintable(said()));
}

TRAINYARD_GUI_TEST(TstDesignerWords)
#include "tst_designerwords.moc"
