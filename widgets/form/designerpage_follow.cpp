// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/conversionreport.h"
#include "widgets/form/designerpage_p.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/documentfile.h"
#include "widgets/form/fieldmenu.h"
#include "widgets/form/mentionsbar.h"
#include "widgets/form/problemsview.h"
#include "widgets/form/valuestable.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>

// How text, form, problems and file of a designer page follow each other.
namespace trainyard
{
namespace
{
constexpr qsizetype longestValue = 40;
constexpr int leastFitted = 300; // lower pages share their height as they can
constexpr int mostForProblems = 3; // of so many parts of the height one

// Describes a readable text that is not a map; empty if it is one, or if there is nothing in it.
QString otherThanMap(const YamlDocument &document)
{
    const YamlNode *root = document.isWellFormed() && document.root() ? document.root()->resolved() : nullptr;
    if (!root || root->isMap() || root->isNull()) {
        return {};
    }
    QString what = DesignerPage::tr("a list");
    if (!root->isSequence()) {
        const QString value = textFromUtf8(root->scalar).simplified();
        bool isNumber = false;
        value.toDouble(&isNumber);
        what = isNumber || !value.contains(u' ') ? DesignerPage::tr("the single value %1").arg(value.left(longestValue))
                                                 : DesignerPage::tr("a text without any “key: value”");
    }
    return DesignerPage::tr("This document is %1. A job is a map of fields, one on a line, such as “name: my_job”, "
                            "“type: job” and “taskRoles:”.")
        .arg(what);
}

// The error that locks the form: of the YAML, where there is one. An error of the job above it locks nothing.
const Diagnostic *lockingError(const ParseOutcome &outcome)
{
    // The job's findings of the same place have the fixes.
    const auto find = [](const QList<Diagnostic> &all, const QString &code) -> const Diagnostic * {
        const auto it = std::find_if(all.begin(), all.end(), [&code](const Diagnostic &each) {
            return each.severity == Severity::Error && (code.isEmpty() || each.code == code);
        });
        return it == all.end() ? nullptr : &*it;
    };
    const Diagnostic *ofYaml = find(outcome.document.diagnostics(), {});
    const Diagnostic *found = find(outcome.diagnostics, ofYaml ? ofYaml->code : QString());
    return found ? found : ofYaml;
}
} // namespace

void DesignerPage::Private::load(const QByteArray &bytes)
{
    fileBar->hide();
    editBar->hide();
    mentions->hide();
    conversion->dismiss();
    placedCaret = -1;
    context->forgetAllRefused();
    editor->setReadOnly(false);
    editor->setBytes(bytes);
    tooLarge = bytes.size() > maxEditedBytes || editor->isShortened();
    editor->setReadOnly(tooLarge);
    context->setReadOnly(tooLarge);
    controller->parseNow();
    sayChecking();
    updateLimits();
    updateTitle();
    Q_EMIT q->cursorMoved(1, 1);
}

void DesignerPage::Private::sayChecking()
{
    const bool isBeingChecked = !controller->isCurrent();
    if (problems->isBeingChecked() != isBeingChecked) {
        problems->setBeingChecked(isBeingChecked);
        Q_EMIT q->checkingChanged(isBeingChecked);
    }
}

void DesignerPage::Private::updateLimits()
{
    if (tooLarge) {
        fileBar->show(InfoBar::Kind::Waiting,
            (editor->isShortened()
                    ? tr("A line of this text is too long to show: it is cut short here, and cannot be changed. "
                         "The file stays as it is.")
                    : tr("This text is larger than 8 MiB: it is shown, and cannot be changed here."))
                .toHtmlEscaped());
    }
}

void DesignerPage::Private::handleSnapshot()
{
    const ParseOutcome &outcome = controller->document().outcome();
    context->updateDiagnostics();
    const QList<Diagnostic> &diagnostics = context->diagnostics();
    FormLock wanted;
    QString note;
    const QString limit = controller->limit();
    if (!limit.isEmpty()) {
        wanted.why = sentence(limit);
        note = tr("Run is off: the text cannot be checked");
    } else if (!outcome.document.root() || !outcome.document.root()->resolved()->isMap()
        || !outcome.document.isWellFormed()) {
        if (const Diagnostic *error = lockingError(outcome)) {
            wanted.at = LineIndex(outcome.document.bytes()).at(error->at.begin);
            wanted.error = diagnosticText(*error);
            wanted.fixes = error->fixes;
        }
    }
    // The form of an unreadable text would show less than there is, so it keeps the last state and is disabled. A
    // readable text that is not a job has an empty form.
    const QString other = limit.isEmpty() ? otherThanMap(outcome.document) : QString();
    if (!other.isEmpty()) {
        wanted = {};
        wanted.why = other;
    }
    if (!wanted.isOn() || !other.isEmpty()) {
        context->takeSnapshot();
        form->refresh();
    }
    lockForm(wanted);
    const bool current = controller->isCurrent();
    editor->setSnapshot(outcome.document, outcome.spec ? &*outcome.spec : nullptr, controller->document().revision());
    if (current) {
        editor->setDiagnostics(diagnostics);
    }
    updateRunnable();
    const int errors = int(std::count_if(diagnostics.begin(), diagnostics.end(),
        [](const Diagnostic &each) { return each.severity == Severity::Error; }));
    if (note.isEmpty() && errors > 0) {
        note = errors == 1 ? tr("Run is off because of 1 error") : tr("Run is off because of %1 errors").arg(errors);
    }
    const bool wasInList = problems->list()->hasFocus();
    problems->setProblems(diagnostics, outcome.document.bytes(), note);
    if (wasInList && problems->list()->isHidden()) {
        focusDocument(); // its list has gone, and the focus with it to whatever comes next
    }
    if (current) {
        checkTimer->stop();
        sayChecking();
    }
    fitProblems();
    Q_EMIT q->problemsChanged(problems->errorCount(), problems->warningCount());
    caretTimer->start();
}

// As high as what there is to say, until the user says how high. It does not shrink by itself: what stands above it
// would jump with every fixed error. Nor does it grow below the pointer: the next click would hit another row.
void DesignerPage::Private::fitProblems()
{
    const int all = rows->height();
    if (problemsSized || all <= leastFitted || !problems->isVisibleTo(q)) {
        return;
    }
    const int wanted
        = std::max(problems->minimumHeight(), std::min(problems->comfortableHeight(), all / mostForProblems));
    if (!problemsFitted || (wanted > rows->sizes().constLast() && !problems->underMouse())) {
        problemsFitted = true;
        rows->setSizes({all - wanted, wanted});
    }
}

void DesignerPage::Private::focusDocument()
{
    if (mode == ViewMode::Form) {
        form->setFocus();
    } else {
        editor->setFocus();
    }
}

// A key that has no colon yet does not close the form: only a text that stays unreadable does.
void DesignerPage::Private::lockForm(const FormLock &wanted)
{
    const bool wasOpen = !lock.isOn() || calmTimer->isActive();
    lock = wanted;
    if (lock.isOn() && wasOpen && controller->origin() == Origin::Text && controller->limit().isEmpty()) {
        calmTimer->start();
        return;
    }
    calmTimer->stop();
    form->setLock(lock);
}

void DesignerPage::Private::updateRunnable()
{
    const ParseOutcome &outcome = controller->document().outcome();
    blockers.clear();
    if (!controller->limit().isEmpty()) {
        blockers.append(sentence(controller->limit()));
    } else {
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error && blockers.size() < 20) {
                blockers.append(diagnosticText(diagnostic));
            }
        }
    }
    const bool now = controller->limit().isEmpty() && outcome.canRun();
    if (!now && blockers.isEmpty()) {
        blockers.append(tr("The document is not a job yet."));
    }
    if (runnable != now) {
        runnable = now;
        Q_EMIT q->runnableChanged(now);
    }
}

