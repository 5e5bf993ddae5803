// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/style.h"
#include "widgets/form/commandsfield.h"
#include "widgets/form/popup.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace trainyard;
using namespace designertools;

// How the form copes with much and little: thousands of entries, long names, narrow and small windows.
class TstDesignerRoom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void copesWithThousandsOfCommands();
    void allTabsSayHowManyOrNone();
    void copesWithThousandsOfParameters();
    void fitsNarrowForms();
    void addsRolesBesideThem();
    void tabOfTheOnlyRoleIsWhole();
    void fitsLongNames();
    void closesUpWhatWasOpen();
    void fitsTheHeightOfCommands();
    void saysHowManyCommandsAreHidden();
    void popupsGoWithTheirButtons();
    void screenshots();

private:
    void show(const QByteArray &bytes);
    void tab(int index) { find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(index); }
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerRoom::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerRoom::cleanup() { page.reset(); }

void TstDesignerRoom::show(const QByteArray &bytes)
{
    showDocument(page.get(), bytes, QStringLiteral("full.pai.yaml"));
}

// One without a number would look empty beside one that has it.
void TstDesignerRoom::allTabsSayHowManyOrNone()
{
    show("protocolVersion: 2\nname: j\ntype: job\nparameters: {a: 1, b: 2}\nsecrets: {s: x}\nprerequisites:\n"
         "  - {name: i, type: dockerimage, uri: u}\ntaskRoles: {w: {dockerImage: i, resourcePerInstance: {cpu: 1, "
         "memoryMB: 1, gpu: 0}, commands: [a]}}\n");
    const auto *tabs = find<QTabBar>(page.get(), "formTabs");
    const auto counted = [tabs] {
        int count = 0;
        for (int i = 0; i < tabs->count(); ++i) {
            count += tabs->tabText(i).back().isDigit() ? 1 : 0;
        }
        return count;
    };
    bool wereAll = false, wereNone = false;
    for (int width = 1600; width >= 500; width -= 20) {
        page->resize(width, 700);
        QCoreApplication::processEvents();
        QVERIFY2(counted() == 0 || counted() == 3, qPrintable(QStringLiteral("%1 at %2").arg(counted()).arg(width)));
        wereAll = wereAll || counted() == 3;
        wereNone = wereNone || counted() == 0;
    }
    QVERIFY(wereAll && wereNone);
}

void TstDesignerRoom::copesWithThousandsOfCommands()
{
    QByteArray text("name: n\ntaskRoles:\n  worker:\n    commands:\n");
    constexpr int many = 5000;
    for (int i = 0; i < many; ++i) {
        text += "      - echo line " + QByteArray::number(i) + " of many\n";
    }
    show(text);
    CodeView *view = commands(page.get());
    QTRY_COMPARE(view->lines(), qsizetype(many));
    focus(view);
    view->setCaret(view->lineEnd(many / 2));
    settle(page.get());
    // The keys themselves; parsing goes on elsewhere.
    QElapsedTimer clock;
    clock.start();
    constexpr int keys = 20;
    for (int i = 0; i < keys; ++i) {
        QTest::keyClick(view, Qt::Key_X);
    }
    const qint64 spent = clock.elapsed();
    qInfo("%d keys into %d commands: %lld ms", keys, many, static_cast<long long>(spent));
    leave(page.get());
    QByteArray expected = text;
    expected.replace("line 2500 of many\n", QByteArray("line 2500 of many" + QByteArray(keys, 'x') + "\n"));
    QTRY_COMPARE_WITH_TIMEOUT(page->bytes().size(), expected.size(), 15000);
    QCOMPARE(page->bytes(), expected);
}

