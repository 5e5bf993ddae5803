// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/yamleditor.h"

#include "model/protocol/shownsecrets.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/textsize.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/findbar.h"
#include "widgets/editor/fixbar.h"
#include "widgets/editor/lineedits.h"
#include "widgets/editor/markedscrollbar.h"
#include "widgets/editor/secretcover.h"
#include "widgets/editor/yamlassist.h"

#include <QAction>
#include <QBoxLayout>
#include <QEvent>
#include <QTimer>

namespace trainyard
{
namespace
{

enum Margin { SymbolMargin = 0, NumberMargin = 1, FoldMargin = 2 };
constexpr int symbolMarginWidth = 18;
constexpr int numberMarginWidth = 34;
constexpr int foldMarginWidth = 18;

} // namespace

YamlEditor::YamlEditor(QWidget *parent) : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_view = new CodeView(CodeView::Language::Yaml, this);
    m_view->setObjectName(QStringLiteral("yamlText"));
    m_view->setAccessibleName(tr("YAML text of the job"));
    m_scroll = new MarkedScrollBar;
    m_view->replaceVerticalScrollBar(m_scroll);
    m_find = new FindBar(m_view, this);
    m_fixes = new FixBar(m_view->viewport());
    m_cover = new SecretCover(m_view, this);
    connect(m_cover, &SecretCover::changed, this, &YamlEditor::drawSquiggles);
    column->addWidget(m_view, 1);
    column->addWidget(m_find);
    setFocusProxy(m_view);

    m_view->setMarginType(SymbolMargin, QsciScintilla::SymbolMargin);
    m_view->setMarginMarkerMask(
        SymbolMargin, (1 << CodeView::ErrorMark) | (1 << CodeView::WarningMark) | (1 << CodeView::NoteMark));
    m_view->setMarginWidth(SymbolMargin, symbolMarginWidth);
    m_view->setMarginSensitivity(SymbolMargin, true);
    m_view->setMarginType(NumberMargin, QsciScintilla::NumberMargin);
    m_view->setMarginMarkerMask(NumberMargin, 0);
    m_view->setMarginWidth(NumberMargin, numberMarginWidth);
    m_view->setMarginType(FoldMargin, QsciScintilla::SymbolMargin);
    m_view->setMarginMarkerMask(FoldMargin, int(QsciScintillaBase::SC_MASK_FOLDERS));
    m_view->setMarginWidth(FoldMargin, foldMarginWidth);
    m_view->setMarginSensitivity(FoldMargin, true);
    m_view->SendScintilla(QsciScintillaBase::SCI_SETAUTOMATICFOLD,
        QsciScintillaBase::SC_AUTOMATICFOLD_SHOW | QsciScintillaBase::SC_AUTOMATICFOLD_CHANGE);
    m_view->SendScintilla(QsciScintillaBase::SCI_FOLDDISPLAYTEXTSETSTYLE, QsciScintillaBase::SC_FOLDDISPLAYTEXT_BOXED);
    m_view->SendScintilla(QsciScintillaBase::SCI_SETFOLDFLAGS, 0);
    m_view->SendScintilla(QsciScintillaBase::SCI_SETINDENTATIONGUIDES, QsciScintillaBase::SC_IV_LOOKBOTH);
    m_view->setCaretLineVisible(true);
    m_view->SendScintilla(QsciScintillaBase::SCI_SETCARETLINEVISIBLEALWAYS, true);
    m_view->SendScintilla(QsciScintillaBase::SCI_SETMOUSEDWELLTIME, 400);
    m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONSETVISIBLE, QsciScintillaBase::ANNOTATION_STANDARD);
    applyTheme();

    connect(m_view, &CodeView::themeChanged, this, &YamlEditor::applyTheme);
    const auto fitNumbers = [this] {
        const auto widthOf
            = [](const QFont &font) { return QFontMetrics(font).horizontalAdvance(QStringLiteral("0000")); };
        const TextSize *size = TextSize::code();
        m_view->setMarginWidth(
            NumberMargin, numberMarginWidth + std::max(0, widthOf(size->font()) - widthOf(size->font(0))));
    };
    connect(m_view, &QsciScintillaBase::SCN_ZOOM, this, fitNumbers);
    fitNumbers();
    m_typing = new QTimer(this);
    m_typing->setSingleShot(true);
    m_typing->setInterval(500);
    connect(m_typing, &QTimer::timeout, this, &YamlEditor::updateFixBar);
    connect(m_view, &CodeView::typed, this, [this] { m_typing->start(); });
    connect(m_view, &CodeView::bytesChanged, this, &YamlEditor::bytesChanged);
    connect(m_view, &CodeView::undoStateChanged, this, &YamlEditor::undoStateChanged);
    connect(m_view, &CodeView::caretMoved, this, [this](qsizetype offset) {
        updateFixBar();
        Q_EMIT caretMoved(offset);
    });
    connect(m_view, &QsciScintillaBase::SCN_SAVEPOINTLEFT, this, &YamlEditor::setModifiedState);
    connect(m_view, &QsciScintillaBase::SCN_SAVEPOINTREACHED, this, &YamlEditor::setModifiedState);
    connect(m_view, &QsciScintilla::marginClicked, this,
        [this](int margin, int line, Qt::KeyboardModifiers) { handleMarginClick(margin, line); });
    connect(m_view, &QsciScintillaBase::SCN_PAINTED, this, &YamlEditor::updateMarks);
    connect(m_view, &QsciScintillaBase::SCN_MODIFIED, this,
        [this](int position, int type, const char *, int length, int, int, int, int, int, int) {
            if (type & (QsciScintillaBase::SC_MOD_INSERTTEXT | QsciScintillaBase::SC_MOD_DELETETEXT)) {
                keepDiagnosticsInPlace(position, length, type & QsciScintillaBase::SC_MOD_INSERTTEXT);
            }
        });
    connect(m_fixes, &FixBar::fixRequested, this, &YamlEditor::fixRequested);
    connect(m_find, &FindBar::hitsChanged, this, [this](const QList<qsizetype> &lines) {
        QList<MarkedScrollBar::Mark> marks;
        const double total = double(std::max<qsizetype>(1, m_view->lines() - 1));
        for (const qsizetype line : lines) {
            marks.append({double(line) / total, Colour::CurrentHit, 2});
        }
        m_scroll->setMarks(0, marks);
    });
    m_view->viewport()->installEventFilter(this);
    m_assist = new YamlAssist(m_view, [this](qsizetype offset) { return diagnosticsAt(offset); });
    connect(m_assist, &YamlAssist::jumpRequested, this, [this](ByteRange range) {
        remember();
        m_view->setFocus();
        m_view->setCaret(range.begin);
    });
    buildActions();
}

