// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QList>
#include <QObject>

namespace trainyard
{

class CodeOverlay;
class CodeView;

// Covers the values of secrets in the text with dots, so that whoever looks at the screen does not read them. The
// lines with the caret are uncovered while the text has the focus: a value can be seen and changed by going there. The
// text itself is not touched.
class SecretCover : public QObject
{
    Q_OBJECT
public:
    explicit SecretCover(CodeView *view, QObject *parent = nullptr);
    // The values in the present text, by position. A text that ends in an error has not been read to its end: what was
    // covered in it stays so.
    void setValues(QList<ByteRange> values, bool isWhole);
    bool isCovered(qsizetype offset) const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void keepInPlace(qsizetype position, qsizetype length, bool inserted);
    void update();
    void cover(ByteRange value);

    CodeView *m_view;
    CodeOverlay *m_dots; // over the bars that hide the text
    QList<ByteRange> m_values;
    QList<ByteRange> m_covered;
};

} // namespace trainyard
