// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/sessioncontroller.h"

#include "app/gui/askbox.h"
#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/guisettings.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/style.h"

#include <QAbstractButton>
#include <QEvent>
#include <QMainWindow>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int windowStateVersion = 1;
constexpr int openedSaveMs = 200; // after a tab came, went or was chosen, until the session is written
constexpr int typedSaveMs = 500;
constexpr int autosaveMs = 10'000;
constexpr int failedSaveMs = 1000; // until one that could not be written is tried again
} // namespace

SessionController::SessionController(QMainWindow *window, Workbench *workbench, PageRegistry *pages,
    EngineController *engine, GuiSettings *settings, bool keeps)
    : QObject(window), m_window(window), m_workbench(workbench), m_pages(pages), m_engine(engine), m_settings(settings),
      m_soon(new QTimer(this))
{
    if (!keeps) {
        return;
    }
    m_store.emplace();
    m_writer.emplace(m_store->file());
    m_soon->setSingleShot(true);
    m_window->installEventFilter(this);
    connect(m_soon, &QTimer::timeout, this, [this] {
        saveWindow();
        savePages();
    });
    connect(workbench, &Workbench::arranged, this, [this] { saveSoon(openedSaveMs); });
    connect(workbench, &Workbench::edited, this, [this] { saveSoon(typedSaveMs); });
    auto *autosave = new QTimer(this);
    autosave->start(autosaveMs);
    connect(autosave, &QTimer::timeout, this, [this] {
        saveWindow(); // its docks as well, of which nothing tells
        savePages();
    });
    auto *again = new QTimer(this);
    again->start(failedSaveMs);
    connect(again, &QTimer::timeout, this, [this] {
        if (m_writer->hasFailed()) {
            savePages();
        }
    });
}