void YamlEditor::buildActions()
{
    const auto add = [this](const QString &text, const char *objectName, const QKeySequence &keys, auto slot) {
        auto *action = new QAction(text, this);
        action->setObjectName(QLatin1String(objectName));
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setStatusTip(text);
        connect(action, &QAction::triggered, this, slot);
        m_view->addAction(action);
        m_actions.append(action);
    };
    add(tr("Trigger suggestions"), "actionSuggest", Qt::CTRL | Qt::Key_Space, [this] { m_assist->suggest(); });
    add(tr("Help for this place"), "actionHelpHere", Qt::Key_F1, [this] { m_assist->showHelp(); });
    add(tr("Go to the definition"), "actionDefinition", Qt::Key_F12, [this] { m_assist->goToDefinition(); });
    add(tr("Show all uses"), "actionUses", Qt::SHIFT | Qt::Key_F12, [this] { m_assist->showUses(); });
    add(tr("Back"), "actionBack", Qt::ALT | Qt::Key_Left, [this] { goBack(); });
    add(tr("Forward"), "actionForward", Qt::ALT | Qt::Key_Right, [this] { goForward(); });
    add(tr("Duplicate the line"), "actionDuplicateLine", Qt::CTRL | Qt::ALT | Qt::Key_D,
        [this] { lineedits::duplicate(m_view); });
    add(tr("Move lines up"), "actionMoveLinesUp", Qt::ALT | Qt::Key_Up, [this] { lineedits::move(m_view, -1); });
    add(tr("Move lines down"), "actionMoveLinesDown", Qt::ALT | Qt::Key_Down, [this] { lineedits::move(m_view, 1); });
    add(tr("Indent lines like the text above"), "actionReindent", Qt::CTRL | Qt::Key_I,
        [this] { lineedits::reindent(m_view); });
    add(tr("Add cursor above"), "actionCaretAbove", Qt::CTRL | Qt::ALT | Qt::Key_Up,
        [this] { lineedits::addCaret(m_view, -1); });
    add(tr("Add cursor below"), "actionCaretBelow", Qt::CTRL | Qt::ALT | Qt::Key_Down,
        [this] { lineedits::addCaret(m_view, 1); });
    add(tr("Add next occurrence to selection"), "actionSelectNext", Qt::CTRL | Qt::Key_D,
        [this] { lineedits::selectNext(m_view); });
    add(tr("Fold"), "actionFold", Qt::CTRL | Qt::SHIFT | Qt::Key_BracketLeft, [this] { toggleFoldAtCaret(true); });
    add(tr("Unfold"), "actionUnfold", Qt::CTRL | Qt::SHIFT | Qt::Key_BracketRight,
        [this] { toggleFoldAtCaret(false); });
    add(tr("Wrap long lines"), "actionWrapLines", Qt::ALT | Qt::Key_Z, [this] { setWrapped(m_wrap->isChecked()); });
    m_wrap = m_actions.constLast();
    m_wrap->setCheckable(true);
}

