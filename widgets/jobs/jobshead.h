// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace trainyard
{

// The head of the list of jobs: how many there are, a switch for those with a star, and a menu. Its switches are
// conditions of the filter, so that the filter's text alone says what is shown.
class JobsHead : public QWidget
{
    Q_OBJECT
public:
    explicit JobsHead(QWidget *parent = nullptr);
    void setCount(const QString &text);
    void follow(const QString &filter); // its text

Q_SIGNALS:
    void conditionSwitched(const QString &condition, bool on);
    void allJobsRequested(); // as a table

private:
    QLabel *m_count;
    QToolButton *m_star;
    QAction *m_archived;
};

} // namespace trainyard
