// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/designerpage.h"

#include "model/protocol/legacy.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/conversionreport.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/documentfile.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formfield.h"
#include "widgets/form/jobform.h"
#include "widgets/form/mentionsbar.h"
#include "widgets/form/problemsview.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMetaMethod>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

namespace trainyard
{

class DesignerPage::Private : public QObject
{
public:
    explicit Private(DesignerPage *page);
    void buildBar();
    void buildActions();
    void load(const QByteArray &bytes);
    void handleSnapshot();
    void handleCaret(qsizetype offset);
    void handleFieldFocus(const YamlPath &path);
    void jump(ByteRange range);
    void jumpToPath(const YamlPath &path);
    void applyFix(const Fix &fix);
    std::optional<Fix> firstFix();
    void updateTitle();
    void updateRunnable();
    void showChangedOnDisk(const QByteArray &bytes);
    void showRefused(const Error &error);
    void showNotice(const FormNotice &notice);
    void updateLimits();
    void showUnavailable(const QString &why);
    bool formHasFocus() const { return form->isAncestorOf(QApplication::focusWidget()); }
    bool eventFilter(QObject *watched, QEvent *event) override;

    DesignerPage *q;
    QWidget *bar;
    ElidedLabel *folder;
    QLabel *name;
    QLabel *edited;
    SegmentedControl *modes;
    QPushButton *preview;
    InfoBar *fileBar;
    InfoBar *editBar;
    MentionsBar *mentions;
    ConversionReport *conversion;
    QSplitter *rows;
    QSplitter *halves;
    JobForm *form;
    YamlEditor *editor;
    ProblemsView *problems;
    DocumentController *controller;
    FormContext *context;
    DocumentFile *file;
    QTimer *caretTimer;
    QTimer *calmTimer; // until a half-written text closes the form
    QString unavailable;

    QAction *undo;
    QAction *redo;
    QList<QAction *> actions;
    QAction *previewAction = nullptr;
    QString suggestedName;
    ViewMode mode = ViewMode::Both;
    QStringList blockers;
    bool runnable = false;
    bool problemsWanted = true;
    bool problemsSized = false;
    bool movingCaret = false; // by a field that got the focus
    bool tooLarge = false;
    bool compareAnswered = false;
};

DesignerPage::Private::Private(DesignerPage *page) : QObject(page), q(page)
{
    auto *column = new QVBoxLayout(q);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    editor = new YamlEditor;
    controller = new DocumentController(editor, this);
    context = new FormContext(controller, this);
    file = new DocumentFile(this);
    form = new JobForm(context);
    problems = new ProblemsView;
    fileBar = new InfoBar;
    fileBar->setObjectName(QStringLiteral("fileBar"));
    fileBar->hide();
    editBar = new InfoBar;
    editBar->setObjectName(QStringLiteral("editBar"));
    editBar->setClosable(true);
    editBar->hide();
    buildActions();
    buildBar();
    column->addWidget(bar);
    column->addWidget(fileBar);
    column->addWidget(editBar);
    mentions = new MentionsBar([this]() -> const YamlDocument & { return controller->document().outcome().document; });
    column->addWidget(mentions);
    connect(mentions, &MentionsBar::jumpRequested, this, [this](ByteRange range) {
        controller->parseNow();
        jump(range);
        editor->select(range);
    });
    connect(context, &FormContext::renamed, mentions, &MentionsBar::showFor);
    connect(context, &FormContext::noticeRequested, this, &Private::showNotice);
    conversion = new ConversionReport;
    conversion->hide();
    column->addWidget(conversion);
    connect(conversion, &ConversionReport::jumpRequested, this, &Private::jumpToPath);
    rows = new QSplitter(Qt::Vertical);
    rows->setObjectName(QStringLiteral("designerRows"));
    rows->setChildrenCollapsible(false);
    rows->setHandleWidth(1);
    halves = new QSplitter(Qt::Horizontal);
    halves->setObjectName(QStringLiteral("designerHalves"));
    halves->setChildrenCollapsible(false);
    halves->setHandleWidth(1);
    form->setMinimumWidth(360);
    editor->setMinimumWidth(240);
    halves->addWidget(form);
    halves->addWidget(editor);
    halves->setStretchFactor(0, 1);
    halves->setStretchFactor(1, 1);
    halves->setSizes({606, 586});
    rows->addWidget(halves);
    rows->addWidget(problems);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 0);
    problems->setMinimumHeight(60);
    column->addWidget(rows, 1);

