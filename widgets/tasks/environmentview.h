// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/capturedenvironment.h"

#include <QWidget>

class QPlainTextEdit;
class QStackedLayout;
class QStandardItemModel;
class QTreeView;

namespace trainyard
{

class EmptyState;
class SearchField;
class WordsFilter;

// The environment that the shown try found when it started: its host, the commit and the uncommitted changes of its
// work folder, its Python with the packages, and its variables; with a filter over all of it. The text at the right is
// the whole value of the current row, such as the changes.
class EnvironmentView : public QWidget
{
    Q_OBJECT
public:
    explicit EnvironmentView(QWidget *parent = nullptr);
    void setTry(const std::optional<TaskInfo> &task); // nothing: no task
    QWidget *controls() const; // the filter; for the row of tabs
    QTreeView *view() const { return m_view; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void read();
    void setEnvironment(const std::optional<CapturedEnvironment> &found);
    void showWhole();
    void copyChosen();
    QString m_folder; // of the try; empty: it has none
    QString m_read; // the one that is shown
    bool m_goesOn = false; // the record may still come
    SearchField *m_field;
    QStandardItemModel *m_model;
    WordsFilter *m_filter;
    QTreeView *m_view;
    QPlainTextEdit *m_whole;
    EmptyState *m_noRow;
    QStackedLayout *m_right = nullptr; // what the current row has, or that there is none
    EmptyState *m_empty;
    QStackedLayout *m_pages;
};

} // namespace trainyard
