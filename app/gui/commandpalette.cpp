// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/commandpalette.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/stylepaint.h"

#include <QEvent>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int popupWidth = 460;
constexpr int rowsShown = 12;
constexpr qsizetype entriesShown = 60;
constexpr int detailRole = Qt::UserRole + 1;
constexpr int iconRole = Qt::UserRole + 2;
constexpr int entryRole = Qt::UserRole + 3;

class Delegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {popupWidth, metrics::row};
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        const QPalette &palette = option.palette;
        stylepaint::rowGround(painter, option.rect, palette, option.state.testFlag(QStyle::State_Selected),
            option.state.testFlag(QStyle::State_MouseOver), true);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const QString name = index.data(iconRole).toString();
        if (!name.isEmpty()) {
            paintIcon(painter, name, QRectF(option.rect.left() + 12, option.rect.center().y() - 7, 16, 16),
                colour(Colour::Muted, palette));
        }
        painter->setFont(fonts::small());
        painter->setPen(colour(Colour::Muted, palette));
        const QString detail = index.data(detailRole).toString();
        const int detailWidth = painter->fontMetrics().horizontalAdvance(detail);
        painter->drawText(option.rect.adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight, detail);
        painter->setFont(option.font);
        painter->setPen(colour(enabled ? Colour::Text : Colour::Muted, palette));
        const QRect text = option.rect.adjusted(38, 0, -24 - detailWidth, 0);
        painter->drawText(text, Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
        painter->restore();
    }
};

class Frame final : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Colour::Raised, this));
        painter.setPen(colour(Colour::Edge, this));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
};
} // namespace

// A child of the window, not a window of its own: it needs no grab and the field keeps the focus.
CommandPalette::CommandPalette(SearchField *field, QWidget *parent)
    : QWidget(parent), m_field(field), m_popup(new Frame(parent)), m_view(new QListView),
      m_model(new QStandardItemModel(this))
{
    hide();
    auto *layout = new QVBoxLayout(m_popup);
    layout->setContentsMargins(1, 5, 1, 5);
    layout->addWidget(m_view);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new Delegate(this));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setUniformItemSizes(true);
    m_view->setMouseTracking(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setBackgroundRole(QPalette::Button);
    m_view->setAccessibleName(tr("Commands and jobs"));
    m_popup->hide();
    m_field->installEventFilter(this);
    parent->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        if (isOpen()) {
            fill();
        }
    });
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_field, &SearchField::escapePressed, this, &CommandPalette::close);
    connect(m_field, &SearchField::moveRequested, this, [this](int rows) {
        if (m_model->rowCount() > 0) {
            const int n = m_model->rowCount();
            m_view->setCurrentIndex(m_model->index((m_view->currentIndex().row() + rows + n) % n, 0));
        }
    });
    connect(m_view, &QListView::clicked, this, [this](const QModelIndex &at) {
        m_view->setCurrentIndex(at);
        runCurrent();
    });
}

bool CommandPalette::isOpen() const { return m_popup->isVisible(); }

void CommandPalette::open()
{
    m_entries = m_source ? m_source() : QList<Entry>();
    fill();
    m_popup->show();
    m_popup->raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::close()
{
    m_popup->hide();
    m_field->clear();
    if (m_field->hasFocus()) {
        m_field->clearFocus();
    }
}

void CommandPalette::fill()
{
    m_model->clear();
    const QStringList words = m_field->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < m_entries.size() && m_model->rowCount() < entriesShown; ++i) {
        const Entry &entry = m_entries.at(i);
        const bool fits = std::all_of(words.cbegin(), words.cend(),
            [&](const QString &word) { return entry.text.contains(word, Qt::CaseInsensitive); });
        if (!fits) {
            continue;
        }
        auto *item = new QStandardItem(entry.text);
        item->setData(entry.detail, detailRole);
        item->setData(entry.icon, iconRole);
        item->setData(int(i), entryRole);
        item->setEnabled(entry.enabled);
        item->setEditable(false);
        m_model->appendRow(item);
    }
    if (m_model->rowCount() == 0) {
        auto *none = new QStandardItem(tr("Nothing is called that."));
        none->setEnabled(false);
        m_model->appendRow(none);
    }
    m_view->setCurrentIndex(m_model->index(0, 0));
    const int height = std::min(rowsShown, m_model->rowCount()) * metrics::row + 10;
    const QPoint at
        = m_field->mapTo(m_popup->parentWidget(), QPoint(m_field->width() - popupWidth, m_field->height() + 4));
    m_popup->setGeometry(std::max(4, at.x()), at.y(), popupWidth, height);
}

void CommandPalette::runCurrent()
{
    const QModelIndex at = m_view->currentIndex();
    if (!isOpen() || !at.isValid() || !at.flags().testFlag(Qt::ItemIsEnabled)) {
        return;
    }
    const auto run = m_entries.at(at.data(entryRole).toInt()).run;
    close();
    run();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field) {
        if (event->type() == QEvent::FocusIn && !isOpen()) {
            open();
        } else if (event->type() == QEvent::FocusOut && isOpen()) {
            m_popup->hide();
        }
    } else if (event->type() == QEvent::Resize && isOpen()) {
        m_popup->hide();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