    caretTimer = new QTimer(this);
    caretTimer->setSingleShot(true);
    caretTimer->setInterval(60);
    calmTimer = new QTimer(this);
    calmTimer->setSingleShot(true);
    calmTimer->setInterval(600);
    connect(calmTimer, &QTimer::timeout, this, [this] { form->setUnavailable(unavailable); });
    connect(caretTimer, &QTimer::timeout, this, [this] { handleCaret(editor->caret()); });
    connect(editor, &YamlEditor::caretMoved, this, [this](qsizetype offset) {
        const LineColumn at = editor->positionOf(offset);
        Q_EMIT q->cursorMoved(at.line, at.column);
        caretTimer->start();
    });
    connect(editor, &YamlEditor::modifiedChanged, this, [this](bool modified) {
        updateTitle();
        Q_EMIT q->modifiedChanged(modified);
    });
    connect(editor, &YamlEditor::undoStateChanged, this, [this] {
        undo->setEnabled(editor->canUndo() && !editor->isReadOnly());
        redo->setEnabled(editor->canRedo() && !editor->isReadOnly());
    });
    connect(editor, &YamlEditor::bytesChanged, this, [this](Origin origin) {
        if (origin == Origin::Text) {
            editBar->hide();
        } else if (origin == Origin::Disk) {
            mentions->hide();
        }
    });
    connect(editor, &YamlEditor::fixRequested, this, &Private::applyFix);
    connect(controller, &DocumentController::snapshotChanged, this, &Private::handleSnapshot);
    connect(context, &FormContext::limitsChanged, this, &Private::handleSnapshot);
    connect(controller, &DocumentController::editRefused, this, &Private::showRefused);
    connect(context, &FormContext::fieldFocused, this, &Private::handleFieldFocus);
    connect(context, &FormContext::jumpRequested, this, &Private::jumpToPath);
    connect(context, &FormContext::fixRequested, this, &Private::applyFix);
    connect(problems, &ProblemsView::jumpRequested, this, &Private::jump);
    connect(problems, &ProblemsView::fixRequested, this, &Private::applyFix);
    connect(problems, &ProblemsView::closeRequested, this, [this] { q->setProblemsVisible(false); });
    connect(file, &DocumentFile::changedOnDisk, this, &Private::showChangedOnDisk);
    connect(file, &DocumentFile::removedFromDisk, this, [this] {
        fileBar->show(
            InfoBar::Kind::Waiting, tr("The file is no longer on disk. Save writes it again.").toHtmlEscaped());
        editor->setNeverSaved();
    });
    // Undo and redo are the document's, in the fields of the form as well.
    qApp->installEventFilter(this);
}

