// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QListView;
class QToolButton;
QT_END_NAMESPACE

namespace trainyard
{

// The problems of one document, in the order of the text. Fed with a whole list each time.
class ProblemsModel : public QAbstractListModel
{
    Q_OBJECT
public:
    struct Problem {
        Diagnostic diagnostic;
        LineColumn position;
        QString text;
        QString category;
    };
    enum Role { ProblemRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    void setProblems(const QList<Problem> &problems);
    const Problem &at(int row) const { return m_problems.at(row); }

private:
    QList<Problem> m_problems;
};

// A row: shape of the severity, place, sentence, buttons of the fixes, category. Where the sentence has no room beside
// the buttons, they stand below it.
class ProblemDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit ProblemDelegate(QObject *parent = nullptr);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override;
    QList<QRect> fixRects(const QRect &row, const Diagnostic &diagnostic) const;
    bool isElided(const QRect &row, const ProblemsModel::Problem &problem) const; // the sentence

Q_SIGNALS:
    void fixRequested(const trainyard::Fix &fix);

private:
    static bool isTall(const QRect &row);
    static int textLeft(const QRect &row);
    int textRight(const QRect &row, const Diagnostic &diagnostic) const;
    QPersistentModelIndex m_hoverRow;
    int m_hoverFix = -1;
};

// The list below the page, with its head: how many there are, and whether they stop Run.
class ProblemsView : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemsView(QWidget *parent = nullptr);
    void setProblems(const QList<Diagnostic> &diagnostics, const QByteArray &bytes, const QString &runNote);
    void setConversionWarns(bool on); // what came of it is listed above the document
    int errorCount() const { return m_errors; }
    int warningCount() const { return m_warnings; }
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
    qsizetype m_steppedTo = -1; // a place in the text
};

QString problemCategory(const Diagnostic &diagnostic);

} // namespace trainyard

Q_DECLARE_METATYPE(const trainyard::ProblemsModel::Problem *)
