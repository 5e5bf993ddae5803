// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTreeWidget;

namespace trainyard
{

class CurvesView;
class InfoBar;
class PageHead;
class SegmentedControl;

// A run that another program has recorded: its curves, and what is known of it. It is read-only.
class ForeignPage : public QWidget
{
    Q_OBJECT
public:
    explicit ForeignPage(QWidget *parent = nullptr);

    using Facts = QList<QPair<QString, QString>>; // names with values, in the order in which they are shown
    // `remarks` are sentences about what could not be read.
    void setRun(const JobSummary &summary, const TaskInfo &task, const Facts &facts, const QStringList &remarks);
    const JobSummary &summary() const { return m_summary; }
    CurvesView *curves() const { return m_curves; }
    void setMissing(const QString &sentence); // why it cannot be shown
    void focusContent(); // the keys are for what is shown

Q_SIGNALS:
    void forgetRequested(); // out of the list

private:
    void fitNames();
    void fillFacts(const Facts &facts);

    JobSummary m_summary;
    PageHead *m_head;
    SegmentedControl *m_parts;
    InfoBar *m_remarks;
    QStackedWidget *m_stack;
    CurvesView *m_curves;
    QTreeWidget *m_facts;
    QLabel *m_source;
};

} // namespace trainyard
