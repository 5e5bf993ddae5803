// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/suggestpopup.h"

#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QScrollBar>

namespace trainyard
{
namespace
{

constexpr int rowHeight = 24;
constexpr int mostPopupRows = 9;
constexpr int leastPopupWidth = 260;
constexpr int mostWidth = 520;

Colour colourOf(Suggestion::Kind kind)
{
    switch (kind) {
    case Suggestion::Kind::Key:
        return Colour::SyntaxKey;
    case Suggestion::Kind::Value:
        return Colour::SyntaxNumber;
    case Suggestion::Kind::Reference:
        return Colour::SyntaxString;
    case Suggestion::Kind::Template:
    case Suggestion::Kind::Variable:
        return Colour::SyntaxReference;
    }
    return Colour::Text;
}

class Delegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        const auto &item = static_cast<const SuggestModel *>(index.model())->at(index.row());
        const int label = QFontMetrics(fonts::fixed()).horizontalAdvance(item.label);
        const int detail
            = item.detail.isEmpty() ? 0 : QFontMetrics(fonts::small()).horizontalAdvance(item.detail) + metrics::space5;
        return {label + detail + 2 * metrics::space3 + metrics::scrollBar, rowHeight};
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto &item = static_cast<const SuggestModel *>(index.model())->at(index.row());
        const QWidget *widget = option.widget;
        painter->save();
        QRect rect = option.rect;
        if (option.state & QStyle::State_Selected) {
            painter->fillRect(rect, colour(Colour::Selection, widget));
            painter->fillRect(
                QRect(rect.left(), rect.top(), metrics::selectionBar, rect.height()), colour(Colour::Accent, widget));
        }
        rect.adjust(metrics::space3, 0, -metrics::space3, 0);
        QFont font = fonts::fixed();
        font.setBold(item.required);
        painter->setFont(font);
        painter->setPen(colour(item.preferred ? colourOf(item.kind) : Colour::Muted, widget));
        const int width = QFontMetrics(font).horizontalAdvance(item.label);
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(item.label, Qt::ElideRight, rect.width()));
        if (!item.detail.isEmpty()) {
            rect.setLeft(rect.left() + width + metrics::space4);
            painter->setFont(fonts::small());
            painter->setPen(colour(Colour::Muted, widget));
            painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                QFontMetrics(fonts::small()).elidedText(item.detail, Qt::ElideRight, std::max(0, rect.width())));
        }
        painter->restore();
    }
};

} // namespace

int SuggestModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_items.size()); }

QVariant SuggestModel::data(const QModelIndex &index, int role) const
{
    const Suggestion &item = m_items.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.label;
    case Qt::AccessibleTextRole:
        return item.detail.isEmpty() ? item.label : item.label + QStringLiteral(", ") + item.detail;
    case Qt::AccessibleDescriptionRole:
        return item.help;
    default:
        return {};
    }
}

void SuggestModel::setItems(const QList<Suggestion> &items)
{
    beginResetModel();
    m_items = items;
    endResetModel();
}

