// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"
#include "app/gui/workbench/page.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QUrl>

namespace trainyard
{

class ActionRegistry;
class BarOffers;
class InfoBar;
class PageBars;
class StatusLine;
class TabArea;

// The pages of the window: its tabs, the bars below them, the status line and the title, all kept in step with the page
// in front. It knows pages by their interface alone. Large because it is the one door to the open pages, for opening
// and closing them as well as for what is said on them.
class Workbench : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "close", "closeFinished", "nextTab" and "previousTab". The window owns everything.
    Workbench(QWidget *window, ActionRegistry *actions, TabArea *tabs, PageBars *bars, StatusLine *status);

    QWidget *window() const { return m_window; } // for dialogs
    Page *pageOf(const QWidget *widget) const; // null when it is that of none
    Page *front() const; // null when nothing is open
    QList<Page *> pages() const; // in the order of their tabs
    QList<Page *> finishedRuns() const; // those of them that show a run that has ended

    void add(Page *page, bool inFront = true);
    void show(Page *page); // to the front; nothing happens when it is not open any more
    void close(Page *page); // asks first where something would be lost
    // Pages that lose nothing are closed at once, the others ask in turn; if one is kept, those after it are kept, too.
    void close(const QList<Page *> &pages);
    void remove(Page *page); // without a question
    void clear(); // at the end of the window: all pages are closed, and only closing() is emitted
    bool isClosing() const { return m_closing; }
    void refresh(); // what can be done has changed: actions are asked to look

    InfoBar *windowBar() const; // seen with any page
    InfoBar *barOf(Page *page) const; // of the window for null
    InfoBar *shownBar() const; // that says something, or may: of the page in front, else of the window
    BarOffers *offers() const; // what waits for an answer; seen with any page, beside what is said
    void say(const QString &sentence, bool failed = true); // with any page
    void sayOf(Page *page, const QString &sentence, bool failed = true); // shown with that page; null: with any
    // With the page of that job; while it is not open, with any, until it is.
    void sayOfJob(const QString &uuid, const QString &sentence, bool failed = true);
    // Says that a file is written, with a button that shows it in its folder. An empty sentence: it is saved.
    void saySavedOf(Page *page, const QString &path, const QString &sentence = {});
    void hideBars(Page *page); // what is said of it, and of the window
    // With the program that the desktop has for it; said when there is none, or nothing to open.
    void openOutside(const QUrl &url, Page *page = nullptr);
    QList<CommandPalette::Entry> paletteEntries(); // the tabs that are not in front

Q_SIGNALS:
    void frontChanged(trainyard::Page *page); // null: nothing is open
    void refreshed(); // actions: enable and name yourselves
    void closing(trainyard::Page *page); // it is open still; forget it
    void emptied(); // the last page went
    void arranged(); // a page came, went or was chosen
    void edited(); // the place of a page is another now
    void dragRequested(trainyard::Page *page); // its tab is being pulled out of the bar

private:
    void closeNext(QList<QPointer<Page>> pages);
    void takeWhatIsSaidOf(Page *page);
    void takeFront();
    void updateTab(Page *page);

    QWidget *m_window;
    TabArea *m_tabs;
    PageBars *m_bars;
    StatusLine *m_status;
    QList<Page *> m_pages;
    bool m_closing = false;
};

} // namespace trainyard