void DesignerPage::Private::buildActions()
{
    const auto action
        = [this](const QString &text, const char *objectName, const QList<QKeySequence> &keys, auto slot) {
              auto *made = new QAction(text, q);
              made->setObjectName(QLatin1String(objectName));
              made->setShortcuts(keys);
              made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
              made->setStatusTip(text);
              connect(made, &QAction::triggered, this, slot);
              q->addAction(made);
              return made;
          };
    undo = action(tr("Undo"), "actionUndo", {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [this] { q->undo(); });
    undo->setIcon(icon(QStringLiteral("undo")));
    redo = action(tr("Redo"), "actionRedo",
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)}, [this] { q->redo(); });
    redo->setIcon(icon(QStringLiteral("redo")));
    undo->setEnabled(false);
    redo->setEnabled(false);
    const auto add = [&](const QString &text, const char *objectName, const QList<QKeySequence> &keys, auto slot) {
        actions.append(action(text, objectName, keys, slot));
    };
    add(tr("Find"), "actionFind", {QKeySequence(Qt::CTRL | Qt::Key_F)}, [this] { q->showFind(); });
    add(tr("Replace"), "actionReplace", {QKeySequence(Qt::CTRL | Qt::Key_H)}, [this] {
        if (mode == ViewMode::Form) {
            q->setViewMode(ViewMode::Both);
        }
        editor->showFind(true);
    });
    add(tr("Find next"), "actionFindNext", {QKeySequence(Qt::Key_F3)}, [this] { editor->findNext(); });
    add(tr("Find previous"), "actionFindPrevious", {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
        [this] { editor->findPrevious(); });
    add(tr("Comment or uncomment lines"), "actionToggleComment", {QKeySequence(Qt::CTRL | Qt::Key_Slash)},
        [this] { editor->toggleComment(); });
    add(tr("Quick fix"), "actionQuickFix", {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] {
        controller->parseNow(); // fixes of the text as it is
        editor->showFixes();
    });
    add(tr("Next problem"), "actionNextProblem", {QKeySequence(Qt::Key_F8)}, [this] { q->nextProblem(); });
    add(tr("Previous problem"), "actionPreviousProblem", {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
        [this] { q->previousProblem(); });
    add(tr("Fold all"), "actionFoldAll", {}, [this] { editor->foldAll(true); });
    add(tr("Unfold all"), "actionUnfoldAll", {}, [this] { editor->foldAll(false); });
    add(tr("Form only"), "actionViewForm", {QKeySequence(Qt::CTRL | Qt::Key_1)},
        [this] { q->setViewMode(ViewMode::Form); });
    add(tr("YAML only"), "actionViewYaml", {QKeySequence(Qt::CTRL | Qt::Key_2)},
        [this] { q->setViewMode(ViewMode::Yaml); });
    add(tr("Form and YAML"), "actionViewBoth", {QKeySequence(Qt::CTRL | Qt::Key_3)},
        [this] { q->setViewMode(ViewMode::Both); });
    add(tr("Preview"), "actionPreview", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)},
        [this] { Q_EMIT q->previewRequested(); });
    previewAction = actions.last();
    actions += editor->editorActions();
    previewAction->setEnabled(false);
}

void DesignerPage::Private::buildBar()
{
    auto *ground = new Ground(Colour::Surface);
    ground->setBorders(Qt::BottomEdge);
    ground->setFixedHeight(metrics::pageBar);
    bar = ground;
    auto *row = new QHBoxLayout(ground);
    row->setContentsMargins(metrics::space3, 0, metrics::space2, 0);
    row->setSpacing(0);
    folder = new ElidedLabel;
    folder->setColour(Colour::Muted);
    folder->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    name = new QLabel;
    name->setObjectName(QStringLiteral("documentName"));
    name->setTextFormat(Qt::PlainText);
    edited = mutedLabel(QString());
    edited->setObjectName(QStringLiteral("documentEdited"));
    row->addWidget(folder);
    row->addWidget(name);
    row->addWidget(edited);
    row->addStretch(1);
    const auto tool = [&](QAction *action) {
        auto *button = new QToolButton;
        button->setDefaultAction(action);
        button->setIconSize({metrics::rowIcon, metrics::rowIcon});
        button->setFixedSize(metrics::field, metrics::field);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? action->text() : QStringLiteral("%1 (%2)").arg(action->text(), keys));
        row->addWidget(button);
    };
    tool(undo);
    row->addSpacing(metrics::space1);
    tool(redo);
    row->addSpacing(metrics::space2);
    auto *line = new Line(Qt::Vertical);
    line->setFixedHeight(20);
    row->addWidget(line, 0, Qt::AlignVCenter);
    row->addSpacing(metrics::space2);
    modes = new SegmentedControl({tr("Form"), tr("Both"), tr("YAML")});
    modes->setObjectName(QStringLiteral("viewMode"));
    modes->setCurrentIndex(1);
    row->addWidget(modes);
    row->addSpacing(metrics::space2);
    preview = new QPushButton(icon(QStringLiteral("eye")), tr("Preview"));
    preview->setObjectName(QStringLiteral("previewButton"));
    preview->setToolTip(tr("What Run would do, task by task (Ctrl+Shift+Enter)"));
    row->addWidget(preview);
    connect(modes, &SegmentedControl::currentChanged, this, [this](int index) { q->setViewMode(ViewMode(index)); });
    preview->hide();
    connect(preview, &QPushButton::clicked, this, [this] { Q_EMIT q->previewRequested(); });
}

