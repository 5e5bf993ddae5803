// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diff/diffview.h"

#include "widgets/common/stylepaint.h"
#include "widgets/editor/markedscrollbar.h"
#include "widgets/editor/yamlstyler.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr qsizetype contextLines = 4;

QByteArray stylesOf(const QByteArray &text, const QList<ByteRange> &lines)
{
    QByteArray styles(text.size(), yamlstyler::Default);
    yamlstyler::State state;
    for (const ByteRange &line : lines) {
        const QByteArrayView view = QByteArrayView(text).sliced(line.begin, line.length());
        char *out = styles.data() + line.begin;
        state = yamlstyler::styleLine(view, state, out);
        yamlstyler::markReferences(view, out);
    }
    return styles;
}

} // namespace

DiffView::DiffView(QWidget *parent) : QAbstractScrollArea(parent), m_bar(new MarkedScrollBar(this))
{
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBar(m_bar);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    setAccessibleName(tr("Differences"));
    m_font = fonts::fixed();
    rebuild();
}

void DiffView::setTexts(const QByteArray &oldText, const QByteArray &newText)
{
    if (m_old == oldText && m_new == newText && !m_diff.oldLines.isEmpty()) {
        return;
    }
    const bool first = m_old.isEmpty() && m_new.isEmpty();
    m_old = oldText;
    m_new = newText;
    m_diff = diffLines(m_old, m_new);
    m_oldStyles = stylesOf(m_old, m_diff.oldLines);
    m_newStyles = stylesOf(m_new, m_diff.newLines);
    m_inline.clear();
    m_opened.clear();
    m_anchor = m_cursor = -1;
    m_longest = 0;
    for (const QList<ByteRange> *lines : {&m_diff.oldLines, &m_diff.newLines}) {
        for (const ByteRange &line : *lines) {
            m_longest = std::max(m_longest, std::min(line.length(), mostShownBytes));
        }
    }
    rebuild();
    updateSummary();
    if (m_current >= changeCount() || m_current < 0 || first) {
        m_current = -1;
        if (changeCount() > 0) {
            setCurrentChange(0);
        } else {
            Q_EMIT currentChangeChanged(-1);
        }
    } else {
        Q_EMIT currentChangeChanged(m_current); // the number of changes may be another one
    }
}

void DiffView::setMode(Mode mode)
{
    if (m_mode == mode) {
        return;
    }
    m_mode = mode;
    m_anchor = m_cursor = -1;
    rebuild();
    setCurrentChange(m_current);
}

void DiffView::updateSummary()
{
    qsizetype removed = 0;
    qsizetype added = 0;
    for (const LineChange &change : m_diff.changes) {
        removed += change.oldEnd - change.oldBegin;
        added += change.newEnd - change.newBegin;
    }
    setAccessibleDescription(changeCount() == 0
            ? tr("The texts are equal.")
            : tr("%1 changes: %2 lines removed, %3 lines added.").arg(changeCount()).arg(removed).arg(added));
}

void DiffView::rebuild()
{
    m_rows = diffRows(m_old, m_new, m_diff, m_mode == Mode::SideBySide, contextLines, m_opened);
    const QFontMetricsF metrics(m_font);
    m_charWidth = metrics.horizontalAdvance(QLatin1Char('0'));
    m_lineHeight = std::max(metrics::logLine, int(std::ceil(metrics.height())) + 2);
    updateScrollBars();
    updateMarks();
    viewport()->update();
}

DiffView::Side DiffView::sideAt(bool old) const
{
    const qsizetype most = std::max<qsizetype>({m_diff.oldLines.size(), m_diff.newLines.size(), 99});
    const int numbers = int(std::ceil(m_charWidth * qreal(QString::number(most).size()))) + 2 * textPadding;
    const int width = viewport()->width();
    const int half = width / 2;
    const bool beside = m_mode == Mode::SideBySide;
    Side side;
    side.gutter = beside && !old ? half + 1 : 0;
    side.text = side.gutter + numbers + signWidth;
    side.end = beside && old ? half : width;
    return side;
}

void DiffView::updateScrollBars()
{
    const int page = std::max(1, viewport()->height() / m_lineHeight);
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(3);
    verticalScrollBar()->setRange(0, std::max(0, int(m_rows.size()) - page));
    const Side side = sideAt(true);
    const int wanted = int(m_charWidth * qreal(m_longest)) + 2 * textPadding;
    horizontalScrollBar()->setPageStep(std::max(1, side.end - side.text));
    horizontalScrollBar()->setSingleStep(int(m_charWidth * 4));
    horizontalScrollBar()->setRange(0, std::max(0, wanted - (side.end - side.text)));
}

void DiffView::updateMarks()
{
    QList<MarkedScrollBar::Mark> marks;
    qsizetype last = -2;
    const double count = double(std::max<qsizetype>(1, m_rows.size()));
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const DiffRow &row = m_rows.at(i);
        if (row.change < 0 || (row.change == last && row.kind == m_rows.at(i - 1).kind)) {
            continue;
        }
        last = row.change;
        marks.append({double(i) / count,
            row.kind == DiffRow::Kind::Removed     ? Colour::Failed
                : row.kind == DiffRow::Kind::Added ? Colour::Succeeded
                                                   : Colour::Accent,
            2});
    }
    m_bar->setMarks(0, marks);
}

