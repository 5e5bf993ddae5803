// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documentationlook.h"

#include "widgets/common/tokens.h"

#include <QFontMetricsF>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard
{
namespace
{

// How wide the texts of a column are.
struct ColumnText {
    qreal word = 0; // the longest
    qreal cell = 0; // the longest
    qreal all = 0;
};

ColumnText measured(const QTextTable *table, int column, const QFont &font)
{
    const QFontMetricsF plain(font);
    const QFontMetricsF fixed(fonts::fixed());
    ColumnText text;
    for (int row = 0; row < table->rows(); ++row) {
        const QTextTableCell cell = table->cellAt(row, column);
        const bool isCode = cell.firstCursorPosition().block().begin().fragment().charFormat().fontFixedPitch();
        const QFontMetricsF &metrics = isCode ? fixed : plain;
        const QString words = cell.firstCursorPosition().block().text();
        const QStringList each = words.split(QLatin1Char(' '));
        for (const QString &word : each) {
            text.word = std::max(text.word, metrics.horizontalAdvance(word));
        }
        const qreal width = metrics.horizontalAdvance(words);
        text.cell = std::max(text.cell, width);
        text.all += width;
    }
    return text;
}

// Where the texts have no room beside each other: shares of the width by how much text there is, and room for the
// longest word. Qt makes all columns equal then.
QList<QTextLength> columnWidths(const QTextTable *table, const QFont &font)
{
    constexpr qreal most = 0.34; // for a word
    constexpr qreal padding = metrics::space2 + metrics::space3;
    QList<ColumnText> columns;
    qreal wanted = 0;
    for (int i = 0; i < table->columns(); ++i) {
        columns.append(measured(table, i, font));
        wanted += columns.constLast().cell + padding;
    }
    if (wanted <= documentationWidth) {
        return {};
    }
    // A column of single words gets nothing from more room.
    const auto weight = [](const ColumnText &column) { return column.cell > column.word ? std::sqrt(column.all) : 0; };
    QList<qreal> shares;
    qreal taken = 0;
    qreal rest = 0;
    for (const ColumnText &column : std::as_const(columns)) {
        shares.append(std::min(most, (column.word + padding) / documentationWidth));
        taken += shares.constLast();
        rest += weight(column);
    }
    QList<QTextLength> widths;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const qreal share
            = taken >= 1 ? shares.at(i) / taken : shares.at(i) + (1 - taken) * weight(columns.at(i)) / rest;
        widths.append(QTextLength(QTextLength::PercentageLength, 100 * share));
    }
    return widths;
}

void setTableLook(QTextTable *table, const QPalette &palette, const QFont &font)
{
    QTextTableFormat whole = table->format();
    whole.setBorder(0); // each row draws its own line
    whole.setCellSpacing(0);
    whole.setTopMargin(metrics::space2);
    whole.setBottomMargin(metrics::space3);
    if (const QList<QTextLength> widths = columnWidths(table, font); !widths.isEmpty()) {
        whole.setColumnWidthConstraints(widths);
        whole.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    }
    table->setFormat(whole);
    constexpr int heads = 1;
    QTextTableCellFormat row;
    row.setTopPadding(metrics::space1);
    row.setBottomPadding(metrics::space1);
    row.setLeftPadding(metrics::space2);
    row.setRightPadding(metrics::space3);
    row.setBottomBorder(1);
    row.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    row.setBottomBorderBrush(colour(Colour::Border, palette));
    QTextTableCellFormat head = row;
    head.setBackground(colour(Colour::Window, palette));
    QTextCharFormat bold;
    bold.setFontWeight(QFont::DemiBold);
    for (int i = 0; i < table->rows(); ++i) {
        for (int column = 0; column < table->columns(); ++column) {
            QTextTableCell cell = table->cellAt(i, column);
            cell.setFormat(i < heads ? head : row);
            if (i < heads) {
                QTextCursor cursor = cell.firstCursorPosition();
                cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
                cursor.mergeCharFormat(bold);
            }
        }
    }
}

void visitTables(QTextFrame *frame, const QPalette &palette, const QFont &font)
{
    const QList<QTextFrame *> inside = frame->childFrames();
    for (QTextFrame *each : inside) {
        if (auto *table = qobject_cast<QTextTable *>(each)) {
            setTableLook(table, palette, font);
        }
        visitTables(each, palette, font);
    }
}

// Lists of the first level have full marks, and stand near the text.
void setListLook(QTextDocument *document)
{
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        QTextList *list = block.textList();
        if (!list || list->itemNumber(block) != 0) {
            continue;
        }
        QTextListFormat format = list->format();
        if (format.style() == QTextListFormat::ListCircle && format.indent() == 1) {
            format.setStyle(QTextListFormat::ListDisc);
            list->setFormat(format);
        }
    }
}

} // namespace

void setDocumentationLook(QTextDocument *document, const QPalette &palette)
{
    QTextCursor whole(document);
    whole.beginEditBlock(); // laid out once
    visitTables(document->rootFrame(), palette, document->defaultFont());
    setListLook(document);
    whole.endEditBlock();
    document->clearUndoRedoStacks();
}

} // namespace trainyard
