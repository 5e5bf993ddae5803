// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logview.h"

#include <QPointer>
#include <QWidget>

class QAction;
class QToolButton;

namespace trainyard
{

class EmptyState;
class InfoBar;
class LogSaver;
class SearchField;
class SegmentedControl;

// A task's log with a header to choose the task and the stream, to follow, to show times and to search.
class LogPane : public QWidget
{
    Q_OBJECT
public:
    explicit LogPane(QWidget *parent = nullptr);

    // Shows the log in the folder of a try. When the folder is empty, nothing has been written yet, and `emptyText`
    // says why.
    void setLog(const QString &title, const QString &folder, const QString &emptyText = {});
    void setTry(const QString &words); // which try of the task it is; empty: it has only one
    QString title() const; // "worker/0", or "worker/0, try 1 of 2"
    QString folder() const { return m_folder; }
    void setWrapped(bool on); // whether long lines go on in the next row, as they do until the user says otherwise
    LogView *view() const { return m_view; }
    QToolButton *titleButton() const { return m_title; } // give it a menu to choose another task
    QToolButton *tryButton() const { return m_try; } // and this one, to choose another try
    QAction *findAction() const { return m_find; }

public Q_SLOTS:
    void showFind();
    void closeFind();

protected:
    void resizeEvent(QResizeEvent *event) override;

Q_SIGNALS:
    void openRequested(const QString &file); // with whatever the desktop opens text with
    void wrappedChanged(bool on);
    void statusChanged(const QString &text); // "worker/0: 18,402 lines, 2.1 MiB"

private:
    void fitHead();
    void fillMore();
    void applySource();
    void updateSearch();
    void updateStatus();
    void showOrHideEmpty();
    LogSourceFactory shownSource() const;
    void saveAs();
    void save(const LogSourceFactory &source, const QString &path);
    void updateActions();
    QString m_titleText;
    QString m_folder;
    QWidget *m_head;
    QToolButton *m_title;
    QToolButton *m_try;
    QToolButton *m_more; // what has no room in the head
    QList<QToolButton *> m_tools;
    SegmentedControl *m_streams;
    QAction *m_follow;
    QAction *m_times;
    QAction *m_wrap;
    QAction *m_error;
    QAction *m_runtime;
    QAction *m_find;
    QAction *m_closeFind;
    QAction *m_save;
    QAction *m_external;
    QWidget *m_searchRow;
    SearchField *m_searchField;
    QToolButton *m_pattern;
    QToolButton *m_case;
    InfoBar *m_saveBar;
    QPointer<LogSaver> m_saver; // while a log is being written
    LogView *m_view;
    EmptyState *m_empty;
    QString m_emptyText;
};

} // namespace trainyard
