// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/statepainter.h"
#include "widgets/tasks/failureoffers.h"

#include <QWidget>

#include <optional>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QScrollArea;

namespace trainyard
{

class LogExcerpt;

// Shape and word of a state.
class StateLabel : public QWidget
{
    Q_OBJECT
public:
    explicit StateLabel(QWidget *parent = nullptr);
    void setShape(StateShape shape, const QString &words = {}); // instead of those that the state has
    static constexpr int mostUsual = 344; // names of hosts may be long
    void setMostWidth(int width); // what of its words is cut, its tip has
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void elide();
    StateShape m_shape = StateShape::Waiting;
    QString m_all, m_words;
    int m_most = mostUsual;
};

// Why a job failed: the cause in one sentence, what kind of end it was, what the task wrote of it, and what to do. What
// is said may be scrolled; what to do stays in sight.
class FailurePanel : public QWidget
{
    Q_OBJECT
public:
    explicit FailurePanel(QWidget *parent = nullptr);
    // `mayGoWell`: a retry may help, and is offered first unless a change may help; otherwise a change is necessary.
    // The advice is separate, below the explanation, which may have several lines.
    void setFailure(
        const QString &cause, const QString &explanation, bool mayGoWell = true, const QString &advice = {});
    void setTransient(bool on); // a retry is likely to help: it is offered before any change
    void setFault(FailureText::Fault fault); // what is to be put right: that is offered first
    using Document = FailureOffers::Document;
    void setDocument(Document document);
    // Changes of the job that may help, the best first; of many, the first ones are offered.
    void setChanges(const QList<JobChange> &changes);
    // The failed tasks can be run again, which is then offered first; the others, if any, keep their results.
    void setRetry(bool on, bool isPart = true);
    // The lines around the one that says why (`root`), or the last ones, of the task that ended the job; empty: none.
    // If they are incomplete, more of its output may arrive.
    void setEvidence(const QString &task, qint64 firstLine, const QStringList &lines,
        std::optional<qint64> root = std::nullopt, bool isWhole = true);
    void setCodeLinks(bool on); // the code is on this computer
    void setCode(const QString &file, int line); // where in it the failure was, which can be opened; empty: nowhere
    // As high as what it says, but not higher than this: the rest is scrolled to.
    void setMostHeight(int height);
    // In a page of this width, with which the whole cause is read, and the first line of what it means, above what to
    // do.
    int leastHeight(int width) const;

Q_SIGNALS:
    void jobClicked(qint64 number); // that the explanation names
    void runAgainRequested();
    void retryRequested();
    void editRequested();
    void documentRequested(bool toPlace); // to say where its files are
    void changeRequested(const trainyard::JobChange &change); // after a look at it
    void lineRequested(qint64 line); // from 0
    void codeRequested(const QString &file, int line); // that a line names, or setCode()

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fitHeight();
    bool isNarrow(int room) const;
    int roomForSaid(int room, bool isBelow) const;
    int heightOfSaid(int room); // after its words have been fitted to it
    void fitWords(int room);
    void updateTip(bool isCut);
    QScrollArea *m_scroll;
    QWidget *m_content;
    int m_mostHeight = QWIDGETSIZE_MAX;
    QBoxLayout *m_parts; // what happened, and what to do: beside or below each other
    QHBoxLayout *m_said;
    QWidget *m_between; // beside each other
    QWidget *m_above; // what to do, which stays while what happened is scrolled
    FailureOffers *m_offers;
    QLabel *m_cause;
    QLabel *m_explanation;
    QLabel *m_advice;
    QString m_causeText, m_explanationText, m_adviceText; // as they were given
    QLabel *m_evidenceTitle;
    LogExcerpt *m_evidence;
};

} // namespace trainyard
