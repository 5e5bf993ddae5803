// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/entrylist.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/tokens.h"

#include <QBoxLayout>
#include <QDropEvent>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>

namespace trainyard
{
namespace
{

constexpr int shownRows = 6;
enum Role { DetailRole = Qt::UserRole, WorstRole };

// Icon, name, and behind it in muted small text what it is about.
class EntryDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {60, metrics::row}; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem whole = option;
        initStyleOption(&whole, index);
        const QString text = whole.text;
        whole.text.clear();
        whole.state &= ~QStyle::State_HasFocus; // the bar of the chosen row says it
        const QWidget *widget = option.widget;
        widget->style()->drawControl(QStyle::CE_ItemViewItem, &whole, painter, widget);
        QRect area = option.rect.adjusted(metrics::space2 + metrics::rowIcon + metrics::space2, 0, -metrics::space2, 0);
        const auto worst = Severity(index.data(WorstRole).toInt());
        if (worst != Severity::Note) {
            const int side = metrics::smallIcon;
            paintIcon(painter, iconOf(worst), QRectF(area.right() - side, area.center().y() - side / 2.0, side, side),
                colour(colourOf(worst), widget));
            area.setRight(area.right() - side - metrics::space2);
        }
        painter->save();
        painter->setFont(option.font);
        painter->setPen(colour(Colour::Text, widget));
        const QString name = option.fontMetrics.elidedText(text, Qt::ElideMiddle, area.width());
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft, name);
        area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(name) + metrics::space3);
        if (const QString detail = index.data(DetailRole).toString(); !detail.isEmpty() && area.width() > 40) {
            painter->setFont(fonts::small());
            painter->setPen(colour(Colour::Muted, widget));
            painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft,
                QFontMetrics(fonts::small()).elidedText(detail, Qt::ElideMiddle, area.width()));
        }
        painter->restore();
    }
};

} // namespace

class EntryList::List : public QListWidget
{
public:
    explicit List(EntryList *owner) : m_owner(owner)
    {
        setDragDropMode(QAbstractItemView::InternalMove);
        setDefaultDropAction(Qt::MoveAction);
    }

protected:
    void dropEvent(QDropEvent *event) override
    {
        const int from = currentRow();
        int to = indexAt(event->position().toPoint()).row();
        switch (dropIndicatorPosition()) {
        case QAbstractItemView::BelowItem:
            ++to;
            break;
        case QAbstractItemView::OnViewport:
            to = count();
            break;
        case QAbstractItemView::AboveItem:
        case QAbstractItemView::OnItem:
            break;
        }
        to = to > from ? to - 1 : to;
        // The document moves it; the list shows what the document then has.
        event->setDropAction(Qt::IgnoreAction);
        event->accept();
        setState(QAbstractItemView::NoState);
        stopAutoScroll();
        viewport()->update();
        if (from >= 0 && to >= 0 && to != from && event->source() == this) {
            QMetaObject::invokeMethod(
                m_owner, [owner = m_owner, from, to] { Q_EMIT owner->moveRequested(from, to); }, Qt::QueuedConnection);
        }
    }

private:
    EntryList *m_owner;
};

