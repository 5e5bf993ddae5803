// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/log/logrulesdialog.h"
#include "widgets/log/logview.h"
#include "widgets/plot/metricpatternsdialog.h"

#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace trainyard;

// The expressions by which lines of a log are marked and metrics are found, and the dialogs in which they are edited.
class TstLogRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rulesDecideInTheirOrder();
    void rulesAreFoundAmongOthers_data();
    void rulesAreFoundAmongOthers();
    void slowRulesDoNotStopTheWindow();
    void oneRuleTooManyIsNotTaken();
    void rulesAreKept();
    void rulesAreEditedLive();
    void patternsAreTriedLive();
};

void TstLogRules::rulesDecideInTheirOrder()
{
    using Level = LogRule::Level;
    const LogRules rules({{QStringLiteral("harmless"), Level::Faint}, {QStringLiteral("Error"), Level::Error},
        {QStringLiteral("off"), Level::Good, false}, {QStringLiteral("[broken"), Level::Good}});
    QCOMPARE(rules.rules().size(), 3); // what is not valid is left out
    QCOMPARE(rules.levelOf(QStringLiteral("harmless Error")), Level::Faint);
    QCOMPARE(rules.levelOf(QStringLiteral("an Error")), Level::Error);
    QVERIFY(!rules.levelOf(QStringLiteral("off")));
    QCOMPARE(LogRules().levelOf(QStringLiteral("UserWarning: x")), Level::Warning);
    QCOMPARE(LogRules().levelOf(QStringLiteral("12:00 WARNING x")), Level::Warning);
    QVERIFY(!LogRules().levelOf(QStringLiteral("warnings: 0")));
    QVERIFY(!LogRules(QList<LogRule>()).candidates({Level::Error}).match(QStringLiteral("Error")).hasMatch());
}

// Each expression is right by itself; among others, and in a text of many lines, it finds no less.
void TstLogRules::rulesAreFoundAmongOthers_data()
{
    QTest::addColumn<QStringList>("patterns");
    QTest::addColumn<QString>("log");
    QTest::addColumn<int>("line");
    const auto row = [](const char *name, const QStringList &patterns, const char *log, int line) {
        QTest::newRow(name) << patterns << QString::fromLatin1(log) << line;
    };
    row("two with a group of one name", {QStringLiteral("(?<n>a)b"), QStringLiteral("(?<n>c)d")}, "x\ncd\n", 1);
    row("one that repeats its group", {QStringLiteral("(x)y"), QStringLiteral("(e)rr\\1")}, "x\nerre\n", 1);
    row("one with a comment", {QStringLiteral("(?x) err # or not"), QStringLiteral("zz")}, "x\nerr\n", 1);
    row("the begin of a text", {QStringLiteral("\\Aerr")}, "x\ny\nerr\n", 2);
    row("the end of a text", {QStringLiteral("err\\z")}, "x\nerr\ny\n", 1);
    row("what does not follow", {QStringLiteral("err(?!\\s*or)")}, "x\nerr\nor\n", 1);
    row("what is not given back", {QStringLiteral("err\\s*+$")}, "x\nerr \n or\n", 1);
    row("a line that ends as on Windows", {QStringLiteral("err$")}, "x\r\nerr\r\ny\r\n", 1);
    row("a line over a bar", {QStringLiteral("^err")}, "x\n10%\rerr\n", 1);
    row("behind one that takes too long", {QStringLiteral("(a+)+$"), QStringLiteral("err")},
        "x\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\nerr\n", 2);
}

void TstLogRules::rulesAreFoundAmongOthers()
{
    QFETCH(QStringList, patterns);
    QFETCH(QString, log);
    QFETCH(int, line);
    QList<LogRule> rules;
    for (const QString &pattern : std::as_const(patterns)) {
        rules.append({pattern, LogRule::Level::Error});
    }
    WrittenLog written;
    written.write(log.toLatin1());
    LogView view;
    view.resize(400, 300);
    view.show();
    view.setRules(LogRules(rules));
    view.setSource(TryLogSource::factory(written.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), log.count(QLatin1Char('\n')));
    QSignalSpy jumped(&view, &LogView::jumped);
    view.jump(LogView::Jump::FirstError);
    QTRY_COMPARE(jumped.size(), 1);
    QVERIFY(jumped.constFirst().last().toBool());
    QCOMPARE(view.currentLine(), line);
}

