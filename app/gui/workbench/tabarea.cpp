// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QStyleOptionTab>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr QSize leastPage(480, 240);
constexpr const char *temporaryName = "temporaryTab"; // of pages

// The part that all documents share is left out if there is little room.
QString withoutSuffix(const QString &title)
{
    for (const QString &suffix : {QStringLiteral(".pai.yaml"), QStringLiteral(".yaml"), QStringLiteral(".yml")}) {
        if (title.endsWith(suffix)) {
            return title.chopped(suffix.size());
        }
    }
    return title;
}

// A cross, or a dot while the document is modified and the pointer is not at it.
class CloseButton final : public QAbstractButton
{
public:
    explicit CloseButton(QWidget *parent) : QAbstractButton(parent)
    {
        setFixedSize(18, 18);
        setFocusPolicy(Qt::NoFocus);
        setAttribute(Qt::WA_Hover);
        setAccessibleName(TabArea::tr("Close this tab"));
        setToolTip(TabArea::tr("Close this tab"));
    }
    void setModified(bool modified)
    {
        m_modified = modified;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        if (underMouse()) {
            stylepaint::roundedBox(&painter, rect(), 3, colour(Colour::Track, this), {});
        }
        if (m_modified && !underMouse()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour(Colour::Muted, this));
            painter.drawEllipse(QRectF(5.5, 5.5, 7, 7));
        } else {
            paintIcon(&painter, QStringLiteral("close"), QRectF(2.5, 2.5, 13, 13),
                colour(underMouse() ? Colour::Text : Colour::Muted, this));
        }
    }

private:
    bool m_modified = false;
};
} // namespace

class DocumentTabBar final : public QTabBar
{
    Q_OBJECT
public:
    using QTabBar::QTabBar;

Q_SIGNALS:
    void pulledOut(int index);
    void closeAsked(int index);
    void menuAsked(int index, const QPoint &globalPosition);
    void laidOut();

protected:
    // Names stay readable; when there are too many tabs the bar scrolls.
    // The current one is whole. One that gives up its suffix leaves the room of that to the others.
    QSize minimumTabSizeHint(int index) const override
    {
        constexpr int least = 164; // whole: "train.pai.yaml", "one_script #12"
        constexpr int leastOfOthers = 200; // whole: "my_train compared"
        constexpr int most = 420;
        const QSize whole = tabSizeHint(index);
        if (index == currentIndex() || whole.width() <= least) {
            return {std::min(most, whole.width()), whole.height()};
        }
        const QString title = tabText(index);
        const int ofSuffix
            = fontMetrics().horizontalAdvance(title) - fontMetrics().horizontalAdvance(withoutSuffix(title));
        return {ofSuffix > 0 ? std::min(least, whole.width() - ofSuffix) : std::min(leastOfOthers, whole.width()),
            whole.height()};
    }
    void initStyleOption(QStyleOptionTab *option, int index) const override
    {
        QTabBar::initStyleOption(option, index);
        const auto *page = tabData(index).value<QWidget *>();
        option->state.setFlag(QStyle::State_ReadOnly, page && page->property(temporaryName).toBool());
        const QRect words = style()->subElementRect(QStyle::SE_TabBarTabText, option, this);
        const int room = m_isPainting ? std::min(words.width(), endOfTabs() - words.left()) : words.width();
        if (m_isPainting && isTooLittle(*option, words, room)) {
            // A part of an icon looks like another one, and so would the first letters in its place; an icon alone says
            // of no page whose it is.
            option->icon = {};
            option->text.clear();
        } else if (const QString whole = tabText(index); option->text != whole || room < words.width()) {
            option->text = shortTitle(whole, fontMetrics(), room);
        }
    }
    void paintEvent(QPaintEvent *event) override
    {
        const QScopedValueRollback<bool> painting(m_isPainting, true); // a tab is as wide as with its icon
        QTabBar::paintEvent(event);
    }
    void tabLayoutChange() override
    {
        QTabBar::tabLayoutChange();
        Q_EMIT laidOut();
    }
    void contextMenuEvent(QContextMenuEvent *event) override
    {
        const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
        const int index = byKey ? currentIndex() : tabAt(event->pos());
        if (index >= 0) {
            Q_EMIT menuAsked(index, byKey ? mapToGlobal(tabRect(index).center()) : event->globalPos());
        }
    }
    void mousePressEvent(QMouseEvent *event) override
    {
        if (event->button() == Qt::MiddleButton) {
            const int index = tabAt(event->pos());
            if (index >= 0) {
                Q_EMIT closeAsked(index);
            }
            return;
        }
        m_pressed = event->button() == Qt::LeftButton ? tabAt(event->pos()) : -1;
        QTabBar::mousePressEvent(event);
    }
    void mouseMoveEvent(QMouseEvent *event) override
    {
        constexpr int distance = 24;
        if (m_pressed >= 0 && event->buttons().testFlag(Qt::LeftButton)
            && (event->pos().y() < -distance || event->pos().y() > height() + distance)) {
            const int index = currentIndex();
            m_pressed = -1;
            // End the bar's own moving first.
            QMouseEvent release(QEvent::MouseButtonRelease, event->position(), event->globalPosition(), Qt::LeftButton,
                Qt::NoButton, Qt::NoModifier);
            QTabBar::mouseReleaseEvent(&release);
            Q_EMIT pulledOut(index);
            return;
        }
        QTabBar::mouseMoveEvent(event);
    }
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        m_pressed = -1;
        QTabBar::mouseReleaseEvent(event);
    }