bool YamlEditor::isWrapped() const { return m_view->wrapMode() != QsciScintilla::WrapNone; }

void YamlEditor::setWrapped(bool on)
{
    m_wrap->setChecked(on);
    if (on == isWrapped()) {
        return;
    }
    m_view->setWrapMode(on ? QsciScintilla::WrapWord : QsciScintilla::WrapNone);
    m_view->setWrapIndentMode(QsciScintilla::WrapIndentIndented); // what goes on stands right of the keys
    m_view->SendScintilla(QsciScintillaBase::SCI_SCROLLCARET);
    Q_EMIT wrappedChanged(on);
}

void YamlEditor::setSnapshot(const YamlDocument &document, const JobSpec *job, quint64 revision)
{
    m_assist->setSnapshot(document, job, revision);
    if (revision == m_view->revision()) {
        m_cover->setValues(secretRangesIn(document), document.isComplete());
    }
}

bool YamlEditor::isCovered(qsizetype offset) const { return m_cover->isCovered(offset); }

void YamlEditor::remember()
{
    const qsizetype caret = m_view->caret();
    if (m_back.isEmpty() || m_view->lineOf(m_back.last()) != m_view->lineOf(caret)) {
        m_back.append(caret);
        if (m_back.size() > 100) {
            m_back.removeFirst();
        }
    }
    m_forward.clear();
}

void YamlEditor::travel(QList<qsizetype> &from, QList<qsizetype> &to)
{
    while (!from.isEmpty()) {
        const qsizetype place = from.takeLast();
        if (m_view->lineOf(place) != m_view->lineOf(m_view->caret())) {
            to.append(m_view->caret());
            m_view->setFocus();
            m_view->setCaret(place);
            return;
        }
    }
}

void YamlEditor::goBack() { travel(m_back, m_forward); }

void YamlEditor::goForward() { travel(m_forward, m_back); }

YamlEditor::~YamlEditor() = default;

bool YamlEditor::canUndo() const { return m_view->canUndo(); }

bool YamlEditor::canRedo() const { return m_view->canRedo(); }

void YamlEditor::undo() { m_view->SendScintilla(QsciScintillaBase::SCI_UNDO); }

void YamlEditor::redo() { m_view->SendScintilla(QsciScintillaBase::SCI_REDO); }

void YamlEditor::endTyping() { m_view->endTyping(); }

void YamlEditor::setReadOnly(bool readOnly) { m_view->setReadOnly(readOnly || isShortened()); }

bool YamlEditor::isReadOnly() const { return m_view->isReadOnly(); }

qsizetype YamlEditor::caret() const { return m_view->caret(); }

void YamlEditor::setCaret(qsizetype offset) { m_view->setCaret(offset); }

void YamlEditor::select(ByteRange range) { m_view->select(range); }

LineColumn YamlEditor::positionOf(qsizetype offset) const
{
    const qsizetype line = m_view->lineOf(offset);
    const qsizetype start = m_view->lineStart(line);
    qsizetype column
        = m_view->SendScintilla(QsciScintillaBase::SCI_COUNTCHARACTERS, static_cast<unsigned long>(start), long(offset))
        + 1;
    if (line == 0 && column > 1 && m_view->bytesIn({0, 3}) == "\xEF\xBB\xBF") {
        --column;
    }
    return {line + 1, column};
}

