// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

#include <QSet>

class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

class SearchField;

// The tasks and metrics of a run to choose from, with the look of each task's line and the last value of each. Of tasks
// the first eight are chosen at first, of metrics the first three. The figures of the host are chosen at first only if
// there is no metric, because they may have no position along its steps.
class CurveChooser : public Ground
{
    Q_OBJECT
public:
    explicit CurveChooser(QWidget *parent = nullptr);
    void setTasks(const QStringList &tasks); // those of the same name keep their mark
    // `own`: how many of them are metrics; the others are figures of hosts and follow them. Returns whether the names
    // or the choice has changed. `values` have one value each and are not curves.
    bool setNames(const QStringList &names, qsizetype own, const QStringList &values = {});
    void setPinned(const QStringList &names); // those come first and are chosen at first, of any run
    QList<int> tasks() const; // those chosen, by their places
    QStringList names() const; // those chosen, in the order of the list
    void setTaskValue(int task, const QString &value);
    // `name`: its place in what was given to setNames(). `source`: of a file, else empty.
    void setNameValue(int name, const QString &value, const QString &source);
    void setRemarks(const QStringList &sentences); // about the files of metrics

Q_SIGNALS:
    void changed(); // by hand
    void pinnedChanged(const QStringList &names); // by hand

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void drawSamples(); // of the lines, in the colours of the theme
    void applyFilter();
    void fillNames();
    void shareHeight();
    void chooseFirst(const QList<qsizetype> &order, qsizetype pinned);
    void showNameMenu(const QPoint &at);

    QWidget *m_taskPart;
    QLabel *m_taskHead = nullptr;
    QTreeWidget *m_tasks = nullptr; // while the parts are made
    QTreeWidget *m_names;
    SearchField *m_filter;
    QLabel *m_remarks;
    QStringList m_allNames; // as they were given
    qsizetype m_ownNames = 0; // of these, the first ones
    QList<QTreeWidgetItem *> m_items; // of these
    QStringList m_values; // and no curves
    QStringList m_pinned;
    QSet<QString> m_chosenNames;
    bool m_namesChosen = false; // by hand
    bool m_setting = false;
};

} // namespace trainyard
