// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/exchange/exportdialog.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>

using namespace trainyard;

// The document in front, as other systems run it.
class TstExportDialog : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void showsEachSystem();
    void runsInImages();
    void copiesAndSaves();
    void savesWithReadme();
    void saysWhyNot();

private:
    // Of a document with this text.
    ExportDialog *dialogOf(MainWindow *window, const QByteArray &text, const QString &name)
    {
        window->openFile(m_fixture.write(name, text));
        QCoreApplication::processEvents();
        window->action("export")->trigger();
        return window->findChild<ExportDialog *>();
    }
    static QByteArray textIn(const ExportDialog *dialog)
    {
        for (const char *name : {"exportBash", "exportYaml"}) {
            const auto *view = dialog->findChild<CodeView *>(QLatin1String(name));
            if (view->isVisible()) {
                return view->allBytes();
            }
        }
        return {};
    }
    static QStringList notesIn(const ExportDialog *dialog)
    {
        QStringList notes;
        const auto *list = dialog->findChild<QListWidget *>(QStringLiteral("exportNotes"));
        for (int i = 0; list->isVisible() && i < list->count(); ++i) {
            notes.append(list->item(i)->text());
        }
        return notes;
    }
    template <typename T> static T *part(const ExportDialog *dialog, const char *name)
    {
        return dialog->findChild<T *>(QLatin1String(name));
    }

    WindowFixture m_fixture;
};

void TstExportDialog::showsEachSystem()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    const QByteArray job
        = sampleJob + "secrets:\n  token: not-to-be-seen\nextras:\n  trainyard:\n    hosts: {w: {names: [lab1]}}\n";
    const ExportDialog *dialog = dialogOf(
        window.get(), QByteArray(job).replace("hello", "<% $secrets.token %>"), QStringLiteral("a.pai.yaml"));
    QVERIFY(dialog && dialog->isVisible());
    auto *targets = part<QListWidget>(dialog, "exportTargets");
    QCOMPARE(targets->count(), exportTargetWords().size());
    const QByteArrayList marks{"#!/", "#SBATCH", "services:", "kind: JobSet", "resources:", "type: task"};
    for (int i = 0; i < targets->count(); ++i) {
        targets->setCurrentRow(i);
        const QByteArray text = textIn(dialog);
        QVERIFY2(text.contains(marks.at(i)), text.left(400).constData());
        QVERIFY(!text.contains("not-to-be-seen"));
        QVERIFY(part<QPushButton>(dialog, "exportSave")->isEnabled());
    }
    QVERIFY2(!notesIn(dialog).isEmpty(), "hosts have no meaning there");
}

void TstExportDialog::runsInImages()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    ExportDialog *dialog = dialogOf(window.get(), sampleJob, QStringLiteral("b.pai.yaml"));
    QVERIFY(dialog);
    dialog->setTarget(ExportTarget::Sbatch);
    auto *apptainer = part<QCheckBox>(dialog, "exportApptainer");
    QVERIFY(apptainer->isVisible());
    const QByteArray before = textIn(dialog);
    apptainer->setChecked(true);
    QVERIFY(textIn(dialog) != before && textIn(dialog).contains("apptainer"));
    dialog->setTarget(ExportTarget::Compose);
    QVERIFY(!apptainer->isVisible());
    dialog->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    window->action("export")->trigger();
    const auto *again = window->findChild<ExportDialog *>();
    QVERIFY(again && again->target() == ExportTarget::Compose);
}

void TstExportDialog::copiesAndSaves()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    ExportDialog *dialog = dialogOf(window.get(), sampleJob, QStringLiteral("c.pai.yaml"));
    QVERIFY(dialog);
    dialog->setTarget(ExportTarget::Bash);
    part<QPushButton>(dialog, "exportCopy")->click();
    QCOMPARE(QApplication::clipboard()->text().toUtf8(), textIn(dialog));
    const auto *bar = dialog->findChild<InfoBar *>();
    QVERIFY(bar->isVisible());
    const auto saveAt = [&](const QString &path) {
        part<QPushButton>(dialog, "exportSave")->click();
        auto *files = dialog->findChild<QFileDialog *>();
        if (files) {
            Q_EMIT files->fileSelected(path);
            files->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        return files != nullptr;
    };
    const QString path = m_fixture.path(QStringLiteral("out.sh"));
    QVERIFY(saveAt(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), textIn(dialog));
    QCOMPARE(bar->kind(), InfoBar::Kind::Succeeded);
    QVERIFY(saveAt(m_fixture.path(QStringLiteral("no/folder/out.sh"))));
    QCOMPARE(bar->kind(), InfoBar::Kind::Failed);
}

