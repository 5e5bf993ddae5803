// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/valuestable.h"

#include "engine/client/secretmemory.h"
#include "engine/client/secretvault.h"
#include "model/base/utf8.h"
#include "model/yaml/yamldiff.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formops.h"
#include "widgets/form/secretmove.h"
#include "widgets/form/valuepopup.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

namespace trainyard
{
namespace
{

enum Column { KeyColumn, ValueColumn, ToolColumn, ColumnCount };
constexpr int longest = 12; // rows shown before the table scrolls
constexpr int cellRestMs = 1000;
constexpr int nameInset = metrics::space3; // names stand under their title
const QString dots = QString(12, QChar(0x2022));

// What begins as a list or a map of YAML was hardly meant as text.
bool beginsAsCollection(const QString &text)
{
    const QString trimmed = text.trimmed();
    return trimmed.startsWith(u'[') || trimmed.startsWith(u'{');
}

// Why a text is not one value of YAML.
QString whyNotYaml(const QString &text)
{
    const YamlDocument alone = YamlDocument::parse(text.toUtf8());
    for (const Diagnostic &diagnostic : alone.diagnostics()) {
        if (diagnostic.severity == Severity::Error) {
            return diagnosticText(diagnostic);
        }
    }
    return ValuesTable::tr("Something follows where the list or map ends.");
}

// A cell that is edited shows nothing but its editor, and the typing goes on in the next cell by Tab or Enter.
class ValueCellDelegate : public QStyledItemDelegate
{
public:
    ValueCellDelegate(ValuesTable *table, bool hidesValue)
        : QStyledItemDelegate(table), m_table(table), m_hides(hidesValue)
    {
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool isKey = index.column() == KeyColumn;
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
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QWidget *editor = QStyledItemDelegate::createEditor(parent, option, index);
        auto *line = qobject_cast<QLineEdit *>(editor);
        if (!line) {
            return editor;
        }
        line->setAutoFillBackground(true);
        if (index.column() == KeyColumn) {
            constexpr int own = 2; // what a line edit keeps free by itself
            line->setTextMargins(nameInset - own, 0, 0, 0); // the name stays where it stands
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
    void destroyEditor(QWidget *editor, const QModelIndex &index) const override
    {
        m_edited = QPersistentModelIndex();
        QStyledItemDelegate::destroyEditor(editor, index);
    }
    void setEditorData(QWidget *editor, const QModelIndex &index) const override
    {
        auto *line = qobject_cast<QLineEdit *>(editor);
        // Also called for each change of the cell: what is typed stays, and the cursor with it.
        if (!m_hides && !(line && line->property("filled").toBool())) {
            QStyledItemDelegate::setEditorData(editor, index);
            editor->setProperty("filled", true);
        }
    }
    bool eventFilter(QObject *object, QEvent *event) override
    {
        auto *editor = qobject_cast<QWidget *>(object);
        if (editor && event->type() == QEvent::KeyPress && m_edited.isValid()) {
            const auto *key = static_cast<QKeyEvent *>(event);
            const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            const bool isTab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
            const int column = m_edited.column();
            if (isTab || (isEnter && column == KeyColumn)) {
                const int row = m_edited.row();
                Q_EMIT commitData(editor);
                Q_EMIT closeEditor(editor, NoHint);
                m_table->goOnFrom(row, column, key->key() != Qt::Key_Backtab);
                return true;
            }
        }
        return QStyledItemDelegate::eventFilter(object, event);
    }

private:
    ValuesTable *m_table;
    bool m_hides;
    mutable QPersistentModelIndex m_edited;
};

} // namespace

ValuesTable::ValuesTable(FormContext *context, const YamlPath &path, Kind kind, QWidget *parent)
    : FormField(context, path, parent), m_table(new QTableWidget(0, ColumnCount)), m_kind(kind)
{
    auto *whole = new QWidget;
    auto *column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    m_note = smallMutedLabel(QString());
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    m_asText = new ColourLabel(QString(), colourOf(Severity::Warning));
    m_asText->setObjectName(kind == Kind::Parameters ? QStringLiteral("parametersAsText") : QString());
    m_asText->setFont(fonts::small());
    m_asText->setTextFormat(Qt::PlainText);
    m_asText->setWordWrap(true);
    m_asText->hide();
    column->addWidget(m_asText);
    m_show = new QPushButton(tr("Show in YAML"));
    m_show->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_show->hide();
    column->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT this->context()->jumpRequested(this->path()); });
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Value"), QString()});
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setMinimumSectionSize(metrics::row);
    m_table->verticalHeader()->setDefaultSectionSize(metrics::row);
    m_table->horizontalHeader()->setSectionResizeMode(KeyColumn, QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(ValueColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(ToolColumn, QHeaderView::Fixed);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(KeyColumn, 200);
    m_table->setColumnWidth(ToolColumn, kind == Kind::Secrets ? 88 : 60);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setItemDelegateForColumn(KeyColumn, new ValueCellDelegate(this, false));
    m_table->setItemDelegateForColumn(ValueColumn, new ValueCellDelegate(this, kind == Kind::Secrets));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    if (kind == Kind::Secrets) {
        m_move = new SecretMove(context, path, this);
    }
    m_card = cardAround(m_table);
    column->addWidget(m_card);
    auto *buttons = new FlowLayout(metrics::space2);
    m_add = new QPushButton(icon(QStringLiteral("plus")), QString());
    m_paste = new QPushButton(tr("Paste…"));
    m_paste->setToolTip(tr("Add many at once: name=value lines, a JSON object, or YAML"));
    if (kind == Kind::Keys) { // not setVisible(): what is shown without a parent is a window
        m_paste->hide();
    }
    m_takeOut = new QPushButton(icon(QStringLiteral("lock")), tr("Move values to the keyring"));
    m_takeOut->setObjectName(kind == Kind::Secrets ? QStringLiteral("secretsTakeOut") : QString());
    m_takeOut->setToolTip(
        tr("Puts the values into this desktop's keyring and \"******\" in their place; Run finds them there"));
    m_takeOut->hide();
    m_forget = new QPushButton(tr("Forget"));
    m_forget->setObjectName(kind == Kind::Secrets ? QStringLiteral("secretsForget") : QString());
    m_forget->setToolTip(tr("Forgets the values that are remembered until Trainyard is closed; Run asks for them"));
    m_forget->hide();
    for (QPushButton *each : {m_add, m_paste, m_takeOut, m_forget}) {
        each->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        buttons->addWidget(each);
    }
    column->addLayout(buttons);
    switch (kind) {
    case Kind::Parameters:
        setNames(QStringLiteral("parametersTable"), tr("Parameters"), tr("Add a parameter"));
        break;
    case Kind::Secrets:
        setNames(QStringLiteral("secretsTable"), tr("Secrets"), tr("Add a secret"));
        break;
    case Kind::Keys:
        setNames(QStringLiteral("keysTable"), tr("Other keys"), tr("Add a key"));
        break;
    }
    setControl(whole);
    setFocusProxy(m_table);
    m_table->installEventFilter(this);
    scrollOnlyWithFocus(m_table);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { makeTools(); });
    connect(m_add, &QPushButton::clicked, this, &ValuesTable::add);
    connect(m_paste, &QPushButton::clicked, this, &ValuesTable::paste);
    connect(m_forget, &QPushButton::clicked, this, &ValuesTable::forget);
    connect(m_takeOut, &QPushButton::clicked, this, [this] {
        QStringList open;
        for (const Row &row : std::as_const(m_rows)) {
            if (row.open) {
                open.append(row.key);
            }
        }
        m_move->move(open, SecretMove::Purpose::Text);
    });
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int at) {
        if (at == ValueColumn && row < m_rows.size() && !m_rows.at(row).simple) {
            editValue(row);
        }
    });
    connect(m_table, &QTableWidget::cellChanged, this, &ValuesTable::handleEdited);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ValuesTable::openMenu);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < m_rows.size() && !m_filling && m_table->hasFocus()) {
            Q_EMIT this->context()->fieldFocused(this->path().child(m_rows.at(row).key));
        }
    });
}