void DesignerPage::Private::load(const QByteArray &bytes)
{
    fileBar->hide();
    editBar->hide();
    mentions->hide();
    conversion->hide();
    editor->setReadOnly(false);
    editor->setBytes(bytes);
    tooLarge = bytes.size() > maxEditedBytes || editor->isShortened();
    editor->setReadOnly(tooLarge);
    context->setReadOnly(tooLarge);
    controller->parseNow();
    updateLimits();
    updateTitle();
    Q_EMIT q->cursorMoved(1, 1);
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
    QString why;
    QString note;
    const QString limit = controller->limit();
    if (!limit.isEmpty()) {
        why = sentence(limit);
        note = tr("Run is off: the text cannot be checked");
    } else if (!outcome.document.root() || !outcome.document.root()->resolved()->isMap()
        || !outcome.document.isWellFormed()) {
        const auto &all = outcome.diagnostics;
        const auto error = std::find_if(
            all.begin(), all.end(), [](const Diagnostic &each) { return each.severity == Severity::Error; });
        if (error != all.end()) {
            const LineColumn at = LineIndex(outcome.document.bytes()).at(error->at.begin);
            why = tr("The form waits until the text can be read. Line %1: %2").arg(at.line).arg(diagnosticText(*error));
        }
    }
    // A form of what cannot be read would show less than there is: it keeps the last state, and cannot be used.
    if (why.isEmpty()) {
        form->refresh();
    }
    showUnavailable(why);
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
    problems->setProblems(diagnostics, outcome.document.bytes(), note);
    if (!problemsSized && rows->height() > 300) {
        problemsSized = true;
        const int wanted = problems->comfortableHeight();
        rows->setSizes({rows->height() - wanted, wanted});
    }
    Q_EMIT q->problemsChanged(problems->errorCount(), problems->warningCount());
    caretTimer->start();
}

// A key without its colon yet is no reason to close the form: only what stays unreadable is.
void DesignerPage::Private::showUnavailable(const QString &why)
{
    const bool wasOpen = unavailable.isEmpty() || calmTimer->isActive();
    unavailable = why;
    if (!why.isEmpty() && wasOpen && controller->origin() == Origin::Text && controller->limit().isEmpty()) {
        calmTimer->start();
        return;
    }
    calmTimer->stop();
    form->setUnavailable(why);
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
        blockers.append(tr("The document is no job yet."));
    }
    if (runnable != now) {
        runnable = now;
        Q_EMIT q->runnableChanged(now);
    }
}

