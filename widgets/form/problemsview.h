// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/problemsmodel.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QListView;
class QToolButton;
QT_END_NAMESPACE

namespace trainyard
{

// The list below the page, with its head: how many there are, and whether they stop Run. While the pointer is over the
// list its rows stay where they are: a second click means the row that was seen there.
class ProblemsView : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemsView(QWidget *parent = nullptr);
    void setProblems(const QList<Diagnostic> &diagnostics, const QByteArray &bytes, const QString &runNote);
    void setConversionWarns(bool on); // what came of it is listed above the document
    void setBeingChecked(bool on); // what is listed is of the text before; nothing: of none
    bool isBeingChecked() const { return m_isBeingChecked; }
    int errorCount() const { return m_errors; }
    int warningCount() const { return m_warnings; }
    void arrange(); // also below the pointer: the user types elsewhere
    void step(int by, qsizetype caret); // to the next or previous one from a place in the text, errors first
    QListView *list() const { return m_list; }
    ProblemsModel *model() const { return m_model; }
    int comfortableHeight() const; // for as many of them as are worth the room

Q_SIGNALS:
    void jumpRequested(const trainyard::ByteRange &range);
    void fixRequested(const trainyard::Fix &fix);
    void closeRequested();
    void comfortableHeightChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void show();
    void fitRows();
    void countBelow();
    QLabel *m_count;
    QLabel *m_note;
    QLabel *m_none;
    QListView *m_list;
    QLabel *m_below;
    bool m_hasRoomBelow = false; // that no whole row fits into, and words do
    QToolButton *m_filter;
    ProblemsModel *m_model;
    QList<ProblemsModel::Problem> m_all;
    int m_errors = 0;
    int m_warnings = 0;
    bool m_conversionWarns = false;
    bool m_isBeingChecked = false;
    bool m_isPointedAt = false; // the list, since the user has typed
    qsizetype m_steppedTo = -1; // a place in the text
};

} // namespace trainyard