void ValuesTable::setNames(const QString &objectName, const QString &title, const QString &addText)
{
    m_table->setObjectName(objectName);
    m_table->setAccessibleName(title);
    m_add->setText(addText);
    m_add->setObjectName(objectName + QStringLiteral("Add"));
    m_paste->setObjectName(objectName + QStringLiteral("Paste"));
    m_note->setObjectName(objectName + QStringLiteral("Note"));
    m_show->setObjectName(objectName + QStringLiteral("Show"));
}

void ValuesTable::setAddable(bool addable) { m_add->setVisible(addable); }

void ValuesTable::setNote(const QString &text)
{
    m_ownNote = text;
    refreshNote();
}

bool ValuesTable::covers(const YamlPath &place) const
{
    if (!FormField::covers(place)) {
        return false;
    }
    const auto *key = place.size() > path().size() ? std::get_if<QString>(&place.at(path().size())) : nullptr;
    return !key || !m_known.contains(*key);
}

QStringList ValuesTable::shownKeys() const
{
    // The root is a path too: without one there is nothing to show.
    QStringList keys = path().isEmpty() ? QStringList() : context()->keys(path());
    keys.removeIf([this](const QString &key) { return m_known.contains(key); });
    return keys;
}

QList<ValuesTable::Row> ValuesTable::documentRows() const
{
    QList<Row> rows;
    const QStringList keys = shownKeys();
    for (const QString &key : keys) {
        const YamlPath place = path().child(key);
        const auto source = context()->source(place);
        Row row{key, source.value_or(QString()), source.has_value(), false};
        if (!source) {
            const YamlNode *node = context()->node(place);
            if (node && node->kind == YamlNode::Kind::Scalar) {
                row.value = textFromUtf8(node->scalar).simplified();
            } else if (node && node->isMap()) {
                row.value = tr("map of %1").arg(node->entries.size());
            } else if (node) {
                row.value = tr("list of %1").arg(node->entries.size());
            }
        }
        if (m_kind == Kind::Secrets) {
            describeSecret(&row);
        }
        rows.append(row);
    }
    return rows;
}

