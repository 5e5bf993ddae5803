// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gallerypage.h"
#include "app/gui/mainwindow.h"
#include "app/gui/session.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusTipEvent>
#include <QTimer>

// What outlives the window: its tabs, texts and place.
namespace trainyard
{
namespace
{
// A secret must not reach the disk. A text that cannot be read, half-written as it may be, is kept only when it has no
// word of secrets, however that is encoded; else nothing is.
QByteArray storable(const QByteArray &bytes)
{
    if (const Result<QByteArray> masked = maskSecrets(bytes)) {
        return *masked;
    }
    const bool mayHoldSecrets = bytes.toLower().contains("secret") || bytes.contains('\0') || bytes.contains("\\x");
    return mayHoldSecrets ? QByteArray() : bytes;
}
} // namespace

bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::StatusTip) {
        m_status->setTip(static_cast<QStatusTipEvent *>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

// Put off while more happens, but not for ever: the autosave goes on beside it.
void MainWindow::saveSessionSoon(int ms)
{
    const bool sooner = m_sessionTimer->isActive() && m_sessionTimer->interval() < ms;
    if (m_options.restoreSession && !m_closing && !sooner) {
        m_sessionTimer->start(ms);
    }
}

void MainWindow::saveSessionNow()
{
    Session session;
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        SessionTab tab;
        if (const auto *page = qobject_cast<DesignerPage *>(widget)) {
            tab.kind = QStringLiteral("document");
            tab.path = page->filePath();
            tab.name = page->displayName();
            tab.modified = page->isModified() || tab.path.isEmpty();
            tab.edited = page->isModified();
            tab.layout = page->saveLayout();
            if (tab.modified) {
                const QByteArray bytes = page->bytes();
                tab.text = storable(bytes);
                tab.masked = tab.text != bytes;
                tab.base = page->base();
            }
        } else if (qobject_cast<PreviewPage *>(widget) || qobject_cast<DiffPage *>(widget)
            || qobject_cast<GalleryPage *>(widget)) {
            continue; // made again when asked for
        } else if (const auto *run = qobject_cast<RunPage *>(widget)) {
            tab.kind = QStringLiteral("run");
            tab.uuid = run->property("uuid").toString();
            tab.layout = run->saveLayout();
        } else {
            tab.kind = QStringLiteral("welcome");
        }
        session.tabs.append(tab);
        if (widget == m_tabs->currentPage()) {
            session.current = int(session.tabs.size()) - 1;
        }
    }
    saveSession(session);
}

void MainWindow::restoreSession()
{
    const Session session = loadSession();
    for (const SessionTab &tab : session.tabs) {
        if (tab.kind == QLatin1String("document")) {
            if (tab.modified && tab.masked && tab.text.isEmpty()) {
                DesignerPage *page = QFile::exists(tab.path) ? openFile(tab.path) : nullptr;
                sayOf(page,
                    page ? tr("%1 is as it was saved last: its changes could not be read, and what may hold a "
                              "secret is never written to disk.")
                               .arg(tab.name)
                         : tr("%1 did not come back: it could not be read, and what may hold a secret is never "
                              "written to disk.")
                               .arg(tab.name),
                    false);
            } else if (tab.modified) {
                if (tab.text.isEmpty() && tab.path.isEmpty()) {
                    continue;
                }
                auto *page = new DesignerPage;
                if (tab.path.isEmpty() && !tab.edited && !tab.masked) {
                    page->newDocument(tab.text, tab.name);
                } else {
                    page->restore(tab.path, tab.text, tab.name);
                }
                prepareDesigner(page);
                page->setBase(tab.base);
                page->restoreLayout(tab.layout);
                if (tab.masked) {
                    sayOf(page, tr("%1 came back without its secrets: they are never written to disk.").arg(tab.name),
                        false);
                }
            } else if (QFile::exists(tab.path)) {
                if (DesignerPage *page = openFile(tab.path)) {
                    page->restoreLayout(tab.layout);
                }
            }
        } else if (tab.kind == QLatin1String("run") && !tab.uuid.isEmpty()) {
            openRun(tab.uuid)->restoreLayout(tab.layout);
        } else if (tab.kind == QLatin1String("welcome")) {
            showWelcome();
        }
    }
    const QList<QWidget *> pages = m_tabs->pages();
    if (session.current >= 0 && session.current < pages.size()) {
        m_tabs->setCurrentPage(pages.at(session.current));
    }
}

// Texts come back at the next start, but what may hold a secret is written nowhere but into the user's own file.
bool MainWindow::askForUnkept()
{
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *page = qobject_cast<DesignerPage *>(widget);
        if (!page || !page->isModified() || m_mayGo.contains(page) || storable(page->bytes()) == page->bytes()) {
            continue;
        }
        m_tabs->setCurrentPage(page);
        auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Trainyard"),
            tr("%1 has changes that are not saved.").arg(page->displayName()),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
        box->setInformativeText(tr("The text comes back at the next start, but not its secrets, nor a part that cannot "
                                   "be read and may hold one: they are kept in the file only."));
        box->button(QMessageBox::Discard)->setText(tr("Close without saving"));
        box->setDefaultButton(QMessageBox::Save);
        setButtonKind(box->button(QMessageBox::Save), ButtonKind::Primary);
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(box, &QMessageBox::buttonClicked, page, [this, box, page](QAbstractButton *button) {
            const auto choice = box->standardButton(button);
            if (choice == QMessageBox::Save) {
                save(page, false, [this] { close(); });
            } else if (choice == QMessageBox::Discard) {
                m_mayGo.insert(page);
                close();
            } else {
                m_mayGo.clear();
            }
        });
        box->open();
        return true;
    }
    return false;
}

void MainWindow::leave()
{
    m_settings.setWindow(saveGeometry(), saveState(windowStateVersion));
    if (m_options.restoreSession) {
        saveSessionNow();
    }
    QApplication::exit(0);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (askForUnkept()) {
        event->ignore();
        return;
    }
    const int active = activeJobs();
    if (active > 0 && !m_settings.wasToldJobsGoOn()) {
        m_settings.setToldJobsGoOn();
        auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Trainyard"),
            tr("%n job(s) go on without this window.", nullptr, active), QMessageBox::Close | QMessageBox::Cancel,
            this);
        box->setInformativeText(active == 1
                ? tr("Start Trainyard again to see it, or use \"trainyardctl ps\". This is said once.")
                : tr("Start Trainyard again to see them, or use \"trainyardctl ps\". This is said once."));
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(box, &QMessageBox::buttonClicked, this, [this, box](QAbstractButton *button) {
            if (box->standardButton(button) == QMessageBox::Close) {
                close();
            }
        });
        box->open();
        event->ignore();
        return;
    }
    m_settings.setWindow(saveGeometry(), saveState(windowStateVersion));
    if (m_options.restoreSession) {
        saveSessionNow();
    }
    m_mayGo.clear();
    event->accept();
}

} // namespace trainyard
