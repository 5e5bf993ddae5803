// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QElapsedTimer>
#include <QTabBar>
#include <QTest>

using namespace trainyard;

// Whatever is in a file: the page opens, says what is wrong, stays alive, and changes nothing.
class TstDesignerInput : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bearsBadInput_data();
    void bearsBadInput();
};

void TstDesignerInput::bearsBadInput_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("editable");
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("not utf-8") << QByteArray("name: \xFF\xFE\n") << true;
    QTest::newRow("nul") << QByteArray("name: \0x\n", 9) << true;
    QTest::newRow("utf-16") << QByteArray("\xFF\xFEn\0a\0", 6) << true;
    QTest::newRow("not yaml") << QByteArray("{[}]: ]] @@ \"\n\t- x\n") << true;
    QTest::newRow("a list") << QByteArray("- a\n- b\n") << true;
    QTest::newRow("json") << QByteArray("{\"jobName\": \"x\", \"taskRoles\": [{\"name\": \"w\"}]}") << true;
    QTest::newRow("wrong types") << QByteArray(
        "name: [1]\ntaskRoles: 3\nprerequisites: {a: b}\nparameters: []\nsecrets: x\n"
        "deployments: 1\nextras: []\n")
                                 << true;
    QTest::newRow("wrong types inside") << QByteArray(
        "taskRoles:\n  1: x\n  w: [1]\n  v: {commands: {a: b}, prerequisites: 3, completion: [],"
        " resourcePerInstance: {ports: [1], gpu: {}}}\nprerequisites: [1, [2], {name: [], type: {}}]\n"
        "deployments: [1, {name: x, taskRoles: []}]\nparameters: {[a]: 1, b: [x, {y: z}]}\n")
                                        << true;
    QTest::newRow("alias to itself") << QByteArray("a: &a [*a]\ntaskRoles: *a\n") << true;
    QByteArray bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 10; ++i) {
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        bomb += "a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " ["
            + QByteArray(before + ",").repeated(9) + before + "]\n";
    }
    QTest::newRow("alias bomb") << bomb + "parameters: *a9\n" << true;
    QTest::newRow("deep") << QByteArray("[").repeated(100000) << true;
    QTest::newRow("8 MB of brackets") << QByteArray("[").repeated(8 << 20) << false;
    QTest::newRow("50 MB") << QByteArray("name: x # a comment of some length\n")
                                  .repeated(1 << 20)
                                  .append(QByteArray("#\n").repeated(8 << 20))
                           << false;
    QTest::newRow("2 MB") << QByteArray("- a list of texts that are harmless\n").repeated(58000) << true;
    QByteArray roles = "taskRoles:\n";
    for (int i = 0; i < 300; ++i) {
        roles += "  r" + QByteArray::number(i) + ":\n    instances: 1\n";
    }
    QTest::newRow("300 roles") << roles << true;
}

void TstDesignerInput::bearsBadInput()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, editable);
    QElapsedTimer clock;
    clock.start();
    DesignerPage page;
    page.resize(1192, 820);
    page.newDocument(bytes, QStringLiteral("bad.yaml"));
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QVERIFY(page.bytes() == bytes);
    QTRY_VERIFY_WITH_TIMEOUT(!page.runBlockers().isEmpty(), 10000);
    QVERIFY(!page.canRun());
    QCOMPARE(!page.isReadOnly(), editable);
    auto *text = page.findChild<CodeView *>(QStringLiteral("yamlText"));
    text->setCaret(0);
    text->setFocus();
    QTest::keyClicks(text, QStringLiteral("#"));
    QCOMPARE(page.bytes().size(), bytes.size() + (editable ? 1 : 0));
    for (int tab = 0; tab < 5; ++tab) {
        page.findChild<QTabBar *>(QStringLiteral("formTabs"))->setCurrentIndex(tab);
        QCoreApplication::processEvents();
    }
    page.nextProblem();
    page.undo();
    QVERIFY(page.bytes() == bytes);
    qInfo("%lld bytes: %lld ms", qlonglong(bytes.size()), qlonglong(clock.elapsed()));
    QVERIFY2(clock.elapsed() < 15000, qPrintable(QString::number(clock.elapsed())));
}

TRAINYARD_GUI_TEST(TstDesignerInput)
#include "tst_designerinput.moc"
