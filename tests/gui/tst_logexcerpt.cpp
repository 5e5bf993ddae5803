// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/logexcerpt.h"

#include <QApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QVBoxLayout>

using namespace trainyard;

// Lines of a log beside the reason of a failure: bash's name for the commands is cut to what says something.
class TstLogExcerpt : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesOfScripts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shown");
        const QString folder = QStringLiteral("/home/a b/.local/state/trainyard/runs/j/0/w-0/0/");
        const QString script = QStringLiteral("task.sh"), commands = QStringLiteral("commands");
        const auto row
            = [](const char *what, const QString &name, const QString &shown) { QTest::newRow(what) << name << shown; };
        row("script", folder + script, script);
        row("script in memory", folder + QStringLiteral("sealed/task.sh"), script);
        row("commands before a step", folder + commands, commands);
        row("in a container", folder + QStringLiteral("inside/commands"), commands);
        row("descriptor", QStringLiteral("/dev/fd/9"), script);
        row("commands at a descriptor", QStringLiteral("/dev/fd/97"), commands);
        row("another script", QStringLiteral("/data/other.sh"), QStringLiteral("/data/other.sh"));
    }

    void namesOfScripts()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, shown);
        const QString said = QStringLiteral(": line 3: trainn: command not found");
        LogExcerpt excerpt;
        excerpt.setLines(0, {name + said}, std::nullopt);
        QCOMPARE(excerpt.toPlainText(), QString(QStringLiteral("1  ") + shown + said));
    }

    // Which part of a line Python means is of no use where the line wraps; the lines keep their numbers.
    void linesThatPointAreLeftOut()
    {
        LogExcerpt excerpt;
        excerpt.setLines(5,
            {QStringLiteral("    ^^^^"), QStringLiteral("  step(batch)"), QStringLiteral("  ~~~~^^^^^^^"),
                QStringLiteral("KeyError: '^'")},
            8);
        QCOMPARE(excerpt.toPlainText(), QStringLiteral("7    step(batch)\n9  KeyError: '^'"));
    }

    // The keys go over the links of the lines in both directions, and out of them.
    void tabGoesThroughTheLinks()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *before = new QPushButton, *after = new QPushButton;
        auto *excerpt = new LogExcerpt;
        excerpt->setLines(0, {QStringLiteral("one"), QStringLiteral("two")});
        auto *scroll = new QScrollArea;
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidgetResizable(true);
        scroll->setWidget(excerpt);
        column->addWidget(before);
        column->addWidget(scroll);
        column->addWidget(after);
        window.resize(400, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto press = [](Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); };
        for (int round = 0; round < 2; ++round) {
            before->setFocus();
            press(Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), excerpt);
            QCOMPARE(excerpt->textCursor().selectedText(), QStringLiteral("1"));
            press(Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), excerpt);
            QCOMPARE(excerpt->textCursor().selectedText(), QStringLiteral("2"));
            press(Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), after);
            press(Qt::Key_Backtab);
            QCOMPARE(QApplication::focusWidget(), excerpt);
            QCOMPARE(excerpt->textCursor().selectedText(), QStringLiteral("2"));
            press(Qt::Key_Backtab);
            QCOMPARE(QApplication::focusWidget(), excerpt);
            QCOMPARE(excerpt->textCursor().selectedText(), QStringLiteral("1"));
            press(Qt::Key_Backtab);
            QCOMPARE(QApplication::focusWidget(), before);
        }
    }
};
TRAINYARD_GUI_TEST(TstLogExcerpt)

#include "tst_logexcerpt.moc"
