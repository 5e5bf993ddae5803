// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"
#include "widgets/diff/diffrows.h"

#include <QAbstractScrollArea>
#include <QHash>

namespace trainyard
{

class MarkedScrollBar;

// Shows how one YAML text became another, side by side or in one column, with changes within a line marked and long
// equal parts folded. Only visible rows are drawn, so that 10,000 lines cost nothing. Lines can be selected and copied.
// Large because painting, selection and scrolling share the layout of the same rows.
class DiffView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    static constexpr qsizetype mostShownBytes = 4000; // of a line; the rest is not shown

    enum class Mode { SideBySide, Unified };
    explicit DiffView(QWidget *parent = nullptr);

    void setTexts(const QByteArray &oldText, const QByteArray &newText); // keeps the place where it can
    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    const LineDiff &diff() const { return m_diff; }
    qsizetype changeCount() const { return m_diff.changes.size(); }
    qsizetype currentChange() const { return m_current; } // from 0, -1 for none
    void setCurrentChange(qsizetype number); // scrolls to it
    const QList<DiffRow> &rows() const { return m_rows; }
    QString selectedText() const;
    QSize sizeHint() const override { return {800, 480}; }

    // The backgrounds of a line and of marks in it; a test checks their contrast.
    static QColor lineGround(DiffRow::Kind kind, bool oldSide, Theme theme);
    static QColor markGround(bool oldSide, Theme theme);

public Q_SLOTS:
    void nextChange();
    void previousChange();
    void copy();
    void selectAll();

Q_SIGNALS:
    void currentChangeChanged(qsizetype number);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    static constexpr int textPadding = 8;
    static constexpr int signWidth = 20;
    struct Side {
        int gutter = 0; // from here on: number and sign
        int text = 0; // from here on: the line
        int end = 0;
    };
    void rebuild(); // of rows
    void updateScrollBars();
    void updateMarks();
    void updateSummary();
    Side sideAt(bool old) const;
    int rowAt(int y) const;
    bool isOldAt(int x) const; // whose half of the view that is
    void drawRow(QPainter *painter, qsizetype index, int y) const;
    void drawSide(QPainter *painter, const DiffRow &row, bool old, const Side &side, int y) const;
    void drawText(QPainter *painter, const QByteArray &text, qsizetype line, bool old, const QList<ByteRange> &marks,
        QPointF at, qreal width) const;
    InlineDiff marksOf(const DiffRow &row) const;
    void setCurrent(qsizetype number);

    QByteArray m_old, m_new;
    QByteArray m_oldStyles, m_newStyles; // one byte each, as yamlstyler gives them
    LineDiff m_diff;
    QList<DiffRow> m_rows;
    QList<qsizetype> m_opened;
    mutable QHash<std::pair<qsizetype, qsizetype>, InlineDiff> m_inline;
    Mode m_mode = Mode::SideBySide;
    qsizetype m_current = -1;
    qsizetype m_anchor = -1, m_cursor = -1; // selected rows
    bool m_selectedOld = false;
    MarkedScrollBar *m_bar;
    QFont m_font;
    int m_lineHeight = 18;
    qreal m_charWidth = 8;
    qsizetype m_longest = 0; // bytes of the longest line
};

} // namespace trainyard
