// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/patterntrial.h"

#include <QDialog>
#include <QMap>

class QLabel;
class QPushButton;
class QTimer;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

// Edits the metrics that a person has named, and tries them meanwhile on a log.
class MetricPatternsDialog : public QDialog
{
    Q_OBJECT
public:
    // `expressions`: by their names. `log`: to try them on; none: they are not tried.
    MetricPatternsDialog(
        const QMap<QString, QString> &expressions, const LogSourceFactory &log, QWidget *parent = nullptr);
    QMap<QString, QString> expressions() const;

Q_SIGNALS:
    void chosen(const QMap<QString, QString> &expressions);

private:
    void addRow(const QString &name, const QString &expression);
    void changed();
    void tell(const PatternTrial::Found &hits, bool isWhole);
    void showLines();
    QString nameOf(QTreeWidgetItem *row) const;
    LogSourceFactory m_log;
    QTreeWidget *m_table;
    QPushButton *m_remove;
    QPushButton *m_accept = nullptr;
    QLabel *m_fault;
    QLabel *m_lines; // with hits of the current one
    QTimer *m_delay;
    PatternTrial *m_trial;
    PatternTrial::Found m_hits;
    bool m_isWhole = true;
};

} // namespace trainyard