void ValuesTable::describeSecret(Row *row) const
{
    const SecretMemory *memory = context()->secretMemory();
    const QString job = context()->text({QStringLiteral("name")}).value_or(QString());
    row->open = context()->text(path().child(row->key)) != u"******";
    row->remembered = !row->open && memory && memory->knows(job, row->key);
    row->value = row->open                                    ? dots
        : row->remembered                                     ? tr("remembered until Trainyard is closed")
        : context()->vault() && context()->vault()->isThere() ? tr("from the keyring, or asked for at Run")
                                                              : tr("asked for at Run");
}

void ValuesTable::forget()
{
    QStringList remembered;
    for (const Row &row : std::as_const(m_rows)) {
        if (row.remembered) {
            remembered.append(row.key);
        }
    }
    if (SecretMemory *memory = context()->secretMemory()) {
        memory->forget(context()->text({QStringLiteral("name")}).value_or(QString()), remembered);
    }
}

void ValuesTable::refresh()
{
    const QList<Row> rows = documentRows();
    // Not by what the button says of itself: it is off with the whole form too, while the text has errors.
    const bool canAdd = !context()->isReadOnly() && shape() == Shape::Map && !path().isEmpty();
    m_add->setEnabled(canAdd);
    m_paste->setEnabled(canAdd);
    const int open = int(std::count_if(rows.begin(), rows.end(), [](const Row &row) { return row.open; }));
    m_takeOut->setVisible(open > 0 && !context()->isReadOnly());
    m_forget->setVisible(std::any_of(rows.begin(), rows.end(), [](const Row &row) { return row.remembered; }));
    if (rows != m_rows || m_table->rowCount() != rows.size()) {
        const bool editing = m_table->findChild<QLineEdit *>() != nullptr && m_table->rowCount() == rows.size();
        m_filling = true;
        if (m_table->rowCount() > rows.size()) {
            // An editor of a row that goes has nothing to give any more.
            const auto editors = m_table->viewport()->findChildren<QLineEdit *>();
            for (QLineEdit *editor : editors) {
                editor->removeEventFilter(m_table->itemDelegate());
                editor->removeEventFilter(m_table->itemDelegateForColumn(KeyColumn));
                editor->removeEventFilter(m_table->itemDelegateForColumn(ValueColumn));
            }
        }
        m_table->setRowCount(int(rows.size()));
        for (int row = 0; row < rows.size(); ++row) {
            if (row >= m_rows.size() || !(m_rows.at(row) == rows.at(row)) || !m_table->item(row, KeyColumn)
                || !editing) {
                fill(row, rows.at(row));
            }
        }
        m_rows = rows;
        m_filling = false;
        m_card->setVisible(!rows.isEmpty());
        updateHeight();
        for (int row = 0; row < rows.size(); ++row) {
            if (m_table->cellWidget(row, ToolColumn)) {
                updateTools(row);
            }
        }
        makeTools();
    } else {
        m_card->setVisible(!rows.isEmpty());
    }
    refreshNote();
}

