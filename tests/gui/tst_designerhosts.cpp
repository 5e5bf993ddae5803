// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fulljob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/chip.h"
#include "widgets/form/formgrid.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>

using namespace trainyard;
using namespace designertools;

namespace
{

const char head[] = "protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n"
                    "  worker: {resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}, commands: [ls]}\n"
                    "  server: {resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}, commands: [ls]}\n";

HostInfo host(const char *id, const QStringList &labels, const char *target)
{
    HostInfo info;
    info.id = info.label = QString::fromLatin1(id);
    info.target = QString::fromLatin1(target);
    info.state = HostState::Online;
    info.cpus = 8;
    info.memoryMiB = 1 << 16;
    info.labels = labels;
    return info;
}

} // namespace

// Where the roles of a job run and which files come back, as the form has them.
class TstDesignerHosts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { page = std::make_unique<DesignerPage>(); }
    void cleanup() { page.reset(); }
    void saysWhatTheJobSays_data();
    void saysWhatTheJobSays();
    void offersWhatIsKnown();
    void standsInTheColumnOfTheFields();
    void findsWhatIsNotThere();
    void rulesGoWithTheirRole();
    void keysTakeAway();
    void showsThePlaceOfTheCaret();
    void writesResultsInFull();
    void asksHowResultsComeOnceThereAreSome();
    void writesData();
    void showsThePlaceOfData();

private:
    void show(const QByteArray &extras)
    {
        showDocument(page.get(), head + extras, QStringLiteral("hosts.pai.yaml"));
        page->setHosts({host("local", {}, ""), host("lab1", {QStringLiteral("a100")}, "me@lab1")});
        settle(page.get());
        openMore(page.get());
    }
    // Into the panel of a field, of which there was perhaps one before.
    void add(const QString &field, const QString &text)
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        click(page.get(), qPrintable(QString(field + QStringLiteral("Add"))));
        type(find<QLineEdit>(page.get(), qPrintable(QString(field + QStringLiteral("Text")))), text);
    }
    QString summary(const char *line) const { return find<Disclosure>(page.get(), line)->accessibleDescription(); }
    bool isOpen(const char *line) const { return find<Disclosure>(page.get(), line)->isOpen(); }
    QStringList chips(const QString &name) const
    {
        QStringList texts;
        for (int i = 0;; ++i) {
            const Chip *found = nullptr;
            const auto all = page->findChildren<Chip *>(name + QString::number(i));
            for (const Chip *chip : all) {
                found = chip->isHidden() ? found : chip; // one that goes away is hidden
            }
            if (!found) {
                return texts;
            }
            texts.append(found->text());
        }
    }
    std::unique_ptr<DesignerPage> page;
};

void TstDesignerHosts::saysWhatTheJobSays_data()
{
    QTest::addColumn<QByteArray>("hosts");
    QTest::addColumn<QString>("role");
    QTest::addColumn<QString>("all");
    const QString any = QStringLiteral("any host, unless a role says more");
    const auto row = [](const char *name, const QByteArray &hosts, const QString &role, const QString &all) {
        QTest::newRow(name) << hosts << role << all;
    };
    row("nothing", "{}", QStringLiteral("any host"), any);
    row("one host", "{worker: {names: [lab1]}}", QStringLiteral("lab1"), any);
    row("a text alone", "{worker: {names: lab1}}", QStringLiteral("lab1"), any);
    row("labels", "{worker: {labels: [a100, x], arrange: same-host}}",
        QStringLiteral("hosts with a100, x, all on one host"), any);
    row("for all", "{'*': {names: [lab1], arrange: pack}}", QStringLiteral("lab1, on few hosts, as all roles"),
        QStringLiteral("lab1, on few hosts"));
    row("for all, and its own", "{'*': {names: [lab1]}, worker: {arrange: spread}}",
        QStringLiteral("lab1, spread over the hosts"), QStringLiteral("lab1"));
    row("another role", "{server: {names: [lab1]}}", QStringLiteral("any host"), any);
}

