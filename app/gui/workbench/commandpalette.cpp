// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/commandpalette.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/stylepaint.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

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
constexpr int wordsRole = Qt::UserRole + 4; // what was typed
constexpr int whyOffRole = Qt::UserRole + 5;
constexpr int hintGap = 16;

class Delegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return {popupWidth, metrics::row + whyHeight(index)};
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        const QPalette &palette = option.palette;
        stylepaint::rowGround(painter, option.rect, palette, option.state.testFlag(QStyle::State_Selected),
            option.state.testFlag(QStyle::State_MouseOver), true);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const QRect line = option.rect.adjusted(0, 0, 0, -whyHeight(index));
        const QString name = index.data(iconRole).toString();
        if (!name.isEmpty()) {
            paintIcon(
                painter, name, QRectF(line.left() + 12, line.center().y() - 7, 16, 16), colour(Colour::Muted, palette));
        }
        // The hint beside it gives way first: what tells entries apart is often the end of their text.
        const QRect all = line.adjusted(38, 0, -12, 0);
        const QString whole = index.data().toString();
        const int wanted = QFontMetrics(fonts::semibold()).horizontalAdvance(whole) + 4;
        painter->setFont(fonts::small());
        painter->setPen(colour(Colour::Muted, palette));
        const QString detail = painter->fontMetrics().elidedText(
            index.data(detailRole).toString(), Qt::ElideMiddle, std::max(0, all.width() - wanted - hintGap));
        painter->drawText(all, Qt::AlignVCenter | Qt::AlignRight, detail);
        const int detailWidth = detail.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(detail) + hintGap;
        painter->setPen(colour(enabled ? Colour::Text : Colour::Muted, palette));
        drawMarked(painter, option, all.adjusted(0, 0, -detailWidth, 0), whole, index.data(wordsRole).toStringList());
        if (const QString why = index.data(whyOffRole).toString(); !why.isEmpty()) {
            painter->setFont(fonts::small());
            painter->setPen(colour(Colour::Muted, palette));
            const QRect below(all.left(), line.bottom() - 2, all.width(), whyHeight(index));
            painter->drawText(below, Qt::AlignTop | Qt::AlignLeft,
                painter->fontMetrics().elidedText(why, Qt::ElideRight, below.width()));
        }
        painter->restore();
    }

private:
    static int whyHeight(const QModelIndex &index)
    {
        return index.data(whyOffRole).toString().isEmpty() ? 0 : QFontMetrics(fonts::small()).height() + 2;
    }
    // The typed text is highlighted in the results.
    static void drawMarked(QPainter *painter, const QStyleOptionViewItem &option, const QRect &rect,
        const QString &whole, const QStringList &words)
    {
        const QString text = QFontMetrics(option.font).elidedText(whole, Qt::ElideMiddle, rect.width());
        QList<bool> marked(text.size(), false);
        for (const QString &word : words) {
            const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
            for (qsizetype i = at; at >= 0 && i < at + word.size(); ++i) {
                marked[i] = true;
            }
        }
        int x = rect.left();
        for (qsizetype i = 0; i < text.size();) {
            qsizetype end = i;
            while (end < text.size() && marked.at(end) == marked.at(i)) {
                ++end;
            }
            painter->setFont(marked.at(i) ? fonts::semibold() : option.font);
            const QString part = text.mid(i, end - i);
            painter->drawText(QRect(x, rect.top(), rect.right() - x + 1, rect.height()), Qt::AlignVCenter, part);
            x += painter->fontMetrics().horizontalAdvance(part);
            i = end;
        }
    }
};

// 0: it is what was typed; 1: it begins so; 2: one of its words does; 3: it has it somewhere.
int rankOf(const QString &text, const QString &typed)
{
    if (text.compare(typed, Qt::CaseInsensitive) == 0) {
        return 0;
    }
    const qsizetype at = text.indexOf(typed, 0, Qt::CaseInsensitive);
    return at == 0 ? 1 : at > 0 && !text.at(at - 1).isLetterOrNumber() ? 2 : 3;
}

