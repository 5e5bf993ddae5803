// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace trainyard
{

class InfoBar;
class SearchField;

// What Run would do, task by task: where it goes, the exact script, the environment. Secrets are masked by the engine.
class PreviewPage : public QWidget
{
    Q_OBJECT
public:
    explicit PreviewPage(QWidget *parent = nullptr);
    void setJob(const QString &name);
    void setPlan(const PlanReply &plan, const QHash<QString, QString> &hostLabels);
    void setError(const QString &sentence);
    QString title() const;

Q_SIGNALS:
    void runRequested();
    void backRequested();

private:
    void showTask(int number);
    void filterEnvironment();
    QString m_name;
    PlanReply m_plan;
    QLabel *m_heading;
    InfoBar *m_bar;
    QPushButton *m_run;
    QTreeWidget *m_tasks;
    QLabel *m_order;
    QPlainTextEdit *m_script;
    QTreeWidget *m_environment;
    SearchField *m_filter;
};

} // namespace trainyard
