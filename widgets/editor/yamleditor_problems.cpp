// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/labels.h"
#include "widgets/common/menukeys.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/fixbar.h"
#include "widgets/editor/markedscrollbar.h"
#include "widgets/editor/secretcover.h"
#include "widgets/editor/yamlassist.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QMenu>
#include <QTimer>

#include <algorithm>
#include <array>

// The problems in the text: marks, squiggles and fixes.
namespace trainyard
{
namespace
{
constexpr int widestHead = 560; // of a group in the menu of fixes

int markerOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return CodeView::ErrorMark;
    case Severity::Warning:
        return CodeView::WarningMark;
    case Severity::Note:
        return CodeView::NoteMark;
    }
    return CodeView::NoteMark;
}

int squiggleOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return CodeView::ErrorSquiggle;
    case Severity::Warning:
        return CodeView::WarningSquiggle;
    case Severity::Note:
        return CodeView::NoteSquiggle;
    }
    return CodeView::NoteSquiggle;
}

constexpr std::array squiggles{
    int(CodeView::ErrorSquiggle), int(CodeView::WarningSquiggle), int(CodeView::NoteSquiggle)};

} // namespace

void YamlEditor::setDiagnostics(const QList<Diagnostic> &diagnostics)
{
    clearDiagnostics();
    m_diagnostics = diagnostics;
    const qsizetype size = m_view->byteCount();
    QList<MarkedScrollBar::Mark> marks;
    const double total = double(std::max<qsizetype>(1, m_view->lines() - 1));
    QList<Diagnostic> worstFirst = diagnostics;
    std::stable_sort(worstFirst.begin(), worstFirst.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.severity < b.severity; });
    QHash<qsizetype, QList<std::pair<Severity, ByteRange>>> shown; // by line
    for (const Diagnostic &diagnostic : std::as_const(worstFirst)) {
        ByteRange range = diagnostic.at;
        range.begin = std::clamp<qsizetype>(range.begin, 0, size);
        range.end = std::clamp<qsizetype>(range.end, range.begin, size);
        const qsizetype line = m_view->lineOf(range.begin);
        auto &ofLine = shown[line];
        if (ofLine.isEmpty()) { // two shapes upon each other are none
            m_view->SendScintilla(QsciScintillaBase::SCI_MARKERADD, static_cast<unsigned long>(line),
                long(markerOf(diagnostic.severity)));
        }
        // A wave under many lines is of no use: the first one shows the place.
        range.end = std::min(range.end, m_view->lineEnd(line));
        if (range.length() <= 0) {
            range = {
                std::max(m_view->lineStart(line), range.begin - 1), std::min(range.begin + 1, m_view->lineEnd(line))};
        }
        const bool isCovered = std::any_of(ofLine.cbegin(), ofLine.cend(), [&](const auto &worse) {
            return worse.first < diagnostic.severity && worse.second.begin < range.end
                && range.begin < worse.second.end;
        });
        if (!isCovered) {
            m_squiggles.append({squiggleOf(diagnostic.severity), range});
        }
        ofLine.append({diagnostic.severity, range});
        if (diagnostic.severity != Severity::Note) {
            const bool error = diagnostic.severity == Severity::Error;
            marks.append({double(line) / total, error ? Colour::Failed : Colour::Waiting, error ? 3 : 2});
        }
    }
    m_scroll->setMarks(1, marks);
    drawSquiggles();
    updateFixBar();
}

// The last stroke of a squiggle stands out beside the bar that covers a secret, so that there is none below it.
void YamlEditor::drawSquiggles()
{
    for (const int indicator : squiggles) {
        m_view->clearIndicator(indicator);
    }
    for (const auto &[indicator, range] : std::as_const(m_squiggles)) {
        m_view->fillIndicator(indicator, range);
    }
    for (const ByteRange &covered : m_cover->covered()) {
        for (const int indicator : squiggles) {
            m_view->clearIndicator(indicator, covered);
        }
        m_view->clearIndicator(CodeView::LinkText, covered);
    }
}

void YamlEditor::clearDiagnostics()
{
    if (!m_diagnostics.isEmpty()) {
        for (const int indicator : squiggles) {
            m_view->clearIndicator(indicator);
        }
        for (const int marker : {CodeView::ErrorMark, CodeView::WarningMark, CodeView::NoteMark}) {
            m_view->SendScintilla(QsciScintillaBase::SCI_MARKERDELETEALL, marker);
        }
        m_scroll->setMarks(1, {});
    }
    m_diagnostics.clear();
    m_squiggles.clear();
    updateFixBar();
}

