// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designersample.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fieldhelp.h"
#include "widgets/form/formfield.h"

#include <QHeaderView>
#include <QTabBar>
#include <QTableWidget>

#include <memory>

using namespace trainyard;
using namespace designertools;

// What the form says of the control that has the focus, and where it stands while it is edited.
class TstFieldFocus : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void helpIsOfWhatHasTheFocus_data();
    void helpIsOfWhatHasTheFocus();
    void helpSaysWhereAFieldIsNeeded();
    void helpFollowsTheTab();
    void namesStayInPlaceWhileEdited();

private:
    QString brief() const { return find<ElidedLabel>(page.get(), "fieldBrief")->text(); }
    std::unique_ptr<DesignerPage> page;
};

void TstFieldFocus::helpIsOfWhatHasTheFocus_data()
{
    QTest::addColumn<QByteArray>("control");
    QTest::addColumn<QByteArray>("before"); // the field that one comes from
    QTest::newRow("follow GPU") << QByteArray("roleFollowGpu") << QByteArray("roleInstances");
    QTest::newRow("a port more") << QByteArray("portAdd") << QByteArray("roleInstances");
    QTest::newRow("a prerequisite more") << QByteArray("chainAdd") << QByteArray("roleInstances");
}

void TstFieldFocus::helpIsOfWhatHasTheFocus()
{
    QFETCH(QByteArray, control);
    QFETCH(QByteArray, before);
    showSample(page.get(), sampleText);
    auto *first = find<QWidget>(page.get(), before.constData());
    focus(first);
    settle(page.get());
    const auto isMarked = [](const QWidget *widget) {
        for (; widget; widget = widget->parentWidget()) {
            if (const auto *field = dynamic_cast<const FormField *>(widget)) {
                return field->isHighlighted();
            }
        }
        return false;
    };
    const QString said = brief();
    QVERIFY(!said.isEmpty());
    QVERIFY(isMarked(first));
    auto *second = find<QWidget>(page.get(), control.constData());
    focus(second);
    settle(page.get());
    QVERIFY(second->hasFocus());
    QVERIFY2(brief() != said, qPrintable(said));
    QVERIFY(!isMarked(first));
}

// A job without an image runs in the shell of a host.
void TstFieldFocus::helpSaysWhereAFieldIsNeeded()
{
    const YamlDocument document = YamlDocument::parse(sampleText);
    const YamlPath role{QStringLiteral("taskRoles"), QStringLiteral("worker")};
    const QString where = QStringLiteral(" in containers, on Kubernetes and on OpenPAI clusters");
    const QString brief = fieldBrief(document, role.child(QStringLiteral("dockerImage")));
    QVERIFY2(brief.endsWith(QString(QStringLiteral("Needed") + where)), qPrintable(brief));
    const QString card = fieldHelp(document, role.child(QStringLiteral("dockerImage")), page.get());
    QVERIFY2(card.contains(QString(QStringLiteral("required") + where)), qPrintable(card));
    const QString other = fieldBrief(document, role.child(QStringLiteral("commands")));
    QVERIFY2(other.contains(QStringLiteral("Needed")) && !other.contains(where), qPrintable(other));
}

// A parameter that was looked at is out of sight then.
void TstFieldFocus::helpFollowsTheTab()
{
    showSample(page.get(), sampleText);
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    focus(table);
    table->setCurrentCell(1, 0);
    settle(page.get());
    const QString ofParameter = brief();
    QVERIFY2(ofParameter.contains(QStringLiteral("parameter")), qPrintable(ofParameter));
    auto *tabs = find<QTabBar>(page.get(), "formTabs");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    QCOMPARE(tabs->currentIndex(), 1);
    QVERIFY2(brief().contains(QStringLiteral("$secrets.NAME")), qPrintable(brief()));
    focus(tabs);
    QTest::keyClick(tabs, Qt::Key_Left);
    QCOMPARE(tabs->currentIndex(), 0);
    QVERIFY2(brief().contains(QStringLiteral("$parameters.NAME")), qPrintable(brief()));
}

void TstFieldFocus::namesStayInPlaceWhileEdited()
{
    showSample(page.get(), sampleText);
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    table->setCurrentCell(1, 0);
    table->editItem(table->item(1, 0));
    auto *editor = table->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->home(false);
    QCoreApplication::processEvents();
    // The caret before the first letter stands where the name is drawn.
    const QRect caret = editor->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    const int x = editor->mapTo(table->viewport(), caret.center()).x();
    const int name = table->columnViewportPosition(0) + metrics::space3;
    QVERIFY2(qAbs(x - name) <= 3, qPrintable(QString::number(x - name)));
}

TRAINYARD_GUI_TEST(TstFieldFocus)
#include "tst_fieldfocus.moc"
