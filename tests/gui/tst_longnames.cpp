// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs with names that are longer than a line: they stay on the screen, and what one types into stays in sight.
#include "app/gui/askbox.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/seedsdialog.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/elidedcheckbox.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/sweep/sweepdialog.h"
#include "widgets/tasks/bringdialog.h"
#include "widgets/tasks/changedialog.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QVBoxLayout>

#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const QString longJobName
    = u"resnet50_imagenet1k_bs256_lr0_1_cosine_warmup5_mixup0_2_cutmix_randaug_ema_labelsmooth_0_1_very_long_"
      u"experiment_of_november"_s;
const QString longParameter = u"a_rather_long_parameter_name_for_the_augmentation_policy_of_two"_s;

std::unique_ptr<SweepDialog> sweepOf(const QString &job, const QString &parameter)
{
    QByteArray yaml = sampleJob;
    const QByteArray parameters = "parameters:\n  i: 1\n  " + parameter.toUtf8() + ": adam\n";
    yaml.insert(yaml.indexOf("taskRoles:"), parameters);
    return std::make_unique<SweepDialog>(job, sweepDraft(parseJob(yaml)));
}

// The whole of it, nothing cut off by what it is in.
bool isWhole(const QWidget *widget)
{
    for (const QWidget *around = widget; !around->isWindow();) {
        around = around->parentWidget();
        if (!around->rect().contains(QRect(widget->mapTo(around, QPoint(0, 0)), widget->size()))) {
            return false;
        }
    }
    return widget->isVisible();
}

} // namespace

class TstLongNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sweepKeepsItsFields_data();
    void sweepKeepsItsFields();
    void theNameGivesWayFirst();
    void dialogsStayOnTheScreen_data();
    void dialogsStayOnTheScreen();
    void secretsKeepTheirFields();
    void manySecretsAreScrolled();
    void whatIsLargerIsSqueezed();
    void questionsAreReadWhole();
    void barsLeaveTheWindowNarrow();
    void onlyWideWordsAreBroken_data();
    void onlyWideWordsAreBroken();
    void longNamesMayBeBroken_data();
    void longNamesMayBeBroken();
};

void TstLongNames::sweepKeepsItsFields_data()
{
    QTest::addColumn<QString>("parameter");
    QTest::newRow("short") << u"lr"_s;
    QTest::newRow("24 letters") << u"data_augmentation_policy"_s;
    QTest::newRow("63 letters") << longParameter;
}

void TstLongNames::sweepKeepsItsFields()
{
    QFETCH(const QString, parameter);
    const auto dialog = sweepOf(longJobName, parameter);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog.get()));
    dialog->findChild<SegmentedControl *>(u"sweepKind"_s)->setCurrentIndex(2); // "Random", with two more fields
    for (const QString &name : {u"values-i"_s, QString(u"values-"_s + parameter), u"sweepRule"_s, u"sweepGroup"_s}) {
        const auto *field = dialog->findChild<QLineEdit *>(name);
        QTRY_VERIFY2(isWhole(field), qPrintable(name));
        QVERIFY2(field->width() >= 240, qPrintable(name));
    }
    QVERIFY(isWhole(dialog->findChild<SegmentedControl *>(u"sweepKind"_s)));
    QTRY_VERIFY(isWhole(dialog->findChild<QSpinBox *>(u"sweepSeed"_s)));
    const auto *name = dialog->findChild<ElidedCheckBox *>(QString(u"sweep-"_s + parameter));
    QVERIFY(isWhole(name));
    QCOMPARE(name->accessibleName(), parameter);
    const bool isElided = name->shownName() != parameter;
    QVERIFY(isElided || parameter != longParameter);
    QVERIFY(!isElided || parameter != u"lr"_s);
    QCOMPARE(name->toolTip(), isElided ? parameter : QString());
    QVERIFY(isWhole(dialog->findChild<QPushButton *>(u"sweepRun"_s)));
}

void TstLongNames::theNameGivesWayFirst()
{
    const QString sentence = u"Run "_s + longJobName + u" again"_s;
    const std::unique_ptr<ElidedLabel> heading(nameHeading(sentence, longJobName));
    heading->resize(400, 30);
    const QString shown = heading->shownText();
    QVERIFY2(shown.startsWith(u"Run resnet50"_s) && shown.endsWith(u"november again"_s), qPrintable(shown));
    QVERIFY(shown.contains(QChar(0x2026)));
    QVERIFY(QFontMetrics(heading->font()).horizontalAdvance(shown) <= 400);
    heading->resize(heading->sizeHint());
    QCOMPARE(heading->shownText(), sentence);
}