// As the command line does it for a folder; what is there is replaced only when the user says so.
void TstExportDialog::savesWithReadme()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    ExportDialog *dialog = dialogOf(window.get(), sampleJob, QStringLiteral("f.pai.yaml"));
    QVERIFY(dialog);
    dialog->setTarget(ExportTarget::Bash);
    const auto *bar = dialog->findChild<InfoBar *>();
    const QString folder = m_fixture.path(QStringLiteral("for others"));
    QVERIFY(QDir().mkpath(folder));
    const auto contents = [&folder](const QString &name) {
        QFile file(QDir(folder).filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto chooseFolder = [dialog](const QString &path) {
        part<QPushButton>(dialog, "exportSaveFolder")->click();
        auto *files = dialog->findChild<QFileDialog *>();
        if (files) {
            Q_EMIT files->fileSelected(path);
            files->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        return files != nullptr;
    };
    const QString script = QStringLiteral("from_the_window.sh"), readme = QStringLiteral("README.md");
    QVERIFY(chooseFolder(folder));
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{script, readme}));
    QCOMPARE(contents(script), textIn(dialog));
    QVERIFY2(contents(readme).startsWith("# from_the_window.sh\n\nfrom_the_window: one task"), contents(readme));
    const QStringList notes = notesIn(dialog);
    QVERIFY(!notes.isEmpty() && contents(readme).contains("export."));
    QCOMPARE(bar->kind(), InfoBar::Kind::Succeeded);
    QVERIFY2(bar->text().contains(script) && bar->text().contains(readme), qPrintable(bar->text()));

    m_fixture.write(folder + u'/' + readme, "mine\n");
    QVERIFY(QFile::remove(QDir(folder).filePath(script)));
    QVERIFY(chooseFolder(folder));
    const auto question = [dialog] { return dialog->findChild<QMessageBox *>(QStringLiteral("replaceBox")); };
    QVERIFY(question());
    QVERIFY2(
        question()->text().contains(readme) && !question()->text().contains(script), qPrintable(question()->text()));
    question()->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!question());
    QVERIFY(contents(readme) == "mine\n" && contents(script).isEmpty());
    QVERIFY(chooseFolder(folder) && question());
    question()->button(QMessageBox::Yes)->click();
    QTRY_VERIFY(!question());
    QCOMPARE(contents(script), textIn(dialog));
    QVERIFY(contents(readme).startsWith("# from_the_window.sh"));
    QVERIFY(chooseFolder(folder) && question());
    QVERIFY2(
        question()->text().contains(readme) && question()->text().contains(script), qPrintable(question()->text()));
    question()->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!question());

    QVERIFY(chooseFolder(m_fixture.path(QStringLiteral("f.pai.yaml")))); // a file, in which nothing can be written
    QCOMPARE(bar->kind(), InfoBar::Kind::Failed);
}

void TstExportDialog::saysWhyNot()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    QVERIFY(!window->action("export")->isEnabled()); // on the welcome page
    QByteArray broken = sampleJob;
    QVERIFY(!dialogOf(window.get(), broken.replace("instances: 1", "instances: x"), QStringLiteral("d.pai.yaml")));
    const auto bars = window->findChildren<InfoBar *>();
    QVERIFY(std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
        return bar->isVisible() && bar->text().contains(QStringLiteral("can be exported when they are corrected"));
    }));
    // Compose runs images, and there is none: the dialog says it in the place of the text.
    QByteArray bare = sampleJob;
    bare.replace("    dockerImage: img\n", "");
    ExportDialog *dialog = dialogOf(window.get(), bare, QStringLiteral("e.pai.yaml"));
    QVERIFY(dialog);
    dialog->setTarget(ExportTarget::Compose);
    const auto *nothing = part<EmptyState>(dialog, "exportNothing");
    const auto saidThere = [nothing] {
        QString all;
        const auto labels = nothing->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->isVisible() ? label->text() + u'|' : QString();
        }
        return all;
    };
    QVERIFY2(saidThere().contains(QStringLiteral("cannot be exported to Docker Compose")), qPrintable(saidThere()));
    QVERIFY2(saidThere().contains(QStringLiteral("Task role w has no image")), qPrintable(saidThere()));
    QVERIFY(!part<CodeView>(dialog, "exportYaml")->isVisible() && !part<CodeView>(dialog, "exportBash")->isVisible());
    QVERIFY(!part<QPushButton>(dialog, "exportSave")->isEnabled());
    QVERIFY(!part<QPushButton>(dialog, "exportSaveFolder")->isEnabled());
    dialog->setTarget(ExportTarget::Bash);
    QVERIFY(part<QPushButton>(dialog, "exportSave")->isEnabled() && !nothing->isVisible());
    QVERIFY(part<CodeView>(dialog, "exportBash")->isVisible());
}

TRAINYARD_GUI_TEST(TstExportDialog)
#include "tst_exportdialog.moc"
