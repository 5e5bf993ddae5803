// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documenttab.h"

#include "app/gui/askbox.h"
#include "app/gui/runinmenu.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/unmask.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qsizetype runsKept = 20; // in a session
} // namespace

DocumentTab::DocumentTab(DesignerPage *designer) : Page(designer), m_designer(designer)
{
    connect(designer, &DesignerPage::modifiedChanged, this, [this] {
        Q_EMIT changed();
        Q_EMIT actionsChanged();
    });
    connect(designer, &DesignerPage::titleChanged, this, &Page::changed);
    connect(designer, &DesignerPage::runnableChanged, this, &Page::actionsChanged);
    connect(designer->undoAction(), &QAction::changed, this, &Page::actionsChanged);
    connect(designer->redoAction(), &QAction::changed, this, &Page::actionsChanged);
    connect(designer, &DesignerPage::problemsChanged, this, [this](int errors, int warnings) {
        Q_EMIT problemsChanged(errors, warnings);
        Q_EMIT textParsed();
    });
    connect(designer, &DesignerPage::checkingChanged, this,
        [this] { Q_EMIT problemsChanged(m_designer->errorCount(), m_designer->warningCount()); });
    connect(designer, &DesignerPage::textChanged, this, &Page::edited);
    connect(designer, &DesignerPage::cursorMoved, this, [this](qint64 line, qint64 column) {
        Q_EMIT statusTextChanged(tr("Ln %1, Col %2").arg(line).arg(column));
        Q_EMIT edited(); // the caret moves with what is typed
    });
    connect(designer, &DesignerPage::runRequested, this, &DocumentTab::runRequested);
    connect(designer, &DesignerPage::previewRequested, this, &DocumentTab::previewRequested);
    connect(designer, &DesignerPage::compareRequested, this, &DocumentTab::compareRequested);
    connect(designer, &DesignerPage::saveAsRequested, this, [this] { Q_EMIT saveRequested(true, {}); });
    connect(designer, &DesignerPage::saveRequested, this, [this] { Q_EMIT saveRequested(false, {}); });
    // The window has this key, so that it works wherever the focus is.
    if (auto *preview = designer->findChild<QAction *>(QStringLiteral("actionPreview"))) {
        preview->setShortcuts(QList<QKeySequence>());
    }
}

void DocumentTab::setRunIn(const QString &word)
{
    m_runIn = word;
    Q_EMIT runInChanged();
    Q_EMIT actionsChanged();
}

void DocumentTab::setTarget(const QString &id)
{
    if (id != m_target) {
        m_target = id;
        Q_EMIT targetChanged();
        Q_EMIT actionsChanged();
        Q_EMIT changed(); // the session keeps it
    }
}

QString DocumentTab::runText(const QString &away) const
{
    QString place = away;
    place.replace(QLatin1Char('&'), QStringLiteral("&&"));
    if (m_runIn.isEmpty()) {
        return place.isEmpty() ? tr("&Run") : tr("&Run on %1").arg(place);
    }
    const QString in = runInLabel(m_runIn);
    return place.isEmpty() ? tr("&Run in %1").arg(in) : tr("&Run in %1 on %2").arg(in, place);
}

void DocumentTab::toggleProblems() { m_designer->setProblemsVisible(!m_designer->problemsVisible()); }

QString DocumentTab::title() const { return m_designer->displayName(); }

QString DocumentTab::tip() const
{
    return isInNoFile() ? tr("%1\nIt has not been saved to a file yet.").arg(title()) : m_designer->filePath();
}

QIcon DocumentTab::icon() const { return trainyard::icon(QStringLiteral("document"), Colour::Muted); }

bool DocumentTab::isUnsaved() const { return m_designer->isModified(); }

QString DocumentTab::file() const { return m_designer->filePath(); }

bool DocumentTab::isInNoFile() const { return !m_originRun.isEmpty() && m_designer->filePath().isEmpty(); }

void DocumentTab::setOriginRun(const QString &uuid)
{
    m_originRun = uuid;
    Q_EMIT changed();
}

QList<QAction *> DocumentTab::actions() const { return m_designer->pageActions(); }