class Frame final : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Colour::Window, this)); // behind the corners
        stylepaint::roundedBox(
            &painter, rect(), metrics::popupRadius, colour(Colour::Raised, this), colour(Colour::Edge, this));
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
    m_view->setMouseTracking(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setBackgroundRole(QPalette::Button);
    m_view->setAccessibleName(tr("Commands and jobs"));
    m_popup->hide();
    m_field->installEventFilter(this);
    parent->installEventFilter(this);
    m_popup->installEventFilter(this);
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
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *before, QWidget *now) {
        if (now == m_field) {
            m_before = before;
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
    qApp->installEventFilter(this); // until it is hidden: the focus may be anywhere
    m_entries.clear();
    for (const Source &source : std::as_const(m_sources)) {
        m_entries += source();
    }
    m_lastUsed = m_used ? m_used() : QStringList();
    fill();
    m_popup->show();
    m_popup->raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll(); // also where it had the focus: what is typed now is something else
}

void CommandPalette::close()
{
    m_popup->hide();
    m_field->clear();
    if (!m_field->hasFocus()) {
        return;
    }
    if (m_before && m_before->isVisible() && m_before->window() == m_field->window()) {
        m_before->setFocus(Qt::OtherFocusReason);
    } else {
        m_field->clearFocus();
    }
}

// The entry with the smaller value comes first.
qsizetype CommandPalette::placeOf(const Entry &entry, const QString &typed) const
{
    constexpr qsizetype behindAll = 4;
    if (typed.isEmpty()) {
        const qsizetype used = entry.key.isEmpty() ? -1 : m_lastUsed.indexOf(entry.key);
        return !entry.enabled ? m_lastUsed.size() + 1 : used < 0 ? m_lastUsed.size() : used;
    }
    const int rank = rankOf(entry.text, typed);
    return rank == 0 || entry.enabled ? rank : rank + behindAll;
}

void CommandPalette::fill()
{
    m_model->clear();
    QStringList words = m_field->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QString &word : words) { // "compare: runs" finds "Compare runs", and "export..." finds "Export…"
        while (word.size() > 1 && QStringView(u":.…").contains(word.back())) {
            word.chop(1);
        }
    }
    // The best first, what cannot be done now last; but what is called exactly that is it.
    const QString typed = m_field->text().trimmed().replace(QLatin1String("..."), QStringLiteral("…"));
    struct Found {
        qsizetype place;
        qsizetype entry;
    };
    QList<Found> found;
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const Entry &entry = m_entries.at(i);
        const bool fits = std::all_of(words.cbegin(), words.cend(), [&](const QString &word) {
            return entry.text.contains(word, Qt::CaseInsensitive) || entry.also.contains(word, Qt::CaseInsensitive);
        });
        if (fits) {
            found.append({placeOf(entry, typed), i});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Found &a, const Found &b) { return a.place < b.place; });
    found.resize(std::min(found.size(), entriesShown));
    for (const Found &each : std::as_const(found)) {
        const qsizetype i = each.entry;
        const Entry &entry = m_entries.at(i);
        auto *item = new QStandardItem(entry.text);
        item->setData(words, wordsRole);
        item->setData(entry.detail, detailRole);
        item->setData(entry.icon, iconRole);
        item->setData(int(i), entryRole);
        item->setEnabled(entry.enabled);
        item->setData(entry.whyOff, whyOffRole);
        item->setToolTip(plainTip(entry.whyOff)); // it may be cut
        item->setAccessibleDescription(entry.whyOff);
        item->setEditable(false);
        m_model->appendRow(item);
    }
    if (m_model->rowCount() == 0) {
        auto *none = new QStandardItem(tr("No results."));
        none->setEnabled(false);
        m_model->appendRow(none);
    }
    m_view->setCurrentIndex(m_model->index(0, 0));
    int height = 10;
    for (int row = 0; row < std::min(rowsShown, m_model->rowCount()); ++row) {
        height += m_view->sizeHintForRow(row);
    }
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
    const Entry entry = m_entries.at(at.data(entryRole).toInt());
    close();
    if (!entry.key.isEmpty()) {
        Q_EMIT used(entry.key);
    }
    entry.run();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isKey && isOpen() && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        const auto *widget = qobject_cast<QWidget *>(watched);
        if (!widget || widget->window() != m_popup->window()) {
            return false;
        }
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            close();
        }
        return true;
    }
    if (watched == m_popup) {
        if (event->type() == QEvent::Hide) {
            qApp->removeEventFilter(this);
        }
    } else if (watched == m_field) {
        if (event->type() == QEvent::FocusIn && !isOpen()) {
            open();
        } else if (event->type() == QEvent::FocusOut && isOpen()) {
            m_popup->hide();
        }
    } else if (watched == parent() && event->type() == QEvent::Resize && isOpen()) {
        m_popup->hide();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
