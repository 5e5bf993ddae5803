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
#include "widgets/form/secretmove.h"
#include "widgets/form/valuecelldelegate.h"
#include "widgets/form/valuepopup.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>

namespace trainyard
{
namespace
{

const QString dots = QString(12, QChar(0x2022));

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
    keepDraft(rows);
    const std::optional<Typed> moved = takeTyped(rows);
    const int count = int(rows.size()) + (m_draft ? 1 : 0);
    if (rows != m_rows || m_table->rowCount() != count) {
        const bool editing = m_table->findChild<QLineEdit *>() != nullptr && m_table->rowCount() == count;
        m_filling = true;
        if (m_table->rowCount() > count) {
            // An editor of a row that goes has nothing to give any more.
            const auto editors = m_table->viewport()->findChildren<QLineEdit *>();
            for (QLineEdit *editor : editors) {
                editor->removeEventFilter(m_table->itemDelegate());
                editor->removeEventFilter(m_table->itemDelegateForColumn(KeyColumn));
                editor->removeEventFilter(m_table->itemDelegateForColumn(ValueColumn));
            }
        }
        m_table->setRowCount(count);
        for (int row = 0; row < rows.size(); ++row) {
            if (row >= m_rows.size() || !(m_rows.at(row) == rows.at(row)) || !m_table->item(row, KeyColumn)
                || !editing) {
                fill(row, rows.at(row));
            }
        }
        m_rows = rows;
        m_filling = false;
        m_card->setVisible(count > 0);
        updateHeight();
        for (int row = 0; row < rows.size(); ++row) {
            if (m_table->cellWidget(row, ToolColumn)) {
                updateTools(row);
            }
        }
        makeTools();
    } else {
        m_card->setVisible(count > 0);
    }
    refreshNote();
    if (moved) {
        write(*moved);
    }
}

// A draft is the last row until its entry is in the document, where that is the last one. Otherwise, or if other
// entries are added or removed, it would be in one of their rows.
void ValuesTable::keepDraft(const QList<Row> &rows)
{
    if (m_draft && (m_draft->path != path() || rows.size() != m_rows.size())) {
        m_draft.reset();
    }
}

// The value in place of a map of names and values. A missing value counts as an empty map.
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
            ? tr("Tokens and passwords that commands use as <% $secrets.name %>; they are not stored, and masked in "
                 "logs.")
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
    fitNames();
}

// Names get a third, and what they need at most; what is said of a secret is longer than most names.
void ValuesTable::fitNames()
{
    constexpr int least = 90, leastOfSecrets = 120, most = 240;
    int wanted = most;
    if (m_kind == Kind::Secrets) {
        wanted = leastOfSecrets;
        for (const Row &row : std::as_const(m_rows)) {
            wanted = std::max(wanted, m_table->fontMetrics().horizontalAdvance(row.key) + 2 * metrics::space4);
        }
    }
    m_table->setColumnWidth(KeyColumn, std::clamp(width() / 3, least, std::min(wanted, most)));
}

void ValuesTable::updateHeight()
{
    const int rows = std::min(longest, m_table->rowCount());
    if (m_kind == Kind::Secrets) {
        fitNames();
    }
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * metrics::row + 2);
}

} // namespace trainyard
