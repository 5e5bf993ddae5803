// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/logexcerpt.h"

#include "widgets/common/style.h"
#include "widgets/log/codeplace.h"
#include "widgets/text/scriptnames.h"

#include <QEvent>
#include <QFocusEvent>
#include <QLocale>
#include <QRegularExpression>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>

#include <cmath>
#include <memory>
#include <utility>

namespace trainyard
{

LogExcerpt::LogExcerpt(QWidget *parent) : QTextBrowser(parent)
{
    setFont(fonts::fixed());
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false); // what it lies on is its ground
    setOpenLinks(false);
    setUndoRedoEnabled(false);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        const QString word = link.toString();
        const bool isCode = word.startsWith(QLatin1Char('c'));
        const qint64 line = (isCode ? word.mid(1) : word).toLongLong();
        if (!isCode) {
            Q_EMIT lineClicked(line);
        } else if (const auto place = codePlaceIn(m_lines.value(line - m_firstLine))) {
            Q_EMIT codeClicked(place->file, place->line);
        }
    });
}

void LogExcerpt::setLines(qint64 firstLine, const QStringList &lines, std::optional<qint64> marked)
{
    if (firstLine != m_firstLine || lines != m_lines || marked != m_marked) { // the user may have selected something
        m_firstLine = firstLine;
        m_lines = lines;
        m_marked = marked;
        write();
        updateGeometry();
    }
}

void LogExcerpt::setCodeLinks(bool on)
{
    if (on != m_hasCodeLinks) {
        m_hasCodeLinks = on;
        write();
    }
}

QSize LogExcerpt::sizeHint() const { return {1, heightForWidth(width())}; }

QSize LogExcerpt::minimumSizeHint() const { return {1, 1}; }

int LogExcerpt::heightForWidth(int width) const
{
    const std::unique_ptr<QTextDocument> copy(document()->clone());
    copy->setDocumentMargin(0);
    copy->setTextWidth(width);
    return int(std::ceil(copy->size().height()));
}

// Without HTML: the lines are a stranger's.
void LogExcerpt::write()
{
    static const QRegularExpression breaks(QStringLiteral("[\\r\\n\\x{2028}\\x{2029}]"));
    constexpr qsizetype mostCharacters = 400;
    const qsizetype digits = QLocale().toString(m_firstLine + m_lines.size()).size();
    const QString gap(2, u' ');
    const qreal indent = QFontMetricsF(font()).horizontalAdvance(QString(digits, u'0') + gap);
    QTextBlockFormat block; // wrapped pieces stand below the text, not below the number
    block.setLeftMargin(indent);
    block.setTextIndent(-indent);
    block.setTopMargin(1);
    block.setBottomMargin(1);
    QTextCharFormat plain, marked, link;
    marked.setForeground(colour(Colour::Failed, this));
    marked.setFontWeight(QFont::Bold);
    link.setForeground(colour(Colour::Accent, this));
    link.setAnchor(true);
    QTextCharFormat code = link;
    code.setFontUnderline(true);
    clear();
    QTextCursor cursor(document());
    qint64 number = m_firstLine - 1;
    bool isFirst = true;
    for (QString line : std::as_const(m_lines)) {
        ++number;
        if (isPointerLine(line)) {
            continue;
        }
        line = withShortScriptName(line); // no room is left for the whole path
        line.replace(breaks, QStringLiteral(" "));
        if (line.size() > mostCharacters) {
            line = line.left(mostCharacters) + u'…';
        }
        if (std::exchange(isFirst, false)) {
            cursor.setBlockFormat(block);
        } else {
            cursor.insertBlock(block);
        }
        link.setAnchorHref(QString::number(number));
        cursor.insertText(QLocale().toString(number + 1).rightJustified(digits), link);
        const QTextCharFormat &ink = number == m_marked ? marked : plain;
        if (const auto place = m_hasCodeLinks ? codePlaceIn(line) : std::nullopt) {
            code.setAnchorHref(QLatin1Char('c') + QString::number(number));
            cursor.insertText(gap + line.left(place->begin), ink);
            cursor.insertText(line.mid(place->begin, place->end - place->begin), code);
            cursor.insertText(line.mid(place->end), ink);
        } else {
            cursor.insertText(gap + line, ink);
        }
    }
}

// The colour of the line numbers is part of the text.
void LogExcerpt::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_lines.isEmpty()) {
        write();
    }
}

// With a key, the focus is on a link from the beginning: it is seen nowhere else.
void LogExcerpt::focusInEvent(QFocusEvent *event)
{
    QTextBrowser::focusInEvent(event);
    const bool isForward = event->reason() == Qt::TabFocusReason;
    if (isForward || event->reason() == Qt::BacktabFocusReason) {
        setTextCursor(QTextCursor(document()));
        QTextBrowser::focusNextPrevChild(isForward);
    }
}

bool LogExcerpt::focusNextPrevChild(bool next)
{
    const QTextCursor before = textCursor();
    const bool hasMoved = QTextBrowser::focusNextPrevChild(next);
    // Before the first link of a text, Qt finds the same one again, and the key would never leave it.
    if (hasMoved && hasFocus() && before.hasSelection() && textCursor() == before) {
        setTextCursor(QTextCursor(document()));
        return QAbstractScrollArea::focusNextPrevChild(next);
    }
    return hasMoved;
}

} // namespace trainyard
