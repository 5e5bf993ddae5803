// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/form/conversionreport.h"
#include "widgets/form/designerpage.h"

#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

using namespace trainyard;

// A job of version 1 that is opened, dropped or pasted becomes a new document, and says what changed.
class TstConversion : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void opens();
    void dropped();
    void pasted();
    void brokenOpensAsText();
    void reportJumps();
    void problemsDoNotDenyItsWarnings();
    void batchScripts();

private:
    WindowFixture m_fixture;
};

namespace
{

const QByteArray oldJob = R"({
  // kept
  "jobName": "old.one",
  "image": "a/b",
  "retryCount": -1,
  "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 64, "gpuNumber": 0,
    "command": "echo x"}],
}
)";

} // namespace

void TstConversion::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstConversion::opens()
{
    const auto window = WindowFixture::makeWindow();
    window->resize(1200, 800);
    window->show();
    const QString path = m_fixture.write(QStringLiteral("old.json"), oldJob);
    DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    QVERIFY(page->filePath().isEmpty());
    QVERIFY(page->isModified());
    QCOMPARE(page->displayName(), QStringLiteral("old.pai.yaml"));
    QVERIFY2(page->bytes().contains("# kept\nname: old_one\n"), page->bytes().constData());
    QTRY_VERIFY(page->canRun());
    auto *report = page->findChild<ConversionReport *>();
    QVERIFY(report && report->isVisibleTo(page));
    QVERIFY(report->list()->isVisibleTo(page)); // something changed that matters
    QVERIFY(report->list()->count() >= 3);
    QVERIFY(report->list()->height() > 20 && report->list()->height() < 400);
    auto *toggle = report->findChild<QPushButton *>(QStringLiteral("conversionToggle"));
    QVERIFY(toggle);
    toggle->click();
    QVERIFY(!report->list()->isVisibleTo(page));
    toggle->click();
    QVERIFY(report->list()->isVisibleTo(page));
    // The old file is what it was, and saving makes a new one.
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), oldJob);
    const QString saved = m_fixture.path(QStringLiteral("new.pai.yaml"));
    QVERIFY(page->saveAs(saved));
    QVERIFY(!page->isModified());
    DesignerPage *again = window->openFile(saved);
    QCOMPARE(again, page);
}

void TstConversion::dropped()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_fixture.write(QStringLiteral("drop.json"), oldJob)),
        QUrl::fromLocalFile(m_fixture.write(QStringLiteral("new.yaml"), sampleJob))});
    const QPoint at = window->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    QDropEvent drop(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    QVERIFY(enter.isAccepted() && drop.isAccepted());
    QStringList names;
    const QList<QWidget *> pages = window->tabs()->pages();
    for (const QWidget *widget : pages) {
        const auto *page = qobject_cast<const DesignerPage *>(widget);
        if (!page) {
            continue; // the welcome page
        }
        names.append(page->displayName());
        auto *report = page->findChild<ConversionReport *>();
        QCOMPARE(report->isHidden(), page->displayName() == QLatin1String("new.yaml"));
    }
    names.sort();
    QCOMPARE(names, QStringList({QStringLiteral("drop.pai.yaml"), QStringLiteral("new.yaml")}));
}

void TstConversion::pasted()
{
    const auto window = WindowFixture::makeWindow();
    const DesignerPage *page = window->newDocument(oldJob, {});
    QVERIFY(page->bytes().startsWith("protocolVersion: 2\n"));
    QCOMPARE(page->displayName(), QStringLiteral("job.pai.yaml"));
    // What comes from an address has the name that the address says, and is called as a job would be.
    const DesignerPage *fetched
        = window->newDocument("#!/bin/bash\n#SBATCH -n 2\nsrun ./a\n", QStringLiteral("train.sbatch.pai.yaml"));
    QCOMPARE(fetched->displayName(), QStringLiteral("train.pai.yaml"));
    QVERIFY2(fetched->bytes().contains("\nname: train\n"), fetched->bytes().constData());
}

void TstConversion::brokenOpensAsText()
{
    const auto window = WindowFixture::makeWindow();
    const QByteArray broken = "{\"jobName\": \"x\", \"taskRoles\": [";
    const QString path = m_fixture.write(QStringLiteral("broken.json"), broken);
    const DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    QCOMPARE(page->filePath(), path);
    QCOMPARE(page->bytes(), broken);
}

