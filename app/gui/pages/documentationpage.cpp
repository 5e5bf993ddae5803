// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documentationpage.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace trainyard
{
namespace
{

constexpr int textMargin = 24;

QString docFileOf(const QString &page) { return QStringLiteral(":/trainyard/docs/") + page; }

// The cells of a row: "| a | b \\| c |".
QStringList cellsOf(const QString &row)
{
    static const QRegularExpression between(QStringLiteral("(?<!\\\\)\\|"));
    QStringList cells = row.trimmed().split(between);
    cells.removeFirst();
    cells.removeLast();
    for (QString &each : cells) {
        each = each.trimmed();
    }
    return cells;
}

// The layout of a table takes seconds for a hundred rows, and has no room for sentences in a narrow page: a long one is
// shown as a list.
QString withoutLongTables(const QString &markdown)
{
    constexpr qsizetype longest = 24;
    const QStringList lines = markdown.split(QLatin1Char('\n'));
    QStringList shown;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        qsizetype end = i;
        while (end < lines.size() && lines.at(end).startsWith(QLatin1Char('|')) && lines.at(end).trimmed().size() > 1
            && lines.at(end).trimmed().endsWith(QLatin1Char('|'))) {
            ++end;
        }
        if (end - i <= longest) {
            shown.append(lines.at(i));
            continue;
        }
        for (qsizetype row = i + 2; row < end; ++row) { // behind the head and the line below it
            QStringList cells = cellsOf(lines.at(row));
            const QString first = cells.isEmpty() ? QString() : cells.takeFirst();
            cells.removeAll(QString());
            shown.append(QStringLiteral("* **%1**: ").arg(first) + cells.join(QStringLiteral(" – ")));
        }
        i = end - 1;
    }
    return shown.join(QLatin1Char('\n'));
}

QString headingOf(const QString &markdown)
{
    const qsizetype begin = markdown.startsWith(QLatin1StringView("# ")) ? 2 : -1;
    return begin < 0 ? QString() : markdown.mid(begin, markdown.indexOf(QLatin1Char('\n')) - begin).trimmed();
}

} // namespace

DocumentationPage::DocumentationPage(QWidget *parent)
    : QWidget(parent), m_browser(new QTextBrowser), m_back(new QToolButton),
      m_search(new SearchField(SearchField::Kind::Search, tr("Find on this page")))
{
    setObjectName(QStringLiteral("documentationPage"));
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::pageHead);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(metrics::space4, 0, metrics::space3, 1);
    row->setSpacing(metrics::space2);
    m_back->setIcon(icon(QStringLiteral("chevron-left")));
    m_back->setAutoRaise(true);
    m_back->setToolTip(tr("Back (Alt+Left)"));
    m_back->setAccessibleName(tr("Back"));
    m_back->setObjectName(QStringLiteral("documentationBack"));
    row->addWidget(m_back);
    auto *first = new QPushButton(tr("Contents"));
    first->setObjectName(QStringLiteral("documentationContents"));
    row->addWidget(first);
    auto *keys = new QPushButton(tr("Keyboard shortcuts"));
    row->addWidget(keys);
    row->addStretch();
    m_search->setFixedWidth(220);
    m_search->setObjectName(QStringLiteral("documentationSearch"));
    m_search->setAccessibleName(tr("Find on this page"));
    row->addWidget(m_search);

    m_browser->setObjectName(QStringLiteral("documentationText"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenLinks(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
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
    auto *findKey = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_F), this);
    findKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(findKey, &QShortcut::activated, m_search, [this] { m_search->setFocus(); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(false); });
    connect(m_search, &SearchField::moveRequested, this, [this](int rows) { find(rows < 0); });
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
    // Underscores stand in names of variables; Qt takes them for underlines otherwise.
    constexpr int underlines = 0x4000;
    document->setMarkdown(withoutLongTables(m_markdown),
        QTextDocument::MarkdownFeatures::fromInt(QTextDocument::MarkdownDialectGitHub & ~underlines));
    m_browser->setDocument(document);
    delete std::exchange(m_document, document);
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

void DocumentationPage::find(bool backward)
{
    const QTextDocument::FindFlags flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (!m_browser->find(m_search->text(), flags)) {
        QTextCursor cursor(m_browser->document());
        cursor.movePosition(backward ? QTextCursor::End : QTextCursor::Start);
        m_browser->setTextCursor(cursor); // from the other end
        m_browser->find(m_search->text(), flags);
    }
}

} // namespace trainyard
