// SPDX-License-Identifier: GPL-3.0-or-later
// What a renaming tells of places that it leaves alone, and the list of all uses of a name.
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/editor/nameplaces.h"
#include "widgets/form/mentionsbar.h"

using namespace trainyard;
using namespace designertools;

namespace
{
const char jobText[] = R"(protocolVersion: 2
name: names
type: job
parameters:
  lr: 0.1
prerequisites:
  - name: image
    type: dockerimage
    uri: example.org/x
taskRoles:
  ps:
    instances: 1
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 4, memoryMB: 8192}
    commands:
      - echo $PAI_HOST_IP_ps_0
      - ssh ps-0 true && ssh ps-$i true
      - python train.py --lr <% $parameters.lr %>
  worker:
    instances: 1
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 4, memoryMB: 8192}
    commands:
      - |
        # waits for it
        until ssh ps-0 true; do sleep 1; done
      - echo <% $parameters.lr %> https://ps-0.example.org/ /tmp/ps-0
)";
} // namespace

class TstRenaming : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { page.reset(); }
    void showsWhatMayMeanIt();
    void saysNothingWhereNothingIs();
    void goesWithUndo();
    void listsAllUses_data();
    void listsAllUses();
    void jumpsToAUse();

private:
    QString marked() const
    {
        CodeView *view = find<CodeView>(page.get(), "yamlText");
        return view->selectedText();
    }
    qint64 line() const
    {
        CodeView *view = find<CodeView>(page.get(), "yamlText");
        return view->lineOf(view->caret()) + 1;
    }
    std::unique_ptr<DesignerPage> page;
};

void TstRenaming::init()
{
    page = std::make_unique<DesignerPage>();
    page->resize(1192, 820);
    page->newDocument(jobText, QStringLiteral("names.pai.yaml"));
    page->show();
    page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(page.get()));
    settle(page.get());
}

void TstRenaming::showsWhatMayMeanIt()
{
    type(find<QLineEdit>(page.get(), "roleName"), QStringLiteral("server"));
    QTRY_VERIFY(page->bytes().contains("PAI_HOST_IP_server_0"));
    QVERIFY(page->bytes().contains("ssh ps-0 true && ssh ps-$i true"));
    auto *bar = find<MentionsBar>(page.get(), "mentionsBar");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("3 more places")), qPrintable(bar->text()));
    auto *next = find<QPushButton>(page.get(), "mentionNext");
    QList<qint64> lines;
    for (int i = 0; i < 4; ++i) {
        settle(page.get());
        next->click();
        QCOMPARE(marked(), QStringLiteral("ps"));
        lines.append(line());
    }
    QCOMPARE(lines, (QList<qint64>{17, 17, 26, 17})); // and from the top again
    // One that was mended by hand is not shown any more; the others still are.
    QByteArray text = page->bytes();
    const qsizetype at = text.indexOf("until ssh ps");
    page->jumpTo(26, 18 + 1);
    CodeView *view = find<CodeView>(page.get(), "yamlText");
    QCOMPARE(view->caret(), at + qsizetype(sizeof("until ssh ") - 1));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Delete);
    QTest::keyClick(view, Qt::Key_Delete);
    QTest::keyClicks(view, QStringLiteral("server"));
    settle(page.get());
    QVERIFY(page->bytes().contains("until ssh server-0"));
    QVERIFY(bar->isVisible());
    next->click();
    next->click();
    next->click();
    QCOMPARE(line(), 17);
    QVERIFY2(bar->text().contains(QStringLiteral("of 2")), qPrintable(bar->text()));
}

void TstRenaming::saysNothingWhereNothingIs()
{
    openTab(page.get(), ParametersTab);
    typeCell(page.get(), "parametersTable", 0, 0, QStringLiteral("rate"));
    QTRY_VERIFY(page->bytes().contains("--lr <% $parameters.rate %>"));
    settle(page.get());
    QVERIFY(!find<MentionsBar>(page.get(), "mentionsBar")->isVisible());
}

void TstRenaming::goesWithUndo()
{
    type(find<QLineEdit>(page.get(), "roleName"), QStringLiteral("server"));
    auto *bar = find<MentionsBar>(page.get(), "mentionsBar");
    QTRY_VERIFY(bar->isVisible());
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(jobText));
    QVERIFY(!bar->isVisible());
}

void TstRenaming::listsAllUses_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QList<int>>("lines");
    QTest::addColumn<int>("certain");
    QTest::newRow("role") << "/taskRoles/ps" << QList<int>{11, 16, 17, 17, 26} << 2;
    QTest::newRow("parameter") << "/parameters/lr" << QList<int>{5, 18, 27} << 3;
    QTest::newRow("prerequisite") << "/prerequisites/0" << QList<int>{7, 13, 21} << 3;
    QTest::newRow("prerequisite by its name") << "/prerequisites/0/name" << QList<int>{7, 13, 21} << 3;
    QTest::newRow("a role nobody names") << "/taskRoles/worker" << QList<int>{19} << 1;
    QTest::newRow("no name") << "/taskRoles/ps/instances" << QList<int>{} << 0;
}

void TstRenaming::listsAllUses()
{
    QFETCH(QString, pointer);
    QFETCH(QList<int>, lines);
    QFETCH(int, certain);
    const YamlDocument document = YamlDocument::parse(jobText);
    const YamlNode *node = document.find(*YamlPath::fromPointer(pointer));
    QVERIFY(node);
    const NameUses found = usesOf(document, document.pathOf(node));
    QList<int> at;
    int sure = 0;
    for (const NameUse &use : found.uses) {
        at.append(int(QByteArray(jobText).left(use.at.begin).count('\n')) + 1);
        QCOMPARE(document.bytes().mid(use.at.begin, use.at.length()), found.name.toUtf8());
        sure += use.certain ? 1 : 0;
    }
    QCOMPARE(at, lines);
    QCOMPARE(sure, certain);
}

void TstRenaming::jumpsToAUse()
{
    CodeView *view = find<CodeView>(page.get(), "yamlText");
    view->setFocus();
    view->setCaret(QByteArray(jobText).indexOf("dockerImage: image") + 15); // from a place that refers to it
    settle(page.get());
    QTest::keyClick(view, Qt::Key_F12, Qt::ShiftModifier);
    QTRY_VERIFY(page->findChild<QMenu *>(QStringLiteral("usesMenu")));
    auto *menu = page->findChild<QMenu *>(QStringLiteral("usesMenu"));
    const QList<QAction *> actions = menu->actions();
    QCOMPARE(actions.size(), 4); // a head, the definition, two uses
    QVERIFY(actions.first()->text().contains(QStringLiteral("2 places")));
    actions.last()->trigger();
    menu->close();
    QCOMPARE(line(), 21);
}

TRAINYARD_GUI_TEST(TstRenaming)
#include "tst_renaming.moc"
