// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logview.h"

#include <QObject>

class QAction;
class QMenu;

namespace trainyard
{

class LogBookmarks;

// The actions by which one gets about in a log: errors, tracebacks, bookmarks. Their keys work in the whole pane.
class LogJumps : public QObject
{
    Q_OBJECT
public:
    LogJumps(LogView *view, LogBookmarks *bookmarks, QWidget *pane);
    QAction *firstError() const { return m_firstError; }
    void addTo(QMenu *menu);

Q_SIGNALS:
    void said(const QString &sentence); // there was nowhere to go
    void nextFailedRequested();

private:
    QAction *add(const char *name, const QString &icon, const QString &text, const QString &tip,
        const QKeySequence &key, QWidget *pane);
    void sayWhere(LogView::Jump what, bool found);
    void addMarks(QMenu *menu);
    void addToLine(QMenu *menu, qint64 line);
    LogView *m_view;
    LogBookmarks *m_bookmarks;
    QAction *m_firstError;
    QList<QAction *> m_errors;
    QList<QAction *> m_ofMarks;
};

} // namespace trainyard
