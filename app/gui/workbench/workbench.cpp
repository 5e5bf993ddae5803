// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/workbench.h"

#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/pagebars.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "widgets/common/infobar.h"
#include "widgets/common/savednotice.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr QLatin1StringView topicOfJob("job:"); // topics of what is said of a job, with its UUID
} // namespace

Workbench::Workbench(QWidget *window, ActionRegistry *actions, TabArea *tabs, PageBars *bars, StatusLine *status)
    : QObject(window), m_window(window), m_tabs(tabs), m_bars(bars), m_status(status)
{
    connect(tabs, &TabArea::currentPageChanged, this, &Workbench::takeFront);
    connect(tabs, &TabArea::closeRequested, this, [this](QWidget *widget) { close(pageOf(widget)); });
    connect(tabs, &TabArea::keepRequested, this, [this](QWidget *widget) {
        if (Page *page = pageOf(widget)) {
            page->keep();
        }
    });
    connect(tabs, &TabArea::dragRequested, this, [this](QWidget *widget) { Q_EMIT dragRequested(pageOf(widget)); });
    actions->add({"close", QStringLiteral("close"), tr("&Close tab"), tr("Close this tab"), {QKeySequence::Close}},
        this, [this] {
            if (Page *page = front()) {
                close(page);
            }
        });
    actions->add(
        {"closeFinished", {}, tr("C&lose all finished runs"), tr("Close the tabs of all runs that have ended")}, this,
        [this] { close(finishedRuns()); });
    connect(this, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled(
            {"closeFinished"}, !finishedRuns().isEmpty(), tr("No run that has ended is open in a tab."));
    });
    actions->add({"nextTab", {}, tr("Next tab"), tr("Go to the next tab"),
                     {Qt::CTRL | Qt::Key_PageDown, Qt::CTRL | Qt::Key_Tab}},
        this, [this] { m_tabs->nextTab(); });
    actions->add({"previousTab", {}, tr("Previous tab"), tr("Go to the previous tab"),
                     {Qt::CTRL | Qt::Key_PageUp, Qt::CTRL | Qt::SHIFT | Qt::Key_Tab}},
        this, [this] { m_tabs->previousTab(); });
}

Page *Workbench::pageOf(const QWidget *widget) const
{
    const auto it = std::find_if(
        m_pages.cbegin(), m_pages.cend(), [widget](const Page *page) { return page->widget() == widget; });
    return it == m_pages.cend() ? nullptr : *it;
}

Page *Workbench::front() const
{
    const QWidget *widget = m_tabs->currentPage();
    return widget ? pageOf(widget) : nullptr;
}

QList<Page *> Workbench::pages() const
{
    QList<Page *> pages;
    const QList<QWidget *> widgets = m_tabs->pages();
    for (const QWidget *widget : widgets) {
        pages.append(pageOf(widget));
    }
    return pages;
}

QList<Page *> Workbench::finishedRuns() const
{
    QList<Page *> finished = pages();
    finished.removeIf([](const Page *page) { return !page->isFinishedRun(); });
    return finished;
}

void Workbench::add(Page *page, bool inFront)
{
    m_pages.append(page); // before the tabs say that it is in front
    connect(page, &Page::changed, this, [this, page] { updateTab(page); });
    connect(page, &Page::edited, this, &Workbench::edited);
    connect(page, &Page::actionsChanged, this, &Workbench::refresh);
    connect(page, &Page::sayRequested, this,
        [this, page](const QString &sentence, bool failed) { sayOf(page, sentence, failed); });
    connect(page, &Page::savedRequested, this,
        [this, page](const QString &sentence, const QString &path) { saySavedOf(page, path, sentence); });
    connect(page, &Page::statusTextChanged, this, [this, page](const QString &text) {
        if (page == front()) {
            m_status->setPageText(text);
        }
    });
    connect(page, &Page::problemsChanged, this, [this, page](int errors, int warnings) {
        if (page == front()) {
            m_status->setProblems({errors, warnings, page->problems().value_or(PageProblems()).isBeingChecked});
            refresh();
        }
    });
    m_tabs->addPage(page->widget(), page->icon(), page->title(), inFront);
    updateTab(page);
    takeWhatIsSaidOf(page);
    // The tab that was in front had the keys, and Qt has given them to the first field there is: no button that nobody
    // has chosen is pressed by the next blank.
    if (qobject_cast<QAbstractButton *>(QApplication::focusWidget())
        && page->widget()->isAncestorOf(QApplication::focusWidget())) {
        page->focus();
    }
}

void Workbench::show(Page *page)
{
    if (page && m_pages.contains(page)) {
        m_tabs->setCurrentPage(page->widget());
    }
}

void Workbench::close(Page *page)
{
    if (m_closing || !m_pages.contains(page)) {
        return;
    }
    if (page->canClose(Page::Leaving::Tab)) {
        remove(page);
        return;
    }
    page->askToClose(Page::Leaving::Tab, 0, [this, page = QPointer<Page>(page)](Page::Answer answer) {
        if (page && answer != Page::Answer::Cancelled) {
            remove(page);
        }
    });
}

void Workbench::close(const QList<Page *> &pages)
{
    QList<QPointer<Page>> asking;
    for (Page *page : pages) {
        if (m_closing || !m_pages.contains(page)) {
            continue;
        }
        if (page->canClose(Page::Leaving::Tab)) {
            remove(page);
        } else {
            asking.append(page);
        }
    }
    closeNext(asking);
}