private:
    // Where the arrows stand when the bar is full, else where it ends.
    int endOfTabs() const
    {
        int end = width();
        const QList<QToolButton *> arrows = findChildren<QToolButton *>(Qt::FindDirectChildrenOnly);
        for (const QToolButton *arrow : arrows) {
            end = arrow->isVisible() ? std::min(end, arrow->x()) : end;
        }
        return end;
    }
    // Of a tab that is in sight in part.
    bool isTooLittle(const QStyleOptionTab &tab, const QRect &words, int room) const
    {
        const bool isCutAtBegin = !tab.icon.isNull() && tab.rect.left() < 0 && words.left() > 0;
        return isCutAtBegin || (room < words.width() && room < TabArea::leastWords);
    }
    int m_pressed = -1;
    bool m_isPainting = false;
};

QString shortTitle(const QString &title, const QFontMetrics &metrics, int room)
{
    QString shown = withoutSuffix(title);
    static const QRegularExpression runNumber(QStringLiteral(" #\\d+$"));
    const QString number = runNumber.match(shown).captured();
    shown.chop(number.size());
    // Runs are distinguished by their numbers; the names of other pages differ at their end as often as elsewhere.
    const Qt::TextElideMode mode = number.isEmpty() ? Qt::ElideMiddle : Qt::ElideRight;
    return metrics.elidedText(shown, mode, room - metrics.horizontalAdvance(number), Qt::TextShowMnemonic) + number;
}

TabArea::TabArea(QWidget *parent)
    : QWidget(parent), m_bar(new DocumentTabBar), m_add(new QToolButton), m_list(new QToolButton),
      m_stack(new QStackedWidget)
{
    auto *row = new Ground(Colour::Window);
    row->setBorders(Qt::BottomEdge);
    row->setFixedHeight(metrics::documentTab);
    auto *rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(0, 0, metrics::space2, 0);
    rowLayout->setSpacing(4);
    m_bar->setObjectName(QStringLiteral("documentTabs"));
    m_bar->setAccessibleName(tr("Open documents and runs"));
    setTabKind(m_bar, TabKind::Document);
    m_bar->setDrawBase(false);
    m_bar->setMovable(true);
    m_bar->setElideMode(Qt::ElideRight);
    m_bar->setIconSize({15, 15});
    m_bar->setUsesScrollButtons(true);
    const QList<QToolButton *> arrows = m_bar->findChildren<QToolButton *>();
    for (QToolButton *arrow : arrows) {
        arrow->setFocusPolicy(Qt::NoFocus); // keys go from tab to tab
    }
    rowLayout->addWidget(m_bar);
    m_add->setIcon(icon(QStringLiteral("plus")));
    m_add->setIconSize({15, 15});
    m_add->setAutoRaise(true);
    rowLayout->addWidget(m_add);
    rowLayout->addStretch();
    m_list->setObjectName(QStringLiteral("tabList"));
    m_list->setIcon(icon(QStringLiteral("chevron-down")));
    m_list->setIconSize({15, 15});
    m_list->setAutoRaise(true);
    m_list->setAccessibleName(tr("All open tabs"));
    m_list->setToolTip(tr("All open tabs"));
    m_list->setPopupMode(QToolButton::InstantPopup);
    m_list->setMenu(new QMenu(m_list));
    m_list->hide();
    rowLayout->addWidget(m_list);
    connect(m_list->menu(), &QMenu::aboutToShow, this, &TabArea::fillList);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(row);
    // A wide page scrolls or elides; it does not make the window wider than the user has it.
    m_stack->setMinimumSize(leastPage);
    layout->addWidget(m_stack, 1);
    connect(m_bar, &QTabBar::currentChanged, this, [this] {
        m_bar->updateGeometry();
        if (QWidget *page = currentPage()) {
            bringToFront(page);
        }
        Q_EMIT currentPageChanged(currentPage());
    });
    connect(m_bar, &DocumentTabBar::menuAsked, this,
        [this](int index, const QPoint &at) { Q_EMIT menuRequested(m_bar->tabData(index).value<QWidget *>(), at); });
    // Not while the bar lays itself out: the button would make it do so again.
    connect(m_bar, &DocumentTabBar::laidOut, this, &TabArea::updateList, Qt::QueuedConnection);
    connect(m_bar, &DocumentTabBar::closeAsked, this,
        [this](int index) { Q_EMIT closeRequested(m_bar->tabData(index).value<QWidget *>()); });
    connect(m_bar, &QTabBar::tabBarDoubleClicked, this, [this](int index) {
        if (index >= 0) {
            Q_EMIT keepRequested(m_bar->tabData(index).value<QWidget *>());
        }
    });
    connect(m_bar, &DocumentTabBar::pulledOut, this,
        [this](int index) { Q_EMIT dragRequested(m_bar->tabData(index).value<QWidget *>()); });
}

