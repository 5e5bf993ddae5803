// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/problemsmodel.h"

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>

namespace trainyard
{

// A row: shape of the severity, place, sentence, buttons of the fixes, category. If the sentence does not fit beside
// the buttons, they are below it.
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

} // namespace trainyard
