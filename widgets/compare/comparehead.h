// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/compare/compareruns.h"

#include <QHash>

class QAction;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QToolButton;

namespace trainyard
{

class ProgressBar;

// The head of a comparison: what is compared, how many runs are in which state, how far they are, and what can be done.
class CompareHead : public Ground
{
    Q_OBJECT
public:
    explicit CompareHead(CompareRuns *runs);
    void setHeading(const QString &text);
    QString heading() const { return m_heading->text(); }
    QList<QAction *> pageActions() const; // what the buttons do, of those that are there now
    QList<QAction *> exportActions() const; // what the menu does

Q_SIGNALS:
    void stopRestRequested(); // of the active runs those that are not drawn
    void bestAsNewRequested();
    void seedsRequested();
    void addRequested();
    void csvRequested();
    void htmlRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QPushButton *addButton(const char *name, const QString &iconName, const QString &text, const QString &tip);
    void update();
    void fit();

    CompareRuns *m_runs;
    ElidedLabel *m_heading;
    QWidget *m_counts; // a mark and a number for each state
    ProgressBar *m_bar;
    QLabel *m_left;
    QHash<const QPushButton *, QAction *> m_actions;
    QPushButton *m_add;
    QPushButton *m_stop;
    QPushButton *m_seeds;
    QPushButton *m_new;
    QToolButton *m_more;
    QMenu *m_exports;
    bool m_isActive = false; // a run is
};

} // namespace trainyard
