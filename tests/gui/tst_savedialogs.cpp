// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/common/savednotice.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvesaving.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace trainyard;

// Files that are saved by a dialog: their names have the suffix of the chosen kind, and what was saved is said.
class TstSaveDialogs : public QObject
{
    Q_OBJECT

    static void type(const QFileDialog *dialog, const QString &name)
    {
        auto *edit = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        QVERIFY(edit);
        edit->setText(name);
        auto *buttons = dialog->findChild<QDialogButtonBox *>();
        QVERIFY(buttons && buttons->button(QDialogButtonBox::Save));
        buttons->button(QDialogButtonBox::Save)->click();
    }
    static bool write(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write("before") == 6;
    }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void suffixes_data();
    void suffixes();
    void typedNamesGetTheirSuffix();
    void suggestedNamesStayAsTheyAre_data();
    void suggestedNamesStayAsTheyAre();
    void asksAboutTheWholeName();
    void asksAfterADialogOfTheDesktop();
    void plotsAreOfTheChosenKind();
    void placesAreTheUsers();
    void valuesAreSaid();
    void valuesAreNamedAfterTheirRun_data();
    void valuesAreNamedAfterTheirRun();
    void foldersBeginNearby();
};
TRAINYARD_GUI_TEST(TstSaveDialogs)

// A folder that was entered and is not there yet is looked for where it will be.
void TstSaveDialogs::foldersBeginNearby()
{
    const QTemporaryDir folder;
    const QString there = folder.path();
    QCOMPARE(beginFolderAt(there), there);
    QCOMPARE(beginFolderAt(there + QStringLiteral("/")), there);
    QCOMPARE(beginFolderAt(there + QStringLiteral("/runs/lab")), there);
    QVERIFY(write(folder.filePath(QStringLiteral("file"))));
    QCOMPARE(beginFolderAt(there + QStringLiteral("/file")), there);
    QCOMPARE(beginFolderAt(QStringLiteral("/no-such-folder-anywhere/runs")), beginFolder());
    QCOMPARE(beginFolderAt(QStringLiteral("runs")), beginFolder());
    QCOMPARE(beginFolderAt({}), beginFolder());
}

void TstSaveDialogs::suffixes_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("chosen");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("none") << QStringLiteral("/a/pic1") << 0 << QStringLiteral("/a/pic1.pdf");
    QTest::newRow("of another choice") << QStringLiteral("/a/pic1") << 2 << QStringLiteral("/a/pic1.png");
    QTest::newRow("there already") << QStringLiteral("/a/pic1.pdf") << 0 << QStringLiteral("/a/pic1.pdf");
    QTest::newRow("in capitals") << QStringLiteral("/a/pic1.PDF") << 0 << QStringLiteral("/a/pic1.PDF");
    QTest::newRow("typed for another kind") << QStringLiteral("/a/pic1.svg") << 0 << QStringLiteral("/a/pic1.svg");
    QTest::newRow("a dot is no suffix") << QStringLiteral("/a/loss.v2") << 0 << QStringLiteral("/a/loss.v2.pdf");
    QTest::newRow("a dot of the folder") << QStringLiteral("/a.pdf/loss") << 0 << QStringLiteral("/a.pdf/loss.pdf");
    QTest::newRow("a dot at the end") << QStringLiteral("/a/loss.") << 0 << QStringLiteral("/a/loss.pdf");
    QTest::newRow("nothing but a suffix") << QStringLiteral("/a/.pdf") << 0 << QStringLiteral("/a/.pdf.pdf");
    QTest::newRow("all files") << QStringLiteral("/a/notes") << 3 << QStringLiteral("/a/notes");
}

void TstSaveDialogs::suffixes()
{
    QFETCH(const QString, path);
    QFETCH(const int, chosen);
    QList<SavedKind> kinds = savedPlots();
    kinds.append({QStringLiteral("All files"), {}});
    QTEST(withSuffixOf(path, kinds, chosen), "wanted");
}

void TstSaveDialogs::typedNamesGetTheirSuffix()
{
    const QTemporaryDir folder;
    QWidget window;
    QString chosen;
    const auto take = [&chosen](const QString &path) { chosen = path; };
    QFileDialog *dialog = askWhereToSave(
        &window, QStringLiteral("Save"), folder.filePath(QStringLiteral("loss.pdf")), savedPlots(), &window, take);
    QVERIFY(dialog->isVisible());
    type(dialog, QStringLiteral("pic1"));
    QCOMPARE(chosen, folder.filePath(QStringLiteral("pic1.pdf")));
    dialog = askWhereToSave(
        &window, QStringLiteral("Save"), folder.filePath(QStringLiteral("loss.pdf")), savedPlots(), &window, take);
    dialog->selectNameFilter(dialog->nameFilters().constLast());
    type(dialog, QStringLiteral("loss.v2"));
    QCOMPARE(chosen, folder.filePath(QStringLiteral("loss.v2.png")));
    // A name without a folder is meant for where the last one was saved.
    dialog = askWhereToSave(&window, QStringLiteral("Save"), QStringLiteral("m.csv"), savedTables(), &window, take);
    QCOMPARE(dialog->selectedFiles(), QStringList(folder.filePath(QStringLiteral("m.csv"))));
    dialog->close();
}

