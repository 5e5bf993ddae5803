// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runevents.h"

#include <QWidget>

class QStackedLayout;
class QTreeView;

namespace trainyard
{

class EventsModel;
class SearchField;

// The events of a run in words, one line each. A click chooses the task that it is about.
class EventsView : public QWidget
{
    Q_OBJECT
public:
    explicit EventsView(QWidget *parent = nullptr);
    ~EventsView() override;
    void setStory(const RunStory &story);
    QWidget *controls() const; // the filter; for the row of tabs
    int count() const;
    QTreeView *view() const { return m_view; }

Q_SIGNALS:
    void countChanged(int count);
    void tryChosen(int attempt, const QString &role, int index, int number); // by hand
    void lineChosen(const QString &role, int index, qint64 line); // of the output, by hand
    void attemptChosen(int attempt); // by hand

protected:
    void showEvent(QShowEvent *event) override;

private:
    void copyChosen();
    void choose(const QModelIndex &at);
    EventsModel *m_model;
    SearchField *m_field;
    QTreeView *m_view;
    QStackedLayout *m_pages;
};

} // namespace trainyard