void TstDesignerHosts::saysWhatTheJobSays()
{
    QFETCH(QByteArray, hosts);
    QFETCH(QString, role);
    QFETCH(QString, all);
    show("extras: {trainyard: {hosts: " + hosts + "}}\n");
    QTRY_COMPARE(summary("roleHosts"), role);
    QCOMPARE(summary("jobHosts"), all);
}

// Also when none of its fields has much to show.
void TstDesignerHosts::standsInTheColumnOfTheFields()
{
    show({});
    page->resize(1200, 800);
    page->show();
    auto *line = find<Disclosure>(page.get(), "roleHosts");
    line->setOpen(true);
    auto *add = find<QWidget>(page.get(), "roleHostNameAdd");
    const auto left = [this](const QWidget *widget) { return widget->mapTo(page.get(), QPoint()).x(); };
    QTRY_VERIFY2(
        std::abs(left(add) - left(line)) <= 4, qPrintable(QStringLiteral("%1 %2").arg(left(add)).arg(left(line))));
}

void TstDesignerHosts::offersWhatIsKnown()
{
    show({});
    QVERIFY(!isOpen("roleHosts"));
    find<Disclosure>(page.get(), "roleHosts")->setOpen(true);
    click(page.get(), "roleHostNameAdd");
    auto *list = find<QListWidget>(page.get(), "roleHostNameList");
    QCOMPARE(list->count(), 2);
    auto *line = find<QLineEdit>(page.get(), "roleHostNameText");
    focus(line);
    QTest::keyClicks(line, QStringLiteral("lab"));
    QCOMPARE(list->count(), 1);
    // By the keyboard alone.
    QTest::keyClick(line, Qt::Key_Down);
    QCOMPARE(list->currentRow(), 0);
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_VERIFY(
        page->bytes().endsWith("extras:\n  trainyard:\n    hosts:\n      worker:\n        names:\n          - lab1\n"));
    QTRY_COMPARE(chips(QStringLiteral("roleHostName_")), QStringList{QStringLiteral("lab1")});
    QTRY_VERIFY(find<QComboBox>(page.get(), "roleHostArrange")->isEnabled());
    page->undo();
    QCOMPARE(page->bytes(), QByteArray(head));
    // A second one goes to the first, and one that is there already is not written twice.
    show("extras: {trainyard: {hosts: {worker: {names: [lab1] }}}}\n");
    add(QStringLiteral("roleHostName"), QStringLiteral("lab1 local"));
    QTRY_VERIFY2(page->bytes().contains("names: [lab1, local]"), page->bytes().constData());
}

void TstDesignerHosts::findsWhatIsNotThere()
{
    show("extras: {trainyard: {hosts: {worker: {names: [lab2], labels: [v100]}}}}\n");
    QTRY_COMPARE(page->warningCount() >= 2, true);
    QVERIFY(isOpen("roleHosts")); // so that it is seen
    QStringList said;
    const auto labels = find<QWidget>(page.get(), "roleCard")->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    for (const QLabel *label : labels) {
        said.append(label->text().remove(QChar(0x200B)));
    }
    const QString all = said.join(u'\n');
    QVERIFY2(all.contains(u"There is no host 'lab2' (the hosts are: local, lab1)"), qPrintable(all));
    QVERIFY2(all.contains(u"No host has the label 'v100' (the hosts have: a100)"), qPrintable(all));
    const auto fixes = page->findChildren<QPushButton *>(QStringLiteral("fieldFix"));
    QPushButton *fix = nullptr;
    for (QPushButton *each : fixes) {
        fix = each->accessibleName() == QStringLiteral("Use 'lab1'") ? each : fix;
    }
    QVERIFY(fix);
    fix->click();
    QTRY_VERIFY2(page->bytes().contains("{names: [lab1], labels: [v100]}"), page->bytes().constData());
    // Who folds it again is not contradicted by the same problem.
    find<Disclosure>(page.get(), "roleHosts")->setOpen(false);
    typeNumber(page.get(), "roleCpu", QStringLiteral("2"));
    QTRY_VERIFY(page->bytes().contains("cpu: 2"));
    settle(page.get());
    QVERIFY(!isOpen("roleHosts"));
}

