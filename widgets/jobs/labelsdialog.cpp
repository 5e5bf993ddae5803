// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/labelsdialog.h"

#include "engine/api/joblabels.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/wordbreaks.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int noteLines = 4;
constexpr int dialogWidth = 420;
constexpr qsizetype mostTagsNamed = 12; // tags

// The handling of tags that are not shown in the field.
QString textOfSeveral(const QList<JobSummary> &jobs)
{
    QStringList some;
    for (const JobSummary &job : jobs) {
        for (const QString &tag : job.labels.tags) {
            const bool isOfAll = std::all_of(jobs.cbegin(), jobs.cend(),
                [&tag](const JobSummary &each) { return each.labels.tags.contains(tag, Qt::CaseInsensitive); });
            if (!isOfAll && !some.contains(tag, Qt::CaseInsensitive)) {
                some.append(tag);
            }
        }
    }
    const QString added = LabelsDialog::tr("The field has the tags that all of these jobs have. What you add or remove "
                                           "there is added to or removed from each of them; their other tags stay.");
    if (some.isEmpty()) {
        return added;
    }
    some.sort(Qt::CaseInsensitive);
    const QString more = some.size() > mostTagsNamed ? QStringLiteral("…") : QString();
    return added + QLatin1Char(' ')
        + LabelsDialog::tr("Only some of them have: %1")
              .arg(some.mid(0, mostTagsNamed).join(QStringLiteral(", ")) + more);
}
} // namespace

LabelsDialog::LabelsDialog(const QList<JobSummary> &jobs, const QStringList &knownTags, Begin begin, QWidget *parent)
    : QDialog(parent), m_jobs(jobs), m_known(knownTags), m_tags(new QLineEdit), m_note(new QPlainTextEdit),
      m_completer(new QCompleter(new QStringListModel(this), this))
{
    setObjectName(QStringLiteral("labelsDialog"));
    setWindowTitle(jobs.size() == 1
            ? tr("Tags and note of %1 #%2").arg(jobs.constFirst().name, QString::number(jobs.constFirst().id))
            : tr("Tags of %1 jobs").arg(jobs.size()));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    auto *form = new QFormLayout;
    form->setSpacing(metrics::space2);
    form->addRow(mutedLabel(tr("Tags")), m_tags);
    form->addRow(QString(), smallMutedLabel(tr("Separate tags by commas.")));
    if (jobs.size() == 1) {
        form->addRow(mutedLabel(tr("Note")), m_note);
    } else {
        QLabel *several = smallMutedLabel(breakable(textOfSeveral(jobs)));
        several->setObjectName(QStringLiteral("labelsOfSeveral"));
        several->setWordWrap(true);
        form->addRow(QString(), several);
        m_note->setParent(this);
        m_note->hide();
    }
    layout->addLayout(form);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Save)->setDefault(true);
    setButtonKind(buttons->button(QDialogButtonBox::Save), ButtonKind::Primary);
    // In the note, Enter alone begins a line.
    for (const QKeySequence &key : {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)}) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, &QDialog::accept);
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    for (const QString &tag : jobs.isEmpty() ? QStringList() : jobs.constFirst().labels.tags) {
        if (std::all_of(jobs.cbegin(), jobs.cend(),
                [&tag](const JobSummary &job) { return job.labels.tags.contains(tag, Qt::CaseInsensitive); })) {
            m_shown.append(tag);
        }
    }
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setText(m_shown.join(QStringLiteral(", ")));
    m_note->setAccessibleName(tr("Note"));
    m_note->setTabChangesFocus(true);
    m_note->setFixedHeight(QFontMetrics(m_note->font()).lineSpacing() * noteLines + metrics::space3);
    m_note->setPlainText(jobs.size() == 1 ? jobs.constFirst().labels.note : QString());
    setMinimumWidth(dialogWidth);
    m_completer->setWidget(m_tags);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(m_tags, &QLineEdit::textEdited, this, &LabelsDialog::completeTag);
    connect(m_completer, QOverload<const QString &>::of(&QCompleter::activated), this, &LabelsDialog::insertTag);
    (begin == Begin::Note && jobs.size() == 1 ? static_cast<QWidget *>(m_note) : m_tags)->setFocus();
}

void LabelsDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    // A dialog selects the text that gets the keys, and the next key would replace all tags.
    QMetaObject::invokeMethod(
        m_tags, [this] { m_tags->end(false); }, Qt::QueuedConnection);
}

QStringList LabelsDialog::typedTags() const { return normalTags(separateTags({m_tags->text()})); }

api::LabelChange LabelsDialog::change() const
{
    api::LabelChange change;
    for (const JobSummary &job : m_jobs) {
        change.ids.append(job.uuid);
    }
    const QStringList typed = typedTags();
    for (const QString &tag : typed) {
        if (!m_shown.contains(tag)) {
            change.addTags.append(tag);
        }
    }
    for (const QString &tag : m_shown) {
        if (!typed.contains(tag, Qt::CaseInsensitive)) { // another spelling takes its place
            change.removeTags.append(tag);
        }
    }
    if (m_jobs.size() == 1 && m_note->toPlainText() != m_jobs.constFirst().labels.note) {
        change.note = m_note->toPlainText();
    }
    return change;
}

void LabelsDialog::completeTag()
{
    const QString typed = m_tags->text().first(m_tags->cursorPosition()).section(QLatin1Char(','), -1).trimmed();
    QStringList candidates;
    for (const QString &tag : std::as_const(m_known)) {
        if (!typed.isEmpty() && tag.startsWith(typed, Qt::CaseInsensitive) && tag.size() > typed.size()) {
            candidates.append(tag);
        }
    }
    static_cast<QStringListModel *>(m_completer->model())->setStringList(candidates);
    if (candidates.isEmpty()) {
        m_completer->popup()->hide();
    } else {
        m_completer->complete();
        // The first one is the current one of the list, though nothing shows it: Enter would put it, with its own
        // capitals, in the place of what was typed. Only one that was chosen with the arrows or the mouse is taken.
        m_completer->popup()->setCurrentIndex(QModelIndex());
    }
}

void LabelsDialog::insertTag(const QString &tag)
{
    const QString text = m_tags->text();
    const qsizetype caret = m_tags->cursorPosition();
    const qsizetype comma = text.lastIndexOf(QLatin1Char(','), caret - 1);
    const QString before = comma < 0 ? QString() : QString(text.first(comma) + QStringLiteral(", "));
    m_tags->setText(before + tag + text.sliced(caret));
    m_tags->setCursorPosition(int(before.size() + tag.size()));
}

} // namespace trainyard