SuggestPopup::SuggestPopup(QWidget *parent)
    : PopupFrame(parent, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowDoesNotAcceptFocus),
      m_list(new QListView(this)), m_help(plainLabel()), m_model(new SuggestModel(this))
{
    setObjectName(QStringLiteral("suggestPopup"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    m_list->setObjectName(QStringLiteral("suggestList"));
    m_list->setAccessibleName(tr("Suggestions"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new Delegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_help->setObjectName(QStringLiteral("suggestHelp"));
    m_help->setWordWrap(true);
    m_help->setFont(fonts::small());
    m_help->setContentsMargins(metrics::space3, metrics::space1, metrics::space3, metrics::space2);
    column->addWidget(m_list);
    column->addWidget(m_help);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex &index) { Q_EMIT accepted(index.row()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        showHelp();
        if (isVisible()) {
            place();
        }
    });
    applyColours();
    hide();
}

void SuggestPopup::showItems(const QList<Suggestion> &items, const QRect &line)
{
    const Suggestion *was = isVisible() ? current() : nullptr;
    const QString label = was ? was->label : QString();
    const bool first = m_list->currentIndex().row() <= 0;
    m_line = line;
    m_model->setItems(items);
    int row = 0;
    for (int i = 0; !first && i < items.size(); ++i) {
        if (items.at(i).label == label) {
            row = i;
        }
    }
    m_list->setCurrentIndex(m_model->index(row, 0));
    m_list->scrollTo(m_model->index(row, 0));
    showHelp();
    place();
    show();
}

const Suggestion *SuggestPopup::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() && index.row() < m_model->rowCount() ? &m_model->at(index.row()) : nullptr;
}

void SuggestPopup::step(int by)
{
    const int all = m_model->rowCount();
    if (all > 0) {
        m_list->setCurrentIndex(m_model->index((m_list->currentIndex().row() + by + all) % all, 0));
    }
}

void SuggestPopup::page(int by)
{
    const int all = m_model->rowCount();
    if (all > 0) {
        m_list->setCurrentIndex(
            m_model->index(std::clamp(m_list->currentIndex().row() + by * (mostPopupRows - 1), 0, all - 1), 0));
    }
}

void SuggestPopup::showHelp()
{
    const Suggestion *item = current();
    QString text = item ? item->help : QString();
    if (item && item->required) {
        text = tr("Required.") + u' ' + text;
    }
    if (item && !item->preferred) {
        text = tr("An old name.") + u' ' + text;
    }
    m_help->setText(text);
    m_help->setVisible(!text.isEmpty());
}

void SuggestPopup::place()
{
    const int rows = std::min(m_model->rowCount(), mostPopupRows);
    // As wide as the widest of the items that are likely to be looked at.
    int width = leastPopupWidth;
    QStyleOptionViewItem option;
    for (int row = 0; row < std::min(m_model->rowCount(), 200); ++row) {
        width = std::max(width, m_list->itemDelegate()->sizeHint(option, m_model->index(row, 0)).width());
    }
    width = std::min(width, mostWidth);
    m_list->setFixedHeight(rows * rowHeight);
    m_help->setMinimumHeight(0); // it would count
    const int help = m_help->text().isEmpty() ? 0 : m_help->heightForWidth(width - 2);
    const QSize size(width, rows * rowHeight + help + 2);
    QPoint where(m_line.left() - metrics::space3 - 1, m_line.bottom() + 2);
    const QScreen *screen = QGuiApplication::screenAt(m_line.center());
    if (!screen && parentWidget()) {
        screen = parentWidget()->screen();
    }
    if (screen) {
        const QRect area = screen->availableGeometry();
        where.setX(std::clamp(where.x(), area.left(), std::max(area.left(), area.right() - size.width())));
        if (where.y() + size.height() > area.bottom()) {
            where.setY(m_line.top() - 2 - size.height());
        }
    }
    m_help->setFixedHeight(help);
    setFixedSize(size);
    move(where);
    update();
}

void SuggestPopup::paintEvent(QPaintEvent *event)
{
    PopupFrame::paintEvent(event);
    if (!m_help->text().isEmpty()) {
        QPainter painter(this);
        painter.setPen(colour(Colour::Border, this));
        painter.drawLine(1, m_help->geometry().top(), width() - 2, m_help->geometry().top());
    }
}

void SuggestPopup::changeEvent(QEvent *event)
{
    PopupFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        applyColours();
    }
}

void SuggestPopup::applyColours()
{
    QPalette colours = palette();
    colours.setColor(QPalette::Base, colour(Colour::Raised, this));
    colours.setColor(QPalette::WindowText, colour(Colour::Muted, this));
    m_list->setPalette(colours);
    m_help->setPalette(colours);
}

} // namespace trainyard
