// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/shrinkingrow.h"
#include "widgets/plot/curveline.h"

class QCheckBox;
class QMenu;
class QSlider;

namespace trainyard
{

class SegmentedControl;

// How the curves of a page are drawn: axis, smoothing, scale, and whether several tasks are one line. What has no room
// is in the menu at the end.
class CurveControls : public ShrinkingRow
{
    Q_OBJECT
public:
    enum class Form { Wide, Narrow }; // narrow: with few words
    explicit CurveControls(Form form = Form::Wide, QWidget *parent = nullptr);
    struct Offer {
        bool hasMetrics = false; // without them there are no steps
        bool hasEpochs = false;
        bool hasTimes = true; // without them there is no axis of time
        int tasks = 0, chosenTasks = 0;
    };
    void setOffer(const Offer &offer);
    CurveAlong along() const;
    double smoothing() const; // CurveLook
    bool isLog() const;
    bool isFolded() const; // several tasks are one line with a band

Q_SIGNALS:
    void lookChanged();
    void foldChanged();

private:
    void makeOverflow();
    void fillOverflow(QMenu *menu);
    SegmentedControl *m_along;
    QSlider *m_smooth;
    QCheckBox *m_log;
    QCheckBox *m_fold;
    Offer m_offer;
    bool m_isTimeAwaited = false; // the user chose its axis, which cannot be offered at present
};

} // namespace trainyard
