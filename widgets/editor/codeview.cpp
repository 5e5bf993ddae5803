// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/codeview.h"

#include "widgets/common/textsize.h"

#include <QGuiApplication>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QTimer>

#include <algorithm>
#include <utility>

// The text itself: its bytes, positions and edits.
namespace trainyard
{
namespace
{

const char bashWords[]
    = "alias bash bg bind break builtin case cat cd chmod chown command continue cp curl declare do done "
      "echo elif else esac eval exec exit export false fi for function git grep hash head if in kill let "
      "local ln ls mkdir mv nohup pip pip3 printf pushd popd python python3 pwd read readonly return rm "
      "rsync sed select set sh shift shopt sleep source ssh sudo tail tar tee test then time touch trap "
      "true type ulimit umask unset until wait wget while xargs";

} // namespace

CodeView::CodeView(Language language, QWidget *parent)
    : QsciScintilla(parent), m_language(language),
      m_ground(language == Language::Bash ? Colour::Field : Colour::Surface)
{
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    SendScintilla(SCI_SETLEXER, language == Language::Bash ? SCLEX_BASH : SCLEX_CONTAINER);
    if (language == Language::Bash) {
        SendScintilla(SCI_SETKEYWORDS, 0UL, bashWords);
    }
    setIndentationsUseTabs(false);
    setTabWidth(2);
    setTabIndents(true);
    setBackspaceUnindents(true);
    setBraceMatching(QsciScintilla::SloppyBraceMatch);
    SendScintilla(SCI_SETMULTIPLESELECTION, true);
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, true);
    SendScintilla(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
    SendScintilla(SCI_SETVIRTUALSPACEOPTIONS, SCVS_RECTANGULARSELECTION);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    SendScintilla(SCI_SETSCROLLWIDTHTRACKING, true);
    SendScintilla(SCI_SETENDATLASTLINE, true);
    SendScintilla(SCI_SETPASTECONVERTENDINGS, true);
    SendScintilla(SCI_SETCARETWIDTH, 2);
    SendScintilla(SCI_SETYCARETPOLICY, CARET_SLOP | CARET_STRICT | CARET_EVEN, 3L);
    // The page's and the editor's actions have these keys, for the form as well.
    constexpr int ctrl = int(Qt::CTRL);
    constexpr int shift = int(Qt::SHIFT);
    constexpr int alt = int(Qt::ALT);
    for (const Qt::Key key : {Qt::Key_Z, Qt::Key_Y, Qt::Key_L, Qt::Key_D, Qt::Key_T, Qt::Key_U, Qt::Key_I,
             Qt::Key_Slash, Qt::Key_Backslash, Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::Key_Space, Qt::Key_Plus,
             Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0}) {
        releaseKeys({key | ctrl, key | ctrl | shift});
    }
    releaseKeys({Qt::Key_Up | alt, Qt::Key_Down | alt, Qt::Key_Left | alt, Qt::Key_Right | alt, Qt::Key_Up | alt | ctrl,
        Qt::Key_Down | alt | ctrl});
    for (int margin = 0; margin < 5; ++margin) {
        setMarginWidth(margin, 0);
    }
    connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
        [this](int, int type, const char *, int, int, int, int, int, int, int) { handleModified(type); });
    connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, &CodeView::handleUpdateUi);
    connect(this, &QsciScintillaBase::SCN_CHARADDED, this, [this](int c) { Q_EMIT typed(char32_t(c)); });
    if (language == Language::Yaml) {
        connect(this, &QsciScintillaBase::SCN_STYLENEEDED, this, &CodeView::styleTo);
    }
    CodeView::applyTheme();
    TextSize::code()->follow(this, [this] { SendScintilla(SCI_SETZOOM, long(TextSize::code()->steps())); });
}

CodeView::~CodeView() = default;

// Takes the keys away from Scintilla, and from QScintilla, which would claim them before any action sees them.
void CodeView::releaseKeys(std::initializer_list<int> keys)
{
    for (const int key : keys) {
        if (QsciCommand *command = standardCommands()->boundTo(key)) {
            if (command->alternateKey() == key) {
                command->setAlternateKey(0);
            } else {
                command->setKey(0);
            }
        }
    }
}

QByteArray CodeView::allBytes() const
{
    const auto *text = static_cast<const char *>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER));
    return QByteArray(text, byteCount());
}

qsizetype CodeView::byteCount() const { return SendScintilla(SCI_GETLENGTH); }