void TstSaveDialogs::suggestedNamesStayAsTheyAre_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isThere");
    QTest::addColumn<int>("kind");
    QTest::newRow("the first suffix") << QStringLiteral("job.pai.yaml") << false << 0;
    QTest::newRow("another suffix") << QStringLiteral("job.yml") << false << 0;
    QTest::newRow("of the second kind") << QStringLiteral("job.html") << false << 1;
    QTest::newRow("of no kind") << QStringLiteral("job.conf") << false << 0;
    QTest::newRow("of no kind, and a file is called so") << QStringLiteral("job.conf") << true << 2;
}

// Qt gives a name the suffix of a filter that is selected.
void TstSaveDialogs::suggestedNamesStayAsTheyAre()
{
    QFETCH(const QString, name);
    QFETCH(const bool, isThere);
    QFETCH(const int, kind);
    const QTemporaryDir folder;
    QVERIFY(!isThere || write(folder.filePath(name)));
    QWidget window;
    const QList<SavedKind> kinds{{QStringLiteral("Jobs"), {QStringLiteral(".pai.yaml"), QStringLiteral(".yml")}},
        {QStringLiteral("Pages"), {QStringLiteral(".html")}}, {QStringLiteral("All files"), {}}};
    QFileDialog *dialog = askWhereToSave(
        &window, QStringLiteral("Save"), folder.filePath(name), kinds, &window, [](const QString &) {});
    QCOMPARE(dialog->selectedFiles(), QStringList(folder.filePath(name)));
    QCOMPARE(dialog->selectedNameFilter(), dialog->nameFilters().value(kind));
    dialog->close();
}

void TstSaveDialogs::asksAboutTheWholeName()
{
    const QTemporaryDir folder;
    QVERIFY(write(folder.filePath(QStringLiteral("pic1.pdf"))));
    QWidget window;
    QString chosen, question;
    QFileDialog *dialog = askWhereToSave(&window, QStringLiteral("Save"), folder.filePath(QStringLiteral("loss.pdf")),
        savedPlots(), &window, [&chosen](const QString &path) { chosen = path; });
    QTimer answer; // the question of Qt's dialog holds up whoever asks it
    connect(&answer, &QTimer::timeout, this, [&question] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
            question = box->text();
            box->button(QMessageBox::No)->click();
        }
    });
    answer.start(5);
    type(dialog, QStringLiteral("pic1"));
    QVERIFY2(question.contains(QStringLiteral("pic1.pdf")), qPrintable(question));
    QVERIFY(chosen.isEmpty() && dialog->isVisible());
    dialog->close();
}

// It gives the name as it was typed, and has not asked about another one.
void TstSaveDialogs::asksAfterADialogOfTheDesktop()
{
    const QTemporaryDir folder;
    QVERIFY(write(folder.filePath(QStringLiteral("values.csv"))));
    QWidget window;
    window.show();
    QStringList chosen;
    QFileDialog *dialog = askWhereToSave(&window, QStringLiteral("Save"), folder.filePath(QStringLiteral("m.csv")),
        savedTables(), &window, [&chosen](const QString &path) { chosen.append(path); });
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("values")));
    QVERIFY(chosen.isEmpty());
    auto *box = window.findChild<QMessageBox *>(QStringLiteral("replaceBox"));
    QVERIFY(box);
    QVERIFY2(box->text().contains(QStringLiteral("values.csv")), qPrintable(box->text()));
    box->button(QMessageBox::Yes)->click();
    QCOMPARE(chosen, QStringList(folder.filePath(QStringLiteral("values.csv"))));
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("other")));
    QCOMPARE(chosen.value(1), folder.filePath(QStringLiteral("other.csv")));
    dialog->close();
}

void TstSaveDialogs::plotsAreOfTheChosenKind()
{
    const QTemporaryDir folder;
    QWidget window;
    auto *bar = new InfoBar(&window);
    auto *plot = new CurvePlot(QStringLiteral("val/loss"), &window);
    window.resize(600, 400);
    window.show();
    CurveSaving saving(&window, bar);
    saving.savePicture(plot);
    auto *dialog = window.findChild<QFileDialog *>();
    QVERIFY(dialog);
    QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QStringLiteral("val_loss.pdf"));
    dialog->setDirectory(folder.path());
    type(dialog, QStringLiteral("pic1"));
    QVERIFY(read(folder.filePath(QStringLiteral("pic1.pdf"))).startsWith("%PDF"));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("pic1"))));
    QCOMPARE(bar->kind(), InfoBar::Kind::Succeeded);
    QVERIFY2(bar->text().contains(QStringLiteral("pic1.pdf")), qPrintable(bar->text()));
    QVERIFY(bar->findChild<QPushButton *>(QStringLiteral("showInFolder")));
}

