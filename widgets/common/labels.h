// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QLabel>

class QAction;

namespace trainyard
{

// One line that elides (in the middle by default) and shows the whole text on hover.
class ElidedLabel : public QWidget
{
    Q_OBJECT
public:
    explicit ElidedLabel(const QString &text = {}, QWidget *parent = nullptr);
    QString text() const { return m_text; }
    void setText(const QString &text);
    void setElideMode(Qt::TextElideMode mode);
    // A name in the text gives way first: the words around it say what the line is about.
    void setElidedPart(const QString &part);
    QString shownText() const; // as it has room now
    void setColour(Colour role);
    void setAlignment(Qt::Alignment alignment);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void updateTip();
    QString m_text;
    QString m_part;
    Qt::TextElideMode m_mode = Qt::ElideMiddle;
    Qt::Alignment m_alignment = Qt::AlignLeft | Qt::AlignVCenter;
    Colour m_colour = Colour::Text;
};

// Text in one of our colours, in every theme.
class ColourLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ColourLabel(const QString &text, Colour role, QWidget *parent = nullptr);
    void setColour(Colour role);

protected:
    void changeEvent(QEvent *event) override;

private:
    void apply();
    Colour m_role;
    bool m_applying = false;
};

// Text of programs and users is never markup: a label with text that looked like HTML would load the pictures that it
// names, and reading a picture that is a pipe never ends. All labels are made here; the style makes others plain as
// well. The height of a wrapped text depends on its width, which docks do not consider: a label keeps that height. Call
// this again for another text or width.
void keepWhole(QLabel *label, int width);
QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);
QLabel *mutedLabel(const QString &text, QWidget *parent = nullptr); // UI size
QLabel *smallMutedLabel(const QString &text, QWidget *parent = nullptr); // help, counts
QLabel *semiboldLabel(const QString &text, QWidget *parent = nullptr);
QLabel *headingLabel(const QString &text, QWidget *parent = nullptr);
ElidedLabel *nameHeading(const QString &text, const QString &name); // a heading with a name, however long it is
QLabel *titleLabel(const QString &text, QWidget *parent = nullptr);

// The one way for texts into tooltips, which Qt renders as HTML where they look like it: this one is shown as it is
// written, and is wrapped where it is long.
QString plainTip(const QString &text);
// A disabled action says why in its tool tip, which its menu must show: "No task has failed."
void enableOr(QAction *action, bool on, const QString &whyOff);
// A name as the text of a button, a tab or an entry of a menu, where Qt reads "&" as the mark of a shortcut. It is also
// needed for our own sentences if they contain a name.
QString plainCaption(const QString &name);
// The visible text of an action: "&Run" is "Run", and "A && B" is "A & B".
QString readCaption(const QString &caption);
// Markup of ours for one line: <b> and <br> stay, everything else is shown as it is written.
QString boldAndBreaksOnly(const QString &markup);
// Escaped markup in which the numbers of jobs ("#41") are links; jobOfLink() gives the number of the one clicked.
QString withJobLinks(const QString &escaped);
qint64 jobOfLink(const QString &link); // 0: it is none of these

// An icon of ours as a widget.
class IconLabel : public QWidget
{
    Q_OBJECT
public:
    IconLabel(const QString &name, int size, Colour role, QWidget *parent = nullptr);
    void setIcon(const QString &name, Colour role);
    QSize sizeHint() const override { return {m_size, m_size}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    int m_size;
    Colour m_role;
};

// A key such as "Ctrl+K" in its little frame.
class KeyCap : public QWidget
{
    Q_OBJECT
public:
    explicit KeyCap(const QString &key, QWidget *parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_key;
};

// One pixel of border, across or down.
class Line : public QWidget
{
    Q_OBJECT
public:
    explicit Line(Qt::Orientation orientation, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

// A plain ground in one of our colours, with borders where asked.
class Ground : public QWidget
{
    Q_OBJECT
public:
    explicit Ground(Colour role, QWidget *parent = nullptr);
    void setBorders(Qt::Edges edges);
    void setCard(bool card); // border all round, radius 8
    Colour role() const { return m_role; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Colour m_role;
    Qt::Edges m_edges;
    bool m_card = false;
};

} // namespace trainyard
