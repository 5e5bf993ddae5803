// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logrules.h"
#include "widgets/log/logsource.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

class LogView;

// Edits the rules by which lines of logs are coloured, and shows meanwhile how a log looks with them.
class LogRulesDialog : public QDialog
{
    Q_OBJECT
public:
    // `preview`: the log to show; without one, typical lines.
    LogRulesDialog(const LogRules &rules, const LogSourceFactory &preview, QWidget *parent = nullptr);
    LogRules rules() const; // without those that are not valid

Q_SIGNALS:
    void chosen(const trainyard::LogRules &rules);

private:
    void addRow(const LogRule &rule, int at);
    void fill(const QList<LogRule> &rules);
    void move(int by);
    void refresh();
    LogRule ruleOf(QTreeWidgetItem *row) const;
    QTreeWidget *m_table;
    QPushButton *m_add;
    QPushButton *m_remove;
    QPushButton *m_up;
    QPushButton *m_down;
    QPushButton *m_accept = nullptr;
    QLabel *m_fault;
    LogView *m_preview;
};

} // namespace trainyard