void TstLongNames::dialogsStayOnTheScreen_data()
{
    QTest::addColumn<std::function<QDialog *()>>("make");
    const auto add = [](const char *name, const std::function<QDialog *()> &make) { QTest::newRow(name) << make; };
    add("sweep", [] { return sweepOf(longJobName, longParameter).release(); });
    add("seeds", [] { return new SeedsDialog(longJobName, longParameter, {}, nullptr); });
    add("secrets", [] {
        return new SecretsDialog(longJobName, {longParameter, longParameter + u"2"_s}, nullptr, {}, nullptr);
    });
    add("many secrets", [] {
        QStringList keys;
        for (int i = 0; i < 40; ++i) {
            keys.append(longParameter + QString::number(i));
        }
        return new SecretsDialog(longJobName, keys, nullptr, {}, nullptr);
    });
    add("files", [] {
        return new BringDialog(longJobName + u"/0"_s, u"lab1"_s, u"/data/"_s + longJobName + u'/' + longParameter);
    });
    add("change", [] { return new ChangeDialog(u"Raise the memory of "_s + longJobName, "a: 1\n", "a: 2\n"); });
}

void TstLongNames::dialogsStayOnTheScreen()
{
    QFETCH(const std::function<QDialog *()>, make);
    const std::unique_ptr<QDialog> dialog(make());
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog.get()));
    const QSize room = dialog->screen()->availableGeometry().size();
    QVERIFY2(dialog->width() <= room.width() && dialog->height() <= room.height(),
        qPrintable(QStringLiteral("%1 x %2").arg(dialog->width()).arg(dialog->height())));
    const QSize least = dialog->layout()->totalMinimumSize();
    QVERIFY2(least.width() <= room.width() && least.height() <= room.height(), "what is in it is cut");
    const QList<QPushButton *> buttons = dialog->findChild<QDialogButtonBox *>()->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        QVERIFY2(isWhole(button), qPrintable(button->text()));
    }
}

