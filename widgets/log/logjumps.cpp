// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logjumps.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/log/logbookmarks.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace trainyard
{
namespace
{
constexpr qsizetype mostCharactersInMenu = 60;
}

LogJumps::LogJumps(LogView *view, LogBookmarks *bookmarks, QWidget *pane)
    : QObject(pane), m_view(view), m_bookmarks(bookmarks)
{
    const auto jump = [this](LogView::Jump what) { return [this, what] { m_view->jump(what); }; };
    m_firstError = add("logError", QStringLiteral("error"), tr("First error"),
        tr("Jump to the first line that reports an error"), {}, pane);
    connect(m_firstError, &QAction::triggered, this, jump(LogView::Jump::FirstError));
    QAction *traceback
        = add("logTraceback", {}, tr("Traceback"), tr("Jump to the first traceback of Python"), {}, pane);
    connect(traceback, &QAction::triggered, this, jump(LogView::Jump::Traceback));
    QAction *next = add("logNextProblem", {}, tr("Next error or warning"),
        tr("Jump to the next line that reports an error or a warning"), Qt::Key_F8, pane);
    connect(next, &QAction::triggered, this, jump(LogView::Jump::NextProblem));
    QAction *previous = add("logPreviousProblem", {}, tr("Previous error or warning"),
        tr("Jump to the previous line that reports an error or a warning"), Qt::SHIFT | Qt::Key_F8, pane);
    connect(previous, &QAction::triggered, this, jump(LogView::Jump::PreviousProblem));
    QAction *failed = add("logNextFailed", {}, tr("Next failed task"),
        tr("Show the log of the next task that failed, at its first error"), Qt::CTRL | Qt::Key_F8, pane);
    connect(failed, &QAction::triggered, this, &LogJumps::nextFailedRequested);
    m_errors = {m_firstError, traceback, next, previous, failed};

    QAction *toggle = add("logBookmark", QStringLiteral("star"), tr("Bookmark this line"),
        tr("Set or remove a bookmark at the current line"), Qt::CTRL | Qt::Key_F2, pane);
    connect(toggle, &QAction::triggered, bookmarks, &LogBookmarks::toggle);
    // No keys with Alt: desktops keep Alt+F2 for themselves.
    QAction *nextMark
        = add("logNextBookmark", {}, tr("Next bookmark"), tr("Jump to the next bookmark"), Qt::Key_F2, pane);
    QAction *previousMark = add("logPreviousBookmark", {}, tr("Previous bookmark"), tr("Jump to the previous bookmark"),
        Qt::SHIFT | Qt::Key_F2, pane);
    const auto sayNone = [this](bool found) {
        if (!found) {
            Q_EMIT said(tr("There is no bookmark in what is shown of this log. Ctrl+F2 sets one at the current line."));
        }
    };
    connect(nextMark, &QAction::triggered, this, [this, sayNone] { sayNone(m_bookmarks->next()); });
    connect(previousMark, &QAction::triggered, this, [this, sayNone] { sayNone(m_bookmarks->previous()); });
    m_ofMarks = {toggle, nextMark, previousMark};
    connect(view, &LogView::jumped, this, &LogJumps::sayWhere);
    connect(view, &LogView::menuAboutToShow, this, &LogJumps::addToLine);
}

QAction *LogJumps::add(const char *name, const QString &iconName, const QString &text, const QString &tip,
    const QKeySequence &key, QWidget *pane)
{
    auto *action = new QAction(text, pane);
    if (!iconName.isEmpty()) {
        action->setIcon(icon(iconName));
    }
    action->setObjectName(QLatin1String(name));
    action->setToolTip(plainTip(tip));
    action->setStatusTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    pane->addAction(action);
    return action;
}

void LogJumps::sayWhere(LogView::Jump what, bool found)
{
    if (found) {
        return;
    }
    switch (what) {
    case LogView::Jump::FirstError:
        Q_EMIT said(tr("No line of this log reports an error."));
        break;
    case LogView::Jump::NextProblem:
        Q_EMIT said(tr("No line below reports an error or a warning."));
        break;
    case LogView::Jump::PreviousProblem:
        Q_EMIT said(tr("No line above reports an error or a warning."));
        break;
    case LogView::Jump::Traceback:
        Q_EMIT said(tr("There is no traceback in this log."));
        break;
    }
}

void LogJumps::addTo(QMenu *menu)
{
    menu->addActions(m_errors);
    menu->addSeparator();
    menu->addActions(m_ofMarks);
    addMarks(menu);
}

// The line under the pointer, which need not be the current one. A new line of the log may come while the menu is open,
// but the numbers of those before stay.
void LogJumps::addToLine(QMenu *menu, qint64 line)
{
    menu->addSeparator();
    QAction *mark = menu->addAction(icon(QStringLiteral("star")),
        m_bookmarks->isMarked(line) ? tr("Remove the bookmark of this line") : tr("Bookmark this line"), m_bookmarks,
        [this, line] { m_bookmarks->toggleAt(line); });
    mark->setObjectName(QStringLiteral("logBookmarkHere"));
}

void LogJumps::addMarks(QMenu *menu)
{
    if (m_bookmarks->marks().isEmpty()) {
        return;
    }
    QMenu *list = menu->addMenu(tr("Bookmarks"));
    for (const LogBookmarks::Mark &mark : m_bookmarks->marks()) {
        const QString text = mark.text.trimmed().left(mostCharactersInMenu);
        QAction *action = list->addAction(plainCaption(text.isEmpty() ? tr("(empty line)") : text), m_view,
            [view = m_view, line = mark.line] { view->markLine(line); });
        action->setEnabled(mark.line >= 0);
    }
}

} // namespace trainyard
