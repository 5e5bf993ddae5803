// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/valuecelldelegate.h"

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/valuestable.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int cellRestMs = 1000;
constexpr int nameInset = metrics::space3; // names stand under their title
} // namespace

ValueCellDelegate::ValueCellDelegate(ValuesTable *table, bool hidesValue)
    : QStyledItemDelegate(table), m_table(table), m_hides(hidesValue)
{
}

void ValueCellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isKey = index.column() == ValuesTable::KeyColumn;
    if (!isKey && m_edited != index) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem whole = option;
    initStyleOption(&whole, index);
    const QString text = whole.text;
    whole.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &whole, painter, option.widget);
    if (m_edited == index) {
        return;
    }
    const QRect area = option.rect.adjusted(nameInset, 0, -metrics::space1, 0);
    painter->setPen(colour(Colour::Text, option.widget));
    painter->setFont(option.font);
    painter->drawText(
        area, Qt::AlignVCenter | Qt::AlignLeft, option.fontMetrics.elidedText(text, Qt::ElideMiddle, area.width()));
}

QWidget *ValueCellDelegate::createEditor(
    QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QWidget *editor = QStyledItemDelegate::createEditor(parent, option, index);
    auto *line = qobject_cast<QLineEdit *>(editor);
    if (!line) {
        return editor;
    }
    line->setAutoFillBackground(true);
    if (index.column() == ValuesTable::KeyColumn) {
        constexpr int own = 2; // what a line edit keeps free by itself
        line->setTextMargins(nameInset - own, 0, 0, 0); // the name stays where it stands
        line->setPlaceholderText(ValuesTable::tr("name"));
    }
    m_edited = index;
    // Seldom a key comes so late that what stands in the cell would be lost with the window.
    auto *rest = new QTimer(line);
    rest->setSingleShot(true);
    rest->setInterval(cellRestMs);
    QObject::connect(rest, &QTimer::timeout, m_table, &ValuesTable::commitTyped);
    QObject::connect(line, &QLineEdit::textEdited, rest, qOverload<>(&QTimer::start));
    if (m_hides) {
        // Without showing it to the room.
        line->setEchoMode(QLineEdit::Password);
        line->setPlaceholderText(ValuesTable::tr("new value"));
    }
    return editor;
}

void ValueCellDelegate::destroyEditor(QWidget *editor, const QModelIndex &index) const
{
    m_edited = QPersistentModelIndex();
    QStyledItemDelegate::destroyEditor(editor, index);
    m_table->leaveCell();
}

void ValueCellDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    auto *line = qobject_cast<QLineEdit *>(editor);
    // Also called for each change of the cell: what is typed stays, and the cursor with it.
    if (!m_hides && !(line && line->property("filled").toBool())) {
        QStyledItemDelegate::setEditorData(editor, index);
        editor->setProperty("filled", true);
    }
}

bool ValueCellDelegate::eventFilter(QObject *object, QEvent *event)
{
    auto *editor = qobject_cast<QWidget *>(object);
    if (editor && event->type() == QEvent::KeyPress && m_edited.isValid()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        const bool isTab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
        const int column = m_edited.column();
        if (isTab || (isEnter && column == ValuesTable::KeyColumn)) {
            const int row = m_edited.row();
            Q_EMIT commitData(editor);
            Q_EMIT closeEditor(editor, NoHint);
            m_table->goOnFrom(row, column, key->key() != Qt::Key_Backtab);
            return true;
        }
    }
    return QStyledItemDelegate::eventFilter(object, event);
}

} // namespace trainyard
