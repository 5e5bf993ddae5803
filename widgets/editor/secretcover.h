// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QList>
#include <QObject>

namespace trainyard
{

class CodeOverlay;
class CodeView;

// Covers the values of secrets in the text with dots, so that they cannot be read on the screen. The lines with the
// caret are uncovered while the text has the focus, so that the user can see and change a value there. A caret that an
// undo has put there does not uncover a line. The text itself is not touched.
class SecretCover : public QObject
{
    Q_OBJECT
public:
    explicit SecretCover(CodeView *view, QObject *parent = nullptr);
    // The values in the present text, by position. A text that ends in an error has not been read to its end: values
    // that were covered in it stay covered.
    void setValues(QList<ByteRange> values, bool isWhole);
    bool isCovered(qsizetype offset) const;
    const QList<ByteRange> &covered() const { return m_covered; } // each within one line

Q_SIGNALS:
    void changed(); // other parts of the text are covered

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void caretMoved();
    void keepInPlace(qsizetype position, qsizetype length, bool inserted);
    void update();
    void cover(ByteRange value);

    CodeView *m_view;
    CodeOverlay *m_dots; // over the bars that hide the text
    QList<ByteRange> m_values;
    QList<ByteRange> m_covered;
    qsizetype m_line = -1; // with the caret
    bool m_isUndoing = false; // the caret has not been placed yet
    qsizetype m_putAt = -1; // where an undo has put the caret, until it moves
};

} // namespace trainyard
