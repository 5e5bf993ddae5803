// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamlstyler.h"

#include <QEvent>
#include <QFontInfo>
#include <QFontMetricsF>

#include <cmath>
#include <tuple>

// How the text looks: styles, folds, references, colours and fonts.
namespace trainyard
{
namespace
{
constexpr long valueEdgeAlpha = 110; // of what is filled in: of 255

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

} // namespace

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
    } else if (event->type() == QEvent::EnabledChange) {
        applyTheme(); // QScintilla has just given the default style colours of its own
    }
}

void CodeView::setGround(Colour role)
{
    m_ground = role;
    applyTheme();
}

void CodeView::applyTheme()
{
    const auto c = [this](Colour role) { return colour(role, this); };
    const QFont font = fonts::fixed();
    // A read-only text looks like the read-only fields around it.
    const QColor ground = c(isEnabled() || m_ground != Colour::Field ? m_ground : Colour::Window);
    const QByteArray family = QFontInfo(font).family().toUtf8();
    const qreal points = QFontInfo(font).pointSizeF();
    SendScintilla(SCI_STYLESETFONT, uat(STYLE_DEFAULT), family.constData());
    SendScintilla(SCI_STYLESETSIZEFRACTIONAL, uat(STYLE_DEFAULT),
        long(std::lround(points * qreal(int(SC_FONT_SIZE_MULTIPLIER)))));
    SendScintilla(SCI_STYLESETFORE, uat(STYLE_DEFAULT), c(isEnabled() ? Colour::Text : Colour::Muted));
    SendScintilla(SCI_STYLESETBACK, uat(STYLE_DEFAULT), ground);
    SendScintilla(SCI_STYLECLEARALL);
    const auto fore = [&](int style, Colour role) {
        SendScintilla(SCI_STYLESETFORE, uat(style), c(isEnabled() ? role : Colour::Muted));
    };
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
    const QColor selected = trainyard::selectedText(themeOf(this));
    SendScintilla(SCI_SETSELFORE, 1UL, selected);
    SendScintilla(SCI_SETADDITIONALSELFORE, selected);
    const QColor selection = textSelection(ground, themeOf(this));
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
    indicator(CoveredSecret, INDIC_FULLBOX, Colour::WaitingTint, false);
    SendScintilla(SCI_INDICSETALPHA, uat(CoveredSecret), 255L);
    SendScintilla(SCI_INDICSETOUTLINEALPHA, uat(CoveredSecret), 255L);
    for (const auto &[number, role, outline] : {std::tuple(int(FilledText), Colour::Accent, valueEdgeAlpha),
             std::tuple(int(SecretText), Colour::Waiting, valueEdgeAlpha)}) {
        indicator(number, INDIC_STRAIGHTBOX, role);
        SendScintilla(SCI_INDICSETALPHA, uat(number), themeOf(this) == Theme::Dark ? 60L : 30L);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, uat(number), outline);
    }
}

} // namespace trainyard
