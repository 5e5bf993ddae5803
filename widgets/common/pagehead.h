// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

#include <QHash>

class QHBoxLayout;
class QPushButton;

namespace trainyard
{

class SearchField;

// The line at the top of a page: its heading, what there is to say of it, a field that searches the page, and what can
// be done with it. In a narrow page the field gets shorter first, what is of least use goes, the heading is cut, then
// buttons that have an icon lose their words.
class PageHead : public Ground
{
    Q_OBJECT
public:
    explicit PageHead(const QString &heading = {});
    void setHeading(const QString &text);
    QHBoxLayout *row() const { return m_row; } // for what is of one page alone
    void addSearch(SearchField *field, const QString &objectName, int width);
    void addMinor(QLabel *label); // the first to go
    // The main action of the page: the first button in the row, and the last to lose its words.
    void addPrimary(QPushButton *button);
    // The least used button loses its words first.
    void addButton(QPushButton *button, bool losesWordsFirst = false);
    void setWords(QPushButton *button, const QString &words); // of one that was added
    void setCount(const QString &text); // beside the heading
    void fit(); // into the width that it has: to be called when a part of the row has changed

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    ElidedLabel *m_heading;
    QLabel *m_count;
    QHBoxLayout *m_row;
    QList<QLabel *> m_minor;
    QList<QPushButton *> m_buttons; // in the order in which they lose their words
    QPushButton *m_primary = nullptr; // the last of them
    QHash<QPushButton *, QString> m_words;
};

} // namespace trainyard
