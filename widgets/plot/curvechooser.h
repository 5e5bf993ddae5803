// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

#include <QSet>

class QTreeWidget;

namespace trainyard
{

class SearchField;

// The tasks and metrics of a run to choose from, with the look of each task's line and the last value of each. Of tasks
// the first eight are chosen at first, of metrics the first three.
class CurveChooser : public Ground
{
    Q_OBJECT
public:
    explicit CurveChooser(QWidget *parent = nullptr);
    void setTasks(const QStringList &tasks); // those of the same name keep their mark
    bool setNames(const QStringList &names); // whether they have changed
    QList<int> tasks() const; // those chosen, by their places
    QStringList names() const; // those chosen, in the order of the list
    void setTaskValue(int task, const QString &value);
    void setNameValue(int name, const QString &value, const QString &source); // of a file, else empty

Q_SIGNALS:
    void changed(); // by hand

private:
    void applyFilter();

    QWidget *m_taskPart;
    QTreeWidget *m_tasks;
    QTreeWidget *m_names;
    SearchField *m_filter;
    QSet<QString> m_chosenNames;
    bool m_namesChosen = false; // by hand
    bool m_setting = false;
};

} // namespace trainyard
