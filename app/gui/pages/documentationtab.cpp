// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documentationtab.h"

#include "app/gui/pages/documentationpage.h"
#include "app/gui/workbench/actionregistry.h"
#include "widgets/common/icons.h"

#include <QAction>

namespace trainyard
{
namespace
{

// "&" marks a letter in a menu, and two of them are one.
QString plainWords(QString text)
{
    static const QString two = QStringLiteral("&&");
    static const QChar kept(0x1);
    text.replace(two, kept);
    return text.remove(QLatin1Char('&')).replace(kept, QLatin1Char('&')).remove(QChar(0x2026));
}

QString cell(QString text) { return text.replace(QLatin1Char('|'), QStringLiteral("\\|")); }

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
    QString rows;
    const QList<QAction *> all = m_actions->all();
    for (const QAction *action : all) {
        QStringList keys;
        const QList<QKeySequence> shortcuts = action->shortcuts();
        for (const QKeySequence &key : shortcuts) {
            keys.append(cell(key.toString(QKeySequence::NativeText)));
        }
        if (!keys.isEmpty()) {
            rows += QStringLiteral("| %1 | %2 |\n")
                        .arg(keys.join(QStringLiteral(", ")), cell(plainWords(action->text())));
        }
    }
    m_page->showText(DocumentationPage::shortcuts,
        QStringLiteral("# %1\n\n%2\n\n| %3 | %4 |\n|---|---|\n")
                .arg(tr("Keyboard shortcuts"), tr("The keys of the text editor are in [The editor](editor.md)."),
                    tr("Keys"), tr("What they do"))
            + rows);
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