void TstDesignerHosts::rulesGoWithTheirRole()
{
    const QByteArray extras = "extras: {trainyard: {hosts: {worker: {names: [lab1]}, server: {names: [local]}}}}\n";
    show(extras);
    auto *tabs = find<QTabBar>(page.get(), "roleTabs");
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(0).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Duplicate"));
    QTRY_COMPARE(tabs->count(), 3);
    QVERIFY2(page->bytes().contains("worker2: {names: [lab1]}"), page->bytes().constData());
    page->undo();
    QCOMPARE(page->bytes(), head + extras);
    QTRY_COMPARE(tabs->count(), 2);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    Q_EMIT tabs->customContextMenuRequested(tabs->tabRect(1).center());
    trigger(page.get(), "roleMenu", QStringLiteral("Delete"));
    QTRY_COMPARE(tabs->count(), 1);
    QVERIFY2(page->bytes().endsWith("hosts: {worker: {names: [lab1]}}}}\n"), page->bytes().constData());
    // With one role there is nothing to say for all.
    QTRY_VERIFY(find<QWidget>(page.get(), "jobHosts")->isHidden());
}

void TstDesignerHosts::keysTakeAway()
{
    show("extras: {trainyard: {hosts: {worker: {names: [lab1, local]}}, work: /w}}\n");
    find<Disclosure>(page.get(), "roleHosts")->setOpen(true);
    QTest::keyClick(find<Chip>(page.get(), "roleHostName_0"), Qt::Key_Delete);
    QTRY_VERIFY2(page->bytes().contains("names: [local]"), page->bytes().constData());
    QTRY_COMPARE(chips(QStringLiteral("roleHostName_")), QStringList{QStringLiteral("local")});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTest::keyClick(find<Chip>(page.get(), "roleHostName_0"), Qt::Key_Delete);
    QTRY_COMPARE(page->bytes(), head + QByteArray("extras: {trainyard: {work: /w}}\n"));
}

void TstDesignerHosts::showsThePlaceOfTheCaret()
{
    show("extras:\n  trainyard:\n    hosts:\n      server:\n        labels: [a100]\n    results: [a.csv]\n");
    auto *text = find<CodeView>(page.get(), "yamlText");
    text->setFocus();
    text->setCaret(page->bytes().indexOf("a100]"));
    settle(page.get());
    QTRY_COMPARE(find<QTabBar>(page.get(), "roleTabs")->currentIndex(), 1);
    QTRY_VERIFY(isOpen("roleHosts"));
    QVERIFY(!isOpen("jobResults"));
    text->setCaret(page->bytes().indexOf("a.csv"));
    QTRY_VERIFY(isOpen("jobResults"));
    QVERIFY(find<QTabBar>(page.get(), "formTabs")->currentIndex() != ExtrasTab);
}

void TstDesignerHosts::writesResultsInFull()
{
    const QByteArray before = head + QByteArray("extras:\n  trainyard:\n    results: [a.csv, '*.pt']\n    work: /w\n");
    showDocument(page.get(), before, QStringLiteral("results.pai.yaml"));
    openMore(page.get());
    QTRY_COMPARE(summary("jobResults"), QStringLiteral("a.csv, *.pt"));
    choose(page.get(), "resultsWhen", 1);
    QByteArray full = before;
    full.replace("[a.csv, '*.pt']", "{files: [a.csv, '*.pt'], when: during}");
    QTRY_COMPARE(page->bytes(), full);
    QTRY_COMPARE(summary("jobResults"), QStringLiteral("a.csv, *.pt, also while it runs"));
    QTRY_COMPARE(chips(QStringLiteral("resultFile_")), (QStringList{QStringLiteral("a.csv"), QStringLiteral("*.pt")}));
    add(QStringLiteral("resultFile"), QStringLiteral("out/"));
    full.replace("'*.pt']", "'*.pt', out/]");
    QTRY_COMPARE(page->bytes(), full);
    typeNumber(page.get(), "resultsMost", QStringLiteral("3 GiB"));
    full.replace("when: during}", "when: during, maxMB: 3072}");
    QTRY_COMPARE(page->bytes(), full);
    page->undo();
    page->undo();
    page->undo();
    QCOMPARE(page->bytes(), before);
}