std::optional<PageProblems> DocumentTab::problems() const
{
    return PageProblems{m_designer->errorCount(), m_designer->warningCount(), m_designer->showsChecking()};
}

std::optional<ExportedJob> DocumentTab::exported(bool withSecrets)
{
    const QByteArray bytes = m_designer->bytes(true);
    if (withSecrets) {
        return ExportedJob{bytes, m_designer->displayName()};
    }
    const auto masked = maskSecrets(bytes);
    if (!masked) {
        Q_EMIT sayRequested(errorText(masked.error()), true);
        return std::nullopt;
    }
    return ExportedJob{*masked, m_designer->displayName()};
}

// A tab with a dot asks before it is closed. Closing the window loses less: texts are restored at the next start, but a
// text that may hold a secret is written only into the user's own file.
bool DocumentTab::canClose(Leaving how)
{
    m_designer->commit(); // what is in a field is not lost without a question
    const bool isInItsPlace = !m_designer->isModified();
    return how == Leaving::Window ? isInItsPlace || comesBackWhole() : isInItsPlace && !isInNoFile();
}

// Its secrets are those of its file, from which they are read then.
bool DocumentTab::comesBackWhole() const
{
    const QByteArray bytes = m_designer->bytes();
    const QByteArray kept = storable(bytes);
    if (kept == bytes || m_designer->filePath().isEmpty()) {
        return kept == bytes;
    }
    QFile file(m_designer->filePath());
    return file.open(QIODevice::ReadOnly) && withSecretsOf(kept, file.read(maxEditedBytes)) == bytes;
}

void DocumentTab::askToClose(Leaving how, int others, const std::function<void(Answer)> &answered)
{
    QStringList words;
    if (how == Leaving::Window) {
        words.append(maskSecrets(m_designer->bytes())
                ? tr("At the next start, the text is restored without the secret values that are not in its file. Save "
                     "to keep them.")
                : tr("The text is not valid YAML, so any part of it may be a secret. At the next start, it is restored "
                     "as it was when it was last valid. Correct it, or save it to keep it as it is."));
    }
    if (how == Leaving::UnkeptWindow) {
        words.append(tr("Trainyard cannot write to %1, so the text is not restored at the next start. Save to keep it.")
                         .arg(sessionFolder()));
    }
    if (others > 0) {
        words.append(tr("%n more document(s) have changes to save; each is asked about in turn.", nullptr, others));
    }
    const QString why = m_designer->isModified() ? tr("%1 has changes that are not saved.")
                                                 : tr("%1 has not been saved to a file yet.");
    QMessageBox *box = makeAskBox(widget()->window(), why.arg(m_designer->displayName()),
        words.join(QStringLiteral("\n\n")), QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box->button(QMessageBox::Discard)->setText(tr("Close without saving"));
    box->setDefaultButton(QMessageBox::Save);
    setButtonKind(box->button(QMessageBox::Save), ButtonKind::Primary);
    connect(box, &QMessageBox::buttonClicked, this, [this, box, answered](QAbstractButton *button) {
        const auto choice = box->standardButton(button);
        if (choice == QMessageBox::Save) {
            Q_EMIT saveRequested(false, [answered] { answered(Answer::Saved); });
        } else {
            answered(choice == QMessageBox::Discard ? Answer::Discarded : Answer::Cancelled);
        }
    });
    box->open();
}

std::optional<SessionTab> DocumentTab::place() const
{
    m_designer->commitTyped();
    SessionTab tab;
    tab.kind = kind;
    tab.path = m_designer->filePath();
    tab.name = m_designer->displayName();
    tab.modified = m_designer->isModified() || tab.path.isEmpty();
    tab.edited = m_designer->isModified();
    tab.origin = m_designer->originFile();
    tab.uuid = isInNoFile() ? m_originRun : QString();
    tab.layout = m_designer->saveLayout();
    tab.target = m_target;
    tab.runs = m_runs.last(std::min(m_runs.size(), runsKept));
    if (tab.modified) {
        tab.text = m_designer->bytes(); // masked where it is written
        tab.base = m_designer->base();
    }
    return tab;
}

} // namespace trainyard