void Workbench::closeNext(QList<QPointer<Page>> pages)
{
    while (!pages.isEmpty()) {
        const QPointer<Page> page = pages.takeFirst();
        if (!page || !m_pages.contains(page)) {
            continue;
        }
        show(page); // what is asked about is seen
        page->askToClose(Page::Leaving::Tab, int(pages.size()), [this, page, pages](Page::Answer answer) {
            if (answer != Page::Answer::Cancelled) {
                remove(page);
                closeNext(pages);
            }
        });
        return;
    }
}

void Workbench::remove(Page *page)
{
    if (!m_pages.contains(page)) {
        return;
    }
    Q_EMIT closing(page); // this comes first: the page that comes to the front then reads which pages are open
    QWidget *widget = page->widget();
    const bool hadFocus = widget->isAncestorOf(QApplication::focusWidget());
    m_tabs->removePage(widget);
    m_pages.removeOne(page);
    widget->deleteLater();
    if (m_pages.isEmpty()) {
        Q_EMIT emptied();
    }
    if (Page *next = hadFocus ? front() : nullptr) {
        next->focus(); // its keys work at once
    }
    takeFront();
}

// Pages go while all they talk to is alive, and say nothing to a window that is half gone.
void Workbench::clear()
{
    m_closing = true;
    const QList<Page *> all = pages();
    for (Page *page : all) {
        page->widget()->disconnect(page);
        Q_EMIT closing(page);
    }
    m_pages.clear();
    for (const Page *page : all) {
        delete page->widget();
    }
}

void Workbench::refresh()
{
    if (!m_closing) {
        Q_EMIT refreshed();
    }
}

void Workbench::takeFront()
{
    if (m_closing) {
        return;
    }
    Page *page = front();
    m_bars->setFront(page ? page->widget() : nullptr);
    if (page) {
        updateTab(page);
        m_status->setPageText(page->statusText());
    } else {
        m_window->setWindowTitle(tr("Trainyard"));
        m_window->setWindowModified(false);
    }
    if (const auto problems = page ? page->problems() : std::nullopt) {
        m_status->setProblems(*problems);
    } else {
        m_status->clearProblems();
    }
    Q_EMIT frontChanged(page);
    refresh();
    Q_EMIT arranged();
}

void Workbench::updateTab(Page *page)
{
    if (m_closing) {
        return;
    }
    m_tabs->setTitle(page->widget(), page->title(), page->tip());
    m_tabs->setIcon(page->widget(), page->icon());
    m_tabs->setModified(page->widget(), page->isUnsaved() || page->isInNoFile());
    m_tabs->setTemporary(page->widget(), page->isTemporary());
    if (page == front()) {
        // With the dash that Qt puts between the title of a dialog and the name of the program.
        m_window->setWindowTitle(tr("%1[*] — Trainyard").arg(page->title()));
        m_window->setWindowModified(page->isUnsaved());
    }
}

InfoBar *Workbench::windowBar() const { return m_bars->windowBar(); }

InfoBar *Workbench::barOf(Page *page) const { return m_bars->barOf(page ? page->widget() : nullptr); }

BarOffers *Workbench::offers() const { return m_bars->offers(); }

InfoBar *Workbench::shownBar() const { return m_bars->shown(); }

void Workbench::say(const QString &sentence, bool failed) { sayOf(nullptr, sentence, failed); }

void Workbench::sayOf(Page *page, const QString &sentence, bool failed)
{
    InfoBar *bar = barOf(page);
    bar->show(failed ? InfoBar::Kind::Failed : InfoBar::Kind::Info, sentence.toHtmlEscaped());
    bar->setClosable(true);
}

void Workbench::sayOfJob(const QString &uuid, const QString &sentence, bool failed)
{
    const auto page
        = std::find_if(m_pages.cbegin(), m_pages.cend(), [&uuid](const Page *each) { return each->jobUuid() == uuid; });
    if (page != m_pages.cend()) {
        sayOf(*page, sentence, failed);
        return;
    }
    say(sentence, failed);
    windowBar()->setTopic(topicOfJob + uuid);
}

// It was said with any page, as this one was not open.
void Workbench::takeWhatIsSaidOf(Page *page)
{
    InfoBar *bar = windowBar();
    const QString uuid = page->jobUuid();
    if (!uuid.isEmpty() && !bar->isHidden() && bar->isOf(topicOfJob + uuid)) {
        const InfoBar::Kind kind = bar->kind();
        const QString said = bar->text();
        bar->hide();
        barOf(page)->show(kind, said);
        barOf(page)->setClosable(true);
    }
}

void Workbench::saySavedOf(Page *page, const QString &path, const QString &sentence)
{
    if (sentence.isEmpty()) {
        saySaved(barOf(page), path);
    } else {
        saySaved(barOf(page), sentence, path);
    }
}

void Workbench::hideBars(Page *page) { m_bars->hideFor(page ? page->widget() : nullptr); }

void Workbench::openOutside(const QUrl &url, Page *page)
{
    const QString path = url.toLocalFile();
    if (url.isLocalFile() && !QFileInfo::exists(path)) {
        sayOf(page, tr("%1 no longer exists.").arg(path));
    } else if (!QDesktopServices::openUrl(url)) {
        sayOf(page,
            url.isLocalFile() ? tr("No program here opens %1. Open it in a text editor or a file manager.").arg(path)
                              : tr("No program here opens %1. Copy the address into a browser.").arg(url.toString()));
    }
}

QList<CommandPalette::Entry> Workbench::paletteEntries()
{
    QList<CommandPalette::Entry> entries;
    const QList<Page *> all = pages();
    for (Page *page : all) {
        if (page != front()) {
            entries.append({page->title(), tr("open tab"), QStringLiteral("document"),
                [this, page = QPointer<Page>(page)] {
                    if (page) {
                        show(page);
                        page->focus();
                    }
                },
                true});
        }
    }
    return entries;
}

} // namespace trainyard