void TabArea::updateList()
{
    const int count = m_bar->count();
    m_list->setVisible(count > 1 && m_bar->tabRect(count - 1).right() - m_bar->tabRect(0).left() >= m_bar->width());
}

void TabArea::fillList()
{
    QMenu *menu = m_list->menu();
    menu->clear();
    for (int i = 0; i < m_bar->count(); ++i) {
        QAction *entry = menu->addAction(m_bar->tabIcon(i), m_bar->tabText(i), this,
            [this, page = QPointer<QWidget>(m_bar->tabData(i).value<QWidget *>())] { setCurrentPage(page); });
        if (i == m_bar->currentIndex()) {
            menu->setDefaultAction(entry); // in bold: it is in front
        }
    }
}

void TabArea::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    updateList();
}

QTabBar *TabArea::tabBar() const { return m_bar; }

void TabArea::addPage(QWidget *page, const QIcon &icon, const QString &title, bool activate)
{
    m_stack->addWidget(page);
    // The data must be there before the tab becomes current.
    const QSignalBlocker blocker(m_bar);
    const int index = m_bar->addTab(icon, plainCaption(title));
    m_bar->setTabData(index, QVariant::fromValue(page));
    auto *close = new CloseButton(m_bar);
    m_bar->setTabButton(index, QTabBar::RightSide, close);
    connect(close, &QAbstractButton::clicked, this, [this, page] { Q_EMIT closeRequested(page); });
    if (activate || m_bar->count() == 1) {
        m_bar->setCurrentIndex(index);
        bringToFront(page);
        Q_EMIT currentPageChanged(page);
    }
}

// The stack gives the focus to the first widget of a page that was not in front before; the page chooses a better one.
void TabArea::bringToFront(QWidget *page)
{
    const QWidget *before = m_stack->currentWidget();
    const bool hasFocus = before && before != page && before->isAncestorOf(QApplication::focusWidget());
    const bool isNew = !page->focusWidget();
    m_stack->setCurrentWidget(page);
    if (hasFocus && isNew && page->focusProxy()) {
        page->setFocus();
    }
}

void TabArea::removePage(QWidget *page)
{
    const int index = indexOf(page);
    if (index < 0) {
        return;
    }
    m_stack->removeWidget(page);
    m_bar->removeTab(index);
    page->setParent(nullptr);
}

int TabArea::indexOf(const QWidget *page) const
{
    for (int i = 0; i < m_bar->count(); ++i) {
        if (m_bar->tabData(i).value<QWidget *>() == page) {
            return i;
        }
    }
    return -1;
}

void TabArea::setTitle(QWidget *page, const QString &title, const QString &tip)
{
    if (const int index = indexOf(page); index >= 0) {
        m_bar->setTabText(index, plainCaption(title));
        m_bar->setTabToolTip(index, plainTip(tip.isEmpty() ? title : tip));
    }
}

QString TabArea::titleOf(const QWidget *page) const
{
    const int index = indexOf(page);
    return index < 0 ? QString() : m_bar->tabText(index).replace(QStringLiteral("&&"), QStringLiteral("&"));
}

void TabArea::setIcon(QWidget *page, const QIcon &icon)
{
    if (const int index = indexOf(page); index >= 0) {
        m_bar->setTabIcon(index, icon);
    }
}

void TabArea::setModified(QWidget *page, bool modified)
{
    if (const int index = indexOf(page); index >= 0) {
        static_cast<CloseButton *>(m_bar->tabButton(index, QTabBar::RightSide))->setModified(modified);
    }
}

void TabArea::setTemporary(QWidget *page, bool on)
{
    if (page->property(temporaryName).toBool() != on) {
        page->setProperty(temporaryName, on);
        m_bar->update();
    }
}

QWidget *TabArea::currentPage() const { return m_bar->tabData(m_bar->currentIndex()).value<QWidget *>(); }

void TabArea::setCurrentPage(QWidget *page)
{
    if (const int index = indexOf(page); index >= 0) {
        m_bar->setCurrentIndex(index);
    }
}

QList<QWidget *> TabArea::pages() const
{
    QList<QWidget *> pages;
    for (int i = 0; i < m_bar->count(); ++i) {
        pages.append(m_bar->tabData(i).value<QWidget *>());
    }
    return pages;
}

void TabArea::nextTab()
{
    if (m_bar->count() > 0) {
        m_bar->setCurrentIndex((m_bar->currentIndex() + 1) % m_bar->count());
    }
}

void TabArea::previousTab()
{
    if (m_bar->count() > 0) {
        m_bar->setCurrentIndex((m_bar->currentIndex() + m_bar->count() - 1) % m_bar->count());
    }
}

} // namespace trainyard

#include "tabarea.moc"