qsizetype YamlEditor::offsetOf(LineColumn position) const
{
    const qsizetype line = std::clamp<qsizetype>(position.line - 1, 0, m_view->lines() - 1);
    const qsizetype start = m_view->lineStart(line);
    const qsizetype extra = line == 0 && m_view->bytesIn({0, 3}) == "\xEF\xBB\xBF" ? 1 : 0;
    const qsizetype offset = m_view->SendScintilla(QsciScintillaBase::SCI_POSITIONRELATIVE,
        static_cast<unsigned long>(start), long(std::max<qsizetype>(0, position.column - 1) + extra));
    const qsizetype end = m_view->lineEnd(line);
    return offset <= 0 && position.column > 1 ? end : std::clamp(offset, start, end);
}

void YamlEditor::updateMarks()
{
    if (m_fixLine < 0) {
        return;
    }
    const bool shown
        = m_view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, static_cast<unsigned long>(m_fixLine)) != 0
        && m_fixLine < m_view->lines();
    const long start
        = m_view->SendScintilla(QsciScintillaBase::SCI_POSITIONFROMLINE, static_cast<unsigned long>(m_fixLine));
    const long height = m_view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL);
    const long top = m_view->SendScintilla(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0UL, start) + height;
    const int left = symbolMarginWidth + m_view->marginWidth(NumberMargin) + foldMarginWidth;
    const QRect place(left, int(top), m_view->viewport()->width() - left, int(height));
    if (!shown || place.bottom() < 0 || place.top() > m_view->viewport()->height()) {
        m_fixes->hide();
        return;
    }
    if (m_fixes->geometry() != place) {
        m_fixes->setGeometry(place);
    }
    m_fixes->show();
}

void YamlEditor::handleMarginClick(int margin, int line)
{
    if (margin == FoldMargin) {
        toggleFold(line);
    } else if (const Diagnostic *diagnostic = diagnosticOnLine(line)) {
        m_view->setCaret(std::min(diagnostic->at.begin, m_view->byteCount()));
        m_view->setFocus();
    }
}

void YamlEditor::showFind(bool replace) { m_find->open(replace); }

void YamlEditor::findNext()
{
    if (m_find->isHidden()) {
        m_find->open(false);
    } else {
        m_find->next();
    }
}

void YamlEditor::findPrevious()
{
    if (m_find->isHidden()) {
        m_find->open(false);
    } else {
        m_find->previous();
    }
}

void YamlEditor::toggleComment() { m_view->toggleComment(); }

bool YamlEditor::eventFilter(QObject *watched, QEvent *event)
{
    if ((event->type() == QEvent::Show || event->type() == QEvent::Resize)
        && m_markRatio != m_view->devicePixelRatioF()) {
        applyTheme(); // the window has come to another screen
    }
    if (event->type() == QEvent::Resize) {
        QTimer::singleShot(0, this, &YamlEditor::updateMarks);
    }
    return QWidget::eventFilter(watched, event);
}

void YamlEditor::applyTheme()
{
    m_markRatio = m_view->devicePixelRatioF();
    m_view->SendScintilla(
        QsciScintillaBase::SCI_RGBAIMAGESETSCALE, static_cast<unsigned long>(qRound(100 * m_markRatio)));
    const auto marker = [&](int number, const QString &name, Colour role, int size) {
        const QImage image = iconPixmap(name, size, m_markRatio, colour(role, this)).toImage();
        m_view->markerDefine(image, number);
    };
    marker(CodeView::ErrorMark, QStringLiteral("error"), Colour::Failed, metrics::tinyIcon);
    marker(CodeView::WarningMark, QStringLiteral("warning"), Colour::Waiting, metrics::tinyIcon);
    marker(CodeView::NoteMark, QStringLiteral("info"), Colour::Muted, metrics::tinyIcon);
    for (const int number : {int(QsciScintillaBase::SC_MARKNUM_FOLDER), int(QsciScintillaBase::SC_MARKNUM_FOLDEREND)}) {
        marker(number, QStringLiteral("chevron-right"), Colour::Muted, metrics::tinyIcon);
    }
    for (const int number :
        {int(QsciScintillaBase::SC_MARKNUM_FOLDEROPEN), int(QsciScintillaBase::SC_MARKNUM_FOLDEROPENMID)}) {
        marker(number, QStringLiteral("chevron-down"), Colour::Muted, metrics::tinyIcon);
    }
    for (const int number : {int(QsciScintillaBase::SC_MARKNUM_FOLDERSUB),
             int(QsciScintillaBase::SC_MARKNUM_FOLDERTAIL), int(QsciScintillaBase::SC_MARKNUM_FOLDERMIDTAIL)}) {
        m_view->markerDefine(QsciScintilla::Invisible, number);
    }
}

} // namespace trainyard
