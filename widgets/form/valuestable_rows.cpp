// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/secretmove.h"
#include "widgets/form/valuestable.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QMenu>
#include <QTableWidget>
#include <QToolButton>
#include <QToolTip>

#include <memory>

// A row of the table of values: its cells, the buttons in it, and its menu.
namespace trainyard
{

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
        // After a short click the value is visible too briefly to see that the button can be held.
        const auto held = std::make_shared<QElapsedTimer>();
        connect(eye, &QToolButton::pressed, eye, [held] { held->start(); });
        connect(eye, &QToolButton::clicked, eye, [eye, held] {
            if (!held->hasExpired(QApplication::doubleClickInterval())) {
                QToolTip::showText(eye->mapToGlobal(eye->rect().center()), eye->toolTip(), eye);
            }
        });
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

} // namespace trainyard