void DesignerPage::Private::showRefused(const Error &error)
{
    editBar->show(InfoBar::Kind::Failed, errorText(error).toHtmlEscaped());
    if (mode != ViewMode::Form) {
        return;
    }
    connect(editBar->addAction(tr("Show the YAML")), &QPushButton::clicked, this, [this] {
        q->setViewMode(ViewMode::Both);
        editBar->hide();
    });
}

void DesignerPage::Private::showNotice(const FormNotice &notice)
{
    editBar->show(notice.kind, notice.text.toHtmlEscaped());
    editBar->setTopic(notice.stays ? stayingNotice : QString());
    for (const auto &[label, run] : notice.actions) {
        connect(editBar->addAction(label), &QPushButton::clicked, this, [this, run = run] {
            editBar->hide();
            run();
        });
    }
}

void DesignerPage::Private::updateTitle()
{
    const QString path = file->path();
    const QString runs = q->runFile();
    if (const QString work = runs.isEmpty() ? QString() : QFileInfo(runs).absolutePath(); work != context->folder()) {
        context->setFolder(work);
        form->refreshWork();
    }
    QString shown;
    if (!path.isEmpty()) {
        shown = QFileInfo(path).absolutePath() + u'/';
        const QString home = QDir::homePath() + u'/';
        if (home.size() > 1 && shown.startsWith(home)) {
            shown = QStringLiteral("~/") + shown.mid(home.size());
        }
    }
    folder->setText(shown);
    folder->setVisible(!shown.isEmpty());
    name->setText(q->displayName());
    edited->setText(editor->isModified() ? QStringLiteral("  ·  ") + tr("edited")
            : tooLarge                   ? QStringLiteral("  ·  ") + tr("read only")
                                         : QString());
    Q_EMIT q->titleChanged(q->displayName());
}

