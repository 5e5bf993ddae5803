// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"

#include <QAction>
#include <QTest>

using namespace trainyard;

namespace
{

// Notes what appears on the screen beside the window, and is neither a dialog nor something that pops up.
class WindowWatch : public QObject
{
public:
    WindowWatch() { qApp->installEventFilter(this); }
    const QStringList &strays() const { return m_strays; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const auto *widget = event->type() == QEvent::Show ? qobject_cast<QWidget *>(watched) : nullptr;
        if (widget && widget->isWindow() && widget->windowType() == Qt::Window
            && !qobject_cast<const MainWindow *>(widget)) {
            m_strays.append(QStringLiteral("%1 %2").arg(
                QString::fromLatin1(widget->metaObject()->className()), widget->objectName()));
        }
        return false;
    }

private:
    QStringList m_strays;
};

} // namespace

// What is shown before it has its parent is a window for a moment, and may take the keys.
class TstStrayWindows : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void pagesOpenInTheWindow_data();
    void pagesOpenInTheWindow();

private:
    WindowFixture m_fixture;
};

void TstStrayWindows::pagesOpenInTheWindow_data()
{
    QTest::addColumn<QByteArray>("action"); // or the text of a file
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("new job") << QByteArray("new") << QByteArray();
    QTest::newRow("file") << QByteArray() << sampleJob;
    QTest::newRow("file with errors") << QByteArray() << QByteArray(sampleJob).replace("name: from", "name: not from");
    QTest::newRow("file that locks the form") << QByteArray() << QByteArray("a: [\n");
    QTest::newRow("empty file") << QByteArray() << QByteArray();
    QTest::newRow("settings") << QByteArray("settings") << QByteArray();
    QTest::newRow("welcome") << QByteArray("welcome") << QByteArray();
    QTest::newRow("all jobs") << QByteArray("allJobs") << QByteArray();
}

void TstStrayWindows::pagesOpenInTheWindow()
{
    QFETCH(QByteArray, action);
    QFETCH(QByteArray, text);
    const auto window = WindowFixture::makeWindow();
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const WindowWatch watch;
    if (action.isEmpty()) {
        window->openFiles({m_fixture.write(QStringLiteral("opened.pai.yaml"), text)});
        QVERIFY(window->currentDesigner());
    } else {
        QVERIFY(window->action(action.constData()));
        window->action(action.constData())->trigger();
    }
    QCoreApplication::processEvents();
    QCOMPARE(watch.strays(), QStringList());
}

TRAINYARD_GUI_TEST(TstStrayWindows)
#include "tst_straywindows.moc"
