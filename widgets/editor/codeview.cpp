// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/codeview.h"

#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/yamlstyler.h"

#include <QEvent>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QTimer>

#include <cmath>

namespace trainyard
{
namespace
{

// Lexer styles of Scintilla's bash lexer, by our colours.
struct BashStyle {
    int style;
    Colour colour;
};
constexpr BashStyle bashStyles[] = {
    {0, Colour::Text},
    {1, Colour::Text},
    {2, Colour::SyntaxComment},
    {3, Colour::SyntaxNumber},
    {4, Colour::SyntaxKey},
    {5, Colour::SyntaxString},
    {6, Colour::SyntaxString},
    {7, Colour::Text},
    {8, Colour::Text},
    {9, Colour::SyntaxReference},
    {10, Colour::SyntaxReference},
    {11, Colour::SyntaxKey},
    {12, Colour::SyntaxString},
    {13, Colour::SyntaxString},
};

constexpr Colour yamlColours[] = {
    Colour::Text,
    Colour::SyntaxKey,
    Colour::SyntaxString,
    Colour::SyntaxNumber,
    Colour::SyntaxReference,
    Colour::SyntaxComment,
    Colour::SyntaxReference,
    Colour::Muted,
    Colour::Muted,
    Colour::Text,
};

const char bashWords[]
    = "alias bash bg bind break builtin case cat cd chmod chown command continue cp curl declare do done "
      "echo elif else esac eval exec exit export false fi for function git grep hash head if in kill let "
      "local ln ls mkdir mv nohup pip pip3 printf pushd popd python python3 pwd read readonly return rm "
      "rsync sed select set sh shift shopt sleep source ssh sudo tail tar tee test then time touch trap "
      "true type ulimit umask unset until wait wget while xargs";

// Positions in the API of Scintilla are longs of the platform.
long at(qsizetype value) { return long(value); }
unsigned long uat(qsizetype value) { return static_cast<unsigned long>(value); }

} // namespace

CodeView::CodeView(Language language, QWidget *parent) : QsciScintilla(parent), m_language(language)
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
             Qt::Key_Slash, Qt::Key_Backslash, Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::Key_Space}) {
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
    // New lines are made as the file's first line end is.
    const qsizetype feed = bytes.indexOf('\n');
    const qsizetype carriage = bytes.indexOf('\r');
    const int mode = carriage >= 0 && feed == carriage + 1 ? SC_EOL_CRLF
        : carriage >= 0 && feed < 0                        ? SC_EOL_CR
                                                           : SC_EOL_LF;
    SendScintilla(SCI_SETEOLMODE, mode);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    SendScintilla(SCI_GOTOPOS, 0UL);
    SendScintilla(SCI_SETREADONLY, wasReadOnly);
    m_replacing = false;
    ++m_revision;
    updateReferences();
    Q_EMIT bytesChanged(Origin::Disk);
    Q_EMIT undoStateChanged();
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

void CodeView::clearIndicator(int indicator)
{
    SendScintilla(SCI_SETINDICATORCURRENT, indicator);
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, at(byteCount()));
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

void CodeView::toggleComment()
{
    if (isReadOnly()) {
        return;
    }
    const qsizetype begin = SendScintilla(SCI_GETSELECTIONSTART);
    const qsizetype end = SendScintilla(SCI_GETSELECTIONEND);
    const qsizetype first = lineOf(begin);
    qsizetype last = lineOf(end);
    if (last > first && lineStart(last) == end) {
        --last;
    }
    bool all = true;
    qsizetype column = -1;
    for (qsizetype line = first; line <= last; ++line) {
        const QByteArray text = bytesIn({lineStart(line), lineEnd(line)});
        const QByteArray body = text.trimmed();
        if (body.isEmpty()) {
            continue;
        }
        const qsizetype indent = SendScintilla(SCI_GETLINEINDENTPOSITION, uat(line)) - lineStart(line);
        column = column < 0 ? indent : std::min(column, indent);
        all = all && body.startsWith('#');
    }
    if (column < 0) {
        return;
    }
    SendScintilla(SCI_BEGINUNDOACTION);
    for (qsizetype line = last; line >= first; --line) {
        const QByteArray text = bytesIn({lineStart(line), lineEnd(line)});
        if (text.trimmed().isEmpty()) {
            continue;
        }
        if (all) {
            const qsizetype hash = text.indexOf('#');
            const qsizetype length = text.mid(hash + 1, 1) == " " ? 2 : 1;
            SendScintilla(SCI_DELETERANGE, uat(lineStart(line) + hash), at(length));
        } else {
            // Not SCI_INSERTTEXT, which takes the selection away.
            SendScintilla(SCI_SETTARGETRANGE, uat(lineStart(line) + column), at(lineStart(line) + column));
            SendScintilla(SCI_REPLACETARGET, 2UL, "# ");
        }
    }
    SendScintilla(SCI_ENDUNDOACTION);
}

namespace
{

// Does a value begin below this line? `text` is without blanks around it.
bool opens(const QByteArray &text)
{
    if (text.endsWith(':')) {
        return true;
    }
    // The header of block text, behind a colon or a dash.
    qsizetype at = text.size();
    while (at > 0 && (text[at - 1] == '-' || text[at - 1] == '+' || (text[at - 1] >= '1' && text[at - 1] <= '9'))) {
        --at;
    }
    return at > 1 && (text[at - 1] == '|' || text[at - 1] == '>') && text[at - 2] == ' '
        && (text.left(at - 2).endsWith(':') || text.left(at - 2).endsWith('-'));
}

QByteArray withoutComment(const QByteArray &text)
{
    const qsizetype comment = text.indexOf(" #");
    return comment >= 0 ? text.left(comment).trimmed() : text;
}

} // namespace

bool CodeView::opensBlock(qsizetype line) const
{
    const QByteArray text = bytesIn({lineStart(line), lineEnd(line)}).trimmed();
    return m_language == Language::Yaml && !text.startsWith('#') && opens(withoutComment(text));
}

void CodeView::setIndentStep(int step)
{
    m_step = std::clamp(step, 1, 8);
    setIndentationWidth(m_step);
}

QPoint CodeView::pointOf(qsizetype offset, bool below) const
{
    const long x = SendScintilla(SCI_POINTXFROMPOSITION, 0UL, at(offset));
    const long y = SendScintilla(SCI_POINTYFROMPOSITION, 0UL, at(offset));
    return {int(x), int(below ? y + SendScintilla(SCI_TEXTHEIGHT, 0UL) : y)};
}

qsizetype CodeView::indentAfterLine(qsizetype line) const
{
    return indentFor(bytesIn({lineStart(line), lineEnd(line)})).size();
}

QByteArray CodeView::indentAfter(qsizetype line) const
{
    return indentFor(bytesIn({lineStart(line), std::min(caret(), lineEnd(line))}));
}

// What a line after `before` begins with.
QByteArray CodeView::indentFor(const QByteArray &before) const
{
    qsizetype indent = 0;
    while (indent < before.size() && (before[indent] == ' ' || before[indent] == '\t')) {
        ++indent;
    }
    QByteArray spaces = before.left(indent);
    if (m_language == Language::Bash) {
        return spaces;
    }
    const QByteArray text = withoutComment(before.trimmed());
    if (text.startsWith('#') || text.isEmpty()) {
        return spaces;
    }
    if (text.startsWith("- ") && (opens(text) || text.contains(": "))) {
        // As far as the item's own keys.
        const bool block = text.size() > 2 && (text[2] == '|' || text[2] == '>');
        qsizetype column = 1;
        while (column < text.size() && text[column] == ' ') {
            ++column;
        }
        spaces += block ? QByteArray() : QByteArray(column, ' ');
    }
    return opens(text) ? spaces + QByteArray(m_step, ' ') : spaces;
}

void CodeView::keyPressEvent(QKeyEvent *event)
{
    if (m_language == Language::Yaml && m_pairs.handle(event)) {
        if (!event->text().isEmpty() && event->key() != Qt::Key_Backspace) {
            Q_EMIT typed(event->text().at(0).unicode());
        }
        event->accept();
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !isReadOnly() && !(event->modifiers() & ~Qt::KeypadModifier) && SendScintilla(SCI_GETSELECTIONS) == 1
        && !isListActive()) {
        const QByteArray indent = indentAfter(lineOf(caret()));
        SendScintilla(SCI_BEGINUNDOACTION);
        SendScintilla(SCI_NEWLINE);
        SendScintilla(SCI_ADDTEXT, uat(indent.size()), indent.constData());
        SendScintilla(SCI_ENDUNDOACTION);
        SendScintilla(SCI_SCROLLCARET);
        event->accept();
        return;
    }
    QsciScintilla::keyPressEvent(event);
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
    Q_EMIT bytesChanged(type & (SC_PERFORMED_UNDO | SC_PERFORMED_REDO) ? Origin::Undo : Origin::Text);
    Q_EMIT undoStateChanged();
}

// Told by Scintilla from within its painting: what follows may change sizes and texts, so it waits for the event loop.
void CodeView::handleUpdateUi(int)
{
    if (m_lastCaret == caret() || m_caretPending) {
        return;
    }
    m_caretPending = true;
    QTimer::singleShot(0, this, [this] {
        m_caretPending = false;
        const qsizetype now = caret();
        if (now != m_lastCaret) {
            m_lastCaret = now;
            Q_EMIT caretMoved(now);
        }
    });
}

// Called for what is about to be shown. Goes on past `position` while the state handed to the next line still changes.
void CodeView::styleTo(int position)
{
    const qsizetype first = lineOf(SendScintilla(SCI_GETENDSTYLED));
    const qsizetype wanted = lineOf(position);
    const qsizetype total = lines();
    qsizetype line = first;
    yamlstyler::State state;
    if (line > 0) {
        state = yamlstyler::State::decode(int(SendScintilla(SCI_GETLINESTATE, uat(line - 1))));
    }
    QByteArray styles;
    const qsizetype start = lineStart(line);
    for (; line < total; ++line) {
        const qsizetype begin = lineStart(line);
        const qsizetype end = line + 1 < total ? lineStart(line + 1) : byteCount();
        const QByteArray text = bytesIn({begin, end});
        const qsizetype offset = styles.size();
        styles.resize(offset + text.size());
        state = yamlstyler::styleLine(text, state, styles.data() + offset);
        const long before = SendScintilla(SCI_GETLINESTATE, uat(line));
        const int after = state.encode();
        if (before != after) {
            SendScintilla(SCI_SETLINESTATE, uat(line), long(after));
        } else if (line >= wanted) {
            ++line;
            break;
        }
    }
    SendScintilla(SCI_STARTSTYLING, uat(start), 0L);
    SendScintilla(SCI_SETSTYLINGEX, uat(styles.size()), styles.constData());
    updateFolds(first, std::min(line, total) - 1);
}

void CodeView::updateFolds(qsizetype first, qsizetype last)
{
    // Blank lines and comments belong to what follows them: depth -1.
    const auto depthOf = [&](qsizetype line, bool *white = nullptr) {
        const qsizetype begin = lineStart(line);
        const QByteArray text = bytesIn({begin, std::min(lineEnd(line), begin + 4096)});
        const yamlstyler::State before = line > 0
            ? yamlstyler::State::decode(int(SendScintilla(SCI_GETLINESTATE, uat(line - 1))))
            : yamlstyler::State{};
        const int depth = yamlstyler::foldDepth(text, before);
        if (white) {
            *white = depth < 0;
        }
        return before.mode == yamlstyler::State::Normal && text.trimmed().startsWith('#') ? -1 : depth;
    };
    // Whether a line opens a fold depends on the lines after it: begin with the last line of content before.
    for (int steps = 0; first > 0 && steps < 200; ++steps) {
        --first;
        if (depthOf(first) >= 0) {
            break;
        }
    }
    const qsizetype total = lines();
    int below = -1;
    for (qsizetype line = last + 1; line < std::min(total, last + 200); ++line) {
        const int depth = depthOf(line);
        if (depth >= 0) {
            below = depth;
            break;
        }
    }
    for (qsizetype line = last; line >= first; --line) {
        bool white = false;
        const int depth = depthOf(line, &white);
        int level;
        if (depth < 0) {
            level = (SC_FOLDLEVELBASE + std::max(0, below)) | (white ? SC_FOLDLEVELWHITEFLAG : 0);
        } else {
            level = SC_FOLDLEVELBASE + depth;
            if (below > depth) {
                level |= SC_FOLDLEVELHEADERFLAG;
            }
            below = depth;
        }
        if (SendScintilla(SCI_GETFOLDLEVEL, uat(line)) != level) {
            SendScintilla(SCI_SETFOLDLEVEL, uat(line), long(level));
        }
    }
}

void CodeView::updateReferences(std::optional<ByteRange> touched)
{
    const bool known = touched && !m_referencesPending;
    m_referencesPending = false;
    if (m_language != Language::Bash) {
        return;
    }
    const QByteArray text = allBytes();
    const QByteArray before = std::exchange(m_references, QByteArray(text.size(), '\0'));
    yamlstyler::markReferences(text, m_references.data());
    // Marks ride along with the text: only around the change, and where a tag opens or closes, are there others.
    qsizetype begin = 0;
    qsizetype end = m_references.size();
    if (known) {
        const qsizetype shorter = std::min(before.size(), end);
        const qsizetype head
            = std::mismatch(before.cbegin(), before.cbegin() + shorter, m_references.cbegin()).first - before.cbegin();
        const qsizetype tail
            = std::mismatch(before.crbegin(), before.crbegin() + (shorter - head), m_references.crbegin()).first
            - before.crbegin();
        begin = lineStart(lineOf(std::min(head, touched->begin)));
        end = lineEnd(lineOf(std::max(end - tail, touched->end)));
    }
    SendScintilla(SCI_SETINDICATORCURRENT, int(ReferenceText));
    SendScintilla(SCI_INDICATORCLEARRANGE, uat(begin), at(end - begin));
    for (qsizetype i = begin; i < end; ++i) {
        if (m_references.at(i)) {
            qsizetype last = i;
            while (last < end && m_references.at(last)) {
                ++last;
            }
            SendScintilla(SCI_INDICATORFILLRANGE, uat(i), at(last - i));
            i = last;
        }
    }
}

void CodeView::changeEvent(QEvent *event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::FontChange) {
        applyTheme();
        Q_EMIT themeChanged();
    }
}

