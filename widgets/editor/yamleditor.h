// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"
#include "model/base/textrange.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <QByteArray>
#include <QWidget>

#include <memory>

QT_BEGIN_NAMESPACE
class QAction;
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

enum class Origin;
class CodeView;
class FindBar;
class FixBar;
class MarkedScrollBar;
class SecretCover;
class YamlAssist;

// The YAML side of the designer: the live text of a job, byte for byte, with colours, folding, squiggles, quick fixes,
// find and replace. It holds the only undo stack; edits from elsewhere come in through applyEdits(). Large because it
// is what the window sees of the text: most methods are short and pass a call on to the view or to a bar.
class YamlEditor : public QWidget
{
    Q_OBJECT
public:
    explicit YamlEditor(QWidget *parent = nullptr);
    ~YamlEditor() override;

    QByteArray bytes() const;
    qsizetype byteCount() const;
    void setBytes(const QByteArray &bytes); // a new document without undo, unmodified
    void applyEdits(const TextEdits &edits, Origin origin);
    quint64 revision() const;

    bool isModified() const;
    void setSaved();
    void setNeverSaved(); // modified until saved, whatever is undone
    bool canUndo() const;
    bool canRedo() const;
    void undo();
    void redo();
    void endTyping(); // text that is typed from now on is a separate undo step
    void setReadOnly(bool readOnly);
    bool isReadOnly() const;
    // A text with a line that is too long to lay out is shown shortened, and read-only; bytes() is still all of it.
    bool isShortened() const { return !m_whole.isEmpty(); }

    qsizetype caret() const;
    void setCaret(qsizetype offset);
    void select(ByteRange range);
    LineColumn positionOf(qsizetype offset) const;
    qsizetype offsetOf(LineColumn position) const;

    // Ranges refer to the present text.
    void setDiagnostics(const QList<Diagnostic> &diagnostics);
    void clearDiagnostics();
    // The newest parsed text and the job in it (null: none could be read), for suggestions, help and definitions.
    void setSnapshot(const YamlDocument &document, const JobSpec *job, quint64 revision);

    // The actions of the text only: they work while it has the focus.
    QList<QAction *> editorActions() const { return m_actions; }
    // Where the caret is becomes a place to come back to; call it before a jump.
    void remember();
    void goBack();
    void goForward();

    void showFind(bool replace = false);
    void findNext();
    void findPrevious();
    void toggleComment();
    void showFixes(); // Ctrl+.: the fixes of all problems at the caret, or on its line
    void foldAll(bool folded);
    bool isWrapped() const;
    void setWrapped(bool on); // long lines go on in the next row; off at first, as YAML is read by its columns
    CodeView *view() const { return m_view; }
    bool isCovered(qsizetype offset) const; // by the bar that hides the value of a secret

Q_SIGNALS:
    void bytesChanged(trainyard::Origin origin);
    void caretMoved(qsizetype offset);
    void modifiedChanged(bool modified);
    void undoStateChanged();
    void fixRequested(const trainyard::Fix &fix);
    void wrappedChanged(bool on);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildActions();
    void toggleFoldAtCaret(bool folded);
    QList<Diagnostic> diagnosticsAt(qsizetype offset) const;
    void travel(QList<qsizetype> &from, QList<qsizetype> &to);
    void applyTheme();
    void updateMarks();
    void updateFixBar();
    void toggleFold(qsizetype line);
    const Diagnostic *diagnosticOnLine(qsizetype line) const;
    void handleMarginClick(int margin, int line);
    void keepDiagnosticsInPlace(int position, int length, bool inserted);
    void drawSquiggles();
    void setModifiedState();

    CodeView *m_view;
    qreal m_markRatio = 0; // that the icons in the gutter are drawn at
    FindBar *m_find;
    FixBar *m_fixes;
    MarkedScrollBar *m_scroll;
    YamlAssist *m_assist;
    SecretCover *m_cover;
    QAction *m_wrap = nullptr;
    QList<QAction *> m_actions;
    QList<qsizetype> m_back; // places to come back to, the newest last
    QList<qsizetype> m_forward;
    QList<Diagnostic> m_diagnostics;
    QList<std::pair<int, ByteRange>> m_squiggles; // with their indicators
    QByteArray m_whole; // when what is shown is shortened
    QTimer *m_typing; // runs while the user types: nothing may move the lines then
    qsizetype m_fixLine = -1;
    bool m_neverSaved = false;
    bool m_modified = false;
};

} // namespace trainyard
