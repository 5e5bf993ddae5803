// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/gallerypage.h"

#include "app/gui/pages/templatecard.h"
#include "app/gui/templateshelf.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QFileInfo>
#include <QGridLayout>
#include <QHash>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int pageMargin = metrics::space4; // under the heading
}

GalleryPage::GalleryPage(TemplateShelf *shelf, QWidget *parent)
    : QWidget(parent), m_shelf(shelf), m_search(new SearchField(SearchField::Kind::Search, tr("Search templates"))),
      m_head(new PageHead(tr("New from template"))), m_bar(new InfoBar), m_errors(new InfoBar),
      m_categories(new FlowLayout(metrics::space1)), m_group(new QButtonGroup(this)), m_scroll(new QScrollArea),
      m_sections(new QVBoxLayout), m_empty(new EmptyState)
{
    setObjectName(QStringLiteral("galleryPage"));
    m_head->row()->addStretch(1);
    m_search->setAccessibleName(tr("Search templates"));
    m_head->addSearch(m_search, QStringLiteral("gallerySearch"), 260);
    auto *folder = new QPushButton(icon(QStringLiteral("folder")), tr("Catalogue folder…"));
    folder->setObjectName(QStringLiteral("galleryFolder"));
    folder->setToolTip(tr("Show the templates of a folder too, such as one that your team shares"));
    m_head->addButton(folder);

    auto *choices = new Ground(Colour::Window);
    choices->setBorders(Qt::BottomEdge);
    m_categories->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space2 + 1);
    choices->setLayout(m_categories);

    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto *page = new Ground(Colour::Window);
    page->setLayout(m_sections);
    m_sections->setContentsMargins(pageMargin, metrics::space5, pageMargin, metrics::space5);
    m_sections->setSpacing(0);
    m_scroll->setWidget(page);
    m_empty->setIcon(QStringLiteral("search"));
    m_empty->setAction(tr("Show all templates"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_bar);
    layout->addWidget(m_errors);
    layout->addWidget(choices);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_empty, 1);
    m_empty->hide();
    setFocusProxy(m_search);

    connect(folder, &QPushButton::clicked, this, &GalleryPage::folderRequested);
    connect(m_search, &QLineEdit::textChanged, this, &GalleryPage::arrange);
    connect(m_search, &SearchField::moveRequested, this, [this](int rows) {
        if (rows > 0 && !m_shown.isEmpty()) {
            m_shown.first()->setFocus(Qt::ShortcutFocusReason);
        }
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (!m_shown.isEmpty() && !m_search->text().trimmed().isEmpty()) {
            m_shown.first()->click();
        }
    });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        m_category.clear();
        m_search->clear();
        rebuild();
    });
    connect(m_shelf, &TemplateShelf::changed, this, &GalleryPage::rebuild);
    rebuild();
}

void GalleryPage::rebuild()
{
    for (QAbstractButton *button : m_group->buttons()) {
        m_group->removeButton(button);
    }
    while (QLayoutItem *item = m_categories->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList categories = m_shelf->categories();
    if (!categories.contains(m_category)) {
        m_category.clear();
    }
    const auto choice = [this](const QString &text, const QString &category) {
        auto *button = new QPushButton(plainCaption(text));
        setButtonKind(button, ButtonKind::Quiet);
        button->setCheckable(true);
        button->setChecked(category == m_category);
        m_group->addButton(button);
        m_categories->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, category] {
            m_category = category;
            arrange();
        });
    };
    m_group->setExclusive(true);
    choice(tr("All"), {});
    for (const QString &category : categories) {
        choice(category, category);
    }
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->hide();
        card->deleteLater(); // it may be its own menu that asked
    }
    m_cards.clear();
    m_shown.clear();
    for (const JobTemplate &job : m_shelf->templates()) {
        auto *card = new TemplateCard(job, m_scroll->widget());
        connect(card, &QAbstractButton::clicked, this, [this, id = job.id] { Q_EMIT templateRequested(id); });
        connect(card, &TemplateCard::moveRequested, this,
            [this, card](int columns, int rows) { moveFocus(card, columns, rows); });
        connect(card, &TemplateCard::menuRequested, this, [this, card](const QPoint &at) { showMenu(card, at); });
        m_cards.append(card);
    }
    showErrors();
    arrange();
}

