// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compareruns.h"

#include <QComboBox>

class QFontMetrics;

namespace trainyard
{

// How a run of a comparison is named where there may be little room.
struct RunCaption {
    QString name; // empty where all runs have the same
    QString number; // "#41"; empty of a run of another program
    QString detail; // the parameters that distinguish it from the others

    QString text() const; // "net #41: lr 0.1"
    // The same in so many pixels: name and detail are elided in the middle, each to its share, and the number never.
    QString fitted(const QFontMetrics &letters, int width) const;
    friend bool operator==(const RunCaption &, const RunCaption &) = default;
};
RunCaption captionOf(const CompareRuns &runs, qsizetype run);

// A field that chooses a run of a comparison. It is as wide as its captions ask for, as far as there is room.
class RunPick : public QComboBox
{
    Q_OBJECT
public:
    explicit RunPick(QWidget *parent = nullptr);
    // The data of each is the UUID of its run. Keeps the one that is chosen.
    void setRuns(const CompareRuns &runs);
    QString shownText() const; // what can be read of the chosen one

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QList<RunCaption> m_captions;
    QList<int> m_looks; // of the runs; -1: not drawn
};

} // namespace trainyard