// Beside what was opened or saved last, else at home; and not among the runs, whatever folder was used there.
void TstSaveDialogs::placesAreTheUsers()
{
    const QTemporaryDir folder;
    const QString runs = folder.filePath(QStringLiteral("runs")), run = runs + QStringLiteral("/one");
    const QString mine = folder.filePath(QStringLiteral("runs of mine"));
    QVERIFY(QDir().mkpath(run) && QDir().mkpath(mine));
    QWidget window;
    const auto placeOf = [&window](const QString &at) {
        QFileDialog *dialog
            = askWhereToSave(&window, QStringLiteral("Save"), at, savedTables(), &window, [](const QString &) {});
        const QString place = dialog->selectedFiles().value(0);
        dialog->close();
        return place;
    };
    const QString name = QStringLiteral("m.csv");
    const QString begin = QDir::home().filePath(name);
    const QString started = QDir::currentPath();
    const auto back = qScopeGuard([started] { QDir::setCurrent(started); });
    QVERIFY(QDir::setCurrent(mine));
    setFolderOfRuns(runs);
    setSaveFolder({});
    QCOMPARE(placeOf(name), begin);
    QCOMPARE(placeOf(QDir(run).filePath(name)), begin);
    QCOMPARE(placeOf(QDir(mine).filePath(name)), QDir(mine).filePath(name));
    setSaveFolder(run);
    QCOMPARE(placeOf(name), begin);
    setSaveFolder(mine);
    QCOMPARE(placeOf(name), QDir(mine).filePath(name));
    QCOMPARE(placeOf(QDir(runs).filePath(name)), QDir(mine).filePath(name));
    QCOMPARE(placeOf(folder.filePath(QStringLiteral("gone/m.csv"))), QDir(mine).filePath(name));
    // Where the program was started, unless that says nothing.
    setSaveFolder({});
    const QString project = folder.filePath(QStringLiteral("project"));
    QVERIFY(QDir().mkpath(project));
    const auto none = qScopeGuard([] { setStartFolder({}); });
    setStartFolder(project);
    QCOMPARE(placeOf(name), QDir(project).filePath(name));
    setSaveFolder(mine);
    QCOMPARE(placeOf(name), QDir(mine).filePath(name));
    setSaveFolder({});
    for (const QString &useless : {QStringLiteral("/"), QDir::homePath(), folder.filePath(QStringLiteral("gone"))}) {
        setStartFolder(useless);
        QCOMPARE(placeOf(name), begin);
    }
    setStartFolder(run);
    QCOMPARE(placeOf(name), begin);
    setSaveFolder({});
    setFolderOfRuns({});
}

void TstSaveDialogs::valuesAreNamedAfterTheirRun_data()
{
    QTest::addColumn<QString>("job");
    QTest::addColumn<qint64>("number");
    QTest::addColumn<QString>("name");
    QTest::newRow("a job") << QStringLiteral("resnet") << qint64(41) << QStringLiteral("resnet-41-metrics.csv");
    QTest::newRow("a run of another program")
        << QStringLiteral("runs/lr 0.1") << qint64(0) << QStringLiteral("runs_lr_0.1-metrics.csv");
    QTest::newRow("without a name") << QString() << qint64(0) << QStringLiteral("curves.csv");
}

// The name that programs give their own files is in the folder already.
void TstSaveDialogs::valuesAreNamedAfterTheirRun()
{
    QFETCH(QString, job);
    QFETCH(qint64, number);
    QWidget window;
    auto *bar = new InfoBar(&window);
    CurveSaving saving(&window, bar);
    saving.setRun(job, number);
    saving.saveValues([] { return QList<CurveGroup>(); });
    auto *dialog = window.findChild<QFileDialog *>();
    QVERIFY(dialog);
    const auto *edit = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
    QVERIFY(edit);
    QTEST(QFileInfo(edit->text()).fileName(), "name");
    dialog->close();
}

void TstSaveDialogs::valuesAreSaid()
{
    const QTemporaryDir folder;
    QWidget window;
    auto *bar = new InfoBar(&window);
    CurveSaving saving(&window, bar);
    saving.saveValues([] { return QList<CurveGroup>(); });
    auto *dialog = window.findChild<QFileDialog *>();
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("loss")));
    dialog->close();
    QTRY_VERIFY(QFile::exists(folder.filePath(QStringLiteral("loss.csv"))));
    QTRY_COMPARE(bar->kind(), InfoBar::Kind::Succeeded);
    QVERIFY2(bar->text().contains(QStringLiteral("loss.csv")), qPrintable(bar->text()));
    // It leaves by itself after a while, with its button.
    auto *leaving = bar->findChild<QTimer *>();
    QVERIFY(leaving && leaving->isActive());
    QVERIFY(!bar->isHidden());
    leaving->start(0);
    QTRY_VERIFY(bar->isHidden());
    // A folder that has gone is said.
    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("loss.csv"))));
    saySaved(bar, folder.filePath(QStringLiteral("gone/loss.csv")));
    bar->findChild<QPushButton *>(QStringLiteral("showInFolder"))->click();
    QCOMPARE(bar->kind(), InfoBar::Kind::Failed);
}

#include "tst_savedialogs.moc"
