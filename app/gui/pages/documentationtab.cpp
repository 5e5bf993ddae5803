// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documentationtab.h"

#include "app/gui/pages/documentationpage.h"
#include "app/gui/workbench/actionregistry.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QCoreApplication>
#include <QSet>

namespace trainyard
{
namespace
{

QString plainWords(const QString &caption) { return readCaption(caption).remove(QChar(0x2026)); }

QString cell(QString text) { return text.replace(QLatin1Char('|'), QStringLiteral("\\|")); }

QString keyRow(const QString &keys, const QString &words)
{
    return QStringLiteral("| %1 | %2 |\n").arg(cell(keys), cell(plainWords(words)));
}

struct KeysTexts {
    Q_DECLARE_TR_FUNCTIONS(DocumentationKeys)
};

QString named(const QKeySequence &key) { return key.toString(QKeySequence::NativeText); }

// They are not actions of the window: they are for what has the focus.
QString jobsKeys()
{
    return keyRow(named(Qt::Key_Return), KeysTexts::tr("Open the chosen job"))
        + keyRow(named(Qt::Key_Delete), KeysTexts::tr("Delete the chosen jobs"))
        + keyRow(named(Qt::ALT | Qt::Key_Up) + QStringLiteral(", ") + named(Qt::ALT | Qt::Key_Down),
            KeysTexts::tr("Move a waiting job forward or back in the queue"))
        + keyRow(named(Qt::SHIFT | Qt::Key_F10), KeysTexts::tr("Open the menu of the chosen jobs"));
}

QString plotKeys()
{
    const QString separator = QStringLiteral(", ");
    return keyRow(named(Qt::Key_Plus) + separator + named(Qt::Key_Minus), KeysTexts::tr("Zoom in and out"))
        + keyRow(named(Qt::Key_Left) + separator + named(Qt::Key_Right), KeysTexts::tr("Move along when zoomed in"))
        + keyRow(named(Qt::Key_0), KeysTexts::tr("Show everything"))
        + keyRow(named(Qt::SHIFT | Qt::Key_F10), KeysTexts::tr("Open the menu of the plot"))
        + keyRow(KeysTexts::tr("Ctrl+wheel"), KeysTexts::tr("Zoom at the pointer"))
        + keyRow(KeysTexts::tr("Shift+drag"), KeysTexts::tr("Show only the part of the log that was written then"));
}

// Those that have keys; each key once, for what comes first.
QString keyRows(const QList<QAction *> &actions, QSet<QKeySequence> *told)
{
    QString rows;
    for (const QAction *action : actions) {
        QStringList keys;
        const QList<QKeySequence> shortcuts = action->shortcuts();
        for (const QKeySequence &key : shortcuts) {
            if (!told->contains(key)) {
                told->insert(key);
                keys.append(key.toString(QKeySequence::NativeText));
            }
        }
        if (!keys.isEmpty()) {
            rows += keyRow(keys.join(QStringLiteral(", ")), action->text());
        }
    }
    return rows;
}

} // namespace

DocumentationTab::DocumentationTab(const ActionRegistry *actions)
    : Page(new DocumentationPage), m_actions(actions), m_page(static_cast<DocumentationPage *>(widget()))
{
    connect(m_page, &DocumentationPage::shortcutsRequested, this, &DocumentationTab::openShortcuts);
    connect(m_page, &DocumentationPage::titleChanged, this, [this] {
        Q_EMIT changed();
        Q_EMIT edited();
    });
}

void DocumentationTab::open(const QString &page)
{
    if (page == DocumentationPage::shortcuts) {
        openShortcuts();
    } else {
        m_page->open(page);
    }
}

void DocumentationTab::openShortcuts()
{
    QSet<QKeySequence> told;
    const QString ofWindow = keyRows(m_actions->all(), &told);
    // There may be no document now; what its keys are is in its page.
    const DesignerPage page;
    const QString ofDocument
        = keyRows(QList<QAction *>{page.undoAction(), page.redoAction()} + page.pageActions(), &told)
        + keyRow(tr("Esc, then Tab"), tr("Leave the YAML text, where Tab alone indents; Shift+Tab goes back"));
    const auto table = [](const QString &title, const QString &rows) -> QString {
        return QStringLiteral("\n## %1\n\n| %2 | %3 |\n|---|---|\n").arg(title, tr("Keys"), tr("What they do")) + rows;
    };
    m_page->showText(DocumentationPage::shortcuts,
        QStringLiteral("# %1\n\n%2\n")
                .arg(tr("Keyboard shortcuts"),
                    tr("More keys of the text editor are in [The editor](editor.md), and those of a log in "
                       "[Logs](log.md)."))
            + table(tr("In the window"), ofWindow) + table(tr("In a document"), ofDocument)
            + table(tr("In the list of jobs"), jobsKeys()) + table(tr("In a plot"), plotKeys()));
}

QString DocumentationTab::title() const { return m_page->title(); }

QIcon DocumentationTab::icon() const { return trainyard::icon(QStringLiteral("info"), Colour::Muted); }

void DocumentationTab::focus() { m_page->setFocus(); }

std::optional<SessionTab> DocumentationTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    tab.name = m_page->page();
    return tab;
}

} // namespace trainyard
