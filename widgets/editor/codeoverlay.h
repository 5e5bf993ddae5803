// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace trainyard
{

class CodeView;

// Graphics over a text: bars that head its sections, and dots over hidden text. It ignores the mouse. A bar covers its
// line of the text and an empty one below it, so that it is higher than a line and has room around it. The line itself
// stays in the text for copying and for screen readers.
class CodeOverlay : public QWidget
{
    Q_OBJECT
public:
    struct Bar {
        qsizetype line = 0; // of the text
        QString icon;
        QString title; // semibold
        QString detail;
        QString atEnd; // at the right
    };
    explicit CodeOverlay(CodeView *view);
    void setBars(const QList<Bar> &bars);
    const QList<Bar> &bars() const { return m_bars; }
    QRect placeOf(const Bar &bar) const; // in the viewport
    // Each within one line, above what hides them already (CodeView::CoveredSecret). The name of each is written behind
    // its dots; no names: dots alone.
    void setDots(const QList<ByteRange> &ranges, const QStringList &names = {});
    const QList<ByteRange> &dots() const { return m_dots; }
    const QStringList &dotNames() const { return m_dotNames; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void paintBar(QPainter &painter, const Bar &bar) const;
    void paintDots(QPainter &painter, ByteRange range, const QString &name) const;
    bool isShown(qsizetype line) const;
    int textLeft() const;
    void cover();

    CodeView *m_view;
    QList<Bar> m_bars;
    QList<ByteRange> m_dots;
    QStringList m_dotNames;
};

} // namespace trainyard
