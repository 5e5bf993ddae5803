// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gallerypage.h"
#include "app/gui/mainwindow.h"
#include "app/gui/pagebars.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "app/gui/welcomepage.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <memory>
#include <utility>

// Documents: how they come into the window, are saved and go.
namespace trainyard
{
namespace
{
const QString yamlFilter = QStringLiteral("*.yaml *.yml *.json");
const QString ofSaving = QStringLiteral("saving"); // what a bar tells that is over when the document is saved
} // namespace

void MainWindow::prepareDesigner(DesignerPage *page)
{
    m_tabs->addPage(page, icon(QStringLiteral("document"), Colour::Muted), page->displayName());
    updateTitle(page);
    page->setHosts(hosts());
    // Storages that the settings know, whenever an engine is there to be asked.
    const auto askStorages = [this, page] {
        if (m_client->status() != EngineClient::Status::Ready) {
            return;
        }
        m_client->settings(page, [page](const Result<QJsonObject> &settings) {
            if (!settings) {
                return;
            }
            QStringList names;
            for (auto it = settings->constBegin(); it != settings->constEnd(); ++it) {
                if (it.key().startsWith(QLatin1StringView("storages.")) && !it.value().toString().isEmpty()) {
                    names.append(it.key().mid(9));
                }
            }
            page->setStorages(names);
        });
    };
    connect(m_client, &EngineClient::statusChanged, page, askStorages);
    askStorages();
    page->setSecretVault(m_vault);
    // Those that earlier jobs were in.
    page->setKnownClusters([this] {
        QStringList names;
        const QList<JobSummary> jobs = m_client->jobs();
        for (const JobSummary &job : jobs) {
            if (!job.virtualCluster.isEmpty() && !names.contains(job.virtualCluster)) {
                names.append(job.virtualCluster);
            }
        }
        names.sort();
        return names;
    });
    connect(page, &DesignerPage::modifiedChanged, this, [this, page] {
        updateTitle(page);
        updateActions();
    });
    connect(page, &DesignerPage::titleChanged, this, [this, page] { updateTitle(page); });
    connect(page, &DesignerPage::runnableChanged, this, &MainWindow::updateActions);
    connect(page, &DesignerPage::runRequested, this, &MainWindow::runCurrent);
    connect(page, &DesignerPage::previewRequested, this, [this, page] { openPreview(page); });
    connect(page, &DesignerPage::compareRequested, this, [this, page] { compareWith(page, QStringLiteral("saved")); });
    // The window has this key, so that it works wherever the focus is.
    if (auto *preview = page->findChild<QAction *>(QStringLiteral("actionPreview"))) {
        preview->setShortcuts(QList<QKeySequence>());
    }
    connect(page, &DesignerPage::saveAsRequested, this, [this, page] { save(page, true); });
    connect(page, &DesignerPage::saveRequested, this, [this, page] { save(page, false); });
    connect(page, &DesignerPage::problemsChanged, this, [this, page](int errors, int warnings) {
        if (page == currentDesigner()) {
            m_status->setProblems(errors, warnings);
            updateActions();
        }
    });
    connect(page, &DesignerPage::cursorMoved, this, [this, page](qint64 line, qint64 column) {
        if (page == currentDesigner()) {
            m_status->setPageText(tr("Ln %1, Col %2").arg(line).arg(column));
        }
        saveSessionSoon(typedSaveMs); // the caret moves with what is typed
    });
    connect(page->undoAction(), &QAction::changed, this, &MainWindow::updateActions);
    connect(page->redoAction(), &QAction::changed, this, &MainWindow::updateActions);
    page->setFocus(); // who opens a document has its keys, wherever the focus was before
    onPageChanged();
}

void MainWindow::updateTitle(DesignerPage *page)
{
    m_tabs->setTitle(page, page->displayName(), page->filePath());
    m_tabs->setModified(page, page->isModified());
    if (page == currentDesigner()) {
        setWindowTitle(tr("%1[*] – Trainyard").arg(page->displayName()));
        setWindowModified(page->isModified());
    }
}

DesignerPage *MainWindow::openFile(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *open = qobject_cast<DesignerPage *>(widget);
        if (open && open->filePath() == absolute) {
            m_tabs->setCurrentPage(open);
            open->setFocus();
            return open;
        }
    }
    if (DesignerPage *converted = openOldJob(absolute)) {
        return converted;
    }
    auto page = std::make_unique<DesignerPage>();
    if (const auto result = page->openFile(absolute); !result) {
        say(errorText(result.error()));
        m_showsUnopened = true;
        return nullptr;
    }
    if (std::exchange(m_showsUnopened, false)) {
        m_bar->hide();
    }
    DesignerPage *opened = page.release();
    prepareDesigner(opened);
    m_settings.addRecentFile(absolute);
    m_settings.setLastFolder(QFileInfo(absolute).path());
    updateRecentMenu();
    return opened;
}

