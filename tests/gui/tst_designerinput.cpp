// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/designerpage.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QTimer>

using namespace trainyard;

// Whatever is in a file: the page opens, says what is wrong, stays alive, and changes nothing.
class TstDesignerInput : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bearsBadInput_data();
    void bearsBadInput();
    void typesSmoothlyInALargeJob_data();
    void typesSmoothlyInALargeJob();
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

void TstDesignerInput::typesSmoothlyInALargeJob_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray head = "protocolVersion: 2\nname: large\ntype: job\nprerequisites:\n"
                            "  - {name: i, type: dockerimage, uri: ubuntu}\n";
    QByteArray commands = head
        + "taskRoles:\n  worker:\n    dockerImage: i\n    resourcePerInstance: {cpu: 1, gpu: 0, memoryMB: 64}\n    "
          "commands:\n";
    for (int i = 0; i < 10000; ++i) {
        commands += "      - echo this is command number " + QByteArray::number(i) + " of many\n";
    }
    QTest::newRow("commands") << commands;
    QByteArray roles = head + "taskRoles:\n";
    for (int i = 0; i < 100; ++i) {
        roles += "  worker" + QByteArray::number(i)
            + ":\n    dockerImage: i\n    resourcePerInstance: {cpu: 1, gpu: 0, memoryMB: 64}\n    commands:\n";
        for (int line = 0; line < 96; ++line) {
            roles += "      - echo line " + QByteArray::number(line) + "\n";
        }
    }
    QTest::newRow("roles") << roles;
}

// Keys, and the snapshots that come of them, in the middle of ten thousand lines: the longest time in which the window
// could not answer. Generous, for sanitizers and busy machines; the benchmark measures.
void TstDesignerInput::typesSmoothlyInALargeJob()
{
    QFETCH(QByteArray, bytes);
    DesignerPage page;
    page.resize(1192, 820);
    page.newDocument(bytes, QStringLiteral("large.yaml"));
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QTRY_VERIFY_WITH_TIMEOUT(page.canRun(), 15000);
    auto *text = page.findChild<CodeView *>(QStringLiteral("yamlText"));
    text->setFocus();
    text->setCaret(bytes.indexOf('\n', bytes.size() / 2));
    QCoreApplication::processEvents();
    qint64 longest = 0;
    QElapsedTimer since;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] {
        longest = std::max(longest, since.elapsed());
        since.restart();
    });
    QSignalSpy snapshots(&page, &DesignerPage::problemsChanged);
    for (int burst = 0; burst < 4; ++burst) {
        const qsizetype seen = snapshots.size();
        since.start();
        beat.start(5);
        QTest::keyClicks(text, QStringLiteral(" x2"));
        QTRY_VERIFY_WITH_TIMEOUT(snapshots.size() > seen, 15000);
        beat.stop();
    }
    QVERIFY(text->allBytes().contains(" x2 x2 x2 x2\n"));
    QVERIFY2(longest < 2000, qPrintable(QString::number(longest)));
}

TRAINYARD_GUI_TEST(TstDesignerInput)
#include "tst_designerinput.moc"
