// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documentationpage.h"

#include "app/gui/pages/documentationlook.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"

#include <QDesktopServices>
#include <QDirIterator>
#include <QEvent>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int textMargin = 24;
constexpr int leastLookedFor = 2; // letters: one of them is on every page
constexpr int mostElsewhere = 8;

QString docFileOf(const QString &page) { return QStringLiteral(":/trainyard/docs/") + page; }

// Lines of a length that can be read, however wide the window is.
class TextView final : public QTextBrowser
{
public:
    TextView()
    {
        setBackgroundRole(QPalette::Base); // also beside the text
        setAutoFillBackground(true);
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTextBrowser::resizeEvent(event);
        const int beside = std::max(0, width() - documentationWidth - metrics::scrollBar);
        if (viewportMargins().right() != beside) {
            setViewportMargins(0, 0, beside, 0);
        }
    }
};

// Without what of Markdown is not seen: where links lead, and marks around words.
QString asRead(QString markdown)
{
    static const QRegularExpression target(QStringLiteral("\\]\\([^)]*\\)"));
    static const QRegularExpression marks(QStringLiteral("[`*\\[\\]]"));
    return markdown.remove(target).remove(marks).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString headingOf(const QString &markdown)
{
    const qsizetype begin = markdown.startsWith(QLatin1StringView("# ")) ? 2 : -1;
    return begin < 0 ? QString() : markdown.mid(begin, markdown.indexOf(QLatin1Char('\n')) - begin).trimmed();
}

} // namespace

DocumentationPage::DocumentationPage(QWidget *parent)
    : QWidget(parent), m_browser(new TextView), m_back(new QToolButton),
      m_search(new SearchField(SearchField::Kind::Search, tr("Find on this page"))), m_elsewhere(plainLabel())
{
    setObjectName(QStringLiteral("documentationPage"));
    auto *head = new PageHead;
    m_back->setIcon(icon(QStringLiteral("chevron-left")));
    m_back->setAutoRaise(true);
    m_back->setToolTip(tr("Back (Alt+Left)"));
    m_back->setAccessibleName(tr("Back"));
    m_back->setObjectName(QStringLiteral("documentationBack"));
    head->row()->addWidget(m_back);
    auto *first = new QPushButton(icon(QStringLiteral("document")), tr("Contents"));
    first->setObjectName(QStringLiteral("documentationContents"));
    head->addButton(first);
    auto *keys = new QPushButton(icon(QStringLiteral("key")), tr("Keyboard shortcuts"));
    head->addButton(keys);
    head->row()->addStretch(1);
    m_search->setAccessibleName(tr("Find on this page"));
    m_search->setToolTip(tr("Find on this page (Ctrl+F); the next place is F3, the one before Shift+F3"));
    head->addSearch(m_search, QStringLiteral("documentationSearch"), 260);

    m_browser->setObjectName(QStringLiteral("documentationText"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenLinks(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    m_elsewhere->setObjectName(QStringLiteral("documentationElsewhere"));
    m_elsewhere->setTextFormat(Qt::RichText);
    m_elsewhere->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_elsewhere->setWordWrap(true);
    m_elsewhere->setContentsMargins(textMargin, metrics::space2, textMargin, metrics::space2);
    m_elsewhere->hide();
    layout->addWidget(m_elsewhere);
    layout->addWidget(m_browser, 1);
    setFocusProxy(m_browser);

    connect(first, &QPushButton::clicked, this, [this] { go(contents); });
    connect(keys, &QPushButton::clicked, this, [this] { go(shortcuts); });
    const auto back = [this] {
        if (!m_former.isEmpty()) {
            const QString page = m_former.takeLast();
            page == shortcuts ? Q_EMIT shortcutsRequested() : open(page);
        }
    };
    connect(m_back, &QToolButton::clicked, this, back);
    auto *key = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this);
    key->setContext(Qt::WidgetWithChildrenShortcut);
    connect(key, &QShortcut::activated, this, back);
    // Wherever the focus is: they are of the page that is shown, which is this one as long as it can be seen.
    const auto onKey = [this](const QKeySequence &sequence, const auto &act) {
        auto *shortcut = new QShortcut(sequence, this);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    onKey(Qt::CTRL | Qt::Key_F, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    onKey(Qt::Key_F3, [this] { goToHit(m_hit + 1); });
    onKey(Qt::SHIFT | Qt::Key_F3, [this] { goToHit(m_hit - 1); });
    onKey(Qt::SHIFT | Qt::Key_Return, [this] { goToHit(m_hit - 1); });
    connect(m_search, &QLineEdit::textChanged, this, &DocumentationPage::find);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { goToHit(m_hit + 1); });
    connect(m_search, &SearchField::moveRequested, this, [this](int rows) { goToHit(m_hit + rows); });
    connect(m_search, &SearchField::escapePressed, m_browser, qOverload<>(&QWidget::setFocus));
    connect(m_elsewhere, &QLabel::linkActivated, this, [this](const QString &page) {
        go(page);
        goToHit(0);
        m_browser->setFocus();
    });
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        if (!link.scheme().isEmpty() && link.scheme() != QLatin1StringView("qrc")) {
            QDesktopServices::openUrl(link);
        } else if (const QString file = link.path(); file.endsWith(QLatin1StringView(".md"))) {
            // Links are relative to the page.
            const QString folder = m_shown.section(QLatin1Char('/'), 0, -2);
            go(QUrl(folder + QLatin1Char('/')).resolved(QUrl(file)).path().remove(0, folder.isEmpty() ? 1 : 0));
        }
    });
    open(contents);
}

void DocumentationPage::go(const QString &page)
{
    const QString before = m_shown;
    page == shortcuts ? Q_EMIT shortcutsRequested() : open(page);
    if (m_shown != before) {
        m_former.append(before);
        m_back->setEnabled(true);
    }
}

void DocumentationPage::open(const QString &page)
{
    QFile file(docFileOf(page));
    if (file.open(QIODevice::ReadOnly)) {
        showText(page, QString::fromUtf8(file.readAll()));
    } else if (page != contents) {
        open(contents);
    }
}

void DocumentationPage::showText(const QString &page, const QString &markdown)
{
    m_shown = page;
    m_markdown = markdown;
    m_title = headingOf(markdown);
    m_back->setEnabled(!m_former.isEmpty());
    render();
    m_browser->verticalScrollBar()->setValue(0);
    Q_EMIT titleChanged();
}

// Laid out once it is complete, and not for each of its parts.
void DocumentationPage::render()
{
    auto *document = new QTextDocument(this);
    document->setDefaultFont(m_browser->font());
    document->setDocumentMargin(textMargin);
    document->setMarkdown(m_markdown);
    setDocumentationLook(document, palette());
    m_browser->setExtraSelections({}); // they are of the document that goes
    m_browser->setDocument(document);
    delete std::exchange(m_document, document);
    findHits();
}

void DocumentationPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_markdown.isEmpty()) {
        const int at = m_browser->verticalScrollBar()->value();
        render(); // its links have the colours of the palette that it was made with
        m_browser->verticalScrollBar()->setValue(at);
    }
}

