// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/labels.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formops.h"
#include "widgets/form/secretmove.h"
#include "widgets/form/valuepopup.h"
#include "widgets/form/valuestable.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableWidget>

#include <algorithm>
#include <utility>

// Editing in the table of values, and the cell where typing continues.
namespace trainyard
{
namespace
{

// A value that begins like a list or a map of YAML is probably not meant as text.
bool beginsAsCollection(const QString &text)
{
    const QString trimmed = text.trimmed();
    return trimmed.startsWith(u'[') || trimmed.startsWith(u'{');
}

} // namespace

// After a name comes its value; after that the next row, or what stands below the table.
void ValuesTable::goOnFrom(int row, int column, bool forward)
{
    if (row == draftRow()) { // it goes on once it is in the document, if it has a name
        m_table->setFocus();
        m_goesOnWith = forward ? m_draft->sent : QString();
        if (forward && m_draft->sent.isEmpty()) {
            m_add->setFocus(Qt::TabFocusReason);
        }
        return;
    }
    const int nextRow = forward ? (column == ValueColumn ? row + 1 : row) : (column == KeyColumn ? row - 1 : row);
    const int nextColumn = column == KeyColumn ? ValueColumn : KeyColumn;
    if (nextRow < 0 || nextRow >= m_table->rowCount()) {
        m_table->setFocus();
        if (forward) {
            m_add->setFocus(Qt::TabFocusReason);
        }
        return;
    }
    m_table->setFocus();
    m_table->setCurrentCell(nextRow, nextColumn);
    QTableWidgetItem *item = m_table->item(nextRow, nextColumn);
    if (nextRow == row && item && (item->flags() & Qt::ItemIsEditable)) {
        m_table->editItem(item);
    }
}

QLineEdit *ValuesTable::editor() const
{
    const auto editors = m_table->viewport()->findChildren<QLineEdit *>(Qt::FindDirectChildrenOnly);
    for (QLineEdit *each : editors) {
        if (each->isVisible() && each->isModified()) {
            return each;
        }
    }
    return nullptr;
}

bool ValuesTable::isTyping() const { return editor() != nullptr; }

// Sets the text of the edited cell; the editor stays open.
void ValuesTable::commitPending()
{
    if (QLineEdit *line = editor(); line && m_table->currentRow() >= 0) {
        line->setModified(false);
        Q_EMIT m_table->itemDelegateForIndex(m_table->currentIndex())->commitData(line);
    }
}

// Rows that move below an open editor would give what is typed to another name: it is taken out of the editor, to be
// written to its own. A row that is only renamed stays where it is.
std::optional<ValuesTable::Typed> ValuesTable::takeTyped(const QList<Row> &rows)
{
    const auto editors = m_table->viewport()->findChildren<QLineEdit *>(Qt::FindDirectChildrenOnly);
    const int row = m_table->currentRow();
    if (editors.isEmpty() || row < 0 || row >= m_rows.size()) {
        return {};
    }
    const QString key = m_rows.at(row).key;
    const bool isRenamed = rows.size() == m_rows.size()
        && std::none_of(rows.cbegin(), rows.cend(), [&key](const Row &each) { return each.key == key; });
    if (rows.value(row).key == key || isRenamed) {
        return {};
    }
    QLineEdit *line = editors.constFirst();
    const std::optional<Typed> typed
        = line->isModified() ? std::optional(Typed{key, m_table->currentColumn(), line->text()}) : std::nullopt;
    line->setModified(false);
    Q_EMIT m_table->itemDelegateForIndex(m_table->currentIndex())->closeEditor(line, QStyledItemDelegate::NoHint);
    return typed;
}

void ValuesTable::write(const Typed &typed)
{
    const auto row
        = std::find_if(m_rows.cbegin(), m_rows.cend(), [&typed](const Row &each) { return each.key == typed.key; });
    if (row != m_rows.cend()) {
        m_table->setCurrentCell(int(row - m_rows.cbegin()), typed.column);
        m_table->currentItem()->setText(typed.text);
    }
}

// A secret is written once, when it is whole: each value would be one of a key ring too.
void ValuesTable::commitTyped()
{
    if (m_kind != Kind::Secrets) {
        commitPending();
    }
}

void ValuesTable::editValue(int row)
{
    if (row < 0 || row >= m_rows.size() || context()->isReadOnly()) {
        return;
    }
    auto *popup = new ValuePopup(context(), path().child(m_rows.at(row).key), this);
    popup->openAt(m_table->viewport(), m_table->visualItemRect(m_table->item(row, ValueColumn)));
    popup->setFocus();
}

void ValuesTable::paste()
{
    auto *popup = new PastePopup(context(), path(), this);
    popup->openBelow(m_paste);
    popup->setFocus();
}

void ValuesTable::showValue(int row, bool shown)
{
    if (row >= m_rows.size()) {
        return;
    }
    m_filling = true;
    const QString value = context()->text(path().child(m_rows.at(row).key)).value_or(QString());
    m_table->item(row, ValueColumn)->setText(shown ? value : m_rows.at(row).value);
    m_filling = false;
}

void ValuesTable::handleEdited(int row, int column)
{
    if (!m_filling && row == draftRow()) {
        nameDraft();
        return;
    }
    if (m_filling || row >= m_rows.size()) {
        return;
    }
    const QString text = m_table->item(row, column)->text();
    row = rowOfNow(row);
    if (row < 0) {
        return;
    }
    const Row before = m_rows.at(row);
    const YamlPath place = path().child(before.key);
    const auto restore = [this, row] { // the row may be another one by then
        if (row < m_rows.size()) {
            m_filling = true;
            fill(row, m_rows.at(row));
            m_filling = false;
        }
    };
    if (column == KeyColumn) {
        const QString key = text.trimmed();
        const bool isTaken = key != before.key && context()->keys(path()).contains(key);
        if (key == before.key || key.isEmpty() || isTaken) {
            restore();
            if (isTaken) {
                context()->tell({FormNotice::Kind::Waiting,
                    tr("There is a key '%1' already, so this one is still called '%2'.").arg(key, before.key)});
            }
            return;
        }
        const QList<edit::Op> ops
            = m_kind == Kind::Keys ? QList<edit::Op>{edit::RenameKey{place, key}} : renameOps(*context(), place, key);
        if (ops.isEmpty()) {
            restore();
        } else if (m_kind == Kind::Secrets) {
            m_move->follow(before.key, key);
        }
        context()->edit(ops);
        return;
    }
    if (text == before.value) {
        return;
    }
    if (m_kind == Kind::Secrets) {
        if (text.isEmpty()) {
            restore();
        } else {
            context()->edit({edit::SetText{place, text}});
            QMetaObject::invokeMethod(this, restore, Qt::QueuedConnection);
        }
        return;
    }
    // A value that is not valid YAML on one line is meant as text.
    const YamlDocument probe = YamlDocument::parse("[" + text.toUtf8() + "\n]");
    const bool oneValue = probe.isWellFormed() && probe.root() && probe.root()->isSequence()
        && probe.root()->entries.size() == 1 && !text.trimmed().startsWith(u'#')
        && (!probe.root()->entries.first().value->isMap() || text.trimmed().startsWith(u'{'));
    if (oneValue) {
        if (before.key == m_asTextKey) {
            m_asTextKey.clear(); // also where the same text stands in quotes now: that is what was meant
        }
        context()->edit(
            {edit::SetValue{place, text.trimmed().toUtf8()}}, [this](const Result<void> &) { refreshNote(); });
    } else {
        takeAsText(before.key, text);
    }
}

// Whether a value has changed, and whether a name is taken, depends on the present text. Edits that are still on their
// way into it may have renamed the row or moved it.
int ValuesTable::rowOfNow(int row)
{
    if (context()->isCurrent()) {
        return row;
    }
    const QString key = m_rows.at(row).key;
    const qsizetype count = m_rows.size();
    context()->catchUp();
    const auto found
        = std::find_if(m_rows.cbegin(), m_rows.cend(), [&key](const Row &each) { return each.key == key; });
    if (found != m_rows.cend()) {
        return int(found - m_rows.cbegin());
    }
    return m_rows.size() == count ? row : -1;
}

// A row that is not in the document before it has a name.
void ValuesTable::add()
{
    if (m_draft && !m_draft->sent.isEmpty()) { // its name is on the way into the document
        m_addsAnother = true;
        return;
    }
    if (!m_draft) {
        m_draft = Draft{path()};
        m_filling = true;
        const int row = draftRow();
        m_table->setRowCount(row + 1);
        fill(row, {});
        m_table->item(row, ValueColumn)->setFlags(Qt::ItemIsEnabled);
        m_filling = false;
        m_card->show();
        updateHeight();
    }
    m_table->setFocus();
    m_table->setCurrentCell(draftRow(), KeyColumn);
    m_table->scrollToItem(m_table->item(draftRow(), KeyColumn));
    m_table->editItem(m_table->item(draftRow(), KeyColumn));
}

QWidget *ValuesTable::end() const { return m_draft ? m_add : nullptr; }

void ValuesTable::nameDraft()
{
    const QString key = m_table->item(draftRow(), KeyColumn)->text().trimmed();
    if (key.isEmpty() || !m_draft->sent.isEmpty()) {
        return;
    }
    context()->catchUp(); // a name may have been added in the text a moment ago
    if (context()->keys(path()).contains(key)) {
        if (m_draft) {
            m_filling = true;
            m_table->item(draftRow(), KeyColumn)->setText(QString());
            m_filling = false;
        }
        context()->tell(
            {FormNotice::Kind::Waiting, tr("There is a key '%1' already, so no other one is added.").arg(key)});
        return;
    }
    if (m_draft) {
        m_draft->sent = key;
    }
    const QString value = m_kind == Kind::Secrets ? QStringLiteral("******") : QString();
    context()->edit({edit::SetText{path().child(key), value}}, [this, key](const Result<void> &result) {
        dropDraft();
        const bool goesOn = std::exchange(m_goesOnWith, QString()) == key && result; // a large text takes a while
        if (std::exchange(m_addsAnother, false)) {
            add();
        } else if (goesOn) {
            editKey(key);
        }
    });
}

// Drops a draft whose name was not typed, or that has become an entry of the document.
void ValuesTable::dropDraft()
{
    if (!m_draft) {
        return;
    }
    const bool hadFocus = m_table->hasFocus();
    m_draft.reset();
    refresh();
    if (hadFocus && m_rows.isEmpty()) {
        m_add->setFocus();
    }
}

// The editor of a cell has gone: a row without a name goes with it.
void ValuesTable::leaveCell()
{
    const auto drop = [this] {
        const QTableWidgetItem *name = m_draft ? m_table->item(draftRow(), KeyColumn) : nullptr;
        const bool isEdited = name && m_table->indexWidget(m_table->model()->index(draftRow(), KeyColumn));
        if (m_draft && m_draft->sent.isEmpty() && !isEdited && (!name || name->text().trimmed().isEmpty())) {
            dropDraft();
        }
    };
    QMetaObject::invokeMethod(this, drop, Qt::QueuedConnection);
}

void ValuesTable::removeRow(int row)
{
    if (row < 0 || row >= m_rows.size() || context()->isReadOnly()) {
        return;
    }
    context()->edit({edit::Remove{path().child(m_rows.at(row).key)}});
}

void ValuesTable::selectKey(const QString &key)
{
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (m_table->item(row, KeyColumn)->text() == key) {
            m_table->setCurrentCell(row, ValueColumn);
        }
    }
}

void ValuesTable::editKey(const QString &key)
{
    selectKey(key);
    const int row = m_table->currentRow();
    if (row < 0 || row >= m_rows.size() || m_rows.at(row).key != key || context()->isReadOnly()) {
        return;
    }
    m_table->setFocus();
    if (m_rows.at(row).simple) {
        m_table->editItem(m_table->item(row, ValueColumn));
    } else {
        editValue(row);
    }
}

void ValuesTable::takeAsText(const QString &key, const QString &text)
{
    const bool isSurprising = beginsAsCollection(text);
    if (isSurprising || key == m_asTextKey) {
        m_asTextKey = isSurprising ? key : QString();
        m_asTextValue = text;
    }
    // The fields are refreshed with the document, and it is said then; if nothing changes, at once.
    context()->edit({edit::SetText{path().child(key), text}}, [this](const Result<void> &) { refreshNote(); });
}

} // namespace trainyard
