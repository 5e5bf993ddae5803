// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QLabel>

namespace trainyard
{

// One line that elides (in the middle unless told) and shows the whole text on hover.
class ElidedLabel : public QWidget
{
    Q_OBJECT
public:
    explicit ElidedLabel(const QString &text = {}, QWidget *parent = nullptr);
    QString text() const { return m_text; }
    void setText(const QString &text);
    void setElideMode(Qt::TextElideMode mode);
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

QLabel *mutedLabel(const QString &text, QWidget *parent = nullptr); // UI size
QLabel *smallMutedLabel(const QString &text, QWidget *parent = nullptr); // help, counts
QLabel *semiboldLabel(const QString &text, QWidget *parent = nullptr);
QLabel *headingLabel(const QString &text, QWidget *parent = nullptr);
QLabel *titleLabel(const QString &text, QWidget *parent = nullptr);

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

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Colour m_role;
    Qt::Edges m_edges;
    bool m_card = false;
};

} // namespace trainyard