// From the place that is in sight on: what is typed further narrows it down.
void DocumentationPage::find()
{
    const int from = m_hit >= 0 ? m_hits.at(m_hit).selectionStart()
                                : m_browser->cursorForPosition(m_browser->viewport()->rect().topLeft()).position();
    findHits();
    const auto next = std::find_if(
        m_hits.cbegin(), m_hits.cend(), [from](const QTextCursor &hit) { return hit.selectionStart() >= from; });
    goToHit(next == m_hits.cend() ? 0 : int(next - m_hits.cbegin()));
}

void DocumentationPage::findHits()
{
    m_hits.clear();
    m_hit = -1;
    const QString words = m_search->text();
    for (QTextCursor at = m_document->find(words); !words.isEmpty() && !at.isNull(); at = m_document->find(words, at)) {
        m_hits.append(at);
    }
    showHits();
}

void DocumentationPage::goToHit(int number)
{
    if (m_hits.isEmpty()) {
        return;
    }
    const int count = int(m_hits.size());
    m_hit = (number + count) % count; // on from the other end
    QTextCursor at = m_hits.at(m_hit);
    at.setPosition(at.selectionStart()); // marked in its own colour
    m_browser->setTextCursor(at);
    m_browser->ensureCursorVisible();
    showHits();
}

void DocumentationPage::showHits()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (int i = 0; i < m_hits.size(); ++i) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = m_hits.at(i);
        mark.format.setBackground(colour(i == m_hit ? Colour::CurrentHit : Colour::Hit, this));
        if (i == m_hit) {
            mark.format.setForeground(colour(Colour::OnCurrentHit, this));
        }
        marks.append(mark);
    }
    m_browser->setExtraSelections(marks);
    m_search->setStatus(m_search->text().isEmpty() ? QString()
            : m_hits.isEmpty()                     ? tr("Not found")
            : m_hit < 0                            ? tr("%n hit(s)", nullptr, int(m_hits.size()))
                                                   : tr("%1 of %2").arg(m_hit + 1).arg(m_hits.size()));
    setFieldError(m_search, m_hits.isEmpty() && !m_search->text().isEmpty());
    lookElsewhere();
}

void DocumentationPage::lookElsewhere()
{
    QStringList links;
    if (m_hits.isEmpty() && m_search->text().trimmed().size() >= leastLookedFor) {
        const QString linkColour = colour(Colour::Accent, this).name();
        const QString root = docFileOf(QString());
        QDirIterator pages(root, {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
        while (pages.hasNext()) {
            QFile file(pages.next());
            const QString name = file.fileName().mid(root.size());
            if (name == m_shown || !file.open(QIODevice::ReadOnly)) {
                continue;
            }
            const QString markdown = QString::fromUtf8(file.readAll());
            if (asRead(markdown).contains(m_search->text(), Qt::CaseInsensitive)) {
                const QString heading = headingOf(markdown);
                links.append(QStringLiteral("<a style='color:%1' href='%2'>%3</a>")
                                 .arg(linkColour, name, (heading.isEmpty() ? name : heading).toHtmlEscaped()));
            }
        }
    }
    if (links.size() > mostElsewhere) {
        links = links.first(mostElsewhere) << QStringLiteral("…");
    }
    m_elsewhere->setText(links.isEmpty() ? QString() : tr("Found in: %1").arg(links.join(QStringLiteral(", "))));
    m_elsewhere->setVisible(!links.isEmpty());
}

} // namespace trainyard
