// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/valuestable.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QToolButton>

namespace trainyard
{
namespace
{

enum Column { KeyColumn, ValueColumn, ToolColumn, ColumnCount };
constexpr int longest = 12; // rows shown before the table scrolls
const QString dots = QString(12, QChar(0x2022));

// Edits the value of a secret without showing it to the room.
class SecretDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QWidget *editor = QStyledItemDelegate::createEditor(parent, option, index);
        if (auto *line = qobject_cast<QLineEdit *>(editor)) {
            line->setEchoMode(QLineEdit::Password);
            line->setPlaceholderText(ValuesTable::tr("new value"));
        }
        return editor;
    }
    void setEditorData(QWidget *, const QModelIndex &) const override { }
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
    m_table->setObjectName(
        kind == Kind::Parameters ? QStringLiteral("parametersTable") : QStringLiteral("secretsTable"));
    m_table->setAccessibleName(kind == Kind::Parameters ? tr("Parameters") : tr("Secrets"));
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
    m_table->setColumnWidth(ToolColumn, kind == Kind::Secrets ? 64 : 36);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    if (kind == Kind::Secrets) {
        m_table->setItemDelegateForColumn(ValueColumn, new SecretDelegate(m_table));
    }
    column->addWidget(m_table);
    m_add = new QPushButton(
        icon(QStringLiteral("plus")), kind == Kind::Parameters ? tr("Add a parameter") : tr("Add a secret"));
    m_add->setObjectName(m_table->objectName() + QStringLiteral("Add"));
    m_add->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    column->addWidget(m_add);
    setControl(whole);
    setFocusProxy(m_table);
    m_table->installEventFilter(this);
    connect(m_add, &QPushButton::clicked, this, &ValuesTable::add);
    connect(m_table, &QTableWidget::cellChanged, this, &ValuesTable::handleEdited);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ValuesTable::openMenu);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < m_rows.size() && !m_filling && m_table->hasFocus()) {
            Q_EMIT this->context()->fieldFocused(this->path().child(m_rows.at(row).key));
        }
    });
}

QList<ValuesTable::Row> ValuesTable::documentRows() const
{
    QList<Row> rows;
    const QStringList keys = context()->keys(path());
    for (const QString &key : keys) {
        const YamlPath place = path().child(key);
        const auto source = context()->source(place);
        Row row{key, source.value_or(QString()), source.has_value()};
        if (!source) {
            const YamlNode *node = context()->node(place);
            if (node && node->kind == YamlNode::Kind::Scalar) {
                row.value = QString::fromUtf8(node->scalar).simplified();
            } else if (node && node->isMap()) {
                row.value = tr("map of %1").arg(node->entries.size());
            } else if (node) {
                row.value = tr("list of %1").arg(node->entries.size());
            }
        }
        if (m_kind == Kind::Secrets) {
            row.value = context()->text(place) == u"******" ? tr("asked for at Run") : dots;
        }
        rows.append(row);
    }
    return rows;
}

void ValuesTable::refresh()
{
    const QList<Row> rows = documentRows();
    const YamlNode *node = context()->node(path());
    const bool masked = m_kind == Kind::Secrets && node && node->kind == YamlNode::Kind::Scalar && !node->isNull();
    if (masked) {
        m_note->setText(tr("The secrets were taken out of this file. Run asks for those that commands need."));
    } else if (m_kind == Kind::Parameters) {
        m_note->setText(rows.isEmpty() ? tr("Values that commands use as <% $parameters.name %>.")
                                       : tr("Used as <% $parameters.name %>. Values are YAML: 0.1, [1, 2], \"text\"."));
    } else {
        m_note->setText(tr("Used as <% $secrets.name %>. Write \"******\" to be asked for the value at Run."));
    }
    m_add->setEnabled(!context()->isReadOnly() && !masked);
    if (rows != m_rows || m_table->rowCount() != rows.size()) {
        const bool editing = m_table->findChild<QLineEdit *>() != nullptr && m_table->rowCount() == rows.size();
        m_filling = true;
        m_table->setRowCount(int(rows.size()));
        for (int row = 0; row < rows.size(); ++row) {
            if (row >= m_rows.size() || !(m_rows.at(row) == rows.at(row)) || !m_table->item(row, KeyColumn)
                || !editing) {
                fill(row, rows.at(row));
            }
        }
        m_rows = rows;
        m_filling = false;
        m_table->setVisible(!rows.isEmpty());
        updateHeight();
    } else {
        m_table->setVisible(!rows.isEmpty());
    }
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
        ->setForeground(shown.simple && m_kind == Kind::Parameters ? QBrush() : QBrush(colour(Colour::Muted, this)));
    item(ValueColumn)->setToolTip(editable ? QString() : tr("It takes several lines: edit it in the YAML."));
    item(ToolColumn)->setFlags(Qt::ItemIsEnabled);
    if (!m_table->cellWidget(row, ToolColumn)) {
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
            button->setToolTip(tip);
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
        }
        auto *remove = tool(QStringLiteral("close"), tr("Remove"));
        remove->setObjectName(QStringLiteral("valueRemove"));
        connect(remove, &QToolButton::clicked, this, [this, row] { removeRow(row); });
        m_table->setCellWidget(row, ToolColumn, tools);
    }
    m_table->cellWidget(row, ToolColumn)->setEnabled(!readOnly);
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
    const auto restore = [this, row, before] {
        m_filling = true;
        fill(row, before);
        m_filling = false;
    };
    if (column == KeyColumn) {
        const QString key = text.trimmed();
        if (key == before.key || key.isEmpty() || context()->keys(path()).contains(key)) {
            restore();
            return;
        }
        context()->edit({edit::RenameKey{place, key}});
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
        context()->edit({edit::SetValue{place, text.trimmed().toUtf8()}});
    } else {
        context()->edit({edit::SetText{place, text}});
    }
}

void ValuesTable::add()
{
    const QStringList keys = context()->keys(path());
    const QString stem = m_kind == Kind::Parameters ? QStringLiteral("parameter") : QStringLiteral("secret");
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
    const bool last = m_rows.size() == 1;
    context()->edit({edit::Remove{last ? path() : path().child(m_rows.at(row).key)}});
}

void ValuesTable::selectKey(const QString &key)
{
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (m_table->item(row, KeyColumn)->text() == key) {
            m_table->setCurrentCell(row, ValueColumn);
        }
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
    menu->addAction(tr("Go to the line"), this, [this, key] { Q_EMIT context()->jumpRequested(path().child(key)); });
    if (!context()->isReadOnly()) {
        menu->addAction(tr("Rename"), this, [this, row] { m_table->editItem(m_table->item(row, KeyColumn)); });
        menu->addAction(icon(QStringLiteral("remove")), tr("Remove"), this, [this, row] { removeRow(row); });
        menu->addSeparator();
        menu->addAction(tr("Earlier"), this,
                [this, key, row] {
                    context()->edit({edit::Move{path().child(key), row - 1}});
                })
            ->setEnabled(row > 0);
        menu->addAction(tr("Later"), this,
                [this, key, row] {
                    context()->edit({edit::Move{path().child(key), row + 1}});
                })
            ->setEnabled(row + 1 < m_rows.size());
    }
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

bool ValuesTable::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
        removeRow(m_table->currentRow());
        return true;
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

void ValuesTable::updateHeight()
{
    const int rows = std::min(longest, m_table->rowCount());
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * metrics::row + 2);
}

} // namespace trainyard