TemplateCard::Fit GalleryPage::cardFit() const
{
    // A column that no category fills would only make the cards narrow.
    QHash<QString, int> counts;
    int most = 1;
    for (const TemplateCard *card : m_cards) {
        most = std::max(most, ++counts[card->job().category]);
    }
    return TemplateCard::fit(width() - 2 * pageMargin - metrics::scrollBar, metrics::space4, most);
}

void GalleryPage::arrange()
{
    const TemplateCard::Fit fit = cardFit();
    m_columns = fit.columns;
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->setCardWidth(fit.width);
    }
    while (QLayoutItem *item = m_sections->takeAt(0)) {
        if (QLayout *layout = item->layout()) {
            while (QLayoutItem *inner = layout->takeAt(0)) {
                delete inner;
            }
        }
        delete item;
    }
    qDeleteAll(m_heads);
    m_heads.clear();
    m_shown.clear();
    const QStringList categories = m_shelf->categories();
    for (const QString &category : categories) {
        QList<TemplateCard *> cards;
        for (TemplateCard *card : std::as_const(m_cards)) {
            if (card->job().category == category) {
                const bool fits
                    = (m_category.isEmpty() || m_category == category) && card->job().matches(m_search->text());
                card->setVisible(fits);
                if (fits) {
                    cards.append(card);
                }
            }
        }
        if (cards.isEmpty()) {
            continue;
        }
        QLabel *head = semiboldLabel(category);
        m_heads.append(head);
        if (!m_shown.isEmpty()) {
            m_sections->addSpacing(metrics::space5);
        }
        m_sections->addWidget(head);
        m_sections->addSpacing(metrics::space2);
        auto *grid = new QGridLayout;
        grid->setSpacing(metrics::space4);
        grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        for (int i = 0; i < cards.size(); ++i) {
            grid->addWidget(cards.at(i), i / m_columns, i % m_columns);
            cards.at(i)->setColumn(i % m_columns);
        }
        m_sections->addLayout(grid);
        m_shown += cards;
    }
    m_sections->addStretch(1);
    const bool isSearched = !m_search->text().trimmed().isEmpty();
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->setOpenedByEnter(isSearched && card == m_shown.value(0));
    }
    for (qsizetype i = 1; i < m_shown.size(); ++i) {
        setTabOrder(m_shown.at(i - 1), m_shown.at(i));
    }
    m_head->setCount(m_shown.size() == m_cards.size() ? QString::number(m_cards.size())
                                                      : tr("%1 of %2").arg(m_shown.size()).arg(m_cards.size()));
    m_scroll->setVisible(!m_shown.isEmpty());
    m_empty->setVisible(m_shown.isEmpty());
    if (m_shown.isEmpty()) {
        m_empty->setText(tr("No template has the words \"%1\".").arg(m_search->text().trimmed()));
    }
}

void GalleryPage::showErrors()
{
    const QList<Error> &errors = m_shelf->errors();
    if (errors.isEmpty()) {
        m_errors->hide();
        return;
    }
    QStringList sentences;
    for (const Error &error : errors.first(std::min<qsizetype>(3, errors.size()))) {
        sentences.append(errorText(error).toHtmlEscaped());
    }
    if (errors.size() > 3) {
        sentences.append(tr("%n more file(s) cannot be used.", nullptr, int(errors.size()) - 3));
    }
    m_errors->show(InfoBar::Kind::Waiting, sentences.join(QStringLiteral("<br>")));
    m_errors->setClosable(true);
}

