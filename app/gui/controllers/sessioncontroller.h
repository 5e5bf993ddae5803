// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"
#include "app/gui/sessionstore.h"

#include <QObject>
#include <QSet>

#include <optional>

class QMainWindow;
class QTimer;

namespace trainyard
{

class EngineController;
class GuiSettings;
class Page;
class PageRegistry;
class Workbench;

// Restores what outlives the window: its tabs, texts and position. Asks before anything is lost for good.
class SessionController : public QObject
{
    Q_OBJECT
public:
    // `keeps`: what is open is written down, and comes back at the next start.
    SessionController(QMainWindow *window, Workbench *workbench, PageRegistry *pages, EngineController *engine,
        GuiSettings *settings, bool keeps);

    void restoreWindow(); // its place and its docks
    void restorePages();
    bool mayClose(); // false: a question is open, and the window stays; the answer closes it
    void save(); // all of it, at once

    struct GoOnWords {
        QString heading, rest;
    };
    // What happens to this many jobs when the window is closed. Waiting jobs have a position in the queue, or a pause
    // before their next attempt.
    static GoOnWords goOnWords(int running, int queued, int retrying);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void saveWindow();
    void saveSoon(int ms);
    void savePages();
    void closeOn();
    bool isKept() const; // what is open, when the window goes
    bool asksForUnkept();
    bool asksForJobs();

    QMainWindow *m_window;
    Workbench *m_workbench;
    PageRegistry *m_pages;
    EngineController *m_engine;
    GuiSettings *m_settings;
    std::optional<SessionStore> m_store; // nothing: what is open is not kept
    std::optional<SessionWriter> m_writer; // goes before the lock of its file
    QTimer *m_soon; // what was opened or typed is written down when it runs out
    QSet<const Page *> m_mayGo; // pages that may close without being saved
    bool m_goesOn = false; // an answer lets the closing continue
};

} // namespace trainyard