// All lines in sight are matched whenever they are drawn. An expression without an end takes a fortieth of a second
// for each if nothing stops it.
void TstLogRules::slowRulesDoNotStopTheWindow()
{
    const LogRules rules({{QStringLiteral("(a+)+$"), LogRule::Level::Error}});
    const QString line = QString(60, QLatin1Char('a')) + QLatin1Char('!');
    QElapsedTimer took;
    took.start();
    for (int i = 0; i < 400; ++i) {
        QVERIFY(!rules.levelOf(line));
    }
    QVERIFY2(took.elapsed() < 4000, qPrintable(QString::number(took.elapsed())));
    QCOMPARE(rules.levelOf(QStringLiteral("aaa")), LogRule::Level::Error);
    QCOMPARE(rules.rules().constFirst().pattern, QStringLiteral("(a+)+$"));
}

// It would push the last one out when the rules are used.
void TstLogRules::oneRuleTooManyIsNotTaken()
{
    QList<LogRule> rules;
    for (int i = 0; i + 1 < LogRules::most; ++i) {
        rules.append({QString::number(i), LogRule::Level::Good});
    }
    LogRulesDialog dialog(LogRules(rules), {});
    auto *add = dialog.findChild<QPushButton *>(QStringLiteral("logRuleAdd"));
    QVERIFY(add->isEnabled());
    add->click();
    QVERIFY(!add->isEnabled() && add->toolTip().contains(QStringLiteral("200")));
    QCOMPARE(dialog.rules().rules().size(), LogRules::most - 1); // the new one is still empty
}

void TstLogRules::rulesAreKept()
{
    const LogRules rules(
        {{QStringLiteral("a|b"), LogRule::Level::Good}, {QStringLiteral("c"), LogRule::Level::Faint, false}});
    QCOMPARE(LogRules::fromJson(rules.toJson()), rules);
    QVERIFY(LogRules::fromJson({QJsonValue(3), QJsonObject{{QStringLiteral("level"), QStringLiteral("odd")}}})
                .rules()
                .isEmpty());
}

void TstLogRules::rulesAreEditedLive()
{
    LogRulesDialog dialog(LogRules(), {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto *preview = dialog.findChild<LogView *>();
    QTRY_VERIFY(preview->lineCount() > 5);
    const QImage before = preview->viewport()->grab().toImage();
    QSignalSpy chosen(&dialog, &LogRulesDialog::chosen);
    dialog.findChild<QPushButton *>(QStringLiteral("logRuleAdd"))->click();
    auto *table = dialog.findChild<QTreeWidget *>();
    auto *field = qobject_cast<QLineEdit *>(table->itemWidget(table->topLevelItem(0), 1));
    QVERIFY(field);
    field->setText(QStringLiteral("saved"));
    QVERIFY(preview->viewport()->grab().toImage() != before);
    QCOMPARE(dialog.rules().rules().constFirst(), (LogRule{QStringLiteral("saved"), LogRule::Level::Notable}));
    field->setText(QStringLiteral("sav[ed"));
    const auto *accept = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    QVERIFY(!accept->isEnabled());
    field->setText(QStringLiteral("checkpoints"));
    dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.constFirst().constFirst().value<LogRules>().rules().size(), LogRules::builtIn().size() + 1);
}

void TstLogRules::patternsAreTriedLive()
{
    WrittenLog log;
    log.write("quality -> 3\nquality -> 4.5\nnothing\n");
    MetricPatternsDialog dialog({}, TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    dialog.findChild<QPushButton *>(QStringLiteral("patternAdd"))->click();
    auto *table = dialog.findChild<QTreeWidget *>();
    QTreeWidgetItem *row = table->topLevelItem(0);
    QVERIFY(row);
    const auto type = [&](int column, const QString &text) {
        QWidget *field = table->itemWidget(row, column);
        field->setFocus();
        for (const QChar c : text) { // it keeps the focus
            QTest::keyClick(field, c.toLatin1());
        }
        return qobject_cast<QLineEdit *>(field)->text();
    };
    QCOMPARE(type(0, QStringLiteral("quality")), QStringLiteral("quality"));
    QCOMPARE(type(1, QStringLiteral("-> (\\S+)")), QStringLiteral("-> (\\S+)"));
    QTRY_COMPARE(row->text(2), QStringLiteral("2"));
    QCOMPARE(row->text(3), QStringLiteral("4.5"));
    QVERIFY(
        dialog.findChild<QLabel *>(QStringLiteral("patternLines"))->text().contains(QStringLiteral("quality -> 3")));
    QSignalSpy chosen(&dialog, &MetricPatternsDialog::chosen);
    QPushButton *accept = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    qobject_cast<QLineEdit *>(table->itemWidget(row, 1))->setText(QStringLiteral("no group"));
    QVERIFY(!accept->isEnabled());
    qobject_cast<QLineEdit *>(table->itemWidget(row, 1))->setText(QStringLiteral("(\\d)"));
    accept->click();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(dialog.expressions().value(QStringLiteral("quality")), QStringLiteral("(\\d)"));
}

TRAINYARD_GUI_TEST(TstLogRules)
#include "tst_logrules.moc"