void MainWindow::openFiles(const QStringList &paths)
{
    // All that could not be opened is told, and not only the last.
    constexpr qsizetype mostTold = 6;
    QStringList refused;
    for (const QString &path : paths) {
        if (!openFile(path) && m_showsUnopened) {
            refused.append(m_bar->text());
        }
    }
    if (refused.size() > mostTold) {
        const int more = int(refused.size() - mostTold + 1);
        refused = refused.first(mostTold - 1) << tr("%n more could not be opened.", nullptr, more);
    }
    if (!refused.isEmpty()) {
        m_bar->show(InfoBar::Kind::Failed, refused.join(QStringLiteral("<br>")));
        m_bar->setClosable(true);
        m_showsUnopened = true;
    }
    if (isMinimized()) {
        showNormal();
    }
    raise();
    activateWindow();
}

DesignerPage *MainWindow::newDocument(const QByteArray &yaml, const QString &suggestedName)
{
    if (DesignerPage *converted = convertedDocument(yaml, suggestedName)) {
        return converted;
    }
    auto *page = new DesignerPage;
    QString name = suggestedName;
    if (name.isEmpty()) {
        ++m_untitled;
        name = m_untitled == 1 ? tr("untitled.pai.yaml") : tr("untitled-%1.pai.yaml").arg(m_untitled);
    }
    page->newDocument(yaml, name);
    prepareDesigner(page);
    return page;
}

void MainWindow::chooseFiles()
{
    auto *dialog = new QFileDialog(this, tr("Open jobs"), m_settings.lastFolder(),
        tr("Jobs (%1)").arg(yamlFilter) + QStringLiteral(";;") + tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openFiles);
    dialog->open();
}

void MainWindow::save(DesignerPage *page, bool as, const std::function<void()> &then)
{
    const auto done = [this, page, then](const Result<void> &result) {
        InfoBar *bar = m_bars->barOf(page);
        if (!result) {
            m_tabs->setCurrentPage(page); // it may be closed from behind another one
            if (result.error().code != QStringLiteral("file.changed")) { // of that the page tells, with what to do
                sayOf(page, errorText(result.error()));
                bar->setTopic(ofSaving);
            }
            return;
        }
        bar->hideIfOf(ofSaving);
        if (!page->filePath().isEmpty()) {
            m_settings.addRecentFile(page->filePath());
            updateRecentMenu();
        }
        updateTitle(page);
        if (then) {
            then();
        }
    };
    if (!as && !page->filePath().isEmpty()) {
        done(page->save());
        return;
    }
    const QString folder = page->filePath().isEmpty() ? m_settings.lastFolder() : QFileInfo(page->filePath()).path();
    auto *dialog = new QFileDialog(this, tr("Save the job as"),
        QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(page->displayName()),
        tr("Jobs (%1)").arg(yamlFilter) + QStringLiteral(";;") + tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("pai.yaml"));
    connect(dialog, &QFileDialog::fileSelected, page, [page, done](const QString &path) { done(page->saveAs(path)); });
    dialog->open();
}

void MainWindow::closePage(QWidget *page)
{
    auto *designer = qobject_cast<DesignerPage *>(page);
    const auto remove = [this, page] {
        // First of all: a page that goes in front looks at them.
        m_previews.removeIf([page](const auto &entry) { return entry.value() == page; });
        m_diffs.removeIf([page](const auto &entry) { return entry.value() == page; });
        const bool hadFocus = page->isAncestorOf(QApplication::focusWidget());
        m_tabs->removePage(page);
        if (page == m_welcome) {
            m_welcome = nullptr;
        }
        if (page == m_gallery) {
            m_gallery = nullptr;
        }
        page->deleteLater();
        if (m_tabs->pages().isEmpty()) {
            showWelcome();
        }
        if (hadFocus && m_tabs->currentPage()) {
            m_tabs->currentPage()->setFocus(); // its keys work at once
        }
        onPageChanged();
    };
    if (!designer || !designer->isModified()) {
        remove();
        return;
    }
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Trainyard"),
        tr("%1 has changes that are not saved.").arg(designer->displayName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setDefaultButton(QMessageBox::Save);
    setButtonKind(box->button(QMessageBox::Save), ButtonKind::Primary);
    connect(box, &QMessageBox::buttonClicked, designer, [this, box, designer, remove](QAbstractButton *button) {
        const auto choice = box->standardButton(button);
        if (choice == QMessageBox::Save) {
            save(designer, false, remove);
        } else if (choice == QMessageBox::Discard) {
            remove();
        }
    });
    box->open();
}

} // namespace trainyard