void DesignerPage::Private::showChangedOnDisk(const QByteArray &bytes)
{
    if (bytes == editor->bytes()) {
        file->acceptChange();
        editor->setSaved();
        fileBar->hide();
        return;
    }
    const auto reload = [this](const QByteArray &now) {
        file->acceptChange();
        // As an edit: what was here can be brought back with Undo.
        const qsizetype caret = editor->caret();
        if (now.size() > maxEditedBytes || editor->isReadOnly()) {
            load(now);
        } else {
            editor->applyEdits({{{0, editor->byteCount()}, now}}, Origin::Disk);
            editor->setSaved();
        }
        editor->setCaret(std::min(caret, editor->byteCount()));
        fileBar->hide();
    };
    if (!saving && !editor->isModified() && !context->isTyping() && !context->hasEdits()) {
        reload(bytes);
        return;
    }
    fileBar->show(saving ? InfoBar::Kind::Failed : InfoBar::Kind::Waiting,
        (saving ? tr("Not saved: the file was changed on disk meanwhile.")
                : tr("The file was changed on disk, and here."))
            .toHtmlEscaped());
    QPushButton *reloadButton = fileBar->addAction(tr("Reload"));
    reloadButton->setObjectName(QStringLiteral("diskReload"));
    connect(reloadButton, &QPushButton::clicked, this, [reload, bytes] { reload(bytes); });
    if (compareAnswered) {
        QPushButton *compare = fileBar->addAction(tr("Compare"));
        compare->setObjectName(QStringLiteral("diskCompare"));
        connect(compare, &QPushButton::clicked, q, &DesignerPage::compareRequested);
    }
    QPushButton *keep = fileBar->addAction(saving ? tr("Save mine over it") : tr("Keep mine"));
    keep->setObjectName(QStringLiteral("diskKeep"));
    connect(keep, &QPushButton::clicked, this, [this, asked = saving] {
        file->acceptChange();
        editor->setNeverSaved();
        fileBar->hide();
        if (asked) {
            Q_EMIT q->saveRequested();
        }
    });
}

bool DesignerPage::Private::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
    if (type == QEvent::MouseMove || type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease) {
        if (q->isVisible() && (watched->isWindowType() || form->isAncestorOf(qobject_cast<QWidget *>(watched)))) {
            context->pointerMoved();
            if (type != QEvent::MouseMove) {
                context->setPointerDown(type == QEvent::MouseButtonPress);
            }
        }
        return false;
    }
    if (type == QEvent::Show) {
        auto *menu = qobject_cast<QMenu *>(watched);
        if (menu && form->isAncestorOf(menu->parentWidget())) { // of a field: it would undo only what is in the field
            const bool isTyped = context->isTyping() || context->hasEdits();
            redirectUndo(menu, {undo->isEnabled() || isTyped, [this] { q->undo(); }},
                {redo->isEnabled() && !isTyped, [this] { q->redo(); }});
        }
        return false;
    }
    if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress && type != QEvent::FocusIn) {
        return false;
    }
    auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || (widget != form && !form->isAncestorOf(widget) && widget->window() != q->window())) {
        return false;
    }
    if (type == QEvent::FocusIn) {
        if (!form->isAncestorOf(widget)) {
            movingCaret = false;
        }
        if (editor->isAncestorOf(widget)) {
            // An edit of the form that waits would be refused, if what is typed now makes the text unreadable.
            controller->finishEdits();
        } else if (form->isAncestorOf(widget) && controller->origin() == Origin::Text && !controller->isCurrent()) {
            // What is typed now would take back what was typed into the text a moment ago.
            controller->catchUp();
        }
        return false;
    }
    if (!form->isAncestorOf(widget)) {
        return false;
    }
    auto *key = static_cast<QKeyEvent *>(event);
    const QKeySequence pressed(key->keyCombination());
    const bool isUndo = undo->shortcuts().contains(pressed);
    const bool isRedo = redo->shortcuts().contains(pressed);
    if (!isUndo && !isRedo) {
        return false;
    }
    if (type == QEvent::ShortcutOverride) {
        event->ignore(); // so that the action gets it, not the field's own history
        return true;
    }
    if (isUndo) {
        q->undo();
    } else {
        q->redo();
    }
    return true;
}

} // namespace trainyard
