// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/conversionreport.h"
#include "widgets/form/designerpage_p.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/documentfile.h"
#include "widgets/form/mentionsbar.h"
#include "widgets/form/problemsview.h"

#include <QAction>
#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

// The parts of a designer page.
namespace trainyard
{
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
    checkTimer = new QTimer(this);
    checkTimer->setSingleShot(true);
    checkTimer->setInterval(300); // most texts are checked between two keys
    connect(checkTimer, &QTimer::timeout, this, &Private::sayChecking);
    calmTimer = new QTimer(this);
    calmTimer->setSingleShot(true);
    calmTimer->setInterval(600);
    connect(calmTimer, &QTimer::timeout, this, [this] { form->setLock(lock); });
    connect(caretTimer, &QTimer::timeout, this, [this] { handleCaret(editor->caret()); });
    connect(editor, &YamlEditor::caretMoved, this, [this](qsizetype offset) {
        const LineColumn at = editor->positionOf(offset);
        Q_EMIT q->cursorMoved(at.line, at.column);
        followsCaret = !movedByEdit;
        movedByEdit = false;
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
        Q_EMIT q->textChanged();
        movedByEdit = true;
        followsCaret = false;
        if (!checkTimer->isActive()) {
            checkTimer->start();
        }
        if (origin == Origin::Text) {
            if (!editBar->isOf(stayingNotice)) {
                editBar->hide();
            }
            problems->arrange();
        } else if (origin == Origin::Disk) {
            mentions->hide();
        }
    });
    connect(editor, &YamlEditor::fixRequested, this, &Private::applyFix);
    connect(editor, &YamlEditor::wrappedChanged, q, &DesignerPage::textWrappedChanged);
    connect(controller, &DocumentController::snapshotChanged, this, &Private::handleSnapshot);
    connect(context, &FormContext::limitsChanged, this, &Private::handleSnapshot);
    connect(controller, &DocumentController::editRefused, this, &Private::showRefused);
    connect(context, &FormContext::fieldFocused, this, &Private::handleFieldFocus);
    connect(context, &FormContext::jumpRequested, this, &Private::jumpToPath);
    connect(context, &FormContext::fixRequested, this, &Private::applyFix);
    connect(form, &JobForm::placeWanted, this, [this](const LineColumn &at) { q->jumpTo(at.line, at.column); });
    connect(problems, &ProblemsView::jumpRequested, this, &Private::jump);
    connect(conversion, &ConversionReport::warns, problems, &ProblemsView::setConversionWarns);
    connect(problems, &ProblemsView::fixRequested, this, &Private::applyFix);
    connect(problems, &ProblemsView::comfortableHeightChanged, this, &Private::fitProblems, Qt::QueuedConnection);
    connect(rows, &QSplitter::splitterMoved, this, [this] { problemsSized = true; });
    connect(problems, &ProblemsView::closeRequested, this, [this] { q->setProblemsVisible(false); });
    connect(file, &DocumentFile::changedOnDisk, this, &Private::showChangedOnDisk);
    connect(file, &DocumentFile::removedFromDisk, this, [this] {
        const bool hasFolder = QFileInfo::exists(QFileInfo(file->path()).path());
        fileBar->show(InfoBar::Kind::Waiting,
            (hasFolder ? tr("The file is no longer on disk. Save writes it again.")
                       : tr("The file and its folder are no longer on disk. Save it in another place."))
                .toHtmlEscaped());
        if (!hasFolder) {
            QPushButton *elsewhere = fileBar->addAction(tr("Save as…"));
            elsewhere->setObjectName(QStringLiteral("fileSaveAs"));
            connect(elsewhere, &QPushButton::clicked, q, &DesignerPage::saveAsRequested);
        }
        editor->setNeverSaved();
    });
    connect(file, &DocumentFile::returnedToDisk, this, [this](const QByteArray &bytes) {
        fileBar->hide();
        updateLimits();
        if (bytes == editor->bytes()) {
            editor->setSaved();
        }
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
        if (mode == ViewMode::Form) {
            q->setViewMode(ViewMode::Both);
        }
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
    name = new ElidedLabel;
    name->setObjectName(QStringLiteral("documentName"));
    name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
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
        action->setToolTip(
            plainTip(keys.isEmpty() ? action->text() : QStringLiteral("%1 (%2)").arg(action->text(), keys)));
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

// Beside each other where the form is not cut off then, else below each other.
void DesignerPage::Private::arrangeHalves()
{
    const QSize needed = form->widget()->minimumSizeHint().expandedTo(form->widget()->minimumSize());
    const int ofForm = std::max(form->minimumWidth(), needed.width() + metrics::scrollBar);
    const bool fits = q->width() >= ofForm + editor->minimumWidth() + halves->handleWidth();
    const Qt::Orientation orientation = fits ? Qt::Horizontal : Qt::Vertical;
    if (halves->orientation() != orientation) {
        halves->setOrientation(orientation);
        halves->setSizes(fits ? QList<int>{606, 586} : QList<int>{320, 240}); // they keep this ratio
    }
}

} // namespace trainyard