QByteArray CodeView::bytesIn(ByteRange range) const
{
    range.begin = std::clamp<qsizetype>(range.begin, 0, byteCount());
    range.end = std::clamp<qsizetype>(range.end, range.begin, byteCount());
    if (range.length() == 0) {
        return {};
    }
    QByteArray text(range.length() + 1, '\0');
    SendScintilla(SCI_GETTEXTRANGE, at(range.begin), at(range.end), text.data());
    text.chop(1);
    return text;
}

char CodeView::byteAt(qsizetype offset) const { return char(SendScintilla(SCI_GETCHARAT, at(offset))); }

void CodeView::setAllBytes(const QByteArray &bytes)
{
    m_replacing = true;
    const bool wasReadOnly = isReadOnly();
    SendScintilla(SCI_SETREADONLY, false);
    SendScintilla(SCI_SETUNDOCOLLECTION, false);
    SendScintilla(SCI_CLEARALL);
    SendScintilla(SCI_ADDTEXT, uat(bytes.size()), bytes.constData());
    SendScintilla(SCI_SETUNDOCOLLECTION, true);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    SendScintilla(SCI_SETSAVEPOINT);
    endLinesAs(bytes);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    SendScintilla(SCI_GOTOPOS, 0UL);
    SendScintilla(SCI_SETREADONLY, wasReadOnly);
    m_replacing = false;
    ++m_revision;
    updateReferences();
    Q_EMIT bytesChanged(Origin::Disk);
    Q_EMIT undoStateChanged();
}

void CodeView::endLinesAs(const QByteArray &bytes)
{
    const qsizetype feed = bytes.indexOf('\n');
    const qsizetype carriage = bytes.indexOf('\r');
    const int mode = carriage >= 0 && feed == carriage + 1 ? SC_EOL_CRLF
        : carriage >= 0 && feed < 0                        ? SC_EOL_CR
                                                           : SC_EOL_LF;
    SendScintilla(SCI_SETEOLMODE, mode);
}

void CodeView::applyEdits(const TextEdits &edits, Origin origin)
{
    if (edits.isEmpty()) {
        return;
    }
    m_replacing = true;
    SendScintilla(SCI_BEGINUNDOACTION);
    for (auto edit = edits.crbegin(); edit != edits.crend(); ++edit) {
        SendScintilla(SCI_SETTARGETRANGE, uat(edit->range.begin), at(edit->range.end));
        SendScintilla(SCI_REPLACETARGET, uat(edit->text.size()), edit->text.constData());
    }
    SendScintilla(SCI_ENDUNDOACTION);
    m_replacing = false;
    ++m_revision;
    const ByteRange &first = edits.first().range;
    updateReferences(edits.size() == 1 ? std::optional(ByteRange{first.begin, first.begin + edits.first().text.size()})
                                       : std::nullopt);
    Q_EMIT bytesChanged(origin);
    Q_EMIT undoStateChanged();
}

qsizetype CodeView::caret() const { return SendScintilla(SCI_GETCURRENTPOS); }

void CodeView::setCaret(qsizetype offset)
{
    SendScintilla(SCI_GOTOPOS, uat(std::clamp<qsizetype>(offset, 0, byteCount())));
    SendScintilla(SCI_CHOOSECARETX); // Up and Down go on from here
    reveal(offset);
    showLineStart();
}

// A line is read from its beginning: the text stands further to the left only where the caret would be out of sight.
void CodeView::showLineStart()
{
    const long offset = SendScintilla(SCI_GETXOFFSET);
    if (offset <= 0) {
        return;
    }
    const long x = SendScintilla(SCI_POINTXFROMPOSITION, 0UL, at(caret())) + offset;
    if (x + SendScintilla(SCI_GETCARETWIDTH) < viewport()->width()) {
        SendScintilla(SCI_SETXOFFSET, 0UL);
    }
}

// After the end of a long line, a short line is shown from its beginning when the caret moves there or an undo leads
// there. This does not happen while a button is down, because the text would move below the pointer that selects it.
void CodeView::showWhereOneIs()
{
    if (QGuiApplication::mouseButtons() == Qt::NoButton && std::exchange(m_wentElsewhere, false) && hasFocus()) {
        showLineStart();
    }
}

void CodeView::mouseReleaseEvent(QMouseEvent *event)
{
    QsciScintilla::mouseReleaseEvent(event);
    showWhereOneIs();
}

void CodeView::select(ByteRange range)
{
    SendScintilla(SCI_ENSUREVISIBLE, uat(lineOf(range.end)));
    SendScintilla(SCI_SETSEL, uat(range.begin), at(range.end));
    reveal(range.begin);
}

