// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/protocol/caretinfo.h"
#include "widgets/common/popupframe.h"

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace trainyard
{

// The entry of the reference for a position and the problems there, as rich text; empty if there are none.
// `values` are colours for the words: a palette's.
QString helpHtml(const CaretInfo &info, const QList<Diagnostic> &diagnostics, const QWidget *widget, bool canGo);

// The card that shows it beside the pointer or the caret. It never takes the focus and goes with the next key, click or
// scroll, or when the pointer leaves what it is about.
class HelpCard : public PopupFrame
{
    Q_OBJECT
public:
    explicit HelpCard(QWidget *parent);
    void showText(const QString &html, const QRect &line, ByteRange about);
    ByteRange about() const { return m_about; }
    QString text() const;

private:
    QLabel *m_label;
    ByteRange m_about;
};

} // namespace trainyard