void TstDesignerRoom::copesWithThousandsOfParameters()
{
    QByteArray text("name: n\nparameters:\n");
    for (int i = 0; i < 3000; ++i) {
        text += "  p" + QByteArray::number(i) + ": " + QByteArray::number(i) + '\n';
    }
    show(text);
    auto *table = find<QTableWidget>(page.get(), "parametersTable");
    QTRY_COMPARE(table->rowCount(), 3000);
    QVERIFY(table->findChildren<QToolButton *>().size() < 100);
    table->scrollToBottom();
    QTRY_VERIFY(table->cellWidget(2999, 2));
    rowTool(page.get(), "parametersTable", 2999, "valueRemove");
    QTRY_VERIFY(!page->bytes().contains("p2999"));
    QTRY_COMPARE(table->rowCount(), 2999);
}

// Nothing may be cut off where the form is narrow.
void TstDesignerRoom::fitsNarrowForms()
{
    show(fullText);
    page->resize(700, 820);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    for (int index = ParametersTab; index <= ExtrasTab; ++index) {
        tab(index);
        settle(page.get());
        const auto parts = form->widget()->findChildren<QWidget *>();
        for (const QWidget *part : parts) {
            if (part->isVisible() && part->minimumSizeHint().width() > form->viewport()->width() - 32) {
                qInfo("%s %s needs %d px", part->metaObject()->className(), qPrintable(part->objectName()),
                    part->minimumSizeHint().width());
            }
        }
        QVERIFY2(form->widget()->width() <= form->viewport()->width(),
            qPrintable(QStringLiteral("tab %1: %2 > %3")
                           .arg(index)
                           .arg(form->widget()->width())
                           .arg(form->viewport()->width())));
    }
    auto *memory = find<QAbstractSpinBox>(page.get(), "roleMemory");
    auto *edit = memory->findChild<QLineEdit *>();
    QCOMPARE(edit->text(), QStringLiteral("256 MiB"));
    QVERIFY(edit->width() - 4 >= edit->fontMetrics().horizontalAdvance(edit->text()));
}

// Where roles are added is right beside them.
void TstDesignerRoom::addsRolesBesideThem()
{
    show("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w: {instances: 1, commands: [echo]}\n");
    const auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    const auto *add = find<QToolButton>(page.get(), "roleAdd");
    const int end = tabs->mapTo(page.get(), tabs->tabRect(0).topRight()).x();
    const int gap = add->mapTo(page.get(), QPoint(0, 0)).x() - end;
    QVERIFY2(gap >= 0 && gap <= 16, qPrintable(QString::number(gap)));
}

// Large letters leave little room for it.
void TstDesignerRoom::tabOfTheOnlyRoleIsWhole()
{
    show("protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  trainer_with_a_long_name_of_a_script: "
         "{instances: 10, commands: [echo]}\n");
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    QFont large = tabs->font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    tabs->setFont(large);
    for (const int width : {1192, 700, 900}) {
        page->resize(width, 600);
        settle(page.get());
        QVERIFY2(tabs->tabRect(0).right() <= tabs->width(), qPrintable(QString::number(width)));
        QVERIFY(tabs->tabText(0).endsWith(QStringLiteral("10")));
    }
}