// The caret marks its field; the form follows only when the user is in the text.
void DesignerPage::Private::handleCaret(qsizetype offset)
{
    if (!controller->isCurrent()) {
        return;
    }
    if (movingCaret && formHasFocus()) {
        return;
    }
    const YamlDocument &document = controller->document().outcome().document;
    if (!document.root()) {
        return;
    }
    // In front of the text of a line one is at what stands there, dashes and all.
    const CodeView *view = editor->view();
    const qsizetype line = view->lineOf(offset);
    const qsizetype end = view->lineEnd(line);
    qsizetype text = view->lineStart(line);
    while (text < end && (view->byteAt(text) == ' ' || (view->byteAt(text) == '-' && view->byteAt(text + 1) == ' '))) {
        ++text;
    }
    // At the very beginning nobody has looked for anything yet: a document that opens shows its head, not About.
    form->showPlace(document.pathAt(text < end ? std::max(offset, text) : offset), !formHasFocus() && offset > 0);
}

void DesignerPage::Private::handleFieldFocus(const YamlPath &path)
{
    if (!controller->isCurrent()) {
        controller->parseNow();
    }
    const YamlDocument &document = controller->document().outcome().document;
    const YamlNode *node = document.find(path);
    YamlPath place = path;
    while (!node && !place.isEmpty()) {
        place = place.parent();
        node = document.find(place);
    }
    if (!node || place.isEmpty()) {
        return;
    }
    const std::optional<ByteRange> key = document.keyRange(place);
    // To the value's end where it is on the line of its key, as if one had clicked there; else to the key.
    qsizetype offset = key ? key->begin : node->at.begin;
    const bool simple = node->kind == YamlNode::Kind::Scalar && node->style != YamlNode::Style::Literal
        && node->style != YamlNode::Style::Folded && place == path;
    if (simple && node->at.length() > 0) {
        offset = node->at.end;
    }
    movingCaret = true;
    editor->setCaret(offset);
    form->showPlace(path, false);
}

void DesignerPage::Private::jump(ByteRange range)
{
    if (mode == ViewMode::Form) {
        q->setViewMode(ViewMode::Both);
    }
    movingCaret = false;
    editor->remember();
    editor->setFocus();
    editor->setCaret(range.begin);
}

void DesignerPage::Private::jumpToPath(const YamlPath &path)
{
    const YamlDocument &document = controller->document().outcome().document;
    const YamlNode *node = document.find(path);
    if (!node) {
        return;
    }
    const std::optional<ByteRange> key = document.keyRange(path);
    jump(key ? *key : node->at);
}

void DesignerPage::Private::applyFix(const Fix &fix)
{
    context->commitPending();
    const Result<void> done = controller->apply(fix);
    if (!done) {
        showRefused(done.error());
        controller->parseNow();
    }
}

std::optional<Fix> DesignerPage::Private::firstFix()
{
    controller->parseNow();
    for (const Diagnostic &diagnostic : controller->document().outcome().diagnostics) {
        if (diagnostic.severity == Severity::Error) {
            return diagnostic.fixes.isEmpty() ? std::nullopt : std::optional(diagnostic.fixes.first());
        }
    }
    return {};
}

QString DesignerPage::firstErrorFix()
{
    const std::optional<Fix> fix = d->firstFix();
    return fix ? fixTitle(*fix) : QString();
}

void DesignerPage::fixFirstError()
{
    if (const std::optional<Fix> fix = d->firstFix()) {
        d->applyFix(*fix);
    }
}

void DesignerPage::applyEdits(const QList<edit::Op> &ops)
{
    d->context->commitPending();
    d->context->edit(ops);
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
        editor->setSaved();
        fileBar->hide();
        return;
    }
    fileBar->show(InfoBar::Kind::Waiting,
        (editor->isModified() ? tr("The file was changed on disk, and here.") : tr("The file was changed on disk."))
            .toHtmlEscaped());
    QPushButton *reload = fileBar->addAction(tr("Reload"));
    reload->setObjectName(QStringLiteral("diskReload"));
    connect(reload, &QPushButton::clicked, this, [this, bytes] {
        // As an edit: what was here can be brought back with Undo.
        const qsizetype caret = editor->caret();
        if (bytes.size() > maxEditedBytes || editor->isReadOnly()) {
            load(bytes);
        } else {
            editor->applyEdits({{{0, editor->byteCount()}, bytes}}, Origin::Disk);
            editor->setSaved();
        }
        editor->setCaret(std::min(caret, editor->byteCount()));
        fileBar->hide();
    });
    if (compareAnswered) {
        QPushButton *compare = fileBar->addAction(tr("Compare"));
        compare->setObjectName(QStringLiteral("diskCompare"));
        connect(compare, &QPushButton::clicked, q, &DesignerPage::compareRequested);
    }
    QPushButton *keep = fileBar->addAction(tr("Keep mine"));
    keep->setObjectName(QStringLiteral("diskKeep"));
    connect(keep, &QPushButton::clicked, this, [this] {
        editor->setNeverSaved();
        fileBar->hide();
    });
}