EntryList::EntryList(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent), m_list(new List(this)), m_addMenu(new QMenu(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(metrics::space2);
    m_empty = smallMutedLabel(QString());
    m_empty->setWordWrap(true);
    column->addWidget(m_empty);
    m_list->setObjectName(name + QStringLiteral("List"));
    m_list->setAccessibleName(title);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setIconSize({metrics::rowIcon, metrics::rowIcon});
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setToolTip(tr("Drag an entry, or Alt+Up and Alt+Down, to change the order"));
    m_list->installEventFilter(this);
    scrollOnlyWithFocus(m_list);
    m_card = cardAround(m_list);
    m_card->hide();
    column->addWidget(m_card);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::space2);
    m_add = new QPushButton(icon(QStringLiteral("plus")), tr("Add"));
    m_add->setObjectName(name + QStringLiteral("Add"));
    m_add->setAccessibleName(tr("Add to %1").arg(title));
    m_add->setMenu(m_addMenu);
    const auto button = [&](const char *iconName, const QString &tip, const char *objectName) {
        auto *made = new QPushButton(icon(QLatin1String(iconName)), QString());
        made->setToolTip(plainTip(tip));
        made->setAccessibleName(tip);
        made->setObjectName(name + QLatin1String(objectName));
        made->setFixedWidth(metrics::field);
        return made;
    };
    m_duplicate = button("copy", tr("Duplicate"), "Duplicate");
    m_up = button("arrow-up", tr("Earlier"), "Up");
    m_down = button("arrow-down", tr("Later"), "Down");
    m_remove = button("remove", tr("Remove"), "Remove");
    for (QPushButton *each : {m_add, m_duplicate, m_up, m_down, m_remove}) {
        buttons->addWidget(each);
    }
    buttons->addStretch(1);
    column->addLayout(buttons);

    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        updateButtons();
        if (!m_filling) {
            Q_EMIT currentChanged(row);
        }
    });
    connect(m_duplicate, &QPushButton::clicked, this, [this] { Q_EMIT duplicateRequested(current()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(current()); });
    connect(m_up, &QPushButton::clicked, this, [this] { Q_EMIT moveRequested(current(), current() - 1); });
    connect(m_down, &QPushButton::clicked, this, [this] { Q_EMIT moveRequested(current(), current() + 1); });
    updateButtons();
}

void EntryList::setEmptyText(const QString &text) { m_empty->setText(text); }

void EntryList::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_list->setDragEnabled(!readOnly);
    updateButtons();
}

int EntryList::current() const { return m_list->currentRow(); }

void EntryList::setCurrent(int row)
{
    m_wanted = -1;
    if (row >= 0 && row < m_list->count()) {
        m_list->setCurrentRow(row);
    } else {
        m_wanted = row;
    }
}

bool EntryList::hasListFocus() const { return m_list->hasFocus(); }

void EntryList::setEntries(const QList<Entry> &entries)
{
    if (entries == m_entries && m_list->count() == entries.size()) {
        return;
    }
    m_filling = true;
    m_entries = entries;
    const int row = m_wanted >= 0 && m_wanted < entries.size() ? m_wanted : m_list->currentRow();
    m_wanted = row == m_wanted ? -1 : m_wanted;
    while (m_list->count() > entries.size()) {
        delete m_list->takeItem(m_list->count() - 1);
    }
    for (int i = 0; i < entries.size(); ++i) {
        if (i >= m_list->count()) {
            m_list->addItem(QString());
        }
        const Entry &entry = entries.at(i);
        QListWidgetItem *item = m_list->item(i);
        item->setText(entry.text);
        item->setIcon(icon(entry.icon));
        item->setData(DetailRole, entry.detail);
        item->setData(WorstRole, int(entry.worst));
        item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled);
        item->setData(Qt::AccessibleDescriptionRole, entry.detail);
    }
    m_list->setCurrentRow(entries.isEmpty() ? -1 : std::clamp(row, 0, int(entries.size()) - 1));
    m_list->setFixedHeight(std::clamp(int(entries.size()), 1, shownRows) * metrics::row + 2);
    m_card->setVisible(!entries.isEmpty());
    m_empty->setVisible(entries.isEmpty() && !m_empty->text().isEmpty());
    m_filling = false;
    updateButtons();
}

void EntryList::updateButtons()
{
    const bool any = current() >= 0 && !m_readOnly;
    m_add->setEnabled(!m_readOnly);
    m_duplicate->setEnabled(any);
    m_remove->setEnabled(any);
    m_up->setEnabled(any && current() > 0);
    m_down->setEnabled(any && current() + 1 < m_list->count());
    // Without entries there is only one thing to do.
    for (QPushButton *each : {m_duplicate, m_up, m_down, m_remove}) {
        each->setVisible(m_list->count() > 0);
    }
}

bool EntryList::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress && !m_readOnly && current() >= 0) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const int by = key->key() == Qt::Key_Up ? -1 : key->key() == Qt::Key_Down ? 1 : 0;
        if (by != 0 && (key->modifiers() & Qt::AltModifier)) {
            if (current() + by >= 0 && current() + by < m_list->count()) {
                Q_EMIT moveRequested(current(), current() + by);
            }
            return true;
        }
        if (key->key() == Qt::Key_Delete) {
            Q_EMIT removeRequested(current());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