// Names of any length, on a small screen at 150 %.
void TstDesignerRoom::fitsLongNames()
{
    const QByteArray role = "parameterserverwithaverylongrolename_number_one_of_many";
    const QByteArray image = "an_image_with_quite_a_long_name_indeed_so_that_the_combo_box_is_too_narrow_for_it_by_far";
    const QByteArray step = "preparation_of_the_training_data_set_with_a_long_name";
    show("protocolVersion: 2\nname: a_very_long_job_name_that_goes_on_and_on_with_hyperparameters_lr_0_001\n"
         "type: job\ndescription: A long description that goes on for much longer than any field can show.\n"
         "taskRoles:\n  "
        + role + ":\n    instances:\n    dockerImage: " + image
        + "\n    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0, ports: {averylongportnamethatisreallylong: 2}}\n"
          "    prerequisites: ["
        + step
        + "]\n    commands: [sleep 60]\n  worker_with_another_long_role_name: {instances: 1000, dockerImage: " + image
        + ", resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}, commands: [sleep 60]}\nprerequisites:\n  - {name: "
        + image
        + ", type: dockerimage, uri: 'registry.example.org:5000/some/very/deep/path:and-a-long-tag'}\n  - {name: "
        + step
        + ", type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, callbacks: "
          "[{event: taskStarts, commands: [echo prep]}]}\n");
    page->resize(640, 420);
    settle(page.get());
    auto *form = find<QScrollArea>(page.get(), "jobForm");
    QVERIFY(form->width() <= 400);
    for (int index = ParametersTab; index <= ExtrasTab; ++index) {
        tab(index);
        settle(page.get());
        const auto parts = form->widget()->findChildren<QWidget *>();
        for (const QWidget *part : parts) {
            const int left = part->mapTo(form->widget(), QPoint(0, 0)).x();
            if (part->isVisible() && left + part->minimumSizeHint().width() > form->viewport()->width()) {
                qInfo("%s %s at %d needs %d px", part->metaObject()->className(), qPrintable(part->objectName()), left,
                    part->minimumSizeHint().width());
            }
        }
        QVERIFY2(form->widget()->width() <= form->viewport()->width(),
            qPrintable(QStringLiteral("tab %1: %2 > %3")
                           .arg(index)
                           .arg(form->widget()->width())
                           .arg(form->viewport()->width())));
    }
    QVERIFY(find<QWidget>(page.get(), "roleInstances")->width() >= 40);
    // The name of the file as well: beside it there is room for the buttons.
    page->newDocument(page->bytes(), QStringLiteral("an_extremely_long_file_name_for_a_training_job_of_many.pai.yaml"));
    settle(page.get());
    const QWidget *name = find<QWidget>(page.get(), "documentName");
    const QWidget *modes = find<QWidget>(page.get(), "viewMode");
    QVERIFY(name->geometry().right() < modes->geometry().left());
    QVERIFY(modes->geometry().right() < page->width());
}

// Pictures for people: TRAINYARD_SCREENSHOTS names a folder.
// What is closed leaves no room behind.
void TstDesignerRoom::closesUpWhatWasOpen()
{
    // A job without roles shows no card, and what is hidden is not laid out.
    const auto heightOfCommands = [this] {
        const auto *commands = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
        return commands->isVisible() ? commands->height() : 0;
    };
    const auto toggleAll = [this] {
        for (const char *each : {"jobMore", "queueDisclosure", "aboutDisclosure", "roleMore", "prerequisiteMore"}) {
            QTest::keyClick(find<QWidget>(page.get(), each), Qt::Key_Space);
        }
        settle(page.get());
    };
    show(fullText);
    page->resize(1192, 1450);
    settle(page.get());
    const int closed = heightOfCommands();
    QVERIFY(closed > 0);
    for (const char *text : {fullText, "protocolVersion: 2\nname: new\ntype: job\n", fullText}) {
        show(text);
        for (const int width : {1192, 900, 760}) {
            page->resize(width, 1450);
            toggleAll();
            for (int index = ParametersTab; index <= ExtrasTab; ++index) {
                tab(index);
                settle(page.get());
                if (width == 1192) {
                    QTRY_VERIFY2(heightOfCommands() <= closed, qPrintable(QString::number(heightOfCommands())));
                }
            }
        }
    }
}

void TstDesignerRoom::fitsTheHeightOfCommands()
{
    show("protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands:\n      - "
        + QByteArray("word ").repeated(60) + "\n      - two\n");
    auto *commands = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
    const int narrow = commands->height();
    page->resize(3000, 820);
    QTRY_VERIFY(commands->height() < narrow); // fewer lines are broken
    page->resize(1192, 820);
    QTRY_COMPARE(commands->height(), narrow);
}