void CodeView::applyTheme()
{
    const auto c = [this](Colour role) { return colour(role, this); };
    const QFont font = fonts::fixed();
    const QColor ground = m_language == Language::Bash ? c(Colour::Field) : c(Colour::Surface);
    const QByteArray family = QFontInfo(font).family().toUtf8();
    const qreal points = QFontInfo(font).pointSizeF();
    SendScintilla(SCI_STYLESETFONT, uat(STYLE_DEFAULT), family.constData());
    SendScintilla(SCI_STYLESETSIZEFRACTIONAL, uat(STYLE_DEFAULT),
        long(std::lround(points * qreal(int(SC_FONT_SIZE_MULTIPLIER)))));
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_DEFAULT), c(Colour::Text));
    SendScintilla(SCI_STYLESETBACK, uat(STYLE_DEFAULT), ground);
    SendScintilla(SCI_STYLECLEARALL);
    const auto fore = [&](int style, Colour role) { SendScintilla(SCI_STYLESETFORE, uat(style), c(role)); };
    if (m_language == Language::Bash) {
        for (const BashStyle &style : bashStyles) {
            fore(style.style, style.colour);
        }
        SendScintilla(SCI_STYLESETITALIC, 2UL, 1L);
    } else {
        for (int style = 0; style < int(std::size(yamlColours)); ++style) {
            fore(style, yamlColours[style]);
        }
        SendScintilla(SCI_STYLESETITALIC, uat(yamlstyler::Comment), 1L);
    }
    fore(STYLE_LINENUMBER, Colour::Muted);
    SendScintilla(SCI_STYLESETBACK, uat(STYLE_LINENUMBER), ground);
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_INDENTGUIDE), c(Colour::Border));
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_BRACELIGHT), c(Colour::Accent));
    SendScintilla(SCI_STYLESETBACK, uat(STYLE_BRACELIGHT), c(Colour::Selection));
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_BRACEBAD), c(Colour::Failed));
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_FOLDDISPLAYTEXT), c(Colour::Muted));
    SendScintilla(SCI_STYLESETBACK, uat(STYLE_FOLDDISPLAYTEXT), c(Colour::Window));
    // Lines of 18 px, as everywhere.
    const qreal height = QFontMetricsF(font).height();
    const int extra = std::max(0, int(std::lround(height * (qreal(metrics::logLine) / 14.0) - height)));
    SendScintilla(SCI_SETEXTRAASCENT, extra / 2);
    SendScintilla(SCI_SETEXTRADESCENT, extra - extra / 2);
    setCaretForegroundColor(c(Colour::Text));
    setCaretLineBackgroundColor(c(Colour::Hover));
    SendScintilla(SCI_SETSELFORE, 0UL, 0L);
    const QColor selection = mixed(c(Colour::Accent), ground, themeOf(this) == Theme::Dark ? 0.38 : 0.22);
    SendScintilla(SCI_SETSELBACK, 1UL, selection);
    SendScintilla(SCI_SETADDITIONALSELBACK, selection);
    setFoldMarginColors(ground, ground);
    setMarginsBackgroundColor(ground);
    setMarginsForegroundColor(c(Colour::Muted));
    const auto indicator = [&](int number, int style, Colour role, bool under = true) {
        SendScintilla(SCI_INDICSETSTYLE, uat(number), long(style));
        SendScintilla(SCI_INDICSETFORE, uat(number), c(role));
        SendScintilla(SCI_INDICSETUNDER, uat(number), long(under));
    };
    indicator(ErrorSquiggle, INDIC_SQUIGGLE, Colour::Failed);
    indicator(WarningSquiggle, INDIC_SQUIGGLE, Colour::Waiting);
    indicator(NoteSquiggle, INDIC_DOTS, Colour::Muted);
    indicator(ReferenceText, INDIC_TEXTFORE, Colour::SyntaxReference);
    for (const int hit : {int(SearchHit), int(SearchCurrent)}) {
        indicator(hit, INDIC_STRAIGHTBOX, hit == SearchHit ? Colour::Hit : Colour::CurrentHit);
        SendScintilla(SCI_INDICSETALPHA, uat(hit), 255L);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, uat(hit), 255L);
    }
    indicator(LinkText, INDIC_PLAIN, Colour::Accent);
    indicator(TypedPair, INDIC_HIDDEN, Colour::Text);
    indicator(FieldHint, INDIC_STRAIGHTBOX, Colour::Accent);
    SendScintilla(SCI_INDICSETALPHA, uat(FieldHint), themeOf(this) == Theme::Dark ? 60L : 30L);
    SendScintilla(SCI_INDICSETOUTLINEALPHA, uat(FieldHint), 0L);
}

} // namespace trainyard
