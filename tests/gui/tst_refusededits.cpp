// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/refusededits.h"

#include <QLabel>
#include <QTabBar>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

namespace
{

// Two roles that share their number of instances and their commands: neither can be changed for one of them.
const QByteArray sharedHead = "protocolVersion: 2\nname: j\ntype: job\ntaskRoles:\n";
const QByteArray sharedRoles = "  w:\n    instances: &n 1\n    commands: &c\n      - ls\n      - pwd\n"
                               "  v:\n    instances: *n\n    commands: *c\n";

} // namespace

// What an edit of the form that the document does not take leaves at its field.
class TstRefusedEdits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void fieldSaysWhy();
    void otherValueTakesItAway();
    void fieldSaysItWhenItsRoleIsShownAgain();
    void commandsStayAsTyped();
    void anotherDocumentHasNone();
    void anotherRoleOfTheNameHasNone();

private:
    QWidget *instances() const { return find<QAbstractSpinBox>(page.get(), "roleInstances"); }
    QLineEdit *line() const { return instances()->findChild<QLineEdit *>(); }
    bool isSaid() const
    {
        const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
        return std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral("through an alias, which would change"));
        });
    }
    // Elsewhere in the text, so that the form shows another snapshot.
    void changeElsewhere()
    {
        auto *editor = page->findChild<YamlEditor *>();
        editor->applyEdits({{{0, 0}, "# more\n"}}, Origin::Text);
        settle(page.get());
    }
    std::unique_ptr<DesignerPage> page;
};

void TstRefusedEdits::fieldSaysWhy()
{
    const QByteArray text = sharedHead + sharedRoles;
    showDocument(page.get(), text, QStringLiteral("j.pai.yaml"));
    type(line(), QStringLiteral("7"));
    QCOMPARE(page->bytes(), text);
    QVERIFY(find<InfoBar>(page.get(), "editBar")->isVisible());
    QTRY_VERIFY(isSaid());
    QVERIFY(hasFieldError(instances()));
    changeElsewhere();
    QCOMPARE(line()->text(), QStringLiteral("7"));
    QVERIFY(isSaid() && hasFieldError(instances()));
    focus(line());
    line()->selectAll();
    QTest::keyClicks(line(), QStringLiteral("1")); // as it is
    QTRY_VERIFY(!isSaid());
    leave(page.get());
    settle(page.get());
    QVERIFY(!isSaid() && !hasFieldError(instances()));
    QCOMPARE(page->bytes(), QByteArray("# more\n" + text));
}

// As the sentence asks for: it is changed in the text.
void TstRefusedEdits::otherValueTakesItAway()
{
    showDocument(page.get(), sharedHead + sharedRoles, QStringLiteral("j.pai.yaml"));
    type(line(), QStringLiteral("7"));
    QTRY_VERIFY(isSaid());
    auto *editor = page->findChild<YamlEditor *>();
    editor->applyEdits(
        {{{0, editor->byteCount()}, sharedHead + QByteArray(sharedRoles).replace("&n 1", "3").replace("*n", "1")}},
        Origin::Text);
    settle(page.get());
    QTRY_VERIFY(!isSaid());
    QCOMPARE(line()->text(), QStringLiteral("3"));
    QVERIFY(!hasFieldError(instances()));
}

// A large document is changed on another thread: the form shows another role by the time the change is refused.
void TstRefusedEdits::fieldSaysItWhenItsRoleIsShownAgain()
{
    QByteArray text = sharedHead + sharedRoles + "  u:\n    instances: 2\n    commands:\n";
    for (int i = 0; i < 1500; ++i) {
        text += "      - echo this is command number " + QByteArray::number(i) + "\n";
    }
    showDocument(page.get(), text, QStringLiteral("j.pai.yaml"));
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->count(), 3, 60000);
    settle(page.get());
    focus(line());
    line()->selectAll();
    QTest::keyClicks(line(), QStringLiteral("7"));
    tabs->setCurrentIndex(2);
    QCOMPARE(line()->text(), QStringLiteral("2")); // and not what is on its way to the other role
    QTRY_VERIFY_WITH_TIMEOUT(find<InfoBar>(page.get(), "editBar")->isVisible(), 60000);
    settle(page.get());
    QVERIFY(!isSaid() && !hasFieldError(instances()));
    QCOMPARE(line()->text(), QStringLiteral("2"));
    tabs->setCurrentIndex(0);
    QTRY_VERIFY(isSaid());
    QVERIFY(hasFieldError(instances()));
    QCOMPARE(line()->text(), QStringLiteral("7"));
    QCOMPARE(page->bytes(), text);
}

void TstRefusedEdits::commandsStayAsTyped()
{
    const QByteArray text = sharedHead + sharedRoles;
    showDocument(page.get(), text, QStringLiteral("j.pai.yaml"));
    CodeView *view = commands(page.get());
    focus(view);
    view->setCaret(view->lineEnd(0));
    QTest::keyClicks(view, QStringLiteral(" -l"));
    leave(page.get());
    QTRY_VERIFY(isSaid());
    changeElsewhere();
    QCOMPARE(view->allBytes(), QByteArray("ls -l\npwd"));
    QVERIFY(isSaid());
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    tabs->setCurrentIndex(1);
    QTRY_COMPARE(view->allBytes(), QByteArray("ls\npwd"));
    tabs->setCurrentIndex(0);
    QTRY_COMPARE(view->allBytes(), QByteArray("ls -l\npwd"));
    QTRY_VERIFY(isSaid());
    focus(view);
    view->setCaret(view->lineEnd(0));
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(view, Qt::Key_Backspace);
    }
    leave(page.get());
    settle(page.get());
    QVERIFY(!isSaid());
    QCOMPARE(view->allBytes(), QByteArray("ls\npwd"));
    QCOMPARE(page->bytes(), QByteArray("# more\n" + text));
}

void TstRefusedEdits::anotherDocumentHasNone()
{
    showDocument(page.get(), sharedHead + sharedRoles, QStringLiteral("j.pai.yaml"));
    type(line(), QStringLiteral("7"));
    QTRY_VERIFY(isSaid());
    page->newDocument(sharedHead + sharedRoles, QStringLiteral("k.pai.yaml"));
    settle(page.get());
    QTRY_VERIFY(!isSaid());
    QCOMPARE(line()->text(), QStringLiteral("1"));
}

// A value that was not there is still not there when its role has gone.
void TstRefusedEdits::anotherRoleOfTheNameHasNone()
{
    const YamlPath role{QStringLiteral("taskRoles"), QStringLiteral("v")};
    const YamlPath image = role.child(QStringLiteral("dockerImage"));
    const auto parsed
        = [](const QByteArray &of) { return YamlDocument::parse("taskRoles:\n  w: &w\n    instances: 1\n" + of); };
    RefusedEdits refused;
    refused.add(image, {QStringLiteral("edit.through-alias"), {}}, QStringLiteral("pytorch"), parsed("  v: *w\n"));
    refused.review(parsed("  v: *w\n  u: *w\n"));
    QCOMPARE(refused.typed(image).toString(), QStringLiteral("pytorch"));
    refused.review(parsed({}));
    refused.review(parsed("  v:\n    instances: 2\n"));
    QVERIFY(!refused.typed(image).isValid() && refused.diagnostics().isEmpty());
}

TRAINYARD_GUI_TEST(TstRefusedEdits)
#include "tst_refusededits.moc"