// What is not in sight is said, and a few commands are whole however often their lines are broken.
void TstDesignerRoom::saysHowManyCommandsAreHidden()
{
    const auto text = [](int commands, const QByteArray &command) -> QByteArray {
        return QByteArray("protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands:\n")
            + QByteArray("      - " + command + '\n').repeated(commands);
    };
    const auto rest = [this] {
        const auto *label = find<QWidget>(page.get(), "roleCard")->findChild<QLabel *>(QStringLiteral("commandsRest"));
        return label->isVisible() ? label->text() : QString();
    };
    show(text(9, "echo"));
    find<QWidget>(page.get(), "roleInstances")->setFocus();
    QTRY_VERIFY2(rest().startsWith(QStringLiteral("3 more line")), qPrintable(rest()));
    auto *field = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
    settle(page.get());
    const int calm = field->height();
    field->setFocus();
    QTRY_COMPARE(rest(), QString());
    QTRY_VERIFY(field->height() > calm);
    show(text(3, QByteArray("word ").repeated(40)));
    find<QWidget>(page.get(), "roleInstances")->setFocus();
    settle(page.get());
    QTRY_COMPARE(rest(), QString());
    field = find<QWidget>(page.get(), "roleCard")->findChild<CommandsField *>();
    QTRY_VERIFY2(field->height() > calm, qPrintable(QString::number(field->height())));
}

void TstDesignerRoom::popupsGoWithTheirButtons()
{
    QWidget window;
    auto *column = new QVBoxLayout(&window);
    auto *above = new QWidget;
    above->setFixedHeight(200);
    auto *inside = new QWidget;
    auto *row = new QHBoxLayout(inside);
    auto *button = new QPushButton(QStringLiteral("+"));
    row->addWidget(button);
    column->addWidget(above);
    column->addWidget(inside);
    column->addStretch(1);
    window.resize(300, 500);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    Popup popup(&window);
    popup.setAttribute(Qt::WA_DeleteOnClose, false);
    popup.openBelow(button);
    const int before = popup.y();
    above->setFixedHeight(20);
    QTRY_COMPARE(popup.y(), before - 180);
    popup.close();
}

void TstDesignerRoom::screenshots()
{
    const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
    if (folder.isEmpty()) {
        QSKIP("TRAINYARD_SCREENSHOTS is not set: set it to a folder for the pictures.");
    }
    const QByteArray empty("protocolVersion: 2\nname: new\ntype: job\n");
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        TrainyardStyle::installed()->setThemeMode(theme);
        const QString suffix = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        for (const bool full : {true, false}) {
            show(full ? QByteArray(fullText) : empty);
            page->resize(1192, 1300);
            page->setProblemsVisible(false);
            settle(page.get());
            const QString name = folder + (full ? QStringLiteral("/full-") : QStringLiteral("/empty-")) + suffix;
            find<QLineEdit>(page.get(), "jobName")->setFocus();
            page->grab().save(name + QStringLiteral(".png"));
            auto *form = find<QScrollArea>(page.get(), "jobForm");
            for (const char *each : {"jobMore", "queueDisclosure", "aboutDisclosure", "roleMore", "prerequisiteMore"}) {
                auto *disclosure = find<QWidget>(page.get(), each);
                QTest::keyClick(disclosure, Qt::Key_Space);
            }
            settle(page.get());
            form->verticalScrollBar()->setValue(0);
            page->grab().save(name + QStringLiteral("-head.png"));
            for (int index = ParametersTab; index <= ExtrasTab; ++index) {
                tab(index);
                if (full && index == PrerequisitesTab) {
                    find<QListWidget>(page.get(), "prerequisitesList")->setCurrentRow(2);
                }
                settle(page.get());
                form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
                settle(page.get());
                form->grab().save(QStringLiteral("%1-tab%2.png").arg(name).arg(index));
            }
        }
    }
    TrainyardStyle::installed()->setThemeMode(ThemeMode::Light);
}

TRAINYARD_GUI_TEST(TstDesignerRoom)
#include "tst_designerroom.moc"
