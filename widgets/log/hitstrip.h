// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

namespace trainyard
{

class LogHits;

// Where hits are in the whole log: a strip beside the scroll bar, whose thumb stays in sight.
class HitStrip : public QWidget
{
    Q_OBJECT
public:
    static constexpr int stripWidth = 8;

    HitStrip(const LogHits *hits, QWidget *parent);
    void setHits(qint64 lineCount, qint64 currentLine); // they have changed; -1: there is no current one

Q_SIGNALS:
    void lineChosen(qint64 line);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    const LogHits *m_hits;
    std::optional<QList<int>> m_rows; // with a mark, at the height below
    int m_rowsFor = 0;
    qint64 m_lineCount = 0;
    qint64 m_currentLine = -1;
};

} // namespace trainyard
