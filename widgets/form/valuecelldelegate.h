// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>

namespace trainyard
{

class ValuesTable;

// A cell that is edited shows nothing but its editor, and the typing goes on in the next cell by Tab or Enter.
class ValueCellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    ValueCellDelegate(ValuesTable *table, bool hidesValue);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void destroyEditor(QWidget *editor, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    ValuesTable *m_table;
    bool m_hides;
    mutable QPersistentModelIndex m_edited;
};

} // namespace trainyard
