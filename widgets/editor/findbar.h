// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/textsearch.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QToolButton;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;

// Find and replace in a CodeView, below it: all hits are marked while it is open.
class FindBar : public QFrame
{
    Q_OBJECT
public:
    explicit FindBar(CodeView *view, QWidget *parent = nullptr);

    void open(bool replace);
    void closeBar();
    void next();
    void previous();

Q_SIGNALS:
    void hitsChanged(const QList<qsizetype> &lines);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void search(bool jump);
    void showHit(qsizetype index);
    void replaceOne();
    void replaceAll();
    QByteArray replacementFor(ByteRange hit) const;
    void updateCount();

    CodeView *m_view;
    QLineEdit *m_pattern;
    QLineEdit *m_replacement;
    QWidget *m_replaceRow;
    QLabel *m_count;
    QToolButton *m_regex;
    QToolButton *m_case;
    QToolButton *m_showReplace;
    QPushButton *m_replace;
    QPushButton *m_replaceAll;
    QList<ByteRange> m_hits;
    qsizetype m_current = -1;
    bool m_bad = false;
    bool m_cut = false;
    bool m_stale = true;
};

} // namespace trainyard