// Left and right run through all cards; up and down keep the column, over the heads of categories.
void GalleryPage::moveFocus(TemplateCard *from, int columns, int rows)
{
    const qsizetype at = m_shown.indexOf(from);
    qsizetype to = at + columns;
    if (rows != 0) {
        const int column = from->column();
        const int y = from->y();
        to = -1;
        for (qsizetype i = at; i >= 0 && i < m_shown.size(); i += rows) {
            const TemplateCard *card = m_shown.at(i);
            const bool otherRow = card->y() != y;
            if (otherRow && card->column() <= column
                && (to < 0 || (card->y() == m_shown.at(to)->y() && card->column() > m_shown.at(to)->column()))) {
                to = i;
            } else if (to >= 0 && card->y() != m_shown.at(to)->y()) {
                break;
            }
        }
        if (to < 0 && rows < 0) {
            m_search->setFocus(Qt::BacktabFocusReason);
            return;
        }
    }
    if (to >= 0 && to < m_shown.size()) {
        m_shown.at(to)->setFocus(Qt::TabFocusReason);
        m_scroll->ensureWidgetVisible(m_shown.at(to), 0, metrics::space5);
    }
}

// While it is open, the cards may be made again: a template is written into one of the folders.
void GalleryPage::showMenu(TemplateCard *card, const QPoint &at)
{
    const JobTemplate &job = card->job();
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(icon(QStringLiteral("new")), tr("New job from this"), this,
        [this, id = job.id] { Q_EMIT templateRequested(id); });
    if (job.origin != JobTemplate::Origin::Bundled) {
        menu->addAction(icon(QStringLiteral("folder")), tr("Open its folder"), this,
            [this, path = job.path] { Q_EMIT openRequested(QFileInfo(path).path()); });
        if (job.origin == JobTemplate::Origin::User) {
            menu->addSeparator();
            menu->addAction(icon(QStringLiteral("edit")), tr("Rename…"), this,
                [this, path = job.path, title = job.title] { askName(path, title); });
            menu->addAction(
                icon(QStringLiteral("remove")), tr("Delete"), this, [this, path = job.path] { remove(path); });
        }
    }
    menu->popup(at);
}

void GalleryPage::askName(const QString &path, const QString &title)
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename the template"));
    dialog->setLabelText(tr("Name"));
    dialog->setTextValue(title);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, path](const QString &name) { rename(path, name); });
    dialog->open();
}

void GalleryPage::rename(const QString &path, const QString &name)
{
    if (const Result<QString> renamed = renameUserTemplate(path, name); !renamed) {
        m_bar->show(InfoBar::Kind::Failed, errorText(renamed.error()).toHtmlEscaped());
    } else {
        m_bar->hide();
        m_shelf->reload();
    }
}

void GalleryPage::remove(const QString &path)
{
    const Result<QByteArray> bytes = removeUserTemplate(path);
    if (!bytes) {
        m_bar->show(InfoBar::Kind::Failed, errorText(bytes.error()).toHtmlEscaped());
        return;
    }
    m_shelf->reload();
    m_bar->show(InfoBar::Kind::Info, tr("%1 is deleted.").arg(QFileInfo(path).fileName()).toHtmlEscaped());
    QPushButton *undo = m_bar->addAction(tr("Undo"));
    undo->setObjectName(QStringLiteral("galleryUndo"));
    connect(undo, &QPushButton::clicked, this, [this, path, text = *bytes] {
        if (const Result<void> back = restoreUserTemplate(path, text); !back) {
            m_bar->show(InfoBar::Kind::Failed, errorText(back.error()).toHtmlEscaped());
            return;
        }
        m_bar->hide();
        m_shelf->reload();
    });
}

void GalleryPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (cardFit().columns != m_columns) {
        arrange();
        return;
    }
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->setCardWidth(cardFit().width);
    }
}

// Typing anywhere on the page searches.
void GalleryPage::keyPressEvent(QKeyEvent *event)
{
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && !event->text().isEmpty() && event->text().at(0).isPrint() && event->key() != Qt::Key_Space) {
        m_search->setFocus();
        QApplication::sendEvent(m_search, event);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace trainyard