int DiffView::rowAt(int y) const
{
    return int(std::clamp<qsizetype>(verticalScrollBar()->value() + y / m_lineHeight, -1, m_rows.size() - 1));
}

bool DiffView::isOldAt(int x) const { return m_mode == Mode::SideBySide && x < sideAt(true).end; }

void DiffView::setCurrent(qsizetype number)
{
    if (m_current != number) {
        m_current = number;
        viewport()->update();
        Q_EMIT currentChangeChanged(number);
    }
}

void DiffView::setCurrentChange(qsizetype number)
{
    if (number < 0 || number >= changeCount()) {
        return;
    }
    setCurrent(number);
    const auto row = std::find_if(
        m_rows.cbegin(), m_rows.cend(), [number](const DiffRow &candidate) { return candidate.change == number; });
    const int at = int(row - m_rows.cbegin());
    const int page = verticalScrollBar()->pageStep();
    const int top = verticalScrollBar()->value();
    if (at < top + 2 || at > top + page - 3) {
        verticalScrollBar()->setValue(at - std::min(page / 3, 8));
    }
    viewport()->update();
}

void DiffView::nextChange() { setCurrentChange(std::min(m_current + 1, changeCount() - 1)); }
void DiffView::previousChange() { setCurrentChange(std::max<qsizetype>(m_current - 1, 0)); }

QString DiffView::selectedText() const
{
    if (m_anchor < 0) {
        return {};
    }
    QByteArray text;
    const auto append
        = [&text](const QByteArray &from, const ByteRange &line) { text += from.mid(line.begin, line.length()); };
    const qsizetype end = std::min(std::max(m_anchor, m_cursor) + 1, m_rows.size());
    for (qsizetype i = std::min(m_anchor, m_cursor); i < end; ++i) {
        const DiffRow &row = m_rows.at(i);
        const qsizetype count = row.kind == DiffRow::Kind::Fold ? row.folded : 1;
        const bool old = m_mode == Mode::SideBySide ? m_selectedOld : row.kind == DiffRow::Kind::Removed;
        const qsizetype first = old ? row.oldLine : row.newLine;
        for (qsizetype k = 0; first >= 0 && k < count; ++k) {
            append(old ? m_old : m_new, (old ? m_diff.oldLines : m_diff.newLines).at(first + k));
        }
    }
    return QString::fromUtf8(text);
}

void DiffView::copy()
{
    if (const QString text = selectedText(); !text.isEmpty()) {
        QApplication::clipboard()->setText(text);
    }
}

void DiffView::selectAll()
{
    m_anchor = 0;
    m_cursor = m_rows.size() - 1;
    viewport()->update();
}

void DiffView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void DiffView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange) {
        m_font = fonts::fixed();
        rebuild();
    }
}

void DiffView::keyPressEvent(QKeyEvent *event)
{
    QScrollBar *bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->matches(QKeySequence::MoveToStartOfDocument) || event->key() == Qt::Key_Home) {
        bar->setValue(0);
    } else if (event->matches(QKeySequence::MoveToEndOfDocument) || event->key() == Qt::Key_End) {
        bar->setValue(bar->maximum());
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        bar->setValue(bar->value() + (event->key() == Qt::Key_Up ? -1 : 1));
    } else if (event->key() == Qt::Key_N) {
        nextChange();
    } else if (event->key() == Qt::Key_P) {
        previousChange();
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void DiffView::mousePressEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if (event->button() != Qt::LeftButton || row < 0) {
        return;
    }
    if (m_rows.at(row).kind == DiffRow::Kind::Fold) {
        m_opened.append(m_rows.at(row).oldLine);
        m_anchor = m_cursor = -1;
        const int top = verticalScrollBar()->value();
        rebuild();
        verticalScrollBar()->setValue(top);
        return;
    }
    m_selectedOld = isOldAt(event->pos().x());
    m_cursor = row;
    if (!event->modifiers().testFlag(Qt::ShiftModifier) || m_anchor < 0) {
        m_anchor = row;
    }
    if (m_rows.at(row).change >= 0) {
        setCurrent(m_rows.at(row).change);
    }
    viewport()->update();
}

void DiffView::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && m_anchor >= 0) {
        m_cursor = std::max(0, rowAt(event->pos().y()));
        if (event->pos().y() > viewport()->height()) {
            verticalScrollBar()->setValue(verticalScrollBar()->value() + 1);
        } else if (event->pos().y() < 0) {
            verticalScrollBar()->setValue(verticalScrollBar()->value() - 1);
        }
        viewport()->update();
    }
}

void DiffView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    QAction *copyLines = menu.addAction(tr("Copy lines"), this, &DiffView::copy);
    copyLines->setEnabled(m_anchor >= 0);
    menu.addAction(tr("Select all"), this, &DiffView::selectAll);
    menu.exec(event->globalPos());
}

} // namespace trainyard
