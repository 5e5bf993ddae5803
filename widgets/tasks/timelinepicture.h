// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/timeline.h"

#include <QList>
#include <QRectF>

#include <optional>
#include <utility>

class QPainter;
class QWidget;

namespace trainyard
{

// Draws the part of a timeline that is in sight: a ruler, below it the attempts of the job, then a row for each task.
class TimelinePicture
{
public:
    static constexpr int rulerHeight = 24, attemptHeight = 28, rowsTop = rulerHeight + attemptHeight;
    static constexpr int rowHeight = 26, barHeight = 14, labelSpace = 12;

    struct Current { // the try that is shown elsewhere
        int attempt = -1, index = -1, number = -1;
        QString role = {};
    };
    // `labels` is the width of the column with the names. The values must live as long as this.
    TimelinePicture(const RunStory &story, const Timeline &timeline, const TimeScale &scale, const Current &current,
        int labels, qsizetype firstRow, const QWidget *widget)
        : m_story(story), m_timeline(timeline), m_scale(scale), m_current(current), m_labels(labels),
          m_firstRow(firstRow), m_widget(widget)
    {
    }
    void paint(QPainter *painter) const;
    // "Attempt 1  Exit status 7": an end is named as in all other places.
    static QString attemptWords(const TimelineAttempt &attempt);
    static QString gapWords(const TimeGap &gap); // "2 d 3:14 later"
    struct GapMark {
        QRectF place;
        QString words;
    };
    // The words in the ruler for the gaps in sight, by time. Where they would lie over each other, the longer gap has
    // them; the tool tip of a gap says them, too.
    QList<GapMark> gapMarks() const;

private:
    int rowTop(qsizetype row) const { return rowsTop + int(row - m_firstRow) * rowHeight; }
    QList<QRectF> paintGaps(QPainter *painter) const;
    std::optional<std::pair<double, double>> edgesOf(const TimeGap &gap) const; // nothing: it is out of sight
    void paintRuler(QPainter *painter, QList<QRectF> taken) const;
    void paintAttempts(QPainter *painter) const;
    void paintRow(QPainter *painter, qsizetype row) const;
    void paintPause(QPainter *painter, const QRectF &rect) const;
    // Returns the host that its bar names, if it does: `namedHost` is that of the last bar in sight which names one.
    QString paintRun(QPainter *painter, const TimelineBar &bar, const QRectF &rect, bool hasRoomForEnd,
        const QString &namedHost) const;

    const RunStory &m_story;
    const Timeline &m_timeline;
    const TimeScale &m_scale;
    const Current &m_current;
    int m_labels;
    qsizetype m_firstRow;
    const QWidget *m_widget;
};

} // namespace trainyard
