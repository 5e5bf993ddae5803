// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

class QWidget;

namespace trainyard
{

// Decides when a page asks again after changes: once for all that are noted within a moment, then not before a pause is
// over, and never while the page is not visible. A change that is noted meanwhile, or while an answer is on its way, is
// asked for afterwards, so that none is lost.
class RefreshPace : public QObject
{
    Q_OBJECT
public:
    struct Times {
        int soonMs = 200; // many tasks can change at once
        int pauseMs = 1000; // the least from one question to the next
        int minimizedMs = 10'000; // the same while the window is minimized
    };

    explicit RefreshPace(QWidget *page) : RefreshPace(page, Times()) { } // child of the page
    RefreshPace(QWidget *page, Times times);

    void noteChange() { noteChangeIn(m_times.soonMs); }
    void noteChangeIn(int ms); // one that nothing reports: it is looked for then
    void asked(); // with or without due(): the answer has all changes that were noted before
    void answered(); // once for each asked()

Q_SIGNALS:
    void due(); // call asked() in the slot

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void plan();
    void ask();

    QWidget *m_page;
    Times m_times;
    QTimer *m_timer = new QTimer(this);
    QElapsedTimer m_sinceAsked;
    std::optional<QDeadlineTimer> m_due; // set while there is a change to ask for
    int m_open = 0; // questions without an answer
};

} // namespace trainyard