bool DesignerPage::Private::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
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

DesignerPage::DesignerPage(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    setObjectName(QStringLiteral("designerPage"));
    setFocusProxy(d->editor);
    d->updateTitle();
}

DesignerPage::~DesignerPage()
{
    // A field that loses the focus commits what was typed: while everything is still there.
    if (QWidget *focused = QApplication::focusWidget(); focused && isAncestorOf(focused)) {
        focused->clearFocus();
    }
    delete d->form; // its fields sign off at the context, which goes with d
}

Result<void> DesignerPage::openFile(const QString &path)
{
    const Result<QByteArray> bytes = d->file->open(path);
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    d->suggestedName.clear();
    d->load(*bytes);
    return {};
}

void DesignerPage::newDocument(const QByteArray &bytes, const QString &suggestedName)
{
    d->file->close();
    d->suggestedName = suggestedName;
    d->load(bytes);
}

void DesignerPage::newConverted(const LegacyImport &import, const QString &oldName)
{
    restore({}, import.yaml, QFileInfo(oldName).completeBaseName() + QStringLiteral(".pai.yaml"));
    d->conversion->setReport(QFileInfo(oldName).fileName(), import.report);
}

void DesignerPage::restore(const QString &path, const QByteArray &bytes, const QString &suggestedName)
{
    if (path.isEmpty() || !openFile(path)) {
        newDocument(bytes, suggestedName.isEmpty() && !path.isEmpty() ? QFileInfo(path).fileName() : suggestedName);
        d->editor->setNeverSaved();
        return;
    }
    if (bytes != d->editor->bytes() && !d->editor->isReadOnly()) {
        d->editor->applyEdits({{{0, d->editor->byteCount()}, bytes}}, Origin::Disk);
    }
}

Result<void> DesignerPage::save()
{
    if (d->file->path().isEmpty()) {
        Q_EMIT saveAsRequested();
        return fail(QStringLiteral("file.no-path"));
    }
    return saveAs(d->file->path());
}

Result<void> DesignerPage::saveAs(const QString &path)
{
    d->context->commitPending();
    const Result<void> saved = d->file->save(path, d->editor->bytes());
    if (saved) {
        d->editor->setSaved();
        d->fileBar->hide();
        d->updateLimits();
        d->updateTitle();
    }
    return saved;
}

// The button is there when somebody answers it.
void DesignerPage::connectNotify(const QMetaMethod &signal)
{
    if (d && signal == QMetaMethod::fromSignal(&DesignerPage::previewRequested)) {
        d->preview->show();
        d->previewAction->setEnabled(true);
    }
    if (d && signal == QMetaMethod::fromSignal(&DesignerPage::compareRequested)) {
        d->compareAnswered = true;
    }
}

QByteArray DesignerPage::bytes() const { return d->editor->bytes(); }

QByteArray DesignerPage::bytes(bool flushForm)
{
    if (flushForm) {
        d->context->commitPending();
    }
    return d->editor->bytes();
}

QString DesignerPage::filePath() const { return d->file->path(); }