void TstLongNames::secretsKeepTheirFields()
{
    SecretsDialog dialog(longJobName, {u"token"_s, longParameter}, nullptr, {}, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.resize(560, 300);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QCOMPARE(dialog.width(), 560);
    const auto *field = dialog.findChild<QLineEdit *>(QString(u"secret-"_s + longParameter));
    QVERIFY(isWhole(field));
    QVERIFY(field->width() >= 280);
    const QList<ElidedLabel *> names = dialog.findChildren<ElidedLabel *>();
    const auto name = std::find_if(
        names.cbegin(), names.cend(), [](const ElidedLabel *label) { return label->text() == longParameter; });
    QVERIFY(name != names.cend());
    QVERIFY((*name)->shownText() != longParameter);
    QCOMPARE((*name)->toolTip(), longParameter);
}

// Who goes through the fields with the keys sees the one that gets them.
void TstLongNames::manySecretsAreScrolled()
{
    QStringList keys;
    for (int i = 0; i < 40; ++i) {
        keys.append(u"key%1"_s.arg(i));
    }
    SecretsDialog dialog(longJobName, keys, nullptr, {}, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const auto *first = dialog.findChild<QLineEdit *>(u"secret-key0"_s);
    auto *before = dialog.findChild<QLineEdit *>(u"secret-key38"_s);
    const auto *last = dialog.findChild<QLineEdit *>(u"secret-key39"_s);
    QTRY_VERIFY(isWhole(first));
    QVERIFY(last->visibleRegion().isEmpty());
    before->setFocus();
    QTest::keyClick(before, Qt::Key_Tab);
    QTRY_VERIFY(isWhole(last));
}

// Whatever is in a dialog, now or later.
void TstLongNames::whatIsLargerIsSqueezed()
{
    QDialog dialog;
    auto *layout = new QVBoxLayout(&dialog);
    auto *large = new QWidget;
    auto *button = new QPushButton(u"Run"_s);
    layout->addWidget(large);
    layout->addWidget(button);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const QSize room = dialog.screen()->availableGeometry().size();
    const auto fills = [&] { // all of the room but for the frame
        const QSize left = room - dialog.size();
        return left.width() >= 0 && left.width() < 50 && left.height() >= 0 && left.height() < 80;
    };
    large->setMinimumSize(2 * room);
    QTRY_VERIFY(fills());
    QTRY_VERIFY(dialog.rect().contains(button->geometry()));
    dialog.hide();
    dialog.resize(2 * room);
    dialog.show();
    QTRY_VERIFY(fills());
}

// What is asked about is read whole, also where it is longer than a line.
void TstLongNames::questionsAreReadWhole()
{
    QWidget window;
    QMessageBox *box = makeAskBox(&window, u"Stop "_s + longJobName + u" #7?"_s,
        u"It runs in /data/"_s + longJobName + u'.', QMessageBox::Yes | QMessageBox::Cancel);
    box->open();
    QVERIFY(QTest::qWaitForWindowExposed(box));
    const QSize room = box->screen()->availableGeometry().size();
    QVERIFY(box->width() <= room.width());
    for (const QString &name : {u"qt_msgbox_label"_s, u"qt_msgbox_informativelabel"_s}) {
        const auto *label = box->findChild<QLabel *>(name);
        QVERIFY(label);
        QVERIFY2(label->minimumSizeHint().width() <= label->width(), qPrintable(label->text())); // no word is cut
        QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
    box->close();
}

// What is said of a long name is read in a narrow window, and does not make it wide.
void TstLongNames::barsLeaveTheWindowNarrow()
{
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *bar = new InfoBar;
    layout->addWidget(bar);
    layout->addStretch();
    bar->show(InfoBar::Kind::Failed, u"<b>"_s + longJobName + u"</b> could not be started &amp; waits."_s);
    window.resize(500, 300);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY2(window.minimumSizeHint().width() <= 400, qPrintable(QString::number(window.minimumSizeHint().width())));
    const auto *label = bar->findChild<QLabel *>();
    QTRY_VERIFY(label->text().contains(QChar(0x200b)));
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    QVERIFY(label->minimumSizeHint().width() <= label->width()); // no word is cut
    QVERIFY(!bar->text().contains(QChar(0x200b)));
    window.resize(2000, 300);
    QTRY_VERIFY(!label->text().contains(QChar(0x200b))); // it may be copied
}

void TstLongNames::onlyWideWordsAreBroken_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isMarkup");
    QTest::addColumn<QString>("shown"); // with | for a place to break
    QTest::newRow("empty") << QString() << false << QString();
    QTest::newRow("fits") << u"a b\nc"_s << false << u"a b\nc"_s;
    QTest::newRow("a wide word") << u"a mmmmmmmm\nc "_s << false << u"a m|m|m|m|m|m|m|m|\nc "_s;
    QTest::newRow("pairs stay together") << u"\U0001F600mmmmmm"_s << false << u"\U0001F600|m|m|m|m|m|m|"_s;
    QTest::newRow("half a pair") << QString(QString(QChar(0xd83d)) + u"mmmmmm"_s) << false
                                 << QString(QString(QChar(0xd83d)) + u"mmmmmm|"_s);
    QTest::newRow("tags are letters of plain text") << u"<b>mmmmm"_s << false << u"<|b|>|m|m|m|m|m|"_s;
    QTest::newRow("tags stay whole") << u"<b>mmmmmm</b>"_s << true << u"<b>|m|m|m|m|m|m|</b>|"_s;
    QTest::newRow("tags have no width") << u"<b>mm</b><br>"_s << true << u"<b>mm</b><br>"_s;
    QTest::newRow("entities stay whole") << u"&lt;mmmmmm"_s << true << u"&lt;|m|m|m|m|m|m|"_s;
}

void TstLongNames::onlyWideWordsAreBroken()
{
    QFETCH(const QString, text);
    QFETCH(const bool, isMarkup);
    const QFontMetrics fm(QApplication::font());
    const int room = fm.horizontalAdvance(u"mmmm"_s);
    QString shown = withBreaks(text, fm, room, isMarkup ? WordKind::Markup : WordKind::Plain);
    QTEST(shown.replace(QChar(0x200b), u'|'), "shown");
}

void TstLongNames::longNamesMayBeBroken_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("breaks");
    QTest::newRow("empty") << QString() << 0;
    QTest::newRow("words") << u"Nothing of this sentence with its many words is too long."_s << 0;
    QTest::newRow("24 letters") << QString(24, u'a') << 0;
    QTest::newRow("a run of letters") << QString(25, u'a') << 1;
    QTest::newRow("parts") << QString(u"see "_s + u"a_name_of_parts/below-another.one"_s + u" now"_s) << 6;
}

void TstLongNames::longNamesMayBeBroken()
{
    QFETCH(const QString, text);
    QFETCH(const int, breaks);
    QString broken = breakable(text);
    QCOMPARE(int(broken.count(QChar(0x200b))), breaks);
    QCOMPARE(broken.remove(QChar(0x200b)), text);
}

TRAINYARD_GUI_TEST(TstLongNames)
#include "tst_longnames.moc"
