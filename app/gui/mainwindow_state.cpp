// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"
#include "app/gui/pagebars.h"
#include "app/gui/runinmenu.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "widgets/common/infobar.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

// The page in front, what can be done with it, and what the window says about itself.
namespace trainyard
{

DesignerPage *MainWindow::currentDesigner() const { return qobject_cast<DesignerPage *>(m_tabs->currentPage()); }
RunPage *MainWindow::currentRun() const { return qobject_cast<RunPage *>(m_tabs->currentPage()); }

void MainWindow::say(const QString &sentence, bool failed)
{
    m_showsFetch = false;
    m_showsUnopened = false;
    sayOf(nullptr, sentence, failed);
}

void MainWindow::sayOf(QWidget *page, const QString &sentence, bool failed)
{
    InfoBar *bar = m_bars->barOf(page);
    bar->show(failed ? InfoBar::Kind::Failed : InfoBar::Kind::Info, sentence.toHtmlEscaped());
    bar->setClosable(true);
}

void MainWindow::openOutside(const QUrl &url, QWidget *page)
{
    const QString path = url.toLocalFile();
    if (url.isLocalFile() && !QFileInfo::exists(path)) {
        sayOf(page, tr("%1 is not there any more.").arg(path));
    } else if (!QDesktopServices::openUrl(url)) {
        sayOf(page,
            url.isLocalFile() ? tr("No program here opens %1. Open it in a text editor or a file manager.").arg(path)
                              : tr("No program here opens %1. Copy the address into a browser.").arg(url.toString()));
    }
}

InfoBar *MainWindow::bar() const { return m_bars->shown(); }

// What has neither a document nor a run in front is called as its tab is.
void MainWindow::nameWindowAfter(const QWidget *page)
{
    if (page != m_tabs->currentPage()) {
        return;
    }
    const QString title = m_tabs->titleOf(page);
    setWindowTitle(title.isEmpty() ? tr("Trainyard") : tr("%1[*] – Trainyard").arg(title));
    setWindowModified(false);
}

void MainWindow::onPageChanged()
{
    if (m_closing) {
        return;
    }
    m_bars->setFront(m_tabs->currentPage());
    if (DesignerPage *page = currentDesigner()) {
        updateTitle(page);
        m_status->setProblems(page->errorCount(), page->warningCount());
        m_status->setPageText({});
        m_jobs->setCurrentJob({});
        m_lastDesigner = page;
    } else if (const RunPage *run = currentRun()) {
        setWindowTitle(tr("%1[*] – Trainyard").arg(run->title()));
        setWindowModified(false);
        m_status->clearProblems();
        m_status->setPageText(run->statusText());
        m_jobs->setCurrentJob(run->uuid());
    } else {
        nameWindowAfter(m_tabs->currentPage());
        m_status->clearProblems();
        m_status->setPageText(tr("Version %1").arg(QApplication::applicationVersion()));
        m_jobs->setCurrentJob({});
        if (auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage()); preview && preview->isStale()) {
            plan(preview, designerOf(preview));
        }
        for (auto it = m_diffs.cbegin(); it != m_diffs.cend(); ++it) {
            if (it.value() && it.value() == m_tabs->currentPage()) {
                updateDiff(it.value(), it.key());
            }
        }
    }
    updateActions();
    saveSessionSoon(openedSaveMs);
}

void MainWindow::updateActions()
{
    if (m_closing) {
        return;
    }
    const DesignerPage *designer = currentDesigner();
    const RunPage *run = currentRun();
    const auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage());
    const DesignerPage *previewed = preview ? designerOf(preview) : nullptr;
    action("save")->setEnabled(designer && (designer->isModified() || designer->filePath().isEmpty()));
    action("saveAs")->setEnabled(designer);
    action("undo")->setEnabled(designer && designer->undoAction()->isEnabled());
    action("redo")->setEnabled(designer && designer->redoAction()->isEnabled());
    action("run")->setEnabled((designer && designer->canRun()) || (previewed && previewed->canRun())
        || (run && !run->maskedYaml().isEmpty()));
    const auto runText = [this](const DesignerPage *page) {
        const QString runIn = runInOf(page);
        return runIn.isEmpty() ? tr("&Run") : tr("&Run in %1").arg(runInLabel(runIn));
    };
    action("run")->setText(runText(designerInFront()));
    for (auto it = m_previews.cbegin(); it != m_previews.cend(); ++it) {
        if (it.value()) {
            it.value()->setRunText(runText(it.key()).remove(QLatin1Char('&')));
        }
    }
    QString tip = tr("Run this job (F5)");
    if (designer && !designer->canRun()) {
        tip = tr("Run is off:") + QLatin1Char('\n') + designer->runBlockers().join(QLatin1Char('\n'));
    } else if (!designer && !run && !previewed) {
        tip = tr("Open or make a job to run it");
    }
    action("run")->setToolTip(tip);
    const bool stoppable = run && !isFinal(run->summary().state) && !run->summary().stopRequested;
    action("stop")->setEnabled(stoppable);
    action("rerunWithText")->setEnabled(rerunnable(designer).has_value());
    action("runAgain")->setEnabled(run && !run->maskedYaml().isEmpty());
    action("editAsNew")->setEnabled(run && !run->maskedYaml().isEmpty());
    const bool hasYaml = designer || (run && !run->maskedYaml().isEmpty());
    for (const char *name : {"copyYaml", "copyRunCommand"}) {
        action(name)->setEnabled(hasYaml);
    }
    for (const char *name : {"copyYamlWithSecrets", "saveAsTemplate", "compareSaved", "compareLastRun", "compare"}) {
        action(name)->setEnabled(designer);
    }
    action("preview")->setEnabled(designer || lastDesigner());
}

} // namespace trainyard
