// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/pairs.h"
#include "widgets/editor/scintilla.h"

#include <QByteArray>
#include <QElapsedTimer>

#include <optional>

namespace trainyard
{

// The origin of a change. Instead of blocking signals, every change says where it came from.
enum class Origin { Text, Form, Disk, Undo };

// Scintilla as a bytes editor: the text goes in and out byte for byte (a BOM, bytes that are not UTF-8 and NUL
// survive), positions are bytes, and the look follows the palette. Internal to widgets/: its users wrap it. Large
// because QScintilla is one object: each of its messages that the program uses has its one method here.
class CodeView : public QsciScintilla
{
    Q_OBJECT
public:
    enum class Language { Yaml, Bash };
    enum Indicator {
        ErrorSquiggle = 8,
        WarningSquiggle,
        NoteSquiggle,
        ReferenceText,
        SearchHit,
        SearchCurrent,
        LinkText,
        TypedPair,
        FilledText, // replaces a reference of the job
        SecretText, // represents hidden text
        CoveredSecret // hides what is below it
    };
    enum MarginMarker { ErrorMark = 1, WarningMark = 2, NoteMark = 3, ItemMark = 4, EmptiedMark = 5 };

    explicit CodeView(Language language, QWidget *parent = nullptr);
    ~CodeView() override;

    QByteArray allBytes() const;
    qsizetype byteCount() const;
    QByteArray bytesIn(ByteRange range) const;
    char byteAt(qsizetype offset) const;
    // A new document: no undo, save point set.
    void setAllBytes(const QByteArray &bytes);
    void endLinesAs(const QByteArray &bytes); // new lines, from now on: as the first line of a text
    // One undo step, whatever the number of edits. Keeps the caret where its text is.
    void applyEdits(const TextEdits &edits, Origin origin);
    quint64 revision() const { return m_revision; } // rises with every change of the text

    qsizetype caret() const;
    void showLineStart(); // unless the caret would be out of sight
    void setCaret(qsizetype offset); // selects nothing, unfolds, scrolls into view
    bool leaveTemplate() { return m_pairs.leaveTemplate(); } // from its end to behind it; false: it is not there
    void select(ByteRange range);
    void reveal(qsizetype offset); // unfolds and scrolls, leaves the caret
    qsizetype lineOf(qsizetype offset) const;
    qsizetype lineStart(qsizetype line) const;
    qsizetype lineEnd(qsizetype line) const; // before the line end
    qsizetype lines() const;
    void toggleComment();
    void setStyled(bool styled); // off for texts too large to colour
    void setGround(Colour role); // what the text lies on, where it is not a field of a form
    Colour ground() const { return m_ground; }
    void fillIndicator(int indicator, ByteRange range);
    void clearIndicator(int indicator);
    void clearIndicator(int indicator, ByteRange range);
    bool hasIndicator(int indicator, qsizetype offset) const;

    // The column that a line after this one should begin at; and whether it opens a deeper one.
    qsizetype indentAfterLine(qsizetype line) const;
    bool opensBlock(qsizetype line) const;
    void setIndentStep(int step);
    int indentStep() const { return m_step; }
    // Where the text at an offset is drawn, in the viewport; `below` is under its line.
    QPoint pointOf(qsizetype offset, bool below = false) const;

    bool canUndo() const;
    bool canRedo() const;
    // Text that is typed without a pause is one undo step. Any other action on the text ends the step, too.
    void endTyping() { m_typing.invalidate(); }
    void setTypingPause(int ms) { m_typingPause = ms; }

Q_SIGNALS:
    // After the change; `lengthChange` is positive for an insertion.
    void bytesChanged(trainyard::Origin origin);
    void caretMoved(qsizetype offset); // or it is at another place, since the text around it has changed
    void undoStateChanged();
    void themeChanged();
    void typed(char32_t character); // by a key, after it is in the text

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    // The text that Enter inserts after the line break.
    QByteArray indentAfter(qsizetype line) const;
    virtual void applyTheme();

private:
    QByteArray indentFor(const QByteArray &before) const;
    void handleModified(int type);
    void handleUpdateUi(int updated);
    void showWhereOneIs();
    void styleTo(int position);
    void updateFolds(qsizetype first, qsizetype last);
    void updateReferences(std::optional<ByteRange> touched = {}); // nothing else has changed, where it is known
    void releaseKeys(std::initializer_list<int> keys);
    void separateUndo(const QKeyEvent *event);

    Language m_language;
    Colour m_ground;
    PairTyper m_pairs{this};
    int m_step = 2;
    Origin m_origin = Origin::Text;
    quint64 m_revision = 0;
    qsizetype m_lastCaret = -1;
    quint64 m_caretRevision = 0; // for which it was told
    qsizetype m_lastLine = -1;
    bool m_wentElsewhere = false; // to another line, or by an undo
    bool m_styled = true;
    bool m_replacing = false;
    QByteArray m_references; // a byte for each of the text: marked or not
    bool m_referencesPending = false;
    bool m_caretPending = false;
    bool m_tabLeaves = false; // Escape was the last key
    QElapsedTimer m_typing; // since the last key that wrote something
    int m_typingPause = 2000;
};

} // namespace trainyard