void SessionController::restoreWindow()
{
    // A screen of another scale has another size, and Qt restores nothing on it.
    if (!m_window->restoreGeometry(m_settings->windowGeometry()) && m_settings->isWindowMaximized()) {
        m_window->setWindowState(m_window->windowState() | Qt::WindowMaximized);
    }
    // Qt keeps the places of docks that do not fit into a maximized window which is not shown yet, and puts them there
    // again and again while it is. By then they name edges between docks that it has deleted, and it crashes.
    const Qt::WindowStates states = m_window->windowState();
    m_window->setWindowState(states & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
    m_window->restoreState(m_settings->windowState(), windowStateVersion);
    m_window->setWindowState(states);
}

void SessionController::restorePages()
{
    if (!m_store) {
        return;
    }
    const Session session = m_store->take();
    for (const SessionTab &place : session.tabs) {
        m_pages->open(place.kind, place);
    }
    const QList<Page *> pages = m_workbench->pages();
    if (session.current >= 0 && session.current < pages.size()) {
        m_workbench->show(pages.at(session.current));
    }
}

// Later changes do not delay it: a crash loses only the text that was typed in that time.
void SessionController::saveSoon(int ms)
{
    const bool sooner = m_soon->isActive() && m_soon->remainingTime() <= ms;
    if (!m_workbench->isClosing() && !sooner) {
        m_soon->start(ms);
    }
}

void SessionController::savePages()
{
    Session session;
    const QList<Page *> pages = m_workbench->pages();
    for (const Page *page : pages) {
        const std::optional<SessionTab> place = page->place();
        if (!place) {
            continue;
        }
        session.tabs.append(*place);
        if (page == m_workbench->front()) {
            session.current = int(session.tabs.size()) - 1;
        }
    }
    m_writer->write(session);
}

// Before it is shown it has no place of its own yet.
void SessionController::saveWindow()
{
    if (m_window->isVisible() && !m_window->isMinimized()) {
        m_settings->setWindow(
            m_window->saveGeometry(), m_window->saveState(windowStateVersion), m_window->isMaximized());
    }
}

bool SessionController::eventFilter(QObject *watched, QEvent *event)
{
    const QEvent::Type type = event->type();
    if (watched == m_window && (type == QEvent::Resize || type == QEvent::Move || type == QEvent::WindowStateChange)) {
        saveSoon(typedSaveMs);
    }
    return QObject::eventFilter(watched, event);
}

void SessionController::save()
{
    m_settings->setWindow(m_window->saveGeometry(), m_window->saveState(windowStateVersion), m_window->isMaximized());
    if (m_store) {
        savePages();
        m_writer->finish();
    }
}

bool SessionController::mayClose()
{
    if (!m_goesOn) {
        m_mayGo.clear(); // answers of an earlier time, when the pages may have been others
    }
    save(); // what cannot be written down is asked about
    if (asksForUnkept() || asksForJobs()) {
        return false;
    }
    save();
    m_mayGo.clear();
    return true;
}

// After an answer; what was answered before stays so.
void SessionController::closeOn()
{
    const QScopedValueRollback<bool> goesOn(m_goesOn, true);
    m_window->close();
}

bool SessionController::isKept() const { return !m_writer || !m_writer->hasFailed(); }

bool SessionController::asksForUnkept()
{
    const Page::Leaving how = isKept() ? Page::Leaving::Window : Page::Leaving::UnkeptWindow;
    QList<Page *> unkept = m_workbench->pages();
    unkept.removeIf([this, how](Page *page) { return page->canClose(how) || m_mayGo.contains(page); });
    if (unkept.isEmpty()) {
        return false;
    }
    Page *page = unkept.takeFirst();
    m_workbench->show(page);
    page->askToClose(how, int(unkept.size()), [this, page](Page::Answer answer) {
        if (answer == Page::Answer::Cancelled) {
            m_mayGo.clear();
            return;
        }
        if (answer == Page::Answer::Discarded) {
            m_mayGo.insert(page);
        }
        closeOn();
    });
    return true;
}

SessionController::GoOnWords SessionController::goOnWords(int running, int queued, int retrying)
{
    const QString again = running + queued + retrying == 1
        ? tr("Start Trainyard again to see it, or use \"trainyardctl ps\". (Shown only once.)")
        : tr("Start Trainyard again to see them, or use \"trainyardctl ps\". (Shown only once.)");
    if (running + queued == 0) {
        return {tr("%n job(s) will be tried again without this window, after a pause.", nullptr, retrying), again};
    }
    const QString retried = retrying == 0
        ? QString()
        : tr("%n job(s) that failed will be tried again after a pause.", nullptr, retrying) + QLatin1Char(' ');
    if (running == 0) {
        return {tr("%n job(s) will start without this window, as soon as there is room.", nullptr, queued),
            retried + again};
    }
    const QString started = queued == 0
        ? QString()
        : tr("%n job(s) that wait(s) will start as soon as there is room.", nullptr, queued) + QLatin1Char(' ');
    return {
        tr("%n job(s) will keep running after you close this window.", nullptr, running), started + retried + again};
}

// Told once: closing the window does not end jobs.
bool SessionController::asksForJobs()
{
    const int active = m_engine->activeJobs();
    if (active == 0 || m_settings->wasToldJobsGoOn()) {
        return false;
    }
    m_settings->setToldJobsGoOn();
    const int waiting = m_engine->waitingJobs(), retrying = m_engine->retryingJobs();
    const GoOnWords words = goOnWords(active - waiting, waiting - retrying, retrying);
    QMessageBox *box = makeAskBox(m_window, words.heading, words.rest, QMessageBox::Close | QMessageBox::Cancel);
    setButtonKind(box->button(QMessageBox::Close), ButtonKind::Primary);
    box->setDefaultButton(QMessageBox::Close);
    connect(box, &QMessageBox::buttonClicked, this, [this, box](QAbstractButton *button) {
        if (box->standardButton(button) == QMessageBox::Close) {
            closeOn();
        }
    });
    box->open();
    return true;
}

} // namespace trainyard