// A batch script of Slurm becomes a job that works where the script is.
void TstConversion::batchScripts()
{
    const auto window = WindowFixture::makeWindow();
    window->show();
    const QByteArray script = "#!/bin/bash\n#SBATCH -n 2 -p gpu\nsrun ./train\n";
    const QString path = m_fixture.write(QStringLiteral("runs/train.sbatch"), script);
    const DesignerPage *page = window->openFile(path);
    QVERIFY(page);
    QCOMPARE(page->displayName(), QStringLiteral("train.pai.yaml"));
    QVERIFY2(page->bytes().contains("instances: 2"), page->bytes().constData());
    QCOMPARE(QFileInfo(page->runFile()).path(), QFileInfo(path).path());
    QTRY_VERIFY(page->canRun());
    const auto *report = page->findChild<ConversionReport *>();
    QVERIFY(report->isVisibleTo(page));
    QVERIFY(report->findChild<InfoBar *>()->text().contains(QStringLiteral("train.sbatch")));
    QVERIFY(report->findChild<InfoBar *>()->text().contains(QStringLiteral("batch script of Slurm")));
    // What is no script for a shell opens as the program that it is.
    const QByteArray python = "#!/usr/bin/env python3\n#SBATCH -n 2\nprint()\n";
    const DesignerPage *other = window->openFile(m_fixture.write(QStringLiteral("runs/other.py"), python));
    QVERIFY(other);
    QVERIFY2(other->bytes().contains("python3 other.py"), other->bytes().constData());
    // And a script with what no job can do is refused, rather than opened as a program that calls srun.
    const QByteArray programs = "#!/bin/bash\n#SBATCH -n 2\nsrun --multi-prog a.conf\n";
    QVERIFY(!window->openFile(m_fixture.write(QStringLiteral("runs/many.sh"), programs)));
    // So is one for another language whose name says nothing of it: it would open as YAML with a hundred errors.
    QVERIFY(!window->openFile(m_fixture.write(QStringLiteral("runs/other.sbatch"), python)));
}

void TstConversion::reportJumps()
{
    const auto window = WindowFixture::makeWindow();
    window->resize(1200, 800);
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("old.json"), oldJob));
    QVERIFY(page);
    auto *report = page->findChild<ConversionReport *>();
    QSignalSpy jumps(report, &ConversionReport::jumpRequested);
    QSignalSpy moved(page, &DesignerPage::cursorMoved);
    for (int row = 0; row < report->list()->count(); ++row) {
        if (report->list()->item(row)->text().contains(QLatin1String("retry count"))) {
            Q_EMIT report->list()->itemActivated(report->list()->item(row));
        }
    }
    QCOMPARE(jumps.size(), 1);
    QTRY_VERIFY(!moved.isEmpty());
    const qint64 line = page->bytes().left(page->bytes().indexOf("jobRetryCount")).count('\n') + 1;
    QTRY_COMPARE(moved.last().at(0).toLongLong(), line);
}

// Below two warnings nothing says that all is well; once they are put away, the text is what is judged.
void TstConversion::problemsDoNotDenyItsWarnings()
{
    const auto window = WindowFixture::makeWindow();
    window->resize(1200, 800);
    window->show();
    QByteArray job = oldJob;
    job.replace("\"retryCount\"", "\"dataDir\": \"hdfs://x/data\", \"retryCount\"");
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("data.json"), job));
    QVERIFY(page);
    QTRY_VERIFY(page->canRun());
    const auto *report = page->findChild<ConversionReport *>();
    QVERIFY(report->list()->isVisibleTo(page));
    const auto *none = page->findChild<QLabel *>(QStringLiteral("problemsNone"));
    QVERIFY(none);
    QTRY_VERIFY(!none->isHidden()); // the text has no problems of its own
    QVERIFY2(!none->text().contains(QStringLiteral("Nothing is wrong")), qPrintable(none->text()));
    QVERIFY(none->text().contains(QStringLiteral("conversion")));
    Q_EMIT report->findChild<InfoBar *>()->closed();
    QVERIFY(report->isHidden());
    QVERIFY2(none->text().contains(QStringLiteral("Nothing is wrong")), qPrintable(none->text()));
}

TRAINYARD_GUI_TEST(TstConversion)
#include "tst_conversion.moc"