// What stands where a map of names and values belongs. Nothing at all is an empty one.
ValuesTable::Shape ValuesTable::shape() const
{
    const YamlNode *node = path().isEmpty() ? nullptr : context()->node(path());
    if (!node || node->isMap() || node->isNull()) {
        return Shape::Map;
    }
    if (node->kind != YamlNode::Kind::Scalar) {
        return Shape::List;
    }
    return m_kind == Kind::Secrets && node->scalar == "******" ? Shape::TakenOut : Shape::Value;
}

void ValuesTable::refreshNote()
{
    const Shape found = shape();
    const bool isWrong = found == Shape::List || found == Shape::Value;
    m_show->setVisible(isWrong);
    QString note;
    if (isWrong) {
        const QString *key = path().isEmpty() ? nullptr : std::get_if<QString>(&path().at(path().size() - 1));
        note = (found == Shape::List
                ? tr("'%1' is a list here. It must be a map, with a name and a value on each line, such as %2.")
                : tr("'%1' is a single value here. It must be a map, with a name and a value on each line, such "
                     "as %2."))
                   .arg(key ? *key : QString(),
                       m_kind == Kind::Secrets ? QStringLiteral("token: \"******\"") : QStringLiteral("lr: 0.1"));
    } else if (found == Shape::TakenOut) {
        note = tr("The secrets were removed from this file. Run asks for those that commands need.");
    } else if (m_kind == Kind::Parameters) {
        note = m_rows.isEmpty()
            ? tr("Values that commands use as <% $parameters.name %>, so that one job serves many runs.")
            : tr("Used as <% $parameters.name %>. Values are YAML: 0.1, [1, 2], \"text\".");
    } else if (m_kind == Kind::Secrets) {
        note = m_rows.isEmpty()
            ? tr("Tokens and passwords that commands use as <% $secrets.name %>; they are never shown or logged.")
            : tr("Used as <% $secrets.name %>. A value \"******\" comes from the keyring, or is asked for at Run.");
    } else {
        note = m_ownNote;
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    // As long as it stands in the document: after an undo or another value there is nothing to say.
    const bool isTold = !m_asTextKey.isEmpty() && !path().isEmpty()
        && context()->text(path().child(m_asTextKey)) == m_asTextValue && shownKeys().contains(m_asTextKey);
    m_asText->setText(isTold ? tr("The value of '%1' is taken as text, because it is not valid YAML. %2")
                                   .arg(m_asTextKey, whyNotYaml(m_asTextValue))
                             : QString());
    m_asText->setVisible(isTold);
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

void ValuesTable::fill(int row, const Row &shown)
{
    const auto item = [&](int column) {
        if (!m_table->item(row, column)) {
            m_table->setItem(row, column, new QTableWidgetItem);
        }
        return m_table->item(row, column);
    };
    const Qt::ItemFlags fixed = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    const bool readOnly = context()->isReadOnly();
    item(KeyColumn)->setText(shown.key);
    item(KeyColumn)->setFlags(readOnly ? fixed : fixed | Qt::ItemIsEditable);
    item(ValueColumn)->setText(shown.value);
    item(ValueColumn)->setFont(fonts::fixed());
    const bool editable = !readOnly && (shown.simple || m_kind == Kind::Secrets);
    item(ValueColumn)->setFlags(editable ? fixed | Qt::ItemIsEditable : fixed);
    item(ValueColumn)
        ->setForeground(shown.simple && m_kind != Kind::Secrets ? QBrush() : QBrush(colour(Colour::Muted, this)));
    item(ValueColumn)
        ->setToolTip(plainTip(editable ? (m_kind == Kind::Secrets ? QString() : shown.value)
                                       : tr("It has several lines. Enter or the button with the pen opens it.")));
    item(KeyColumn)->setToolTip(plainTip(shown.key));
    item(ToolColumn)->setFlags(Qt::ItemIsEnabled);
}

// Buttons are made for rows that are seen: there may be thousands.
void ValuesTable::makeTools()
{
    const int first = std::max(0, m_table->rowAt(0));
    for (int row = first; row < std::min(first + longest + 2, int(m_rows.size())); ++row) {
        if (!m_table->cellWidget(row, ToolColumn)) {
            makeTools(row);
            updateTools(row);
        }
    }
}

void ValuesTable::makeTools(int row)
{
    auto *tools = new QWidget;
    auto *line = new QHBoxLayout(tools);
    line->setContentsMargins(0, 0, metrics::space1, 0);
    line->setSpacing(0);
    line->addStretch(1);
    const auto tool = [&](const QString &name, const QString &tip) {
        auto *button = new QToolButton;
        button->setIcon(icon(name, Colour::Muted));
        button->setIconSize({metrics::smallIcon, metrics::smallIcon});
        button->setFixedSize(metrics::row - 4, metrics::row - 4);
        button->setAutoRaise(true);
        button->setToolTip(plainTip(tip));
        button->setAccessibleName(tip);
        button->setFocusPolicy(Qt::NoFocus);
        line->addWidget(button);
        return button;
    };
    if (m_kind == Kind::Secrets) {
        auto *eye = tool(QStringLiteral("eye"), tr("Hold to show"));
        eye->setObjectName(QStringLiteral("secretReveal"));
        connect(eye, &QToolButton::pressed, this, [this, row] { showValue(row, true); });
        connect(eye, &QToolButton::released, this, [this, row] { showValue(row, false); });
        auto *lock
            = tool(QStringLiteral("lock"), tr("Move the value from the file to the keyring; Run finds it there"));
        lock->setObjectName(QStringLiteral("secretLock"));
        connect(lock, &QToolButton::clicked, this, [this, row] {
            if (row < m_rows.size()) {
                m_move->move({m_rows.at(row).key}, SecretMove::Purpose::Text);
            }
        });
    } else {
        auto *pen = tool(QStringLiteral("edit"), tr("Edit in a panel"));
        pen->setObjectName(QStringLiteral("valueEdit"));
        connect(pen, &QToolButton::clicked, this, [this, row] { editValue(row); });
    }
    auto *remove = tool(QStringLiteral("close"), tr("Remove"));
    remove->setObjectName(QStringLiteral("valueRemove"));
    connect(remove, &QToolButton::clicked, this, [this, row] { removeRow(row); });
    m_table->setCellWidget(row, ToolColumn, tools);
}

void ValuesTable::updateTools(int row)
{
    QWidget *tools = m_table->cellWidget(row, ToolColumn);
    tools->setEnabled(!context()->isReadOnly());
    if (auto *lock = tools->findChild<QToolButton *>(QStringLiteral("secretLock"))) {
        lock->setVisible(m_rows.at(row).open);
        tools->findChild<QToolButton *>(QStringLiteral("secretReveal"))->setVisible(m_rows.at(row).open);
    }
}

// After a name comes its value; after that the next row, or what stands below the table.
void ValuesTable::goOnFrom(int row, int column, bool forward)
{
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

// What stands in the cell that is edited; the editor stays.
void ValuesTable::commitPending()
{
    if (QLineEdit *line = editor(); line && m_table->currentRow() >= 0) {
        line->setModified(false);
        Q_EMIT m_table->itemDelegateForIndex(m_table->currentIndex())->commitData(line);
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
    if (m_filling || row >= m_rows.size()) {
        return;
    }
    const Row before = m_rows.at(row);
    const QString text = m_table->item(row, column)->text();
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
    // What is no YAML value on one line is meant as text.
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

void ValuesTable::add()
{
    const QStringList keys = context()->keys(path());
    const QString stem = m_kind == Kind::Parameters ? QStringLiteral("parameter")
        : m_kind == Kind::Secrets                   ? QStringLiteral("secret")
                                                    : QStringLiteral("key");
    QString key = stem;
    for (int n = 2; keys.contains(key); ++n) {
        key = stem + QString::number(n);
    }
    const YamlPath place = path().child(key);
    const auto done = [this, key](const Result<void> &result) {
        if (!result) {
            return;
        }
        selectKey(key);
        for (int row = 0; row < m_table->rowCount(); ++row) {
            if (m_table->item(row, KeyColumn)->text() == key) {
                m_table->setFocus();
                m_table->editItem(m_table->item(row, KeyColumn));
            }
        }
    };
    if (m_kind == Kind::Secrets) {
        context()->edit({edit::SetText{place, QStringLiteral("******")}}, done);
    } else {
        context()->edit({edit::SetText{place, QString()}}, done);
    }
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

void ValuesTable::openMenu(const QPoint &position)
{
    const int row = m_table->rowAt(position.y());
    if (row < 0 || row >= m_rows.size()) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString key = m_rows.at(row).key;
    const auto placeOf = [this](int other) { return context()->keys(path()).indexOf(m_rows.at(other).key); };
    menu->addAction(tr("Go to the line"), this, [this, key] { Q_EMIT context()->jumpRequested(path().child(key)); });
    if (!context()->isReadOnly()) {
        menu->addAction(tr("Rename"), this, [this, row] { m_table->editItem(m_table->item(row, KeyColumn)); });
        if (m_kind != Kind::Secrets) {
            menu->addAction(tr("Edit in a panel"), this, [this, row] { editValue(row); });
        }
        menu->addAction(icon(QStringLiteral("remove")), tr("Remove"), this, [this, row] { removeRow(row); });
        menu->addSeparator();
        menu->addAction(tr("Earlier"), this,
                [this, key, row, placeOf] {
                    context()->edit({edit::Move{path().child(key), placeOf(row - 1)}});
                })
            ->setEnabled(row > 0);
        menu->addAction(tr("Later"), this,
                [this, key, row, placeOf] {
                    context()->edit({edit::Move{path().child(key), placeOf(row + 1)}});
                })
            ->setEnabled(row + 1 < m_rows.size());
    }
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

bool ValuesTable::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Delete) {
            removeRow(m_table->currentRow());
            return true;
        }
        if (key->key() == Qt::Key_Tab && m_table->currentColumn() == KeyColumn && m_table->currentRow() >= 0) {
            goOnFrom(m_table->currentRow(), KeyColumn, true);
            return true;
        }
        if (key->matches(QKeySequence::Paste) && !context()->isReadOnly()) {
            // Entries of any spelling, at once; any other text would be no entry.
            addEntries(context(), path(), parseEntries(QApplication::clipboard()->text()));
            return true;
        }
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_F2)
            && m_table->currentRow() >= 0 && m_table->currentColumn() == ValueColumn
            && m_table->currentRow() < m_rows.size() && !m_rows.at(m_table->currentRow()).simple
            && m_kind != Kind::Secrets) {
            editValue(m_table->currentRow());
            return true;
        }
    }
    return FormField::eventFilter(watched, event);
}

void ValuesTable::changeEvent(QEvent *event)
{
    FormField::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_table) {
        m_filling = true;
        for (int row = 0; row < m_rows.size() && row < m_table->rowCount(); ++row) {
            fill(row, m_rows.at(row));
        }
        m_filling = false;
    }
}

void ValuesTable::resizeEvent(QResizeEvent *event)
{
    FormField::resizeEvent(event);
    // Names get a third, and what they need at most.
    m_table->setColumnWidth(KeyColumn, std::clamp(width() / 3, 90, 240));
}

void ValuesTable::updateHeight()
{
    const int rows = std::min(longest, m_table->rowCount());
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * metrics::row + 2);
}

} // namespace trainyard