void CodeView::reveal(qsizetype offset)
{
    const qsizetype line = lineOf(offset);
    SendScintilla(SCI_ENSUREVISIBLEENFORCEPOLICY, uat(line));
    const long visible = SendScintilla(SCI_VISIBLEFROMDOCLINE, uat(line));
    const long first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    const long page = SendScintilla(SCI_LINESONSCREEN);
    if (page > 4 && (visible < first || visible >= first + page)) {
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, visible - page / 3)));
    }
}

// A bar that comes above or below takes its height from here: the line that the user types in stays in sight.
void CodeView::resizeEvent(QResizeEvent *event)
{
    QsciScintilla::resizeEvent(event);
    const long height = std::max(1L, SendScintilla(SCI_TEXTHEIGHT, 0UL));
    const long before = event->oldSize().height() / height;
    const long now = event->size().height() / height;
    const long first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    const long line = SendScintilla(SCI_VISIBLEFROMDOCLINE, uat(lineOf(caret()))) - first;
    if (now > 0 && line >= now && line < before) {
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(first + line - now + 1));
    }
}

qsizetype CodeView::lineOf(qsizetype offset) const { return SendScintilla(SCI_LINEFROMPOSITION, uat(offset)); }

qsizetype CodeView::lineStart(qsizetype line) const { return SendScintilla(SCI_POSITIONFROMLINE, uat(line)); }

qsizetype CodeView::lineEnd(qsizetype line) const { return SendScintilla(SCI_GETLINEENDPOSITION, uat(line)); }

qsizetype CodeView::lines() const { return SendScintilla(SCI_GETLINECOUNT); }

bool CodeView::canUndo() const { return SendScintilla(SCI_CANUNDO) != 0; }

bool CodeView::canRedo() const { return SendScintilla(SCI_CANREDO) != 0; }

void CodeView::fillIndicator(int indicator, ByteRange range)
{
    SendScintilla(SCI_SETINDICATORCURRENT, indicator);
    SendScintilla(SCI_INDICATORFILLRANGE, uat(range.begin), at(range.length()));
}

void CodeView::clearIndicator(int indicator) { clearIndicator(indicator, {0, byteCount()}); }

void CodeView::clearIndicator(int indicator, ByteRange range)
{
    SendScintilla(SCI_SETINDICATORCURRENT, indicator);
    SendScintilla(SCI_INDICATORCLEARRANGE, uat(range.begin), at(range.length()));
}

bool CodeView::hasIndicator(int indicator, qsizetype offset) const
{
    return SendScintilla(SCI_INDICATORVALUEAT, uat(indicator), at(offset)) != 0;
}

void CodeView::setStyled(bool styled)
{
    if (m_styled == styled) {
        return;
    }
    m_styled = styled;
    const int lexer = !styled ? SCLEX_NULL : m_language == Language::Bash ? SCLEX_BASH : SCLEX_CONTAINER;
    SendScintilla(SCI_SETLEXER, lexer);
    if (!styled) {
        SendScintilla(SCI_CLEARDOCUMENTSTYLE);
    }
}

void CodeView::handleModified(int type)
{
    if (!(type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)) || m_replacing) {
        return;
    }
    ++m_revision;
    if (m_language == Language::Bash && !m_referencesPending) {
        m_referencesPending = true;
        QTimer::singleShot(0, this, [this] { updateReferences(); });
    }
    if (type & (SC_PERFORMED_UNDO | SC_PERFORMED_REDO)) {
        m_wentElsewhere = true;
        QTimer::singleShot(0, this, &CodeView::showWhereOneIs);
    }
    Q_EMIT bytesChanged(type & (SC_PERFORMED_UNDO | SC_PERFORMED_REDO) ? Origin::Undo : Origin::Text);
    Q_EMIT undoStateChanged();
}

// Told by Scintilla from within its painting: what follows may change sizes and texts, so it waits for the event loop.
void CodeView::handleUpdateUi(int)
{
    if ((m_lastCaret == caret() && m_caretRevision == m_revision) || m_caretPending) {
        return;
    }
    m_caretPending = true;
    QTimer::singleShot(0, this, [this] {
        m_caretPending = false;
        const qsizetype now = caret();
        if (now != m_lastCaret || m_caretRevision != m_revision) {
            m_lastCaret = now;
            m_caretRevision = m_revision;
            m_wentElsewhere = m_wentElsewhere || lineOf(now) != m_lastLine;
            m_lastLine = lineOf(now);
            showWhereOneIs();
            Q_EMIT caretMoved(now);
        }
    });
}

} // namespace trainyard