QString DesignerPage::displayName() const
{
    if (!d->file->path().isEmpty()) {
        return QFileInfo(d->file->path()).fileName();
    }
    return d->suggestedName.isEmpty() ? tr("Untitled") : d->suggestedName;
}

bool DesignerPage::isModified() const { return d->editor->isModified(); }
bool DesignerPage::isReadOnly() const { return d->editor->isReadOnly(); }
bool DesignerPage::canRun() const { return d->runnable; }
QStringList DesignerPage::runBlockers() const { return d->runnable ? QStringList() : d->blockers; }
int DesignerPage::errorCount() const { return d->problems->errorCount(); }
int DesignerPage::warningCount() const { return d->problems->warningCount(); }
void DesignerPage::setHosts(const QList<HostInfo> &hosts) { d->context->setHosts(hosts); }
void DesignerPage::setStorages(const QStringList &names) { d->context->setStorages(names); }

void DesignerPage::setViewMode(ViewMode mode)
{
    d->form->setVisible(mode != ViewMode::Yaml);
    d->editor->setVisible(mode != ViewMode::Form);
    d->modes->setCurrentIndex(int(mode));
    if (d->mode != mode) {
        d->mode = mode;
        Q_EMIT viewModeChanged(mode);
    }
}

DesignerPage::ViewMode DesignerPage::viewMode() const { return d->mode; }

void DesignerPage::setProblemsVisible(bool visible)
{
    d->problemsWanted = visible;
    d->problems->setVisible(visible);
}

bool DesignerPage::problemsVisible() const { return d->problemsWanted; }

QByteArray DesignerPage::saveLayout() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << qint32(1) << qint32(d->mode) << d->problemsWanted << d->halves->saveState() << d->rows->saveState();
    return bytes;
}

void DesignerPage::restoreLayout(const QByteArray &layout)
{
    QDataStream stream(layout);
    stream.setVersion(QDataStream::Qt_6_4);
    qint32 version = 0;
    qint32 mode = 0;
    bool problemsWanted = true;
    QByteArray halves;
    QByteArray rows;
    stream >> version >> mode >> problemsWanted >> halves >> rows;
    if (stream.status() != QDataStream::Ok || version != 1 || mode < 0 || mode > int(ViewMode::Yaml)) {
        return;
    }
    d->halves->restoreState(halves);
    d->rows->restoreState(rows);
    d->halves->setHandleWidth(1);
    d->rows->setHandleWidth(1);
    d->problemsSized = true;
    setViewMode(ViewMode(mode));
    setProblemsVisible(problemsWanted);
}

QAction *DesignerPage::undoAction() const { return d->undo; }
QAction *DesignerPage::redoAction() const { return d->redo; }
QList<QAction *> DesignerPage::pageActions() const { return d->actions; }

void DesignerPage::setSecretVault(SecretVault *vault)
{
    d->context->setVault(vault);
    d->context->refresh();
}

void DesignerPage::setKnownClusters(const std::function<QStringList()> &clusters)
{
    d->context->setKnownClusters(clusters);
    d->context->refresh();
}

void DesignerPage::undo()
{
    d->context->commitPending(); // what is being typed is the newest step
    d->editBar->hide();
    d->mentions->hide();
    d->editor->undo();
    d->controller->parseNow();
}

void DesignerPage::redo()
{
    d->context->commitPending();
    d->editor->redo();
    d->controller->parseNow();
}

void DesignerPage::jumpTo(qint64 line, qint64 column)
{
    const qsizetype offset = d->editor->offsetOf({qsizetype(line), qsizetype(column)});
    d->jump({offset, offset});
}

void DesignerPage::showFind()
{
    if (d->mode == ViewMode::Form) {
        setViewMode(ViewMode::Both);
    }
    d->editor->showFind(false);
}

void DesignerPage::nextProblem() { d->problems->step(1, d->editor->caret()); }
void DesignerPage::previousProblem() { d->problems->step(-1, d->editor->caret()); }

} // namespace trainyard
