// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"

#include <QAbstractButton>
#include <QWidget>

// The rows of the page that welcomes.
namespace trainyard
{

// A way to start: icon, title, what it does, its key.
class StartRow final : public QAbstractButton
{
public:
    StartRow(const QString &iconName, const QString &title, const QString &detail, const QString &key, bool strong);
    static constexpr int column = 320; // the width of the column with the ways to start
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *) override;

private:
    static constexpr int wordsLeft = 44;
    int roomForWords() const;
    QString m_icon;
    QString m_detail;
    bool m_strong;
    KeyCap *m_key = nullptr;
};

// Says what may be dropped here.
class DropHint final : public QWidget
{
public:
    DropHint();

protected:
    void paintEvent(QPaintEvent *) override;
};

// One fact about this computer: its state, its name, its value.
class FactRow final : public QWidget
{
public:
    FactRow(StateShape shape, const QString &name, const QString &value);

protected:
    void paintEvent(QPaintEvent *) override;

private:
    StateShape m_shape;
    QString m_name;
    QString m_value;
};

} // namespace trainyard