void TstDesignerHosts::asksHowResultsComeOnceThereAreSome()
{
    show({});
    QCOMPARE(summary("jobResults"), QStringLiteral("no files come back by themselves"));
    find<Disclosure>(page.get(), "jobResults")->setOpen(true);
    auto *to = find<QLineEdit>(page.get(), "resultsTo");
    QVERIFY(!to->isVisible());
    add(QStringLiteral("resultFile"), QStringLiteral("metrics.csv"));
    QTRY_VERIFY(to->isVisible());
    // What is wrong with one stands at it.
    add(QStringLiteral("resultFile"), QStringLiteral("../model.pt"));
    QTRY_COMPARE(page->errorCount(), 1);
    settle(page.get());
    const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel *label) { return label->isVisible() && label->text().contains(u"../"); }));
}

void TstDesignerHosts::writesData()
{
    const QByteArray rest = "extras:\n  trainyard:\n    work: /w\n";
    show(rest);
    QCOMPARE(summary("jobData"), QStringLiteral("none is brought to the hosts"));
    find<Disclosure>(page.get(), "jobData")->setOpen(true);
    auto *name = find<QLineEdit>(page.get(), "dataName");
    QVERIFY(!name->isVisible());
    find<QPushButton>(page.get(), "dataAdd")->menu()->actions().constLast()->trigger();
    QTRY_COMPARE(page->bytes(), head + rest + "    data:\n      data:\n        paths: {}\n");
    QTRY_VERIFY(name->isVisible());
    type(find<QLineEdit>(page.get(), "dataName"), QStringLiteral("imagenet-1k"));
    QTRY_COMPARE(page->bytes(), head + rest + "    data:\n      imagenet-1k:\n        paths: {}\n");
    QCOMPARE(find<QComboBox>(page.get(), "dataChoice")->currentText(), QStringLiteral("imagenet-1k"));
    const auto labels = page->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
        return label->isVisible() && label->text().remove(QChar(0x200B)).contains(u"$TRAINYARD_DATA_IMAGENET_1K");
    }));
    type(find<QLineEdit>(page.get(), "dataFrom"), QStringLiteral("/data/imagenet"));
    QTRY_VERIFY2(page->bytes().contains("        from: /data/imagenet\n"), page->bytes().constData());
    QTRY_COMPARE(summary("jobData"), QStringLiteral("imagenet-1k from /data/imagenet"));
    QTest::mouseClick(
        find<QWidget>(page.get(), "dataRoles")->findChild<Chip *>(QStringLiteral("only_server")), Qt::LeftButton);
    QTRY_VERIFY2(page->bytes().contains("        roles: [server]\n")
            || page->bytes().contains("        roles:\n          - server\n"),
        page->bytes().constData());
    QTest::mouseClick(find<QPushButton>(page.get(), "dataRemove"), Qt::LeftButton);
    QTRY_COMPARE(page->bytes(), head + rest);
}

// A place in the text leads to its fields, and a problem opens them.
void TstDesignerHosts::showsThePlaceOfData()
{
    const QByteArray data = "extras:\n  trainyard:\n    data:\n      a: {from: /a}\n      b: {from: /b}\n";
    show(data);
    QVERIFY(!isOpen("jobData"));
    auto *text = find<CodeView>(page.get(), "yamlText");
    text->setFocus();
    text->setCaret(page->bytes().indexOf("/b"));
    QTRY_VERIFY(isOpen("jobData"));
    QTRY_COMPARE(find<QComboBox>(page.get(), "dataChoice")->currentText(), QStringLiteral("b"));
    QCOMPARE(find<QLineEdit>(page.get(), "dataFrom")->text(), QStringLiteral("/b"));
    find<Disclosure>(page.get(), "jobData")->setOpen(false);
    type(find<QLineEdit>(page.get(), "jobName"), QStringLiteral("other"));
    show(QByteArray(data).replace("{from: /a}", "{from: /a, sha256: 12}"));
    QTRY_VERIFY(isOpen("jobData"));
    QTRY_COMPARE(find<QComboBox>(page.get(), "dataChoice")->currentText(), QStringLiteral("a"));
}

TRAINYARD_GUI_TEST(TstDesignerHosts)
#include "tst_designerhosts.moc"