// Until the next snapshot the ranges ride along with what is typed.
void YamlEditor::keepDiagnosticsInPlace(int position, int length, bool inserted)
{
    const auto moved = [&](qsizetype offset) -> qsizetype {
        if (inserted) {
            return offset >= position ? offset + length : offset;
        }
        return offset <= position ? offset : std::max<qsizetype>(position, offset - length);
    };
    for (Diagnostic &diagnostic : m_diagnostics) {
        diagnostic.at = {moved(diagnostic.at.begin), moved(diagnostic.at.end)};
        // A fix planned for another text must not be applied to this one.
        diagnostic.fixes.clear();
    }
    for (auto &[indicator, range] : m_squiggles) {
        range = {moved(range.begin), moved(range.end)};
    }
    for (QList<qsizetype> *places : {&m_back, &m_forward}) {
        for (qsizetype &place : *places) {
            place = moved(place);
        }
    }
}

// The worst one first, then the most precise one.
QList<Diagnostic> YamlEditor::diagnosticsAt(qsizetype offset) const
{
    QList<Diagnostic> all;
    for (const Diagnostic &diagnostic : m_diagnostics) {
        if (diagnostic.at.contains(offset) || diagnostic.at.end == offset
            || (diagnostic.at.length() == 0 && std::abs(offset - diagnostic.at.begin) <= 1)) {
            all.append(diagnostic);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Diagnostic &a, const Diagnostic &b) {
        return a.severity != b.severity ? a.severity < b.severity : a.at.length() < b.at.length();
    });
    return all;
}

const Diagnostic *YamlEditor::diagnosticOnLine(qsizetype line) const
{
    const Diagnostic *best = nullptr;
    for (const Diagnostic &diagnostic : m_diagnostics) {
        if (m_view->lineOf(diagnostic.at.begin) == line && (!best || diagnostic.severity < best->severity)) {
            best = &diagnostic;
        }
    }
    return best;
}

// The line with the caret explains its error and offers the fixes right below.
void YamlEditor::updateFixBar()
{
    const qsizetype line = m_view->lineOf(m_view->caret());
    const Diagnostic *diagnostic = diagnosticOnLine(line);
    const bool wanted = diagnostic && (diagnostic->severity == Severity::Error || !diagnostic->fixes.isEmpty())
        && (m_fixLine == line || !m_typing->isActive());
    if (m_fixLine >= 0 && (!wanted || m_fixLine != line)) {
        m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONCLEARALL);
        m_fixLine = -1;
        m_fixes->hide();
    }
    if (wanted) {
        m_fixes->setDiagnostic(*diagnostic);
        if (m_fixLine != line) {
            m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONSETTEXT, uintptr_t(line), " ");
            m_fixLine = line;
        }
        updateMarks();
    }
}

void YamlEditor::showFixes()
{
    const qsizetype caret = m_view->caret();
    const qsizetype line = m_view->lineOf(caret);
    // Those at the caret come first, then the others of its line.
    QList<Diagnostic> all = diagnosticsAt(caret);
    const qsizetype atCaret = all.size();
    for (const Diagnostic &diagnostic : std::as_const(m_diagnostics)) {
        const auto same
            = [&](const Diagnostic &other) { return other.code == diagnostic.code && other.at == diagnostic.at; };
        if (m_view->lineOf(diagnostic.at.begin) == line && std::none_of(all.cbegin(), all.cbegin() + atCaret, same)) {
            all.append(diagnostic);
        }
    }
    all.removeIf([](const Diagnostic &diagnostic) { return diagnostic.fixes.isEmpty(); });
    if (all.isEmpty()) {
        m_view->setFocus(); // the key that closes the hint is one for the text
        m_assist->showHint(tr("There is no quick fix here."));
        return;
    }
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("fixMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *first = nullptr;
    for (const Diagnostic &diagnostic : std::as_const(all)) {
        if (all.size() > 1) {
            menu->addSection(menu->fontMetrics().elidedText(diagnosticText(diagnostic), Qt::ElideRight, widestHead));
        }
        for (const Fix &fix : diagnostic.fixes) {
            QAction *action = menu->addAction(plainCaption(fixTitle(fix)));
            connect(action, &QAction::triggered, this, [this, fix] { Q_EMIT fixRequested(fix); });
            first = first ? first : action;
        }
    }
    m_assist->closeAll();
    popUpAlone(menu, this, m_view->viewport()->mapToGlobal(m_view->pointOf(caret, true)));
    menu->setActiveAction(first);
}

} // namespace trainyard
